import { numberIn, type Side } from './data'
import type { Part, StoryScene } from './story'

/** Names of what was before and of what is now, in pairs. */
const changes: [RegExp, RegExp][] = [
  [/^(before|then|old|was|yesterday|last (year|month|week|quarter)|regular|original|list price|start|previously|today|now|current)\b/i, /^(after|now|new|today|this (year|month|week|quarter)|sale|tomorrow|end|currently|goal|target|soon)\b/i],
  [/^(vorher|früher|damals|alt|alte[rs]?|bisher|statt|letztes jahr|gestern)\b/i, /^(nachher|heute|jetzt|neu|neue[rs]?|nun|dieses jahr|künftig)\b/i],
  [/^(antes|precio (anterior|original|antiguo)|viejo|antiguo|ayer)\b/i, /^(después|despues|ahora|nuevo|hoy|depois|agora|novo|hoje|precio (nuevo|actual))/i],
  [/^(avant|ancien(ne)?|hier)\b/i, /^(après|apres|maintenant|nouveau|nouvelle|aujourd)/i],
  [/^(preço (antigo|anterior|original)|antigo|velho|ontem)\b/i, /^(preço (novo|atual)|depois|agora|novo|hoje)/i],
  [/^(prima|vecchio|ieri)\b/i, /^(dopo|adesso|ora|nuovo|oggi)\b/i],
  [/^(以前|前|ビフォー|before)/i, /^(今|後|アフター|after)/i],
]

/** Names of what speaks for something, and against it. */
const good = /^(pros?|advantages?|benefits?|upsides?|do'?s?|do|facts?|good|vorteile?|pro|dafür|fakt(en)?|pros|ventajas?|a favor|realidad|avantages?|pour|réalité|prós|vantage(m|ns)|verdade|vantaggi|realtà|メリット)\b/i
const bad = /^(cons?|disadvantages?|drawbacks?|downsides?|don'?ts?|myths?|bad|nachteile?|contra|kontra|dagegen|mythos|mythen|contras?|desventajas?|en contra|mitos?|inconvénients?|contre|mythes?|desvantage(m|ns)|svantaggi|contro|miti|デメリット)\b/i

const money = /[$€£¥₹]|\b(usd|eur|gbp|chf|kr|zł)\b/i

/** The sides become one another: they are called so, or have no names but figures, or are years in their order. */
function changing(sides: Side[], form: string): boolean {
  if (form !== 'auto') return form === 'change'
  const [a, b] = [sides[0]!, sides[sides.length - 1]!]
  if (sides.length < 2 || sides.some((side) => (side.lines?.length ?? 0) > 1)) return false
  if (sides.every((side) => !side.name && side.figure)) return sides.length === 2
  const years = sides.map((side) => Number(/^\D*(\d{4})\D*$/.exec(side.name)?.[1] ?? NaN))
  if (years.every((year, i) => year > 1000 && (i === 0 || year > years[i - 1]!)) && sides.every((side) => side.figure)) return true
  return sides.length === 2 && changes.some(([before, after]) => before.test(a.name) && after.test(b.name))
}

/** A side in a text: "Tea: warm, cheap", "Pro: $29/mo", "small 5 €". */
export function sideIn(text: string): Side {
  const [, name, rest] = /^([^:]{1,40}):\s*(.+)$/.exec(text) ?? /^(.*\S)\s+(\S*\d\S*(?: \S{1,3})?)$/.exec(text) ?? [null, text, '']
  const [figure = '', ...lines] = rest!.split(/\s*[,;](?!\d)\s*/)
  if (!rest) return { name: name! }
  return figured.test(figure) ? { name: name!, figure, ...(lines.length > 0 && { lines }) } : { name: name!, lines: [figure, ...lines] }
}

const figured = /^\S*\d\S*( \S{1,6})?$/

/** A figure that not all sides have is one of the points, so that the sides can be compared line by line. */
const evened = (sides: Side[]): Side[] => (sides.every((side) => side.lines?.length) && sides.some((side) => !side.figure) ? sides.map(({ figure, ...side }) => (figure ? { ...side, lines: [figure, ...side.lines!] } : side)) : sides)

/** Things that are set against each other. */
export function sidesScene(id: string, { sides: said, text, note, form = 'auto', best: wanted = '' }: { sides: Side[]; text?: string; note?: string; form?: string; best?: string }): StoryScene {
  const found = evened(said)
  const arrow = changing(found, form)
  const last = found.length - 1
  const best = wanted.trim().toLowerCase()
  const named = best ? found.findIndex((side) => side.name.toLowerCase() === best || side.name.toLowerCase().includes(best)) : -1
  // A price that fell is struck through.
  const sold = arrow && found.length === 2 && found.every((side) => money.test(side.figure ?? '')) && /^(old|was|regular|original|list|before|previous|statt|alt|bisher|vorher|früher|ant|precio|preço|ancien|avant|vecchi|prima)/i.test(found[0]!.name)
  // "Pro" is a plan as well: it speaks for something only beside what speaks against it.
  const weighed = found.some((side) => good.test(side.name)) && found.some((side) => bad.test(side.name))
  const sides = found.map((side, i): Side => ({ ...side, ...(weighed && !side.figure && good.test(side.name) && { marks: 'check' as const }), ...(weighed && !side.figure && bad.test(side.name) && { marks: 'cross' as const }), ...(sold && i === 0 && { struck: true }) }))
  const versus = !arrow && !weighed && sides.length === 2 && sides.every((side) => !side.figure && !side.lines?.length)
  const parts: Part[] = [{ id: 'sides', kind: 'sides', sides, arrow, versus, best: named >= 0 ? named : arrow ? last : -1, gap: 5 }]
  if (text) parts.unshift({ id: 'heading', kind: 'text', role: 'heading', text, says: 'The heading' })
  if (note) parts.push({ id: 'note', kind: 'text', role: 'caption', area: 'foot', text: note, says: 'The line below' })
  return { id, title: arrow ? 'Before and after' : 'Comparison', layout: 'stack', least: 4.5, parts }
}

/** The place of the side with more, -1 where nobody has more. */
function ahead(sides: Side[]): number {
  const [a, b] = sides.map((side) => numberIn(side.figure ?? '')?.value)
  return a === undefined || b === undefined || a === b ? -1 : a > b ? 0 : 1
}

/** The result of a match. */
export function resultScene(id: string, { sides, above, below }: { sides: Side[]; above?: string; below?: string }): StoryScene {
  const parts: Part[] = [{ id: 'score', kind: 'score', sides, best: ahead(sides), gap: 5 }]
  if (above) parts.unshift({ id: 'above', kind: 'text', role: 'heading', text: above, says: 'The line above' })
  if (below) parts.push({ id: 'note', kind: 'text', role: 'subtitle', text: below, max: 5.2, says: 'The line below' })
  return { id, title: 'Score', layout: 'stack', least: 4.5, parts }
}
