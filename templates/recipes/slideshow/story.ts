import { groups, numbered, pictureScene, titleScene } from '../stage/scenes'
import type { Params, Part, Story, StoryScene } from '../stage/story'

interface Slide {
  picture: string
  caption?: string
}

/** Pictures one after another; of very many, several stand in one scene. */
export function story({ slides, title, subtitle, together }: Params): Story {
  const all = slides as Slide[]
  if (all.length === 0) return { scenes: [], errors: [{ param: 'slides', message: 'a slideshow needs pictures', hint: 'give them with --asset' }] }
  const wrong = all.find((slide) => !/\.\w{2,5}$/.test(slide.picture ?? ''))
  if (wrong) return { scenes: [], errors: [{ param: 'slides', message: wrong.picture ? `"${wrong.picture}" is no picture` : 'a slide has no picture', hint: 'a slide is written {"picture": "beach.jpg", "caption": "At the beach"}; --asset brings the file' }] }
  const per = together === 'auto' ? (all.length > 20 ? Math.min(Math.ceil(all.length / 15), 4) : 1) : Number(together)
  const scenes: StoryScene[] = groups(all, per).map((some, i) => (some.length === 1 ? single(some[0]!, i) : collage(some, i)))
  if (title) scenes.unshift(titleScene('title', { text: title, subtitle }))
  return { scenes, transition: 'fade' }
}

const single = (slide: Slide, i: number): StoryScene => ({ ...pictureScene(numbered('slide', i), { src: slide.picture, caption: slide.caption }), title: `Picture ${i + 1}` })

const collage = (slides: Slide[], i: number): StoryScene => ({
  id: numbered('slide', i),
  title: `Pictures ${i + 1}`,
  layout: 'grid',
  parts: slides.map((slide, j): Part => ({ id: numbered('picture', j), kind: 'picture', src: slide.picture, frame: 'card' })),
})
