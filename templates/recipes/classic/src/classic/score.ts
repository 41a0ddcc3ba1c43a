/**
 * What the scores of the bouncing ball and of the title share: the parameters of all, the
 * scenes of a length, and the words of plans.
 */
export type Style = 'playful' | 'smooth' | 'cinematic'

/** Parameters of one scene alone. */
type Own = Record<string, string | number>

export interface Params {
  style: Style
  /** Seconds. */
  duration: number
  background: string
  shade: number
  color: string
  speed: number
  motion: Style | 'auto'
  /** By the scene's number from 1. */
  scenes?: Record<string, Own>
}

export interface Scene {
  title: string
  seconds: number
  description: string
  notes: string
}

/** The two inner control points of a cubic Bézier from (0,0) to (1,1), as in CSS. */
type Ease = [number, number, number, number] | 'hold'

/** A value at a second, and the curve to the next key; without a curve it is a straight line. */
export type Key = [at: number, value: number, ease?: Ease]

export interface Track {
  object: string
  prop: string
  keys: Key[]
}

export interface Score {
  duration: number
  scenes: Scene[]
  sheets: Record<string, { length: number; tracks: Track[] }>
  said?: string[]
  errors?: { param: string; message: string; hint?: string }[]
  /** What "auto" came to. */
  auto?: Record<string, number | string>
  /** The seconds of one movement, and what is said when movements take all of the time. */
  pace?: { beat: number; full: string }
}

/** rise and fall are exact: a cubic with these control points is the parabola of a body thrown up, and of a dropped body. */
export const ease = {
  rise: [1 / 3, 2 / 3, 2 / 3, 1],
  fall: [1 / 3, 0, 2 / 3, 1 / 3],
  inSine: [0.12, 0, 0.39, 0],
  outSine: [0.61, 1, 0.88, 1],
  inOutSine: [0.37, 0, 0.63, 1],
  inOutCubic: [0.65, 0, 0.35, 1],
  outQuint: [0.22, 1, 0.36, 1],
  inOutQuart: [0.76, 0, 0.24, 1],
  outBack: [0.34, 1.56, 0.64, 1],
  inBack: [0.36, 0, 0.66, -0.56],
} satisfies Record<string, Ease>

/** The style that says how things move. */
export const mannerOf = (p: Params): Style => (p.motion === 'auto' ? p.style : p.motion)

export const track = (object: string, prop: string, ...keys: Key[]): Track => ({ object, prop, keys })

/** The names of scenes: of the only scene of a short video, of the first, of those in between, of the last. */
export type Names = [only: string, first: string, between: string, last: string]

/** The scenes of a video. A scene [from, to) is told by tell; what it has of its own is told at the end. */
export function scenesOf(p: Params, names: Names, tell: (from: number, to: number) => [description: string, notes: string]): Scene[] {
  const lengths = tile(Math.round(1000 * p.duration), sceneCount(p.duration))
  let at = 0
  return lengths.map((length, i) => {
    const from = at
    at += length
    const [description, notes] = tell(from / 1000, at / 1000)
    const own = p.scenes?.[i + 1]
    const told = own ? ` ${sentence(...ownNames(p, own).map((name) => `${name} ${own[name]}`))}.` : ''
    return { title: titleOf(names, i, lengths.length), seconds: length / 1000, description: description + told, notes }
  })
}

function titleOf([only, first, between, last]: Names, i: number, n: number): string {
  if (n === 1) return only
  if (i === 0) return first
  if (i === n - 1) return last
  return n > 3 ? `${between} ${i}` : between
}

/** In the order of the parameters. */
const ownNames = (p: Params, own: Own) => Object.keys(p).filter((name) => name in own)

/** Milliseconds that a scene takes at least. */
const least = 1500

/**
 * Cuts a length into n scenes, in milliseconds: the first and the last take a quarter
 * each, less of a long video, and the others share the rest. The cuts lie on tenths of a
 * second, from 5 s up on halves.
 */
function tile(total: number, wanted: number): number[] {
  const n = Math.max(1, Math.min(wanted, Math.floor(total / least)))
  const grid = total >= 5000 && Math.floor(total / n) >= least + 500 ? 500 : 100
  const out: number[] = []
  let cut = 0
  for (let i = 0; i < n - 1; i++) {
    const side = Math.min(0.25, 0.8 / n)
    const share = n > 2 ? side + ((1 - 2 * side) * i) / (n - 2) : 0.5
    const nearest = Math.round((total * share) / grid) * grid
    const next = Math.max(cut + least, Math.min(nearest, total - (n - 1 - i) * least))
    out.push(next - cut)
    cut = next
  }
  return [...out, total - cut]
}

/** At most seven scenes up to half a minute, fifteen above. */
function sceneCount(seconds: number): number {
  if (seconds * 1000 < 2 * least) return 1
  if (seconds * 1000 < 3 * least) return 2
  if (seconds <= 30) return Math.min(7, Math.max(3, Math.round(seconds / 3.2)))
  return Math.min(15, Math.max(7, Math.round(seconds / 6)))
}

/** Notes on colours that do not go together: of the whole, or else of scenes. */
export function colourNotes<P extends Params>(p: P, clash: (p: P) => string): string[] {
  const whole = clash(p)
  if (whole) return [whole]
  const clashes = Object.entries(p.scenes ?? {}).map(([n, own]) => [n, clash({ ...p, ...own })])
  return clashes.filter(([, note]) => note).map(([n, note]) => `Scene ${n}: ${note}`)
}

export const capital = (s: string): string => s.slice(0, 1).toUpperCase() + s.slice(1)

export const sentence = (...parts: string[]): string => capital(parts.join(', '))

/** "drops, bounces twice and lands" */
export const together = (parts: string[]): string => sentence(...(parts.length > 1 ? [...parts.slice(0, -2), parts.slice(-2).join(' and ')] : parts))

/** A text in quotation marks, shortened to what fits on a line. */
export function quote(s: string): string {
  const letters = [...s.trim().split(/\s+/).join(' ')]
  return `"${letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('')}"`
}

/** Seconds for people, to the hundredth; of two that are equally near, the even. */
export const sec = (v: number): string => String((v * 8) % 2 === 1 ? (2 * Math.round(50 * v)) / 100 : +v.toFixed(2))

export const times = (n: number): string => ['', 'once', 'twice'][n] || `${n} times`

export const plural = (n: number, noun: string): string => (n === 1 ? `1 ${noun}` : `${n} ${noun}s`)
