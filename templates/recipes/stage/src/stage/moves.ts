/** How a sign moves: pure, from the share of one turn of its motion. */
export interface Pose {
  /** Where it stands, in its own sizes from its place. */
  x?: number
  y?: number
  /** Degrees, about the pivot; the pivot is a point of the square of 24 by 24. */
  turn?: number
  wide?: number
  high?: number
  pivot?: [number, number]
  opacity?: number
  /** How far its steam has risen, of one turn. */
  steam?: number
}

/** A bump from 0 to 1 and back, over a part of a turn. */
const bump = (u: number, from: number, to: number): number => (u > from && u < to ? Math.sin((Math.PI * (u - from)) / (to - from)) : 0)

const wave = (u: number, times = 1): number => Math.sin(2 * Math.PI * times * u)

interface Move {
  /** Seconds of a turn. */
  seconds: number
  /** The pose at a share of a turn; k is 1 for a sign that is alone on the frame, less beside texts. */
  pose(u: number, k: number): Pose
}

/** Motions that stay in their place. */
export const moves: Record<string, Move> = {
  float: { seconds: 3.6, pose: (u, k) => ({ y: -0.07 * k * wave(u) }) },
  steam: { seconds: 2.4, pose: (u) => ({ steam: u }) },
  beat: {
    seconds: 1.1,
    pose(u, k) {
      const size = 1 + 0.17 * k * (bump(u, 0.02, 0.24) + 0.6 * bump(u, 0.26, 0.52))
      return { wide: size, high: size }
    },
  },
  ring: { seconds: 1.8, pose: (u, k) => ({ turn: u < 0.62 ? 24 * k * wave(u / 0.62, 4) * (1 - u / 0.62) : 0, pivot: [12, 2] }) },
  shake: { seconds: 1.8, pose: (u, k) => ({ turn: u < 0.55 ? 15 * k * wave(u / 0.55, 5) * (1 - u / 0.55) : 0 }) },
  spin: { seconds: 4, pose: (u) => ({ turn: 360 * u }) },
  load: { seconds: 1.2, pose: (u) => ({ turn: 45 * Math.floor(8 * u) }) },
  swing: { seconds: 2.6, pose: (u, k) => ({ turn: 13 * k * wave(u), pivot: [12, 2] }) },
  sway: { seconds: 3.2, pose: (u, k) => ({ turn: 7 * k * wave(u), pivot: [12, 22] }) },
  hop: {
    seconds: 1.6,
    pose(u, k) {
      const q = Math.min(u / 0.5, 1)
      const land = bump(u, 0.47, 0.68)
      return { y: -0.34 * k * 4 * q * (1 - q), wide: 1 + 0.12 * k * land, high: 1 - 0.14 * k * land, pivot: [12, 22] }
    },
  },
  bounce: {
    seconds: 1,
    pose(u, k) {
      const hit = Math.max(0, 1 - Math.min(u, 1 - u) / 0.1)
      return { y: 0.3 * k - 0.85 * k * 4 * u * (1 - u), wide: 1 + 0.16 * hit, high: 1 - 0.16 * hit, pivot: [12, 22] }
    },
  },
  twinkle: {
    seconds: 2,
    pose(u, k) {
      const size = 1 + 0.1 * k * wave(u)
      return { wide: size, high: size, turn: 6 * k * wave(u), opacity: 0.86 + 0.14 * wave(u) }
    },
  },
  flicker: { seconds: 1.6, pose: (u, k) => ({ wide: 1 - 0.05 * k * wave(u, 2), high: 1 + 0.09 * k * wave(u, 2) + 0.04 * k * wave(u, 3), turn: 2.5 * k * wave(u), pivot: [12, 22] }) },
  wave: { seconds: 2, pose: (u, k) => ({ turn: u < 0.7 ? 22 * k * wave(u / 0.7, 3) : 0, pivot: [12, 22] }) },
  nod: {
    seconds: 1.8,
    pose(u, k) {
      const up = bump(u, 0.05, 0.45)
      return { turn: -14 * k * up, y: -0.06 * k * up, wide: 1 + 0.1 * k * up, high: 1 + 0.1 * k * up, pivot: [5, 20] }
    },
  },
  blink: { seconds: 1.4, pose: (u, k) => ({ opacity: 0.65 + 0.35 * Math.cos(2 * Math.PI * u), wide: 1 + 0.05 * k * Math.cos(2 * Math.PI * u), high: 1 + 0.05 * k * Math.cos(2 * Math.PI * u) }) },
  drive: { seconds: 2, pose: (u, k) => ({ y: -0.02 * k * Math.abs(wave(u, 4)), turn: 0.8 * k * wave(u, 4) }) },
}

