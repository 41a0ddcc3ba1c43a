/**
 * Colours in OKLCH (Björn Ottosson, 2020): lightness as the eye sees it, so that
 * equal steps look equal in every hue.
 */
export interface Colour {
  /** Lightness, 0…1. */
  l: number
  /** Chroma, 0…about 0.37. */
  c: number
  /** Hue in degrees. */
  h: number
}

const channel = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const encoded = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)

/** Reads #rrggbb. */
export function parse(hex: string): Colour {
  const [r, g, b] = [1, 3, 5].map((i) => channel(parseInt(hex.slice(i, i + 2), 16) / 255)) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  }
}

function linear({ l, c, h }: Colour): [number, number, number] {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
}

const inside = (rgb: number[]) => rgb.every((v) => v > -0.0005 && v < 1.0005)

/** Red, green and blue, 0…255. What a screen cannot show loses chroma, not hue. */
export function channels(colour: Colour): [number, number, number] {
  const fitted = { ...colour, l: Math.min(Math.max(colour.l, 0), 1) }
  if (!inside(linear(fitted))) {
    let low = 0
    let high = fitted.c
    for (let i = 0; i < 20; i++) {
      const mid = (low + high) / 2
      if (inside(linear({ ...fitted, c: mid }))) low = mid
      else high = mid
    }
    fitted.c = low
  }
  return linear(fitted).map((v) => 255 * encoded(Math.min(Math.max(v, 0), 1))) as [number, number, number]
}

/** As CSS. */
export function css(colour: Colour, alpha = 1): string {
  const [r, g, b] = channels(colour).map(Math.round)
  return alpha >= 1 ? `rgb(${r} ${g} ${b})` : `rgb(${r} ${g} ${b} / ${+alpha.toFixed(4)})`
}

/** Another lightness and, in shares of its own, another chroma; the hue turns by degrees. */
export const tone = (colour: Colour, l: number, chroma = 1, turn = 0): Colour => ({ l, c: colour.c * chroma, h: (colour.h + turn + 360) % 360 })

export const oklch = (l: number, c: number, h: number): Colour => ({ l, c, h: ((h % 360) + 360) % 360 })

/** How far two colours lie apart: 0.02 is just visible, 1 is black from white. */
export function distance(a: Colour, b: Colour): number {
  const rad = Math.PI / 180
  return Math.hypot(a.l - b.l, a.c * Math.cos(a.h * rad) - b.c * Math.cos(b.h * rad), a.c * Math.sin(a.h * rad) - b.c * Math.sin(b.h * rad))
}

/** Degrees between two hues, 0…180. */
export const hues = (a: Colour, b: Colour): number => 180 - Math.abs((Math.abs(a.h - b.h) % 360) - 180)

function luminance(c: Colour): number {
  const [r, g, b] = channels(c).map((v) => channel(v / 255)) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const ratio = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

/** The contrast of two colours as WCAG 2 has it: 1 for equal ones, 21 for black on white. */
export const contrast = (a: Colour, b: Colour): number => ratio(luminance(a), luminance(b))

/** As #rrggbb. */
export const hex = (colour: Colour): string => '#' + channels(colour).map((v) => Math.round(v).toString(16).padStart(2, '0')).join('')

/** The colour itself, or as little lighter or darker as gives it a contrast of at least `least` on the ground. */
export function readable(colour: Colour, ground: Colour, least = 4.5): Colour {
  const under = luminance(ground)
  const fits = (l: number) => ratio(luminance({ ...colour, l }), under) >= least + 0.02
  if (ratio(luminance(colour), under) >= least) return colour
  // From the colour to white and to black contrast grows once it is past the ground's own.
  const toward = (end: number): number | null => {
    if (!fits(end)) return null
    let [near, far] = [colour.l, end]
    for (let i = 0; i < 9; i++) {
      const mid = (near + far) / 2
      if (fits(mid)) far = mid
      else near = mid
    }
    return far
  }
  const [up, down] = [toward(1), toward(0)]
  if (up === null && down === null) return oklch(ratio(1, under) > ratio(0, under) ? 1 : 0, 0, 0)
  if (up === null || (down !== null && colour.l - down < up - colour.l)) return { ...colour, l: down! }
  return { ...colour, l: up }
}

const hueNames: [number, string][] = [[12, 'pink'], [42, 'red'], [72, 'orange'], [112, 'yellow'], [165, 'green'], [215, 'teal'], [275, 'blue'], [312, 'violet'], [345, 'magenta'], [361, 'pink']]

/** What a person would call it, with its code: dark blue #0d1420. */
export function called(colour: Colour): string {
  const { l, c, h } = colour
  const gray = c < 0.022 || (c < 0.04 && (l > 0.95 || l < 0.2))
  const hue = hueNames.find(([end]) => h < end)![1]
  const name = gray ? (l > 0.93 ? 'white' : l < 0.24 ? 'black' : 'grey') : (hue === 'orange' || hue === 'yellow') && l < 0.5 ? 'brown' : hue
  const shade = gray && name !== 'grey' ? '' : l < 0.36 ? 'dark ' : l > 0.88 && name !== 'yellow' ? 'pale ' : ''
  return `${shade}${name} ${hex(colour)}`
}

/** A colour on the way from one to another, in the first one's hue if it has any. */
export const mixed = (a: Colour, b: Colour, t: number): Colour => ({ l: a.l + (b.l - a.l) * t, c: a.c + (b.c - a.c) * t, h: a.c > 0.02 ? a.h : b.h })
