import type { Weather } from '../stage/data'
import { around, begins, counted, dated, emoji, isWhen, leading, measured, noise, skiesIn, skyOf, sunday } from './words'

/** What a text says of the weather; names are what is left of it. */
export interface Told extends Weather {
  names: string[]
}

/** Stands where something was taken out of a text. */
const GAP = '\u0000'

const high = '(?:high|hi|max|maximum|höchstens|tagsüber|máx|máxima|massima|maximale?|最高(?:気温)?)'
const low = '(?:low|lo|min|minimum|nachts|mín|mínima|minima|minimale?|最低(?:気温)?)'
const labels = `(?:(?:${high}|${low})(?![\\p{L}])\\.?\\s*(?:of|:|de|di|von|は)?\\s*)?`
const value = '[-−–]?\\d{1,3}(?:[.,]\\d)?'
const unit = "(?:\\s?(?:°|º|˚|℃|℉|度|(?:degrees?|deg|grados?|grad|degrés?|graus?|gradi)(?!\\p{L}))(?:\\s?(?:[cf](?![\\p{L}])|celsius|fahrenheit))?|\\s?[cf](?![\\p{L}\\p{N}])|\\s(?:celsius|fahrenheit))"
const parting = '\\s*(?:\\/|-|–|—|\\||~|〜|to|bis|a|à|até|und|and|y|et|e)\\s*'
const warm = new RegExp(`${labels}(?<![\\d.,])(${value})(${unit})?${parting}${labels}(${value})(${unit})|${labels}(?<![\\d.,])(${value})(${unit})`, 'giu')
const bare = new RegExp(`${labels}(?<![\\d.,:/\\p{L}])(${value})(?:\\s?\\/\\s?(${value}))?(?![\\d\\p{L}]*\\p{L})(?!\\d)`, 'giu')

/** A unit as it is drawn: "degrees" is °, and a bare C or F has one before it. */
function unitOf(said: string): string {
  const text = said.trim()
  if (/^[℃℉度]/.test(text)) return text
  const scale = /fahrenheit$|(?<![\p{L}])f$/iu.test(text) ? 'F' : /celsius$|(?<![\p{L}])c$/iu.test(text) ? 'C' : ''
  return `°${scale}`
}

const amount = (text: string): number => Number(text.replace(/[−–]/, '-').replace(',', '.'))

/** The temperatures of a text, the highest first, and the text without them. */
function warmth(text: string): { figures: string[]; rest: string } {
  const found: { said: string; unit: string }[] = []
  const rest = text.replace(warm, (_, a?: string, ua?: string, b?: string, ub?: string, c?: string, uc?: string) => {
    if (c) found.push({ said: c, unit: unitOf(uc!) })
    else found.push({ said: a!, unit: unitOf(ua ?? ub!) }, { said: b!, unit: unitOf(ub!) })
    return GAP
  })
  if (found.length > 0) return { figures: ranked(found), rest }
  const all = [...text.matchAll(bare)].filter((one) => {
    const at = one.index! + one[0].indexOf(one[1]!)
    return !counted.test(text.slice(0, at)) && !dated.test(text.slice(one.index! + one[0].length))
  })
  const labelled = all.filter((one) => new RegExp(`^(?:${high}|${low})`, 'iu').test(one[0]))
  // Of "1 Mon 22" the last is the temperature.
  const taken = labelled.length > 1 ? labelled : all.slice(-1)
  let out = text
  for (const one of [...taken].reverse()) {
    found.unshift({ said: one[1]!, unit: '°' }, ...(one[2] ? [{ said: one[2], unit: '°' }] : []))
    out = out.slice(0, one.index!) + GAP + out.slice(one.index! + one[0].length)
  }
  return { figures: ranked(found), rest: out }
}

const ranked = (found: { said: string; unit: string }[]): string[] => [...found].sort((a, b) => amount(b.said) - amount(a.said)).map(({ said, unit }) => said + unit)

const wordsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean)
const plain = (word: string): string => word.toLowerCase().replace(/^[,.;:!]+|[,.;:!]+$/g, '')

