import { rowsOf } from '../stage/data'
import { shapes } from '../stage/outline'
import { minutesOf } from '../stage/times'

/** A row of the story: which sort of scene, and what it shows. */
export interface Beat {
  scene: string
  text?: string
  subtitle?: string
  items?: string
  picture?: string
  seconds?: number
  transition?: string
  color?: string
  sign?: string
  form?: string
  stars?: number
}

export const items = (beat: Beat): string[] =>
  String(beat.items ?? '')
    .split(/\s*[;\n]\s*/)
    .filter(Boolean)

/** A label with a number behind it, and perhaps its unit and a colour, such as Apples 30 kg [#e5343d]. */
const rowIn = (item: string) => {
  const [, said = item, color] = /^(.*\S)\s*\[(#[0-9a-f]{6})\]$/i.exec(item) ?? []
  const found = /^(.*?)[\s:=]*(-?\d[\d.,]*)\s*(\D{0,12})$/.exec(said)
  return found ? { label: found[1], value: Number(found[2]!.replace(/,(?=\d{3}\b)/g, '').replace(',', '.')), unit: found[3], color } : { label: said, value: NaN }
}

export const rows = (beat: Beat) => rowsOf(items(beat).map(rowIn))

/** A number as it is written: 12,000 is twelve thousand. */
export const figureIn = (item: string): { from: number; to: number; sign: string } | null => {
  const [, from = '0', to, sign = ''] = /^(?:(-?[\d.]+)…)?(-?[\d.]+)\s*(.*)$/.exec(item.replace(/(\d),(?=\d{3}\b)/g, '$1')) ?? []
  return to === undefined ? null : { from: Number(from), to: Number(to), sign }
}

/** Further names of sorts, with what they are. */
const aliases: Record<string, Partial<Beat>> = { progress: { scene: 'number', form: 'bar' }, lowerthird: { scene: 'title', form: 'third' }, thirds: { scene: 'title', form: 'third' } }

/** A row as it is shown: a sort may be written otherwise, or be left out. */
export function settled(beat: Beat): Beat {
  const named = String(beat.scene ?? '').toLowerCase().replace(/[\s_-]+/g, '')
  const { form, ...alias } = aliases[named] ?? {}
  return { ...beat, scene: named || (beat.picture ? 'picture' : 'title'), ...alias, ...(form && { form: beat.form || form }) }
}

const charts = ['bars', 'line', 'pie']

const countdown = /^-?\d+$/

/** Counts longer than this many seconds are not watched. */
const longestCount = 3600

/** What is wrong with the items of a sort of scene; nothing if they can be shown. */
const faults: Record<string, (given: string[], beat: Beat) => string | false | undefined> = {
  clock: (given) => given.slice(0, 2).map((item) => minutesOf(item) === null && `"${item}" is no time of the day, such as 9:00 or 5 pm`).find(Boolean),
  number: ([first]) => first !== undefined && !/\d/.test(first) && `"${first}" is no number, such as 73% or 12000 USD`,
  countdown: (given) => {
    const wrong = given.slice(0, 2).find((item) => !countdown.test(item))
    if (wrong) return `"${wrong}" is no number to count from, such as 5; 1`
    const [from = 5, to = 1] = given.map(Number)
    return Math.abs(from - to) > longestCount && `it counts more than ${longestCount} seconds`
  },
  orbit: ([first], { form }) => first !== undefined && /^-?[\d.]+$/.test(first) && (Number(first) < 1 || Number(first) > (form === 'atom' ? 24 : 8)) && `there are 1 to ${form === 'atom' ? '24 electrons' : '8 planets'}, not ${first}`,
}

function chartFault(beat: Beat): string | false {
  const all = items(beat).map(rowIn)
  const bare = all.find((row) => !Number.isFinite(row.value))
  if (bare && all.some((row) => Number.isFinite(row.value))) return `"${bare.label}" has no number`
  const negative = beat.scene === 'pie' && all.find((row) => row.value < 0)
  return negative && `"${negative.label}" is ${negative.value}, and a part of a whole cannot be negative`
}

/** What is wrong with a scene; nothing if it can be shown. */
export function faultOf(beat: Beat): string | false | undefined {
  if (beat.seconds !== undefined && !(beat.seconds >= 0 && beat.seconds <= 3600)) return `it cannot last ${beat.seconds} seconds: 0 to 3600`
  const strange = beat.scene === 'shape' && [beat.text || 'ball', ...rows(beat).map((row) => String(row.label))].find((shape) => !shapes.includes(shape))
  if (strange) return `there is no shape named ${strange}: there are ${shapes.join(', ')}`
  return charts.includes(beat.scene) ? chartFault(beat) : faults[beat.scene]?.(items(beat), beat)
}

/** What a scene can show besides its seconds and its transition. */
const places: Record<string, (keyof Beat)[]> = {
  bars: ['text', 'subtitle', 'items', 'color', 'form'],
  line: ['text', 'subtitle', 'items', 'color'],
  pie: ['text', 'subtitle', 'items', 'form'],
  number: ['text', 'subtitle', 'items', 'color', 'sign', 'form', 'stars'],
  countdown: ['text', 'items', 'color', 'form'],
  clock: ['text', 'items', 'form'],
  compare: ['text', 'subtitle', 'items'],
  score: ['text', 'subtitle', 'items'],
  code: ['text', 'subtitle', 'items'],
  terminal: ['text', 'subtitle', 'items'],
  shape: ['text', 'subtitle', 'items', 'color'],
  sign: ['text', 'subtitle', 'sign', 'color'],
  title: ['text', 'subtitle', 'sign', 'color', 'form'],
  orbit: ['text', 'subtitle', 'items', 'form'],
  list: ['text', 'subtitle', 'items', 'form'],
  changes: ['text', 'items'],
  quote: ['text', 'subtitle', 'stars'],
  picture: ['picture', 'text', 'subtitle', 'form'],
  logo: ['text', 'picture', 'subtitle'],
  action: ['text', 'subtitle', 'picture'],
}

/** How the points of a list stand, beside marks. */
export const ways = ['flow', 'cycle', 'timeline', 'roll']

/** The forms of sorts of scenes. */
const forms: Record<string, string[]> = {
  bars: ['upright', 'lying'],
  pie: ['donut'],
  number: ['ring', 'bar', 'gauge', 'thermometer'],
  countdown: ['ring', 'fill', 'digital'],
  clock: ['digital'],
  title: ['third', 'thirdright', 'thirdcenter'],
  orbit: ['atom', 'planets', 'moon'],
  list: [...ways, 'number', 'down', 'check', 'tick', 'strike', 'dot', 'arrow'],
  picture: ['card', 'phone', 'browser'],
}

/** Languages of code, for a scene that names one. */
const languages = 'auto javascript typescript python go rust java kotlin swift c cpp csharp php ruby bash sql json yaml xml css scss markdown lua perl r diff graphql makefile ini js ts py sh shell html yml md c++ c# golang'.split(' ')

/** Values that ask for nothing. */
const nothing = ['', 'auto', 'none', 'plain', 'center', 'top', 'bottom', 'topleft', 'topright', 'bottomright']

/** Sentences about what a scene has no place for. */
export function lost(beat: Beat, n: number): string[] {
  const of = `Scene ${n} (${beat.scene})`
  const given = (['text', 'subtitle', 'items', 'picture', 'color', 'sign', 'form', 'stars'] as const).filter((name) => !nothing.includes(String(beat[name] ?? '')))
  const over = given.filter((name) => !places[beat.scene]?.includes(name))
  const said: string[] = over.length > 0 ? [`${of} has no place for ${over.join(', ')}.`] : []
  if (given.includes('form') && !over.includes('form') && !forms[beat.scene]?.includes(beat.form!)) said.push(`${of} has no form ${beat.form}: there are ${forms[beat.scene]?.join(', ')}.`)
  if (beat.scene === 'code' && items(beat)[0] && !languages.includes(items(beat)[0]!.toLowerCase())) said.push(`${of}: koda does not know the language ${items(beat)[0]}.`)
  return said
}
