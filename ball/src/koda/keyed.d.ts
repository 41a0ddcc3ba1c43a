/** JSON that changes pictures only through the frame key; see the README. */
declare module '*.json?keyed' {
  const value: any
  export default value
}
