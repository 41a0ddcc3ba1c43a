import { eases, type Manner } from './manner'
import type { Side, Weather } from './data'
import { type Kind, listed, quoted, reading } from './kinds'
import type { Ease, Key, Part } from './story'

/** The pure side of the parts that show data: numbers, charts, clocks, code. */

interface Row {
  label: string
  value: number
}

/** Seconds as 1:30. */
const minutes = (n: number): string => `${Math.floor(n / 60)}:${String(n % 60).padStart(2, '0')}`

const short = (rows: Row[], format?: string): string => {
  const named = rows.slice(0, 8).map((r) => `${r.label} ${format === 'duration' ? minutes(r.value) : Number(r.value.toPrecision(12))}`.trim())
  return named.join(', ') + (rows.length > 8 ? ` and ${rows.length - 8} more` : '')
}

const sideOf = (side: Side): string => [side.name, side.figure].filter(Boolean).join(' ') || side.lines?.[0] || ''
/** A side with its points. */
const wholeSide = (side: Side): string => (side.name || side.figure) && side.lines?.length ? `${sideOf(side)} (${side.lines.join(', ')})` : sideOf(side)

/** A day with its weather. */
const dayOf = (day: Weather): string => [day.name, day.words, [day.figure, day.low].filter(Boolean).join(' / '), ...(day.lines ?? [])].filter(Boolean).join(' ')

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)

/** Fast at first, as a CSS curve. */
const slowing: Ease = [0.33, 1, 0.68, 1]

/** A value that runs while its part comes in. */
const running = (from: number, to: number, ease: Key[2]) => (at: number, seconds: number): Record<string, Key[]> => ({ value: [[at, from, ease], [at + seconds, to]] })

/** The hands of a clock go from hour to hour and rest a little at each; at most twelve times. */
function ticking(part: Part, at: number, seconds: number): Key[] {
  const span = part.to - part.from
  const step = Math.max(Math.ceil(span / 60 / 12), 1) * 60
  const stops: number[] = [part.from]
  for (let t = Math.floor(part.from / step) * step + step; t < part.to; t += step) stops.push(t)
  stops.push(part.to)
  return stops.map((value, i): Key => {
    const share = (value - part.from) / Math.max(span, 1)
    return i < stops.length - 1 ? [at + share * seconds, value, eases.inOutCubic] : [at + seconds, value]
  })
}

/** Seconds in which the window of a recording opens. */
const opening = (manner: Manner) => Math.min(manner.enter, 1) * 0.8

