import { type Colour, parse } from '../colour'
import type { Weather as Day } from '../data'
import { period } from '../effect'
import type { Box, Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Block, Setting } from '../type'
import { faint } from './chart'
import { pictured, Sky } from './sky'

/**
 * The weather: { days, best }. One is a picture with what is written beside it; of several each has a card, beside each other or
 * below each other, whichever leaves the letters larger. best is the place of the one that stands out, -1 for none.
 */
export interface WeatherPart {
  id: string
  kind: 'weather'
  days: Day[]
  best?: number
}

type What = 'name' | 'figure' | 'low' | 'words' | 'line'

/** A text, from the upper left corner of its card. */
interface Item {
  what: What
  block: Block
  setting: Setting
  x: number
  y: number
}

interface Card {
  box: Box
  items: Item[]
  sky?: { x: number; y: number; size: number }
}

interface Plan {
  cards: Card[]
  form: 'one' | 'cards' | 'strips'
  /** How many cards stand beside each other. */
  across: number
  gap: number
}

const weights: Record<What, Record<Look['style'], number>> = {
  name: { playful: 650, smooth: 600, cinematic: 500 },
  figure: { playful: 700, smooth: 650, cinematic: 300 },
  low: { playful: 550, smooth: 500, cinematic: 300 },
  words: { playful: 550, smooth: 500, cinematic: 400 },
  line: { playful: 500, smooth: 450, cinematic: 400 },
}

/** How high a card and a strip may be, in their widths. */
const TALL = { card: 2.4, strip: 0.34 }

const largeLetters: What[] = ['name', 'figure', 'low']

function settingOf(what: What, look: Look, font: number, width: number, lines: number, align: Setting['align']): Setting {
  const large = largeLetters.includes(what)
  return { family: large ? look.face.display : look.face.text, weight: weights[what][look.style], tracking: what === 'figure' ? look.face.tracking : 0, line: what === 'figure' ? 1.04 : 1.16, width, height: font * lines * 1.5, max: font, min: Math.min(LEAST, font), lines, align }
}

/** Smaller letters are not read. */
const LEAST = 2

/** The largest letters, in units, of cards of a size. */
const letters = (w: number, h: number, k: number): Record<What, number> => ({
  name: Math.max(Math.min(w * 0.2, h * 0.15, 7.5) * k, LEAST),
  figure: Math.min(w * 0.4, h * 0.27, 20) * k,
  low: Math.max(Math.min(w * 0.2, h * 0.14, 10) * k, LEAST),
  words: Math.max(Math.min(w * 0.155, h * 0.1, 5.6) * k, LEAST),
  line: Math.max(Math.min(w * 0.125, h * 0.085, 4.4) * k, LEAST),
})

/** The texts of a day, from above to below. */
const textsOf = (day: Day): [What, string][] =>
  ([['name', day.name], ['figure', day.figure], ['low', day.low], ['words', day.words], ...(day.lines ?? []).map((line) => ['line', line])] as [What, string | undefined][]).filter((one): one is [What, string] => !!one[1])

const rowsOf = (what: What): number => (what === 'words' || what === 'line' ? 2 : 1)

/** Blocks of one size in all cards, by kind of text. */
function leveled(days: Day[], look: Look, fonts: Record<What, number>, widths: (what: What) => number, align: (what: What) => Setting['align'], most = 2): { what: What; block: Block; setting: Setting }[][] {
  const set = (font: Record<What, number>) =>
    days.map((day) =>
      textsOf(day).map(([what, text]) => {
        const setting = settingOf(what, look, font[what], widths(what), Math.min(rowsOf(what), most), align(what))
        return { what, block: blockOf(text, setting), setting }
      }),
    )
  const first = set(fonts).flat()
  const least = { ...fonts }
  for (const one of first) least[one.what] = Math.min(least[one.what], one.block.font)
  return set(least)
}

