import { glowing } from '../stage/furnish'
import type { Params, Part, Story } from '../stage/story'

/** What is said on an occasion, and what flies through the air. */
const occasions: Record<string, { text: string; air: string[]; behind?: string; palette?: string }> = {
  birthday: { text: 'Happy birthday!', air: ['confetti'], behind: 'balloons' },
  newyear: { text: 'Happy New Year!', air: ['sparks'] },
  thanks: { text: 'Thank you!', air: ['hearts'] },
  congratulations: { text: 'Congratulations!', air: ['confetti'] },
  christmas: { text: 'Merry Christmas!', air: ['snow'], palette: 'christmas' },
  love: { text: 'With love', air: ['hearts'], palette: 'love' },
  welcome: { text: 'Welcome!', air: ['confetti'] },
  festival: { text: 'Happy holidays!', air: ['sparks'], palette: 'festival' },
  spring: { text: 'Happy spring!', air: ['bubbles'], behind: 'balloons', palette: 'spring' },
  halloween: { text: 'Happy Halloween!', air: ['bubbles'], palette: 'halloween' },
  wishes: { text: 'All the best!', air: ['hearts'] },
  sympathy: { text: 'With deepest sympathy', air: [], palette: 'still' },
  baby: { text: 'Welcome, little one!', air: ['bubbles'], behind: 'balloons', palette: 'pastel' },
  party: { text: "Let's celebrate!", air: ['confetti'], behind: 'balloons' },
}

/** A greeting with the name of whom it goes to: "Happy birthday, Anna!". */
function addressed(text: string, to?: string): string {
  return to ? `${text.replace(/!$/, '')}, ${to}!` : text
}

/** A greeting in large letters, with all that belongs to the day. */
export function story(params: Params): Story {
  const { occasion, text, to, subtitle, air, aircolor } = params
  const day = occasions[occasion] ?? occasions.party!
  const own = air && air !== 'auto'
  const flying = !own ? day.air : air === 'none' ? [] : [air === 'festive' ? 'confetti' : (air as string)]
  const behind = own ? (air === 'festive' ? 'balloons' : undefined) : day.behind
  // An invitation tells names, a day and a place below its heading: they are what it is sent for. A condolence is quiet.
  const invites = Boolean(subtitle) && /\d/.test(subtitle) && subtitle.length > 12
  const parts: Part[] = [{ id: 'greeting', kind: 'text', role: invites || occasion === 'sympathy' ? 'title' : 'hero', text: text || addressed(day.text, to), says: 'The greeting' }]
  if (subtitle) parts.push({ id: 'rule', kind: 'rule', gap: 3.4 }, { id: 'subtitle', kind: 'text', role: 'subtitle', text: subtitle, max: invites ? 9 : undefined, says: 'The line below' })
  if (behind) parts.push({ id: behind, kind: 'particles', what: behind, area: 'behind' })
  for (const what of flying) parts.push({ id: what, kind: 'particles', what, area: 'behind' })
  if (String(aircolor).startsWith('#')) for (const part of parts) if (part.kind === 'particles') part.color = aircolor
  // Snow, fireworks and the like show on the dark.
  const tone = params.style === 'smooth' && !day.palette && !String(params.tint).startsWith('#') && flying.some((what) => glowing.includes(what)) ? 'contrast' : 'base'
  return { palette: day.palette, scenes: [{ id: 'greeting', title: 'Greeting', layout: 'center', least: 5, tone, parts }] }
}
