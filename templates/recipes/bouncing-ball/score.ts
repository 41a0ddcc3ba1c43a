import { type Key, type Params, type Score, type Style, type Track, colourNotes, ease, mannerOf, plural, quote, scenesOf, sec, sentence, times, together, track } from '../classic/score'
import { distance, parse } from '../utils/colour'

interface Ball extends Params {
  shape: string
  /** "auto": as many as fit. */
  bounces: number | 'auto'
  squash: number
  balls: number
  second: string
  third: string
  shadow: 'auto' | 'none'
  loop: boolean
  text: string
  end: 'leave' | 'rest'
  /** The way on which it crosses the frame while it bounces: to the right, or to the left. */
  across: 'none' | 'right' | 'left'
}

const crosses = (p: Ball): boolean => p.across === 'right' || p.across === 'left'

/** What comes in at one side and leaves at the other bounces as in a loop, of which it is one round. */
const round = (p: Ball): boolean => p.loop || (crosses(p) && p.end !== 'rest')

/** How a style moves a ball. Times are in seconds; period is the time of a full bounce, floor to floor, at its natural speed. */
interface Tempo {
  enter: number
  hang: number
  rest: number
  exit: number
  period: number
  contact: number
  heights: (n: number) => number[]
}

const tempos: Record<Style, Tempo> = {
  playful: { enter: 0.45, hang: 0.15, rest: 0.55, exit: 0.4, period: 0.66, contact: 0.1, heights: lively },
  smooth: { enter: 0.8, hang: 0.1, rest: 0.5, exit: 0.8, period: 1, contact: 0.13, heights: gentle },
  cinematic: { enter: 0.9, hang: 0.35, rest: 0.45, exit: 0.9, period: 1.04, contact: 0.09, heights: heavy },
}

/** The period below which bounces are a blur. */
const shortest = 0.2

/** How much slower than natural a bounce may be to fill the time; in the time left over the ball rests. */
const longestStretch = 1.5

/**
 * Full bounces, then three that die away. Every second run of three full bounces is a
 * little lower, so that a long video does not tick like a clock.
 */
function lively(n: number): number[] {
  return tail(n, [0.52, 0.27, 0.14], (i, body) => (body > 6 && i % 6 >= 3 ? 0.62 : 1))
}

/** Equal bounces, then two that fade. */
function gentle(n: number): number[] {
  return tail(n, [0.55, 0.24], () => 1)
}

/** Loses a fixed share with every bounce, as a real ball does. In a long video the ball first gathers height, for tension. */
function heavy(n: number): number[] {
  if (n <= 6) return Array.from({ length: n }, (_, i) => 0.8 * Math.pow(0.64, i))
  return tail(n, [0.64, 0.41, 0.26], (i, body) => 0.45 + (0.55 * (i + 1)) / body)
}

/** n heights: first the body, then the end of last. The body has at least half of the bounces. */
function tail(n: number, last: number[], body: (i: number, body: number) => number): number[] {
  const k = Math.min(last.length, Math.floor(n / 2))
  return [...Array.from({ length: n - k }, (_, i) => body(i, n - k)), ...last.slice(0, k)]
}

/** How much lower the others of several balls start. */
const lower = [1, 0.7, 0.86, 0.6, 0.94, 0.66, 0.8]

/** Every bounce loses the same share, until next to nothing is left. */
const fading = (n: number): number[] => Array.from({ length: n }, (_, i) => Math.pow(0.04, (i + 1) / (n + 1)))

/** More bounces than a ball takes until it lies still, unless they are asked for. */
const untilStill = 12

/** One touch of the floor and the flight after it. Heights are shares of the full height; flight is up and down. */
interface Bounce {
  at: number
  contact: number
  before: number
  height: number
  flight: number
}

/** Everything a ball does, in seconds from the start. */
interface Course {
  /** From 0 until the ball is there. */
  appear: number
  /** The ball begins to fall from height 1. */
  release: number
  /** Of a full bounce. */
  period: number
  bounces: Bounce[]
  /** The last touch; after it the ball rests. */
  landing: Bounce
  /** The ball begins to leave. */
  exit: number
  /** A moment before the end, so that the last frame is empty at any frame rate. */
  gone: number
  end: number
  /** The greatest number of bounces that fits. */
  most: number
}

