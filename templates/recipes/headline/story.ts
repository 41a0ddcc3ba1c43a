import { thirdScene, titleScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** A headline, with a line under it when there is one. */
export function story({ text, subtitle, eyebrow, how, place, bar, color, accent }: Params): Story {
  if (!text.trim()) return { scenes: [], errors: [{ param: 'text', message: 'a headline needs a text', hint: 'say which words to show, such as "Hello"' }] }
  const title = titleScene('title', { text, subtitle, eyebrow, how })
  // Of two colours the second is that of the second line.
  const two = [color, accent].every((one) => String(one).startsWith('#'))
  const scene = two ? { ...title, parts: title.parts.map((part) => (part.id === 'subtitle' ? { ...part, color: accent } : part)) } : title
  const barred = String(bar).startsWith('#')
  const third = barred && place === 'bottom' ? 'thirdcenter' : String(place)
  if (third.startsWith('third')) return { scenes: [thirdScene(scene, third, bar)] }
  const said = barred ? ['Only a lower third has a bar: its colour is not used.'] : []
  // In a corner it is no title of the whole frame.
  const corner = /left|right/.test(place)
  return { said, scenes: [{ ...scene, layout: place, parts: scene.parts.map((part) => (corner && part.role === 'hero' ? { ...part, role: 'title' } : part)) }] }
}
