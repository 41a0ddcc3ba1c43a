import { kodaProps } from '../koda'
import * as written from '../theatre/params.json'
import { byScene } from '../theatre/scenes'
import { type Colour, distance, hues, oklch, parse, tone } from '../utils/colour'

/**
 * What is written in params.json, under the parameters of this render. Only what
 * the picture needs is on the page: the rest is in the keyframes already.
 */
const whole = {
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
  second: written.second,
  third: written.third,
  balls: written.balls,
  // Projects from before have none.
  backdrop: (written as { backdrop?: string }).backdrop ?? 'auto',
  text: (written as { text?: string }).text ?? '',
}
const params = kodaProps(whole)

export type Style = 'playful' | 'smooth' | 'cinematic'

export const style = params.style as Style
/** The style whose manner of moving is used. */
export const manner = (params.motion === 'auto' ? params.style : params.motion) as Style
/** How far a full blow flattens: the logarithm of the flattening. */
export const softness = params.squash
export const size = params.size
export const height = params.height
/** How many balls there are. */
export const balls = params.balls
/** The words below what bounces; none if it is empty. */
export const text = params.text
/** Whether there is a room; without, the picture is transparent. */
export const roomed = params.backdrop !== 'none'

/** Backgrounds that carry a saturated ball, the first that does being taken. */
const bright = ['#ffd25a', '#7fcbff', '#ffa9b0', '#86e2bd', '#bfaeff'].map(parse)

/** What the picture looks like: its colours, all derived from the two or three that were asked for, and the shape. */
export interface Look {
  shape: string
  ball: Colour
  /** The colours of all balls. */
  balls: Colour[]
  base: Colour
  dark: boolean
  accent: Colour
}

/** The look of the scene that is shown. */
export const useLook = byScene(whole, lookOf)

/** The colour of a ball for which nobody asks: as in recipe.json. */
const usual: Record<string, string> = { playful: '#f0444e', smooth: '#5b7fb5', cinematic: '#ff8a3d' }

function lookOf({ style, shape, color, background, shade, accent, second, third }: typeof whole): Look {
  const ball = parse(color)
  const plain = background === 'auto' ? behind(ball) : parse(background)
  const base = tone(plain, Math.min(Math.max(plain.l + shade, 0.06), 0.985))
  const dark = base.l < 0.5
  // "Three red balls" are all red, in tones that tell them apart.
  const kin = (i: number) => tone(ball, Math.min(Math.max(ball.l + (i % 2 ? -0.05 : 0.05) * (1 + (i >> 1)), 0.1), 0.97))
  const asked = color !== usual[style]
  const others = [second, third].map((said, i) => (said !== 'auto' ? parse(said) : asked ? kin(i) : oklch(ball.l, Math.max(ball.c, 0.12), ball.h + 130 * (i + 1))))
  const more = Array.from({ length: 4 }, (_, i) => (asked ? kin(i + 2) : oklch(0.62 + 0.06 * (i % 2), 0.15, ball.h + 65 + 80 * i)))
  // Colours that a person gives are for all balls, in turn.
  const given = [ball, ...others].filter((_, i) => i === 0 || [second, third][i - 1] !== 'auto')
  const all = given.length > 1 ? Array.from({ length: 7 }, (_, i) => given[i % given.length]!) : [ball, ...others, ...more]
  return { shape, ball, balls: all, base, dark, accent: accent === 'auto' && second !== 'auto' && balls === 1 ? parse(second) : accent === 'auto' ? tone(ball, dark ? 0.86 : Math.min(ball.l + 0.1, 0.9), 0.8) : parse(accent) }
}

/** A background for a ball: in every scene that of the whole, where it carries the ball of the scene. */
function behind(ball: Colour): Colour {
  const usual = params.background === 'auto' ? fitting(parse(params.color)) : null
  return usual && carries(usual, ball) ? usual : fitting(ball)
}

const carries = (background: Colour, ball: Colour): boolean =>
  style === 'playful' ? distance(background, ball) > 0.26 && (ball.c < 0.06 || hues(background, ball) > 45) : Math.abs(background.l - ball.l) > 0.1

function fitting(ball: Colour): Colour {
  switch (style) {
    case 'playful':
      return bright.find((c) => carries(c, ball)) ?? bright[1]!
    case 'smooth':
      if (ball.l > 0.84) return oklch(0.7, 0.045, ball.c > 0.05 ? ball.h + 160 : 255)
      return oklch(0.945, ball.c > 0.03 ? Math.min(ball.c * 0.16, 0.022) : 0.008, ball.c > 0.03 ? ball.h : 255)
    default:
      return oklch(0.2, 0.035, ball.c > 0.03 ? ball.h + 190 : 255)
  }
}
