import { owned } from './own'
import type { Params, Part, Story, StoryScene } from './story'

/** What may be asked of every story, whatever its recipe: what flies through the air, capitals, what large letters do. */

/** What celebrates waits for the number or the chart that it celebrates; all else is in the air from the first second on. */
const bursts = ['confetti', 'sparks', 'festive']
export const celebrates = (what: string): boolean => bursts.includes(what)
const awaited = ['counter', 'progress', 'figures', 'bars', 'line', 'series', 'pie']

const awaits = (scene: StoryScene): boolean => scene.parts.some((part) => awaited.includes(part.kind))

/** What shows on the dark only. */
export const glowing = ['snow', 'sparks', 'stars', 'dust', 'rain']

const flying = (what: string): string[] => (what === 'festive' ? ['balloons', 'confetti'] : what === 'none' || what === 'auto' ? [] : [what])

/** The colour that a person gives to what flies. */
const coloured = (params: Params) => (String(params.aircolor).startsWith('#') ? { color: params.aircolor as string } : {})

/** A scene with what flies behind its parts. */
export function aired(scene: StoryScene, params: Params, asked: string = params.air): StoryScene {
  const what = flying(asked)
  if (what.length === 0) return scene
  const last = params.airwhen === 'end' || (params.airwhen !== 'whole' && bursts.includes(asked) && awaits(scene))
  const air = what.map((one): Part => ({ id: `air-${one}`, kind: 'particles', what: one, area: 'behind', ...coloured(params), ...(last && { last }) }))
  return onDark({ ...scene, parts: [...scene.parts, ...air] }, params, glowing.includes(asked))
}

/** A part with as much of what flies as is asked for. */
const plenty = (part: Part, { airmuch = 1 }: Params): Part => (part.kind === 'particles' && airmuch !== 1 ? { ...part, much: airmuch } : part)

/** The scene in the dark, for what glows, where nobody asks for other colours. */
function onDark(scene: StoryScene, params: Params, glows: boolean): StoryScene {
  const free = params.style === 'smooth' && params.palette === 'auto' && !String(params.tint).startsWith('#') && (scene.tone ?? 'base') === 'base'
  return glows && free ? { ...scene, tone: 'contrast' } : scene
}

/** Parts that an effect is for: what is large. */
const large = (part: Part): boolean => ['logo', 'counter', 'countdown'].includes(part.kind) || (part.kind === 'text' && ['hero', 'title', 'heading', 'quote', 'number'].includes(part.role ?? 'title'))

/** A text in the letters that are asked for. */
function cased<T>(text: T, letters: string): T {
  if (Array.isArray(text)) return text.map((one) => cased(one as unknown, letters)) as T
  if (typeof text !== 'string') return text
  return (letters === 'upper' ? text.toUpperCase() : text.toLowerCase()) as T
}

/** A part with its letters and its effect. */
function lettered(part: Part, { letters = 'auto', effect = 'none', glow = false, speed }: Params, all: boolean): Part {
  const own: Partial<Part> = {}
  if (letters !== 'auto' && ['text', 'list', 'lowerthird', 'button', 'badge', 'logo'].includes(part.kind)) for (const name of ['text', 'subtitle', 'items']) if (part[name]) own[name] = cased(part[name], letters)
  if (large(part) || (all && part.kind !== 'particles')) {
    if (effect !== 'none') Object.assign(own, { effect, ...(speed && speed !== 1 && { pace: speed }) })
    if (glow) own.glow = true
  }
  return { ...part, ...own }
}

/** Effects of which a loop holds whole turns. */
const turning = ['wave', 'wobble', 'blink', 'pulse', 'breathe', 'float', 'swing', 'spin', 'roam']

/** A story of one scene in which nothing comes or goes, if it is a loop that an effect fills. */
function seamless(story: Story, params: Params): Story {
  const [scene, ...more] = story.scenes
  const fits = params.loop && turning.includes(params.effect) && scene && more.length === 0 && scene.parts.every((part) => ['text', 'logo', 'rule', 'sign'].includes(part.kind))
  return fits ? { ...story, loop: false, scenes: [{ ...scene, still: true, backdrop: 'plain' }] } : story
}

/** The story with all that was asked of it; a recipe that places its own particles keeps to them. */
export function furnished(story: Story, params: Params): Story {
  if (story.errors?.length) return story
  const own = !params.air || story.scenes.some((scene) => scene.parts.some((part) => part.kind === 'particles'))
  const end = story.scenes.length - 1
  const whole = {
    ...story,
    scenes: story.scenes.map((plain, i) => {
      const all = !plain.parts.some(large)
      const roam = params.effect === 'roam' ? { roam: params.speed || 1, least: 9 } : {}
      const scene = onDark({ ...plain, ...roam, parts: plain.parts.map((part) => lettered(owned(part, params), params, all)) }, params, params.glow === true || params.effect === 'glitch')
      const asked = params.scenes?.[i + 1]?.air as string | undefined
      // What celebrates is for the beginning, the end and the numbers between them.
      const quiet = params.airwhen === 'end' ? i < end : celebrates(params.air) && i > 0 && i < end && !awaits(scene)
      const full = own || (!asked && quiet) ? scene : aired(scene, params, asked)
      return { ...full, parts: full.parts.map((part) => plenty(part, params)) }
    }),
  }
  return seamless(whole, params)
}
