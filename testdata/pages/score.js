// The score that the pages of Theatre.js play: the time of the barcode, and a box.
import { getProject, types } from '@theatre/core'

const key = (id, position, value, handles) => ({ id, position, value, handles, type: 'bezier', connectedRight: true })
const straight = [1, 1, 0, 0]
const track = (name, to, handles) => ({
  type: 'BasicKeyframedTrack',
  keyframes: [key(name + '0', 0, 0, handles), key(name + '1', 2, to, handles)],
})
const state = {
  definitionVersion: '0.4.0',
  revisionHistory: ['corpus'],
  sheetsById: {
    Main: {
      staticOverrides: { byObject: {} },
      sequence: {
        type: 'PositionalSequence', length: 3, subUnitsPerUnit: 60,
        tracksByObject: {
          Time: { trackIdByPropPath: { '["s"]': 's' }, trackData: { s: track('s', 2, straight) } },
          Box: { trackIdByPropPath: { '["x"]': 'x', '["turn"]': 'turn' }, trackData: { x: track('x', 400, [0.2, 1, 0.8, 0]), turn: track('turn', 6, straight) } },
        },
      },
    },
  },
}

export const project = getProject('corpus', { state })
export const sheet = project.sheet('Main')
export const time = sheet.object('Time', { s: types.number(0) })
export const box = sheet.object('Box', { x: types.number(0), turn: types.number(0) })
