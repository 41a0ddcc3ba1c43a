import { getProject, types } from '@theatre/core'
import state from './state.json'

/** Seconds and frames a second; koda.json says the same. */
export const duration = 5
export const fps = 60

/** When each sheet's sequence runs, in seconds of the animation. */
export const SEQUENCE_TIMINGS = {
  Main: { start: 0, end: duration },
}

export const project = getProject('animation', { state })
export const mainSheet = project.sheet('Main')

const share = (value: number) => types.number(value, { range: [0, 1] })

export const disc = mainSheet.object('Disc', {
  x: types.number(0),
  y: types.number(0),
  scale: types.number(1),
  turn: types.number(0),
})

export const title = mainSheet.object('Title', {
  reveal: share(0),
  fade: share(1),
})