/** A card for each day: its name, the picture, the temperature and the words below each other. */
function stacked(part: WeatherPart, look: Look, room: Size, across: number, gap: number): Plan {
  const { days } = part
  const down = Math.ceil(days.length / across)
  const w = Math.min((room.w - gap * (across - 1)) / across, 46)
  const most = Math.min((room.h - gap * (down - 1)) / down, w * TALL.card)
  const skies = days.some((day) => pictured(day.sky))
  const pad = Math.min(5, w * 0.09)
  let k = 1
  for (;;) {
    const fonts = letters(w, most, k * look.size)
    const texts = leveled(days, look, fonts, (what) => w - (what === 'words' || what === 'line' ? 1.2 : 2) * pad, () => 'center')
    const bands = (['name', 'sky', 'figure', 'low', 'words', 'line'] as const).map((band) => ({ band, h: band === 'sky' ? (skies ? Math.min((w - 2 * pad) * 0.9, most * 0.4, 34) * Math.min(k, 1) : 0) : Math.max(0, ...texts.map((all) => all.filter((one) => one.what === band).reduce((sum, one) => sum + one.block.height, 0))) }))
    const shown = bands.filter((band) => band.h > 0)
    const between = (band: string) => (band === 'low' ? 0 : band === 'words' ? 0.8 : 1.5) * Math.min(w, 30) * 0.06 * k
    const high = shown.reduce((sum, { band, h }, i) => sum + h + (i > 0 ? between(band) : 0), 0)
    if (high > most - 2 * pad * 1.15 && k > 0.3) {
      k *= 0.94
      continue
    }
    const tall = Math.min(most, high + 2 * pad * 1.3)
    const wide = w * across + gap * (across - 1)
    const cards = days.map((day, i): Card => {
      const [row, column] = [Math.floor(i / across), i % across]
      const inRow = Math.min(across, days.length - row * across)
      const x = (room.w - wide) / 2 + ((across - inRow) * (w + gap)) / 2 + column * (w + gap)
      const items: Item[] = []
      let sky: Card['sky']
      let y = (tall - high) / 2
      shown.forEach(({ band, h }, at) => {
        y += at > 0 ? between(band) : 0
        if (band === 'sky') sky = pictured(day.sky) ? { x: w / 2, y: y + h / 2, size: h } : undefined
        let top = y
        for (const one of texts[i]!) {
          if (one.what !== band) continue
          items.push({ ...one, x: (w - one.setting.width) / 2, y: top })
          top += one.block.height
        }
        y += h
      })
      return { box: { x, y: row * (tall + gap), w, h: tall }, items, sky }
    })
    return { cards: centred(cards, room), form: 'cards', across, gap }
  }
}

/** A strip for each day: the picture, the name over the words, and the temperature at the other side. */
function stripped(part: WeatherPart, look: Look, room: Size, gap: number): Plan {
  const { days } = part
  const n = days.length
  const w = Math.min(room.w, 112)
  const h = Math.min((room.h - gap * (n - 1)) / n, w * TALL.strip)
  const pad = Math.min(h * 0.16, 4)
  const skies = days.some((day) => pictured(day.sky))
  const size = skies ? Math.min(h * 0.8, w * 0.21) : 0
  const k = look.size
  const fonts: Record<What, number> = { name: Math.max(Math.min(h * 0.33, 8) * k, LEAST), figure: Math.min(h * 0.52, w * 0.15, 18) * k, low: Math.max(Math.min(h * 0.24, 8) * k, LEAST), words: Math.max(Math.min(h * 0.25, 6) * k, LEAST), line: Math.max(Math.min(h * 0.18, 4.2) * k, LEAST) }
  const ending = (what: What) => what === 'figure' || what === 'low'
  const side = pad * 1.6
  const left = side + (skies ? size + pad * 1.4 : 0)
  const set = (right: number) => leveled(days, look, fonts, (what) => (ending(what) ? right : w - left - right - side - pad), (what) => (ending(what) ? 'right' : 'left'), h > 20 ? 2 : 1)
  // The temperatures take what they need, the words have the rest.
  const right = Math.max(0, ...set(w * 0.3).flat().filter((one) => ending(one.what)).map((one) => one.block.width + 0.2))
  const texts = set(right)
  const cards = days.map((day, i): Card => {
    const items: Item[] = []
    for (const end of [true, false]) {
      const all = texts[i]!.filter((one) => ending(one.what) === end)
      const high = all.reduce((sum, one) => sum + one.block.height, 0)
      let y = (h - high) / 2
      for (const one of all) {
        items.push({ ...one, x: end ? w - right - side : left, y })
        y += one.block.height
      }
    }
    return { box: { x: (room.w - w) / 2, y: i * (h + gap), w, h }, items, sky: pictured(day.sky) ? { x: side + size / 2, y: h / 2, size } : undefined }
  })
  return { cards: centred(cards, room), form: 'strips', across: 1, gap }
}

/** Cards in the middle of the height that they have. */
function centred(cards: Card[], room: Size): Card[] {
  const last = cards[cards.length - 1]!.box
  const top = (room.h - last.y - last.h) / 2
  return cards.map((card) => ({ ...card, box: { ...card.box, y: card.box.y + top } }))
}

