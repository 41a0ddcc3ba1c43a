import { getProject, types } from '@theatre/core'

const key = (id: string, position: number, value: number, handles: number[]) => ({ id, position, value, handles, type: 'bezier', connectedRight: true })
const straight = [1, 1, 0, 0]
const track = (name: string, to: number, handles: number[]) => ({
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

const project = getProject('corpus', { state })
export const sheet = project.sheet('Main')
export const values = { s: 0, x: 0, turn: 0 }
sheet.object('Time', { s: types.number(0) }).onValuesChange((v) => Object.assign(values, v))
sheet.object('Box', { x: types.number(0), turn: types.number(0) }).onValuesChange((v) => Object.assign(values, v))
export const ready = project.ready
