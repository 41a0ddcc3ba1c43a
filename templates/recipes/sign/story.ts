import { actOf, habitOf, turnOf } from '../stage/moves'
import type { Params, Story, StoryScene } from '../stage/story'

/** Seconds of a video that nobody gives a length. */
const usual = 4

/** A thing that moves. A video that is a loop holds whole turns of the motion, and has neither beginning nor end. */
export function story(params: Params): Story {
  const { sign, act, signcolor, speed, loop } = params
  if (!sign) return { scenes: [], errors: [{ param: 'sign', message: 'there is no thing to draw', hint: 'name one, such as heart, rocket or bell' }] }
  const [thing, ...more] = sign.split(/\s*,\s*/)
  if (act === 'turns' && more.length > 0) return { scenes: [thing, ...more].map((what, i) => shown(what, i, 1 + more.length, params)) }
  const move = actOf(thing, act)
  const turn = turnOf(move) / (speed || 1)
  const seconds = typeof params.duration === 'number' ? params.duration : Math.max(Math.round(usual / turn), 1) * turn
  const turns = Math.max(Math.round(seconds / turn), 1)
  const part = { id: 'sign', kind: 'sign', what: sign, act: move, turn: loop ? seconds / turns : turn, still: loop, across: act !== 'auto', lasts: seconds, size: params.size, area: 'behind' as const, ...(String(signcolor).startsWith('#') ? { color: signcolor } : {}) }
  return { loop: false, scenes: [{ id: 'sign', title: 'Sign', seconds, layout: 'full', backdrop: loop ? 'plain' : undefined, parts: [part] }] }
}

/** One thing of n that are shown one after another. */
function shown(what: string, i: number, n: number, { signcolor, speed, duration, size }: Params): StoryScene {
  const seconds = typeof duration === 'number' ? duration / n : 1.8 / (speed || 1)
  const act = habitOf(what)
  const part = { id: 'sign', kind: 'sign', what, act, turn: turnOf(act) / (speed || 1), lasts: seconds, size, area: 'behind' as const, ...(String(signcolor).startsWith('#') ? { color: signcolor } : {}) }
  return { id: `sign-${i + 1}`, title: what.replace(/-/g, ' ').replace(/^./, (c) => c.toUpperCase()), seconds, layout: 'full', parts: [part] }
}
