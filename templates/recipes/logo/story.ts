import { logoScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** A logo arrives, with a line under it when there is one. */
export function story({ text, image, tagline }: Params): Story {
  if (!text && !image) return { scenes: [], errors: [{ param: 'text', message: 'a logo needs a picture or a name', hint: 'give a picture with --asset, or say the name' }] }
  return { scenes: [logoScene('logo', { text: text || 'logo', src: image, tagline })] }
}
