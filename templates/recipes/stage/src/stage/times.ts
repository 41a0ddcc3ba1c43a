import type { Part, StoryScene } from './story'

/** Minutes since midnight of "9:00", "9 am", "21.30", "9 o'clock" or "9"; null if it is no time. */
export function minutesOf(text: string): number | null {
  const m = /^\s*(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(?:o['’]?\s?clock|uhr|h|heures?|horas?|ore|時)?\s*(?:(a|p)\.?\s*m\.?)?\s*$/i.exec(String(text))
  if (!m) return null
  const half = m[3]?.toLowerCase()
  let hour = Number(m[1])
  const minute = Number(m[2] ?? 0)
  if (hour > 24 || minute > 59 || (half && (hour > 12 || hour < 1))) return null
  if (half) hour = (hour % 12) + (half === 'p' ? 12 : 0)
  return (hour % 24) * 60 + minute
}

/** A day at work, which is also between two times of which only the first is said. */
const day = 480

/** A number of minutes in hours of 24: "9:05". */
const written = (m: number) => `${Math.floor(m / 60)}:${String(m % 60).padStart(2, '0')}`

/** The time a day at work behind another, as people write it. */
function later(text: string): string {
  const at = minutesOf(text)
  if (at === null) return text
  const m = (at + day) % 1440
  if (!/[ap]\.?\s*m/i.test(text)) return written(m)
  return `${written(m % 720 < 60 ? 720 + (m % 60) : m % 720)} ${m < 720 ? 'am' : 'pm'}`
}

/** The two times of a clock as they are said: without the second a day at work later, without the first the one that the clock shows. */
export const timesOf = (from: string, to: string) => ({ from: from || to || '9:00', to: to || (from ? later(from) : '17:00') })

/** What clocks show that nobody set, in minutes. */
const usual = 608

/** A clock whose hands go forward from one time to another; without times it only ticks. */
export function clockScene(id: string, { said, text, hands = 'auto', form = 'auto' }: { said?: { from: string; to: string }; text?: string; hands?: string; form?: string }): StoryScene {
  const title: Part[] = text ? [{ id: 'text', kind: 'text', role: 'title', max: 10, text, says: 'The text' }] : []
  const digital = form === 'digital'
  const own = { ...(hands !== 'auto' && { hands }), ...(digital && { digital }) }
  const layout = digital ? ('stack' as const) : ('split' as const)
  if (!said) return { id, title: 'Clock', layout, parts: [...title, { id: 'clock', kind: 'clock', from: usual, to: usual, ticks: true, ...(digital && { shows: true, says: { from: written(usual), to: written(usual) } }), ...own }] }
  const halves = /[ap]\.?\s*m/i.test(`${said.from} ${said.to}`)
  const [first, to] = [minutesOf(said.from) ?? 540, minutesOf(said.to) ?? 1020]
  // From 12:00 to 1:00 is an hour.
  const from = !halves && first >= 720 && first < 780 && to < 720 ? first - 720 : first
  if (said.from === said.to) return { id, title: 'Clock', layout, parts: [...title, { id: 'clock', kind: 'clock', from: to, to, ticks: true, shows: true, halves, ...own, says: said }] }
  // From 9:00 to 5:00 is a day at work: eight hours, not twenty.
  let end = to
  while (end <= from) end += !halves && to < 720 && from < 720 ? 720 : 1440
  return { id, title: 'Clock', layout, parts: [...title, { id: 'clock', kind: 'clock', from, to: end, halves, ...own, says: said }] }
}
