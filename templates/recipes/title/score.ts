import { type Key, type Params, type Score, type Style, type Track, capital, colourNotes, ease, mannerOf, quote, scenesOf, sec, sentence, times, track } from '../classic/score'
import { contrast, parse } from '../utils/colour'

interface Title extends Params {
  text: string
  subtitle: string
}

/** How a style moves words. Times are in seconds. */
interface Pace {
  /** Before the first letter. */
  lead: number
  /** Of a short text; more for every letter, up to most. */
  reveal: number
  letter: number
  most: number
  /** Drawing the line under the words, bringing in the subtitle. */
  line: number
  sub: number
  exit: number
  /** One run of the accent through the letters, and from one such run to the next. */
  wave: number
  beat: number
}

const paces: Record<Style, Pace> = {
  playful: { lead: 0.12, reveal: 0.65, letter: 0.035, most: 1.7, line: 0.55, sub: 0.5, exit: 0.75, wave: 0.9, beat: 2.6 },
  smooth: { lead: 0.2, reveal: 0.9, letter: 0.02, most: 1.8, line: 0.8, sub: 0.9, exit: 0.8, wave: 1.3, beat: 4 },
  cinematic: { lead: 0.5, reveal: 1.4, letter: 0.02, most: 2.2, line: 1, sub: 1, exit: 1.1, wave: 1.8, beat: 4.4 },
}

/** When words come, move and leave, in seconds from the start. */
interface Script {
  /** The letters come between these two. */
  lead: number
  revealed: number
  line: number
  drawn: number
  /** Zero without a subtitle. */
  sub: number
  shown: number
  waves: number[]
  /** Seconds of one wave. */
  wave: number
  exit: number
  gone: number
  end: number
}

/** Lays words into a duration. */
function scriptOf(p: Title): Script {
  const t = paces[mannerOf(p)]
  const { duration, speed } = p
  let reveal = Math.min(t.reveal + t.letter * [...p.text].length, t.most) / speed
  let lead = t.lead / Math.sqrt(speed)
  let line = t.line / speed
  let sub = p.subtitle ? t.sub / speed : 0
  let exit = t.exit / Math.sqrt(speed)
  const come = lead + Math.max(reveal, 0.55 * reveal + line, 0.7 * reveal + sub)
  const k = Math.min(1, (0.72 * duration) / (come + exit))
  ;[lead, reveal, line, sub, exit] = [lead * k, reveal * k, line * k, sub * k, exit * k]
  const gone = duration - Math.min(0.08, 0.04 * duration)
  const s: Script = {
    lead,
    revealed: lead + reveal,
    line: lead + 0.55 * reveal,
    drawn: lead + 0.55 * reveal + line,
    sub: sub > 0 ? lead + 0.7 * reveal : 0,
    shown: sub > 0 ? lead + 0.7 * reveal + sub : 0,
    waves: [],
    wave: t.wave,
    exit: gone - exit,
    gone,
    end: duration,
  }
  // The runs of the accent are spread evenly over the rest of the time.
  const from = Math.max(s.revealed, s.drawn, s.shown) + 0.25
  const room = s.exit - 0.15 - from
  const n = Math.floor((room + t.beat - t.wave) / t.beat)
  const gap = (room - n * t.wave) / (n + 1)
  for (let i = 0; i < n; i++) s.waves.push(from + gap + i * (t.wave + gap))
  return s
}

/**
 * The keyframes. The objects hold progress from 0 to 1; the components stagger it over the
 * letters with the easing of the style.
 */
function tracksOf(p: Title, s: Script): Track[] {
  const cinematic = p.style === 'cinematic'
  const drawn = { playful: ease.inOutCubic, smooth: ease.outQuint, cinematic: ease.inOutQuart }[mannerOf(p)]
  const left = s.gone - s.exit
  const span = (from: number, to: number, curve?: Key[2]): Key[] => [[0, 0], [from, 0, curve], [to, 1]]
  const sub = (from: number, to: number, curve?: Key[2]): Key[] => (p.subtitle ? span(from, to, curve) : [[0, 0]])
  const staged = (keys: Key[], still: number): Key[] => (cinematic ? keys : [[0, still]])
  return [
    track('Headline', 'reveal', ...span(s.lead, s.revealed)),
    track('Headline', 'exit', ...span(s.exit, s.gone)),
    track('Headline', 'wave', [0, 0, 'hold'], ...s.waves.flatMap((at): Key[] => [[at, 0, ease.inOutSine], [at + s.wave, 1, 'hold']])),
    track('Headline', 'tracking', ...staged([[0, -0.05, ease.outSine], [s.end, 0.04]], 0)),
    track('Subtitle', 'reveal', ...sub(s.sub, s.shown)),
    track('Subtitle', 'exit', ...sub(s.exit, s.exit + 0.7 * left, ease.inOutCubic)),
    track('Accent', 'draw', ...span(s.line, s.drawn, drawn)),
    track('Accent', 'exit', ...span(s.exit, s.exit + 0.8 * left, ease.inOutCubic)),
    track('Stage', 'light', ...staged([[0, 0, ease.inOutCubic], [Math.max(s.lead, 0.2), 1], [s.exit + 0.3 * left, 1, ease.inOutCubic], [s.gone, 0]], 1)),
    track('Stage', 'zoom', ...staged([[0, 1], [s.end, 1.07]], 1)),
    track('Stage', 'bars', ...staged([[0, 0, ease.inOutQuart], [Math.min(1.2, 0.3 * s.end), 1]], 0)),
  ]
}