/** A loop begins and ends at the top of a bounce. All bounces are full, as many as come nearest to the natural speed. */
function roundOf(p: Ball, nth: number): Course {
  const t = tempos[mannerOf(p)]
  const natural = Math.max(shortest, (t.period * Math.sqrt(lower[nth]!)) / p.speed)
  const contact = Math.min(t.contact, 0.3 * natural)
  const n = p.bounces === 'auto' ? Math.max(1, Math.round(p.duration / (natural + contact))) : p.bounces
  const beat = p.duration / n
  const touch = Math.min(t.contact, 0.23 * beat)
  const period = beat - touch
  const bounces = Array.from({ length: n }, (_, i): Bounce => ({ at: i * beat + period / 2, contact: touch, before: 1, height: 1, flight: period }))
  const end = p.duration
  return { appear: 0, release: 0, period, bounces, landing: bounces[n - 1]!, exit: end, gone: end, end, most: Math.floor(p.duration / (shortest * 1.3)) }
}

/** Lays the bounces of a ball into the duration. All flights obey one gravity: a flight to height h takes period × √h. */
function courseOf(p: Ball, nth = 0): Course {
  if (round(p)) return roundOf(p, nth)
  const pull = Math.sqrt(lower[nth]!)
  const rests = p.end === 'rest'
  const style = tempos[mannerOf(p)]
  const t = { ...style, enter: style.enter + 0.14 * nth, period: style.period * pull, ...(rests ? { exit: 0, heights: fading } : {}), ...(crosses(p) ? { enter: 0.14 * nth, hang: 0 } : {}) }
  const fixed = t.enter + t.hang + t.rest + t.exit
  const scale = Math.min(1, (0.45 * p.duration) / fixed)
  const enter = t.enter * scale
  const exit = t.exit * scale
  const window = p.duration - fixed * scale

  /** The time in the air in units of the period, with the drop. */
  const flights = (n: number) => t.heights(n).reduce((sum, h) => sum + Math.sqrt(h), 0.5)
  const contact = (period: number) => Math.min(t.contact, 0.3 * period)
  const needs = (n: number, period: number) => period * flights(n) + n * contact(period)
  const fit = (period: number) => {
    let high = 1
    while (needs(high, period) <= window) high *= 2
    let low = Math.floor(high / 2)
    while (high - low > 1) {
      const mid = Math.floor((low + high) / 2)
      if (needs(mid, period) <= window) low = mid
      else high = mid
    }
    return low
  }
  const natural = Math.max(shortest, t.period / p.speed)
  /** The period that makes n bounces fill the window: needs solved for it, on either side of the contact's knee. */
  const filling = (n: number) => {
    const period = (window - n * t.contact) / flights(n)
    return 0.3 * period < t.contact ? window / (flights(n) + 0.3 * n) : period
  }
  let n = p.bounces
  if (n === 'auto') {
    n = Math.max(1, Math.min(fit(natural), rests ? untilStill : Infinity))
    if (!(rests && n === untilStill) && filling(n + 1) > 0.88 * natural) n++ // a little quicker is closer to natural than much slower
  }
  const period = Math.min(filling(n), natural * (rests ? 1 : longestStretch))
  const left = window - needs(n, period)
  const release = enter + (t.hang * scale + (rests ? 0 : 0.25 * left)) // in the rest of the time left over the ball lies still

  const bounces: Bounce[] = []
  let at = release + period / 2
  let before = 1
  for (const height of t.heights(n)) {
    const b = { at, contact: contact(period), before, height, flight: period * Math.sqrt(height) }
    bounces.push(b)
    at += b.contact + b.flight
    before = height
  }
  const leave = p.duration - exit
  return {
    appear: enter,
    release,
    period,
    bounces,
    landing: { at, contact: contact(period), before, height: 0, flight: 0 },
    exit: leave,
    gone: rests ? p.duration : p.duration - Math.min(0.06, 0.15 * (p.duration - leave)),
    end: p.duration,
    most: fit(shortest),
  }
}

/**
 * The style in which the ball comes and goes. On the stage the lamp shows and hides the
 * ball; elsewhere the ball must come and go by itself.
 */
