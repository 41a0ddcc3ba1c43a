export { currentTime, exporting, waitFor } from './clock'
export { keyFramesBy, sheetKey } from './frameKey'
export { composition, kodaProps, useCurrentTime, useKodaProps, useOnSeek, useProgress } from './hooks'
export { rafDriver, useSheetObject, useSheetValues, valuesOf } from './theatre'
export type { Timing } from './theatre'
// Import Stage3D from './koda/Stage3D'; pages without 3D do not carry its code.
