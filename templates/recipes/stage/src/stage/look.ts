import { type Brand, brand } from './brand'
import { type Colour, contrast, css, distance, hex, hues, mixed, oklch, parse, readable, tone } from './colour'
import type { Params, Story, Tone } from './story'
import { usual } from './usual'

/**
 * The colours and letters of a scene, ready to be used. Every text colour has a contrast of 4.5 or more
 * on its ground; large texts have 3 where a person asks for their colour and for the ground.
 */
export interface Look {
  style: 'playful' | 'smooth' | 'cinematic'
  dark: boolean
  /** The ground of the scene. */
  base: string
  /** Texts, and quieter texts. */
  ink: string
  soft: string
  /** Surfaces and lines in the accent, texts in the accent, and texts on it. */
  accent: string
  accentInk: string
  onAccent: string
  /** A second colour for what decorates, and texts on it. */
  second: string
  onSecond: string
  /** A surface that stands out a little from the ground, texts on it, and faint lines. */
  card: string
  onCard: string
  line: string
  /** Fill colours that differ from each other and from the ground: for bars, slices, confetti. */
  series: string[]
  /** Texts on each of them. */
  onSeries: string[]
  face: Face
  /** The person's factor for the size of texts. */
  size: number
  /** Letters lean. */
  italic: boolean
  /** Rounding of corners in units. */
  radius: number
  colour: { base: Colour; ink: Colour; accent: Colour; second: Colour }
  /** Two colours near the ground's, of large figures behind texts. */
  tints: [Colour, Colour]
  /** The colour that a gradient goes to, where a person says it. */
  to?: Colour
  /** Which of the looks of a style it is. */
  variant: number
  hex: { base: string; ink: string; accent: string }
  /** A person asks for the colour of the texts, and for that of the ground. */
  inked: boolean
  grounded: boolean
  /** A person asks for the colour of what stands out. */
  accented: boolean
  /** The ground that a person asks for, where another is drawn so that the letters can be read. */
  moved?: string
  /** The colour of texts that a person asks for, where it cannot be read on the ground and another is drawn. */
  unread?: string
}

/** Families as CSS. Weights are those the fonts have; tracking is in em, line in heights of the font. */
export interface Face {
  display: string
  text: string
  mono: string
  weight: number
  textWeight: number
  tracking: number
  line: number
}

interface Palette {
  base: string
  ink?: string
  accent: string
  second: string
  series: string[]
}