function entranceOf(p: Ball): Style {
  if (p.style === 'cinematic') return 'cinematic'
  return mannerOf(p) === 'cinematic' ? 'smooth' : mannerOf(p)
}

/**
 * The keyframes. Units are those the components expect: height in shares of the full
 * bounce, speed in shares of the speed after a fall from that height, squash 1 for the
 * impact of such a fall, turns in steps of the shape's symmetry. Flights are exact
 * parabolas and speeds their exact derivative, so stretch, squash and shadow follow from
 * the same physics.
 */
function tracksOf(p: Ball, c: Course, nth: number): Track[] {
  const high = lower[nth]!
  const scale: Record<string, number> = { height: high, speed: Math.sqrt(high), squash: Math.sqrt(high), power: Math.sqrt(high) }
  const own = motionOf(p, c).filter((t) => nth === 0 || t.object !== 'Stage')
  return nth === 0 ? own : own.map((t) => ({ ...t, object: `${t.object} ${nth + 1}`, keys: t.keys.map(([at, value, ...rest]): Key => [at, value * (scale[t.prop] ?? 1), ...rest]) }))
}

/** The tracks of a loop: at the end all is as at the beginning, the dust of the last touch included. */
function roundTracks(p: Ball, c: Course): Track[] {
  const lit = p.style === 'cinematic'
  const n = c.bounces.length
  const every = (keys: (b: Bounce, i: number) => Key[]): Key[] => c.bounces.flatMap(keys)
  const begun = c.end - (c.bounces[n - 1]!.at + c.bounces[n - 1]!.contact / 4) // of the last dust, before the end
  const over = p.loop ? Math.min(life - begun, c.bounces[0]!.at - 0.001) : 0
  return [
    track('Ball', 'height', [0, 1, ease.fall], ...every((b, i): Key[] => [[b.at, 0], [b.at + b.contact, 0, ease.rise], [Math.min(b.at + b.contact + b.flight / 2, c.end), 1, ...(i < n - 1 ? [ease.fall] : [])] as Key])),
    track('Ball', 'speed', [0, 0], ...every((b) => [[b.at, -1], [b.at + b.contact / 2, 0], [b.at + b.contact, 1]]), [c.end, 0]),
    track('Ball', 'squash', [0, 0], ...every((b) => [[b.at, 0, ease.outSine], [b.at + b.contact / 2, 1, ease.inSine], [b.at + b.contact, 0]])),
    track('Ball', 'scale', [0, 1]),
    track('Ball', 'opacity', [0, 1]),
    track('Ball', 'turn', [0, 0], ...every((b, i): Key[] => (i < n - 1 ? [[b.at + b.contact, i, ease.inOutSine], [b.at + b.contact + b.flight, i + 1]] : []))),
    track('Dust', 'age', ...(over > 0 ? ([[0, begun / life], [over, (begun + over) / life, 'hold']] as Key[]) : ([[0, 1, 'hold']] as Key[])),
      ...every((b, i) => {
        const from = b.at + b.contact / 4
        const to = Math.min(from + life, (c.bounces[i + 1]?.at ?? c.end) - 0.001)
        return [[from, 0], [to, (to - from) / life, 'hold']]
      })),
    track('Dust', 'power', [0, 1]),
    track('Dust', 'number', [0, n, 'hold'], ...every((b, i) => [[b.at + b.contact / 4, i + 1, 'hold']])),
    ...acrossOf(p, c, c.bounces),
    track('Stage', 'light', [0, 1]),
    track('Stage', 'shadow', [0, p.shadow === 'none' ? 0 : 1]),
    track('Stage', 'zoom', [0, 1]),
    track('Stage', 'bars', [0, lit ? 1 : 0]),
  ]
}

/** How far within the frame a ball comes to rest that comes in at the side, where 1 is just beside the frame, and the longest time in which it rolls out. */
const halt = 0.34
const rolling = 1.1