/** A text without what is nobody's name at its ends. */
function trimmed(text: string): string {
  let all = wordsIn(text.replace(emoji, ' ').replace(/^[\s,.;:–—•|/()・、。-]+|[\s,;:–—•|/()・、。-]+$/g, ''))
  while (all.length > 0 && noise.has(plain(all[0]!))) all = all.slice(1)
  while (all.length > 0 && (noise.has(plain(all[all.length - 1]!)) || plain(all[all.length - 1]!) === '')) all = all.slice(0, -1)
  return all.join(' ').replace(/^(?:の|は|で)+|(?:の天気|の|は|で)+$/g, '')
}

/** The words for the sky in a text: with what belongs to them, and what is left before and behind. */
function skyIn(text: string, several: boolean): { sky?: string; words: string; before: string; behind: string } {
  // "Sun" is a day where it stands first and more is said.
  const own = several ? (/^\s*Sun\b(?=.*\S)/.exec(text)?.[0].length ?? 0) : 0
  const hits = skiesIn(text, skiesIn(text, own).length > 0 || /\d|\u0000/.test(text) ? own : 0)
  if (hits.length === 0) return { words: '', before: text, behind: '' }
  const belongs = (part: string) => wordsIn(part.replace(/[\u0000,;/+・、]/g, ' ')).every((word) => around.has(plain(word)))
  let [from, to] = [hits[0]!.from, hits[0]!.to]
  const taken = [hits[0]!]
  for (const hit of hits.slice(1)) {
    if (!belongs(text.slice(to, hit.from))) break
    to = hit.to
    taken.push(hit)
  }
  for (let more = /(\S+)\s+$/.exec(text.slice(0, from)); more && !more[1]!.includes(GAP) && around.has(plain(more[1]!)); more = /(\S+)\s+$/.exec(text.slice(0, from))) from = more.index
  for (let more = /^\s+([^\s,;]+)/.exec(text.slice(to)); more && !more[1]!.includes(GAP) && around.has(plain(more[1]!)) && !/^(and|und|y|et|e|with|mit|con|avec|com|&)$/i.test(more[1]!); more = /^\s+([^\s,;]+)/.exec(text.slice(to))) to += more[0].length
  const words = text.slice(from, to).replace(/\u0000/g, ' ').replace(emoji, '').replace(/\s+([,;])/g, '$1').replace(/([,;])[,;]+/g, '$1').replace(/\s+/g, ' ').replace(/^(?:\s|and |und |y |et |e |&|,)+/i, '').trim()
  return { sky: skyOf(taken), words, before: text.slice(0, from), behind: text.slice(to) }
}

/** Reads what a text says of the weather. several says that it is one of several days. */
export function told(said: string, several: boolean): Told {
  const lines: string[] = []
  // "rain 60%" and nothing else of the sky: the picture is of that.
  const text = said.replace(/\b(?:minus|menos|moins|meno) (?=\d)/gi, '-').replace(measured, (fact) => {
    lines.push(fact.trim())
    return GAP
  })
  const { figures, rest } = warmth(text)
  const { sky, words, before, behind } = skyIn(rest, several)
  const parts = [before, behind].map((part) => part.split(several ? /\u0000/ : /[\u0000,;|\n、。]|:\s|\.\s/).map(trimmed).filter(Boolean))
  const names = [...parts[0]!, ...parts[1]!]
  return { name: '', names, sky: sky ?? skyOf(lines.flatMap((line) => skiesIn(line))), words, figure: figures[0], low: figures[1], lines: [...figures.slice(2), ...lines] }
}

/** A text at each of the days that it names: "Mon 12° rain Tue 14° cloudy". */
export function parted(text: string): string[] {
  const at = [...text.matchAll(begins)].map((one) => one.index! + (one[1] ?? '').length)
  if (at.length === 0) return [text]
  for (const one of text.matchAll(sunday)) at.push(one.index! + one[1]!.length)
  const places = [...new Set(at)].sort((a, b) => a - b)
  if (places.length < 2) return [text]
  const pieces = places.map((from, i) => text.slice(from, places[i + 1] ?? text.length).replace(/[\s,;.–—|-]+$/, ''))
  const before = text.slice(0, places[0]).trim()
  // "Today" in a sentence is no day of its own.
  return pieces.every((piece) => /\d/.test(piece) || skiesIn(piece.replace(/^\S+/, '')).length > 0) ? [...(before ? [before] : []), ...pieces] : [text]
}

