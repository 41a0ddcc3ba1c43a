import { coloured, type Side, sidesOf } from '../stage/data'
import { resultScene } from '../stage/sides'
import type { Params, Story } from '../stage/story'

/** A result in one line: "Rovers 3 - 1 United", "Rovers 3, United 1" or "Rovers vs United, 3 - 1", with what is said behind it. */
const middle = /^(.+?)\s+(\d{1,3})\s*[-–—:]\s*(\d{1,3})\s+([^,;|]+?)(?:\s*[,;|]\s*(.+))?$/
const each = /^(.+?)\s+(\d{1,3})\s*(?:[-–—,:]|\s)\s*(?:and\s+|vs\.?\s+)?([^\d,;|][^,;|]*?)\s+(\d{1,3})(?:\s*[,;|]\s*(.+))?$/
const behind = /^(.+?)\s+(?:vs\.?|v|against|gegen|contre|contra|contro)\s+(.+?)\s*,?\s+(\d{1,3})\s*[-–—:]\s*(\d{1,3})(?:\s*[,;|]\s*(.+))?$/

function inOneLine(text: string): { sides: Side[]; rest: string } | null {
  const told = (a: string, x: string, b: string, y: string, rest = '') => ({ sides: [{ name: a.trim(), figure: x }, { name: b.trim(), figure: y }], rest })
  for (const [form, order] of [[behind, [1, 3, 2, 4]], [middle, [1, 2, 4, 3]], [each, [1, 2, 3, 4]]] as [RegExp, [number, number, number, number]][]) {
    const found = form.exec(text.trim())
    if (found) return told(found[order[0]]!, found[order[1]]!, found[order[2]]!, found[order[3]]!, found[5])
  }
  return null
}

/** The numbers of two sides in a text beside them: "5:4 after overtime", "half time 0:2 in the derby"; and what is left of the text. Of several pairs, which are sets, the sets that each side won count: "6-4 3-6 7-5" is 2 to 1. */
const pair = /(?<![\d:])(\d{1,3})\s?[-–—:]\s?(\d{1,3})(?![\d:])/g

function told(sides: Side[], text: string): { sides: Side[]; rest: string } | null {
  const pairs = [...text.matchAll(pair)]
  const first = pairs[0]
  if (!first || sides.length !== 2 || sides.some((side) => side.figure)) return null
  const won = (of: RegExpMatchArray[]) => [of.filter(([, a, b]) => Number(a) > Number(b)).length, of.filter(([, a, b]) => Number(a) < Number(b)).length].map(String)
  const alone = pairs.length === 1 || won(pairs.slice(1)).join() === [first[1], first[2]].join()
  const figures = alone ? [first[1], first[2]] : won(pairs)
  const rest = alone ? `${text.slice(0, first.index)} ${text.slice(first.index + first[0].length)}`.replace(/\s+/g, ' ').replace(/^[\s,;]+/, '').trim() : text
  return { sides: sides.map((side, i) => ({ ...side, figure: figures[i] })), rest }
}

/** The result of a match. */
export function story(params: Params): Story {
  let sides = sidesOf(params.sides)
  let above = String(params.text ?? '').trim()
  let note = String(params.note ?? '').trim()
  if (sides.length === 0) {
    const alone = inOneLine(above)
    const found = alone ?? inOneLine(`${above} ${note}`)
    if (found) [sides, above] = [found.sides, found.rest]
    if (found && !alone) note = ''
  }
  if (sides.length === 0) return { scenes: [], errors: [{ param: 'sides', message: 'a score needs two sides', hint: 'name them with what they have, such as: Lions 4, Tigers 2' }] }
  const [inNote, inHead] = [told(sides, note), told(sides, above)]
  if (inNote) [sides, note] = [inNote.sides, inNote.rest]
  else if (inHead) [sides, above] = [inHead.sides, inHead.rest]
  const below = [(params.scorers as string[] | undefined)?.join(' · '), note].filter(Boolean).join('\n')
  return { scenes: [resultScene('score', { sides: coloured(sides, params), above, below })] }
}
