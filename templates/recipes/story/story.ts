import { alike, figureOf, figuresOf, headed, unitOf, unlike } from '../stage/data'
import { called, solar } from '../stage/planets'
import { actionScene, brandLogo, crowned, kindOf, languageOf, listScene, logoScene, numbered, pictureScene, quoteScene, ratingParts, ringOf, signScene, thirdScene, titleScene } from '../stage/scenes'
import { resultScene, sideIn, sidesScene } from '../stage/sides'
import { clockScene, timesOf } from '../stage/times'
import type { Params, Part, Story, StoryScene, Tone, TransitionName } from '../stage/story'
import { type Beat, faultOf, figureIn, items, lost, rows, settled, ways } from './beat'

const tint = (color?: string) => (String(color).startsWith('#') ? color : undefined)

const chart =
  (kind: string) =>
  (id: string, beat: Beat, params: Params): StoryScene => {
    const given = alike(rows(beat))
    const own = { locale: params.locale } as unknown as Params
    const around = { title: beat.text, note: beat.subtitle } as unknown as Params
    const color = tint(beat.color)
    // Values of unlike units have no common scale.
    if (unlike(given)) return { id, title: 'Figures', layout: 'stack', least: 3.6, parts: headed(around, { id: 'chart', kind: 'figures', rows: figuresOf(given, own) }) }
    const look = { ...(beat.form === 'donut' && { donut: true }), ...(['upright', 'lying'].includes(beat.form ?? '') && { form: beat.form }), ...(color && (kind === 'line' ? { fill: color } : { fills: [color] })) }
    return { id, title: 'Chart', layout: 'stack', least: 3.6, parts: headed(around, { id: 'chart', kind, rows: given, ...look, ...figureOf(unitOf(given, own)) }) }
  }

/** "12000000 USD", "60%" or "12.5 km" as the number runs up. */
function numberScene(id: string, beat: Beat, { locale }: Params): StoryScene {
  if (typeof beat.stars === 'number') return { id, title: 'Rating', layout: 'center', least: 4, parts: ratingParts({ stars: beat.stars, text: beat.text, locale }) }
  const { from, to: value, sign } = figureIn(items(beat)[0] ?? '') ?? { from: 0, to: 0, sign: '' }
  const fill = tint(beat.color) && { fill: beat.color }
  const currency = /^[A-Z]{3}$/.test(sign) && sign
  const figure = sign === '%' ? { format: 'percent' as const } : figureOf({ unit: currency ? '' : sign, currency: currency || '' } as unknown as Params)
  const filled = ['ring', 'bar', 'gauge', 'thermometer'].includes(beat.form ?? '') && value >= 0 && value <= 100
  const scene: StoryScene = {
    id,
    title: 'Number',
    layout: 'center',
    parts: [
      filled ? { id: 'number', kind: 'progress', value, shape: beat.form, format: 'percent', ...fill } : { id: 'number', kind: 'counter', from, to: value, ...figure, ...fill },
      ...(beat.text ? [{ id: 'text', kind: 'text', role: 'title', max: 11, text: beat.text, says: 'The text' }] : []),
      ...(beat.subtitle ? [{ id: 'subtitle', kind: 'text', role: 'subtitle', text: beat.subtitle, says: 'The line below' }] : []),
    ] as Part[],
  }
  return crowned(scene, beat.sign)
}

/** "5; 1" counts from five to one, a second each. */
function countdownScene(id: string, beat: Beat): StoryScene {
  const [from = 5, to = 1] = items(beat).map(Number)
  const head: Part[] = beat.text ? [{ id: 'title', kind: 'text', role: 'heading', area: 'head', text: beat.text, says: 'The title' }] : []
  return { id, title: 'Numbers', seconds: beat.seconds ?? Math.abs(from - to) + 1, layout: 'stack', parts: [...head, { id: 'numbers', kind: 'countdown', from, to, ...ringOf(beat.form, beat.color), area: 'main' }] }
}

