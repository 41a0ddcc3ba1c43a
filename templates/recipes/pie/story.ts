import { alike, figureOf, figuresOf, fillsOf, headed, largest, rowsOf, unitOf, unlike, unseen } from '../stage/data'
import type { Params, Story } from '../stage/story'

const sample = [40, 35, 25].map((value, i) => ({ label: 'ABC'.charAt(i), value }))

/** Shares of a whole. */
export function story(params: Params): Story {
  const given = alike(rowsOf(params.rows))
  const negative = given.find((r) => r.value < 0)
  if (negative) return { scenes: [], errors: [{ param: 'rows', message: `${negative.label || 'a part'} is ${negative.value}, and a part of a whole cannot be negative`, hint: 'show such values as bars' }] }
  if (given.length > 0 && given.every((r) => r.value === 0)) return { scenes: [], errors: [{ param: 'rows', message: 'all parts are 0, so they have no shares' }] }
  if (unlike(given) && given.length <= 12) {
    return {
      said: ['The values have unlike units, so each is shown as a number of its own and not as a part.'],
      scenes: [{ id: 'pie', title: 'Figures', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'figures', rows: figuresOf(given, params) }) }],
    }
  }
  // One share is seen beside what is left of the whole.
  const alone = given.length === 1 && given[0]!.value < 100 && (params.unit === '%' || given[0]!.unit === '%')
  const whole = alone ? [...given, { ...given[0]!, label: '', keyless: true, value: Math.round((100 - given[0]!.value) * 1000) / 1000, color: undefined }] : given
  const { rows, said } = largest(given.length > 0 ? whole : sample, 10, 'Other')
  return {
    said: given.length > 0 ? [...said, ...unseen(rows, params.marked, 'part')] : ['There is no data to show, so the three parts are an example.'],
    scenes: [{ id: 'pie', title: 'Shares', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'pie', rows, donut: params.form === 'donut', marked: params.marked, fills: fillsOf(params), ...figureOf(unitOf(given, params)) }) }],
  }
}
