import { brand } from './brand'
import { kinds as sorts } from './kinds'
import { actOf, habitOf, turnOf } from './moves'
import { owned } from './own'
import type { Params, Part, StoryScene } from './story'

/* Scenes that several recipes are made of, each from a few texts; what is empty is left out. */

/** The person's logo, for scenes that end with one. */
export const brandLogo = brand.logo

const some = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''

/** A headline with what belongs above and below it. */
export function titleScene(id: string, { text, subtitle, eyebrow, how }: { text: string; subtitle?: string; eyebrow?: string; how?: string }): StoryScene {
  const parts: Part[] = [{ id: 'headline', kind: 'text', role: 'hero', text, ...(how === 'words' ? { by: 'word', slow: true } : { how }), says: 'The headline' }]
  if (some(eyebrow)) parts.unshift({ id: 'eyebrow', kind: 'text', role: 'eyebrow', text: eyebrow, says: 'The line above', gap: 2.4 })
  if (some(subtitle)) parts.push({ id: 'rule', kind: 'rule', gap: 3.4 }, { id: 'subtitle', kind: 'text', role: 'subtitle', text: subtitle, says: 'The line below' })
  return { id, title: 'Title', layout: 'center', least: 4.4, parts }
}

const sides: Record<string, 'center' | 'right'> = { thirdright: 'right', thirdcenter: 'center' }

/** The texts of a title as a name over the picture, low at a side, on a bar of a colour that is asked for. */
export function thirdScene(scene: StoryScene, place: string, bar?: string): StoryScene {
  const said = (id: string): string => scene.parts.find((part) => part.id === id)?.text ?? ''
  const subtitle = said('subtitle')
  // "CEO · @jane": what people may follow has a line of its own.
  const [, role = subtitle, handle] = /^(.*?)\s*[·,|]\s*(@\S+)$/.exec(subtitle) ?? []
  const name: Part = { id: 'headline', kind: 'lowerthird', text: said('headline'), subtitle: role, handle, ...(String(bar).startsWith('#') && { fill: bar }) }
  return { ...scene, layout: 'lower', side: sides[place], parts: [...scene.parts.filter((part) => part.id === 'eyebrow'), name] }
}

/** Points under or beside what they are about. */
export function listScene(id: string, { title, items, marks, done, marked, from, of, footer, form = 'list' }: { title?: string; items: string[]; marks?: string; done?: string[]; marked?: string; from?: number; of?: number; footer?: string; form?: string }): StoryScene {
  if (form === 'roll') return rollScene(id, title, items)
  const way = form !== 'list'
  const points: Part = way ? { id: 'points', kind: 'steps', items, form, ...(marked && { marked }) } : { id: 'points', kind: 'list', items, marks, ...(done?.length && { done }), ...(marked && { marked }), from, of }
  const heading: Part = { id: 'heading', kind: 'text', role: items.length > 8 || way ? 'heading' : 'title', text: title, says: 'The heading' }
  const line: Part = { id: 'footer', kind: 'text', role: 'caption', text: footer, says: 'The line below' }
  return { id, title: 'Points', layout: items.length > 8 || some(footer) || way ? 'stack' : 'split', least: 3.5, parts: [...(some(title) ? [heading] : []), points, ...(some(footer) ? [line] : [])] }
}

/** Lines that roll up over the frame, in the time that they take. */
function rollScene(id: string, title: string | undefined, items: string[]): StoryScene {
  return { id, title: 'Roll', layout: 'full', least: 4, parts: [{ id: 'points', kind: 'roll', items, ...(some(title) && { title }), area: 'behind' }] }
}

/** Whether a point is the one that is to stand out: it begins with its name, perhaps behind a number. */
export const standsOut = (item: string, marked: unknown): boolean => typeof marked === 'string' && [item, item.replace(/^\S*\d\S*\s/, '')].some((said) => `${said} `.toLowerCase().startsWith(`${marked} `.toLowerCase()))

/** What stands with a bare version, so that people know what they see. */
const kinds: Record<string, string> = { de: 'Änderungen', es: 'Novedades', fr: 'Nouveautés', pt: 'Novidades', it: 'Novità', ja: '変更履歴' }

/** The language of a locale: "de" of "de-DE"; "" without one. */
export const languageOf = ({ locale }: Params): string => String(locale ?? '').slice(0, 2)

export const kindOf = (title: string, params: Params): string => (/^(?:v|version|versión|versione|versão)?\.? ?\d[\w.+-]*$/i.test(title.trim()) ? (kinds[languageOf(params)] ?? 'Release notes') : '')

/** Stars that stand behind a name: "Anna ★★★★★", "Tom, 4.5 stars". */
const starred = /[\s,;–—-]*(?:((?:★|⭐|🌟)+)(½?)(?:☆|\ufe0f|\s)*|(\d(?:[.,]\d)?)(?:\s*(?:\/|out of|of|von|de|sur|su|di)\s*5)?\s*(?:stars?|sternen?|sterne?|estrellas?|étoiles?|estrelas?|stelle?|つ星))\.?$/i

