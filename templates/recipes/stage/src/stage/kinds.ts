import { called, parse } from './colour'
import { dataKinds } from './kinds.data'
import { eases, type Manner } from './manner'
import type { Key, Part } from './story'

/**
 * The pure side of a kind of part: its values, its times and its words. The page's
 * side is the file of the same name in parts/. A new kind has an entry in both.
 */
export interface Kind {
  /** Values besides enter and leave, with what they are without keyframes. */
  values?: Record<string, number>
  /** Seconds in which the part comes in. */
  enter(part: Part, manner: Manner): number
  /** Seconds a person needs to take it in, from the moment it has come. */
  read(part: Part): number
  /** Keyframes of values: from when the part begins to come, over the seconds of its coming, in a scene of so many seconds. */
  run?(part: Part, manner: Manner, at: number, seconds: number, scene: number): Record<string, Key[]>
  /** Drawn from the time as well as from its values. */
  moves?: boolean
  /** Its coming is a play of its own: it does not begin before the scene, and goes on almost to the end. */
  whole?: boolean
  /** Takes no room: it lies over the frame, or behind it when its area says so. */
  free?: boolean
  /** One sentence for the plan that names texts and data; nothing for what only decorates. */
  says(part: Part, manner: Manner): string
}

export const quoted = (text: string): string => `"${text.replace(/\s+/g, ' ').trim()}"`

