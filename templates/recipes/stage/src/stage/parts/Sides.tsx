import { contrast, css, oklch, parse, readable } from '../colour'
import { type Side, underWay } from '../data'
import type { Box, Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Block, Setting } from '../type'
import { accented, faint } from './chart'

/** Things set against each other, a card each: { sides, best, arrow }. best is the place of the one that stands out, -1 for none; arrow leads from card to card. */
export interface SidesPart {
  id: string
  kind: 'sides'
  sides: Side[]
  best: number
  arrow?: boolean
}

type Props = PartProps & { part: SidesPart }

/** A text of a card, from the upper left corner of the card. */
interface Item {
  what: 'name' | 'figure' | 'line'
  text: string
  block: Block
  setting: Setting
  x: number
  y: number
}

interface Card {
  box: Box
  items: Item[]
  /** How high its texts are. */
  high: number
}

interface Plan {
  cards: Card[]
  /** The cards stand below each other. */
  below: boolean
  gap: number
  line: number
}

/** Largest letters, in units, of what a card holds. */
const sizes = { name: 7.4, alone: 15, figure: 26, line: 6, words: 9 }

const weights = { name: { playful: 650, smooth: 600, cinematic: 500 }, figure: { playful: 700, smooth: 700, cinematic: 300 }, line: { playful: 550, smooth: 480, cinematic: 400 } }

function settingOf(what: Item['what'], look: Look, width: number, max: number, lines: number, align: Setting['align']): Setting {
  const face = what === 'line' ? look.face.text : look.face.display
  const font = max * look.size
  return { family: face, weight: what === 'figure' ? look.face.weight : weights[what][look.style], tracking: what === 'figure' ? look.face.tracking : 0, line: what === 'figure' ? 1.06 : 1.18, width, height: font * lines * 1.4, max: font, min: Math.min(1.6, font), lines, align }
}

/** Sizes where room is short: figures give way sooner than what is read. */
const scaled = (k: number) => ({ name: sizes.name * k ** 0.75, alone: sizes.alone * k, figure: sizes.figure * k ** 1.25, line: sizes.line * k ** 0.85, words: sizes.words * k })

/** Lines of a figure: numbers and a few words stand in one. */
const linesOf = (figure: string): number => (figure.length <= 10 ? 1 : /\d/.test(figure) ? 2 : 3)

/** The texts of a card in letters of k times the largest size, or so. */
function filled(side: Side, look: Look, width: number, k: number): { items: Item[]; high: number; least: number } {
  const items: Item[] = []
  const lines = side.lines ?? []
  const most = scaled(k)
  let y = 0
  const add = (what: Item['what'], text: string, setting: Setting, gap: number, x = 0) => {
    const block = blockOf(text, setting)
    y += y > 0 ? gap : 0
    items.push({ what, text, block, setting, x, y })
    y += block.height
  }
  if (side.name) add('name', side.name, settingOf('name', look, width, alone(side) ? most.alone : most.name, alone(side) ? 4 : 2, 'center'), 0)
  if (side.figure) add('figure', side.figure, settingOf('figure', look, width, most.figure, linesOf(side.figure), 'center'), 1.6 * k)
  // A single line is a sentence; several are points with a mark each.
  if (lines.length === 1 && !side.figure) add('line', lines[0]!, settingOf('line', look, width, most.words, 7, 'center'), 3 * k)
  else {
    const font = most.line * look.size
    for (const [i, line] of lines.entries()) add('line', line, settingOf('line', look, width - font * 1.7, most.line, 3, 'left'), i === 0 ? 4 * k : 2.2 * k, font * 1.7)
  }
  return { items, high: y, least: Math.min(...items.filter((item) => item.what === 'line').map((item) => item.block.font / item.setting.max), 1) }
}

/** From how much height for its width on a room has the cards below each other. */
const tallness = (part: SidesPart): number => (part.sides.length === 2 && part.sides.some((side) => (side.lines?.length ?? 0) > 0) ? 1.12 : 0.8)

/** A name and nothing more. */
const alone = (side: Side): boolean => !side.figure && (side.lines?.length ?? 0) === 0

