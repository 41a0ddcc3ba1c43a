import { scaleLinear } from 'd3-scale'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, staged } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, faint, Label, mixed, placeOf, Room, type Row, Target } from './chart'
import { decimalsOf, type Figure, written } from './figures'
import { clipped, ems, lines, longestWord } from './measure'

export interface BarsPart extends Figure {
  id: string
  kind: 'bars'
  rows: Row[]
  /** Which bar stands out; auto is the largest where all are of one colour. */
  highlight?: 'auto' | 'largest' | 'smallest' | 'last' | 'none'
  /** The name of the bar that stands out. */
  marked?: string
  /** One colour for all bars, or a colour for each. */
  colours?: 'one' | 'each'
  /** Colours that a person asks for: bars take turns in them. */
  fills?: string[]
  /** Bars that stand or lie; what fits without it. */
  form?: 'upright' | 'lying'
  /** A value that is aimed at: a line across bars that stand. */
  target?: number
}

type Props = PartProps & { part: BarsPart }

export const bars: PartFace = { draw: Bars as PartFace['draw'], need: (part, _, room) => needOf(part as unknown as BarsPart, room) }

/** A bar chart: columns where there is room for their labels, else bars that lie. */
function Bars(props: Props) {
  const { part, look, box, v } = props
  const shape = shapeOf(part, box)
  const paint = painted(part, look)
  return (
    <Room look={look} box={box} v={v}>
      {shape.kind === 'columns' ? <Columns {...props} paint={paint} cell={shape.cell} /> : <Lying {...props} paint={paint} blocks={shape.blocks} above={shape.above} />}
    </Room>
  )
}

type Paint = (i: number) => { fill: string; strong: boolean }

function painted(part: BarsPart, look: Look): Paint {
  const usual = plainly(part, look)
  return (i) => ({ ...usual(i), ...(part.rows[i]!.color && { fill: part.rows[i]!.color, strong: true }) })
}

function plainly(part: BarsPart, look: Look): Paint {
  const { rows, fills = [] } = part
  const marked = placeOf(rows, part.marked)
  const named = marked >= 0 || ['largest', 'smallest', 'last'].includes(part.highlight ?? '')
  const chosen = part.highlight ?? 'auto'
  const largest = rows.reduce((best, row, i) => (!row.rest && row.value > rows[best]!.value ? i : best), 0)
  const smallest = rows.reduce((best, row, i) => (!row.rest && row.value < rows[best]!.value ? i : best), 0)
  const strong = marked >= 0 ? marked : chosen === 'smallest' ? smallest : chosen === 'none' ? -1 : chosen === 'last' ? rows.length - 1 : largest
  // "April in red, the rest grey" names the two colours in this order.
  const two = named && fills.length === 2 && strong >= 0 && !rows[strong]!.color
  if (fills.length > 0 && !two && (fills.length > 1 || !named)) return (i) => ({ fill: fills[i % fills.length]!, strong: true })
  const each = part.colours ? part.colours === 'each' : !named && look.style === 'playful' && rows.length <= 8
  if (each) return (i) => ({ fill: look.series[i % look.series.length]!, strong: true })
  const loud = fills[0] ?? look.accent
  const quiet = two ? fills[1]! : fills[0] ? mixed(fills[0], look.base, 0.45) : look.style === 'smooth' ? mixed(look.accent, look.base, 0.36) : mixed(look.ink, look.base, look.style === 'playful' ? 0.42 : 0.34)
  return (i) => ({ fill: strong < 0 || i === strong ? loud : quiet, strong: i === strong })
}

type Shape = { kind: 'columns'; cell: number } | { kind: 'lying'; blocks: number; above: boolean }

/** The least size of a letter that can be read in a small video, in rem. */
const least = 2.9

function shapeOf({ rows, form }: BarsPart, { w: width, h: height }: Size): Shape {
  const cell = width / Math.max(rows.length, 3)
  const labels = rows.map((r) => r.label)
  const tall = height > width * 1.05 && rows.length > 3
  const legible = longestWord(labels) * least < cell * 0.94 && labels.every((l) => lines(l, (cell * 0.94) / least) <= 2)
  if (form === 'upright' || (!form && !tall && legible)) return { kind: 'columns', cell }
  const blocks = clamp(Math.ceil((rows.length * (width > 110 ? 4.4 : 3.6)) / height), 1, blocksIn(width))
  return { kind: 'lying', blocks, above: width < 110 && rows.length * 14 <= height }
}

