import type { PartFace } from '../part'
import { badge } from './Badge'
import { bars } from './Bars'
import { button } from './Button'
import { clock } from './Clock'
import { code } from './Code'
import { countdown } from './Countdown'
import { counter } from './Counter'
import { figures } from './Figures'
import { line } from './Lines'
import { list } from './List'
import { logo } from './Logo'
import { lowerthird } from './LowerThird'
import { orbit } from './Orbit'
import { particles } from './Particles'
import { picture } from './Picture'
import { pie } from './Pie'
import { progress } from './Progress'
import { recording } from './Recording'
import { roll } from './Roll'
import { rule } from './Rule'
import { score } from './Score'
import { series } from './Series'
import { shape } from './Shape'
import { sides } from './Sides'
import { sign } from './Sign'
import { single } from './single'
import { stars } from './Stars'
import { steps } from './Steps'
import { terminal } from './Terminal'
import { text } from './Text'
import { weather } from './Weather'

const kinds: Record<string, PartFace> = {
  badge,
  bars,
  button,
  clock,
  code,
  countdown,
  counter,
  figures,
  line,
  list,
  logo,
  lowerthird,
  orbit,
  particles,
  picture,
  pie,
  progress,
  recording,
  roll,
  rule,
  score,
  series,
  shape,
  sides,
  sign,
  stars,
  steps,
  terminal,
  text,
  weather,
}

/** The page's side of every kind of part in kinds.ts, by the same names. */
export const parts: Record<string, PartFace> = Object.fromEntries(Object.entries(kinds).map(([name, face]) => [name, single(face)]))