function planned(part: SidesPart, look: Look, room: Size): Plan {
  const n = Math.max(part.sides.length, 1)
  const wordy = part.sides.some((side) => (side.lines?.length ?? 0) > 0)
  const below = room.h > room.w * tallness(part)
  const gap = part.arrow || part.versus ? 13 : look.style === 'cinematic' ? 6 : 4
  const w = below ? room.w : (room.w - gap * (n - 1)) / n
  const most = below ? (room.h - gap * (n - 1)) / n : room.h
  const pad = { x: Math.min(5, w * 0.1), y: Math.min(5.5, most * 0.12) }
  let k = 1
  let texts = part.sides.map((side) => filled(side, look, w - 2 * pad.x, k))
  // Points are of one size, too.
  while (k > 0.16 && texts.some((text) => text.high > most - 2 * pad.y || (text.least < 0.95 && k > 0.5))) {
    k *= 0.93
    texts = part.sides.map((side) => filled(side, look, w - 2 * pad.x, k))
  }
  // Figures and names are of one size in all cards; one that is much longer than the others does not make all small.
  const one = (what: Item['what']) => {
    const fonts = texts.flatMap((text) => text.items.filter((item) => item.what === what && (what === 'name' || /\d/.test(item.text))).map((item) => item.block.font))
    return Math.min(...fonts) * (Math.max(...fonts) > 1.5 * Math.min(...fonts) ? 1.3 : 1)
  }
  const [figure, name] = [one('figure'), one('name')]
  texts = texts.map((text) => levelled(text, figure, name))
  const least = part.sides.every(alone) ? w * (below ? 0.42 : 0.5) : 0
  const high = Math.min(Math.max(...texts.map((text) => text.high + 2 * pad.y), least), most)
  const all = below ? high * n + gap * (n - 1) : high
  const wide = below ? w : w * n + gap * (n - 1)
  const [left, top] = [(room.w - wide) / 2, (room.h - all) / 2]
  const cards = texts.map((text, i): Card => {
    const box = below ? { x: left, y: top + i * (high + gap), w, h: high } : { x: left + i * (w + gap), y: top, w, h: high }
    // Cards with points begin at one height; others stand in the middle.
    const from = wordy && !below ? pad.y : (high - text.high) / 2
    return { box, high: text.high, items: text.items.map((item) => ({ ...item, x: item.x + pad.x, y: item.y + from })) }
  })
  return { cards, below, gap, line: scaled(k).line * look.size }
}

/** Texts with figures and names no larger than given. */
function levelled(was: ReturnType<typeof filled>, figure: number, name: number): ReturnType<typeof filled> {
  let y = 0
  let end = 0
  const items = was.items.map((item) => {
    const gap = item.y - end
    end = item.y + item.block.height
    const max = item.what === 'figure' ? figure : item.what === 'name' ? name : item.setting.max
    const setting = { ...item.setting, max: Math.min(item.setting.max, max) }
    const block = blockOf(item.text, setting)
    const moved = { ...item, setting, block, y: y + gap }
    y += gap + block.height
    return moved
  })
  return { ...was, items, high: y }
}

const plans = new Map<string, Plan>()

function planOf(part: SidesPart, look: Look, room: Size): Plan {
  const key = JSON.stringify([part.sides, part.arrow, look.style, look.face, look.size, room.w, room.h])
  let plan = plans.get(key)
  if (!plan) plans.set(key, (plan = planned(part, look, room)))
  return plan
}

/** Colours of a card: its ground, its texts, and what stands out in it. */
function dress(look: Look, side: Side, i: number, best: boolean, chosen: boolean, bold: boolean) {
  const fill = side.color ?? (best ? look.accent : look.series[i % look.series.length]!)
  const on = side.color ? accented(look, side.color).onAccent : best ? look.onAccent : look.onSeries[i % look.onSeries.length]!
  if (look.style === 'cinematic') {
    const ground = look.colour.base ?? oklch(1, 0, 0)
    const mark = side.color ? css(readable(parse(side.color), ground, 3)) : best ? look.accentInk : look.soft
    return { ground: 'none', edge: best || side.color ? mark : look.line, name: alone(side) ? (best || side.color ? mark : look.ink) : look.soft, figure: best || side.color ? mark : look.ink, line: look.ink, mark, stripe: 'none' }
  }
  if (best || bold || (alone(side) && !chosen)) return { ground: fill, edge: side.color && contrast(parse(fill), look.colour.base ?? oklch(1, 0, 0)) < 1.25 ? look.ink : 'none', name: on, figure: on, line: on, mark: on, stripe: 'none' }
  return { ground: look.card, edge: 'none', name: look.onCard, figure: look.onCard, line: look.onCard, mark: look.onCard, stripe: side.color ?? 'none' }
}

