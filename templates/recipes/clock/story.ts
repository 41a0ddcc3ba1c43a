import { clockScene, minutesOf, timesOf } from '../stage/times'
import type { Params, Story } from '../stage/story'

/** A clock whose hands go forward from one time to another. */
export function story(params: Params): Story {
  if (!params.from && !params.to) return { scenes: [clockScene('clock', { text: params.text, hands: params.hands as string, form: params.form })] }
  const said = timesOf(params.from, params.to)
  for (const param of ['from', 'to'] as const) {
    if (minutesOf(said[param]) === null) return { scenes: [], errors: [{ param, message: `"${said[param]}" is no time of the day`, hint: 'write it as 9:00, 17:30 or 5 pm' }] }
  }
  return { scenes: [clockScene('clock', { said, text: params.text, hands: params.hands as string, form: params.form })] }
}
