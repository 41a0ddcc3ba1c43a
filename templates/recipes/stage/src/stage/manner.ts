import type { Ease } from './story'

/** How things move in a style: the whole table. Seconds are those of speed 1. */
export interface Manner {
  /** Seconds in which a plain part comes. */
  enter: number
  /** The share of a part's coming after which the next part begins to come. */
  beat: number
  /** How far the first part of the video has come at second 0. */
  head: number
  /** Reading takes this many times the usual. */
  patience: number
  transition: { kind: 'fade' | 'wipe' | 'push' | 'zoom'; seconds: number; ease: Ease }
  /** For values that run: numbers that count, bars that grow. */
  run: Ease
  /** How far the camera goes in a scene, as a share of the picture. */
  camera: number
  /** How large texts come, and how small or long ones do. */
  loud: string
  quiet: string
  /** A swell runs through large letters while they are held. */
  swell?: boolean
  /** For the plan. */
  words: string
}

/** easeOutQuint, easeInOutCubic, easeInOutQuart and others as CSS has them. */
export const eases = {
  linear: [0, 0, 1, 1],
  outQuint: [0.22, 1, 0.36, 1],
  inOutCubic: [0.65, 0, 0.35, 1],
  inOutQuart: [0.76, 0, 0.24, 1],
} satisfies Record<string, Ease>

export const manners: Record<'playful' | 'smooth' | 'cinematic', Manner> = {
  playful: {
    enter: 0.7,
    beat: 0.34,
    head: 0.34,
    patience: 0.9,
    transition: { kind: 'push', seconds: 0.5, ease: eases.inOutCubic },
    run: eases.outQuint,
    camera: 0.012,
    loud: 'pop',
    quiet: 'rise',
    swell: true,
    words: 'quick, with overshoot',
  },
  smooth: {
    enter: 1,
    beat: 0.4,
    head: 0.3,
    patience: 1.1,
    transition: { kind: 'fade', seconds: 0.7, ease: eases.inOutCubic },
    run: eases.inOutCubic,
    camera: 0.02,
    loud: 'rise',
    quiet: 'fade',
    words: 'calm and deliberate',
  },
  cinematic: {
    enter: 1.5,
    beat: 0.45,
    head: 0.3,
    patience: 1.4,
    transition: { kind: 'zoom', seconds: 0.9, ease: eases.inOutQuart },
    run: eases.inOutQuart,
    camera: 0.05,
    swell: true,
    loud: 'focus',
    quiet: 'fade',
    words: 'slow and building, with a moving camera',
  },
}