/** Planets round a sun, "3" of them, or an atom. */
function orbitScene(id: string, beat: Beat, params: Params): StoryScene {
  const [many] = items(beat).map(Number)
  const atom = beat.form === 'atom'
  const bodies = atom ? Array.from({ length: many || 6 }, () => ({})) : solar.slice(0, many || undefined).map((body) => called(body, languageOf(params)))
  const title: Part[] = beat.text ? [{ id: 'title', kind: 'text', role: 'heading', area: 'head', text: beat.text, says: 'The title' }] : []
  const note: Part[] = beat.subtitle ? [{ id: 'note', kind: 'text', role: 'caption', area: 'foot', text: beat.subtitle, says: 'The note' }] : []
  return { id, title: atom ? 'Atom' : 'Planets', seconds: beat.seconds ?? 5, layout: 'stack', backdrop: atom ? undefined : 'stars', parts: [...title, { id: 'orbit', kind: 'orbit', what: atom ? 'atom' : 'planets', bodies, labels: true }, ...note] }
}

/** Commands, each on a line of its own, and what they answer. */
const typed = (commands: string, output: string) => [
  ...commands.split('\n').filter(Boolean).map((text) => ({ type: 'command', text: text.replace(/^\s*[$❯>%#]\s+/, '') })),
  ...output.split(/\s*[;\n]\s*/).filter(Boolean).map((text) => ({ type: 'output', text })),
]

const windowScene = (id: string, heading: string | undefined, part: Omit<Part, 'id'>): StoryScene => ({
  id,
  title: part.kind === 'code' ? 'Code' : 'Terminal',
  layout: 'stack',
  parts: [...(heading ? [{ id: 'heading', kind: 'text', role: 'heading', text: heading, says: 'The heading' } as Part] : []), { ...part, id: 'window' } as Part],
})

/** A headline in a colour. */
const inked = (scene: StoryScene, color?: string): StoryScene => (tint(color) ? { ...scene, parts: scene.parts.map((part) => (part.role === 'hero' ? { ...part, color } : part)) } : scene)

/** A name and what somebody is: "Jane Doe, CEO" has both. */
function named(text: string, subtitle?: string) {
  const [, name, role] = /^([^,]{2,40}), ([^,]{2,60})$/.exec(text) ?? []
  return name && !subtitle ? { text: name, subtitle: role } : { text, subtitle }
}

const sorts: Record<string, (id: string, beat: Beat, params: Params) => StoryScene> = {
  bars: chart('bars'),
  line: chart('line'),
  pie: chart('pie'),
  number: numberScene,
  countdown: countdownScene,
  clock: (id, beat) => clockScene(id, { said: timesOf(...([...items(beat), '', ''].slice(0, 2) as [string, string])), text: beat.text, form: beat.form }),
  compare: (id, beat) => sidesScene(id, { sides: items(beat).map(sideIn), text: beat.text, note: beat.subtitle }),
  score: (id, beat) => resultScene(id, { sides: items(beat).map(sideIn), above: beat.text, below: beat.subtitle }),
  code: (id, { text = '', subtitle, items: language = '' }) => windowScene(id, subtitle, { kind: 'code', code: text, language }),
  terminal: (id, { text = '', subtitle, items: output = '' }) => windowScene(id, subtitle, { kind: 'terminal', prompt: '$', lines: typed(text, output) }),
  shape(id, beat) {
    const said = rows(beat).map(({ label, color }) => ({ shape: String(label), ...(color ? { color } : beat.color ? { color: beat.color } : {}) }))
    const forms = said.length > 0 ? said : [{ shape: beat.text || 'ball', ...(beat.color ? { color: beat.color } : {}) }]
    const act = beat.subtitle && beat.subtitle !== 'auto' ? beat.subtitle : forms.length > 1 ? 'rest' : 'turn'
    const seconds = beat.seconds || (act === 'morph' ? 2.2 + 1.6 * (forms.length - 1) : 3.5)
    return { id, title: 'Shape', layout: 'stack', seconds, parts: [{ id: 'shape', kind: 'shape', forms, act, lasts: seconds }] }
  },
  sign: (id, { sign = '', subtitle: act, color, text, seconds = text ? 3.2 : 2.4 }) => signScene(id, { sign, act, color, seconds, text }),
  title: (id, { text = '', subtitle, sign, color, form }) => (form?.startsWith('third') ? thirdScene(titleScene(id, named(text, subtitle)), form, color) : crowned(inked(titleScene(id, { text, subtitle }), sign ? '' : color), sign, color)),
  orbit: orbitScene,
  list: (id, beat) => listScene(id, { title: beat.text, items: items(beat), ...(ways.includes(beat.form ?? '') ? { form: beat.form } : { marks: beat.form }), footer: beat.subtitle }),
  changes: (id, beat, params) => listScene(id, { title: [kindOf(beat.text ?? '', params), beat.text].filter(Boolean).join(' '), items: items(beat) }),
  quote: (id, { text = '', subtitle, stars }) => quoteScene(id, { text, author: subtitle, stars }),
  picture: (id, { picture = '', text, subtitle, form }) => pictureScene(id, { src: picture, caption: text, subtitle, frame: ['card', 'phone', 'browser'].includes(form ?? '') ? form : undefined }),
  logo: (id, { text = '', picture, subtitle }) => logoScene(id, { text, src: picture, tagline: subtitle }),
  action: (id, { text = '', subtitle, picture }) => actionScene(id, { text: subtitle, action: text, logo: picture }),
}

/** Grounds that change, so that scenes differ at a glance. */
const tones: Record<string, Tone> = { orbit: 'deep', list: 'contrast', changes: 'contrast', quote: 'accent', action: 'deep' }

const ways = ['auto', 'cut', 'fade', 'wipe', 'push', 'zoom', 'morph']

const charts = ['bars', 'line', 'pie']

/** As many points as can be read in a scene. */
const mostPoints = 30

/** Whether a scene has nothing to show. */
const bare = (beat: Beat): boolean => {
  if (charts.includes(beat.scene)) return rows(beat).length === 0
  if (beat.scene === 'number') return items(beat).length === 0 && typeof beat.stars !== 'number'
  if (beat.scene === 'logo') return !beat.text && !beat.picture && !brandLogo
  return beat.scene === 'picture' ? !beat.picture : beat.scene === 'title' && !beat.text && !beat.subtitle && !beat.sign
}

/** What a scene needs, where it is not a text. */
const needs: Record<string, string> = { bars: 'numbers', line: 'numbers', pie: 'numbers', number: 'number', picture: 'picture', logo: 'logo (bring it by --asset, or give the name)' }

const long = (beat: Beat): boolean => ['list', 'changes'].includes(beat.scene) && items(beat).length > mostPoints

/** What the plan says of a scene that is not shown as it is given. */
function shortened(beat: Beat, n: number): string[] {
  if (bare(beat)) return [`Scene ${n} (${beat.scene}) has no ${needs[beat.scene] ?? 'text'} and is left out.`]
  return [...(long(beat) ? [`Scene ${n} has ${items(beat).length} points: the first ${mostPoints} are shown.`] : []), ...lost(beat, n)]
}

/** Any sequence of scenes. */
export function story(params: Params): Story {
  const rows = (params.beats as Beat[]).map(settled)
  const errors = rows.flatMap((beat, i) => (sorts[beat.scene] ? [] : [{ param: 'beats', message: `scene ${i + 1}: there is no sort of scene named ${params.beats[i].scene}`, hint: `there are ${Object.keys(sorts).join(', ')}` }]))
  for (const [i, { transition }] of rows.entries()) {
    if (transition && !ways.includes(transition)) errors.push({ param: 'beats', message: `scene ${i + 1}: there is no transition named ${transition}`, hint: `there are ${ways.join(', ')}` })
  }
  for (const [i, beat] of rows.entries()) {
    const fault = sorts[beat.scene] && faultOf(beat)
    if (fault) errors.push({ param: 'beats', message: `scene ${i + 1} (${beat.scene}): ${fault}`, hint: 'put it right in the file of the story, or say it otherwise' })
  }
  if (rows.length === 0) errors.push({ param: 'beats', message: 'a story needs scenes', hint: 'name them one after another, or give a file with --data' })
  const said = rows.flatMap((beat, i) => shortened(beat, i + 1))
  const told = rows.filter((beat) => !bare(beat)).map((beat) => (long(beat) ? { ...beat, items: items(beat).slice(0, mostPoints).join('; ') } : beat))
  if (rows.length > 0 && told.length === 0) errors.push({ param: 'beats', message: 'no scene has anything to show', hint: 'give titles a text, and charts items such as "Apples 30; Pears 45"' })
  if (errors.length > 0) return { scenes: [], errors }
  const seen: Record<string, number> = {}
  const scenes = told.map((beat) => {
    const i = seen[beat.scene] ?? 0
    seen[beat.scene] = i + 1
    return { ...sorts[beat.scene]!(numbered(beat.scene, i), beat, params), tone: tones[beat.scene], ...(beat.seconds ? { seconds: beat.seconds } : {}), ...(beat.transition ? { transition: beat.transition as TransitionName } : {}) }
  })
  return { scenes, said }
}
