import { figureOf, figuresOf, headed, rounded, rowsOf } from '../stage/data'
import { ratingParts } from '../stage/scenes'
import type { Params, Part, Story } from '../stage/story'

/** The first words of a text that goes on behind a share. */
const behind = /^(of|von|der|des|de|du|del|della|delle|dei|degli|do|da|dos|das|less|more|fewer|off|weniger|mehr|rabatt|menos|más|mais|moins|plus|meno|più)\s/i

/** A number that runs up to its value. */
export function story(params: Params): Story {
  const rows = rowsOf(params.rows)
  const fill = String(params.fill).startsWith('#') ? { fill: params.fill } : undefined
  if (rows.length > 1) {
    const parts = headed({ ...params, title: params.text, note: params.subtitle }, { id: 'figures', kind: 'figures', rows: figuresOf(rows, params), ...fill })
    return { scenes: [{ id: 'number', title: 'Figures', layout: 'stack', parts }] }
  }
  if (typeof params.stars === 'number') {
    const parts = ratingParts({ ...params, stars: params.stars })
    if (params.subtitle) parts.push({ id: 'subtitle', kind: 'text', role: 'caption', text: params.subtitle, says: 'The line below' })
    return { drawn: true, scenes: [{ id: 'number', title: 'Rating', layout: 'center', least: 4, parts }] }
  }
  const percent = params.percent !== 'auto'
  const to: number = percent ? params.percent : params.to
  const short = params.digits === 'short' || (params.digits === 'auto' && !percent && rounded(to))
  const year = [params.from, to].every((n) => Number.isInteger(n) && n > 1800 && n < 2200)
  const figure = { ...figureOf(params), ...(percent ? { format: 'percent' as const } : short && !params.currency ? { format: 'compact' as const } : year ? { format: 'plain' as const } : {}), short: short && Boolean(params.currency) }
  const filled = params.form !== 'plain' && to >= 0 && (percent || to <= 100) // a bar of "3400" would say 3400%
  const number: Part = filled
    ? { id: 'number', kind: 'progress', ...(params.from && { from: params.from }), value: to, shape: params.form, ...(fill ?? (String(params.color).startsWith('#') && { fill: params.color })), ...figureOf(params), format: 'percent' }
    : { id: 'number', kind: 'counter', from: params.from, to, ...figure, ...fill }
  const text: Part[] = params.text ? [{ id: 'text', kind: 'text', role: 'heading', text: params.text, says: 'The text', ...(params.after && { then: true }) }] : []
  const below: Part[] = params.subtitle ? [{ id: 'subtitle', kind: 'text', role: 'subtitle', text: params.subtitle, says: 'The line below' }] : []
  // "revenue grew 40%" is read before the number, "10K followers" and "of our staff" after it.
  const above = !params.after && (params.place === 'above' || (params.place === 'auto' && percent && !filled && !behind.test(params.text)))
  return { scenes: [{ id: 'number', title: 'Number', layout: 'center', parts: above ? [...text, number, ...below] : [number, ...text, ...below] }] }
}
