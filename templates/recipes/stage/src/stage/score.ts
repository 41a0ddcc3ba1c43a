import { called, parse } from './colour'
import { fillsOf } from './data'
import { furnished } from './furnish'
import { kindOf, shown } from './kinds'
import { dressed, lookOf } from './look'
import { eases, type Manner, manners } from './manner'
import { unowned, unreadOf } from './own'
import { groups, signed } from './scenes'
import { sharedParts } from './shared'
import type { Env, Key, Params, Part, Score, Story, StoryScene, Track, TransitionName } from './story'

/** A scene in its place in the video. */
export interface PlacedScene extends StoryScene {
  start: number
  seconds: number
  /** How it takes the place of the scene before; null where there is none. */
  change: { kind: Exclude<TransitionName, 'auto'>; seconds: number } | null
  comings: Coming[]
  /** Parts that come from the scene before, and their ids there. */
  shared: Map<string, string>
}

/** When a part comes, in seconds of its scene. */
export interface Coming {
  part: Part
  at: number
  seconds: number
}

const clamp = (v: number, low: number, high: number) => Math.min(Math.max(v, low), high)

/** The name of what belongs to the scene as a whole: no part may have it. */
export const SCENE = 'Scene'

/** What a scene's object holds: how far it has taken the place of the one before, and how far the camera has gone. */
export const sceneValues = { change: 1, camera: 0 }

/** Seconds for what flies when all else has come. */
const flight = 2.4

/** When parts come if nobody is in a hurry, and how long the scene then lasts. */
function natural(scene: StoryScene, lead: number, head: number, manner: Manner, speed: number): { comings: Coming[]; seconds: number } {
  const comings: Coming[] = []
  let at = lead
  let read = 0
  let end = lead
  let first = true
  for (const part of scene.parts) {
    const kind = kindOf(part)
    const seconds = kind.enter(part, manner) / speed
    if (kind.free) {
      comings.push({ part, at: part.wait ?? 0, seconds })
      continue
    }
    if (part.wait !== undefined && !first) at = comings[comings.length - 1]!.at + part.wait / speed
    const before = comings[comings.length - 1]
    if (part.then && !first) at = Math.max(before!.at, 0) + before!.seconds
    // The video begins with something to see; what comes for long has then only begun.
    if (first && head > 0 && !kind.whole) at = -Math.min(head * seconds, 0.5)
    first = false
    comings.push({ part, at, seconds })
    end = Math.max(end, at + seconds)
    read += kind.read(part)
    at += seconds * manner.beat
  }
  const hold = Math.max(read * manner.patience - (end - lead) * 0.6, scene.parts.some((part) => part.last) ? flight : 0.9) / speed
  return { comings, seconds: Math.max(end + hold, 1.2) }
}

/** Comings made to fit a scene that is shorter than it would like to be: three tenths are left to look at it, after what plays a second. */
function fitted(comings: Coming[], lead: number, seconds: number): Coming[] {
  const end = Math.max(...comings.map((c) => c.at + c.seconds), 0.001)
  const room = Math.max(seconds * 0.7, comings.some((c) => kindOf(c.part).whole) ? seconds - 0.9 : 0, 0.2)
  if (end <= room) return comings
  const k = (room - Math.min(lead, room / 2)) / Math.max(end - lead, 0.001)
  return comings.map((c) => ({ ...c, at: c.at <= lead ? c.at : lead + (c.at - lead) * k, seconds: c.seconds * k }))
}

/** What comes last comes when all that takes room has come. */
function landed(parts: Part[], comings: Coming[]): { parts: Part[]; comings: Coming[] } {
  if (!parts.some((part) => part.last)) return { parts, comings }
  const end = Math.max(...comings.filter((c) => !kindOf(c.part).free).map((c) => c.at + c.seconds * 0.9), 0)
  const late = new Map(parts.filter((part) => part.last).map((part) => [part, { ...part, wait: end }]))
  return { parts: parts.map((part) => late.get(part) ?? part), comings: comings.map((c) => (late.has(c.part) ? { ...c, part: late.get(c.part)!, at: end } : c)) }
}

