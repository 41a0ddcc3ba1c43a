import { scaleLinear } from 'd3-scale'
import { curveLinear, curveMonotoneX, curveStepAfter, line as lineOf } from 'd3-shape'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, swing } from '../motion'
import type { PartFace, PartProps } from '../part'
import { accented, Drawing, faint, Label, mixed, placeOf, Room, type Row, steady, Target } from './chart'
import { decimalsOf, type Figure, written } from './figures'
import { ems } from './measure'

export interface LinesPart extends Figure {
  id: string
  kind: 'line'
  rows: Row[]
  /** The room under the line is filled. */
  area?: boolean
  /** Dots at the points, and the way from point to point. */
  dots?: 'auto' | 'shown' | 'none'
  curve?: 'auto' | 'smooth' | 'straight' | 'steps'
  /** How thick the line is; 1 is the usual. */
  thick?: number
  /** The label of the point that stands out: a larger dot, with its value. */
  marked?: string
  /** A value that is aimed at. */
  target?: number
  /** Colour of the line that a person asks for. */
  fill?: string
}

const least = 2.9

/** The size of the value at the head. */
const numberOf = (look: Look) => ({ playful: 6, smooth: 5.4, cinematic: 5 })[look.style]

type Props = PartProps & { part: LinesPart }

export const line: PartFace = { draw: Lines as PartFace['draw'] }

/** Values over time: a line that is drawn from left to right, with its newest value at its head. */
function Lines({ part, v, look: usual, box, time }: Props) {
  const look = accented(usual, part.fill)
  const { rows } = part
  const n = rows.length
  const plot = plotOf(part, look, box)
  const { x, y, curve, zero } = plot
  // The head goes along at the speed of the style; the first tenth is for the axes.
  const p = clamp((v.enter! - 0.08) / 0.92)
  const way = steady(look, p)
  const at = way * (n - 1)
  const head = { x: x(at), y: curve(at), value: valueAt(rows, at) }
  const thick = { playful: 1.5, smooth: 0.9, cinematic: 0.55 }[look.style] * (n > 60 ? 0.7 : 1) * (part.thick ?? 1)
  const axes = clamp(v.enter! * 6)
  const number = numberOf(look)
  const dots = part.dots === 'shown' ? n <= 80 : part.dots !== 'none' && n <= 16
  const dot = part.dots === 'shown' ? 1.35 : 1
  const { marked } = plot
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        <defs>
          <clipPath id={`${part.id}-drawn`}>
            <rect x={0} y={-20} width={head.x + (way < 1 ? 0 : thick)} height={box.h + 40} />
          </clipPath>
          <linearGradient id={`${part.id}-fill`} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor={look.accent} stopOpacity={look.style === 'smooth' ? 0.26 : 0.34} />
            <stop offset="1" stopColor={look.accent} stopOpacity={look.style === 'playful' ? 0.12 : 0} />
          </linearGradient>
        </defs>
        {plot.ticks.map((tick) => (
          <line key={tick} x1={plot.left} x2={plot.left + (plot.right - plot.left) * axes} y1={y(tick)} y2={y(tick)} stroke={faint(look.ink, tick === 0 ? 0.4 : 0.13)} strokeWidth={tick === 0 ? 0.3 : 0.2} />
        ))}
        {n > 1 && (
          <g clipPath={`url(#${part.id}-drawn)`}>
            {part.area !== false && <path d={`${plot.d}L${x(n - 1)} ${zero}L${x(0)} ${zero}Z`} fill={`url(#${part.id}-fill)`} />}
            {look.style === 'cinematic' && <path d={plot.d} fill="none" stroke={faint(look.accent, 0.2)} strokeWidth={thick * 4} strokeLinejoin="round" />}
            <path d={plot.d} fill="none" stroke={look.accent} strokeWidth={thick} strokeLinejoin="round" strokeLinecap="round" />
          </g>
        )}
        {dots &&
          rows.map((row, i) => {
            const k = coming(look, (at - i) / 0.7 + (i === 0 ? p * 9 : 0))
            return k > 0 && <circle key={i} cx={x(i)} cy={y(row.value)} r={thick * dot * (look.style === 'playful' ? 1.15 : 1) * k} fill={look.base} stroke={look.accent} strokeWidth={thick * 0.62} />
          })}
        {marked >= 0 && at >= marked && <circle cx={x(marked)} cy={y(rows[marked]!.value)} r={thick * 2.4 * coming(look, (at - marked) / 0.7 + (marked === 0 ? p * 9 : 0))} fill={look.accent} stroke={look.base} strokeWidth={thick * 0.62} />}
        <line x1={head.x} x2={head.x} y1={head.y} y2={zero} stroke={faint(look.accent, 0.6)} strokeWidth={0.25} strokeDasharray="1 1" opacity={p > 0 && p < 1 ? 1 - p ** 6 : 0} />
        <circle cx={head.x} cy={head.y} r={thick * (3.4 + 0.6 * swing(time, 1.6)) * clamp(p * 8)} fill={faint(look.accent, 0.25)} />
        <circle cx={head.x} cy={head.y} r={thick * 1.7 * clamp(p * 8)} fill={look.style === 'cinematic' ? mixed('white', look.accent, 0.5) : look.accent} />
      </Drawing>
      {plot.ticks.map((tick) => (
        <Label key={tick} x={plot.left - 1.6} y={y(tick)} size={least} align="right" style={{ color: look.soft, opacity: axes }}>
          {written(tick, { ...plot.bare, decimals: plot.decimals }, plot.short)}
        </Label>
      ))}
      {rows.map(
        (row, i) =>
          plot.labelled(i) && (
            <Label key={i} x={x(i)} y={box.h - plot.size * 0.7} size={plot.size} align="center" width={plot.room(i)} style={{ color: plot.strong(i) ? look.ink : look.soft, fontWeight: plot.strong(i) ? 650 : 500, opacity: clamp(v.enter! * 5 - i / n) }}>
              {row.label}
            </Label>
          ),
      )}
      {rows.map(
        (row, i) =>
          plot.valued(i) &&
          at >= i && (
            <Label key={i} {...plot.over(i)} size={plot.value} align="center" style={{ color: i === marked ? look.ink : look.soft, fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp((at - i) * 2), ...(look.style !== 'playful' && { textShadow: `0 0 0.4em ${look.base}, 0 0 0.2em ${look.base}` }) }}>
              {plot.plain(row.value)}
            </Label>
          ),
      )}
      {part.target !== undefined && <Target look={look} y={y(part.target)} from={plot.left} to={plot.right} share={clamp(v.enter! * 3 - 0.3)} text={plot.written(part.target)} size={least * 1.1} />}
      <Tag look={look} x={head.x} y={head.y} size={number} limit={plot} opacity={clamp(p * 8)}>
        {plot.written(p < 1 ? head.value : rows[n - 1]!.value)}
      </Tag>
    </Room>
  )
}