/** Names in a row: a, b and c. More than a few are counted. */
export function listed(items: string[], most = 6): string {
  const shown = items.length > most ? [...items.slice(0, most - 1), `${items.length - most + 1} more`] : items
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`
}

/** Scripts written without blanks, where a letter says as much as a third of a word. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]/g

/** Seconds it takes to read a text. */
export function reading(text: string): number {
  const close = (text.match(dense) ?? []).length
  const words = text.replace(dense, ' ').split(/\s+/).filter(Boolean).length + close / 3
  return 0.7 + Math.min(words, 60) * 0.27
}

const lettersOf = (text: string) => Array.from(text).length

/** Coming letter by letter takes longer for longer texts, up to twice. */
const unfolding = (text: string, manner: Manner) => manner.enter * (1 + Math.min(lettersOf(text) / 60, 1))

const loud = ['hero', 'title', 'heading', 'number']

/** The way a text comes: what it says itself, or that of the style; long and small texts come quietly. */
export function wayOf(part: Part, manner: Manner): string {
  if (part.still) return 'still'
  if (ways[part.how as string]) return part.how as string
  return loud.indexOf(part.role ?? 'title') >= 0 && lettersOf(part.text) <= 60 ? manner.loud : manner.quiet
}

const effects: Record<string, string> = { glitch: 'tears like a bad picture', outline: 'is drawn in outlines', shake: 'shakes', wave: 'goes in waves', wobble: 'wobbles letter by letter', blink: 'blinks', pulse: 'pulses', breathe: 'grows and shrinks slowly', float: 'floats up and down', swing: 'swings', spin: 'turns', zoom: 'comes nearer slowly', roam: 'drifts around the frame and bounces off its edges', rainbow: 'has the colours of a rainbow', gradient: 'goes from colour to colour' }

/** What an effect does to a part, for the plan. */
export function shown(part: Part): string {
  const all = [effects[part.effect as string], part.glow && 'glows'].filter(Boolean)
  return all.length > 0 ? `It ${all.join(' and ')}.` : ''
}

const ways: Record<string, string> = {
  rise: 'rises out of its line',
  pop: 'pops up letter by letter',
  focus: 'comes into focus letter by letter',
  slide: 'slides in',
  drop: 'drops in letter by letter',
  type: 'is typed letter by letter',
  mask: 'is uncovered',
  fade: 'fades in',
  still: 'is there from the first frame on',
}

/** On and off once a second, from when a text is typed. */
function blinking(from: number, to: number): Key[] {
  const keys: Key[] = [[0, 1, 'hold']]
  for (let i = 1; from + i * 0.5 < to && i < 40; i++) keys.push([from + i * 0.5, i % 2 === 1 ? 0 : 1, 'hold'])
  return keys
}

const plain = (_: Part, manner: Manner) => manner.enter

/** A slow run over the whole scene and a little beyond, where the next one takes its place. */
const through = (scene: number): Key[] => [[0, 0, eases.linear], [scene, 1]]

const things: Record<string, string> = { confetti: 'Confetti falls', snow: 'Snow falls', sparks: 'Sparks rise', hearts: 'Hearts rise', balloons: 'Balloons rise', bubbles: 'Bubbles rise', petals: 'Flowers and petals fall', leaves: 'Leaves fall', rain: 'Rain falls', stars: 'Stars twinkle', dust: 'Particles drift' }

const acts: Record<string, string> = { rise: 'it rises', drift: 'it moves across the frame from left to right', driftleft: 'it moves across the frame from right to left', driftup: 'it moves across the frame from the lower left to the upper right', driftdown: 'it moves across the frame from the upper left to the lower right', fall: 'it falls', spin: 'it turns', load: 'it turns', beat: 'it beats', ring: 'it rings', shake: 'it shakes', bounce: 'it bounces', hop: 'it hops', wave: 'it waves', swing: 'it swings', sway: 'it sways', blink: 'it blinks', flicker: 'it flickers', twinkle: 'it twinkles', float: 'it floats', steam: 'it steams', draw: 'it is drawn line by line', grow: 'it grows', pop: 'it pops up', nod: 'it nods', drive: 'it drives' }

const file = (src: string) => String(src).split('/').pop()!

/** The points of a list that are ticked or crossed off, by their places: those that are named, or all. */
export const doneOf = (part: Part): number[] => {
  const done: string[] = part.done ?? []
  const all: number[] = part.items.map((_: string, i: number) => i)
  return done.length > 0 ? all.filter((i) => done.includes(part.items[i])) : all
}

/** A sentence on the points that are ticked or crossed off; nothing where none are. */
function doneSaid(part: Part, how: string, named = false): string {
  const done = doneOf(part)
  if (arrival(part) === 1 || done.length === 0) return ''
  const who = named ? `${listed(done.map((i) => quoted(part.items[i])))} ${done.length > 1 ? 'are' : 'is'}` : 'they are'
  return ` Then ${who} ${how} off${named && done.length === 1 ? '' : ' one by one'}.`
}

/** The share of a list's coming in which its points come; in the rest they are done one after another, where that is asked for. */
export const arrival = (part: Part): number => (part.marks === 'tick' || part.marks === 'strike' ? 0.42 : 1)

/** What bodies do: one of them, and several. */
const doings: Record<string, [string, string]> = {
  bounce: ['bounces', 'bounce'], hop: ['hops', 'hop one after another'], orbit: ['is circled by small ones', 'circle'], trace: ['is drawn as a line', 'are drawn as lines'], turn: ['turns', 'turn'], pulse: ['grows and shrinks gently', 'grow and shrink gently'],
  wobble: ['wobbles', 'wobble'], blink: ['blinks', 'blink'], grow: ['grows', 'grow'], shrink: ['shrinks', 'shrink'], cover: ['grows until it fills the frame', 'grow'], ripple: ['sends rings outwards', 'send rings outwards'], right: ['goes from left to right', 'go from left to right'],
  left: ['goes from right to left', 'go from right to left'], down: ['goes from the top to the bottom', 'go from the top to the bottom'], rise: ['goes from the bottom to the top', 'go from the bottom to the top'], split: ['parts in two', 'part'], merge: ['comes together', 'come together'], float: ['drifts in many sizes', 'drift in many sizes'], rest: ['floats', 'stand beside each other'], morph: ['changes its form', 'become one another'],
}

/** Plays of which the bodies are only a part. */
const plays: Record<string, string> = { pendulum: 'A pendulum swings', cradle: 'Balls on lines strike each other', sine: 'A wave runs along a line', lights: 'The lamps of a traffic light go on one after another' }

/** A sentence of bodies, their colours and what they do. */
function sentenceOf(forms: { shape: string; color?: string }[], act: string): string {
  const named = (form: { shape: string; color?: string }) => `${form.color ? `${called(parse(form.color))} ` : ''}${form.shape}`
  const one = (form: { shape: string; color?: string }) => named(form).replace(/^/, /^[aeiou]/.test(named(form)) ? 'an ' : 'a ')
  const alike = forms.every((form) => named(form) === named(forms[0]!))
  const sentence = plays[act] ?? (forms.length === 1 ? `${one(forms[0]!)} ${doings[act]?.[0] ?? 'turns'}` : act === 'morph' ? `${one(forms[0]!)} becomes ${forms.slice(1).map(one).join(', then ')}` : `${alike ? `${forms.length} ${named(forms[0]!)}s` : listed(forms.map(one))}: they ${doings[act]?.[1] ?? 'turn'}`)
  return `${sentence.replace(/^./, (c) => c.toUpperCase())}.`
}

const own: Record<string, Kind> = {
  text: {
    values: { wave: 0, caret: 1 },
    enter: (part, manner) => (part.slow ? Math.min(0.2 + 0.36 * part.text.trim().split(/\s+/).length, 9) : part.how === 'type' ? Math.min(0.3 + lettersOf(part.text) * 0.055, 5) : unfolding(part.text, manner)),
    read: (part) => reading(part.text),
    run: (part, manner, at, seconds, scene): Record<string, Key[]> => {
      if (part.how === 'type') return { caret: blinking(at + seconds, scene) }
      // A swell through the letters, once, in the middle of what is held.
      const from = at + seconds + 0.5
      const room = scene - from
      return manner.swell && part.role === 'hero' && room > 1.2 ? { wave: [[from, 0, eases.linear], [from + Math.min(room - 0.2, 1.3), 1]] } : {}
    },
    says: (part, manner) => (part.says === '' ? '' : `${part.says ?? 'The text'} ${quoted(part.text)} ${ways[wayOf(part, manner)]}.`),
  },
  rule: { enter: plain, read: () => 0, says: () => '' },
  button: {
    enter: plain,
    read: (part) => reading(part.text),
    moves: true,
    says: (part) => `The button ${quoted(part.text)} appears.`,
  },
  badge: { enter: plain, read: (part) => reading(part.text), moves: true, says: (part) => `A badge says ${quoted(part.text)}.` },
  lowerthird: {
    enter: (_, manner) => manner.enter * 1.2,
    read: (part) => reading(`${part.text} ${part.subtitle ?? ''}`),
    says: (part) => `A caption names ${quoted(part.text)}${part.subtitle ? `, ${quoted(part.subtitle)}` : ''}.`,
  },
  list: {
    enter: (part, manner) => (manner.enter * (0.7 + 0.42 * Math.min(part.items.length, 12))) / arrival(part),
    read: (part) => Math.min(reading(part.items.join(' ')) * 0.75, 14) * arrival(part),
    says: (part) => `${part.items.length === 1 ? 'One point comes' : `${part.items.length} points come one after another`}: ${listed(part.items.map(quoted))}.${doneSaid(part, part.marks === 'tick' ? 'ticked' : 'crossed', !!part.done?.length)}`,
  },
  steps: {
    enter: (part, manner) => manner.enter * (0.9 + 0.55 * Math.min(part.items.length, 12)),
    read: (part) => Math.min(reading(part.items.join(' ')) * 0.8, 14),
    says: (part) => `${({ cycle: 'A cycle', timeline: 'A line of time' } as Record<string, string>)[part.form] ?? 'A way'} of ${part.items.length} stations is drawn: ${listed(part.items.map(quoted), 8)}.`,
  },
  roll: {
    enter: plain,
    read: (part) => 2.5 + 0.9 * part.items.length,
    moves: true,
    says: (part) => `${part.title ? `${quoted(part.title)} and ` : ''}${part.items.length} lines roll up over the frame: ${listed(part.items.map(quoted), 8)}.`,
  },
  picture: {
    values: { pan: 0 },
    enter: plain,
    read: (part) => part.read ?? 2.2,
    run: (_, __, ___, ____, scene) => ({ pan: through(scene) }),
    says: (part) => `The picture ${file(part.src)} is shown${part.frame === 'phone' ? ' in a phone' : part.frame === 'browser' ? ' in a browser window' : ''}.`,
  },
  logo: {
    values: { shine: 0 },
    enter: (_, manner) => manner.enter * 1.5,
    read: () => 1.2,
    run: (_, __, at, seconds) => ({ shine: [[at + seconds * 0.8, 0, eases.inOutCubic], [at + seconds * 0.8 + 1, 1]] }),
    says: (part) => (part.src ? `The logo ${file(part.src)} appears.` : `The name ${quoted(part.text)} is built as a logo.`),
  },
  shape: {
    enter: (_, manner) => manner.enter * 1.4,
    read: () => 1,
    moves: true,
    says: (part) => sentenceOf(part.forms ?? [{ shape: part.shape ?? 'ball' }], part.act ?? 'bounce'),
  },
  stars: { enter: (_, manner) => manner.enter * 1.3, read: () => 0.6, says: (part) => `${part.value} of five stars are filled.` },
  particles: { enter: plain, read: () => 0, moves: true, free: true, says: (part) => `${things[part.what ?? 'confetti'] ?? 'Particles move'}${part.last ? ' when all has come' : ''}.` },
  sign: {
    enter: (_, manner) => manner.enter * 1.3,
    read: () => 0.5,
    moves: true,
    says: (part) => `${listed(String(part.what).split(/\s*,\s*/)).replace(/-/g, ' ').replace(/^./, (c) => c.toUpperCase())} ${String(part.what).includes(',') ? 'are' : 'is'} drawn as a picture${part.act ? `: ${acts[part.act] ?? 'it moves'}` : ''}.`,
  },
}

export const kinds: Record<string, Kind> = { ...own, ...dataKinds }

export const kindOf = (part: Part): Kind => {
  const kind = kinds[part.kind]
  if (!kind) throw new Error(`there is no kind of part named ${part.kind}; there are ${Object.keys(kinds).join(', ')}`)
  return kind
}
