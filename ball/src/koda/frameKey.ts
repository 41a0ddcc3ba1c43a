import type { ISheetObject } from '@theatre/core'
import { currentTime } from './clock'
import { drive, valuesOf } from './theatre'

const parts: ((seconds: number, first: boolean) => unknown)[] = []

/**
 * Promises that of everything that changes with time, a frame depends only on these
 * values. koda then draws frames with equal keys only once, and after an edit only
 * frames whose key changed. Call it at the top level of src/theatre/project.ts or
 * App.tsx. Without a call there is no frame key and every frame is drawn. The
 * parameters of the render are part of every key; with props: 'keyed' the values
 * hold all that a frame reads of them, so that renders with other parameters share
 * frames.
 *
 * The function must be pure: the page does not show the seconds it is asked for.
 * first is true when koda asks for the key of the picture before the first seek.
 */
export function keyFramesBy(part: (seconds: number, first: boolean) => unknown, { props }: { props?: 'keyed' } = {}): void {
  parts.push(part)
  if (props === 'keyed') window.__kodaPropsKeyed = true
  window.__kodaFrameKey = (seconds) => frameKey(seconds, false)
  window.__kodaFirstKey = () => frameKey(0, true)
}

/** The part of a key that covers sheet objects: all their values at the time. */
export function sheetKey(...objects: ISheetObject<any>[]): (seconds: number) => unknown {
  return () => objects.map((object) => valuesOf(object))
}

function frameKey(seconds: number, first: boolean): string {
  drive(seconds)
  try {
    return JSON.stringify(parts.map((part) => part(seconds, first)))
  } finally {
    drive(currentTime())
  }
}