/** The palettes of a style; a project has one of them by its variant. */
const own: Record<string, Palette[]> = {
  playful: [
    { base: '#5a3df0', ink: '#fffaf0', accent: '#ffd25a', second: '#ff6f91', series: ['#ffd25a', '#ff7a9c', '#5ce0c6', '#ff9d4d', '#9cc9ff', '#d7f171'] },
    { base: '#ffcf3f', ink: '#2a1650', accent: '#e8305f', second: '#2f6bff', series: ['#e8305f', '#2f6bff', '#0b8f74', '#8a3ff0', '#d9560b', '#2a1650'] },
    { base: '#0b7f78', ink: '#fffaf0', accent: '#ffc94d', second: '#ff8d7a', series: ['#ffc94d', '#ff9a88', '#bdf0a0', '#f7b7e0', '#9fe3ff', '#ffe9b0'] },
    { base: '#ff8a6b', ink: '#32102f', accent: '#3a1d8f', second: '#fff1c9', series: ['#3a1d8f', '#fff1c9', '#0a6f74', '#b0124e', '#fbd34d', '#32102f'] },
    { base: '#1f4fd8', ink: '#fffaf0', accent: '#ffdf57', second: '#7df0c8', series: ['#ffdf57', '#ff8fa8', '#7df0c8', '#ffab5c', '#d3b8ff', '#c9f27a'] },
    { base: '#ffc2dc', ink: '#3b0f46', accent: '#d0186f', second: '#0b8c8c', series: ['#d0186f', '#5b3be0', '#0b8c8c', '#d9560b', '#3b0f46', '#a37500'] },
  ],
  smooth: [
    { base: '#f3f1ec', ink: '#1b1e27', accent: '#3a66f5', second: '#f0855a', series: ['#3a66f5', '#f0855a', '#1fa58b', '#8a63e8', '#d9a514', '#d9487d'] },
    { base: '#eef2ef', ink: '#16241d', accent: '#127a55', second: '#e0894a', series: ['#127a55', '#e0894a', '#3b78c4', '#b0567f', '#b99a17', '#6a6fd1'] },
    { base: '#eef1f6', ink: '#151c2c', accent: '#6a3fe0', second: '#ee7d6a', series: ['#6a3fe0', '#ee7d6a', '#1b93b8', '#d39a1c', '#3f9a62', '#c94d92'] },
    { base: '#f6efea', ink: '#2a1a17', accent: '#cf4527', second: '#3f7f8f', series: ['#cf4527', '#3f7f8f', '#d99a22', '#7d5fb8', '#5d8f4a', '#c65a80'] },
    { base: '#edf1f4', ink: '#10212b', accent: '#0c7f96', second: '#e58a5c', series: ['#0c7f96', '#e58a5c', '#5b64d6', '#c0527c', '#8a9a24', '#d3a21a'] },
    { base: '#f5eff3', ink: '#261524', accent: '#b52d78', second: '#4f78c9', series: ['#b52d78', '#4f78c9', '#d98b26', '#2f9380', '#7f58c4', '#c6564a'] },
  ],
  cinematic: [
    { base: '#0d1420', ink: '#f6f0e4', accent: '#e0ae55', second: '#5f87c9', series: ['#e0ae55', '#6f9ce0', '#d9705f', '#63b8a4', '#a98be0', '#c9c4b5'] },
    { base: '#0c1a1a', ink: '#eef6f1', accent: '#5fd0b4', second: '#d9a066', series: ['#5fd0b4', '#d9a066', '#7aa7e8', '#d97a7a', '#b7cf6b', '#c3b6e0'] },
    { base: '#190f16', ink: '#f8ece9', accent: '#f0806a', second: '#8c9be0', series: ['#f0806a', '#8c9be0', '#e3b85f', '#6fbfae', '#d58ac4', '#c9bfb5'] },
    { base: '#101022', ink: '#efeefa', accent: '#9aa2ff', second: '#f0a8c0', series: ['#9aa2ff', '#f0a8c0', '#66c6d9', '#e5bd6a', '#8fd08a', '#d58f6f'] },
    { base: '#15120c', ink: '#f7f1e2', accent: '#ff9d4a', second: '#6fa6b8', series: ['#ff9d4a', '#6fa6b8', '#e6cf7a', '#d9705f', '#93b86a', '#b69ad6'] },
    { base: '#0a1626', ink: '#ecf4fb', accent: '#5cb8ff', second: '#f0b36a', series: ['#5cb8ff', '#f0b36a', '#7fd6b0', '#e0808e', '#b39af0', '#cfd6a0'] },
  ],
}

/** A person has fixed colours for all their videos. */
const styled = Object.values(brand.colors).some((colour) => colour !== undefined)

/** The parameters with the palette of the story, or that of the night behind stars, where nobody asks for another, and with the colour for what it is for. */
export function dressed(whole: Params, { palette, drawn, inside }: Pick<Story, 'palette' | 'drawn' | 'inside'>): Params {
  const params = (drawn || inside) && given(whole.color) ? { ...whole, color: 'auto', ...(drawn && { fill: whole.color }) } : whole
  const own = palette ?? (params.backdrop === 'stars' && params.background === 'auto' ? 'night' : undefined)
  return own && params.palette === 'auto' && !given(params.tint) && !styled ? { ...params, palette: own } : params
}

