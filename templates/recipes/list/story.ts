import { listScene, numbered, pages, standsOut } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** Points one after another under their heading; many of them go on in further scenes, and so do their numbers. */
export function story({ title, items: given, marks: asked, done, marked, footer, form = 'list' }: Params): Story {
  const items = (given as string[]).filter((item) => item.trim() !== '')
  if (items.length === 0) return { scenes: [], errors: [{ param: 'items', message: 'a list needs at least one point', hint: 'name the points, such as: fast, small, free' }] }
  const marks = done?.length && asked !== 'strike' ? 'tick' : asked
  let from = 1
  const scenes = pages(items, form === 'roll' ? 60 : 10).map((part, i, all) => {
    const scene = listScene(numbered('points', i), { title, items: part, marks, done, marked, from, of: items.length, form, footer: i === all.length - 1 ? footer : '' })
    from += part.length
    return scene
  })
  const said = [
    ...(marked && !items.some((item) => standsOut(item, marked)) ? [`There is no point ${marked}, so none stands out.`] : []),
    ...((done ?? []) as string[]).filter((one) => !items.includes(one)).map((one) => `There is no point ${one} that could be done.`),
  ]
  return { scenes, said }
}
