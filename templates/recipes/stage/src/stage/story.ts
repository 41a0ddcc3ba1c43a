/**
 * What a recipe says and nothing more: scenes one after another, each of parts.
 * score.ts makes times and keyframes of a story, the page makes pictures of it.
 * All of it is data, so that the same story comes out in koda and on the page.
 */
export interface Story {
  scenes: StoryScene[]
  /** The last frame goes over into the first. */
  loop?: boolean
  /** The way from scene to scene; 'auto' or nothing is that of the style. */
  transition?: TransitionName
  /** Colours that belong to the matter, where neither a person nor their brand asks for others. */
  palette?: string
  /** A colour that is asked for is that of what is drawn, and not of the letters. */
  drawn?: boolean
  /** It is that of letters in a window, which has a ground of its own. */
  inside?: boolean
  /** Sentences for the plan. */
  said?: string[]
  /** Why there can be no such video: one clear line each. */
  errors?: { param: string; message: string; hint?: string }[]
}

export type TransitionName = 'auto' | 'cut' | 'fade' | 'wipe' | 'push' | 'zoom' | 'morph'

/**
 * How a scene is laid out. center and stack set parts below each other; split sets
 * texts beside the rest where there is width for it; full gives what fills room the
 * whole frame, with texts at the lower left; grid sets what fills room in rows; lower sets texts at the lower left, or where side says;
 * the names of corners set them there.
 */
export type LayoutName = 'center' | 'stack' | 'split' | 'grid' | 'full' | 'lower' | 'top' | 'bottom' | 'topleft' | 'topright' | 'bottomright'

/** The ground of a scene: the background, a deeper one, the accent, or the accent's opposite. */
export type Tone = 'base' | 'deep' | 'accent' | 'contrast'

export type BackdropName = 'auto' | 'none' | 'plain' | 'shapes' | 'paper' | 'haze' | 'grid' | 'rays' | 'waves' | 'stars' | 'hills' | 'confetti' | 'arcs' | 'film' | 'board' | 'sheet' | 'lined' | 'breath' | 'gradient'

export interface StoryScene {
  /** The name of the scene's sheet; it survives reordering. */
  id: string
  title: string
  /** Otherwise as long as the parts need, times weight. */
  seconds?: number
  weight?: number
  /** As long as this at least, if nobody says how long the video is. */
  least?: number
  layout?: LayoutName
  /** Where lower sets its texts; at the left without. */
  side?: 'left' | 'center' | 'right'
  tone?: Tone
  backdrop?: BackdropName
  /** Its parts drift around the frame together and bounce off its edges, at this pace. */
  roam?: number
  /** All is there from the first frame on, and the last one goes over into it without a seam. */
  still?: boolean
  transition?: TransitionName
  parts: Part[]
}

/** A part of a scene: a kind of kinds.ts and that kind's own properties, typed and final. */
export interface Part {
  /** The name of the part's Theatre object, one of its own in the scene. */
  id: string
  kind: string
  /** Where it lies: among the others, at the upper or lower edge, or over or behind the whole frame. */
  area?: 'main' | 'head' | 'foot' | 'over' | 'behind'
  /** Share of the room among parts that fill room; 1 without. */
  weight?: number
  /** Seconds after the part before has begun to come; the style's own without. */
  wait?: number
  /** It comes when the part before is all there. */
  then?: boolean
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind says what it reads
  [property: string]: any
}

/** What every recipe on this stage has besides its own parameters: base.json. */
export interface Shared {
  style: 'playful' | 'smooth' | 'cinematic'
  duration: number | 'auto'
  palette: string
  background: string
  color: string
  accent: string
  font: string
  size: number
  speed: number
  transition: TransitionName
  backdrop: BackdropName
  loop: boolean
  /** Which of the looks of a style. */
  variant?: number
  /** What single scenes have of their own, by their ids. */
  scenes?: Record<string, Record<string, unknown>>
}

export type Params = Shared & Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any -- recipes have their own

export interface Env {
  fps: number
  width: number
  height: number
  /** Seconds of the scenes, where they are settled. */
  lengths?: number[]
}

/** x1, y1, x2, y2 of a CSS cubic-bezier. */
export type Ease = [number, number, number, number]
export type Key = [at: number, value: number, ease?: Ease | 'hold']

export interface Track {
  object: string
  prop: string
  keys: Key[]
}

export interface Score {
  duration: number
  /** What was left to the story came to. */
  auto?: Record<string, number | string>
  scenes: { id: string; title: string; seconds: number; description: string; notes: string }[]
  sheets: Record<string, { length: number; tracks: Track[] }>
  said?: string[]
  errors?: { param: string; message: string; hint?: string }[]
}