/** The value at the head of the line: beside it where there is room, else above or below it. */
function Tag({ look, x, y, size, limit, opacity, children }: { look: Look; x: number; y: number; size: number; limit: { left: number; right: number; beside: boolean; under: boolean }; opacity: number; children: string }) {
  const half = (ems(children) * size * 1.08) / 2 + 1.2
  const place = limit.beside ? { x: x + size * 0.5, y, align: 'left' as const } : { x: clamp(x, limit.left + half, Math.max(limit.right + 3.5 - half, limit.left + half)), y: limit.under ? y + size * 1.25 : Math.max(y - size * 1.25, size * 0.5), align: 'center' as const }
  return (
    <Label
      {...place}
      size={size}
      style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity, ...(look.style === 'playful' ? { background: look.accent, color: look.onAccent, padding: '0.2em 0.5em', borderRadius: '0.5em' } : !limit.beside && { textShadow: `0 0 0.4em ${look.base}, 0 0 0.2em ${look.base}` }) }}
    >
      {children}
    </Label>
  )
}

function valueAt(rows: Row[], at: number): number {
  const i = clamp(Math.floor(at), 0, rows.length - 1)
  const next = rows[Math.min(i + 1, rows.length - 1)]!
  return rows[i]!.value + (next.value - rows[i]!.value) * (at - i)
}

