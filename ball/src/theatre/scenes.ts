import { useSyncExternalStore } from 'react'
import manifest from '../../koda.json?keyed'
import { currentTime, kodaProps } from '../koda'
import { begun, subscribe } from '../koda/clock'
import params from './params.json?keyed'

/** Parameters of one scene alone. */
type Own = Readonly<Record<string, string | number>>

/** Where scenes start is told by koda.json; what they have of their own by params.json, by their number from 1. */
const starts: readonly number[] = (manifest.scenes ?? []).map((scene: { start: number }) => scene.start)
const owns: Readonly<Record<number, Own | undefined>> = params.scenes ?? {}

/**
 * What the scene has of its own that is shown at a time. A scene starts with the
 * first frame at its start or after it, where koda cuts videos, too; half a
 * microsecond is what its start can be off by rounding.
 */
function ownAt(seconds: number): Own | undefined {
  const number = starts.findLastIndex((start) => seconds * 1e6 >= Math.round(start * 1e6) - 0.5) + 1
  return owns[number]
}

/**
 * A hook that gives what is made of the parameters in the scene that is shown:
 * those of the whole, under those of the scene, under those of the render. It is
 * the same object all through the scene; what uses it renders again at the cut.
 *
 * Before the first seek it is that of the whole: what a page shows first is in
 * the key of every segment, and a change of the first scene shall not be.
 */
export function byScene<P extends object, T>(whole: P, make: (params: P) => T): () => T {
  const made = new Map<Own | undefined, T>()
  return () => {
    const own = useSyncExternalStore(subscribe, () => (begun() ? ownAt(currentTime()) : undefined))
    if (!made.has(own)) made.set(own, make(kodaProps({ ...whole, ...own })))
    return made.get(own)!
  }
}

/**
 * A part of the frame key that covers what a scene has of its own as well. Where
 * it has nothing the key is that of the part, so that other scenes are not drawn
 * again.
 */
export function withOwn(part: (seconds: number) => unknown): (seconds: number, first: boolean) => unknown {
  return (seconds, first) => {
    const own = first ? undefined : ownAt(seconds)
    return own ? [part(seconds), own] : part(seconds)
  }
}
