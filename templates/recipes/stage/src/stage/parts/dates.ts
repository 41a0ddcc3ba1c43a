import type { Part } from '../story'
import { known } from './figures'

/**
 * How points in time are written that come from data files. Only the page uses this file: scores have no Intl.
 */

/** A day or a month of ISO 8601: 2026-01-15, 2026-01. */
const iso = /^((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?$/

/** The labels as the language writes them, without a year that all of them share; as they are unless all are days, or all months. */
export function dated(labels: string[], locale?: string): string[] {
  const found = labels.map((label) => iso.exec(label))
  const days = found.filter((m) => m?.[3]).length
  if (labels.length < 2 || found.some((m) => !m) || (days > 0 && days < labels.length)) return labels
  const year = new Set(found.map((m) => m![1])).size > 1
  const format = new Intl.DateTimeFormat(known(locale), { timeZone: 'UTC', month: 'short', ...(days > 0 && { day: 'numeric' }), ...(year && { year: 'numeric' }) })
  return found.map((m) => format.format(Date.UTC(Number(m![1]), Number(m![2]) - 1, Number(m![3] ?? 1))))
}

/** A part with the labels of its data so. */
export function datedPart(part: Part, locale?: string): Part {
  const was: string[] = Array.isArray(part.labels) ? part.labels : Array.isArray(part.rows) ? part.rows.map((row: { label?: string }) => String(row.label ?? '')) : []
  const now = dated(was, part.locale || locale)
  if (now === was) return part
  const marked = now[was.indexOf(part.marked)]
  return { ...part, ...(part.labels ? { labels: now } : { rows: part.rows.map((row: object, i: number) => ({ ...row, label: now[i] })) }), ...(marked && { marked }) }
}
