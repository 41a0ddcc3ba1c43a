import { chance } from './chance'
import { css, oklch, tone } from './colour'
import type { Size } from './layout'
import type { Look } from './look'
import { swing } from './motion'
import { blend, type RGB, rgb, type Shading, soft } from './paint'

/** Backdrops that are a thing or a place: a film, a board, a sheet, a circle that breathes. */
export interface Ground {
  look: Look
  size: Size
  /** Seconds of the scene. */
  time: number
  /** The scene's id: no two scenes are strewn alike. */
  seed: string
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i)

/** Pictures of an old film follow each other so often in a second. */
const rate = 12

/** What lies over the pictures of an old film: scratches, hairs and specks, and a little less light now and then. */
export function Film({ size: { w, h }, time, seed }: Pick<Ground, 'size' | 'time' | 'seed'>) {
  const shot = Math.floor(time * rate)
  const c = (i: number) => chance(`${seed}${shot}`, i)
  // A scratch stays for a while and wanders.
  const long = (k: number) => ({ on: chance(`${seed}s${k}`, Math.floor(time / 0.7 + k * 0.37)) < 0.45, x: (chance(`${seed}x${k}`, Math.floor(time / 0.7 + k * 0.37)) + (c(90 + k) - 0.5) * 0.006) * w })
  return (
    <>
      <rect width={w} height={h} fill="#000" opacity={0.05 * c(0)} />
      {range(3).map((k) => long(k).on && <path key={k} d={`M${long(k).x} 0V${h}`} stroke="#fff4d8" strokeWidth={0.1 + 0.1 * c(k + 4)} opacity={0.12 + 0.16 * c(k + 8)} />)}
      {range(70).map((i) => (
        <circle key={i} cx={c(100 + i) * w} cy={c(200 + i) * h} r={0.05 + 0.16 * c(300 + i) ** 3} fill={i % 3 === 0 ? '#000' : '#fff4d8'} opacity={0.2 + 0.3 * c(400 + i)} />
      ))}
      {c(20) < 0.35 && <path d={`M${c(21) * w} ${c(22) * h}q${4 * (c(23) - 0.5)} ${3 * c(24)} ${5 * (c(25) - 0.5)} ${5 * (c(26) - 0.5)}`} stroke="#fff4d8" strokeWidth="0.16" fill="none" opacity="0.5" />}
    </>
  )
}

/** A picture thrown on a wall: light in the middle, dark corners. */
export function thrown({ w, h }: Size, look: Look): Shading {
  const { base } = look.colour
  const [middle, edge] = [rgb(tone(base, base.l + (look.dark ? 0.05 : 0.01))), rgb(tone(base, base.l * (look.dark ? 0.3 : 0.7)))]
  return (x, y) => blend(middle, edge, soft(0.35, 1.08, Math.hypot((x - w / 2) / (w * 0.56), (y - h / 2) / (h * 0.6)) * 0.86))
}

/** A board in its frame, with what a sponge left of the lessons before. */
export function Board({ look, size: { w, h }, seed }: Ground) {
  const c = (i: number) => chance(seed, i)
  const short = Math.min(w, h)
  const edge = short * 0.022
  const frame = look.dark ? '#8b5e3a' : '#c3c8ce'
  const lit = look.dark ? '#a97749' : '#dfe3e7'
  return (
    <>
      <g fill="none" stroke={look.ink} strokeLinecap="round">
        {range(9).map((i) => {
          const [x, y, turn] = [c(i * 5) * w, (0.1 + 0.8 * c(i * 5 + 1)) * h, (c(i * 5 + 2) - 0.5) * 26]
          return <path key={i} transform={`translate(${x} ${y}) rotate(${turn})`} d={`M${-w * 0.16} 0q${w * 0.16} ${-short * 0.07} ${w * 0.34} ${short * 0.02}`} strokeWidth={short * (0.05 + 0.08 * c(i * 5 + 3))} opacity={look.dark ? 0.022 : 0.012} />
        })}
      </g>
      <path d={`M0 0H${w}V${h}H0ZM${edge} ${edge}V${h - edge}H${w - edge}V${edge}Z`} fill={frame} />
      <path d={`M${edge} ${edge}H${w - edge}V${h - edge}H${edge}Z`} fill="none" stroke={lit} strokeWidth={edge * 0.16} />
      <g transform={`translate(${w * 0.5} ${h - edge})`}>
        <rect x={-short * 0.2} y={-edge * 0.1} width={short * 0.4} height={edge * 0.5} fill={lit} />
        {[look.ink, look.accent, look.second].map((fill, i) => (
          <rect key={i} x={short * (-0.15 + 0.095 * i)} y={-edge * 0.5} width={short * 0.055} height={edge * 0.42} rx={edge * 0.2} fill={fill} />
        ))}
      </g>
    </>
  )
}