/** The way of the ball from one side, -1, to the other, 1, at one speed as in flight, and where the dust of each touch is. */
function acrossOf(p: Ball, c: Course, touches: Bounce[]): Track[] {
  if (!crosses(p)) return []
  const way = p.across === 'left' ? -1 : 1
  const end = c.end
  const land = p.end === 'rest' && !p.loop ? c.landing.at : end
  const roll = Math.min(rolling, end - land)
  const k = roll / (2 * land)
  const there = land === end ? 1 : (halt - k) / (1 + k)
  const at = (t: number) => way * (-1 + ((there + 1) * Math.min(t, land)) / land)
  const last = touches[touches.length - 1]!
  return [
    track('Ball', 'across', [0, -way], [land, way * there, ease.rise], ...(land < end && roll > 0 ? ([[land + roll, way * halt]] as Key[]) : [])),
    track('Dust', 'across', [0, at(last.at), 'hold'], ...touches.map((b): Key => [b.at + b.contact / 4, at(b.at), 'hold'])),
  ]
}

function motionOf(p: Ball, c: Course): Track[] {
  if (round(p)) return roundTracks(p, c)
  const stays = p.end === 'rest'
  const manner = mannerOf(p)
  const come = entranceOf(p)
  const lit = p.style === 'cinematic'
  const touches = [...c.bounces, c.landing]
  const every = (list: Bounce[], keys: (b: Bounce, i: number) => Key[]): Key[] => list.flatMap(keys)
  return [
    track('Ball', 'height', [0, manner === 'smooth' ? 0.94 : 1, ease.outQuint], ...gathered(manner, c), [c.release, 1, ease.fall],
      ...every(c.bounces, (b) => [[b.at, 0], [b.at + b.contact, 0, ease.rise], [b.at + b.contact + b.flight / 2, b.height, ease.fall]]), [c.landing.at, 0]),
    track('Ball', 'speed', [0, 0], [c.release, 0],
      ...every(c.bounces, (b) => [[b.at, -Math.sqrt(b.before)], [b.at + b.contact / 2, 0], [b.at + b.contact, Math.sqrt(b.height)]]),
      [c.landing.at, -Math.sqrt(c.landing.before)], [c.landing.at + c.landing.contact / 2, 0]),
    track('Ball', 'squash', [0, 0],
      ...every(c.bounces, (b) => [[b.at, 0, ease.outSine], [b.at + b.contact / 2, Math.sqrt(b.before), ease.inSine], [b.at + b.contact, 0]]), ...settled(manner, c, stays)),
    track('Ball', 'scale', ...(crosses(p) ? [[0, 1] as Key] : scaled(come, c, stays))),
    ...acrossOf(p, c, touches),
    track('Ball', 'opacity', ...(come === 'smooth' && !crosses(p) ? ([[0, 0, ease.inOutCubic], [0.75 * c.appear, 1], ...(stays ? [] : [[c.exit, 1, ease.inOutCubic], [c.gone, 0]])] as Key[]) : [[0, 1] as Key])),
    track('Ball', 'turn', ...turned(c)),
    track('Dust', 'age', [0, 1, 'hold'],
      ...every(touches, (b, i) => {
        const from = b.at + b.contact / 4
        const to = Math.min(from + life, (touches[i + 1]?.at ?? c.end) - 0.001)
        return [[from, 0], [to, (to - from) / life, 'hold']]
      })),
    track('Dust', 'power', [0, 0, 'hold'], ...every(touches, (b) => [[b.at + b.contact / 4, Math.sqrt(b.before), 'hold']])),
    // Counts the touches, so that no two clouds look alike.
    track('Dust', 'number', [0, 0, 'hold'], ...every(touches, (b, i) => [[b.at + b.contact / 4, i + 1, 'hold']])),
    track('Stage', 'light', ...(lit && !crosses(p) ? ([[0, 0, ease.inOutQuart], [c.appear, 1], ...(stays ? [] : [[c.exit, 1, ease.inOutQuart], [c.gone, 0]])] as Key[]) : [[0, 1] as Key])),
    track('Stage', 'shadow', [0, p.shadow === 'none' ? 0 : 1]),
    track('Stage', 'zoom', [0, 1, ease.inOutCubic], ...(lit ? [[c.end, 1.16] as Key] : [])),
    track('Stage', 'bars', ...(lit ? ([[0, 0, ease.inOutQuart], [Math.max(c.appear, c.end * 0.1), 1]] as Key[]) : [[0, 0] as Key])),
  ]
}

/** The seconds in which dust settles. */
const life = 0.62

