import { headed, rowsOf } from '../stage/data'
import { actionScene, kindOf, listScene, logoScene, numbered, pictureScene, quoteScene, titleScene } from '../stage/scenes'
import type { Params, Story, StoryScene, Tone, TransitionName } from '../stage/story'

/** A row of the story: which sort of scene, and what it shows. */
interface Beat {
  scene: string
  text?: string
  subtitle?: string
  items?: string
  picture?: string
  seconds?: number
  transition?: string
  color?: string
}

const items = (beat: Beat): string[] =>
  String(beat.items ?? '')
    .split(/\s*[;\n]\s*/)
    .filter(Boolean)

/** Labels with a number behind each, such as Apples 30. */
const rows = (beat: Beat) =>
  rowsOf(
    items(beat).map((item) => {
      const found = /^(.*?)[\s:=]*(-?\d[\d.,]*)\s*%?$/.exec(item)
      return found ? { label: found[1], value: found[2]!.replace(/,(?=\d{3}\b)/g, '').replace(',', '.') } : { label: item, value: NaN }
    }),
  )

const chart =
  (kind: string) =>
  (id: string, beat: Beat): StoryScene => ({ id, title: 'Chart', layout: 'stack', parts: headed({ title: beat.text, note: beat.subtitle } as unknown as Params, { id: 'chart', kind, rows: rows(beat) }) })

const sorts: Record<string, (id: string, beat: Beat, params: Params) => StoryScene> = {
  bars: chart('bars'),
  line: chart('line'),
  pie: chart('pie'),
  number: (id, beat) => ({
    id,
    title: 'Number',
    layout: 'center',
    parts: [
      { id: 'number', kind: 'counter', from: 0, to: rows(beat)[0]?.value ?? 0 },
      ...(beat.text ? [{ id: 'text', kind: 'text', role: 'title', max: 11, text: beat.text, says: 'The text' }] : []),
    ],
  }),
  shape: (id, { text = 'ball', subtitle = 'spin', color }) => ({ id, title: 'Shape', layout: 'stack', least: 3, parts: [{ id: 'shape', kind: 'shape', shape: text, act: subtitle, ...(color ? { color } : {}) }] }),
  title: (id, { text = '', subtitle }) => titleScene(id, { text, subtitle }),
  list: (id, beat) => listScene(id, { title: beat.text, items: items(beat) }),
  changes: (id, beat, params) => listScene(id, { title: [kindOf(beat.text ?? '', params), beat.text].filter(Boolean).join(' '), items: items(beat) }),
  quote: (id, { text = '', subtitle }) => quoteScene(id, { text, author: subtitle }),
  picture: (id, { picture = '', text, subtitle }) => pictureScene(id, { src: picture, caption: text, subtitle }),
  logo: (id, { text = '', picture, subtitle }) => logoScene(id, { text, src: picture, tagline: subtitle }),
  action: (id, { text = '', subtitle, picture }) => actionScene(id, { text: subtitle, action: text, logo: picture }),
}

/** Grounds that change, so that scenes differ at a glance. */
const tones: Record<string, Tone> = { list: 'contrast', changes: 'contrast', quote: 'accent', action: 'deep' }

const ways = ['auto', 'cut', 'fade', 'wipe', 'push', 'zoom', 'morph']

/** Any sequence of scenes. */
export function story(params: Params): Story {
  const rows = (params.beats as Beat[]).map((beat) => ({ ...beat, scene: beat.scene || 'title' }))
  const errors = rows.flatMap((beat, i) => (sorts[beat.scene] ? [] : [{ param: 'beats', message: `scene ${i + 1}: there is no sort of scene named ${beat.scene}`, hint: `there are ${Object.keys(sorts).join(', ')}` }]))
  for (const [i, { transition }] of rows.entries()) {
    if (transition && !ways.includes(transition)) errors.push({ param: 'beats', message: `scene ${i + 1}: there is no transition named ${transition}`, hint: `there are ${ways.join(', ')}` })
  }
  if (rows.length === 0) errors.push({ param: 'beats', message: 'a story needs scenes', hint: 'name them one after another, or give a file with --data' })
  if (errors.length > 0) return { scenes: [], errors }
  const seen: Record<string, number> = {}
  const scenes = rows.map((beat) => {
    const i = seen[beat.scene] ?? 0
    seen[beat.scene] = i + 1
    return { ...sorts[beat.scene]!(numbered(beat.scene, i), beat, params), tone: tones[beat.scene], ...(beat.seconds ? { seconds: beat.seconds } : {}), ...(beat.transition ? { transition: beat.transition as TransitionName } : {}) }
  })
  return { scenes }
}
