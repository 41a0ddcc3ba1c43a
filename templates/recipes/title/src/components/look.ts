import { kodaProps } from '../koda'
import * as written from '../theatre/params.json'
import { byScene } from '../theatre/scenes'
import { type Colour, contrast, css, distance, oklch, parse, tone } from '../utils/colour'

/**
 * What is written in params.json, under the parameters of this render. Only what
 * the picture needs is on the page: the rest is in the keyframes already.
 */
const whole = {
  style: written.style,
  motion: written.motion,
  text: written.text,
  subtitle: written.subtitle,
  size: written.size,
  color: written.color,
  background: written.background,
  shade: written.shade,
  accent: written.accent,
}
const params = kodaProps(whole)

export type Style = 'playful' | 'smooth' | 'cinematic'

export const style = params.style as Style
/** The style whose manner of moving is used. */
export const manner = (params.motion === 'auto' ? params.style : params.motion) as Style
export const text = params.text
export const subtitleText = params.subtitle
export const size = params.size

/** For the letters that a family has not got. koda puts the fonts of further scripts on the page by these names. */
const rest = "'Inter Variable', 'Koda Scripts', 'Koda Emoji'"

/** The face of a style. Tracking is in em; weights are those the fonts have. */
export const face = {
  playful: { family: `'Space Grotesk Variable', ${rest}`, weight: 700, line: 1.06, tracking: -0.025, sub: 600 },
  smooth: { family: rest, weight: 650, line: 1.12, tracking: -0.032, sub: 450 },
  cinematic: { family: rest, weight: 330, line: 1.24, tracking: 0.1, sub: 400 },
}[style]

const defaults = {
  playful: { base: '#5a3df0', accent: '#ffd25a', light: '#fffaf0', dark: '#1d1147' },
  smooth: { base: '#f3f1ec', accent: '#3a66f5', light: '#fbfaf7', dark: '#1b1e27' },
  cinematic: { base: '#0d1420', accent: '#d9aa55', light: '#f6f0e4', dark: '#15130f' },
}[style]

/** The colours of the picture, all derived from the two or three that were asked for. */
export interface Look {
  base: Colour
  ink: Colour
  accent: Colour
  /** CSS; null where the words need none. */
  edge: string | null
  dark: boolean
}

/** The look of the scene that is shown. */
export const useLook = byScene(whole, lookOf)

function lookOf(mine: typeof whole): Look {
  const asked = mine.color === 'auto' ? null : parse(mine.color)
  const plain = mine.background === 'auto' ? behind(asked) : parse(mine.background)
  const base = tone(plain, Math.min(Math.max(plain.l + mine.shade, 0.06), 0.985))
  const light = parse(defaults.light)
  const dark = parse(defaults.dark)
  const ink = asked ?? (contrast(light, base) >= 4.5 || contrast(light, base) >= contrast(dark, base) ? light : dark)
  const accent = mine.accent === 'auto' ? second(base, ink) : parse(mine.accent)
  // Words that were asked for in a colour too near the background get an edge.
  const edge = contrast(ink, base) < 2.6 ? css(contrast(light, ink) > contrast(dark, ink) ? light : dark) : null
  return { base, ink, accent, edge, dark: base.l < 0.55 }
}

/** A background for words: in every scene that of the whole, where those of the scene can be read on it. */
function behind(ink: Colour | null): Colour {
  const usual = params.background === 'auto' ? fitting(params.color === 'auto' ? null : parse(params.color)) : null
  return usual && (!ink || contrast(ink, usual) >= enough) ? usual : fitting(ink)
}

const enough = style === 'cinematic' ? 2.8 : 3.6

/** A background the asked colour can be read on; the style's own if it can. */
function fitting(ink: Colour | null): Colour {
  const own = parse(defaults.base)
  const across = ink && ink.c > 0.04 ? ink.h + 160 : own.h
  const others = {
    playful: [oklch(0.26, 0.11, across), oklch(0.94, 0.07, across)],
    smooth: [oklch(0.25, 0.028, 265)],
    cinematic: [oklch(0.1, 0.02, own.h), oklch(0.86, 0.02, own.h)],
  }[style]
  const best = (a: Colour, b: Colour) => (contrast(ink!, a) >= enough || contrast(ink!, a) >= contrast(ink!, b) ? a : b)
  return ink ? [own, ...others].reduce(best) : own
}

/** The style's accent, or the words' own colour seen from the other side of the wheel. */
function second(base: Colour, ink: Colour): Colour {
  const own = parse(defaults.accent)
  if (distance(own, base) > 0.22 && distance(own, ink) > 0.1) return own
  return tone(ink.c > 0.05 ? ink : own, base.l < 0.55 ? 0.8 : 0.55, 1, 150)
}
