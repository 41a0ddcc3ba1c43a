import { arc, pie as pieOf } from 'd3-shape'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, staged } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, Label, mixed, placeOf, Room, type Row, steady } from './chart'
import { decimalsOf, type Figure, written } from './figures'
import { ems } from './measure'

export interface PiePart extends Figure {
  id: string
  kind: 'pie'
  rows: Row[]
  donut?: boolean
  /** What stands in the middle of a donut: the largest share, the sum, or nothing. */
  middle?: 'largest' | 'sum' | 'none'
  /** Colours that a person asks for, in the order of the slices; of one alone there are shades. */
  fills?: string[]
  /** The name of the slice that stands out: the largest if there is no such slice. */
  marked?: string
}

const least = 2.9

type Props = PartProps & { part: PiePart }

export const pie: PartFace = { draw: Pie as PartFace['draw'] }

/** Parts of a whole as slices, with their names and values beside them. */
function Pie({ part, v, look, box }: Props) {
  const { rows } = part
  const n = rows.length
  const sum = rows.reduce((all, r) => all + Math.max(r.value, 0), 0) || 1
  const wide = box.w > box.h * 1.4
  const share = shareOf(rows, sum, part)
  const written = valueOf(part, sum, share)
  const keys = keysOf(rows.filter((r) => !r.keyless), box, wide, Math.max(3, ...rows.map((_, i) => ems(written(i, 1)) + 0.4)))
  const radius = Math.max((wide ? Math.min(box.h, box.w - keys.width - 8) : Math.min(box.w, box.h - keys.height - 5)) / 2 - 1.5, 4)
  const across = wide ? radius * 2 + 8 + keys.width : box.w
  const cx = wide ? (box.w - across) / 2 + radius : box.w / 2
  const down = wide ? box.h : radius * 2 + 6 + keys.height
  const cy = wide ? box.h / 2 : (box.h - down) / 2 + radius + 1
  const slices = pieOf<Row>().sort(null).value((r) => Math.max(r.value, 0))(rows)
  const hole = part.donut ? radius * { playful: 0.56, smooth: 0.66, cinematic: 0.78 }[look.style] : 0
  const gap = n > 1 && n < 25 ? { playful: 0.9, smooth: 0.5, cinematic: 0.5 }[look.style] : 0
  const swept = steady(look, v.enter! * 1.08)
  const marked = placeOf(rows, part.marked)
  const best = marked >= 0 ? marked : rows.reduce((b, r, i) => (!r.rest && r.value > rows[b]!.value ? i : b), 0)
  const far = marked >= 0 ? 0.11 : n < 9 && look.style !== 'cinematic' && !part.donut ? 0.05 : 0
  const fill = (i: number) => (rows[i]!.rest ? mixed(look.ink, look.base, 0.3) : colour(part, look, i))
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        <g transform={`translate(${cx} ${cy}) rotate(${(1 - swept) * -70}) scale(${0.86 + 0.14 * coming(look, v.enter! * 1.6)})`}>
          {slices.map((s, i) => {
            const from = s.startAngle
            const to = Math.min(s.endAngle, swept * 2 * Math.PI)
            if (to - from < 0.001) return null
            const out = i === best && n > 1 ? radius * far * coming(look, (v.enter! - 0.75) / 0.25) : 0
            const mid = (from + to) / 2
            const d = arc().cornerRadius(look.style === 'playful' ? 1.6 : look.style === 'smooth' ? 0.7 : 0)({ innerRadius: hole, outerRadius: radius, startAngle: from, endAngle: to, padAngle: hole > 0 ? gap / ((hole + radius) / 2) : gap / radius })
            return <path key={i} d={d ?? ''} fill={fill(i)} transform={out ? `translate(${Math.sin(mid) * out} ${-Math.cos(mid) * out})` : undefined} />
          })}
        </g>
      </Drawing>
      {part.donut && part.middle !== 'none' && <Middle part={part} look={look} p={swept} sum={sum} share={share(best, swept)} label={rows[best]!.label} x={cx} y={cy} hole={hole} />}
      {rows.map((row, i) => {
        if (row.keyless) return null
        const p = staged(v.enter!, i, n, clamp(2.2 / n, 0.3, 0.7))
        const column = Math.floor(i / keys.per)
        const left = wide ? cx + radius + 8 : (box.w - keys.width) / 2
        const x = left + column * (keys.cell + keys.between)
        const y = (wide ? (box.h - keys.height) / 2 : cy + radius + 6) + (i % keys.per) * keys.line + keys.line / 2
        const shown = clamp(p * 2.5)
        const slide = (1 - coming(look, p)) * 4
        const mark = keys.font * 0.86
        return (
          <div key={i} style={{ opacity: shown, transform: `translateX(${slide}rem)` }}>
            <div style={{ position: 'absolute', left: `${x}rem`, top: `${y - mark / 2}rem`, width: `${mark}rem`, height: `${mark}rem`, background: fill(i), borderRadius: look.style === 'cinematic' ? '0.1rem' : look.style === 'smooth' ? '30%' : '50%' }} />
            <Label x={x + mark + keys.font * 0.45} y={y} size={keys.font} width={keys.name} style={{ fontWeight: i === marked ? 750 : 550, textAlign: 'start' }}>{row.label || '–'}</Label>
            <Label x={x + keys.cell} y={y} size={keys.font} align="right" style={{ color: i === best ? look.ink : look.soft, fontFamily: look.face.display, fontWeight: look.face.weight }}>
              {written(i, coming(look, p))}
            </Label>
          </div>
        )
      })}
    </Room>
  )
}

