import { getProject, type ISheetObject, types } from '@theatre/core'
import manifest from '../../koda.json?keyed'
import { composition, kodaProps, keyFramesBy, valuesOf } from '../koda'
import { story } from '../recipe/story'
import { lively } from '../stage/effect'
import { furnished } from '../stage/furnish'
import { kindOf } from '../stage/kinds'
import { dressed, type Look, lookOf } from '../stage/look'
import { chapters, compose, type PlacedScene, SCENE, sceneValues } from '../stage/score'
import { datedPart } from '../stage/parts/dates'
import type { Params } from '../stage/story'
import written from './params.json?keyed'
import state from './state.json?keyed'

/**
 * Scenes, sheets and frame keys of any story. Each scene is a sheet in its own
 * time, each part an object on it; every number of the motion is a keyframe in
 * state.json, all else follows from params.json.
 */
export const duration = composition.duration
export const fps = composition.fps

const params = kodaProps(written as Params)
const told = furnished(story(params), params)
const scenes = compose(told, { ...params, duration }, composition).scenes.map((scene) => ({ ...scene, parts: scene.parts.map((part) => datedPart(part, params.locale)) }))

const plan = chapters(scenes, duration)

/** Where scenes begin is told by koda.json, which a person may change; those that it tells together share the time. */
const starts: number[] = plan.flatMap((chapter, i) => {
  const from: number = manifest.scenes?.length === plan.length ? manifest.scenes[i].start : chapter[0]!.start
  const to: number = manifest.scenes?.length === plan.length ? (manifest.scenes[i + 1]?.start ?? duration) : (plan[i + 1]?.[0]!.start ?? duration)
  const whole = chapter.reduce((sum, scene) => sum + scene.seconds, 0)
  const moved = Math.abs(from - chapter[0]!.start) > 1e-5 || Math.abs(to - from - whole) > 1e-5
  return chapter.map((scene) => (moved ? from + ((scene.start - chapter[0]!.start) / whole) * (to - from) : scene.start))
})

/** The number by which the plan knows a scene, from 1. */
const numberOf = (scene: PlacedScene): number => plan.findIndex((chapter) => chapter.includes(scene)) + 1

export const SEQUENCE_TIMINGS = Object.fromEntries(scenes.map((scene, i) => [scene.id, { start: starts[i]!, end: starts[i + 1] ?? duration }]))

/** A row of a batch brings its own keyframes. */
export const project = getProject(params.recipe, { state: params.kodaState ?? state })

/** A scene with all that it is drawn from. */
export interface Actor {
  scene: PlacedScene
  look: Look
  backdrop: string
  start: number
  /** Drawn from the time as well as from its values. */
  moves: boolean
  stage: ISheetObject<any> // eslint-disable-line @typescript-eslint/no-explicit-any -- values differ by kind
  objects: Record<string, ISheetObject<any>> // eslint-disable-line @typescript-eslint/no-explicit-any -- values differ by kind
  /** All but values and time, for the frame key. */
  key: string
}

const numbers = (values: Record<string, number>) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, types.number(value)]))

function actorOf(scene: PlacedScene, start: number, instance?: string): Actor {
  const sheet = project.sheet(scene.id, instance)
  const look = lookOf(dressed(params, told), scene, numberOf(scene))
  const asked = String(params.backdrop ?? 'auto')
  const backdrop = asked === 'auto' ? (scene.backdrop ?? 'auto') : asked
  const objects = Object.fromEntries(scene.parts.map((part) => [part.id, sheet.object(part.id, numbers({ enter: 1, leave: 0, ...kindOf(part).values }))]))
  const { id, layout, parts, change, roam } = scene
  const moves = (backdrop !== 'plain' && backdrop !== 'none') || parts.some((part) => kindOf(part).moves || lively(part))
  return { scene, look, backdrop, start, moves, stage: sheet.object(SCENE, numbers(sceneValues)), objects, key: JSON.stringify([id, layout, parts, change?.kind, roam, backdrop, look]) }
}

/** The scenes in order. Koda finds their sheets here and drives them. */
export const cast: Actor[] = scenes.map((scene, i) => actorOf(scene, starts[i]!))

/** The last scene at its end, which the first takes the place of when the video is a loop. It is not exported, so nobody drives it: it stands. */
const last = scenes[scenes.length - 1]!
const ended: Actor | null = scenes[0]?.change ? actorOf(last, starts[starts.length - 1]! - duration, 'end') : null
if (ended) void project.ready.then(() => void (ended.stage.sheet.sequence.position = duration - starts[starts.length - 1]!))

/** The scene that the nth takes the place of; null where there is none. */
export const before = (index: number): Actor | null => cast[index - 1] ?? ended

/** The number of the scene at a time. A scene starts with the first frame at its start or after it; half a microsecond is what its start can be off by rounding. */
export const shownAt = (seconds: number): number => Math.max(starts.findLastIndex((start) => seconds * 1e6 >= Math.round(start * 1e6) - 0.5), 0)

/** Seconds of a scene, without what the sum of scenes adds by rounding. */
export const timeIn = (actor: Actor, seconds: number): number => Math.round((seconds - actor.start) * 1e6) / 1e6

function keyOf(actor: Actor, seconds: number): unknown[] {
  return [actor.key, valuesOf(actor.stage), Object.values(actor.objects).map((object) => valuesOf(object)), actor.moves ? timeIn(actor, seconds) : 0]
}

keyFramesBy((seconds, first) => {
  if (first) return 'an empty stage'
  const index = shownAt(seconds)
  const actor = cast[index]!
  const change = (valuesOf(actor.stage) as { change: number }).change
  const gone = actor.scene.change && change < 1 ? before(index) : null
  return gone ? [keyOf(gone, seconds), keyOf(actor, seconds)] : [keyOf(actor, seconds)]
}, { props: 'keyed' })