/** Palettes by name, for every style. */
const palettes: Record<string, Palette> = {
  ocean: { base: '#06304a', accent: '#3fd0d4', second: '#ff8f70', series: ['#3fd0d4', '#ff8f70', '#7fb4ff', '#f7d774', '#9be8a8', '#e59bd0'] },
  forest: { base: '#12352b', accent: '#b9e169', second: '#f2a65a', series: ['#b9e169', '#f2a65a', '#6fd3b2', '#f5e4a8', '#e0796b', '#8fc1e3'] },
  sunset: { base: '#3d1141', accent: '#ff8a4c', second: '#ff4f81', series: ['#ff8a4c', '#ff4f81', '#ffd166', '#b388ff', '#5cc8e0', '#ffb3c1'] },
  warm: { base: '#ffdfae', ink: '#4a1d0f', accent: '#d9481c', second: '#f0932b', series: ['#d9481c', '#f0932b', '#b3261e', '#c98a12', '#8c4a1f', '#e4604e'] },
  candy: { base: '#ffd9e6', accent: '#e0218a', second: '#5b5bea', series: ['#e0218a', '#5b5bea', '#0b9e94', '#e8672c', '#8a2be2', '#b78900'] },
  vivid: { base: '#4a1fd6', accent: '#ffd21f', second: '#ff5fa2', series: ['#ffd21f', '#ff5fa2', '#2fe0c3', '#ff9a3d', '#7fc4ff', '#b8f04a'] },
  mono: { base: '#f4f4f2', accent: '#111111', second: '#8c8c88', series: ['#111111', '#6b6b68', '#a6a6a1', '#3d3d3b', '#8c8c88', '#c6c6c0'] },
  neon: { base: '#0b0716', accent: '#39ffb6', second: '#ff3df2', series: ['#39ffb6', '#ff3df2', '#3dc9ff', '#fff23d', '#ff7a3d', '#a97bff'] },
  pastel: { base: '#f6eee3', accent: '#c2577a', second: '#5f8fb0', series: ['#d98aa3', '#7fabc9', '#9bbf8a', '#e5b567', '#a892cf', '#e09a7a'] },
  earth: { base: '#efe3d0', accent: '#a8482b', second: '#5e7350', series: ['#a8482b', '#5e7350', '#c98a2b', '#3f6670', '#8a5a70', '#7a6a55'] },
  night: { base: '#0f1630', accent: '#8fa8ff', second: '#ff9ec4', series: ['#8fa8ff', '#ff9ec4', '#7fe0d0', '#ffd98a', '#b99bff', '#ff9a7a'] },
  christmas: { base: '#0c3b2a', accent: '#f0524f', second: '#f4c95d', series: ['#f0524f', '#f4c95d', '#f7f3e8', '#5fbf8a', '#ff9a8a', '#c9e4d3'] },
  festival: { base: '#2a1150', ink: '#ffe2a3', accent: '#ffc247', second: '#ff6f91', series: ['#ffc247', '#ff6f91', '#ff8f4a', '#5fd0c5', '#ffe9b0', '#b58cff'] },
  spring: { base: '#e6f4da', ink: '#1d3f2c', accent: '#dd4f8b', second: '#4f8fd0', series: ['#dd4f8b', '#4f8fd0', '#e3a417', '#5fa64e', '#a66fd6', '#f08a5d'] },
  halloween: { base: '#1d1026', ink: '#ff9c38', accent: '#ff8a1f', second: '#8fd14f', series: ['#ff8a1f', '#8fd14f', '#b58cff', '#f4e7c5', '#ff6b5e', '#ffc247'] },
  love: { base: '#4d0f33', accent: '#ff6d9c', second: '#ffc2d4', series: ['#ff6d9c', '#ffc2d4', '#ff9f6b', '#e04e7f', '#f7d6ff', '#ffd98a'] },
  still: { base: '#e9eaec', accent: '#6d7684', second: '#9aa3af', series: ['#6d7684', '#9aa3af', '#b8bec7', '#545c69', '#c9ced6', '#828b99'] },
  chalk: { base: '#24392f', ink: '#f4f2e8', accent: '#f6d873', second: '#f2a9a4', series: ['#f6d873', '#f2a9a4', '#9fd8e8', '#c5e3a0', '#f4f2e8', '#d9b8ee'] },
  whiteboard: { base: '#fafaf7', ink: '#1d2735', accent: '#1d63d8', second: '#d4362d', series: ['#1d63d8', '#d4362d', '#1f8f4d', '#e58a1f', '#6b4fc4', '#3d4654'] },
  retro: { base: '#f4e3c1', ink: '#3b2417', accent: '#cf4a17', second: '#1f7a72', series: ['#cf4a17', '#1f7a72', '#dd9f1e', '#7a3b1e', '#8c9a3a', '#b5653a'] },
  sepia: { base: '#221b14', ink: '#f1e6cf', accent: '#d8b26a', second: '#a98a63', series: ['#d8b26a', '#a98a63', '#f1e6cf', '#8c6b4a', '#c9a27e', '#efd9a8'] },
  paper: { base: '#f3ead6', ink: '#2b2a33', accent: '#a8432f', second: '#3f6478', series: ['#a8432f', '#3f6478', '#b9852c', '#5e7350', '#7d4f6d', '#6d6455'] },
  sky: { base: '#2470cf', ink: '#ffffff', accent: '#ffd24d', second: '#8fd0ff', series: ['#ffd24d', '#8fd0ff', '#ff9f6b', '#7df0c8', '#d3b8ff', '#ffffff'] },
  air: { base: '#e6f0f9', ink: '#12263c', accent: '#1f6fc4', second: '#f0a23c', series: ['#1f6fc4', '#f0a23c', '#1fa58b', '#8a63e8', '#d9487d', '#5d7f9c'] },
  dusk: { base: '#0c1728', ink: '#eef3fa', accent: '#f2bf5e', second: '#6f9ce0', series: ['#f2bf5e', '#6f9ce0', '#7fd6d0', '#e0808e', '#b39af0', '#c9d3e0'] },
  fire: { base: '#190a08', accent: '#ff5a2c', second: '#ffc247', series: ['#ff5a2c', '#ffc247', '#ff8a8a', '#e0e0d8', '#c2410c', '#ffa36b'] },
}

