import type { Params } from './story'

/** What stories do with data before parts show it. Pure: no Intl. */

export interface Row {
  label: string
  value: number
  /** It stands for what is too small to be shown alone. */
  rest?: boolean
  /** Its name and value do not stand among the keys. */
  keyless?: boolean
  /** A colour of its own, as #rrggbb, and the unit of its value, such as $, % or km. */
  color?: string
  unit?: string
  /** The one of several series that it belongs to. */
  series?: string
}

/** Rows as they come from a person: a label may be missing, a value may be text. */
export const rowsOf = (given: unknown): Row[] =>
  (Array.isArray(given) ? given : []).map((r: Partial<Row>) => ({ label: String(r.label ?? '').trim(), value: Number(r.value), ...(r.color && { color: r.color }), ...(r.unit && { unit: String(r.unit).trim() }), ...(r.series && { series: String(r.series).trim() }) })).filter((r) => Number.isFinite(r.value))

/** Units of one measure, each with its size in the first. */
const measures: Record<string, number>[] = Object.values({
  time: 's sec secs second seconds sekunden segundos secondes=1;min mins minute minutes minuten minutos minuti 分=60;h hr hrs hour hours std stunde stunden hora horas heure heures ora ore 時間=3600;day days tag tage día días jour jours dia dias giorno giorni 日=86400',
  length: 'mm=1;cm=10;m=1000;km=1000000',
  mass: 'mg=1;g=1000;kg=1000000;t=1000000000',
  data: 'kb=1;mb=1000;gb=1000000;tb=1000000000',
}).map((said) => Object.fromEntries(said.split(';').flatMap((one) => one.split('=')[0]!.split(' ').map((unit) => [unit, Number(one.split('=')[1])] as const))))

/** Rows of one chart in one unit, that of the first: 3 h beside 20 min is 0.33 h. Rows of unlike things stay as they are. */
export function alike(rows: Row[]): Row[] {
  const named = (row: Row) => (row.unit ?? '').toLowerCase()
  const of = measures.find((sizes) => rows.every((row) => sizes[named(row)]))
  if (!of || !unlike(rows)) return rows
  const unit = rows[0]!.unit!
  return rows.map((row) => ({ ...row, unit, value: Math.round((row.value * of[named(row)]! * 100) / of[unit.toLowerCase()]!) / 100 }))
}

/** Currencies by the signs that people write. */
const signs: Record<string, string> = { $: 'USD', us$: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '円': 'JPY', '元': 'CNY', '₹': 'INR', '₩': 'KRW', '₽': 'RUB', '₺': 'TRY', '₴': 'UAH', r$: 'BRL', zł: 'PLN', kč: 'CZK', fr: 'CHF' }
for (const code of 'USD EUR GBP JPY CHF CNY INR KRW BRL CAD AUD MXN SEK NOK DKK PLN'.split(' ')) signs[code.toLowerCase()] = code

/** How numbers are written, from the parameters that say so. What is no currency follows the number. */
export function figureOf(params: Params): { locale?: string; format?: 'currency' | 'duration'; currency?: string; suffix?: string } {
  const money = String(params.currency ?? '').trim()
  const currency = signs[money.toLowerCase()] ?? (/^[A-Z]{3}$/.test(money) ? money : undefined)
  const unit = String(params.unit || (currency ? '' : money)).trim()
  if (unit === 'min:s') return { locale: params.locale, format: 'duration' }
  return {
    locale: params.locale,
    ...(currency && { format: 'currency' as const, currency }),
    ...(unit && { suffix: /^[%°′″]/.test(unit) ? unit : `\u202f${unit}` }),
  }
}

/** Values of unlike units have no common scale. */
export const unlike = (rows: Row[]): boolean => new Set(rows.filter((r) => !r.rest).map((r) => (r.unit ?? '').toLowerCase())).size > 1

/** The rows with what they all have in common written as the whole's: the unit of every row is that of the chart. */
export const unitOf = (rows: Row[], params: Params): Params => (rows[0]?.unit && !unlike(rows) && !params.unit && !params.currency ? { ...params, currency: rows[0].unit } : params)

/** How the number of a figure is written: its own unit, or that of all; of more than a million it is shortened. */
export const figuresOf = (rows: Row[], params: Params) =>
  rows.map((row) => ({ ...row, ...figureOf(row.unit ? { ...params, currency: row.unit, unit: '' } : params), ...(Math.abs(row.value) >= 1e6 && { short: true }) }))