/** How many bars that lie may stand beside each other. */
const blocksIn = (width: number) => Math.max(1, Math.floor(width / 42))

/** The height in which the letters beside bars that lie can just be read. */
function needOf(part: BarsPart, room: Size): number {
  return shapeOf(part, room).kind === 'lying' ? Math.ceil(part.rows.length / blocksIn(room.w)) * 2.6 : 0
}

/** The scale of the values: zero is always on it. */
function valued(rows: Row[], from: number, to: number, target?: number) {
  const values = [...rows.map((r) => r.value), ...(target === undefined ? [] : [target])]
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  return scaleLinear().domain([low, high === low ? 1 : high]).range([from, to])
}

/** The bar's growth, and the number beside it while it grows. */
function growth(look: Look, draw: number, i: number, n: number) {
  const own = clamp(2.6 / n, 0.3, 0.75)
  const p = staged(draw, i, n, own)
  // A bar goes beyond its value by half of what a text would: its number needs the room above.
  const size = 1 - (1 - coming(look, p)) * (coming(look, p) > 1 ? 0.5 : 1)
  return { p, size, count: clamp(size) }
}

function Columns({ part, v, look, box, paint, cell }: Props & { paint: Paint; cell: number }) {
  const { rows } = part
  const n = rows.length
  const font = Math.min(clamp(cell * 0.2, least, 5), Math.max((cell * 0.92) / (longestWord(rows.map((r) => r.label)) * 1.06), least * 0.9))
  const room = (cell * 0.94) / font
  const under = rows.some((r) => r.label !== '') ? font * 1.2 * Math.max(...rows.map((r) => Math.min(2, lines(r.label, room)))) + 2.2 : 0
  const negative = rows.some((r) => r.value < 0)
  const number = clamp(cell * 0.24, least, 6)
  const high = Math.min(box.h, box.w * 1.5)
  const top = (box.h - high) / 2 + number * 1.7
  const bottom = (box.h + high) / 2 - under - (negative ? number * 1.6 : 0)
  const scale = valued(rows, bottom, top, part.target)
  const zero = scale(0)
  const thick = clamp(cell * (look.style === 'cinematic' ? 0.46 : 0.64), 0.8, 28)
  const start = (box.w - cell * n) / 2
  const middle = (i: number) => start + cell * (i + 0.5)
  const full = rows.every((r) => written(r.value, part).length * 0.58 * number <= cell * 1.02)
  const sparse = n > 1 && rows.some((r) => written(r.value, part, true).length * 0.58 * least > cell)
  return (
    <>
      <Drawing box={box}>
        <defs>{look.style === 'cinematic' && <Glow id={part.id} look={look} />}</defs>
        {sparse && <Grid part={part} look={look} box={box} scale={scale} show={v.enter!} />}
        {rows.map((row, i) => {
          const { size } = growth(look, v.enter!, i, n)
          const end = zero + (scale(row.value) - zero) * size
          const { fill, strong } = paint(i)
          return <Bar key={i} id={part.id} look={look} x={middle(i) - thick / 2} y={Math.min(zero, end)} width={thick} height={Math.abs(end - zero)} fill={fill} strong={strong} to={row.value < 0 ? 'down' : 'up'} />
        })}
        <line x1={start} x2={start + cell * n * clamp(v.enter! * 3)} y1={zero} y2={zero} stroke={faint(look.ink, look.style === 'cinematic' ? 0.5 : 0.3)} strokeWidth={look.style === 'playful' ? 0.6 : 0.3} strokeLinecap="round" />
      </Drawing>
      {rows.map((row, i) => {
        const { p, size, count } = growth(look, v.enter!, i, n)
        const end = zero + (scale(row.value) - zero) * size
        const { strong } = paint(i)
        const shown = !sparse || strong || (n > 1 && extreme(rows, i))
        return (
          <div key={i}>
            {row.label !== '' && (
              <Label x={middle(i)} y={bottom + (negative ? number * 1.6 : 0) + 1.4 + (under - 2.2) / 2} size={font} align="center" width={cell * 0.96} lines={2} style={{ opacity: clamp(p * 3), color: strong ? look.ink : look.soft, fontWeight: strong ? 650 : 500 }}>
                {clipped(row.label, room, 2)}
              </Label>
            )}
            {shown && (
              <Label x={clamp(middle(i), 3, box.w - 3)} y={end + (row.value < 0 ? 1 : -1) * number * 0.85} size={number} align="center" style={{ opacity: clamp(p * 4), fontFamily: look.face.display, fontWeight: look.face.weight }}>
                {counted(row.value, count, part, !full)}
              </Label>
            )}
          </div>
        )
      })}
      {part.target !== undefined && <Target look={look} y={scale(part.target)} from={start} to={start + cell * n} share={clamp(v.enter! * 2.4 - 1.1)} text={written(part.target, part, !full)} size={least * 1.15} />}
    </>
  )
}

