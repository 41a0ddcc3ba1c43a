import { aired, celebrates } from '../stage/furnish'
import type { Params, Part, Story, StoryScene } from '../stage/story'

/** A countdown counts seconds, unless its video would be longer than a video may be. */
const longest = 3600
const textAtMost = 4

/** Numbers that are seconds of a minute or more are read as 5:00. 100 is a count. */
function timed({ from, to }: Params, beat: number): boolean {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return beat === 1 && low <= 1 && high >= 60 && (high % 60 === 0 || high % 100 !== 0)
}

/** Numbers one after another, then a text. */
export function story(params: Params): Story {
  const count = Math.abs(params.from - params.to) + 1
  const beat: number = params.beat === 'auto' ? Math.min(1, (longest - (params.text ? textAtMost : 0)) / count) : params.beat
  const whole = typeof params.duration === 'number' ? params.duration : 0
  // In a video of a given length the text has its share.
  const rest = whole > 0 && params.text ? Math.min(Math.max(whole * 0.3, 1.6), textAtMost) : undefined
  const seconds = whole > 0 ? Math.max(whole - (rest ?? 0), 0.5) : (count * beat) / (params.speed || 1)
  // A frame that changes its colour faster than that would flicker.
  const flood = params.style === 'playful' && !params.title && seconds / count >= 0.6
  const numbers: Part = { id: 'numbers', kind: 'countdown', from: params.from, to: params.to, ...(timed(params, beat) && { format: 'duration' }), flood, area: flood ? 'behind' : 'main' }
  const head: Part[] = params.title ? [{ id: 'title', kind: 'text', role: 'heading', area: 'head', text: params.title, says: 'The title' }] : []
  const scenes: StoryScene[] = [{ id: 'numbers', title: 'Numbers', seconds, layout: 'stack', parts: [...head, numbers] }]
  if (params.text) {
    const air = params.air ?? 'auto'
    const what = air === 'auto' ? (params.style === 'playful' ? 'confetti' : params.style === 'cinematic' ? 'sparks' : 'none') : air
    const end: StoryScene = { id: 'end', title: 'Text', seconds: rest, layout: 'center', transition: params.style === 'playful' ? 'cut' : 'auto', parts: [{ id: 'text', kind: 'text', role: 'hero', text: params.text, says: 'The text' }] }
    scenes.push(aired(end, { ...params, airwhen: 'whole' }, what))
    // What celebrates flies when the text comes, all else from the beginning.
    if (!celebrates(what)) scenes[0] = aired(scenes[0]!, params, what)
  }
  const said = beat < 1 && params.beat === 'auto' && whole === 0 ? [`There are ${count} numbers, so each is shown for ${Math.round((seconds / count) * 100) / 100} s.`] : []
  return { scenes, said }
}
