import { css, oklch, parse, readable } from '../colour'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, filling, staged } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, Label, Room, type Row } from './chart'
import { decimalsOf, type Figure, written } from './figures'
import { ems } from './measure'

/** Several numbers that have no scale in common, a tile each: { rows }, each row with its own way of being written. */
export interface FiguresPart {
  id: string
  kind: 'figures'
  rows: (Row & Figure)[]
  /** Colour of the numbers that a person asks for. */
  fill?: string
}

type Props = PartProps & { part: FiguresPart }

export const figures: PartFace = { draw: Figures as PartFace['draw'] }

interface Tiles {
  columns: number
  w: number
  h: number
  font: number
  name: number
}

const gap = 6

/** The columns with which the numbers are largest. */
function tiled(rows: FiguresPart['rows'], room: Size, look: Look): Tiles {
  const number = Math.max(...rows.map((r) => ems(text(r, 1)) * 1.22), 1.8)
  const label = Math.max(...rows.map((r) => ems(r.label)), 1)
  const tiles = rows.map((_, i): Tiles => {
    const columns = i + 1
    const down = Math.ceil(rows.length / columns)
    const [w, h] = [(room.w - gap * (columns - 1)) / columns, Math.min((room.h - gap * (down - 1)) / down, 44)]
    const font = Math.min(w / number, h * 0.5, 26) * Math.min(look.size, 1)
    return { columns, w, h, font, name: Math.min(font * 0.46, (w * 2) / label, h * 0.16, 6) }
  })
  // A last row that is not full looks left over, most of all one tile alone.
  const worth = (t: Tiles) => t.font * Math.min(t.name, 4) * (rows.length % t.columns === 0 ? 1 : rows.length % t.columns === 1 ? 0.4 : 0.8)
  return tiles.reduce((best, t) => (worth(t) > worth(best) * 1.01 ? t : best))
}

/** A number on its way to its value. */
const text = (row: Row & Figure, p: number) => written(p < 1 ? row.value * p : row.value, { ...row, decimals: row.decimals ?? (row.short ? 1 : decimalsOf(row.value)) }, row.short)

function Figures({ part, v, look, box }: Props) {
  const { rows } = part
  const n = rows.length
  const { columns, w, h, font, name } = tiled(rows, box, look)
  const down = Math.ceil(n / columns)
  const high = Math.min(h, font * 1.3 + name * 2.9 + 6)
  const top = (box.h - high * down - gap * (down - 1)) / 2
  const thick = { playful: 1.6, smooth: 0.6, cinematic: 0.26 }[look.style]
  const place = (i: number) => {
    const row = Math.floor(i / columns)
    const inRow = Math.min(columns, n - row * columns)
    return { x: (box.w - inRow * w - gap * (inRow - 1)) / 2 + (i % columns) * (w + gap), y: top + row * (high + gap) }
  }
  const fill = (i: number) => rows[i]!.color ?? look.series[i % look.series.length]!
  // A number in a colour of its own can be read; the stroke above it has the colour as it is asked for.
  const ink = (i: number) => (rows[i]!.color ? css(readable(parse(rows[i]!.color!), look.colour.base ?? oklch(1, 0, 0), 3)) : look.ink)
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        {rows.map((_, i) => {
          const { x, y } = place(i)
          const wide = Math.min(w, 22) * filling(look, staged(v.enter!, i, n, 0.5))
          return wide > 0 && <rect key={i} x={x + (w - wide) / 2} y={y} width={wide} height={thick} rx={look.style === 'playful' ? thick / 2 : 0} fill={fill(i)} />
        })}
      </Drawing>
      {rows.map((row, i) => {
        const p = staged(v.enter!, i, n, 0.5)
        const { x, y } = place(i)
        return (
          <div key={i} style={{ opacity: clamp(p * 4), transform: `translateY(${(1 - coming(look, p)) * 2}rem)` }}>
            <Label x={x + w / 2} y={y + thick + 2.4 + font * 0.6} size={font} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, color: part.fill ?? ink(i) }}>
              {text(row, filling(look, p))}
            </Label>
            <Label x={x + w / 2} y={y + thick + 2.4 + font * 1.24 + name * 1.35} size={name} align="center" width={w} lines={2} style={{ color: look.soft, fontWeight: 550, lineHeight: 1.15 }}>
              {row.label}
            </Label>
          </div>
        )
      })}
    </Room>
  )
}
