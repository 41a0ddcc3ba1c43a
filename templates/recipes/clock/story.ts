import type { Params, Part, Story } from '../stage/story'

/** Minutes since midnight of "9:00", "9 am", "21.30" or "9"; null if it is no time. */
export function minutesOf(text: string): number | null {
  const m = /^\s*(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(?:(a|p)\.?\s*m\.?)?\s*$/i.exec(String(text))
  if (!m) return null
  const half = m[3]?.toLowerCase()
  let hour = Number(m[1])
  const minute = Number(m[2] ?? 0)
  if (hour > 24 || minute > 59 || (half && (hour > 12 || hour < 1))) return null
  if (half) hour = (hour % 12) + (half === 'p' ? 12 : 0)
  return (hour % 24) * 60 + minute
}

/** A day at work, which is also between two times of which only one is said. */
const day = 480

/** A time 8 hours before or behind another, as people write it. */
function away(text: string, by: number): string {
  const at = minutesOf(text)
  if (at === null) return text
  const m = (at + by + 1440) % 1440
  const minutes = String(m % 60).padStart(2, '0')
  if (!/[ap]\.?\s*m/i.test(text)) return `${Math.floor(m / 60)}:${minutes}`
  return `${Math.floor(m / 60) % 12 || 12}:${minutes} ${m < 720 ? 'am' : 'pm'}`
}

/** A clock whose hands go forward from one time to another. */
export function story(params: Params): Story {
  const said = { from: params.from || (params.to ? away(params.to, -day) : '9:00'), to: params.to || (params.from ? away(params.from, day) : '17:00') }
  const [from, to] = [minutesOf(said.from), minutesOf(said.to)]
  for (const [param, value] of [['from', from], ['to', to]] as const) {
    if (value === null) return { scenes: [], errors: [{ param, message: `"${said[param]}" is no time of the day`, hint: 'write it as 9:00, 17:30 or 5 pm' }] }
  }
  const halves = /[ap]\.?\s*m/i.test(`${said.from} ${said.to}`)
  // From 9:00 to 5:00 is a day at work: eight hours, not twenty.
  let end = to!
  while (end <= from!) end += !halves && to! < 720 && from! < 720 ? 720 : 1440
  const text: Part[] = params.text ? [{ id: 'text', kind: 'text', role: 'title', max: 10, text: params.text, says: 'The text' }] : []
  return { scenes: [{ id: 'clock', title: 'Clock', layout: 'split', parts: [...text, { id: 'clock', kind: 'clock', from: from!, to: end, halves, ...(params.hands !== 'auto' && { hands: params.hands }), says: said }] }] }
}
