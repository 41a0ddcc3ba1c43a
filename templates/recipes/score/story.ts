import { coloured, numberIn, type Side, sidesOf } from '../stage/data'
import type { Params, Part, Story } from '../stage/story'

/** A result in one line: "Rovers 3 - 1 United" or "Rovers 3, United 1", with what is said behind it. */
const results = [/^(.+?)\s+(\d{1,3})\s*[-–—:]\s*(\d{1,3})\s+([^,;|]+?)(?:\s*[,;|]\s*(.+))?$/, /^(.+?)\s+(\d{1,3})\s*(?:[-–—,:]|\s)\s*(?:and\s+|vs\.?\s+)?([^\d,;|][^,;|]*?)\s+(\d{1,3})(?:\s*[,;|]\s*(.+))?$/]

function inOneLine(text: string): { sides: Side[]; rest: string } | null {
  const [middle, after] = results.map((form) => form.exec(text.trim()))
  const side = (name: string, figure: string): Side => ({ name: name.trim(), figure })
  if (middle) return { sides: [side(middle[1]!, middle[2]!), side(middle[4]!, middle[3]!)], rest: middle[5] ?? '' }
  if (after) return { sides: [side(after[1]!, after[2]!), side(after[3]!, after[4]!)], rest: after[5] ?? '' }
  return null
}

/** The place of the side with more, -1 where nobody has more. */
function ahead(sides: Side[]): number {
  const [a, b] = sides.map((side) => numberIn(side.figure ?? '')?.value)
  return a === undefined || b === undefined || a === b ? -1 : a > b ? 0 : 1
}

/** The result of a match. */
export function story(params: Params): Story {
  let sides = sidesOf(params.sides)
  let above = String(params.text ?? '').trim()
  if (sides.length === 0) {
    const found = inOneLine(above)
    if (found) [sides, above] = [found.sides, found.rest]
  }
  if (sides.length === 0) return { scenes: [], errors: [{ param: 'sides', message: 'a score needs two sides', hint: 'name them with what they have, such as: Lions 4, Tigers 2' }] }
  const below = [(params.scorers as string[] | undefined)?.join(' · '), params.note].filter(Boolean).join('\n')
  const parts: Part[] = [{ id: 'score', kind: 'score', sides: coloured(sides, params), best: ahead(sides), gap: 5 }]
  if (above) parts.unshift({ id: 'above', kind: 'text', role: 'heading', text: above, says: 'The line above' })
  if (below) parts.push({ id: 'note', kind: 'text', role: 'subtitle', text: below, max: 5.2, says: 'The line below' })
  return { scenes: [{ id: 'score', title: 'Score', layout: 'stack', least: 4.5, parts }] }
}
