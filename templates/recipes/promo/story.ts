import { actionScene, listScene, titleScene } from '../stage/scenes'
import type { Params, Part, Story, StoryScene } from '../stage/story'

/** A claim, what it is about, and what to do now. */
export function story({ text: claimed, subtitle: about, image, frame, logo, action, badge: star, points: listed, eyebrow }: Params): Story {
  // A discount alone is a claim, too, and so is what else is said first.
  const said: string[] = [claimed, star, about, ...(listed ?? [])].filter(Boolean)
  const [text] = said
  const badge = claimed ? star : ''
  const subtitle = text === about ? '' : about
  const points = (listed ?? []).filter((point: string) => point !== text)
  if (!text) return { scenes: [], errors: [{ param: 'text', message: 'a promo needs a claim', hint: 'say what is offered, such as "Half price until Friday"' }] }
  const scenes: StoryScene[] = []
  const claim = titleScene('claim', { text, subtitle: image ? '' : subtitle, eyebrow })
  if (badge) claim.parts.unshift({ id: 'badge', kind: 'badge', text: badge, max: 15, gap: 3 })
  scenes.push({ ...claim, title: 'Claim' })
  if (image) {
    const parts: Part[] = []
    if (subtitle) parts.push({ id: 'about', kind: 'text', role: 'title', text: subtitle, says: 'The text' })
    parts.push({ id: 'product', kind: 'picture', src: image, frame: frame === 'auto' ? 'browser' : frame })
    scenes.push({ id: 'product', title: 'Product', layout: 'split', tone: 'deep', parts })
  }
  if (points.length) scenes.push({ ...listScene('points', { title: image ? '' : subtitle || text, items: points, marks: 'check' }), tone: 'contrast' })
  const end = actionScene('action', { text: logo ? '' : text, action, logo: logo || undefined })
  if (end.parts.some((part) => part.kind !== 'text')) scenes.push({ ...end, tone: 'accent' })
  return { scenes }
}