const families = {
  sans: "'Inter Variable'",
  grotesk: "'Space Grotesk Variable'",
  serif: "'Source Serif 4 Variable'",
  mono: "'JetBrains Mono Variable'",
}

/** After every family, for the letters it has not got. koda puts the fonts of further scripts on the page by these names. */
const rest = "'Inter Variable', 'Koda Scripts', 'Koda Emoji', sans-serif"

function faceOf(params: Params, { fonts }: Brand): Face {
  const base = {
    playful: { display: families.grotesk, text: families.grotesk, weight: 700, textWeight: 500, tracking: -0.03, line: 1.02 },
    smooth: { display: families.sans, text: families.sans, weight: 680, textWeight: 450, tracking: -0.038, line: 1.06 },
    cinematic: { display: families.sans, text: families.sans, weight: 300, textWeight: 400, tracking: 0.004, line: 1.14 },
  }[params.style]
  const asked = families[params.font as keyof typeof families]
  const named = (family?: string) => family && `'${family.replace(/['"\\]/g, '')}'`
  const display = asked ?? named(fonts.display) ?? base.display
  const text = asked ?? named(fonts.text) ?? base.text
  const face = {
    ...base,
    ...(asked && { tracking: params.font === 'mono' ? -0.04 : params.font === 'serif' ? -0.015 : base.tracking, weight: params.font === 'mono' || params.font === 'serif' ? 600 : base.weight }),
    display: `${display}, ${rest}`,
    text: `${text}, ${rest}`,
    mono: `${named(fonts.mono) ?? families.mono}, ${rest}`,
  }
  return params.bold ? bolder(face) : face
}

/** Letters of strong weight. */
export const bolder = (face: Face): Face => ({ ...face, weight: Math.max(face.weight, 760), textWeight: 700 })

const given = (value: unknown): string | undefined => (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined)

/** A colour that has to be seen on the ground, and with which contrast. */
type Need = [colour: Colour, least: number]

/** A ground on which asked colours can be seen: the palette's own, or the nearest of its tones. */
function ground(own: Colour, needs: Need[]): Colour {
  const fits = (c: Colour) => needs.every(([colour, least]) => contrast(colour, c) >= least)
  const yellow = gold(own)
  const tones = Array.from({ length: 32 }, (_, i) => (1 + (i >> 1)) * (i % 2 ? 0.05 : -0.05)).map((by) => own.l + by)
  const near = tones
    .filter((l) => l >= 0.08 && l <= 0.97 && !(yellow && l < 0.75)) // dark yellow is mud: its place takes a deep blue
    .map((l) => tone(own, l, l > 0.92 ? 0.5 : l < 0.2 ? 0.7 : 1))
  const asked = needs[0] && needs[0][1] >= 4.5 && needs[0][0].c > 0.05 ? needs[0][0] : undefined
  const kin = asked ? [oklch(0.965, Math.min(asked.c * 0.22, 0.035), asked.h), oklch(0.21, Math.min(asked.c * 0.4, 0.055), asked.h)] : []
  const others = [own, ...(asked && hues(asked, own) > 40 ? kin : []), ...near, ...(yellow ? [oklch(0.3, 0.11, 280), oklch(0.17, 0.06, 280), oklch(0.5, 0.11, 280)] : []), oklch(0.98, 0, 0), oklch(0.2, 0, 0), white, oklch(0, 0, 0)]
  return others.find(fits) ?? (needs[0] ? (contrast(needs[0][0], white) >= 4.5 ? white : oklch(0, 0, 0)) : own)
}

