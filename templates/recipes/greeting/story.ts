import { glowing } from '../stage/furnish'
import type { Params, Part, Story } from '../stage/story'
import { occasions, said } from './occasions'

/** A greeting in large letters, with all that belongs to the day. */
export function story(params: Params): Story {
  const { text, to, age, subtitle, air, aircolor } = params
  const occasion = params.occasion === 'party' && age > 0 ? 'birthday' : params.occasion
  const day = occasions[occasion] ?? occasions.party!
  const own = air && air !== 'auto'
  const flying = !own ? day.air : air === 'none' ? [] : [air === 'festive' ? 'confetti' : (air as string)]
  const behind = own ? (air === 'festive' ? 'balloons' : undefined) : day.behind
  // An invitation tells names, a day and a place below its heading: they are what it is sent for. A condolence is quiet.
  const invites = Boolean(subtitle) && /\d/.test(subtitle) && subtitle.length > 12
  const years = age > 0 && !String(text).includes(String(age))
  const parts: Part[] = years ? [{ id: 'age', kind: 'text', role: 'hero', text: String(age), says: 'The age' }] : []
  parts.push({ id: 'greeting', kind: 'text', role: years || invites || occasion === 'sympathy' ? 'title' : 'hero', text: text || said(day, String(params.locale), to), says: 'The greeting' })
  if (text && to && !String(text).toLowerCase().includes(String(to).toLowerCase())) parts.unshift({ id: 'to', kind: 'text', role: 'eyebrow', text: to, says: 'The line above', gap: 2.4 })
  if (subtitle) parts.push({ id: 'rule', kind: 'rule', gap: 3.4 }, { id: 'subtitle', kind: 'text', role: 'subtitle', text: subtitle, max: invites ? 9 : undefined, says: 'The line below' })
  if (behind) parts.push({ id: behind, kind: 'particles', what: behind, area: 'behind' })
  for (const what of flying) parts.push({ id: what, kind: 'particles', what, area: 'behind' })
  if (String(aircolor).startsWith('#')) for (const part of parts) if (part.kind === 'particles') part.color = aircolor
  // Snow, fireworks and the like show on the dark.
  const tone = params.style === 'smooth' && !day.palette && !String(params.tint).startsWith('#') && flying.some((what) => glowing.includes(what)) ? 'contrast' : 'base'
  return { palette: day.palette, scenes: [{ id: 'greeting', title: 'Greeting', layout: 'center', least: 5, tone, parts }] }
}
