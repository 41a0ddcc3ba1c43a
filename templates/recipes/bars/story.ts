import { aimed, alike, figureOf, figuresOf, fillsOf, headed, largest, rowsOf, seriesOf, sorted, unitOf, unlike, unseen } from '../stage/data'
import type { Params, Story } from '../stage/story'

const sample = [30, 45, 12].map((value, i) => ({ label: 'ABC'.charAt(i), value }))

/** Bars that grow to their values. */
export function story(params: Params): Story {
  const { rows: given, target } = aimed(alike(rowsOf(params.rows)), params.target)
  const several = seriesOf(given)
  if (several) return { scenes: [{ id: 'bars', title: 'Bars', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'series', form: 'bars', ...several, target, fills: fillsOf(params), ...figureOf(unitOf(given, params)) }) }] }
  const { rows, said } = largest(given.length > 0 ? given : sample, 40, 'Other')
  const ordered = sorted(rows, params.sort)
  if (unlike(given) && given.length <= 12) {
    return {
      said: ['The values have unlike units, so each is shown as a number of its own and not as a bar.'],
      scenes: [{ id: 'bars', title: 'Figures', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'figures', rows: figuresOf(ordered, params) }) }],
    }
  }
  return {
    said: given.length > 0 ? [...said, ...unseen(ordered, params.marked, 'bar')] : ['There is no data to show, so the three bars are an example.'],
    scenes: [
      {
        id: 'bars',
        title: 'Bars',
        layout: 'stack',
        parts: headed(params, {
          id: 'chart',
          kind: 'bars',
          rows: ordered,
          highlight: params.highlight,
          marked: params.marked,
          ...(params.colors !== 'auto' && { colours: params.colors }),
          fills: fillsOf(params),
          // A line at a value is drawn across bars that stand.
          ...(params.form !== 'auto' ? { form: params.form } : target !== undefined && { form: 'upright' }),
          target,
          ...figureOf(unitOf(given, params)),
        }),
      },
    ],
  }
}