const white = oklch(1, 0, 0)

/** The ground that is asked for, a little darker or lighter where letters that are asked for as well cannot be read else: white on orange. */
function moved(base: Colour, ink: Colour | undefined, least: number): Colour {
  const other = ink ? readable(base, ink, least) : base
  return Math.abs(other.l - base.l) < 0.15 ? other : base
}

/** The colour that is asked for letters, as light as a dark palette that is asked for as well needs it: purple in neon. */
function lit(ink?: string, palette?: Palette): string | undefined {
  const base = palette && parse(palette.base)
  if (!ink || !base || base.l > 0.4) return ink
  const other = readable(parse(ink), base)
  return Math.abs(other.l - parse(ink).l) < 0.2 ? hex(other) : ink
}

/** Colours that a person asks for things that are drawn: bars, slices, hands. */
const fillsOf = (params: Params): string[] => [params.fill, params.fill2, params.fill3, params.fill4, params.hands, params.ring, params.bar, ...(Array.isArray(params.rows) ? params.rows.map((row: { color?: unknown }) => row.color) : [])].map(given).filter((c): c is string => c !== undefined)

interface Tinted {
  base?: string
  ink?: string
  accent?: string
}

/** The first of two colours for letters on the second, a little lighter or darker where they need it; undefined if that does not do. */
function onto(letters: string, ground: string): string | undefined {
  const other = readable(parse(letters), parse(ground))
  return Math.abs(other.l - parse(letters).l) < 0.15 ? hex(other) : undefined
}

const gold = (c: Colour): boolean => c.c > 0.05 && c.h > 45 && c.h < 125

/** What one colour for the whole look comes to; beside a ground it is that of the letters, and of two colours one is the ground. */
function tinted(params: Params): Tinted {
  const tint = given(params.tint)
  if (!tint) return {}
  const accent = given(params.accent)
  if (given(params.background)) return { ink: tint, accent: accent ?? tint }
  const c = parse(tint)
  if (accent) {
    const [dark, light] = c.l <= parse(accent).l ? [tint, accent] : [accent, tint]
    if (params.style === 'smooth' && parse(light).l > 0.93) return { base: light, ink: onto(dark, light), accent: dark }
    const ink = onto(light, dark)
    if (ink) return { base: dark, ink, accent: light }
    const deeper = onto(dark, light)
    if (deeper) return { base: deeper, ink: light, accent: light }
    // Neither can be read on the other: both stand on a pale ground of the one that is no yellow.
    const [own, beside] = gold(parse(dark)) && !gold(parse(light)) ? [light, dark] : [dark, light]
    const { c: chroma, h } = parse(own)
    return chroma < 0.03 ? { base: dark, accent: light } : { base: hex(oklch(0.945, Math.min(chroma * 0.3, 0.05), h)), ink: hex(readable(parse(own), oklch(0.945, 0.02, h), 5)), accent: beside }
  }
  if (palettes[params.palette]) return { accent: tint }
  switch (params.style) {
    case 'playful':
      return { base: tint }
    case 'smooth':
      return c.l > 0.93 ? { base: tint } : { base: hex(oklch(0.945, Math.min(c.c * 0.28, 0.045), c.h)), ink: hex({ ...c, l: Math.min(c.l, 0.42) }), accent: tint }
    case 'cinematic':
      return c.l < 0.22 ? { base: tint } : { base: hex(oklch(0.17, Math.min(c.c * 0.4, 0.06), c.h)), accent: c.l < 0.6 ? hex(tone(c, 0.7)) : tint }
  }
}

