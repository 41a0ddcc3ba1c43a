import { titleScene } from '../stage/scenes'
import type { Params, Part, Story } from '../stage/story'

/** A headline, with a line under it when there is one. */
export function story({ text, subtitle, eyebrow, how, place }: Params): Story {
  if (!text.trim()) return { scenes: [], errors: [{ param: 'text', message: 'a headline needs a text', hint: 'say which words to show, such as "Hello"' }] }
  const scene = titleScene('title', { text, subtitle, eyebrow, how })
  if (place === 'third') {
    const name: Part = { id: 'headline', kind: 'lowerthird', text, subtitle }
    return { scenes: [{ ...scene, layout: 'lower', parts: [...scene.parts.filter((part) => part.id === 'eyebrow'), name] }] }
  }
  return { scenes: [{ ...scene, layout: place }] }
}
