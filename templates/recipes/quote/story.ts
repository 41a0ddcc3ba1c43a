import { quoteScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** What somebody said, and who. */
export function story({ text, author, role, stars, how }: Params): Story {
  if (!text.trim()) return { scenes: [], errors: [{ param: 'text', message: 'a quote needs its words', hint: 'put the words into quotation marks' }] }
  return { scenes: [quoteScene('quote', { text, author, role, stars, how })] }
}
