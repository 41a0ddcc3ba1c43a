/** JSON that pictures depend on through the frame key alone; see the README. */
declare module '*.json?keyed' {
  const value: any
  export default value
}