/** A name without its stars, and how many there are; null without. */
function rated(author: string): { name: string; stars: number | null } {
  const found = starred.exec(author)
  if (!found) return { name: author, stars: null }
  const stars = found[3] ? Number(found[3].replace(',', '.')) : Array.from(found[1]!).length + (found[2] ? 0.5 : 0)
  return stars <= 5 ? { name: author.slice(0, found.index), stars } : { name: author, stars: null }
}

/** What somebody said, and how many stars they give. */
export function quoteScene(id: string, { text, author: signed, role, stars, how }: { text: string; author?: string; role?: string; stars?: number | 'auto'; how?: string }): StoryScene {
  const { name: author, stars: behind } = rated(signed ?? '')
  const given = typeof stars === 'number' ? stars : behind
  const parts: Part[] = [
    { id: 'sign', kind: 'text', role: 'sign', text: '“', gap: 1, how: 'fade', says: '' },
    { id: 'quote', kind: 'text', role: 'quote', text, ...(how === 'type' ? { how } : { by: 'word' }), says: 'The quote' },
  ]
  if (given !== null) parts.push({ id: 'stars', kind: 'stars', value: given, gap: 2.4 })
  if (some(author)) parts.push({ id: 'author', kind: 'text', role: 'author', text: `— ${author}`, how: 'slide', by: 'line', says: 'The name', gap: 1 })
  if (some(role)) parts.push({ id: 'role', kind: 'text', role: 'caption', text: role, says: 'The line below' })
  return { id, title: 'Quote', layout: 'center', least: 4, parts }
}

/** A rating: its number, stars of which as many are filled, one after another, and what it is of. */
export const ratingParts = ({ stars, text, color, locale }: { stars: number; text?: string; color?: string; locale?: string }): Part[] => [
  { id: 'number', kind: 'counter', from: 0, to: stars, max: 34, gap: 1, ...(locale && { locale }) },
  { id: 'stars', kind: 'stars', value: stars, large: true, gap: 5, ...(String(color).startsWith('#') && { fill: color }) },
  ...(some(text) ? [{ id: 'text', kind: 'text', role: 'subtitle', text, says: 'The text' } as Part] : []),
]

/** The ring around the numbers of a countdown: that of a form, or of a colour that is asked for a ring. */
export function ringOf(form?: string, color?: string): { ring?: 'empties' | 'fills'; fill?: string } {
  const fill = String(color).startsWith('#') ? { fill: color } : {}
  if (form === 'fill') return { ring: 'fills', ...fill }
  return form === 'ring' || (form !== 'none' && fill.fill) ? { ring: 'empties', ...fill } : {}
}

/** A picture that fills the frame, with a caption. */
export function pictureScene(id: string, { src, caption, subtitle, frame }: { src: string; caption?: string; subtitle?: string; frame?: string }): StoryScene {
  const framed = some(frame) && frame !== 'none'
  const parts: Part[] = [{ id: 'picture', kind: 'picture', src, frame: framed ? frame : 'none', scrim: !framed && some(caption) }]
  if (some(caption) && framed) parts.push({ id: 'caption', kind: 'text', role: 'heading', text: caption, says: 'The caption' })
  else if (some(caption)) parts.push({ id: 'caption', kind: 'lowerthird', text: caption, subtitle })
  return { id, title: 'Picture', layout: framed ? 'stack' : 'full', parts }
}

/** A logo, or a name that becomes one. */
export function logoScene(id: string, { text, src, tagline }: { text: string; src?: string; tagline?: string }): StoryScene {
  const parts: Part[] = [{ id: 'logo', kind: 'logo', text, src: some(src) ? src : (brandLogo ?? ''), gap: 0 }]
  if (some(tagline)) parts.push({ id: 'tagline', kind: 'text', role: 'subtitle', text: tagline, says: 'The line below' })
  return { id, title: 'Logo', layout: 'center', least: 4, parts }
}

/** What to do now. */
export function actionScene(id: string, { text, action, subtitle, logo = brandLogo }: { text?: string; action: string; subtitle?: string; logo?: string }): StoryScene {
  const parts: Part[] = []
  if (some(logo)) parts.push({ id: 'logo', kind: 'logo', src: logo, text: '', height: 26 })
  if (some(text)) parts.push({ id: 'claim', kind: 'text', role: some(logo) ? 'title' : 'hero', text, says: 'The claim' })
  if (some(subtitle)) parts.push({ id: 'subtitle', kind: 'text', role: 'subtitle', text: subtitle, says: 'The line below' })
  if (some(action)) parts.push({ id: 'action', kind: 'button', text: action })
  return { id, title: some(action) ? 'Call to action' : 'End', layout: 'center', parts }
}

