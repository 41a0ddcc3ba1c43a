import type { ComponentType, ReactNode } from 'react'
import type { Box, Place, Size } from './layout'
import type { Look } from './look'
import type { Part } from './story'

/** What a part is drawn from, and nothing else. */
export interface PartProps {
  part: Part
  /** The values of its Theatre object: enter and leave from 0 to 1, and those of its kind. */
  v: Record<string, number>
  look: Look
  /** Where it lies on the frame, in units; align says to which side its texts go. */
  box: Place
  /** Seconds of the scene; always 0 for a kind that does not move by time. */
  time: number
  /** Lines of letters that stand before it. */
  before?: Lettering[]
}

/** A line of letters on the frame, and how high its letters are. */
export interface Lettering extends Box {
  font: number
}

/** A part in its place in a scene. */
export interface Standing {
  part: Part
  look: Look
  box: Place
}

/** The page's side of a kind of part. */
export interface PartFace {
  draw: ComponentType<PartProps>
  /** Draws it p of the way between its places in two scenes, for a kind whose inner places differ; null where they cannot be told. */
  carry?(old: Standing, now: Standing, p: number): ReactNode
  /** The height it needs in a room, in units. A kind without it fills the room it is given. */
  measure?(part: Part, look: Look, room: Size, align: Place['align']): number
  /** The height of its letters in a room, for a kind that is set in one size. */
  font?(part: Part, look: Look, room: Size, align: Place['align']): number
  /** Where its letters stand, so that what flies behind them can keep them readable. */
  lettering?(standing: Standing): Lettering[]
  /** The least height in which a kind that fills room can be read: texts beside it give way. */
  need?(part: Part, look: Look, room: Size): number
  /** The height with which a kind that fills room has enough, however much there is. */
  most?(part: Part, look: Look, room: Size): number
}
