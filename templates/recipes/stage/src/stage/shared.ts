import type { Part, StoryScene } from './story'

/** The same to the eye: it says or shows the same. */
const content = (part: Part): string => JSON.stringify([part.kind, part.text ?? part.src ?? null])

const says = (part: Part): boolean => Boolean(part.text ?? part.src)

const stands = (part: Part): boolean => part.kind !== 'particles' && part.kind !== 'rule' && part.area !== 'behind' && part.area !== 'over'

/**
 * What a scene shares with the scene before it: ids of its parts, and the ids that these
 * had there. A part is shared if it has the same id and kind, or shows the same.
 */
export function sharedParts(before: StoryScene | undefined, scene: StoryScene): Map<string, string> {
  const shared = new Map<string, string>()
  const left = (before?.parts ?? []).filter(stands)
  const pair = (fits: (part: Part, old: Part) => boolean) => {
    for (const part of scene.parts.filter(stands)) {
      const i = shared.has(part.id) ? -1 : left.findIndex((old) => fits(part, old))
      if (i >= 0) shared.set(part.id, left.splice(i, 1)[0]!.id)
    }
  }
  pair((part, old) => says(part) && content(part) === content(old))
  pair((part, old) => part.id === old.id && part.kind === old.kind)
  return shared
}