export const dataKinds: Record<string, Kind> = {
  counter: {
    values: { value: 0 },
    enter: (_, manner) => manner.enter * 1.6 + 1,
    read: () => 1.4,
    // Numbers that run want more time at both ends than what is only seen to grow.
    run: (part, manner, at, seconds) => running(part.from, part.to, manner.run === eases.outQuint ? slowing : eases.inOutCubic)(at, seconds * 0.9),
    says: (part) => `A number runs from ${part.from} to ${part.to}.`,
  },
  countdown: {
    values: { value: 0 },
    enter: (_, manner) => manner.enter,
    read: () => 0,
    run: (part, _, __, ___, scene) => ({ value: [[0, part.from, eases.linear], [scene, part.to + (part.from >= part.to ? -1 : 1)]] }),
    says: (part) => {
      const [from, to] = [part.from, part.to].map((n: number) => (part.format === 'duration' ? minutes(n) : n))
      return `Numbers count ${part.from >= part.to ? 'down' : 'up'} from ${from} to ${to}.`
    },
  },
  clock: {
    values: { value: 0 },
    enter: (part, manner) => (part.ticks ? manner.enter : Math.min(Math.max((part.to - part.from) / 60, 3), 7) * Math.min(manner.enter, 1.2)),
    read: () => 1.5,
    run: (part, _, at, seconds, scene) => ({ value: part.ticks ? [[0, part.from, eases.linear], [scene, part.from + scene / 60]] : ticking(part, at, seconds) }),
    says: (part) => (part.shows ? `A clock shows ${part.says.to}${part.digital ? ' in digits' : ''} and ticks.` : part.ticks ? 'A clock ticks.' : `The ${part.digital ? 'digits' : 'hands'} of a clock go from ${part.says.from} to ${part.says.to}.`),
  },
  progress: {
    values: { value: 0 },
    enter: (_, manner) => manner.enter * 2,
    read: () => 1.2,
    run: (part, manner, at, seconds) => running(part.from ?? 0, part.value, manner.run)(at + seconds * 0.1, seconds * 0.9),
    says: (part) => `A ${part.shape ?? 'ring'} ${part.from > part.value ? 'empties' : 'fills'} to ${part.value} %.`,
  },
  bars: {
    enter: (part, manner) => manner.enter * (1.3 + Math.min(part.rows.length, 20) * 0.09),
    read: (part) => 1 + Math.min(part.rows.length, 12) * 0.28,
    says: (part) => `${part.rows.length === 1 ? 'A bar grows' : `${part.rows.length} bars grow`}: ${short(part.rows, part.format)}.`,
  },
  figures: {
    enter: (part, manner) => manner.enter * (1.6 + Math.min(part.rows.length, 12) * 0.16),
    read: (part) => 1 + Math.min(part.rows.length, 12) * 0.35,
    says: (part) => `${part.rows.length} numbers run up together: ${listed(part.rows.map((r: Row & { unit?: string }) => [r.label, String(Number(r.value.toPrecision(12))), r.unit].filter(Boolean).join(' ')), 8)}.`,
  },
  score: {
    enter: (_, manner) => manner.enter * 1.7 + 0.6,
    read: (part) => 1.6 + part.sides.length * 0.4,
    says: (part) => `Two numbers count up beside each other: ${listed(part.sides.map(sideOf))}.`,
  },
  sides: {
    enter: (part, manner) => manner.enter * (1.5 + Math.min(part.sides.length, 4) * 0.3 + (part.arrow ? 0.4 : 0)),
    read: (part) => Math.min(1 + reading(part.sides.map((s: Side) => [s.name, s.figure, ...(s.lines ?? [])].filter(Boolean).join(' ')).join(' ')) * 0.8, 14),
    says: (part) => `${part.arrow ? 'One becomes the other' : part.sides.length === 1 ? 'A card comes' : `${part.sides.length} cards come beside each other`}: ${listed(part.sides.map(wholeSide))}${part.best >= 0 && !part.arrow ? `; ${sideOf(part.sides[part.best])} stands out` : ''}.`,
  },
  weather: {
    enter: (part, manner) => manner.enter * (1.5 + Math.min(part.days.length, 8) * 0.2),
    read: (part) => Math.min(1 + reading(part.days.map(dayOf).join(' ')) * 0.8, 12),
    moves: true,
    says: (part) => `The weather is shown${part.of?.length ? ` of ${listed(part.of.map(quoted))}` : ''}: ${listed(part.days.map(dayOf), 10)}.`,
  },
  line: {
    enter: (part, manner) => manner.enter * (2.2 + Math.min(part.rows.length, 24) * 0.05),
    read: (part) => 1 + Math.min(part.rows.length, 12) * 0.2,
    moves: true,
    says: (part) => `A line is drawn through ${part.rows.length} values: ${short(part.rows, part.format)}.`,
  },
  series: {
    enter: (part, manner) => manner.enter * (2 + Math.min(part.labels.length, 24) * 0.06),
    read: (part) => 1.4 + Math.min(part.labels.length * part.series.length, 24) * 0.14,
    says: (part) => `${part.form === 'line' ? `${part.series.length} lines are drawn` : `Bars of ${part.series.length} series grow`} beside each other: ${listed(part.series.map((s: { name: string; values: (number | null)[] }) => `${s.name} ${s.values.slice(0, 8).map((value) => value ?? '–').join(', ')}${s.values.length > 8 ? ', …' : ''}`.trim()), 6)}.`,
  },
  pie: {
    enter: (_, manner) => manner.enter * 1.9,
    read: (part) => 1 + Math.min(part.rows.length, 12) * 0.3,
    says: (part) => `A ${part.donut ? 'ring' : 'pie'} with ${part.rows.length} ${part.rows.length === 1 ? 'part' : 'parts'} is filled: ${short(part.rows, part.format)}.`,
  },
  code: {
    enter: (part, manner) => (part.how === 'lines' ? manner.enter * (1.2 + part.code.split('\n').length * 0.16) : Math.min(Math.max(1 + part.code.replace(/\s+/g, ' ').length * 0.034, 2), 12)),
    read: (part) => Math.min(1.2 + part.code.split('\n').length * 0.2, 5),
    moves: true,
    says: (part) => `Code is ${part.how === 'lines' ? 'shown line by line' : 'typed'} in a window${part.title ? ` named ${quoted(part.title)}` : ''}: ${quoted(cut(part.code, 80))}.`,
  },
  terminal: {
    enter: (part) => Math.min(Math.max(0.8 + part.lines.reduce((sum: number, l: { type: string; text: string }) => sum + (l.type === 'command' ? 0.55 + l.text.length * 0.055 : l.type === 'busy' ? 1.3 : 0.14), 0), 2), 16),
    read: (part) => Math.min(1.2 + part.lines.length * 0.15, 4),
    moves: true,
    says: (part) => {
      const commands = part.lines.filter((l: { type: string }) => l.type === 'command').map((l: { text: string }) => quoted(cut(l.text, 60)))
      return `In a terminal ${listed(commands)} ${commands.length > 1 ? 'are' : 'is'} typed.`
    },
  },
  recording: {
    values: { at: 0, open: 1 },
    whole: true,
    enter: (part, manner) => part.seconds + opening(manner),
    read: () => 1.2,
    run: (part, manner, at, seconds): Record<string, Key[]> => {
      // In a scene that is too short, all goes faster.
      const opened = opening(manner) * Math.min(seconds / (part.seconds + opening(manner)), 1)
      // The video begins with something to see.
      return { open: [[at, at > 0 ? 0 : 0.4, eases.linear], [at + opened, 1]], at: [[at + opened, 0, eases.linear], [at + seconds, 1]] }
    },
    says: (part) => `A recording of a terminal, ${String(part.src).split('/').pop()}, plays for ${Math.round(part.seconds * 10) / 10} s.`,
  },
  orbit: {
    values: { turn: 0 },
    enter: (part, manner) => manner.enter * (1.6 + Math.min(part.bodies.length, 12) * 0.12),
    read: () => 4,
    run: (part, _, __, ___, scene) => ({ turn: [[0, 0, eases.linear], [scene, part.loop ? 1 : scene / 10]] }),
    moves: true,
    says: (part) => (part.what === 'atom' ? `${part.bodies.length === 1 ? 'An electron goes' : `${part.bodies.length} electrons go`} round a nucleus.` : `${part.bodies.length === 1 ? 'A planet goes' : `${part.bodies.length} planets go`} round the sun: ${listed(part.bodies.map((b: { label?: string }) => b.label ?? '').filter(Boolean), 10)}.`),
  },
}
