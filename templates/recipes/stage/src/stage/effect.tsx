import type { ReactNode } from 'react'
import { chance } from './chance'
import { type Colour, css, oklch, readable } from './colour'
import type { Place } from './layout'
import type { Look } from './look'
import { clamp, swing } from './motion'
import type { Part } from './story'

/** What is done to large letters when it is asked for: { effect, glow } of a part. Here is what is done to a part as a whole; letters by letters are in Text. */

/** Effects that are drawn from the time. */
export const lively = (part: Part): boolean => ['glitch', 'shake', 'wave', 'wobble', 'blink', 'pulse', 'breathe', 'float', 'swing', 'spin', 'zoom', 'roam'].includes(part.effect)

/** Seconds of a turn of a motion: at the pace that is asked for, and in a loop without a seam a whole share of it. */
export function period(part: Part, seconds: number): number {
  const own = seconds / (part.pace ?? 1)
  return part.still ? part.lasts / Math.max(Math.round(part.lasts / own), 1) : own
}

interface Effected {
  part: Part
  look: Look
  box: Place
  time: number
  draw: (part: Part, look: Look) => ReactNode
}

/** A part with its effect, and with its glow. */
export function Effect(props: Effected): ReactNode {
  const { part, look } = props
  const light = look.inked ? look.ink : look.accent
  const moved = Moved(props)
  return part.glow ? <Layer style={{ filter: `drop-shadow(0 0 0.5rem ${light}) drop-shadow(0 0 1.6rem ${light}) drop-shadow(0 0 4rem ${light})` }}>{moved}</Layer> : moved
}

function Moved({ part, look, box, time, draw }: Effected): ReactNode {
  const [x, y] = [{ left: box.x, center: box.x + box.w / 2, right: box.x + box.w }[box.align], box.y + box.h / 2]
  const about = (transform: string, top = y) => <Layer style={{ transform, transformOrigin: `${x}rem ${top}rem` }}>{draw(part, look)}</Layer>
  switch (part.effect) {
    case 'shake':
      return <Layer style={{ transform: `translate(${swing(time, 0.19) * 0.5 + swing(time, 0.31, 0.3) * 0.4}rem, ${swing(time, 0.23, 0.1) * 0.5}rem)` }}>{draw(part, look)}</Layer>
    case 'pulse':
      return about(`scale(${0.95 + 0.05 * swing(time, period(part, 1.2), 0.25)})`)
    case 'breathe':
      return about(`scale(${0.83 + 0.17 * swing(time, period(part, 5), -0.25)})`)
    case 'float':
      return about(`translate(0, ${-2.6 * swing(time, period(part, 3.6))}rem)`)
    case 'swing':
      return about(`rotate(${5 * swing(time, period(part, 2.8))}deg)`, box.y - box.h * 0.2)
    case 'spin':
      return about(`perspective(160rem) rotateY(${(360 * time) / period(part, 5)}deg)`)
    case 'zoom':
      return about(`scale(${0.74 + 0.26 * clamp(time / part.lasts)})`)
    case 'blink':
      // Little more than once a second, and never quite gone: faster flashes can harm.
      return <Layer style={{ opacity: 0.25 + 0.75 * clamp(0.5 + 2.5 * swing(time, period(part, 0.9), 0.25)) }}>{draw(part, look)}</Layer>
    case 'glitch':
      return <Glitch part={part} look={look} box={box} time={time} draw={draw} />
  }
  return draw(part, look)
}

function Layer({ style, children }: { style: React.CSSProperties; children: ReactNode }) {
  return (
    <div className="layer" style={style}>
      {children}
    </div>
  )
}

/** Two ghosts in red and blue beside the part; from time to time it tears. */
function Glitch({ part, look, box, time, draw }: Effected) {
  const cycle = 1.5
  const round = Math.floor((time + 0.9) / cycle)
  const torn = (time + 0.9) % cycle < 0.34
  const c = (k: number) => chance(`${part.id}${round}.${torn ? Math.floor(time * 10) : 0}`, k)
  const off = torn ? 0.6 + 0.9 * c(0) : 0.42
  const ghost = (ink: string, x: number) => (
    <Layer style={{ transform: `translate(${x}rem, ${torn ? (c(1) - 0.5) * 0.8 : 0}rem)`, opacity: 0.75 }}>
      {draw({ ...part, color: undefined, effect: undefined }, { ...look, ink, soft: ink, accent: ink, accentInk: ink, second: ink })}
    </Layer>
  )
  // Where it tears: a band of it stands aside.
  const from = box.y + box.h * (0.15 + 0.5 * c(2))
  const to = from + box.h * (0.12 + 0.16 * c(3))
  const band = (top: number, bottom: number, x: number, key: string) => (
    <Layer key={key} style={{ clipPath: `polygon(-50% ${top}rem, 150% ${top}rem, 150% ${bottom}rem, -50% ${bottom}rem)`, transform: `translate(${x}rem, 0)` }}>
      {draw(part, look)}
    </Layer>
  )
  return (
    <>
      {ghost('#ff2d6f', -off)}
      {ghost('#12c9ff', off)}
      {torn ? [band(-999, from, 0, 'a'), band(from, to, (c(4) - 0.5) * 7, 'b'), band(to, 999, 0, 'c')] : draw(part, look)}
    </>
  )
}

/** The colour of letter i of n, where letters differ. */
export function dyed(part: Part, look: Look, i: number, n: number): string | undefined {
  const share = n > 1 ? i / (n - 1) : 0
  const { base, accent, second } = look.colour
  if (part.effect === 'rainbow') return css(readable(oklch(look.dark ? 0.8 : 0.62, 0.17, 25 + 300 * share), base, 3))
  if (part.effect === 'gradient') return css(readable(between(accent, second, share), base, 3))
  return undefined
}

/** A colour on the shorter way from one to another. */
function between(a: Colour, b: Colour, t: number): Colour {
  const turn = ((b.h - a.h + 540) % 360) - 180
  const [from, way] = a.c < 0.02 ? [b.h, 0] : b.c < 0.02 ? [a.h, 0] : [a.h, turn]
  return oklch(a.l + (b.l - a.l) * t, a.c + (b.c - a.c) * t, from + way * t)
}
