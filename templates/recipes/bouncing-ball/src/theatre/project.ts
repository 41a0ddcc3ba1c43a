import { getProject, types } from '@theatre/core'
import { composition, keyFramesBy, sheetKey } from '../koda'
import { withOwn } from './scenes'
import { balls, text } from '../components/look'
import state from './state.json?keyed'

/**
 * The motion. Every number of it is a keyframe in state.json; how it looks is
 * set in params.json. The bounces in params.json are laid into keyframes by
 * koda: after editing that number by hand, ask koda for a change.
 */
export const duration = composition.duration
export const fps = composition.fps

export const SEQUENCE_TIMINGS = { Main: { start: 0, end: duration } }

export const project = getProject('bouncing-ball', { state })
export const mainSheet = project.sheet('Main')

const share = (value: number) => types.number(value, { range: [0, 1] })

/** The objects of the nth of several balls, from 0. */
const named = (name: string, nth: number) => (nth === 0 ? name : `${name} ${nth + 1}`)

const ballOf = (nth: number) =>
  mainSheet.object(named('Ball', nth), {
    /** Of the lowest point above the floor, in full bounces. */
    height: types.number(1),
    /** Up is positive; 1 is the speed of a fall from a full bounce. */
    speed: types.number(0),
    /** 1 is the blow of a fall from a full bounce; negative is a spring back. */
    squash: types.number(0),
    scale: types.number(1),
    opacity: share(1),
    /** In steps of the shape's symmetry. */
    turn: types.number(0),
    /** Beside its place: 1 is just beside the frame. */
    across: types.number(0),
  })

/** What the last touch of the floor threw up. */
const dustOf = (nth: number) =>
  mainSheet.object(named('Dust', nth), {
    age: share(1),
    power: types.number(0),
    number: types.number(0),
    across: types.number(0),
  })

export const bodies = Array.from({ length: balls }, (_, nth) => ({ ball: ballOf(nth), dust: dustOf(nth) }))
export type Body = (typeof bodies)[number]

export const stage = mainSheet.object('Stage', {
  light: share(1),
  zoom: types.number(1),
  /** The letterbox, 1 when closed to its final size. */
  bars: share(0),
  /** How much of a shadow the ball casts. */
  shadow: share(0),
})

/** The words below. */
const said = text ? [mainSheet.object('Caption', { reveal: share(1), exit: share(0) })] : []
export const caption = said[0]!

/** All there is, so that state.json can be imported with ?keyed. */
keyFramesBy(withOwn(sheetKey(...bodies.flatMap(({ ball, dust }) => [ball, dust]), stage, ...said)))