/** The ball gathers itself before it drops. */
function gathered(manner: Style, c: Course): Key[] {
  if (manner !== 'playful' || c.release - c.appear <= 0.08) return []
  return [[c.appear, 1, ease.inOutSine], [(c.appear + c.release) / 2, 1.035, ease.inOutSine]]
}

/** After the landing the ball rings out like a spring: each swing goes the other way, and is weaker. */
function settled(manner: Style, c: Course, stays: boolean): Key[] {
  const blow = Math.sqrt(c.landing.before)
  const swings = { playful: [-0.55, 0.34, -0.18, 0.08], smooth: [], cinematic: [-0.16] }[manner]
  const swing = Math.min(0.13, (0.9 * (c.exit - c.landing.at)) / (swings.length + 2))
  let at = c.landing.at + c.landing.contact / 2
  const keys: Key[] = [[c.landing.at, 0, ease.outSine], [at, blow, ease.inOutSine]]
  for (const s of swings) keys.push([(at += swing), blow * s, ease.inOutSine])
  keys.push([Math.min(at + Math.max(swing, 0.16), c.exit), 0])
  if (manner !== 'playful' || stays) return keys
  const left = c.end - c.exit // a last squeeze before the ball pops away
  return [...keys, [c.exit, 0, ease.inOutSine], [c.exit + 0.45 * left, 0.32, ease.inOutSine], [c.exit + 0.75 * left, -0.2]]
}

function scaled(come: Style, c: Course, stays: boolean): Key[] {
  if (stays) return come === 'cinematic' ? [[0, 1]] : [[0, come === 'playful' ? 0 : 0.86, come === 'playful' ? ease.outBack : ease.outQuint], [c.appear, 1]]
  if (come === 'playful') return [[0, 0, ease.outBack], [c.appear, 1], [c.exit + 0.2 * (c.end - c.exit), 1, ease.inBack], [c.gone, 0]]
  if (come === 'smooth') return [[0, 0.86, ease.outQuint], [c.appear, 1], [c.exit, 1, ease.inOutCubic], [c.gone, 0.94]]
  return [[0, 1]]
}

/** Shapes with corners turn by one step of their symmetry in every flight that is high enough, so that they land flat. */
function turned(c: Course): Key[] {
  const high = c.bounces.filter((b) => b.height >= 0.2)
  return [[0, 0], ...high.flatMap((b, i): Key[] => [[b.at + b.contact, i, ease.inOutSine], [b.at + b.contact + b.flight, i + 1]])]
}

/** Tells a scene. Every number comes from the motion that is drawn. */
function tell(p: Ball, c: Course, from: number, to: number): [string, string] {
  const inside = (t: number) => t >= from && t < to
  const name = p.balls > 1 ? `first of ${p.balls} shapes` : p.shape
  const come = entranceOf(p)
  const story: string[] = []
  const how: string[] = []
  if (p.text && from === 0) how.push(`${quote(p.text)} stands below`)
  if (round(p)) {
    const n = c.bounces.filter((b) => inside(b.at)).length
    const full = [`squash and stretch up to ${Math.round(100 * (1 - Math.exp(-p.squash)))}% from its speed`, `a full bounce takes ${sec(c.period)} s`, ...(p.loop ? ['the end goes over into the beginning'] : [])]
    const sides = p.across === 'left' ? ['right', 'left'] : ['left', 'right']
    const [comes, goes] = crosses(p) ? [from === 0 ? ` comes in at the ${sides[0]}${to >= c.end ? ',' : ' and'}` : '', to >= c.end ? ` and leaves at the ${sides[1]}` : ''] : ['', '']
    return [`The ${name}${comes} bounces ${n === 0 ? 'on' : times(n)}${goes}.`, `${sentence(...full)}.`]
  }
  if (from === 0 && crosses(p)) {
    story.push(`The ${name} comes in at the ${p.across === 'left' ? 'right' : 'left'}`)
  } else if (from === 0) {
    story.push(`The ${name} ${{ playful: 'pops in at the top of its bounce', smooth: 'fades in at the top of its bounce', cinematic: 'is found by a spotlight' }[come]}`)
    how.push(`Enters in ${sec(c.appear)} s (${{ playful: 'easeOutBack', smooth: 'easeOutQuint', cinematic: 'easeInOutQuart' }[come]})`)
  }
  if (inside(c.release)) {
    story.push('drops')
    how.push('free fall in arcs')
  }
  const touches = c.bounces.filter((b) => inside(b.at))
  const n = touches.length
  if (n > 0) {
    const low = n > 1 && touches.every((b) => b.height < 0.7)
    story.push(`${from > 0 && story.length === 0 ? `The ${name} ` : ''}bounces ${times(n)}${low ? ', low' : ''}`)
    how.push(`squash and stretch up to ${Math.round(100 * (1 - Math.exp(-p.squash)))}% from its speed${p.shadow === 'none' ? '' : ', shadow from its height'}`)
    if (n > 1) how.push(`a full bounce takes ${sec(c.period)} s`)
  }
  if (inside(c.landing.at)) {
    const lands = { playful: 'lands with a wobble', smooth: 'lands softly', cinematic: 'lands heavily' }[mannerOf(p)]
    story.push(story.length === 0 ? `The ${name} ${lands}` : lands)
    if (mannerOf(p) === 'playful') how.push('the wobble rings out like a spring')
  }
  if (p.end === 'rest' && inside(c.landing.at)) {
    story.push('comes to rest')
    how.push('every bounce loses the same share')
  }
  if (p.end !== 'rest' && (inside(c.exit) || (c.exit >= from && to >= c.end))) {
    story.push({ playful: 'pops away', smooth: 'fades out', cinematic: 'vanishes with the light' }[come])
    how.push(`leaves in the last ${sec(c.end - c.exit)} s`)
  }
  if (story.length === 0) {
    story.push(`The ${name} lies still`)
    how.push('hold')
  }
  if (p.style === 'cinematic') how.push('the camera comes closer')
  return [`${together(story)}.`, `${sentence(...how)}.`]
}

