import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'
import { css, oklch, tone } from '../utils/colour'
import { type Layout } from './layout'
import { look, style } from './look'

/** Wall and floor. Nothing in it moves, so it is painted once. */
export function Backdrop({ layout }: { layout: Layout }) {
  const Wall = { playful: Field, smooth: Room, cinematic: Theatre }[style]
  return (
    <svg viewBox={`0 0 ${layout.width} ${layout.height}`} preserveAspectRatio="none" className="layer" style={{ transform: 'translateZ(0)' }}>
      <Wall {...layout} />
    </svg>
  )
}

/** Playful: flat colour, a big sun behind the ball, shapes to the sides. */
function Field({ width: w, height: h, x, floor, radius }: Layout) {
  const { base, ball } = look
  const l = base.l
  const sun = css(tone(base, look.dark ? l + 0.09 : l + (1 - l) * 0.42, 0.9))
  const ring = css(tone(base, look.dark ? l + 0.05 : l + (1 - l) * 0.2, 0.95))
  const ground = css(tone(base, look.dark ? l * 0.72 : l * 0.885, 1.04, -10))
  const edge = css(tone(base, look.dark ? l * 0.86 : l * 0.94, 1, -6))
  const one = css(tone(ball, Math.max(ball.l, 0.62), 0.8))
  const two = look.dark ? css(tone(base, 0.9, 0.5)) : '#fff'
  const three = css(tone(base, look.dark ? 0.62 : 0.52, 1.2, 150))
  const r = Math.min(w, h) * 0.41
  const cy = floor - r * 0.72
  return (
    <>
      <rect width={w} height={h} fill={css(base)} />
      <circle cx={x} cy={cy} r={r * 1.24} fill={ring} />
      <circle cx={x} cy={cy} r={r} fill={sun} />
      <Confetti w={w} h={h} colours={[one, two, three]} />
      <path d={`M0 ${floor - 26}Q${x} ${floor - 78} ${w} ${floor - 26}V${h}H0Z`} fill={edge} />
      <path d={`M0 ${floor - 4}Q${x} ${floor - 56} ${w} ${floor - 4}V${h}H0Z`} fill={ground} />
      <ellipse cx={x} cy={floor + radius * 0.1} rx={radius * 3.1} ry={radius * 0.42} fill={edge} fillOpacity="0.55" />
    </>
  )
}

/** Shapes at the sides, where they do not cross the ball's way. */
function Confetti({ w, h, colours: [one, two, three] }: { w: number; h: number; colours: [string, string, string] }) {
  const wide = w > 1.2 * h
  const at = (x: number, y: number) => `translate(${x * w} ${y * h})`
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      <circle transform={at(wide ? 0.13 : 0.1, wide ? 0.24 : 0.17)} r="34" stroke={two} strokeWidth="13" />
      <path transform={`${at(wide ? 0.235 : 0.3, wide ? 0.53 : 0.09)} rotate(18)`} d="M-26 22L0 -24L26 22Z" fill={one} stroke={one} strokeWidth="10" />
      <path transform={`${at(wide ? 0.07 : 0.14, wide ? 0.6 : 0.36)} rotate(-12)`} d="M-52 0q13 -26 26 0t26 0t26 0t26 0" stroke={three} strokeWidth="12" />
      <path transform={`${at(wide ? 0.885 : 0.88, wide ? 0.22 : 0.12)} rotate(24)`} d="M-26 0H26M0 -26V26" stroke={three} strokeWidth="14" />
      <path transform={`${at(wide ? 0.775 : 0.66, wide ? 0.15 : 0.19)} rotate(-20)`} d="M-52 0q13 -26 26 0t26 0t26 0t26 0" stroke={two} strokeWidth="12" />
      <circle transform={at(wide ? 0.79 : 0.9, wide ? 0.56 : 0.33)} r="19" fill={one} />
      <rect transform={`${at(wide ? 0.935 : 0.08, wide ? 0.53 : 0.55)} rotate(16)`} x="-24" y="-24" width="48" height="48" rx="9" stroke={two} strokeWidth="12" />
      <circle transform={at(wide ? 0.3 : 0.93, wide ? 0.13 : 0.53)} r="12" fill={three} />
    </g>
  )
}

