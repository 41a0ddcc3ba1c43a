import { parse } from '../stage/colour'
import { called, earth, lights, luna, solar } from '../stage/planets'
import { languageOf } from '../stage/scenes'
import type { Params, Part, Story } from '../stage/story'

/** A sun that is darker does not shine. */
const darkest = 0.45

/** Planets round a sun, the moon round the earth, or electrons round a nucleus. */
export function story(params: Params): Story {
  const atom = params.what === 'atom'
  // Where the planets are others than all of them, the earth goes round the sun with it.
  const moon = params.what === 'moon' && params.planets.length === solar.length
  const [language, named] = [languageOf(params), lights[languageOf(params)] ?? lights.en!]
  const bodies = moon ? [{ ...luna, label: named[1] }] : atom ? Array.from({ length: params.electrons }, () => (String(params.accent).startsWith('#') ? { color: params.accent } : {})) : (params.planets.slice(0, params.number === 'auto' ? undefined : params.number) as { label?: string }[]).map((body) => called(body, language))
  if (bodies.length === 0) return { scenes: [], errors: [{ param: 'planets', message: 'there are no planets to show' }] }
  const title: Part[] = params.title ? [{ id: 'title', kind: 'text', role: 'heading', area: 'head', text: params.title, says: 'The title' }] : []
  const night = !atom && params.palette === 'auto' && params.background === 'auto'
  return {
    ...(night && { palette: 'night' }),
    scenes: [
      {
        id: 'orbit',
        title: atom ? 'Atom' : moon ? 'Moon' : 'Planets',
        seconds: params.duration === 'auto' ? 8 : undefined,
        layout: 'stack',
        // Space is dark in every style.
        tone: atom || night || params.background !== 'auto' ? 'base' : params.style === 'smooth' ? 'contrast' : 'deep',
        backdrop: params.backdrop === 'auto' && !(atom && params.style !== 'cinematic') ? 'stars' : undefined,
        parts: [...title, { id: 'orbit', kind: 'orbit', what: atom ? 'atom' : 'planets', bodies, labels: params.labels, moons: params.moons, ...(moon && { heart: called(earth, language) }), ...(!atom && !moon && params.moons && bodies.length < 4 && { lights: named }), loop: params.loop, ...(params.speed && params.speed !== 1 && { pace: params.speed }), ...(!atom && !moon && String(params.accent).startsWith('#') && parse(params.accent).l >= darkest && { sun: params.accent }) }],
      },
    ],
  }
}
