import { coloured, type Side, sidesOf } from '../stage/data'
import type { Params, Part, Story } from '../stage/story'

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

/** Points, or a text, that set things against each other: "Tea: warm", "iPhone vs Android". */
function told(params: Params): { sides: Side[]; text: string } {
  const text = String(params.text ?? '').trim()
  const points = ((params.points ?? []) as string[]).map((point) => point.trim()).filter(Boolean)
  if (points.length > 1 && points.length <= 4) {
    const sides = points.map((point): Side => {
      const [, name, rest] = /^([^:]{1,40}):\s*(.+)$/.exec(point) ?? [null, point, '']
      return { name: name!, ...(rest && (/^\S*\d\S*( \S{1,6})?$/.test(rest) ? { figure: rest } : { lines: rest.split(/\s*[,;]\s*/) })) }
    })
    return { sides, text }
  }
  const [, head, a, b] = /^(?:(.+):\s*)?(.+?)\s+(?:vs\.?|versus|gegen|oder|or|contra|contre|contro)\s+(.+?)[?!]?$/i.exec(text) ?? []
  return a && b ? { sides: [{ name: a }, { name: b }], text: head ?? '' } : { sides: [], text }
}

/** Two things, or a few, set against each other. */
export function story(params: Params): Story {
  const given = sidesOf(params.sides)
  const { sides: found, text } = given.length > 0 ? { sides: given, text: String(params.text ?? '').trim() } : told(params)
  if (found.length < 2) return { scenes: [], errors: [{ param: 'sides', message: 'a comparison needs two sides', hint: 'name both with what is said of them, such as: before 4.8 s, after 0.9 s' }] }
  const arrow = changing(found, params.form)
  const last = found.length - 1
  const wanted = String(params.best ?? '').trim().toLowerCase()
  const named = wanted ? found.findIndex((side) => side.name.toLowerCase() === wanted || side.name.toLowerCase().includes(wanted)) : -1
  // A price that fell is struck through.
  const sold = arrow && found.length === 2 && found.every((side) => money.test(side.figure ?? '')) && /^(old|was|regular|original|list|before|previous|statt|alt|bisher|vorher|früher|ant|precio|preço|ancien|avant|vecchi|prima)/i.test(found[0]!.name)
  const sides = coloured(found, params).map((side, i): Side => ({ ...side, ...(!side.figure && good.test(side.name) && { marks: 'check' as const }), ...(!side.figure && bad.test(side.name) && { marks: 'cross' as const }), ...(sold && i === 0 && { struck: true }) }))
  const parts: Part[] = [{ id: 'sides', kind: 'sides', sides, arrow, best: named >= 0 ? named : arrow ? last : -1, gap: 5 }]
  if (text) parts.unshift({ id: 'heading', kind: 'text', role: 'heading', text, says: 'The heading' })
  if (params.note) parts.push({ id: 'note', kind: 'text', role: 'caption', area: 'foot', text: params.note, says: 'The line below' })
  return { scenes: [{ id: 'sides', title: arrow ? 'Before and after' : 'Comparison', layout: 'stack', least: 4.5, parts }] }
}
