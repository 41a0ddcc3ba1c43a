import { aimed, alike, figureOf, fillsOf, headed, rowsOf, seriesOf, thinned, unseen } from '../stage/data'
import type { Params, Story } from '../stage/story'

const sample = [10, 14, 9, 21, 26].map((value, i) => ({ label: String(i + 1), value }))

/** The two ends of a line of which no more is said. */
const endsOf = ({ from, to }: Params) => [from === 'auto' ? 0 : from, to].map((value) => ({ label: ' ', value }))

/** A line through values over time. */
export function story(params: Params): Story {
  const { rows: given, target } = aimed(alike(rowsOf(params.rows?.length || params.to === 'auto' ? params.rows : endsOf(params))), params.target)
  const several = seriesOf(given)
  if (several) return { scenes: [{ id: 'line', title: 'Lines', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'series', form: 'line', ...several, thick: params.thick, target, fills: fillsOf(params), ...figureOf(params) }) }] }
  const { rows, said } = thinned(given.length > 0 ? given : sample, 300)
  return {
    said: given.length > 0 ? [...said, ...unseen(rows, params.marked, 'point')] : ['There is no data to show, so the line is an example.'],
    scenes: [{ id: 'line', title: 'Line', layout: 'stack', parts: headed(params, { id: 'chart', kind: 'line', rows, area: params.area, dots: params.dots, thick: params.thick, curve: params.curve, marked: params.marked, target, ...(params.fill !== 'auto' && { fill: params.fill }), ...figureOf(params) }) }],
  }
}
