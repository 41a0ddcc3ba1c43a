import { backOut, clamp, easeInBack, easeInCubic, easeInOutCubic, easeInOutQuart, easeOutCubic, easeOutQuart, easeOutQuint } from '../utils/easing'
import type { Look } from './look'

/**
 * How one thing moves in a style, from its share of a part's coming: the keyframes
 * run straight, the curve is here. Playful goes beyond and comes back.
 */
const comings = { playful: backOut(1.9), smooth: easeOutQuint, cinematic: easeOutQuart }
const plain = { playful: easeOutCubic, smooth: easeOutQuint, cinematic: easeInOutQuart }
const goings = { playful: easeInBack, smooth: easeInCubic, cinematic: easeInOutCubic }

export const coming = (look: Look, p: number): number => comings[look.style](clamp(p))
/** The same without overshoot: for what must not be longer than it is. */
export const filling = (look: Look, p: number): number => plain[look.style](clamp(p))
export const going = (look: Look, p: number): number => goings[look.style](clamp(p))

/** The progress of thing i of n while all of them come one after another; own is the share that one takes. */
export function staged(whole: number, i: number, n: number, own = 0.55): number {
  return clamp((whole - (n > 1 ? i / (n - 1) : 0) * (1 - own)) / own)
}

export { clamp, easeOutCubic }

/** A slow swing for what is held: -1 to 1, with its own phase. */
export const swing = (time: number, period: number, phase = 0): number => Math.sin((time / period + phase) * 2 * Math.PI)