/** What stands above the texts of a scene: things that a person asks for beside them. */
const signOf = ({ sign, signcolor }: { sign: string; signcolor?: unknown }): Part => ({ id: 'thing', kind: 'sign', what: sign, gap: 3.4, ...(String(signcolor).startsWith('#') ? { color: signcolor } : {}) })

/** A scene with a sign above its parts. */
export const crowned = (scene: StoryScene, sign?: string, signcolor?: string): StoryScene => (sign ? { ...scene, parts: [signOf({ sign, signcolor }), ...scene.parts] } : scene)

/** A thing on the frame, in its own motion or another: alone, or above a text. */
export function signScene(id: string, { sign: what, act = 'auto', color, seconds, speed = 1, size = 1, text }: { sign: string; act?: string; color?: string; seconds: number; speed?: number; size?: number; text?: string }): StoryScene {
  const move = act === 'auto' ? habitOf(what) : actOf(what, act)
  const part = { id: 'sign', kind: 'sign', what, act: move, turn: turnOf(move) / speed, lasts: seconds, size, area: 'behind' as const, ...(String(color).startsWith('#') ? { color } : {}) }
  return above({ id, title: what.replace(/-/g, ' ').replace(/^./, (c) => c.toUpperCase()), seconds, layout: 'full', parts: [part] }, text)
}

/** The letters that a text beside a thing may have to stand in large ones: more take lines from the thing. */
const longestBig = 18

/** A scene of a thing with a text below the thing, or above. */
export function above(scene: StoryScene, text?: string, where = 'below'): StoryScene {
  const [thing] = scene.parts
  if (!some(text) || !thing) return scene
  const below = where === 'below'
  return { ...scene, layout: below ? 'bottom' : 'top', parts: [{ ...thing, up: below ? 0.13 : -0.13, size: 0.86 * (thing.size ?? 1) }, { id: 'text', kind: 'text', role: text.length > longestBig ? 'heading' : 'title', text, says: 'The text' }] }
}

/** What crosses the frame beside texts has a lane: below them if it drives or swims, else above. */
function laneOf(params: Params): Part | null {
  if (!String(params.act).startsWith('drift')) return null
  const [what] = String(params.sign).split(/\s*,\s*/)
  return { ...signOf(params), what, act: params.act, lane: true, height: 22, turn: 4, area: habitOf(what!) === 'drive' || lows.includes(what!) ? 'foot' : 'head' }
}

const lows = ['ship', 'sailboat', 'fish', 'turtle', 'snail', 'worm', 'kayak', 'bug', 'rabbit', 'dog', 'cat', 'footprints']

const beneath = ['center', 'stack', 'split', 'top', 'bottom']

/** The scenes of a story with the sign that its parameters name, above the texts of the first scene that has some; a story may have placed it itself. */
export function signed(scenes: StoryScene[], params: Params): StoryScene[] {
  if (!params.sign || scenes.some((scene) => scene.parts.some((part) => part.kind === 'sign' || part.sign))) return scenes
  const stands = (part: Part) => !sorts[part.kind]?.free && (part.area ?? 'main') === 'main'
  const texts = scenes.findIndex((scene) => beneath.includes(scene.layout ?? 'center') && scene.parts.some((part) => part.kind === 'text' && stands(part)))
  return scenes.map((scene, i) => {
    if (i !== Math.max(texts, 0)) return scene
    const lane = laneOf(params)
    if (lane) return { ...scene, parts: [...scene.parts, lane] }
    const sign = owned(signOf(params), params)
    // It takes the place of the mark before a quote.
    const parts = scene.parts.filter((part) => part.role !== 'sign')
    if (params.where === 'above') return { ...scene, parts: [...parts, sign] }
    const at = parts.findIndex(stands)
    return { ...scene, parts: at < 0 ? [...parts, { ...sign, area: 'head' }] : [...parts.slice(0, at), sign, ...parts.slice(at)] }
  })
}

/** Items in groups of about one size, none larger than most. */
export function groups<T>(items: T[], most: number): T[][] {
  const n = Math.max(Math.ceil(items.length / most), 1)
  const out: T[][] = []
  for (let i = 0, from = 0; i < n; i++) {
    const to = Math.round(((i + 1) * items.length) / n)
    out.push(items.slice(from, to))
    from = to
  }
  return out
}

/** Texts in groups that can be read at once: long ones have more room. */
export function pages(texts: string[], most: number): string[][] {
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  const n = Math.max(Math.ceil(texts.length / most), Math.min(Math.ceil(letters / 300), texts.length), 1)
  return groups(texts, Math.ceil(texts.length / n))
}

/** An id for the nth scene of its sort: the first has no number, so that it keeps its name when others are added. */
export const numbered = (name: string, i: number): string => (i === 0 ? name : `${name}-${i + 1}`)