/** Tells a scene. Every number comes from the motion that is drawn. */
function tell(p: Title, s: Script, from: number, to: number): [string, string] {
  const inside = (t: number) => t >= from && t < to
  const manner = mannerOf(p)
  const story: string[] = []
  const how: string[] = []
  if (inside(s.lead)) {
    const come = {
      playful: 'drops in letter by letter',
      smooth: 'rises word by word out of its lines',
      cinematic: 'comes out of the dark letter by letter, from the middle',
    }[manner]
    story.push(`${quote(p.text)} ${come}`)
    how.push(`Staggered over ${sec(s.revealed - s.lead)} s (${{ playful: 'easeOutBack', smooth: 'easeOutQuint', cinematic: 'easeInOutQuart' }[manner]})`)
  }
  if (inside(s.line)) {
    story.push({ playful: 'a squiggle is drawn below, shapes pop up around', smooth: 'a line grows below', cinematic: 'a hairline opens below' }[p.style])
  }
  if (p.subtitle && inside(s.sub)) story.push(`${quote(p.subtitle)} follows`)
  const waves = s.waves.filter(inside).length
  if (waves > 0) {
    if (story.length === 0) story.push('the words stand')
    const run = { playful: 'a wave runs through the letters', smooth: 'the accent colour runs through the letters', cinematic: 'a gleam runs through the letters' }[p.style]
    story.push(waves > 1 ? `${run} ${times(waves)}` : run)
    how.push(`each run takes ${sec(s.wave)} s (easeInOutSine)`)
  }
  if (inside(s.exit)) {
    story.push({ playful: 'the letters pop away one after another', smooth: 'the words leave upwards', cinematic: 'the letters and the light fade' }[manner])
    how.push(`leaves in the last ${sec(s.end - s.exit)} s`)
  }
  if (story.length === 0) {
    story.push('The words stand')
    how.push('hold')
  }
  if (p.style === 'cinematic') how.push('letters drift apart while the camera comes closer')
  return [`${story.map(capital).join('. ')}.`, `${sentence(...how)}.`]
}

function clash(p: Title): string {
  if (p.color === 'auto' || p.background === 'auto') return ''
  const c = contrast(parse(p.color), parse(p.background))
  return c < 2.6 ? `${p.color} on ${p.background} is hard to read (contrast ${c.toFixed(1)}); the letters get an edge.` : ''
}

/** The scripts that the built-in fonts have: Latin, Greek, Cyrillic, and common signs. */
const built = /[\u0000-\u052f\u1e00-\u22ff\ufe0f\u200d]/u
const emoji = /[\u2300-\u2bff\u{1f000}-\u{10ffff}]/u
const eastern = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/u

/** Names the script of the first character that the built-in fonts lack. */
function foreign(text: string): string {
  const first = [...text].find((letter) => !built.test(letter))
  if (!first) return ''
  if (emoji.test(first)) return `emoji and symbols (${first})`
  return eastern.test(first) ? 'Chinese, Japanese or Korean characters' : `letters like ${first}`
}

export default function score(p: Title): Score {
  if (!p.text) {
    const hint = `put the words in quotation marks: koda new 'title "Hello, world"'`
    return { duration: p.duration, scenes: [], sheets: {}, errors: [{ param: 'text', message: 'the title has no text', hint }] }
  }
  const s = scriptOf(p)
  const lacking = foreign(p.text + p.subtitle)
  return {
    duration: p.duration,
    scenes: scenesOf(p, ['Title', 'Reveal', 'Hold', 'Exit'], (from, to) => tell(p, s, from, to)),
    sheets: { Main: { length: p.duration, tracks: tracksOf(p, s) } },
    said: [...colourNotes(p, clash), ...(lacking ? [`The built-in fonts have no ${lacking}: it is drawn with the fonts of this machine, if it has any.`] : [])],
    pace: { beat: s.revealed - s.lead, full: `the words take all of the ${p.duration} s` },
  }
}
