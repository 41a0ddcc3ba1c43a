import { type Colour, contrast, css, hex, parse, readable } from './colour'
import { bolder, type Look } from './look'
import type { Params, Part, StoryScene } from './story'

/** What a person asks of single parts: their colour and their letters, whose usual size is 1, by the name of the part. */
export interface Own {
  part: string
  color?: string
  size?: number
  /** "italic", "bold" or both. */
  letters?: string
}

const owns = (params: Params): Own[] => (Array.isArray(params.parts) ? params.parts : []).map((own: Own) => ({ ...own, ...(own.size && { size: Math.min(Math.max(own.size, 0.4), 2) }) }))

/** Whether a name is that of a part: its id, its kind, or the parameter whose text it shows. */
function named(part: Part, name: string, params: Params): boolean {
  const text = typeof params[name] === 'string' ? params[name].trim() : ''
  const shown = typeof part.text === 'string' ? part.text.trim() : ''
  return part.id === name || part.kind === name || (text !== '' && (shown === text || shown === `— ${text}`))
}

/** Words of a text without marks and capitals, by the blanks between them. */
const wordsOf = (text: string) => text.split(/\s+/).map((word) => word.toLowerCase().replace(/[.,;:!?"“”„«»‘’'()…—–¡¿]+/g, ''))

/** Where words stand in others, as the place of the first; below 0 if they do not. */
const placeOf = (words: string[], all: string[]) => all.findIndex((_, i) => words.every((word, k) => word === all[i + k]))

/** Whether a name is that of some words of a text. */
const says = (part: Part, name: string) => part.kind === 'text' && typeof part.text === 'string' && placeOf(wordsOf(name), wordsOf(part.text)) >= 0

/** A part with the colour and the size of its own that are asked for, and with the colours of single words. */
export function owned(part: Part, params: Params): Part {
  const all = owns(params)
  const own = all.find(({ part: name }) => named(part, name, params))
  const inks = all.filter((ink) => ink !== own && ink.color && says(part, ink.part))
  return { ...part, ...(own && { own }), ...(inks.length > 0 && { inks }) }
}

/** The colours of single words of a text, by the numbers of the words. */
export function inksOf(inks: Own[], words: string[], look: Look): Record<number, string> {
  const all = words.map((word) => wordsOf(word).join(''))
  const colours = inks.flatMap(({ part: name, color }) => {
    const at = placeOf(wordsOf(name), all)
    return at < 0 ? [] : wordsOf(name).map((_, k) => [at + k, css(inkOf(look, color!))] as const)
  })
  return Object.fromEntries(colours)
}

/** Sentences about the names that no part of a story has. */
export const unowned = (scenes: StoryScene[], params: Params): string[] =>
  owns(params)
    .filter(({ part: name }) => !scenes.some((scene) => scene.parts.some((part) => named(part, name, params) || says(part, name))))
    .map(({ part: name }) => `No part is called "${name}": what is asked of it has no effect.`)

const seen = new WeakMap<Look, Map<string, Look>>()

/** The look that a part with a colour and a size of its own sees. A colour that cannot be read there is made readable. */
export function lookFor(part: Part, look: Look): Look {
  const own = part.own as Own | undefined
  if (!own) return look
  const key = `${own.color} ${own.size} ${own.letters}`
  const looks = seen.get(look) ?? new Map<string, Look>()
  seen.set(look, looks)
  if (!looks.has(key)) looks.set(key, { ...look, ...(own.color && inked(look, own.color)), size: look.size * (own.size ?? 1), ...(own.letters?.includes('bold') && { face: bolder(look.face) }) })
  return looks.get(key)!
}

/** The colour that is asked for, or as near to it as can be read on the ground. */
function inkOf(look: Look, color: string): Colour {
  const asked = parse(color)
  return contrast(asked, look.colour.base) >= 3 ? asked : readable(asked, look.colour.base)
}

/** Sentences about the colours of parts that cannot be read in a look. */
export const unreadOf = (look: Look, params: Params): string[] =>
  owns(params)
    .filter(({ color }) => color && hex(inkOf(look, color)) !== color)
    .map(({ color }) => `Letters ${color} on ${look.hex.base} cannot be read: they are drawn ${hex(inkOf(look, color!))}.`)

/** Colours of letters in one colour. */
function inked(look: Look, color: string): Partial<Look> {
  const ink = inkOf(look, color)
  return { ink: css(ink), soft: css(ink), accentInk: css(ink), inked: true, hex: { ...look.hex, ink: hex(ink) } }
}