/** A story laid out in time. The page and koda do it with the same code, so that they agree. */
export function compose(told: Story, params: Params, env: Env): { duration: number; scenes: PlacedScene[] } {
  const manner = manners[params.style]
  const speed = clamp(params.speed || 1, 0.2, 5)
  const story = { ...told, scenes: signed(told.scenes, params) }
  const plans = story.scenes.map((scene, i) => {
    const { change, shared } = changeOf(story, params, scene, i, manner, speed)
    // What moves in is seen early: its parts come along. What fades in shall not mix with what fades out.
    const lead = change ? change.seconds * (change.kind === 'fade' || change.kind === 'morph' ? 0.5 : 0.25) : 0
    const usual = natural(scene, lead, (i === 0 && !change) || change?.kind === 'cut' ? manner.head : 0, manner, speed)
    return { scene, change, shared, lead, ...usual, seconds: (scene.seconds ?? Math.max(usual.seconds, ((scene.least ?? 0) * manner.patience) / speed)) * (scene.weight ?? 1) }
  })
  const free = shared(plans.map((plan) => ({ seconds: plan.seconds, exact: plan.scene.seconds !== undefined })), params.duration)
  const total = free.total
  const lengths = env.lengths?.length === plans.length ? env.lengths : free.lengths
  const frame = (seconds: number) => Math.round(seconds * env.fps) / env.fps
  let before = 0
  const scenes = plans.map(({ scene, change, shared, lead, comings }, i): PlacedScene => {
    const start = frame(before)
    before += lengths[i]!
    const seconds = (i < plans.length - 1 ? frame(before) : total) - start
    const shorter = change && { ...change, seconds: Math.min(change.seconds, seconds * 0.4) }
    const { parts, comings: come } = landed(scene.parts, fitted(comings, lead, seconds))
    return { ...scene, parts: parts.map((part) => timed(part, scene, seconds)), comings: come, start, seconds, change: shorter, shared }
  })
  return { duration: total, scenes }
}

/** A part that knows how long its scene lasts, where its motion needs that. */
const timed = (part: Part, scene: StoryScene, lasts: number): Part => (scene.still ? { ...part, still: true, lasts } : part.effect === 'zoom' || part.lane || part.kind === 'roll' ? { ...part, lasts } : part)

/** No video is shorter than this unless a person or a scene says how long it is. */
const LEAST = 5

/** How long the video is, and each of its scenes. Scenes that say how long they are keep to it, unless a person says how long the whole is. */
function shared(plans: { seconds: number; exact: boolean }[], duration: number | 'auto'): { total: number; lengths: number[] } {
  const sum = plans.reduce((all, plan) => all + plan.seconds, 0)
  if (typeof duration === 'number') return { total: duration, lengths: roomy(plans.map((plan) => plan.seconds / sum), duration) }
  const exact = plans.reduce((all, plan) => all + (plan.exact ? plan.seconds : 0), 0)
  const total = exact === sum ? Math.max(Math.round(sum * 10) / 10, 1) : Math.max(Math.ceil(sum * 2 - 0.01) / 2, LEAST)
  const k = exact === sum ? total / sum : (total - exact) / (sum - exact)
  return { total, lengths: plans.map((plan) => plan.seconds * (plan.exact && exact !== sum ? 1 : k)) }
}

/** The shortest scene that a plan may have, where the time is enough for all. */
const SHORTEST = 1.5

/** Time by shares. A scene whose share is too short takes from the longer ones. */
function roomy(shares: number[], total: number): number[] {
  if (shares.length * SHORTEST > total) return shares.map((share) => share * total)
  let lengths = shares.map(() => 0)
  for (let long = shares.map(() => true), more = true; more; ) {
    const left = total - SHORTEST * long.filter((yes) => !yes).length
    const sum = shares.reduce((all, share, i) => all + (long[i] ? share : 0), 0)
    lengths = shares.map((share, i) => (long[i] ? (share / sum) * left : SHORTEST))
    more = lengths.some((length, i) => long[i] && length < SHORTEST)
    long = long.map((yes, i) => yes && lengths[i]! >= SHORTEST)
  }
  return lengths
}

function changeOf(story: Story, params: Params, scene: StoryScene, i: number, manner: Manner, speed: number): Pick<PlacedScene, 'change' | 'shared'> {
  const none = new Map<string, string>()
  if (i === 0 && !(story.loop ?? params.loop)) return { change: null, shared: none }
  const named = [scene.transition, params.transition, story.transition].find((name) => name && name !== 'auto') ?? manner.transition.kind
  const asked = named as Exclude<TransitionName, 'auto'>
  const shared = asked === 'morph' ? sharedParts(story.scenes[i - 1] ?? story.scenes[story.scenes.length - 1], scene) : none
  // Where nothing is shared there is nothing to move.
  const kind = asked === 'morph' && shared.size === 0 ? 'fade' : asked
  return { change: { kind, seconds: kind === 'cut' ? 0 : (manner.transition.seconds / speed) * (kind === 'morph' ? 1.3 : 1) }, shared }
}

/**
 * Scenes as the plan and koda.json tell them. A video of up to 30 s has seven such
 * scenes at most, a longer one fifteen: of more, neighbours are told together.
 */
export function chapters(scenes: PlacedScene[], duration: number): PlacedScene[][] {
  return groups(scenes, Math.ceil(scenes.length / (duration <= 30 ? 7 : 15)))
}

