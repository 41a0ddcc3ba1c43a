import { titleScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** A headline, with a line under it when there is one. */
export function story({ text, subtitle, eyebrow, how }: Params): Story {
  if (!text.trim()) return { scenes: [], errors: [{ param: 'text', message: 'a headline needs a text', hint: 'say which words to show, such as "Hello"' }] }
  return { scenes: [titleScene('title', { text, subtitle, eyebrow, how })] }
}