/** The scales, the line, and which labels and values have room. */
function plotOf(part: LinesPart, look: Look, box: Size) {
  const { rows } = part
  const n = rows.length
  const values = rows.map((r) => r.value)
  const aims = part.target === undefined ? values : [...values, part.target]
  const low = Math.min(...aims)
  const high = Math.max(...aims)
  // Zero is shown unless all values are far from it.
  const from = low >= 0 && low > high * 0.6 && high > low ? low - (high - low) * 0.25 : Math.min(low, 0)
  const tagged = numberOf(look) * 1.5
  const labelled = rows.some((r) => r.label !== '')
  const size = clamp(box.w / Math.max(n, 3) / 3.4, least, 4.4)
  const bottom = box.h - (labelled ? size * 1.4 + 2 : 1)
  const y = scaleLinear().domain([from, high === from ? from + 1 : high]).nice(4).range([bottom, tagged])
  const count = bottom - tagged > 40 ? 4 : 3
  const ticks = y.ticks(count)
  const decimals = Math.max(0, ...ticks.map(decimalsOf))
  const short = Math.max(...values.map(Math.abs)) >= 10000
  // A unit that is a word stands at the newest value alone.
  const bare = { ...part, suffix: (part.suffix ?? '').trim().length > 2 ? '' : part.suffix }
  const left = Math.max(...ticks.map((t) => ems(written(t, { ...bare, decimals }, short)))) * least * 1.1 + 2.4
  const fine = part.decimals ?? Math.min(Math.max(...values.map(decimalsOf)), n > 20 ? 1 : 3)
  const brief = (value: number) => written(value, { ...part, decimals: fine }, high >= 1e6 || low <= -1e6)
  const plain = (value: number) => written(value, { ...bare, decimals: fine }, high >= 1e6 || low <= -1e6)
  const broad = Math.max(...values.map((v) => ems(plain(v)))) * 1.1
  const tag = (Math.max(...values.map((v) => ems(brief(v)))) * 1.1 + (look.style === 'playful' ? 1.6 : 0.7)) * numberOf(look)
  const beside = tag < box.w * 0.2
  // The label of the last point has its half beyond the point.
  const last = Math.min(ems(rows[n - 1]?.label ?? '') * size * 0.6, 15)
  const right = box.w - Math.max(beside ? tag : 3.5, last)
  const x = scaleLinear().domain(n > 1 ? [0, n - 1] : [-1, 1]).range([left + 2.5, right])
  const widest = Math.max(...rows.map((r) => ems(r.label))) * size * 1.08 + 3
  const step = (right - left) / Math.max(n - 1, 1)
  const every = Math.max(1, Math.ceil(Math.min(widest, 30) / step))
  // Of a few points all have their values, where the values have room beside each other; of more the highest.
  const value = numberOf(look) * (n > 5 ? 0.6 : 0.72)
  const few = n <= 8 && broad * value + 1 < step
  const marked = placeOf(rows, part.marked)
  const best = marked >= 0 ? marked : rows.reduce((b, r, i) => (r.value > rows[b]!.value ? i : b), 0)
  // The value of the last point stands beside it, or above it; below it where the line falls to it and leaves room.
  const under = !beside && n > 1 && rows[n - 1]!.value < rows[n - 2]!.value && y(rows[n - 1]!.value) + numberOf(look) * 1.95 < bottom
  const free = (i: number) => under || x(n - 1) - x(i) > (broad * value + (beside ? 0 : tag * 2)) / 2 + 2
  // A value stands above its point and beside the line where that is steep; in a valley, and before the line rises, below the point.
  const over = (i: number) => {
    const [at, half] = [y(rows[i]!.value), (ems(plain(rows[i]!.value)) * value) / 2]
    const [before, after] = [i > 0 ? at - y(rows[i - 1]!.value) : 0, at - y(rows[i + 1]!.value)]
    const below = ((before >= 0 && after > 0) || !free(i)) && at + value * 2 < bottom
    const steep = i === 0 ? 1 : before < 0 && after > 0 ? -clamp(after / step) : before > 0 && after < 0 ? clamp(-after / step) : 0
    // A line that rises leaves room at its upper left, one that falls at its upper right.
    return { x: x(i) + (i === 0 ? half - 1 : steep * (half + 1)), y: at + (below ? 1 : -1) * (value * 0.78 + (i === marked ? 2.6 : 1.2) + Math.max(0, (part.thick ?? 1) - 1) * 2) }
  }
  // The bends of the curve lie at thirds, so that x runs evenly and the height at any place is a cubic of it.
  const bends: number[][] = []
  const context = { moveTo() {}, lineTo() {}, closePath() {}, bezierCurveTo: (_x1: number, y1: number, _x2: number, y2: number, _x: number, y3: number) => void bends.push([y1, y2, y3]) }
  const steps = part.curve === 'steps'
  const shape = lineOf<Row>((_r, i) => x(i), (r) => y(r.value)).curve(steps ? curveStepAfter : part.curve === 'straight' ? curveLinear : curveMonotoneX)
  const d = shape(rows) ?? ''
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- d3 asks for a whole canvas
  shape.context(context as any)(rows)
  const curve = (at: number): number => {
    const i = Math.floor(clamp(at, 0, Math.max(n - 1, 0)))
    const bend = bends[i]
    if (!bend) return y(steps ? rows[i]!.value : valueAt(rows, at))
    const [a, b, c, e] = [y(rows[i]!.value), ...bend] as [number, number, number, number]
    const t = at - i
    const u = 1 - t
    return a * u * u * u + 3 * b * u * u * t + 3 * c * u * t * t + e * t * t * t
  }
  return {
    x, y, d, curve, ticks,
    value, beside, under, decimals, short, left, right, size,
    zero: y(Math.max(y.domain()[0]!, Math.min(0, y.domain()[1]!))),
    written: brief,
    plain,
    bare,
    valued: (i: number) => n > 1 && i < n - 1 && (few || (i === best && free(i))),
    over,
    // The label of the first and of the last point stays in the part's room.
    room: (i: number) => Math.min(widest, 30, 2 * Math.min(x(i), box.w - x(i)) + 2),
    marked,
    strong: (i: number) => i === (marked >= 0 ? marked : n - 1),
    labelled: (i: number) => labelled && x(i) >= 0 && (i === marked || ((n - 1 - i) % every === 0 && !(marked >= 0 && Math.abs(i - marked) * step < Math.min(widest, 30)))),
  }
}
