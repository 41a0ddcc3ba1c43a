import { getProject, types } from '@theatre/core'
import { composition, keyFramesBy, sheetKey } from '../koda'
import { withOwn } from './scenes'
import state from './state.json?keyed'

/**
 * The motion. Every number of it is a keyframe in state.json; the words and how
 * they look are set in params.json.
 */
export const duration = composition.duration
export const fps = composition.fps

export const SEQUENCE_TIMINGS = { Main: { start: 0, end: duration } }

export const project = getProject('title', { state })
export const mainSheet = project.sheet('Main')

const share = (value: number) => types.number(value, { range: [0, 1] })

export const headline = mainSheet.object('Headline', {
  /** How much has come in, letter after letter, and how much has left. */
  reveal: share(0),
  exit: share(0),
  /** Where the accent is that runs through the letters; 0 and 1 are outside. */
  wave: share(0),
  /** How far the letters stand apart: 0.05 sets each 5% further from the middle. */
  tracking: types.number(0),
})

export const subtitle = mainSheet.object('Subtitle', { reveal: share(0), exit: share(0) })

/** The line under the words and what decorates them. */
export const accent = mainSheet.object('Accent', { draw: share(0), exit: share(0) })

export const stage = mainSheet.object('Stage', {
  light: share(1),
  zoom: types.number(1),
  /** The letterbox, 1 when closed to its final size. */
  bars: share(0),
})

/** All there is, so that state.json can be imported with ?keyed. */
keyFramesBy(withOwn(sheetKey(headline, subtitle, accent, stage)))
