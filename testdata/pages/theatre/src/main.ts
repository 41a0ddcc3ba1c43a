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
const sheet = project.sheet('Main')
const box = document.querySelector<HTMLElement>('#box')!
sheet.object('Time', { s: types.number(0) }).onValuesChange(({ s }) => (window as any).barcode.show(s))
sheet.object('Box', { x: types.number(0), turn: types.number(0) }).onValuesChange(({ x, turn }) => {
  box.style.transform = `translate(${x}px, 80px) rotate(${turn}rad)`
})
project.ready.then(() => {
  Object.assign(window, { __exportSeekTo: (t: number) => void (sheet.sequence.position = t), __exportReady: true })
})
