import { figureOf } from '../stage/data'
import type { Params, Part, Story } from '../stage/story'

/** The digits of a number that say something: 2 of 1500000 and of 0.15. */
const telling = (n: number) => String(Math.abs(n)).replace('.', '').replace(/^0+|0+$/g, '').length

/** A number that runs up to its value. */
export function story(params: Params): Story {
  const percent = params.percent !== 'auto'
  const to: number = percent ? params.percent : params.to
  const short = params.digits === 'short' || (params.digits === 'auto' && !percent && Math.abs(to) >= 10000 && telling(to) <= 3)
  const year = [params.from, to].every((n) => Number.isInteger(n) && n > 1800 && n < 2200)
  const figure = { ...figureOf(params), ...(percent ? { format: 'percent' as const } : short && !params.currency ? { format: 'compact' as const } : year ? { format: 'plain' as const } : {}), short: short && Boolean(params.currency) }
  const filled = params.form !== 'plain' && to >= 0
  const number: Part = filled
    ? { id: 'number', kind: 'progress', value: to, shape: params.form, ...figureOf(params), format: 'percent' }
    : { id: 'number', kind: 'counter', from: params.from, to, ...figure }
  const text: Part[] = params.text ? [{ id: 'text', kind: 'text', role: 'heading', text: params.text, says: 'The text' }] : []
  const below: Part[] = params.subtitle ? [{ id: 'subtitle', kind: 'text', role: 'subtitle', text: params.subtitle, says: 'The line below' }] : []
  // "revenue grew 40%" is read before the number, "10K followers" after it.
  const above = params.place === 'above' || (params.place === 'auto' && percent && !filled)
  return { scenes: [{ id: 'number', title: 'Number', layout: 'center', parts: above ? [...text, number, ...below] : [number, ...text, ...below] }] }
}