/** A sheet of paper with its fibres, and the folds of a letter that has been read. */
export function Sheet({ look, size: { w, h }, seed }: Ground) {
  const c = (i: number) => chance(seed, i)
  const dark = css(look.colour.ink, 0.1)
  const light = look.dark ? 'rgb(255 255 255 / 0.08)' : 'rgb(255 255 255 / 0.75)'
  return (
    <>
      <g fill="none" strokeLinecap="round">
        {range(170).map((i) => (
          <path key={i} transform={`translate(${c(i * 4) * w} ${c(i * 4 + 1) * h}) rotate(${c(i * 4 + 2) * 360})`} d={`M0 0q${0.5 + c(i * 4 + 3)} ${0.7 * c(i * 4 + 3)} ${1 + 2 * c(i * 4 + 3)} 0`} stroke={i % 2 ? dark : light} strokeWidth="0.12" />
        ))}
      </g>
      {[1 / 3, 2 / 3].map((y, i) => (
        <g key={i}>
          <path d={`M0 ${h * y}Q${w * 0.5} ${h * y + 0.5 * (c(900 + i) - 0.5)} ${w} ${h * y}`} stroke={dark} strokeWidth="0.3" fill="none" opacity="0.75" />
          <path d={`M0 ${h * y + 0.3}Q${w * 0.5} ${h * y + 0.3 + 0.5 * (c(900 + i) - 0.5)} ${w} ${h * y + 0.3}`} stroke={light} strokeWidth="0.3" fill="none" />
        </g>
      ))}
    </>
  )
}

/** A page of an exercise book: lines, and a margin. */
export function Lined({ look, size: { w, h } }: Ground) {
  const step = 6.4
  const edge = Math.max(Math.min(w, h) * 0.08, 6)
  return (
    <>
      <path d={range(Math.ceil(h / step) - 1).map((i) => `M0 ${(i + 1.6) * step}H${w}`).join('')} stroke={css(oklch(look.dark ? 0.75 : 0.72, 0.07, 245), 0.42)} strokeWidth="0.16" />
      <path d={`M${edge} 0V${h}`} stroke={css(oklch(0.65, 0.17, 20), 0.6)} strokeWidth="0.24" />
    </>
  )
}

/** A circle that breathes: four seconds in, four seconds out. */
export function Breath({ look, size: { w, h }, time }: Ground) {
  const short = Math.min(w, h)
  // At the ends it rests a little.
  const way = swing(time, 8, -0.25)
  const full = 0.5 + 0.5 * Math.sin((Math.PI / 2) * way)
  const r = short * (0.25 + 0.21 * full)
  return (
    <g transform={`translate(${w / 2} ${h / 2})`}>
      {[1.3, 1.15].map((k, i) => (
        <circle key={i} r={r * (1 + (k - 1) * (0.3 + full))} fill={look.accent} opacity={0.07} />
      ))}
      <circle r={r} fill={css(look.tints[0])} />
      <circle r={r} fill="none" stroke={look.accent} strokeWidth="0.5" opacity="0.8" />
    </g>
  )
}

/** From the ground to a neighbour of it, as light or dark, so that texts can be read on both. */
export function sliding({ w, h }: Size, look: Look): Shading {
  const { base, accent } = look.colour
  const own = base.c < 0.04 ? { ...base, l: look.dark ? Math.max(base.l, 0.3) : Math.min(base.l, 0.91), c: Math.min(accent.c * 0.8, 0.1), h: accent.h } : base
  if (look.to) return across({ w, h }, rgb(base), rgb(look.to))
  return across({ w, h }, rgb(tone(own, own.l, 1, -34)), rgb(tone(own, own.l * (look.dark ? 1.12 : 0.97), 1.2, 44)))
}

const across = ({ w, h }: Size, from: RGB, to: RGB): Shading => (x, y) => blend(from, to, soft(0, 1, (x / w) * 0.55 + (y / h) * 0.45))
