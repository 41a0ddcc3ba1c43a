import type { Params, Part, Story, StoryScene } from './story'

/** What may be asked of every story, whatever its recipe: what flies through the air. */

/** What celebrates waits for the number or the chart that it celebrates; all else is in the air from the first second on. */
const bursts = ['confetti', 'sparks', 'festive']
export const celebrates = (what: string): boolean => bursts.includes(what)
const awaited = ['counter', 'progress', 'figures', 'bars', 'line', 'series', 'pie']

/** What shows on the dark only. */
export const glowing = ['snow', 'sparks', 'stars', 'dust', 'rain']

const flying = (what: string): string[] => (what === 'festive' ? ['balloons', 'confetti'] : what === 'none' || what === 'auto' ? [] : [what])

/** The colour that a person gives to what flies. */
const coloured = (params: Params) => (String(params.aircolor).startsWith('#') ? { color: params.aircolor as string } : {})

/** A scene with what flies behind its parts. */
export function aired(scene: StoryScene, params: Params, asked: string = params.air): StoryScene {
  const what = flying(asked)
  if (what.length === 0) return scene
  const last = params.airwhen === 'end' || (params.airwhen !== 'whole' && bursts.includes(asked) && scene.parts.some((part) => awaited.includes(part.kind)))
  const air = what.map((one): Part => ({ id: `air-${one}`, kind: 'particles', what: one, area: 'behind', ...coloured(params), ...(last && { last }) }))
  const dark = glowing.includes(asked) && params.style === 'smooth' && params.palette === 'auto' && !String(params.tint).startsWith('#') && (scene.tone ?? 'base') === 'base'
  return { ...scene, ...(dark && { tone: 'contrast' as const }), parts: [...scene.parts, ...air] }
}

/** The story with all that was asked of it; a recipe that places its own particles keeps to them. */
export function furnished(story: Story, params: Params): Story {
  const own = story.scenes.some((scene) => scene.parts.some((part) => part.kind === 'particles'))
  if (own || story.errors?.length || !params.air) return story
  const end = story.scenes.length - 1
  return { ...story, scenes: story.scenes.map((scene, i) => (params.airwhen === 'end' && i < end ? scene : aired(scene, params))) }
}
