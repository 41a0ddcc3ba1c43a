export { currentTime, exporting, waitFor } from './clock'
export { keyFramesBy, sheetKey } from './frameKey'
export { composition, kodaProps, useCurrentTime, useKodaProps, useOnSeek, useProgress } from './hooks'
export { rafDriver, useSheetObject, useSheetValues, valuesOf } from './theatre'
export type { Timing } from './theatre'
// Stage3D is imported from './koda/Stage3D', so that pages without 3D carry none of it.