/** 1200000 and 25000000 are read best as 1.2M and 25M; 10000, a million, 1250000 and 1234567 are written in full. */
export function rounded(n: number): boolean {
  const size = Math.abs(n)
  const tenths = size / 10 ** (3 * Math.floor(Math.log10(Math.max(size, 1)) / 3) - 1)
  return size > 1e6 && Math.abs(tenths - Math.round(tenths)) < 1e-9
}

/** The colours that a person asks for bars or slices, in their order. */
export const fillsOf = (params: Params): string[] => [params.fill, params.fill2, params.fill3, params.fill4].filter((c): c is string => typeof c === 'string' && c.startsWith('#'))

/** What a last row is called that is a goal for all the others. */
const goals = /^(target|goal|ziel|zielwert|meta|objetivo|objectif|obiettivo|目標)$/i

/** The rows without a goal among them, and the goal: that which is asked for, or the last of three rows or more. */
export function aimed(rows: Row[], target: unknown): { rows: Row[]; target?: number } {
  if (typeof target === 'number') return { rows, target }
  const last = rows[rows.length - 1]
  return rows.length > 2 && last && goals.test(last.label) ? { rows: rows.slice(0, -1), target: last.value } : { rows }
}

const sum = (rows: Row[]) => rows.reduce((all, r) => all + r.value, 0)

/** A sentence where the row that is to stand out is none of those that are drawn. */
export const unseen = (rows: Row[], marked: unknown, what: string): string[] =>
  marked && !rows.some((row) => (row.label || String(row.value)).toLowerCase() === String(marked).toLowerCase()) ? [`There is no ${what} ${marked}, so none stands out.`] : []

/** At most so many rows: the largest stay in their order, the others become one. */
export function largest(rows: Row[], most: number, other: string): { rows: Row[]; said: string[] } {
  if (rows.length <= most) return { rows, said: [] }
  const summed = rows.some(isRest)
  const ranked = rows.map((r, i) => [isRest(r) ? -1 : Math.abs(r.value), i] as const).sort((a, b) => b[0] - a[0] || a[1] - b[1])
  const kept = new Set(ranked.slice(0, most - 1).map(([, i]) => i))
  const rest = rows.filter((_, i) => !kept.has(i))
  return {
    rows: [...rows.filter((_, i) => kept.has(i)), { label: other, value: round(sum(rest)), rest: true }],
    said: [summed ? `Of these the ${most - 1} largest are drawn; "${other}" is the sum of all others.` : `There are ${rows.length} rows; the ${most - 1} largest are shown and the other ${rest.length} are added up as "${other}".`],
  }
}

/** Whether a row is the sum of those that were too many to be read. */
const isRest = (row: Row): boolean => row.label === 'Other'

/** At most so many points over time: neighbours become their mean. */
export function thinned(rows: Row[], most: number): { rows: Row[]; said: string[] } {
  if (rows.length <= most) return { rows, said: [] }
  if (rows.some(isRest)) return thinned(rows.filter((row) => !isRest(row)), most)
  const per = Math.ceil(rows.length / most)
  const out: Row[] = []
  for (let i = 0; i < rows.length; i += per) {
    const group = rows.slice(i, i + per)
    out.push({ label: group[0]!.label, value: round(sum(group) / group.length) })
  }
  return { rows: out, said: [`There are ${rows.length} values; every ${per} neighbours are shown as their mean.`] }
}

export function sorted(rows: Row[], order: string): Row[] {
  if (order !== 'down' && order !== 'up') return rows
  return rows.map((r, i) => ({ r, i })).sort((a, b) => (order === 'down' ? b.r.value - a.r.value : a.r.value - b.r.value) || a.i - b.i).map(({ r }) => r)
}

const round = (v: number) => Math.round(v * 1e6) / 1e6

/** The series that rows belong to, over the labels of all; nothing where they all belong to one. */
export function seriesOf(rows: Row[]): { labels: string[]; series: { name: string; values: (number | null)[]; color?: string }[] } | null {
  const names = [...new Set(rows.map((r) => r.series ?? ''))]
  if (names.length < 2) return null
  const own = names.map((name) => rows.filter((r) => (r.series ?? '') === name))
  const plain = rows.every((r) => r.label === '')
  const labels = plain ? own.reduce((most, rs) => (rs.length > most.length ? rs : most)).map(() => '') : [...new Set(rows.map((r) => r.label))]
  return {
    labels,
    series: own.map((rs, k) => ({ name: names[k]!, values: labels.map((label, i) => (plain ? rs[i] : rs.find((r) => r.label === label))?.value ?? null), ...(rs[0]!.color && { color: rs[0]!.color }) })),
  }
}