function extreme(rows: Row[], i: number): boolean {
  const values = rows.map((r) => r.value)
  return i === values.indexOf(Math.max(...values)) || (Math.min(...values) < 0 && i === values.indexOf(Math.min(...values)))
}

/** The number of a bar on its way to its value, with as many digits after the point as the value has. */
function counted(value: number, p: number, figure: Figure, short: boolean): string {
  return written(p < 1 ? value * p : value, { ...figure, decimals: figure.decimals ?? decimalsOf(value) }, short && Math.abs(value) >= 1000)
}

function Lying({ part, v, look, box, paint, blocks, above }: Props & { paint: Paint; blocks: number; above: boolean }) {
  const { rows } = part
  const n = rows.length
  const per = Math.ceil(n / blocks)
  const gutter = blocks > 1 ? 5 : 0
  const width = (box.w - gutter * (blocks - 1)) / blocks
  const line = Math.min(box.h / per, above ? 24 : 15)
  const top = (box.h - line * per) / 2
  const longest = Math.max(0, ...rows.map((r) => ems(r.label))) * 1.06
  const short = !above && rows.some((r) => written(r.value, part).length > 8)
  const widest = Math.max(...rows.map((r) => ems(counted(r.value, 1, part, short)))) * 1.1
  const font = above ? clamp((width - 3) / (longest + widest * 1.1), least, Math.min(5.6, line * 0.26)) : clamp(line * 0.46, Math.min(least, line * 0.86), 5)
  const number = above ? font * 1.1 : font
  const label = above ? 0 : Math.min(longest * font + 0.5, width * (blocks > 1 ? 0.48 : 0.4))
  const values = widest * number + 2
  const rowLines = line >= font * 2.4 ? 2 : 1
  const negative = rows.some((r) => r.value < 0)
  const from = label > 0 ? label + 2 : 0
  const scale = valued(rows, from + (negative ? values : 0), width - (above ? 0 : values))
  const thick = above ? clamp(line * 0.34, 1.6, 7) : clamp(line * 0.6, 1.2, 7)
  return (
    <>
      <Drawing box={box}>
        <defs>{look.style === 'cinematic' && <Glow id={part.id} look={look} lying />}</defs>
        {rows.map((row, i) => {
          const x = Math.floor(i / per) * (width + gutter)
          const y = top + (i % per) * line + (above ? line * 0.5 : (line - thick) / 2)
          const { size } = growth(look, v.enter!, i, n)
          const zero = scale(0)
          const end = zero + (scale(row.value) - zero) * size
          const { fill, strong } = paint(i)
          return (
            <g key={i}>
              {look.style !== 'cinematic' && !negative && <rect x={x + zero} y={y} width={(scale.range()[1]! - zero) * clamp(v.enter! * 3)} height={thick} rx={rounding(look, thick)} fill={groove(look)} />}
              <Bar id={part.id} look={look} x={x + Math.min(zero, end)} y={y} width={Math.abs(end - zero)} height={thick} fill={fill} strong={strong} to={row.value < 0 ? 'left' : 'right'} />
            </g>
          )
        })}
      </Drawing>
      {rows.map((row, i) => {
        const x = Math.floor(i / per) * (width + gutter)
        const row0 = top + (i % per) * line
        const { p, size, count } = growth(look, v.enter!, i, n)
        const zero = scale(0)
        const end = x + zero + (scale(row.value) - zero) * size
        const { strong } = paint(i)
        const text = counted(row.value, count, part, short)
        const fade = { opacity: clamp(p * 3) }
        const bold = { ...fade, fontFamily: look.face.display, fontWeight: look.face.weight }
        return above ? (
          <div key={i}>
            <Label x={x} y={row0 + line * 0.28} size={font} width={width - values - 1} style={{ ...fade, color: strong ? look.ink : look.soft, fontWeight: 550 }}>{row.label}</Label>
            <Label x={x + width} y={row0 + line * 0.28} size={number} align="right" style={bold}>{text}</Label>
          </div>
        ) : (
          <div key={i}>
            {label > 0 && (
              <Label x={x + label} y={row0 + line / 2} size={font} align="right" width={label} lines={rowLines} style={{ ...fade, color: strong ? look.ink : look.soft, fontWeight: strong ? 650 : 500 }}>{clipped(row.label, label / font / 1.06, rowLines)}</Label>
            )}
            <Label x={end + (row.value < 0 ? -1 : 1)} y={row0 + line / 2} size={number} align={row.value < 0 ? 'right' : 'left'} style={bold}>{text}</Label>
          </div>
        )
      })}
    </>
  )
}

