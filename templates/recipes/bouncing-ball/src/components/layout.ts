import { useSyncExternalStore } from 'react'
import { balls, height, size, style } from './look'

/**
 * Where things are, in units of a thousandth of the shorter side, for any shape
 * of the viewport.
 */
export interface Layout {
  width: number
  height: number
  /** Where the ball touches the floor. */
  x: number
  floor: number
  radius: number
  /** A full bounce. */
  travel: number
  /** Height of a letterbox bar. */
  bar: number
  /** How far it is from its place to just beside the frame, with its shadow. */
  side: number
}

function measure(): Layout {
  const short = Math.min(window.innerWidth, window.innerHeight)
  const width = (1000 * window.innerWidth) / short
  const high = (1000 * window.innerHeight) / short
  const portrait = high > 1.2 * width
  const bar = style === 'cinematic' ? (portrait ? 0.055 : 0.085) * high : 0
  const floor = (portrait ? 0.73 : 0.795) * high - bar * 0.55
  const radius = (portrait ? 128 : 104) * size
  const room = Math.min(floor - bar - 60 - 2 * radius, portrait ? 900 : 640)
  return { width, height: high, x: width / 2, floor, radius, travel: height * Math.max(room, radius), bar, side: width / 2 + 2.2 * radius }
}

/** The layout of one of several balls: they stand beside each other, and share the room. */
export function layoutOf(layout: Layout, nth: number): Layout {
  if (balls === 1) return layout
  const step = Math.min(layout.width / (balls + 0.4), 4 * layout.radius)
  const outer = ((balls - 1) / 2) * step
  return { ...layout, side: layout.side + outer, x: layout.width / 2 + (nth - (balls - 1) / 2) * step, radius: Math.min(layout.radius, step * 0.36) }
}

let current = measure()
const listeners = new Set<() => void>()
window.addEventListener('resize', () => {
  current = measure()
  for (const tell of listeners) tell()
})

export function useLayout(): Layout {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
    () => current,
  )
}
