import { contrast, css, oklch, parse, readable } from '../colour'
import { type Side, underWay } from '../data'
import type { Box, Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Setting } from '../type'
import { accented } from './chart'
import { ems } from './measure'

/** The result of a match: { sides, best }. The numbers count up, then the side that won lights up; best is its place, -1 for none. */
export interface ScorePart {
  id: string
  kind: 'score'
  sides: Side[]
  best: number
}

type Props = PartProps & { part: ScorePart }

/** Where the two sides lie, and how large their letters are. */
interface Plan {
  panels: Box[]
  /** Name and number stand beside each other, in panels below each other. */
  rows: boolean
  number: number
  names: number[]
  pad: number
}

const nameOf = (look: Look, width: number, height: number, max: number, lines: number, align: Setting['align']): Setting => ({
  family: look.face.display,
  weight: look.style === 'cinematic' ? 500 : 650,
  tracking: look.style === 'cinematic' ? 0.03 : -0.01,
  line: 1.1,
  width,
  height,
  max,
  min: Math.min(2.2, max),
  lines,
  align,
})

/** Room that a name has beside or below its number. */
function nameRoom(plan: Plan, panel: Box, sides: Side[]): Size {
  if (!plan.rows) return { w: panel.w - 2 * plan.pad, h: panel.h - 3.1 * plan.pad - 0.74 * plan.number }
  const number = Math.max(...sides.map((side) => wideOf(side))) * plan.number
  return { w: Math.max(panel.w - 3 * plan.pad - number, panel.w * 0.3), h: panel.h - 1.4 * plan.pad }
}

const wideOf = (side: Side): number => Math.max(ems(side.figure ?? '') * 1.08, 0.62)

function planned(part: ScorePart, look: Look, room: Size): Plan {
  const n = Math.max(part.sides.length, 1)
  const rows = room.h > room.w * 0.8
  const gap = look.style === 'cinematic' ? 7 : 4
  const pad = 4
  const w = rows ? room.w : (room.w - gap * (n - 1)) / n
  const h = rows ? Math.min((room.h - gap * (n - 1)) / n, room.w * 0.42) : Math.min(room.h, w * 0.86, 62)
  const high = rows ? h * n + gap * (n - 1) : h
  const top = (room.h - high) / 2
  const panels = part.sides.map((_, i): Box => (rows ? { x: 0, y: top + i * (h + gap), w, h } : { x: i * (w + gap), y: top, w, h }))
  const widest = Math.max(...part.sides.map(wideOf))
  const largest = (rows ? Math.min(h * 0.74, (w * 0.56) / widest) : Math.min(h * 0.6, (w - 2 * pad) / widest)) * Math.min(look.size, 1.1)
  const plan: Plan = { panels, rows, number: largest, names: [], pad }
  // Numbers give way until long names can be read.
  for (const good = Math.min(rows ? 6 : 5, h * 0.14); ; plan.number *= 0.92) {
    const fonts = part.sides.map((side, i) => {
      const free = nameRoom(plan, panels[i]!, part.sides)
      return side.name ? blockOf(side.name, nameOf(look, free.w, free.h, (rows ? 9.5 : 9) * look.size, 3, 'center')).font : Infinity
    })
    const least = Math.min(...fonts)
    plan.names = fonts.map((font) => Math.min(font, least * 1.3))
    if (least >= good || plan.number < largest * 0.5) return plan
  }
}

/** Colours of a side: of its panel as long as nothing is settled, and when it has won. */
function dress(look: Look, side: Side, i: number) {
  const fill = side.color ?? look.series[i % look.series.length]!
  const on = side.color ? accented(look, side.color).onAccent : look.onSeries[i % look.onSeries.length]!
  if (!side.color) return { fill, on, edge: 'none', ink: fill }
  const ground = look.colour.base ?? oklch(1, 0, 0)
  // A colour that the ground has as well is seen by its edge.
  return { fill, on, edge: contrast(parse(fill), ground) < 1.25 ? look.ink : 'none', ink: css(readable(parse(fill), ground, 3)) }
}

function Score({ part, v, look, box }: Props) {
  const plan = planned(part, look, box)
  const n = part.sides.length
  const lit = filling(look, clamp((v.enter! - 0.74) / 0.26))
  const draw = part.best < 0
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {look.style === 'cinematic' && n === 2 && <Between plan={plan} look={look} p={filling(look, clamp(v.enter! * 2))} />}
      {part.sides.map((side, i) => (
        <Half key={i} part={part} i={i} plan={plan} look={look} p={staged(v.enter!, i, n, 0.8)} lit={draw || part.best === i ? lit : 0} lost={!draw && part.best !== i ? lit : 0} />
      ))}
    </Panel>
  )
}

/** A line between the sides. */
function Between({ plan, look, p }: { plan: Plan; look: Look; p: number }) {
  const [a, b] = plan.panels as [Box, Box]
  if (plan.rows) {
    const y = (a.y + a.h + b.y) / 2
    return <rect x={(a.w * (1 - p)) / 2} y={y - 0.12} width={a.w * p} height={0.24} fill={look.line} />
  }
  const x = (a.x + a.w + b.x) / 2
  const high = a.h * 0.8 * p
  return <rect x={x - 0.12} y={a.y + a.h / 2 - high / 2} width={0.24} height={high} fill={look.line} />
}

