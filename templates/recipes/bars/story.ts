import { figureOf, headed, largest, rowsOf, sorted } from '../stage/data'
import type { Params, Story } from '../stage/story'

const sample = [30, 45, 12].map((value, i) => ({ label: 'ABC'.charAt(i), value }))

/** Bars that grow to their values. */
export function story(params: Params): Story {
  const given = rowsOf(params.rows)
  const { rows, said } = largest(given.length > 0 ? given : sample, 40, 'Other')
  return {
    said: given.length > 0 ? said : ['There is no data to show, so the three bars are an example.'],
    scenes: [
      {
        id: 'bars',
        title: 'Bars',
        layout: 'stack',
        parts: headed(params, {
          id: 'chart',
          kind: 'bars',
          rows: sorted(rows, params.sort),
          highlight: params.highlight,
          ...(params.colors !== 'auto' && { colours: params.colors }),
          ...figureOf(params),
        }),
      },
    ],
  }
}
