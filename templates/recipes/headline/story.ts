import { titleScene } from '../stage/scenes'
import type { Params, Part, Story } from '../stage/story'

const sides: Record<string, 'center' | 'right'> = { thirdright: 'right', thirdcenter: 'center' }

/** A headline, with a line under it when there is one. */
export function story({ text, subtitle, eyebrow, how, place }: Params): Story {
  if (!text.trim()) return { scenes: [], errors: [{ param: 'text', message: 'a headline needs a text', hint: 'say which words to show, such as "Hello"' }] }
  const scene = titleScene('title', { text, subtitle, eyebrow, how })
  if (String(place).startsWith('third')) {
    // "CEO · @jane": what people may follow has a line of its own.
    const [, role = subtitle, handle] = /^(.*?)\s*[·,|]\s*(@\S+)$/.exec(subtitle) ?? []
    const name: Part = { id: 'headline', kind: 'lowerthird', text, subtitle: role, handle }
    return { scenes: [{ ...scene, layout: 'lower', side: sides[place], parts: [...scene.parts.filter((part) => part.id === 'eyebrow'), name] }] }
  }
  // In a corner it is no title of the whole frame.
  const corner = /left|right/.test(place)
  return { scenes: [{ ...scene, layout: place, parts: scene.parts.map((part) => (corner && part.role === 'hero' ? { ...part, role: 'title' } : part)) }] }
}
