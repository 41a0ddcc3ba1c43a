import { scaleLinear } from 'd3-scale'
import { curveMonotoneX, line as lineOf } from 'd3-shape'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, filling, staged } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, faint, Label, Room, steady, Target } from './chart'
import { decimalsOf, type Figure, written } from './figures'
import { ems } from './measure'

export interface SeriesPart extends Figure {
  id: string
  kind: 'series'
  /** Lines over the labels, or bars beside each other at each label. */
  form: 'line' | 'bars'
  labels: string[]
  series: { name: string; values: (number | null)[]; color?: string }[]
  /** How thick lines are; 1 is the usual. */
  thick?: number
  /** A value that is aimed at. */
  target?: number
  /** Colours that a person asks for, in the order of the series. */
  fills?: string[]
}

const least = 2.9

type Props = PartProps & { part: SeriesPart }

export const series: PartFace = { draw: Series as PartFace['draw'] }

/** Several series on one scale, with a key above. */
function Series({ part, v, look, box }: Props) {
  const { labels } = part
  const n = labels.length
  const plot = plotOf(part, box)
  const { x, y, zero } = plot
  const show = clamp(v.enter! * 6)
  const fill = (k: number) => part.series[k]!.color ?? part.fills?.[k] ?? look.series[k % look.series.length]!
  const way = steady(look, clamp((v.enter! - 0.08) / 0.92))
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        <defs>
          <clipPath id={`${part.id}-drawn`}>
            <rect x={0} y={-20} width={way < 1 ? x(way * (n - 1)) : box.w + 20} height={box.h + 40} />
          </clipPath>
        </defs>
        {plot.ticks.map((tick) => (
          <line key={tick} x1={plot.left} x2={plot.left + (box.w - plot.left) * show} y1={y(tick)} y2={y(tick)} stroke={faint(look.ink, tick === 0 ? 0.4 : 0.13)} strokeWidth={tick === 0 ? 0.3 : 0.2} />
        ))}
        {part.form === 'line' && <g clipPath={`url(#${part.id}-drawn)`}>{part.series.map((_, k) => <Line key={k} part={part} k={k} plot={plot} look={look} fill={fill(k)} />)}</g>}
        {part.form === 'bars' &&
          labels.map((_, i) =>
            part.series.map(({ values }, k) => {
              const end = zero + (y(values[i] ?? 0) - zero) * filling(look, staged(v.enter!, i, n, clamp(2.6 / n, 0.3, 0.75)))
              return <rect key={`${i} ${k}`} x={plot.bar(i, k)} y={Math.min(zero, end)} width={plot.thick} height={Math.abs(end - zero)} rx={look.style === 'cinematic' ? 0.2 : Math.min(plot.thick * 0.2, 1)} fill={fill(k)} />
            }),
          )}
      </Drawing>
      {plot.ticks.map((tick) => (
        <Label key={tick} x={plot.left - 1.6} y={y(tick)} size={least} align="right" style={{ color: look.soft, opacity: show }}>
          {written(tick, { ...part, decimals: plot.decimals }, plot.short)}
        </Label>
      ))}
      {labels.map(
        (label, i) =>
          i % plot.every === 0 && (
            <Label key={i} x={x(i)} y={box.h - plot.size * 0.7} size={plot.size} align="center" width={plot.room} style={{ color: look.soft, fontWeight: 550, opacity: clamp(v.enter! * 5 - i / n) }}>
              {label}
            </Label>
          ),
      )}
      {part.form === 'bars' &&
        plot.number > 0 &&
        labels.map((_, i) =>
          part.series.map(({ values }, k) => {
            const p = staged(v.enter!, i, n, clamp(2.6 / n, 0.3, 0.75))
            const value = values[i]
            return (
              value != null && (
                <Label key={`${i} ${k}`} x={plot.bar(i, k) + plot.thick / 2} y={zero + (y(value) - zero) * filling(look, p) + (value < 0 ? 1 : -1) * plot.number * 0.8} size={plot.number} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(p * 4) }}>
                  {written(value, part, plot.short)}
                </Label>
              )
            )
          }),
        )}
      {part.form === 'line' &&
        part.series.map((s, k) => (
          <Label key={k} x={plot.ends[k]!.x + 1.6} y={plot.ends[k]!.y} size={plot.tag} style={{ color: look.ink, fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp((way - 0.9) * 10) }}>
            {written(s.values[plot.ends[k]!.i]!, part, plot.short)}
          </Label>
        ))}
      {part.target !== undefined && <Target look={look} y={y(part.target)} from={plot.left} to={box.w} share={clamp(v.enter! * 3 - 0.3)} text={written(part.target, part, plot.short)} size={least * 1.1} />}
      {part.series.map((s, k) => {
        const key = plot.keys[k]!
        const p = coming(look, staged(v.enter! * 2, k, part.series.length, 0.6))
        return (
          <div key={k} style={{ opacity: clamp(p * 2) }}>
            <div style={{ position: 'absolute', left: `${key.x}rem`, top: `${key.y - plot.font * 0.4}rem`, width: `${plot.font * 0.8}rem`, height: `${plot.font * 0.8}rem`, background: fill(k), borderRadius: look.style === 'cinematic' ? '0.1rem' : '30%' }} />
            <Label x={key.x + plot.font * 1.2} y={key.y} size={plot.font} width={key.width} style={{ fontWeight: 600, textAlign: 'start' }}>{s.name}</Label>
          </div>
        )
      })}
    </Room>
  )
}

