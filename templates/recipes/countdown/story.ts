import { aired, celebrates } from '../stage/furnish'
import { ringOf } from '../stage/scenes'
import type { Params, Part, Story, StoryScene } from '../stage/story'

/** A countdown counts seconds, unless its video would be longer than a video may be. */
const longest = 3600
const textAtMost = 4

/** A frame that changes its colour more often is restless. */
const mostFlashes = 12

/** Numbers that are seconds of a minute or more are read as 5:00. 100 is a count. */
function timed({ from, to }: Params, beat: number): boolean {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return beat === 1 && low <= 1 && high >= 60 && (high % 60 === 0 || high % 100 !== 0)
}

/** A timer of more minutes runs faster than the clock, unless somebody says how long the video is. */
const patience = 600
const hurried = 60

/** What a stopwatch shows: it begins at 0:00 unless the prompt has both times. */
function runningUp(params: Params): Params {
  return { ...params, from: params.from < params.to && params.from !== 10 ? params.from : 0, to: Math.max(params.from, params.to) }
}

/** Numbers one after another, then a text. */
export function story(given: Params): Story {
  const params = given.stopwatch ? runningUp(given) : given.pomodoro && given.from === 10 && given.to <= 1 ? { ...given, from: 1500, to: 0 } : given
  const count = Math.abs(params.from - params.to) + 1
  const fast = params.beat === 'auto' && params.duration === 'auto' && timed(params, 1) && count - 1 > patience
  const beat: number = fast ? hurried / count : params.beat === 'auto' ? Math.min(1, (longest - (params.text ? textAtMost : 0)) / count) : params.beat
  const whole = typeof params.duration === 'number' ? params.duration : 0
  // In a video of a given length the text has its share.
  const rest = whole > 0 && params.text ? Math.min(Math.max(whole * 0.3, 1.6), textAtMost) : undefined
  const seconds = whole > 0 ? Math.max(whole - (rest ?? 0), 0.5) : (count * beat) / (params.speed || 1)
  // What a pomodoro timer is for is also seen while it runs.
  const title: string = params.title || (params.pomodoro ? params.text : '')
  // A frame that changes its colour faster than that would flicker.
  const ring = ringOf(params.stopwatch && params.form !== 'digital' ? 'fill' : params.form, String(params.ring).startsWith('#') || !String(params.color).startsWith('#') ? params.ring : params.color)
  const flood = params.style === 'playful' && !title && !ring.ring && seconds / count >= 0.6 && count <= mostFlashes
  const numbers: Part = { id: 'numbers', kind: 'countdown', from: params.from, to: params.to, ...((params.stopwatch || timed(params, fast ? 1 : beat)) && { format: 'duration' }), ...(seconds / count < 0.3 && { fast: true }), ...ring, flood, area: flood ? 'behind' : 'main' }
  const head: Part[] = title ? [{ id: 'title', kind: 'text', role: 'heading', area: 'head', text: title, says: 'The title' }] : []
  const foot: Part[] = params.subtitle ? [{ id: 'subtitle', kind: 'text', role: 'caption', area: 'foot', text: params.subtitle, says: 'The text below' }] : []
  const scenes: StoryScene[] = [{ id: 'numbers', title: 'Numbers', seconds, layout: 'stack', parts: [...head, numbers, ...foot] }]
  if (params.text) {
    const air = params.air ?? 'auto'
    const what = air === 'auto' ? (params.style === 'playful' ? 'confetti' : params.style === 'cinematic' ? 'sparks' : 'none') : air
    const end: StoryScene = { id: 'end', title: 'Text', seconds: rest, layout: 'center', transition: params.style === 'playful' ? 'cut' : 'auto', parts: [{ id: 'text', kind: 'text', role: 'hero', text: params.text, says: 'The text' }] }
    scenes.push(aired(end, { ...params, airwhen: 'whole' }, what))
    // What celebrates flies when the text comes, all else from the beginning.
    if (!celebrates(what)) scenes[0] = aired(scenes[0]!, params, what)
  }
  const each = `There are ${count} numbers, so each is shown for ${Math.round((seconds / count) * 100) / 100} s.`
  const clock = `${Math.floor(Math.max(params.from, params.to) / 60)}:${String(Math.max(params.from, params.to) % 60).padStart(2, '0')}`
  const said = fast ? [`The ${clock} run down in ${Math.round(seconds)} s of video; say a duration of ${Math.round(count - 1)} s for one that takes its time.`] : beat < 1 && params.beat === 'auto' && whole === 0 ? [each] : []
  return { scenes, said }
}