/** The colour of slice i: after the last of the look, the same again but paler. */
function colour({ rows, fills = [] }: PiePart, look: Look, i: number): string {
  const asked = rows[i]!.color ?? fills[i]
  if (asked) return asked
  if (fills.length === 1) return `color-mix(in oklab, ${fills[0]} ${Math.max(100 - (70 * i) / Math.max(rows.length - 1, 1), 25)}%, ${look.dark ? look.ink : look.base})`
  const own = look.series[i % look.series.length]!
  const round = Math.floor(i / look.series.length)
  return round === 0 ? own : `color-mix(in oklab, ${own} ${Math.max(100 - round * 26, 25)}%, ${look.base})`
}

/** How the value of a key is written: as it was given, or as the share where all are shares. */
function valueOf(part: PiePart, sum: number, share: (i: number, p: number) => string) {
  if (Math.abs(sum - 100) < 0.5 || part.unit === '%' || part.format === 'percent') return share
  return (i: number, p: number) => written(clamp(p) * part.rows[i]!.value, { ...part, decimals: part.decimals ?? decimalsOf(part.rows[i]!.value) })
}

/** How a share is written: values that are percent already keep their own digits, others are rounded. */
function shareOf(rows: Row[], sum: number, { locale }: Figure) {
  const given = Math.abs(sum - 100) < 0.5
  return (i: number, p: number) => {
    const value = (rows[i]!.value / sum) * 100
    const decimals = given ? Math.min(decimalsOf(rows[i]!.value), 2) : value > 0 && value < 0.95 ? 1 : 0
    return written(clamp(p) * (given ? rows[i]!.value : value), { format: 'percent', locale, decimals })
  }
}

/** The keys of the slices: how large they are, and in how many columns. value is the width of the longest value in heights of the letters. */
function keysOf(rows: Row[], box: Size, wide: boolean, value: number) {
  const n = rows.length
  const longest = Math.max(...rows.map((r) => ems(r.label || '–'))) * 1.06
  const low = !wide && box.h < box.w * 1.2
  const high = wide ? box.h : Math.min(box.h * 0.46, n * (low ? 5.8 : 7.4))
  const two = low && n > 2 && (longest + value + 2.6) * 3.2 < box.w / 2 - 4
  const columns = clamp(Math.max(Math.ceil((n * 4.2) / high), two ? 2 : 1), 1, wide ? 3 : 2)
  const per = Math.ceil(n / columns)
  const most = (wide ? box.w * (columns > 1 ? 0.56 : 0.46) : box.w) / columns
  const line = Math.min(high / per, wide ? 11.5 : low ? 5.8 : 9)
  const font = Math.min(clamp(line * (low ? 0.6 : 0.52), Math.min(least, line * 0.72), 6), Math.max(most / (longest + value + 2.4), least))
  const between = columns > 1 ? 4 : 0
  const cell = Math.min(font * (1.31 + longest + 0.8 + value), most - between)
  return { per, line, font, between, cell, name: cell - font * (1.31 + value + 0.2), width: cell * columns + between * (columns - 1), height: per * line }
}

function Middle({ part, look, p, sum, share, label, x, y, hole }: { part: PiePart; look: Look; p: number; sum: number; share: string; label: string; x: number; y: number; hole: number }) {
  const text = part.middle === 'sum' ? written(sum * p, { ...part, decimals: part.decimals ?? decimalsOf(sum) }, sum >= 100000) : share
  const size = Math.min(hole * 0.62, (hole * 1.6) / ems(text.replace(/\d/g, '0')))
  // In a small hole, or where it has no room, the name is left out: it stands beside the ring, too.
  const named = part.middle !== 'sum' && hole * 0.4 >= least && ems(label) * least <= hole * 1.3
  const under = clamp((hole * 1.3) / ems(label || '–'), least, Math.max(hole * 0.2, least))
  const apart = Math.max(under - hole * 0.2, 0) * 0.3
  return (
    <>
      <Label x={x} y={y - (named ? hole * 0.1 + apart : 0)} size={size} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(p * 3) }}>{text}</Label>
      {named && (
        <Label x={x} y={y + hole * 0.36 + apart} size={under} align="center" width={hole * 1.56} style={{ color: look.soft, opacity: clamp(p * 3) }}>{label}</Label>
      )}
    </>
  )
}