/** A line through its points; where a value is missing the line goes on to the next. */
function Line({ part, k, plot, look, fill }: { part: SeriesPart; k: number; plot: ReturnType<typeof plotOf>; look: Look; fill: string }) {
  const points = part.series[k]!.values.flatMap((value, i) => (value === null ? [] : [[plot.x(i), plot.y(value)] as [number, number]]))
  const thick = { playful: 1.3, smooth: 0.9, cinematic: 0.6 }[look.style] * (points.length > 60 ? 0.7 : 1) * (part.thick ?? 1)
  return (
    <>
      <path d={lineOf().curve(curveMonotoneX)(points) ?? ''} fill="none" stroke={fill} strokeWidth={thick} strokeLinejoin="round" strokeLinecap="round" />
      {points.length <= 16 && points.map(([x, y], i) => <circle key={i} cx={x} cy={y} r={thick * 1.1} fill={fill} />)}
    </>
  )
}

/** The scales, and where keys, labels and numbers stand. */
function plotOf(part: SeriesPart, box: Size) {
  const { labels, form } = part
  const n = labels.length
  const many = part.series.length
  const values = [...part.series.flatMap((s) => s.values.filter((value): value is number => value !== null)), ...(part.target === undefined ? [] : [part.target])]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const font = clamp(box.w / 30, least, 4.2)
  const keys = keysOf(part, box, font)
  const named = labels.some((l) => l !== '')
  const size = clamp(box.w / Math.max(n, 3) / 3.4, least, 4.4)
  const bottom = box.h - (named ? size * 1.4 + 2 : 1)
  const from = form === 'line' && low >= 0 && low > high * 0.6 && high > low ? low - (high - low) * 0.25 : Math.min(low, 0)
  const y = scaleLinear().domain([from, Math.max(high, 0) === from ? from + 1 : Math.max(high, form === 'bars' ? 0 : high)]).nice(4).range([bottom, keys.height + 5])
  const ticks = y.ticks(bottom - keys.height > 45 ? 4 : 3)
  const decimals = Math.max(0, ...ticks.map(decimalsOf))
  const short = Math.max(...values.map(Math.abs)) >= 10000
  const left = Math.max(...ticks.map((t) => ems(written(t, { ...part, decimals }, short)))) * least * 1.1 + 2.4
  const broad = Math.max(...values.map((value) => ems(written(value, part, short)))) * 1.1
  const tag = clamp(box.w / 30, least, 4.6)
  const cell = (box.w - left) / n
  const x = form === 'bars' ? (i: number) => left + cell * (i + 0.5) : scaleLinear().domain(n > 1 ? [0, n - 1] : [-1, 1]).range([left + 3, box.w - broad * tag - 2.6])
  const thick = Math.min((cell * 0.76) / many, 14)
  const gap = Math.min(thick * 0.1, 0.6)
  const step = form === 'bars' ? cell : (x(1) - x(0)) || box.w
  const widest = Math.max(...labels.map((l) => ems(l))) * size * 1.08 + 2
  const every = form === 'bars' && n <= 12 ? 1 : Math.max(1, Math.ceil(Math.min(widest, 30) / step))
  // The last values stand beside their points, and never on each other.
  const ends = part.series.map((s) => {
    const i = s.values.reduce<number>((last, value, j) => (value === null ? last : j), 0)
    return { i, x: x(i), y: y(s.values[i] ?? 0) }
  })
  const order = ends.map((_, k) => k).sort((a, b) => ends[b]!.y - ends[a]!.y)
  order.forEach((k, j) => j > 0 && (ends[k]!.y = Math.min(ends[k]!.y, ends[order[j - 1]!]!.y - tag * 1.15)))
  return {
    x, y, ticks, decimals, short, left, size, font, every, tag, ends, thick: thick - gap,
    keys: keys.places,
    zero: y(Math.max(y.domain()[0]!, Math.min(0, y.domain()[1]!))),
    room: Math.max(Math.min(widest, step * every), 4),
    bar: (i: number, k: number) => x(i) - (thick * many) / 2 + thick * k + gap / 2,
    number: broad * least <= thick * 1.05 ? Math.min(thick / broad, 4.4) : 0,
  }
}

/** The keys stand in rows above the plot. */
function keysOf(part: SeriesPart, box: Size, font: number) {
  const places: { x: number; y: number; width: number }[] = []
  let [x, row] = [0, 0]
  for (const s of part.series) {
    const width = Math.min(ems(s.name) * font * 1.12 + 0.6, box.w - font * 1.2)
    if (x > 0 && x + font * 1.2 + width > box.w) [x, row] = [0, row + 1]
    places.push({ x, y: font * (0.7 + row * 1.5), width })
    x += font * 2.6 + width
  }
  return { places, height: font * 1.5 * (row + 1) }
}
