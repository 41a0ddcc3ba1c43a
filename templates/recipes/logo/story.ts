import { logoScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** A logo arrives, with a line under it when there is one. */
export function story({ text, image, tagline, where, mark, how, accent, sign, signcolor }: Params): Story {
  if (!text && !image) return { scenes: [], errors: [{ param: 'text', message: 'a logo needs a picture or a name', hint: 'give a picture with --asset, or say the name' }] }
  const scene = logoScene('logo', { text: text || 'logo', src: image, tagline })
  if (where === 'above') scene.parts = scene.parts.reverse().map((part, i, all) => ({ ...part, gap: i < all.length - 1 ? 3.4 : 0 }))
  // A name is built with the sign, where there is one.
  const name = scene.parts.find((part) => part.kind === 'logo' && !part.src)
  if (name && sign) Object.assign(name, { sign: sign.split(',')[0], ...(String(signcolor).startsWith('#') ? { color: signcolor } : {}) })
  // The name alone is a text as others are.
  const spelled = how && how !== 'auto'
  if ((mark === 'none' || spelled) && text && !image) scene.parts = scene.parts.map((part) => (part.kind === 'logo' && !part.src ? { id: 'name', kind: 'text', role: 'hero', text, ...(spelled && { how, ...(String(accent).startsWith('#') && { own: { part: 'name', color: accent } }) }), gap: part.gap, says: 'The name' } : part))
  return { scenes: [scene] }
}
