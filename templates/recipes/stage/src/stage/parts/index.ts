import type { PartFace } from '../part'
import { text } from './Text'

/** The page's side of every kind of part in kinds.ts, by the same names. */
export const parts: Record<string, PartFace> = {
  text,
}