/** One day: a large picture, and beside it or below it the temperature over the words. */
function single(part: WeatherPart, look: Look, room: Size): Plan {
  const day = part.days[0]!
  const wide = room.w > room.h * 1.15
  const size = pictured(day.sky) ? (wide ? Math.min(room.h * 0.86, room.w * 0.36) : Math.min(room.w * 0.62, room.h * 0.46)) : 0
  const gap = size ? Math.min(room.w, room.h) * (wide ? 0.1 : 0.03) : 0
  const [w, most] = wide ? [room.w - size - gap, room.h] : [room.w, room.h - size - gap]
  const align = wide && size ? 'left' : 'center'
  let k = look.size
  for (;;) {
    const font: Record<What, number> = { name: 7 * k, figure: Math.min(most * 0.62, w * 0.42, 44) * k, low: Math.min(most * 0.2, 13) * k, words: Math.min(most * 0.2, 11) * k, line: Math.min(most * 0.12, 5.4) * k }
    const texts = leveled([day], look, font, () => w, () => align)[0]!
    const lead = texts.findIndex((one) => one.what === 'line')
    const between = (what: What, i: number) => (what === 'line' ? (i === lead ? 2.6 : 0.9) : what === 'words' ? 1 : 0) * k
    const high = texts.reduce((sum, one, i) => sum + one.block.height + (i > 0 ? between(one.what, i) : 0), 0)
    if (high > most && k > 0.3) {
      k *= 0.93
      continue
    }
    const broad = Math.max(0, ...texts.map((one) => one.block.width))
    const left = wide ? (room.w - size - gap - broad) / 2 : 0
    const items: Item[] = []
    let y = wide ? (room.h - high) / 2 : (room.h - size - gap - high) / 2 + size + gap
    const top = wide ? (room.h - size) / 2 : (room.h - size - gap - high) / 2
    texts.forEach((one, i) => {
      y += i > 0 ? between(one.what, i) : 0
      items.push({ ...one, x: wide ? (align === 'left' ? left + size + gap : 0) : 0, y })
      y += one.block.height
    })
    return { cards: [{ box: { x: 0, y: 0, w: room.w, h: room.h }, items, sky: size ? { x: wide ? left + size / 2 : room.w / 2, y: top + size / 2, size } : undefined }], form: 'one', across: 1, gap: 0 }
  }
}

function planned(part: WeatherPart, look: Look, room: Size): Plan {
  const n = part.days.length
  if (n === 1) return single(part, look, room)
  const gap = { playful: 2.6, smooth: 2.4, cinematic: 3.4 }[look.style]
  const grids = Array.from({ length: n }, (_, i) => i + 1).filter((across) => Math.ceil(n / across) <= 3 && n - Math.floor((n - 1) / across) * across > across / 2.5)
  // How large a card comes out: wide ones are no use, strips want three times their height.
  const scaled = grids.map((across) => {
    const down = Math.ceil(n / across)
    const [w, h] = [(room.w - gap * (across - 1)) / across, (room.h - gap * (down - 1)) / down]
    // A row that is not full looks left over.
    return { across, k: Math.min(w / 16, h / 27) * (n % across > 0 ? 0.62 : 1) * (down === 1 && room.w > room.h ? 1.15 : 1) }
  })
  const best = scaled.reduce((a, b) => (b.k > a.k * 1.02 ? b : a))
  const strip = Math.min((room.h - gap * (n - 1)) / n / 9.5, Math.min(room.w, 112) / 48)
  return strip > best.k ? stripped(part, look, room, gap) : stacked(part, look, room, best.across, gap)
}

const plans = new Map<string, Plan>()

function planOf(part: WeatherPart, look: Look, room: Size): Plan {
  const key = JSON.stringify([part.days, look.style, look.face, look.size, room.w, room.h])
  let plan = plans.get(key)
  if (!plan) plans.set(key, (plan = planned(part, look, room)))
  return plan
}

/** A colour that is written as rgb(r g b). */
const read = (colour: string): Colour => parse('#' + (colour.match(/\d+/g) ?? ['0', '0', '0']).slice(0, 3).map((v) => Number(v).toString(16).padStart(2, '0')).join(''))

/** The ground of a card, and the colours of its texts. */
function dress(look: Look, form: Plan['form'], best: boolean) {
  if (form === 'one' || look.style === 'cinematic') return { ground: look.colour.base, fill: 'none', edge: best ? look.accentInk : 'none', ink: best ? look.accentInk : look.ink, soft: best ? look.ink : look.soft }
  const [fill, ink] = best ? [look.accent, look.onAccent] : [look.card, look.onCard]
  return { ground: read(fill), fill, edge: 'none', ink, soft: ink }
}