/** Smooth: a quiet room, light from above, no edge between wall and floor. */
function Room({ width: w, height: h, x, floor }: Layout) {
  const { base } = look
  const l = base.l
  return (
    <>
      <defs>
        <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={css(tone(base, l * 0.965))} />
          <stop offset="0.72" stopColor={css(tone(base, Math.min(l * 1.03, 0.985), 0.8))} />
          <stop offset="1" stopColor={css(tone(base, l * 0.985))} />
        </linearGradient>
        <linearGradient id="floor" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={css(tone(base, l * 0.93, 1.3))} stopOpacity="0" />
          <stop offset="0.22" stopColor={css(tone(base, l * 0.94, 1.3))} stopOpacity="0.75" />
          <stop offset="1" stopColor={css(tone(base, l * 0.885, 1.6))} />
        </linearGradient>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#fff" stopOpacity={look.dark ? 0.12 : 0.75} />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width={w} height={h} fill="url(#wall)" />
      <rect y={floor - 90} width={w} height={h - floor + 90} fill="url(#floor)" />
      <ellipse cx={x} cy={floor + 4} rx={Math.min(w * 0.36, 620)} ry="74" fill="url(#glow)" />
    </>
  )
}

/** Cinematic: a dark stage, one lamp above, its pool of light on a polished floor. */
function Theatre({ width: w, height: h, x, floor, radius }: Layout) {
  const { base, ball } = look
  const l = Math.min(base.l, 0.42)
  const warm = oklch(0.96, 0.035, ball.c > 0.03 ? ball.h : 80)
  const pool = radius * 3.6
  const lamp = (top: number, bottom: number) => `M${x - top} -20L${x + top} -20L${x + bottom} ${floor}A${bottom} ${bottom * 0.17} 0 0 1 ${x - bottom} ${floor}Z`
  return (
    <>
      <defs>
        <radialGradient id="wall" gradientUnits="userSpaceOnUse" cx={x} cy={floor - 0.3 * h} r={Math.max(w, h) * 0.62}>
          <stop offset="0" stopColor={css(tone(base, l * 1.5, 1.15))} />
          <stop offset="0.55" stopColor={css(tone(base, l * 0.78))} />
          <stop offset="1" stopColor={css(tone(base, l * 0.3, 0.7))} />
        </radialGradient>
        <linearGradient id="floor" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={css(tone(base, l * 0.42))} stopOpacity="0.25" />
          <stop offset="0.16" stopColor={css(tone(base, l * 0.62))} stopOpacity="0.85" />
          <stop offset="1" stopColor={css(tone(base, l * 0.26))} />
        </linearGradient>
        <linearGradient id="beam" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2={floor}>
          <stop offset="0" stopColor={css(warm)} stopOpacity="0.034" />
          <stop offset="1" stopColor={css(warm)} stopOpacity="0.008" />
        </linearGradient>
        <radialGradient id="pool">
          <stop offset="0" stopColor={css(tone(warm, 0.9, 1.6))} stopOpacity="0.62" />
          <stop offset="0.55" stopColor={css(tone(warm, 0.86, 1.6))} stopOpacity="0.26" />
          <stop offset="1" stopColor={css(tone(warm, 0.8, 1.6))} stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width={w} height={h} fill="url(#wall)" />
      <rect y={floor - 70} width={w} height={h - floor + 70} fill="url(#floor)" />
      {Array.from({ length: 14 }, (_, i) => 0.3 + 0.06 * i).map((k) => (
        <path key={k} d={lamp(40 * k, pool * k)} fill="url(#beam)" />
      ))}
      <ellipse cx={x} cy={floor} rx={pool * 1.25} ry={pool * 0.235} fill="url(#pool)" />
    </>
  )
}

/** The lamp going up and down: darkness over the wall and the floor. */
export function Darkness() {
  const node = useRef<HTMLDivElement>(null)
  useSheetValues(stage, ({ light }) => {
    node.current!.style.opacity = String(1 - light)
    node.current!.style.display = light < 1 ? '' : 'none'
  })
  return <div ref={node} className="layer" style={{ background: '#000' }} />
}