/** The words below come with the ball, and leave with it. */
function captionOf(p: Ball, c: Course): Track[] {
  if (!p.text) return []
  const stays = round(p) || p.end === 'rest'
  return [track('Caption', 'reveal', ...(p.loop ? [[0, 1] as Key] : [[0, 0], [0.2, 0, ease.outSine], [0.9, 1]] as Key[])), track('Caption', 'exit', ...(stays ? [[0, 0] as Key] : [[0, 0], [c.exit, 0, ease.inOutCubic], [c.gone, 1]] as Key[]))]
}

function clash(p: Ball): string {
  if (p.background === 'auto' || p.shade !== 0 || distance(parse(p.color), parse(p.background)) >= 0.08) return ''
  return 'The ball and the background have nearly the same colour.'
}

export default function score(p: Ball): Score {
  const all = Array.from({ length: p.balls }, (_, nth) => courseOf(p, nth))
  const c = all[0]!
  const n = c.bounces.length
  if (p.bounces !== 'auto' && n > c.most) {
    const hint = `at most ${c.most} fit: ask for fewer, or for a longer video`
    return { duration: p.duration, scenes: [], sheets: {}, errors: [{ param: 'bounces', message: `${n} bounces do not fit into ${p.duration} s`, hint }] }
  }
  const rest = c.exit - c.landing.at
  const still = !round(p) && p.end !== 'rest' && p.bounces !== 'auto' && rest > 0.4 * c.end && rest > 3
  return {
    duration: p.duration,
    scenes: scenesOf(p, ['Bounce', 'Intro', 'Loop', 'Outro'], (from, to) => tell(p, c, from, to)),
    sheets: { Main: { length: p.duration, tracks: [...all.flatMap((course, nth) => tracksOf(p, course, nth)), ...captionOf(p, c)] } },
    said: [
      ...(still ? [`After ${plural(n, 'bounce')} the ${p.shape} lies still for ${Math.round(10 * rest) / 10} s: more bounces or a shorter video would fill it.`] : []),
      ...(p.loop && p.end === 'rest' ? ['A loop does not come to rest: the ball bounces on.'] : []),
      ...(p.balls < 3 && p.third !== 'auto' ? ['A third colour is that of a third shape: it is not used.'] : []),
      ...colourNotes(p, clash),
    ],
    auto: { bounces: n },
    pace: { beat: c.period, full: `${plural(n, 'bounce')} ${n === 1 ? 'takes' : 'take'} all of the ${p.duration} s` },
  }
}