/** Neighbours of a colour, so that all that flies through the air belongs together. */
const family = (c: Colour): string[] => [c, tone(c, Math.min(c.l + 0.2, 0.9), 0.6), tone(c, c.l, 1, 34), tone(c, Math.min(c.l + 0.1, 0.85), 0.9, -34), tone(c, 0.92, 0.35), tone(c, Math.max(c.l - 0.15, 0.4), 1, 14)].map(hex)

/** Lighter and darker tones of a colour. */
const shades = (c: Colour): Colour[] => [tone(c, Math.min(c.l + 0.13, 0.93), 0.75), tone(c, Math.max(c.l - 0.14, 0.35))]

/** The palette of a variant, or the next one on whose ground the thing that is drawn can be seen in its colour. */
function showing({ sign, signcolor }: Params, usuals: Palette[], variant: number): Palette {
  const colour = given(signcolor) ?? usual[String(sign ?? '').split(',')[0]!.trim()]
  const turns = usuals.map((_, i) => usuals[(variant + i) % usuals.length]!)
  return (colour && turns.find(({ base }) => contrast(parse(colour), parse(base)) >= 2.1 && distance(parse(colour), parse(base)) > 0.2)) || turns[0]!
}

/** A colour of middle lightness, so much darker that white can be read on it: people expect white there. Not on dark grounds, on which it has to shine. */
const deepened = (c: Colour, dark: boolean, light: Colour): Colour => (!dark && contrast(light, c) >= 3 && contrast(light, c) < 4.5 ? readable(c, light, 4.6) : c)

