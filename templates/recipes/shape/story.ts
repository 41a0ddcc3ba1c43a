import { parse } from '../stage/colour'
import { shapes } from '../stage/outline'
import { above } from '../stage/scenes'
import type { Params, Part, Story } from '../stage/story'

interface Row {
  label: string
  color?: string
}

/** Seconds of a video that nobody gives a length. */
const usual: Record<string, number> = { lights: 6, morph: 2.6, trace: 4.5, merge: 4, split: 4, cover: 3.5, float: 8 }

/** What several bodies do together. */
const together = ['morph', 'merge']

/** The lamps of a traffic light. */
const traffic: Row[] = [['circle', '#e5343d'], ['circle', '#ffc21f'], ['circle', '#1fb04f']].map(([label, color]) => ({ label: label!, color }))

/** Bodies that float where nobody names one. */
const various: Row[] = ['circle', 'square', 'triangle', 'hexagon'].map((label) => ({ label }))

/** A colour is so light that it needs a dark ground. */
const palest = 0.87

/** Shapes that become one another, draw themselves, spin, pulse, grow, drift, or stand side by side. */
export function story(params: Params): Story {
  const { speed, loop, duration } = params
  const rows = params.shapes as Row[]
  const unknown = rows.find(({ label }) => !shapes.includes(label))
  if (unknown) return { scenes: [], errors: [{ param: 'shapes', message: `there is no shape named ${unknown.label}`, hint: `there are ${shapes.join(', ')}` }] }
  const several = rows.length > 1
  const blob = rows.length === 1 && rows[0]!.label === 'blob' // which never stands still
  const act = params.act !== 'auto' && !(blob && params.act === 'morph') ? params.act : blob ? 'rest' : rows.length === 0 ? 'float' : several ? 'rest' : 'pulse'
  const all = rows.length > 0 ? rows : act === 'lights' ? traffic : act === 'float' || together.includes(act) ? various : [{ label: 'circle' }]
  const seconds = typeof duration === 'number' ? duration : lengthOf(act, all.length) / (turns[act] ? 1 : speed || 1)
  // One colour that is said of all is that of each.
  const plain = String(params.accent).startsWith('#') && (!several || all.every(({ color }) => !color))
  const forms = all.map(({ label, color }) => ({ shape: label, ...(color ? { color } : plain && act !== 'float' ? { color: params.accent } : {}) }))
  const part: Part = { id: 'shape', kind: 'shape', forms, act, line: params.line, still: loop, lasts: seconds, size: params.size, area: 'behind' }
  if (speed && speed !== 1) part.turn = turns[act] ? turns[act]! / speed : undefined
  const pale = params.background === 'auto' && forms.some(({ color }) => color && parse(color).l > palest)
  return { loop: false, scenes: [above({ id: 'shape', title: 'Shape', seconds, layout: 'full', tone: pale && params.style === 'smooth' ? 'contrast' : 'base', backdrop: params.backdrop === 'auto' ? 'plain' : undefined, parts: [part] }, params.text, params.where)] }
}

/** Seconds of one turn of what repeats, as the part has them: for another speed. */
const turns: Record<string, number> = { turn: 5, pulse: 1.6, wobble: 1.5, blink: 1.4, hop: 1.2, ripple: 3.2, rest: 3.2, orbit: 4.2, float: 9, pendulum: 2.4, cradle: 1.9, sine: 2.4, right: 4, left: 4, down: 4, rise: 4 }

function lengthOf(act: string, n: number): number {
  if (act === 'morph') return Math.max(usual.morph! * Math.max(n - 1, 1), 4)
  return usual[act] ?? (turns[act] ? Math.max(Math.round(5 / turns[act]!), 1) * turns[act]! : 4.5)
}
