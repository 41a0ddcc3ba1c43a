import { actOf, turnOf } from '../stage/moves'
import { above, signScene } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** Seconds of a video that nobody gives a length. */
const usual = 4

/** A thing that moves. A video that is a loop holds whole turns of the motion, and has neither beginning nor end. */
export function story(params: Params): Story {
  const { sign, act, signcolor, speed, loop } = params
  if (!sign) return { scenes: [], errors: [{ param: 'sign', message: 'there is no thing to draw', hint: 'name one, such as heart, rocket or bell' }] }
  const [thing, ...more] = sign.split(/\s*,\s*/)
  if (act === 'turns' && more.length > 0) {
    const seconds = typeof params.duration === 'number' ? params.duration / (1 + more.length) : 1.8 / (speed || 1)
    return { scenes: [thing, ...more].map((what, i) => signScene(`sign-${i + 1}`, { sign: what!, color: signcolor, seconds, speed: speed || 1, size: params.size, text: params.text })) }
  }
  const move = actOf(thing, act)
  const turn = turnOf(move) / (speed || 1)
  const seconds = typeof params.duration === 'number' ? params.duration : Math.max(Math.round(usual / turn), 1) * turn
  const turns = Math.max(Math.round(seconds / turn), 1)
  const part = { id: 'sign', kind: 'sign', what: sign, act: move, turn: loop ? seconds / turns : turn, still: loop, across: act !== 'auto', lasts: seconds, size: params.size, area: 'behind' as const, ...(params.badge && { badge: String(params.badge).replace(/^an? /i, ''), ...(String(params.badgecolor).startsWith('#') && { badgecolor: params.badgecolor }) }), ...(String(signcolor).startsWith('#') ? { color: signcolor } : {}) }
  // What goes to the moon or the stars goes through the night.
  const night = params.background === 'auto' && more.some((what) => ['moon', 'moon-star', 'star', 'stars', 'orbit'].includes(what))
  const scene = above({ id: 'sign', title: 'Sign', seconds, layout: 'full', backdrop: loop ? 'plain' : undefined, parts: [part] }, params.text, params.where)
  // What comes afterwards comes when most of the motion is done.
  const parts = scene.parts.map((one) => (params.after && !loop && one.kind === 'text' ? { ...one, wait: seconds * 0.62 } : one))
  return { ...(night && { palette: 'night' }), loop: false, scenes: [{ ...scene, parts }] }
}
