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

/** The contrast of two colours as WCAG 2 has it: 1 for equal ones, 21 for black on white. */
export function contrast(a: Colour, b: Colour): number {
  const luminance = (c: Colour) => {
    const [r, g, bl] = linear(c).map((v) => Math.min(Math.max(v, 0), 1)) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl
  }
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
