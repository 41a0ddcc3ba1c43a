import { coloured, type Side, sidesOf } from '../stage/data'
import { sideIn, sidesScene } from '../stage/sides'
import type { Params, Story } from '../stage/story'

/** Points, or a text, that set things against each other: "Tea: warm", "iPhone vs Android". */
function told(params: Params): { sides: Side[]; text: string } {
  const text = String(params.text ?? '').trim()
  const points = ((params.points ?? []) as string[]).map((point) => point.trim()).filter(Boolean)
  if (points.length > 1 && points.length <= 4) {
    return { sides: points.map(sideIn), text }
  }
  const [, head, a, b] = /^(?:(.+):\s*)?(.+?)\s+(?:vs\.?|versus|gegen|oder|or|contra|contre|contro)\s+(.+?)[?!]?$/i.exec(text) ?? []
  return a && b ? { sides: [{ name: a }, { name: b }], text: head ?? '' } : { sides: [], text }
}

/** Two things, or a few, set against each other. */
export function story(params: Params): Story {
  const given = sidesOf(params.sides)
  const { sides, text } = given.length > 0 ? { sides: given, text: String(params.text ?? '').trim() } : told(params)
  const alone = sides.length === 1 && (sides[0]!.figure || sides[0]!.lines) // one plan with its price
  if (sides.length < 2 && !alone) return { scenes: [], errors: [{ param: 'sides', message: 'a comparison needs two sides', hint: 'name both with what is said of them, such as: before 4.8 s, after 0.9 s' }] }
  const best = String(params.best ?? '').trim()
  const said = best && !sides.some((side) => side.name.toLowerCase().includes(best.toLowerCase())) ? [`There is no side ${best}, so none stands out for it.`] : []
  return { said, scenes: [sidesScene('sides', { sides: coloured(sides, params), text, note: params.note, form: params.form, best })] }
}
