import { kodaProps } from '../koda'
import * as written from '../theatre/params.json'
import { type Colour, distance, hues, oklch, parse, tone } from '../utils/colour'

/**
 * What is written in params.json, under the parameters of this render. Only what
 * the picture needs is on the page: the rest is in the keyframes already.
 */
const params = kodaProps({
  style: written.style,
  motion: written.motion,
  shape: written.shape,
  squash: written.squash,
  size: written.size,
  height: written.height,
  color: written.color,
  background: written.background,
  shade: written.shade,
  accent: written.accent,
})

export type Style = 'playful' | 'smooth' | 'cinematic'

export const style = params.style as Style
/** The style whose manner of moving is used. */
export const manner = (params.motion === 'auto' ? params.style : params.motion) as Style
export const shape = params.shape
/** How far a full blow flattens: the logarithm of the flattening. */
export const softness = params.squash
export const size = params.size
export const height = params.height

/** Backgrounds that carry a saturated ball, the first that does being taken. */
const bright = ['#ffd25a', '#7fcbff', '#ffa9b0', '#86e2bd', '#bfaeff'].map(parse)

/** The colours of the picture, all derived from the two or three that were asked for. */
export const look = (() => {
  const ball = parse(params.color)
  const asked = params.background === 'auto' ? null : parse(params.background)
  const plain = asked ?? background(ball)
  const base = tone(plain, Math.min(Math.max(plain.l + params.shade, 0.06), 0.985))
  const accent = params.accent === 'auto' ? null : parse(params.accent)
  const dark = base.l < 0.5
  return { ball, base, dark, accent: accent ?? tone(ball, dark ? 0.86 : Math.min(ball.l + 0.1, 0.9), 0.8) }
})()

function background(ball: Colour): Colour {
  switch (style) {
    case 'playful':
      return bright.find((c) => distance(c, ball) > 0.26 && (ball.c < 0.06 || hues(c, ball) > 45)) ?? bright[1]!
    case 'smooth':
      if (ball.l > 0.84) return oklch(0.7, 0.045, ball.c > 0.05 ? ball.h + 160 : 255)
      return oklch(0.945, ball.c > 0.03 ? Math.min(ball.c * 0.16, 0.022) : 0.008, ball.c > 0.03 ? ball.h : 255)
    default:
      return oklch(0.2, 0.035, ball.c > 0.03 ? ball.h + 190 : 255)
  }
}