/** The look of a scene: from the parameters, under what the scene has of its own by its id or its number from 1, in the tone of the scene. */
export function lookOf(whole: Params, scene: { id?: string; tone?: Tone } = {}, number = 0): Look {
  const params = { ...whole, ...whole.scenes?.[number], ...(scene.id ? whole.scenes?.[scene.id] : undefined) } as Params
  const { colors } = brand
  const variant = Math.max(Math.round(Number(params.variant) || 0), 0)
  const palette = palettes[params.palette] ?? { ...showing(params, own[params.style]!, variant), ...(colors.background && { base: colors.background, ink: colors.text }) }
  const tint = tinted(params)
  const askedBase = given(params.background)
  const askedInk = lit(given(params.color) ?? (askedBase ? tint.ink : undefined), askedBase ? undefined : palettes[params.palette])
  const drawn = fillsOf(params).map(parse)
  const needs: Need[] = [...(askedInk ? [[parse(askedInk), 4.5] as Need] : []), ...drawn.map((c): Need => [c, 2])]
  const plain = askedBase ? moved(parse(askedBase), askedInk ? parse(askedInk) : undefined, 3) : ground(parse(tint.base ?? palette.base), needs)
  const askedAccent = tint.accent ?? given(params.accent) ?? (palettes[params.palette] ? undefined : colors.accent)
  const fixed = askedBase ?? tint.base
  const accentOf = (base: Colour) => {
    if (askedAccent) return parse(askedAccent)
    const usual = parse(palette.accent)
    // Beside a coloured ground that is asked for, an accent is of its family, or warm.
    const warm = usual.h > 40 && usual.h < 110
    if (askedBase && base.c > 0.05 && !warm && hues(usual, base) > 70) return tone(base, base.l < 0.55 ? 0.84 : 0.35, 0.7)
    if (!fixed || distance(usual, base) > 0.3) return usual
    return tone(usual, base.l < 0.55 ? 0.84 : 0.45, 1, 150)
  }
  const first = accentOf(plain)
  const other = fixed || !palette.ink ? undefined : parse(palette.ink)
  const shaded = toned(plain, first, params.style, (askedBase && scene.tone === 'contrast') || (tint.base && ['contrast', 'accent'].includes(scene.tone ?? 'base')) ? 'base' : scene.tone, other)
  const base = askedInk && contrast(parse(askedInk), shaded) < 4.5 ? plain : shaded
  const dark = contrast(oklch(1, 0, 0), base) >= 4.5
  const light = parse('#fffaf2')
  const black = { ...(base.c > 0.02 ? base : first), l: 0.2, c: Math.min((base.c > 0.02 ? base : first).c * 0.5, 0.05) }
  const usualInk = tint.ink ?? (tint.base ? undefined : palette.ink)
  const wanted = askedInk ? parse(askedInk) : scene.tone && scene.tone !== 'base' ? null : usualInk ? parse(usualInk) : null
  // Large letters on a ground that is asked for as well may have less.
  const least = askedInk && askedBase ? 3 : 4.5
  const inkFits = wanted && contrast(wanted, base) >= least
  const to = given(params.background2) ? parse(params.background2 as string) : undefined
  const drawnTints: [Colour, Colour] = to ? [to, to] : tintsOf(base, params.style, dark, first)
  // Letters of a colour that is asked for are read on the figures behind them as well.
  const asks = wanted && (askedInk || tint.ink) && inkFits ? wanted : undefined
  const behind = (c: Colour, share: number): Colour => (to || !asks || contrast(asks, c) >= Math.min(contrast(asks, base), 4.5) ? c : tone(base, asks.l > base.l ? base.l * (1 - share) : base.l + (1 - base.l) * share))
  const tints: [Colour, Colour] = [behind(drawnTints[0], 0.07), behind(drawnTints[1], 0.13)]
  const plainInk = inkFits ? wanted : readable(wanted && askedInk ? wanted : contrast(light, base) >= 4.5 || contrast(light, base) >= contrast(black, base) ? light : black, base, askedInk ? least : 4.5)
  const ink = askedInk ? plainInk : legible(plainInk, [base, ...tints])
  // On a ground in the accent the accent is the ground's colour, or the ink.
  const near = distance(first, base) < 0.2
  const accent = near ? (distance(plain, base) > 0.25 ? plain : askedAccent && first.c > 0.04 ? readable(first, base, 2) : ink) : contrast(first, base) >= 1.7 || askedAccent ? first : readable(first, base, 2.2)
  const secondOf = colors.series?.[1] && !palettes[params.palette] ? parse(colors.series[1]) : parse(palette.second)
  const second = deepened(distance(secondOf, base) > 0.2 ? secondOf : tone(secondOf, base.l < 0.5 ? 0.8 : 0.5), dark, light)
  const kin = tint.accent && !askedBase && params.style !== 'playful' ? family(accent).map(parse) : []
  const two = [params.tint, params.accent].map(given).filter((c) => c !== undefined).map(parse)
  const fills = two.length === 2 ? [...two, ...two.flatMap(shades)] : [accent, ...kin, ...(colors.series && !palettes[params.palette] ? colors.series : palette.series).map(parse)]
  // What nobody asks for differs from what is asked for.
  const others = fills.filter((c) => drawn.every((asked) => distance(asked, c) > 0.15))
  const series = spread(others.length > 0 ? others : fills, base).map((c) => (askedAccent && hex(c) === hex(accent) ? c : deepened(c, dark, light)))
  // Playful cards are as bright as paper, others stand out a little. Letters of a colour that is asked for need one that they can be read on.
  const raised = tone(base, dark ? Math.min(base.l + 0.09, 0.5) : Math.min(base.l + 0.045, 1), dark ? 0.95 : 0.4)
  const cards = [...(params.style === 'playful' ? [oklch(0.985, Math.min(base.c * 0.08, 0.02), base.h)] : []), raised, tone(base, base.l - 0.06), base]
  const card = (askedInk && cards.find((c) => contrast(ink, c) >= 4.5)) || cards[0]!
  const mild = legible(mixed(ink, base, 0.28), [base, ...tints])
  const quieter = (mild.l - base.l) * (ink.l - base.l) > 0 ? mild : ink // white letters have no black ones below them
  return {
    style: params.style,
    dark,
    base: css(base),
    ink: css(ink),
    soft: css(quieter),
    accent: css(accent),
    accentInk: css(legible(accent, [base, ...tints])),
    onAccent: css(readable(contrast(light, accent) >= 4.5 ? light : tone(accent, 0.17, 0.5), accent)),
    second: css(second),
    onSecond: css(readable(contrast(light, second) >= 4.5 ? light : tone(second, 0.18, 0.5), second)),
    card: css(card),
    onCard: css(contrast(ink, card) >= 4.5 ? ink : readable(card.l > 0.6 ? { ...base, l: 0.24, c: Math.min(base.c, 0.1) } : light, card)),
    line: css(ink, 0.16),
    series: series.map((c) => css(c)),
    onSeries: series.map((c) => css(readable(contrast(light, c) >= 4.5 ? light : tone(c, 0.18, 0.5), c))),
    face: faceOf(params, brand),
    size: params.size || 1,
    italic: params.italic === true,
    radius: { playful: 3.2, smooth: 2, cinematic: 0.8 }[params.style],
    colour: { base, ink, accent, second },
    tints,
    to,
    variant,
    hex: { base: hex(base), ink: hex(ink), accent: hex(accent) },
    inked: askedInk !== undefined,
    grounded: askedBase !== undefined,
    accented: (tint.accent ?? given(params.accent)) !== undefined,
    ...(askedInk && !inkFits && { unread: askedInk }),
    ...(askedBase && distance(plain, parse(askedBase)) > 0.004 && { moved: askedBase }),
  }
}