type Props = PartProps & { part: WeatherPart }

function Weather({ part, v, look, box, time }: Props) {
  const plan = planOf(part, look, box)
  const n = plan.cards.length
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {plan.cards.map((card, i) => {
        const p = staged(v.enter!, i, n, 0.62)
        return p > 0 && <One key={i} part={part} plan={plan} card={card} i={i} look={look} p={p} time={time} />
      })}
      {look.style === 'cinematic' && <Rules plan={plan} look={look} p={filling(look, v.enter!)} />}
    </Panel>
  )
}

/** Thin lines between what has no cards. */
function Rules({ plan, look, p }: { plan: Plan; look: Look; p: number }) {
  if (plan.form === 'one' || p <= 0) return null
  return (
    <g stroke={look.line} strokeWidth="0.24">
      {plan.cards.map(({ box }, i) => {
        if (plan.form === 'strips') return i > 0 && <line key={i} x1={box.x} x2={box.x + box.w * p} y1={box.y - plan.gap / 2} y2={box.y - plan.gap / 2} />
        const next = plan.cards[i + 1]
        return next && next.box.y === box.y && <line key={i} x1={box.x + box.w + plan.gap / 2} x2={box.x + box.w + plan.gap / 2} y1={box.y + box.h * 0.06} y2={box.y + box.h * (0.06 + 0.88 * p)} />
      })}
    </g>
  )
}

function One({ part, plan, card, i, look, p, time }: { part: WeatherPart; plan: Plan; card: Card; i: number; look: Look; p: number; time: number }) {
  const day = part.days[i]!
  const { x, y, w, h } = card.box
  const best = part.best === i
  const colours = dress(look, plan.form, best)
  const k = coming(look, p)
  const one = plan.form === 'one'
  const moved = one ? '' : { playful: `translate(0 ${(1 - k) * 9}) scale(${0.92 + 0.08 * k})`, smooth: `translate(0 ${(1 - k) * 4})`, cinematic: `translate(0 ${(1 - k) * 2})` }[look.style]
  const shown = (from: number) => filling(look, clamp((p - from) / 0.6))
  const when: Record<What, number> = { name: 0, figure: 0.14, low: 0.22, words: 0.26, line: 0.34 }
  return (
    <g transform={`translate(${x + w / 2} ${y + h / 2}) ${moved} translate(${-w / 2} ${-h / 2})`} opacity={one ? undefined : clamp(p * { playful: 5, smooth: 2.4, cinematic: 1.8 }[look.style])}>
      {colours.fill !== 'none' && <rect width={w} height={h} rx={Math.min(look.radius * 1.1, h / 4)} fill={colours.fill} />}
      {colours.edge !== 'none' && <rect width={w} height={h} rx="0.6" fill={faint(colours.edge, 0.07)} stroke={colours.edge} strokeWidth="0.4" />}
      {card.sky && pictured(day.sky) && (
        <g transform={`translate(${card.sky.x} ${card.sky.y})`}>
          <Sky sky={day.sky} size={card.sky.size} look={look} ground={colours.ground} shown={one ? clamp(p * 1.3) : clamp((p - 0.1) / 0.8)} turns={(seconds) => time / period(part, seconds) + i * 0.29} />
        </g>
      )}
      {card.items.map((item, at) => {
        const q = shown(when[item.what])
        return (
          q > 0 && (
            <g key={at} transform={`translate(${item.x} ${item.y + (one ? (1 - q) * 3 : 0)})`}>
              <Lines block={item.block} setting={item.setting} fill={item.what === 'low' || item.what === 'line' || (item.what === 'name' && look.style === 'cinematic') ? colours.soft : colours.ink} shown={item.what === 'low' && colours.soft === colours.ink ? q * 0.75 : q} />
            </g>
          )
        )
      })}
    </g>
  )
}

export const weather: PartFace = {
  draw: Weather as unknown as PartFace['draw'],
  need: (part, _, room) => ((part as unknown as WeatherPart).days.length === 1 ? room.h * 0.66 : Math.min(room.h * 0.74, room.w * 1.3)),
  most: (part, look, room) => {
    const { cards, form, across, gap } = planOf(part as unknown as WeatherPart, look, room)
    const down = Math.ceil(cards.length / across)
    return form === 'one' ? room.h : Math.min(down * cards[0]!.box.w * TALL[form === 'strips' ? 'strip' : 'card'] + gap * (down - 1) + 0.01, room.h)
  },
}