/** The keyframes of a scene, in its own time. */
function tracksOf(scene: PlacedScene, manner: Manner): Track[] {
  if (scene.still) return [{ object: SCENE, prop: 'camera', keys: [[0, 1]] }]
  const tracks: Track[] = [{ object: SCENE, prop: 'camera', keys: [[0, 0, eases.linear], [scene.seconds, 1]] }]
  if (scene.change && scene.change.seconds > 0) tracks.unshift({ object: SCENE, prop: 'change', keys: [[0, 0, manner.transition.ease], [scene.change.seconds, 1]] })
  for (const { part, at, seconds } of scene.comings) {
    const kind = kindOf(part)
    if (scene.shared.has(part.id)) {
      // It is there already, as it was left.
      tracks.push({ object: part.id, prop: 'enter', keys: [[0, 1]] })
      const values = kind.run?.(part, manner, 0, 0.04, scene.seconds) ?? {}
      for (const prop of Object.keys(values)) tracks.push({ object: part.id, prop, keys: arrived(values[prop]!, 0.04) })
      continue
    }
    // In a scene that is too short for it, it has come almost at once.
    const end = Math.max(at + seconds, 0.04)
    tracks.push({ object: part.id, prop: 'enter', keys: cut([[at, 0, eases.linear], [end, 1]]) })
    const values = kind.run?.(part, manner, Math.max(at, 0), Math.min(seconds, end), scene.seconds) ?? {}
    for (const prop of Object.keys(values)) tracks.push({ object: part.id, prop, keys: values[prop]! })
  }
  return tracks
}

/** Keyframes of a value that has come by a time. */
function arrived(keys: Key[], by: number): Key[] {
  const past = keys.filter(([at]) => at <= by)
  const last = past[past.length - 1]
  return last && past.length > 1 ? [[0, ...last.slice(1)] as Key, ...keys.slice(past.length)] : keys
}

/** A straight run without what lies before second 0. */
function cut([from, to]: [Key, Key]): Key[] {
  return from[0] >= 0 ? [from, to] : [[0, (0 - from[0]) / (to[0] - from[0]), from[2]], to]
}

const descriptionOf = (scene: PlacedScene, manner: Manner): string => scene.parts.map((part) => [kindOf(part).says(part, manner), shown(part)].filter(Boolean).join(' ')).filter(Boolean).join(' ')

function noteOf(scene: PlacedScene, i: number): string {
  const ways = { cut: 'a cut', fade: 'a fade', wipe: 'a wipe', push: 'a push', zoom: 'a zoom', morph: 'a morph of what both scenes have' }
  const change = scene.change && i > 0 ? `It follows by ${ways[scene.change.kind]}. ` : ''
  return `${change}${scene.still ? 'The end goes over into the beginning without a seam.' : scene.roam ? '' : 'Then all stays in view while the camera drifts slowly.'}`.trim()
}

/** The whole score of a recipe: what koda asks of score.ts. */
export function scored(story: (params: Params) => Story): (params: Params, env: Env) => Score {
  return (params, env) => {
    const told = furnished(story(params), params)
    if (told.errors?.length) return { duration: 1, scenes: [], sheets: {}, said: told.said, errors: told.errors }
    const { duration, scenes } = compose(told, params, env)
    const manner = manners[params.style]
    const plan = chapters(scenes, duration)
    const clothes = dressed(params, told)
    const fills = fillsOf(params)
    const looks = plan.flatMap((chapter, i) => chapter.map((scene) => lookOf(clothes, scene, i + 1)))
    const look = looks[0]!
    const unread = looks.flatMap((l) => [...(l.unread ? [`Letters ${l.unread} on ${l.hex.base} cannot be read: they are drawn ${l.hex.ink}.`] : []), ...(l.moved ? [`Letters ${l.hex.ink} on ${l.moved} cannot be read: the background is ${l.hex.base}.`] : []), ...unreadOf(l, params)])
    return {
      duration,
      auto: { duration, background: look.hex.base, color: look.hex.ink, accent: look.hex.accent },
      scenes: plan.map((chapter, i) => {
        const [first, last] = [chapter[0]!, chapter[chapter.length - 1]!]
        return {
          id: first.id,
          title: first === last ? first.title : `${first.title} to ${last.title}`,
          seconds: chapter.reduce((sum, scene) => sum + scene.seconds, 0),
          description: chapter.map((scene) => descriptionOf(scene, manner)).join(' '),
          notes: noteOf(first, i),
        }
      }),
      sheets: Object.fromEntries(scenes.map((scene) => [scene.id, { length: scene.seconds, tracks: tracksOf(scene, manner) }])),
      said: [...(told.said ?? []), ...unowned(signed(told.scenes, params), params), ...new Set(unread), `The background is ${called(look.colour.base)}, texts are ${called(look.colour.ink)} and the accent is ${called(look.colour.accent)}. The motion is ${manner.words}.`, ...(fills.length > 0 ? [`The figures are drawn in ${fills.map((fill) => called(parse(fill))).join(', ')}.`] : [])],
    }
  }
}
