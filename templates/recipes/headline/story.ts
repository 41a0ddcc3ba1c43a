import type { Params, Story } from '../stage/story'

/** A headline, with a line under it when there is one. */
export function story(params: Params): Story {
  const { text, subtitle, eyebrow } = params
  return {
    scenes: [
      {
        id: 'title',
        title: 'Title',
        layout: 'center',
        parts: [
          ...(eyebrow ? [{ id: 'eyebrow', kind: 'text', role: 'eyebrow', text: eyebrow, says: 'The line above' }] : []),
          { id: 'headline', kind: 'text', role: 'hero', text, how: params.how, says: 'The headline' },
          ...(subtitle ? [{ id: 'subtitle', kind: 'text', role: 'subtitle', text: subtitle, says: 'The line below' }] : []),
        ],
      },
    ],
  }
}