/** The ground of a scene that is not to look like the others. */
function toned(base: Colour, accent: Colour, style: Look['style'], which: Tone = 'base', other?: Colour): Colour {
  // A dark film stays dark: a bright frame in it would be a flash.
  if (style === 'cinematic' && base.l < 0.5 && (which === 'accent' || which === 'contrast')) return base
  switch (which) {
    case 'base':
      return base
    case 'deep':
      return base.l < 0.55 ? tone(base, base.l * 0.7, 0.72) : tone(base, base.l * 0.935, 1.3)
    case 'accent': {
      // Strong colours go a little deeper, so that white stands on them.
      const white = oklch(0.985, 0, 0)
      return contrast(white, accent) > 2.9 ? readable(accent, white, 4.7) : accent
    }
    case 'contrast':
      if (base.l < 0.55) return tone(base, 0.955, 0.14)
      // A dark yellow is mud: the letters of the palette are a better ground.
      if (other && other.l < 0.45 && base.c >= 0.03) return other
      return base.c < 0.03 ? oklch(0.23, 0.032, accent.c > 0.03 ? accent.h : 265) : tone(base, 0.24, 0.9)
  }
}

/** The colours of large figures on a ground. */
function tintsOf(base: Colour, style: Look['style'], dark: boolean, accent: Colour): [Colour, Colour] {
  const l = base.l
  if (style !== 'playful') return [tone(base, dark ? l + 0.03 : l * 0.972, 1.1), tone(base, dark ? l + 0.05 : l * 0.965)]
  // On black there is no darker: both are a little lighter, in the accent's hue.
  const black = l < 0.16
  const own = black ? { ...accent, c: accent.c * 0.3 } : base
  // A darker yellow would be olive, unless it is nearer to orange.
  const turned = base.h > 65 && base.h < 115 ? -16 : base.c > 0.2 ? 4 : 8
  return [tone(own, dark ? Math.max(l + 0.055, 0.2) : l * 0.93, 1, turned), tone(own, dark ? (black ? 0.16 : l * 0.84) : l + (1 - l) * 0.45, 1, -turned)]
}

/** The colour, or as near to it as can be read on each of some grounds. */
function legible(colour: Colour, grounds: Colour[]): Colour {
  let best = colour
  for (const ground of grounds) if (contrast(best, ground) < 4.5) best = readable(best, ground)
  return grounds.every((ground) => contrast(best, ground) >= 4.4) ? best : readable(colour, grounds[0]!)
}

/** Those that differ from the ground and from each other, at least four: others are made of them. */
function spread(colours: Colour[], base: Colour): Colour[] {
  const out: Colour[] = []
  const add = (c: Colour) => {
    const seen = contrast(c, base) >= 1.7 ? c : readable(c, base, 1.9)
    if (out.every((o) => distance(o, seen) > 0.07)) out.push(seen)
  }
  colours.forEach(add)
  for (let i = 1; out.length < 4 && i < 6; i++) add(tone(colours[0]!, base.l < 0.5 ? 0.5 + 0.09 * i : 0.75 - 0.09 * i, 1, 40 * i))
  return out
}