function Sides({ part, v, look, box }: Props) {
  const plan = planOf(part, look, box)
  const n = plan.cards.length
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {plan.cards.map((card, i) => {
        const p = staged(v.enter!, i, n, part.arrow ? 0.5 : 0.66)
        return p > 0 && <One key={i} part={part} card={card} i={i} plan={plan} look={look} p={p} />
      })}
      {part.versus && <Versus from={plan.cards[0]!.box} to={plan.cards[1]!.box} below={plan.below} look={look} p={staged(v.enter!, 1.5, n, 0.4)} />}
      {part.arrow && plan.cards.slice(1).map((card, i) => <Arrow key={i} from={plan.cards[i]!.box} to={card.box} below={plan.below} look={look} p={filling(look, clamp(staged(v.enter!, i + 0.5, n, 0.4)))} />)}
    </Panel>
  )
}

/** What stands between two names that are set against each other. */
function Versus({ from, to, below, look, p }: { from: Box; to: Box; below: boolean; look: Look; p: number }) {
  if (p <= 0) return null
  const [x, y] = below ? [from.x + from.w / 2, (from.y + from.h + to.y) / 2] : [(from.x + from.w + to.x) / 2, from.y + from.h / 2]
  return (
    <text transform={`translate(${x} ${y}) scale(${0.5 + 0.5 * Math.max(coming(look, p), 0)})`} y={2.5} textAnchor="middle" fontFamily={look.face.display} fontWeight={look.face.weight} fontSize={7.4} fill={look.ink} opacity={clamp(p * 4)}>
      vs
    </text>
  )
}

function Arrow({ from, to, below, look, p }: { from: Box; to: Box; below: boolean; look: Look; p: number }) {
  if (p <= 0) return null
  const [x, y] = below ? [from.x + from.w / 2, (from.y + from.h + to.y) / 2] : [(from.x + from.w + to.x) / 2, from.y + from.h / 2]
  const heavy = { playful: 1.3, smooth: 0.9, cinematic: 0.45 }[look.style]
  return (
    <g transform={`translate(${x} ${y}) rotate(${below ? 90 : 0}) translate(${(p - 1) * 3} 0)`} opacity={clamp(p * 3)} fill="none" stroke={look.accentInk} strokeWidth={heavy} strokeLinecap="round" strokeLinejoin="round">
      <path d={`M-3.6 0H${-3.6 + 7.2 * p}`} />
      {p > 0.5 && <path d="M0.8 -2.8L3.6 0L0.8 2.8" opacity={(p - 0.5) * 2} />}
    </g>
  )
}

