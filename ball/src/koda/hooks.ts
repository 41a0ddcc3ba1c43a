import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import * as manifest from '../../koda.json'
import { currentTime, onApply, subscribe } from './clock'

/**
 * From koda.json: frames per second, seconds, and the design size in CSS pixels.
 * The scenes are left out, so that moving a cut redraws nothing.
 */
export const composition = {
  name: manifest.name,
  width: manifest.width,
  height: manifest.height,
  duration: manifest.duration,
  fps: rate(manifest.fps),
}

function rate(fps: number | string): number {
  const [num, den = '1'] = String(fps).split('/')
  return Number(num) / Number(den)
}

/** Seconds shown now; re-renders at every seek. */
export function useCurrentTime(): number {
  return useSyncExternalStore(subscribe, currentTime)
}

/** From 0 to 1 while the time runs from start to end (seconds), eased. */
export function useProgress(start: number, end: number, ease: (t: number) => number = (t) => t): number {
  const read = () => ease(Math.min(Math.max((currentTime() - start) / (end - start), 0), 1))
  return useSyncExternalStore(subscribe, read)
}

/**
 * Calls apply at every seek, after React committed and before 3D is drawn.
 * Everything that apply sets must follow from the seconds alone.
 */
export function useOnSeek(apply: (seconds: number) => void): void {
  useLayoutEffect(() => {
    apply(currentTime())
    return onApply(apply)
  })
}

/** The parameters of this render over the given defaults. */
export function useKodaProps<T extends object>(defaults: T): T {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- parameters are fixed for the life of the page
  return useMemo(() => kodaProps(defaults), [])
}

/** The parameters, for code outside components. */
export function kodaProps<T extends object>(defaults: T): T {
  return { ...defaults, ...(window.__kodaProps as Partial<T> | undefined) }
}