/** A day of several: its name is what is left of its text. */
export function dayIn(text: string): Weather {
  const { names, ...day } = told(text, true)
  const [first = '', ...rest] = names
  // Behind the sky stands more of it: "sunny in the morning".
  const more = day.words && rest.length > 0 ? rest.join(' ') : ''
  return { ...day, name: first.replace(leading, ''), words: [day.words, more].filter(Boolean).join(' ') }
}

/** Whether a text is the weather of a day: it has a name and something to show, or a sky and a temperature. */
export const isDay = (day: Weather): boolean => (!!day.sky && !!day.figure) || (day.name !== '' && (!!day.sky || !!day.figure))

export interface Now {
  day: Weather
  place: string
  /** What stands above the place: "Weather today". */
  above: string
}

/** A text at the colon behind its heading: "weather today: 24 degrees and sunny". */
function headed(text: string): string[] {
  const [, head, rest] = /^([^:：]{1,60})[:：]\s*(.+)$/s.exec(text) ?? []
  return head && rest && !tells(told(head, false)) && tells(told(rest, false)) ? [head.trim(), rest] : [text]
}

const tells = (one: Weather): boolean => !!one.sky || !!one.figure || (one.lines ?? []).length > 0

/** The weather at one place, from all that is said of it. */
export function nowIn(texts: string[]): Now {
  const parts = texts.flatMap(headed)
  const all = parts.map((text) => told(text, false))
  const names = all.flatMap((one) => (tells(one) ? one.names : []))
  // A text that tells nothing is a heading.
  const [heading = '', ...others] = parts.filter((_, i) => !tells(all[i]!))
  const whens = names.filter(isWhen)
  const places = names.filter((name) => !isWhen(name) && leading.test(name))
  const own = places[0] ?? names.find((name) => !isWhen(name)) ?? ''
  // Where a heading stands, what has no "in" before it is more of what is said.
  const place = places[0] ?? (heading || own)
  const above = [place === heading ? '' : heading, ...whens].filter(Boolean)
  const rest = names.filter((name) => name !== place && !isWhen(name))
  const figures = all.flatMap((one) => [one.figure, one.low].filter((figure): figure is string => !!figure))
  // A picture of words comes before one of "rain 60%".
  const skies = all.filter((one) => one.sky)
  const sky = (skies.find((one) => one.words) ?? skies[0])?.sky
  const words = skies.map((one) => one.words).filter(Boolean)
  const lines = all.flatMap((one) => one.lines ?? [])
  return { place: place === heading ? place : place.replace(leading, ''), above: above.join(' · '), day: { name: '', sky, figure: figures[0], low: figures[1], words: words[0], lines: [...words.slice(1), ...figures.slice(2), ...lines, ...others, ...rest] as string[] } }
}

/** Texts as days: what belongs to a day may stand in the text of the one before, "sunny Thu 15°". */
export function daysIn(texts: string[]): Weather[] {
  const split = texts.map(parted)
  const torn = split.some((pieces, i) => pieces.length > 1 && i > 0) || texts.some((text, i) => i > 0 && inside(text))
  return whole(torn ? parted(texts.join(' ')) : split.flat()).map(dayIn)
}

/** Texts with what tells of a day whose name is in the one before: "Mon: sunny", "22". */
function whole(texts: string[]): string[] {
  const out: string[] = []
  for (const text of texts) {
    const [last = '', day] = [out[out.length - 1], dayIn(text)]
    const before = dayIn(last)
    const more = !day.name && tells(day) && before.name !== '' && !(day.sky && before.sky) && !(day.figure && before.figure)
    // Some days have names: what has none and tells of one thing only is no day of its own.
    if (more && !(day.sky && day.figure)) out[out.length - 1] = `${last}, ${text}`
    else out.push(text)
  }
  return out
}

/** Whether a day begins in the middle of a text, behind something that another day has. */
function inside(text: string): boolean {
  const [first] = text.matchAll(begins)
  const before = first ? text.slice(0, first.index! + (first[1] ?? '').length) : ''
  return before.trim() !== '' && tells(told(before, true))
}
