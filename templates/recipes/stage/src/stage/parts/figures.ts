/**
 * How numbers are written. Only the page uses this file: scores have no Intl.
 */
export interface Figure {
  /** plain is 2024 without a comma, compact is 10K, clock is 9:00 of a number of minutes, duration is 1:30 of a number of seconds. */
  format?: 'number' | 'plain' | 'percent' | 'currency' | 'compact' | 'clock' | 'duration'
  /** A BCP 47 tag, such as "de-DE". */
  locale?: string
  /** An ISO 4217 code, such as "EUR". */
  currency?: string
  /** Written before and after the number. */
  prefix?: string
  suffix?: string
  /** 1.2M in place of 1,200,000. */
  short?: boolean
  /** Digits after the point; as many as the number has if it is left out. */
  decimals?: number
}

const formats = new Map<string, Intl.NumberFormat>()

function formatter(figure: Figure, decimals: number, short: boolean, vast: boolean): Intl.NumberFormat {
  const currency = figure.format === 'currency' ? figure.currency || 'USD' : undefined
  const key = [figure.locale, currency, decimals, short, vast, figure.format].join()
  let made = formats.get(key)
  if (!made) {
    made = new Intl.NumberFormat(known(figure.locale), {
      style: currency ? 'currency' : figure.format === 'percent' ? 'unit' : 'decimal',
      unit: 'percent',
      currency,
      currencyDisplay: 'narrowSymbol',
      useGrouping: figure.format !== 'plain',
      notation: vast ? 'scientific' : short ? 'compact' : 'standard',
      minimumFractionDigits: short || vast ? 0 : decimals,
      maximumFractionDigits: vast ? 2 : short ? Math.max(decimals, 1) : decimals,
    })
    formats.set(key, made)
  }
  return made
}

export function known(locale: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(locale || 'en-US')[0] ?? 'en-US'
  } catch {
    return 'en-US'
  }
}

/** What one unit of a short number is worth where it is read: 1000 for 10K, 10 000 for 1万, 1 where nobody shortens it. */
export function unitOf(value: number, figure: Figure): number {
  const locale = new Intl.Locale(known(figure.locale), { numberingSystem: 'latn' })
  const parts = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).formatToParts(Math.abs(value))
  const text = (type: string) => parts.filter((p) => p.type === type).map((p) => p.value).join('')
  const shown = Number(`${text('integer')}.${text('fraction')}`)
  return shown > 0 ? 10 ** Math.round(Math.log10(Math.abs(value) / shown)) : 1
}

/** Digits after the point that a number is written with. */
export function decimalsOf(value: number): number {
  const size = Math.abs(value)
  if (size >= 1e6 || size === 0 || !Number.isFinite(value)) return 0
  const most = size >= 1 ? 2 : Math.min(Math.ceil(-Math.log10(size)) + 1, 8)
  const text = size.toFixed(most).replace(/0+$/, '')
  return text.length - text.indexOf('.') - 1
}

/** From here on numbers are written as 2E30. */
const immense = 1e15

/** One piece of a written number; a digit is written as the locale writes it. */
export interface Piece {
  type: 'digit' | 'sign' | 'point' | 'group' | 'text'
  text: string
}

/** A number in pieces. short writes large numbers as 1.2M. */
export function pieces(value: number, figure: Figure, short = false): Piece[] {
  const decimals = figure.decimals ?? decimalsOf(value)
  const list: Piece[] = []
  if (figure.prefix) list.push({ type: 'text', text: figure.prefix })
  if (figure.format === 'clock' || figure.format === 'duration') {
    list.push(...[...sixties(value, figure)].map((c): Piece => ({ type: /\d/.test(c) ? 'digit' : 'text', text: c })))
  } else {
    for (const part of formatter(figure, decimals, short || figure.short === true || figure.format === 'compact', Math.abs(value) >= immense).formatToParts(value)) {
      if (part.type === 'integer' || part.type === 'fraction') list.push(...[...part.value].map((c): Piece => ({ type: 'digit', text: c })))
      else list.push({ type: part.type === 'minusSign' ? 'sign' : part.type === 'decimal' ? 'point' : part.type === 'group' ? 'group' : 'text', text: part.value })
    }
  }
  if (figure.suffix) list.push({ type: 'text', text: figure.suffix })
  return list
}

/** A number as people write it. */
export const written = (value: number, figure: Figure, short = false): string => pieces(value, figure, short).map((p) => p.text).join('')

/** Minutes as the time of a day, or seconds as a duration. */
export function sixties(value: number, figure: Figure): string {
  const two = (n: number) => String(n).padStart(2, '0')
  if (figure.format === 'clock') {
    const minutes = ((Math.floor(value + 1e-6) % 1440) + 1440) % 1440
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`
  }
  const seconds = Math.max(Math.ceil(value - 1e-6), 0)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