function One({ part, card, i, plan, look, p }: { part: SidesPart; card: Card; i: number; plan: Plan; look: Look; p: number }) {
  const side = part.sides[i]!
  const best = part.best === i
  const { x, y, w, h } = card.box
  const colours = dress(look, side, i, best, part.best >= 0, part.sides.every((one) => one.color && !one.lines?.length))
  const k = coming(look, p)
  const way = i % 2 === 0 ? -1 : 1
  const moved = { playful: `translate(${plan.below ? way * (1 - k) * 16 : 0} ${plan.below ? 0 : (1 - k) * 10}) scale(${0.9 + 0.1 * k})`, smooth: `translate(0 ${(1 - k) * 4})`, cinematic: `translate(${plan.below ? 0 : way * (1 - k) * 3} 0)` }[look.style]
  const radius = Math.min(look.radius * 1.2, h / 4)
  const stripe = 1.3
  const shown = filling(look, clamp(p * 1.4 - 0.2))
  const points = card.items.filter((item) => item.what === 'line')
  return (
    <g transform={`translate(${x + w / 2} ${y + h / 2}) ${moved} translate(${-w / 2} ${-h / 2})`} opacity={clamp(p * { playful: 5, smooth: 2.4, cinematic: 1.8 }[look.style])}>
      {colours.stripe !== 'none' && (
        <clipPath id={`${part.id}-${i}`}>
          <rect width={w} height={h} rx={radius} />
        </clipPath>
      )}
      {colours.ground !== 'none' && <rect width={w} height={h} rx={radius} fill={colours.ground} />}
      {colours.stripe !== 'none' && <rect width={w} height={stripe} fill={colours.stripe} clipPath={`url(#${part.id}-${i})`} />}
      {colours.edge !== 'none' && <rect width={w} height={h} rx={look.style === 'cinematic' ? 0.6 : radius} fill={look.style === 'cinematic' && best ? faint(colours.edge, 0.07) : 'none'} stroke={colours.edge} strokeWidth={best ? 0.4 : 0.24} />}
      {card.items.map((item, at) => {
        const nth = points.indexOf(item)
        const q = nth < 0 ? shown : clamp(filling(look, staged(p, nth + 1, points.length + 1, 0.5)))
        return <Words key={at} item={item} side={side} from={part.arrow ? part.sides[i - 1]?.figure : undefined} q={q} p={p} look={look} colour={colours[item.what]} mark={colours.mark} sign={nth >= 0 && (points.length > 1 || side.figure !== undefined) ? (side.marks ?? 'dot') : ''} line={plan.line} />
      })}
    </g>
  )
}

const signs = { check: 'M-.3 .02L-.08 .24L.32 -.22', cross: 'M-.24 -.24L.24 .24M.24 -.24L-.24 .24' }

/** A text of a card as far as it has come; a figure counts, from the one before it where one becomes the other. */
function Words({ item, side, from, q, p, look, colour, mark, sign, line }: { item: Item; side: Side; from?: string; q: number; p: number; look: Look; colour: string; mark: string; sign: string; line: number }) {
  const figure = item.what === 'figure'
  const now = figure && item.block.lines.length === 1 ? underWay(item.text, q, from) : item.text
  const { block, setting } = item
  const first = block.lines[0]!
  const struck = figure && side.struck ? filling(look, clamp(p * 2.5 - 1.5)) : 0
  const middle = block.rtl ? setting.width + line * 0.8 : -line * 0.95
  return (
    <g transform={`translate(${item.x - (sign && block.rtl ? line * 1.7 : 0)} ${item.y})`} opacity={q * (side.struck && figure ? 0.75 : 1)}>
      {now === item.text ? (
        <Lines block={block} setting={setting} fill={colour} />
      ) : (
        <text x={setting.width / 2} y={first.y} textAnchor="middle" fontFamily={setting.family} fontWeight={setting.weight} fontSize={block.font} fill={colour} style={{ whiteSpace: 'pre', fontVariantNumeric: 'tabular-nums' }}>
          {now}
        </text>
      )}
      {struck > 0 && <rect x={first.x - 0.06 * block.font} y={first.y - 0.36 * block.font} width={(first.width + 0.12 * block.font) * struck} height={Math.max(0.07 * block.font, 0.3)} fill={colour} />}
      {sign && (
        <g transform={`translate(${middle} ${first.y - 0.34 * block.font}) scale(${line})`}>
          {sign === 'dot' ? <circle r="0.16" fill={mark} /> : <path d={signs[sign as 'check']} fill="none" stroke={mark} strokeWidth="0.13" strokeLinecap="round" strokeLinejoin="round" />}
        </g>
      )}
    </g>
  )
}

export const sides: PartFace = {
  draw: Sides as PartFace['draw'],
  need: (_, __, room) => Math.min(room.h * 0.6, room.w * 0.5),
  most: (part, look, room) => {
    const { cards } = planOf(part as unknown as SidesPart, look, room)
    const [first, last] = [cards[0], cards[cards.length - 1]]
    if (!first || !last) return room.h
    // The room that is left must not look wide where this one is tall.
    return Math.min(Math.max(last.box.y + last.box.h - first.box.y + 0.01, last.box.y > first.box.y ? room.w * tallness(part as unknown as SidesPart) + 0.1 : 0), room.h)
  },
}