/** Motions that need the frame, and the seconds of a turn. */
export const ways: Record<string, number> = { rise: 4, drift: 4, driftleft: 4, driftup: 4, driftdown: 4, fall: 4, draw: 4, pop: 3, grow: 6 }

/** What things do by themselves; all others float. */
const habits: Record<string, string> = {
  beat: 'heart heart-pulse heart-handshake',
  ring: 'bell bell-ring',
  steam: 'coffee',
  shake: 'alarm-clock phone smartphone siren gift bomb',
  spin: 'settings fan refresh-cw sun snowflake disc-3 atom orbit volleyball soccer-ball basketball recycle donut',
  load: 'loader',
  swing: 'anchor umbrella parasol tag ticket award medal luggage lamp key lock',
  sway: 'flower flower-2 rose tree-palm tree-pine tree-deciduous trees sprout clover wheat flag leaf broom guitar wand-sparkles',
  hop: 'map-pin rabbit pin footprints dog cat egg panda squirrel bird shopping-bag piggy-bank deer horse pig snowman',
  twinkle: 'star sparkles moon-star gem zap lightbulb rainbow crown',
  flicker: 'flame flame-kindling candle',
  wave: 'hand hand-metal',
  nod: 'thumbs-up thumbs-down biceps-flexed trophy megaphone hammer party-popper',
  blink: 'triangle-alert circle-alert octagon-x ban',
  drive: 'car bus truck train-front bike motorbike scooter tractor ambulance caravan shopping-cart skateboard rollercoaster',
}

/** What things do that are alone on the frame, where it is more. */
const alone: Record<string, string> = {
  rise: 'rocket balloon hot-air-balloon sun moon sunrise trending-up arrow-up moon-star',
  drift: 'plane plane-takeoff helicopter drone car bus truck train-front bike motorbike scooter tractor ambulance caravan ship sailboat send cloud bird fish turtle snail bug worm arrow-right ghost butterfly kayak shopping-cart bat ufo dragon submarine speedboat sleigh comet pacman',
  fall: 'snowflake leaf feather arrow-down droplet',
  bounce: 'volleyball soccer-ball basketball',
  draw: 'activity check circle-check x infinity circle-question-mark signature star',
  spin: 'earth globe',
}

const within = (table: Record<string, string>, thing: string) => Object.keys(table).find((move) => table[move]!.split(' ').includes(thing))

/** The motion of a thing beside texts. */
export const habitOf = (thing: string): string => within(habits, thing) ?? 'float'

/** The motion of a thing that is alone on the frame. */
export const actOf = (thing: string, asked?: string): string => {
  const act = asked && asked !== 'auto' ? asked : (within(alone, thing) ?? habitOf(thing))
  if (act === 'ring' && habitOf(thing) === 'shake') return 'shake'
  if (act === 'float' && habitOf(thing) === 'steam') return 'steam'
  return act === 'spin' && thing === 'loader' ? 'load' : act
}

/** Seconds of a turn of a motion. */
export const turnOf = (act: string): number => ways[act] ?? moves[act]?.seconds ?? 4