/** Texts around a chart: what it is about above, where it is from below. */
export const headed = (params: Params, ...parts: Record<string, unknown>[]) =>
  [
    ...(params.title ? [{ id: 'title', kind: 'text', role: 'heading', text: params.title, says: 'The title' }] : []),
    ...parts,
    ...(params.note ? [{ id: 'note', kind: 'text', role: 'caption', area: 'foot', text: params.note, says: 'The note' }] : []),
  ] as { id: string; kind: string }[]

/** One of the sides that are set against each other: a name, a figure as it is written, and lines below. */
export interface Side {
  name: string
  figure?: string
  lines?: string[]
  color?: string
  /** What stands before each line. */
  marks?: 'dot' | 'check' | 'cross'
  /** The figure no longer holds: it is struck through. */
  struck?: boolean
}

/** The weather of a day, of an hour or of a place: what is written, and the picture of sky.tsx that goes with it. */
export interface Weather {
  name: string
  /** sun, cloud-rain and so on; nothing is drawn without. */
  sky?: string
  /** The temperature as it is written, and the lower one of two. */
  figure?: string
  low?: string
  /** The words for the sky. */
  words?: string
  /** What else is said: "wind 12 km/h". */
  lines?: string[]
}

/** Sides as they come from a person: what is empty is left out. */
export const sidesOf = (given: unknown): Side[] =>
  (Array.isArray(given) ? given : [])
    .map((side: { name?: unknown; figure?: unknown; lines?: unknown; color?: string }): Side => {
      const lines = (Array.isArray(side.lines) ? side.lines : String(side.lines ?? '').split('\n')).map((line) => String(line).trim()).filter(Boolean)
      const figure = String(side.figure ?? '').trim()
      return { name: String(side.name ?? '').trim(), ...(figure && { figure }), ...(lines.length > 0 && { lines }), ...(side.color && { color: side.color }) }
    })
    .filter((side) => side.name || side.figure || side.lines)

/** The sides with the colours that a person asks for the first and the second. */
export const coloured = (sides: Side[], params: Params): Side[] => {
  const fills = fillsOf(params)
  return sides.map((side, i) => (side.color || !fills[i] ? side : { ...side, color: fills[i] }))
}

/** The number in a figure, with where it stands; nothing where there is none. */
export function numberIn(figure: string): { value: number; from: number; to: number; decimals: number; point: string; group: string } | null {
  const found = /\d(?:[\d.,'\u00a0\u202f]*\d)?/.exec(figure)
  if (!found) return null
  const text = found[0]
  const marks = text.replace(/\d/g, '')
  const last = marks.slice(-1)
  const after = last ? text.length - text.lastIndexOf(last) - 1 : 0
  // 1,200 and 1.200.000 have groups; 4.8, 0,95 and 0.125 have a point.
  const grouped = last !== '' && after === 3 && (marks.length > 1 ? [...marks].every((m) => m === last) : !text.startsWith('0') && text.length <= 7)
  const point = last === '' || grouped ? '' : last
  const plain = [...text].map((c) => (/\d/.test(c) ? c : '|')).join('')
  const at = point ? text.lastIndexOf(point) : text.length
  const digits = plain.slice(0, at).replace(/\|/g, '')
  const group = grouped ? last : (marks.slice(0, -1)[0] ?? '')
  return { value: Number(point ? `${digits}.${text.slice(at + 1)}` : digits), from: found.index, to: found.index + text.length, decimals: point ? after : 0, point, group }
}

/** A figure on its way from nothing, or from another that is written alike: its number counts, what is written around it stays. */
export function underWay(figure: string, p: number, from = ''): string {
  const number = p < 1 ? numberIn(figure) : null
  if (!number || /\d/.test(figure.slice(number.to)) || !Number.isFinite(number.value)) return figure
  const old = numberIn(from)
  const alike = old && from.slice(0, old.from) === figure.slice(0, number.from) && from.slice(old.to) === figure.slice(number.to)
  const start = alike ? old.value : 0
  const [whole, part] = (start + (number.value - start) * Math.max(p, 0)).toFixed(number.decimals).split('.')
  const grouped = number.group ? whole!.replace(/\B(?=(\d{3})+$)/g, number.group) : whole!
  return figure.slice(0, number.from) + grouped + (part ? number.point + part : '') + figure.slice(number.to)
}
