import { groups, listScene, numbered } from '../stage/scenes'
import type { Params, Story } from '../stage/story'

/** Points one after another under their heading; many of them go on in further scenes. */
export function story({ title, items, marks }: Params): Story {
  if (items.length === 0) return { scenes: [], errors: [{ param: 'items', message: 'a list needs at least one point', hint: 'name the points, such as: fast, small, free' }] }
  return { scenes: groups<string>(items, 10).map((part, i) => listScene(numbered('points', i), { title, items: part, marks })) }
}
