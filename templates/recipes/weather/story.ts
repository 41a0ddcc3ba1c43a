import { sidesOf, type Weather } from '../stage/data'
import { groups, languageOf, numbered } from '../stage/scenes'
import type { Params, Part, Story, StoryScene } from '../stage/story'
import { dayIn, daysIn, isDay, nowIn, parted } from './read'

/** Days for a prompt that tells of none. */
const examples: Record<string, string> = {
  en: 'Mon sunny 22°, Tue partly cloudy 19°, Wed rain 16°, Thu thunderstorm 15°, Fri sunny 21°',
  de: 'Mo sonnig 22°, Di leicht bewölkt 19°, Mi Regen 16°, Do Gewitter 15°, Fr sonnig 21°',
  es: 'Lun soleado 22°, Mar nubes y claros 19°, Mié lluvia 16°, Jue tormenta 15°, Vie soleado 21°',
  fr: 'Lun ensoleillé 22°, Mar éclaircies 19°, Mer pluie 16°, Jeu orages 15°, Ven ensoleillé 21°',
  pt: 'Seg sol 22°, Ter pouco nublado 19°, Qua chuva 16°, Qui trovoada 15°, Sex sol 21°',
  it: 'Lun sole 22°, Mar poco nuvoloso 19°, Mer pioggia 16°, Gio temporale 15°, Ven sole 21°',
  ja: '月曜 晴れ 22°, 火曜 薄曇り 19°, 水曜 雨 16°, 木曜 雷雨 15°, 金曜 晴れ 21°',
}

/** What is shown beside each other at once. */
const most = 7

const some = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''

/** The texts of the prompt that tell of the weather. */
function textsOf(params: Params): string[] {
  const sides = sidesOf(params.sides).map((side) => [side.name, side.figure, ...(side.lines ?? [])].filter(Boolean).join(' '))
  return [...sides, ...((params.days ?? []) as string[]).map((day) => day.trim()).filter(Boolean)]
}

const headed = (title: unknown, text: unknown, role = 'heading'): Part[] => {
  const [above, below] = [some(title) ? title.trim() : '', some(text) ? text.trim() : '']
  const one = !above || below.toLowerCase().includes(above.toLowerCase())
  return [
    ...(above && !one ? [{ id: 'eyebrow', kind: 'text', role: below ? 'eyebrow' : 'heading', text: above, says: below ? 'The line above' : 'The heading', gap: 2.2 }] : []),
    ...(below ? [{ id: 'heading', kind: 'text', role, text: below, says: 'The heading' }] : []),
  ]
}

/** Cards of some days, in further scenes if they are too many. */
function forecast(days: Weather[], heading: Part[], params: Params): StoryScene[] {
  const best = String(params.best ?? '').trim().toLowerCase()
  return groups(days, most).map((group, i, all) => ({
    id: numbered('weather', i),
    title: 'Forecast',
    layout: 'stack',
    least: 5,
    parts: [
      ...heading,
      { id: 'days', kind: 'weather', days: group, best: best ? group.findIndex((day) => day.name.toLowerCase() === best) : -1 },
      ...(some(params.note) && i === all.length - 1 ? [{ id: 'note', kind: 'text', role: 'caption', area: 'foot' as const, text: params.note, says: 'The line below' }] : []),
    ],
  }))
}

/** The weather of one place, large; null where nothing is told of it. */
function today(texts: string[], params: Params): StoryScene | null {
  const { day, place, above } = nowIn(texts)
  if (!day.sky && !day.figure) return null
  const title = some(params.title) ? params.title.trim() : ''
  const over = [title, above].filter((one, i, all) => one && (i === 0 || !all[0]!.toLowerCase().includes(one.toLowerCase())))
  return {
    id: 'weather',
    title: 'Weather',
    layout: 'stack',
    least: 5,
    parts: [
      ...headed(over.join(' · '), place, 'title'),
      { id: 'days', kind: 'weather', days: [day], of: texts, best: -1 },
    ],
  }
}

/** Colours of the sky, as the style has them. */
const palettes = { playful: 'sky', smooth: 'air', cinematic: 'dusk' }

/** The weather of some days on cards, or that of one as a large picture. */
export function story(params: Params): Story {
  const palette = palettes[params.style]
  const scenes = scenesOf(params)
  if (scenes) return { palette, scenes }
  const days = daysIn((examples[languageOf(params)] ?? examples.en!).split(', '))
  return { palette, said: ['What it shows is an example: change it by saying what to show.'], scenes: forecast(days, headed(params.title, params.text), params) }
}

/** The scenes of what a person says; null where that tells of no weather. */
function scenesOf(params: Params): StoryScene[] | null {
  const given = textsOf(params)
  const days = daysIn(given)
  const bare = days.filter((day) => !isDay(day))
  if (days.length - bare.length > 1 && bare.every((day) => day.name && !day.sky)) {
    return forecast(days.filter(isDay), headed(params.title, [params.text, ...bare.map((day) => day.name)].find(some)), params)
  }
  // A text may hold all days: "Mon 12° rain Tue 14° cloudy".
  const all = [params.text, ...given, params.note].filter(some)
  const inText = all.flatMap(parted)
  const read = inText.map(dayIn)
  if (inText.length > all.length && read.filter(isDay).length > 1) {
    return forecast(read.filter(isDay), headed(params.title, inText.find((_, i) => !isDay(read[i]!))), { ...params, note: '' } as Params)
  }
  const now = today(all, params)
  return now && [now]
}