/** What a bar that lies grows into. Its number stands on it, too, so on coloured grounds it is darker than they are. */
const groove = (look: Look) => (look.style === 'playful' && look.dark ? faint('#000', 0.1) : faint(look.ink, 0.07))

const rounding = (look: Look, thick: number) => (look.style === 'playful' ? Math.min(thick * 0.32, 3.4) : look.style === 'smooth' ? Math.min(1, thick * 0.2) : Math.min(0.35, thick * 0.2))

function Bar({ id, look, x, y, width, height, fill, strong, to }: { id: string; look: Look; x: number; y: number; width: number; height: number; fill: string; strong: boolean; to: 'up' | 'down' | 'left' | 'right' }) {
  if (width <= 0.01 || height <= 0.01) return null
  const upright = to === 'up' || to === 'down'
  const r = Math.min(rounding(look, upright ? width : height), upright ? height : width)
  // Only the end that grows is round, so that a bar stands on its line.
  const d = path(x, y, width, height, r, to)
  if (look.style !== 'cinematic') return <path d={d} fill={fill} />
  const end = upright ? { x, width, y: to === 'up' ? y : y + height - 0.5, height: 0.5 } : { y, height, x: to === 'right' ? x + width - 0.5 : x, width: 0.5 }
  return (
    <>
      <path d={d} fill={fill} opacity={strong ? 1 : 0.85} mask={to === 'up' || to === 'right' ? `url(#${id}-fall)` : undefined} />
      <rect {...end} fill={strong ? mixed('white', fill, 0.55) : fill} />
    </>
  )
}

function path(x: number, y: number, w: number, h: number, r: number, to: 'up' | 'down' | 'left' | 'right'): string {
  const [tl, tr, br, bl] = { up: [r, r, 0, 0], right: [0, r, r, 0], down: [0, 0, r, r], left: [r, 0, 0, r] }[to] as [number, number, number, number]
  return `M${x + tl} ${y}H${x + w - tr}a${tr} ${tr} 0 0 1 ${tr} ${tr}V${y + h - br}a${br} ${br} 0 0 1 ${-br} ${br}H${x + bl}a${bl} ${bl} 0 0 1 ${-bl} ${-bl}V${y + tl}a${tl} ${tl} 0 0 1 ${tl} ${-tl}Z`
}

/** Cinematic bars are lit at the end that grows, and dark where they stand. */
function Glow({ id, lying }: { id: string; look: Look; lying?: boolean }) {
  return (
    <>
      <linearGradient id={`${id}-light`} x1="0" y1="0" x2={lying ? '1' : '0'} y2={lying ? '0' : '1'}>
        <stop offset="0" stopColor={lying ? '#666' : '#fff'} />
        <stop offset="1" stopColor={lying ? '#fff' : '#666'} />
      </linearGradient>
      <mask id={`${id}-fall`} maskContentUnits="objectBoundingBox">
        <rect width="1" height="1" fill={`url(#${id}-light)`} />
      </mask>
    </>
  )
}

/** Lines at round values, where the bars are too many to have their numbers. */
function Grid({ part, look, box, scale, show }: { part: BarsPart; look: Look; box: Size; scale: ReturnType<typeof valued>; show: number }) {
  return (
    <g opacity={clamp(show)}>
      {scale.ticks(4).map((tick) => (
        <g key={tick}>
          <line x1={0} x2={box.w} y1={scale(tick)} y2={scale(tick)} stroke={faint(look.ink, 0.14)} strokeWidth={0.2} />
          <text x={0} y={scale(tick) - 0.8} fontSize={least} fill={look.soft}>{written(tick, part, true)}</text>
        </g>
      ))}
    </g>
  )
}
