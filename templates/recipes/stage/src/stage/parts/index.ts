import type { PartFace } from '../part'
import { bars } from './Bars'
import { clock } from './Clock'
import { countdown } from './Countdown'
import { counter } from './Counter'
import { line } from './Lines'
import { pie } from './Pie'
import { progress } from './Progress'
import { text } from './Text'

/** The page's side of every kind of part in kinds.ts, by the same names. */
export const parts: Record<string, PartFace> = {
  bars,
  clock,
  countdown,
  counter,
  line,
  pie,
  progress,
  text,
}
