import { dataKinds } from './kinds.data'
import type { Manner } from './manner'
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
  /** Takes no room: it lies over the frame, or behind it when its area says so. */
  free?: boolean
  /** One sentence for the plan that names texts and data. */
  says(part: Part): string
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

const ways: Record<string, string> = {
  rise: 'rises word by word',
  pop: 'pops up letter by letter',
  focus: 'comes into focus letter by letter',
  slide: 'slides in',
  drop: 'drops in letter by letter',
  type: 'is typed letter by letter',
  mask: 'is uncovered line by line',
  fade: 'fades in',
}

const own: Record<string, Kind> = {
  text: {
    values: { wave: 0 },
    enter: (part, manner) => (part.how === 'type' ? Math.min(0.3 + lettersOf(part.text) * 0.055, 5) : unfolding(part.text, manner)),
    read: (part) => reading(part.text),
    says: (part) => `${part.says ?? 'The text'} ${quoted(part.text)} ${ways[part.how ?? ''] ?? 'comes in'}.`,
  },
}

export const kinds: Record<string, Kind> = { ...own, ...dataKinds }

export const kindOf = (part: Part): Kind => {
  const kind = kinds[part.kind]
  if (!kind) throw new Error(`there is no kind of part named ${part.kind}; there are ${Object.keys(kinds).join(', ')}`)
  return kind
}