function Half({ part, i, plan, look, p, lit, lost }: { part: ScorePart; i: number; plan: Plan; look: Look; p: number; lit: number; lost: number }) {
  const side = part.sides[i]!
  const panel = plan.panels[i]!
  const { fill, on, edge, ink } = dress(look, side, i)
  const flat = look.style === 'cinematic'
  const k = coming(look, p)
  const away = plan.rows ? 0 : i === 0 ? -1 : 1
  const moved = { playful: `translate(${away * (1 - k) * 14} ${plan.rows ? (i === 0 ? -1 : 1) * (1 - k) * 10 : 0})`, smooth: `translate(${away * (1 - k) * 6} ${plan.rows ? (1 - k) * 4 : 0})`, cinematic: `translate(${away * (1 - k) * 3} 0)` }[look.style]
  const size = look.style === 'playful' ? 1 + 0.025 * Math.sin(Math.PI * lit) - 0.02 * lost : 1
  const middle = { x: panel.x + panel.w / 2, y: panel.y + panel.h / 2 }
  const radius = Math.min(look.radius * 1.2, panel.h / 4)
  const stripe = flat ? 0.5 : 1.6
  const letters = { part, i, plan, p }
  // A card in the colours of a team has them from the beginning; a frame tells who has won.
  const own = side.color !== undefined && part.sides.length > 1 && part.sides.every((one) => one.color)
  return (
    <g transform={`translate(${middle.x} ${middle.y}) ${moved} scale(${size}) translate(${-middle.x} ${-middle.y})`} opacity={clamp(p * 5)}>
      {flat ? (
        <rect x={panel.x + (panel.w * (1 - filling(look, p) * (0.36 + 0.3 * lit))) / 2} y={panel.y + panel.h - stripe} width={panel.w * filling(look, p) * (0.36 + 0.3 * lit)} height={stripe} fill={ink} />
      ) : (
        <>
          <clipPath id={`${part.id}-${i}`}>
            <rect {...panelOf(panel)} rx={radius} />
          </clipPath>
          <rect {...panelOf(panel)} rx={radius} fill={look.card} />
          <g clipPath={`url(#${part.id}-${i})`}>
            <rect x={panel.x} y={panel.y} width={plan.rows && !own ? stripe : panel.w} height={plan.rows || own ? panel.h : stripe} fill={fill} />
            {lit > 0 && <rect x={panel.x} y={panel.y} width={plan.rows ? panel.w * lit : panel.w} height={plan.rows ? panel.h : panel.h * lit} fill={fill} />}
          </g>
          {own && lit > 0 && part.best >= 0 && <rect {...panelOf({ x: panel.x - 1.6, y: panel.y - 1.6, w: panel.w + 3.2, h: panel.h + 3.2 })} rx={radius + 1.6} fill="none" stroke={look.ink} strokeWidth="0.9" opacity={lit} />}
          {edge !== 'none' && lit > 0 && <rect {...panelOf(panel)} rx={radius} fill="none" stroke={edge} strokeWidth="0.3" opacity={lit} />}
        </>
      )}
      {flat ? <Letters {...letters} look={look} number={lit > 0.5 ? ink : lost > 0.5 ? look.soft : look.ink} name={lost > 0.5 ? look.soft : look.ink} /> : <Letters {...letters} look={look} number={own || lit > 0.5 ? on : look.onCard} name={own || lit > 0.5 ? on : look.onCard} />}
    </g>
  )
}

const panelOf = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h })

/** The number of a side and its name. */
function Letters({ part, i, plan, look, p, number, name }: { part: ScorePart; i: number; plan: Plan; look: Look; p: number; number: string; name: string }) {
  const side = part.sides[i]!
  const panel = plan.panels[i]!
  const free = nameRoom(plan, panel, part.sides)
  const setting = nameOf(look, free.w, free.h, plan.names[i]!, 3, plan.rows ? 'left' : 'center')
  const block = side.name ? blockOf(side.name, setting) : null
  const figure = underWay(side.figure ?? '', filling(look, clamp(p * 1.25)))
  const rtl = plan.rows && block?.rtl
  const wide = Math.max(...part.sides.map(wideOf)) * plan.number
  const high = 0.74 * plan.number + (block ? 0.9 * plan.pad + block.height : 0)
  const top = panel.y + (panel.h - high) / 2
  const at = plan.rows
    ? { x: rtl ? panel.x + plan.pad + wide / 2 : panel.x + panel.w - plan.pad - wide / 2, y: panel.y + panel.h / 2 }
    : { x: panel.x + panel.w / 2, y: top + 0.37 * plan.number }
  const text = plan.rows
    ? { x: rtl ? panel.x + panel.w - plan.pad - free.w : panel.x + plan.pad, y: panel.y + (panel.h - (block?.height ?? 0)) / 2 }
    : { x: panel.x + plan.pad, y: top + 0.74 * plan.number + 0.9 * plan.pad }
  return (
    <>
      {figure && (
        <text x={at.x} y={at.y + plan.number * 0.36} textAnchor="middle" fontFamily={look.face.display} fontWeight={look.face.weight} fontSize={plan.number} fill={number} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'pre' }}>
          {figure}
        </text>
      )}
      {block && (
        <g transform={`translate(${text.x} ${text.y})`}>
          <Lines block={block} setting={setting} fill={name} />
        </g>
      )}
    </>
  )
}

export const score: PartFace = {
  draw: Score as PartFace['draw'],
  need: (_, __, room) => Math.min(room.h * 0.55, room.w * 0.4),
  most: (part, look, room) => {
    const { panels } = planned(part as unknown as ScorePart, look, room)
    const last = panels[panels.length - 1]
    return last ? last.y + last.h - panels[0]!.y : room.h
  },
}
