import { useMemo, useRef } from 'react'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'
import { css, oklch, tone } from '../utils/colour'
import { blend, lit, rgb, type Shading, soft, Surface } from '../utils/paint'
import { type Layout } from './layout'
import { type Look, style, useLook } from './look'

/** Wall and floor. Nothing in it moves, so it is painted once for each look. */
export function Backdrop({ layout }: { layout: Layout }) {
  const { width, height } = layout
  const look = useLook()
  const shading = useMemo(() => (style === 'smooth' ? room(layout, look) : stageLight(layout, look)), [layout, look])
  if (style !== 'playful') return <Surface width={width} height={height} shading={shading} />
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="layer" style={{ transform: 'translateZ(0)' }}>
      <Field layout={layout} look={look} />
    </svg>
  )
}

/** Playful: flat colour, a big sun behind the ball, shapes to the sides. */
function Field({ layout: { width: w, height: h, x, floor, radius }, look }: { layout: Layout; look: Look }) {
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
function room({ width: w, height: h, x, floor }: Layout, { base, dark }: Look): Shading {
  const l = base.l
  const ceiling = rgb(tone(base, l * 0.955))
  const low = rgb(tone(base, Math.min(l * 1.03, 0.985), 0.8))
  const near = rgb(tone(base, l * 0.885, 1.6))
  const far = rgb(tone(base, l * 0.945, 1.3))
  const white: [number, number, number] = [255, 255, 255]
  const wide = Math.min(w * 0.36, 620)
  return (px, py) => {
    const wall = blend(ceiling, low, soft(0, floor - 40, py))
    const ground = blend(far, near, soft(floor - 60, h, py))
    const under = blend(wall, ground, soft(floor - 95, floor - 15, py))
    const glow = Math.max(0, 1 - Math.hypot((px - x) / wide, (py - floor) / 80))
    return blend(under, white, (dark ? 0.12 : 0.7) * glow * glow)
  }
}

/** Cinematic: a dark stage, one lamp above, its pool of light on a polished floor. */
function stageLight({ width: w, height: h, x, floor, radius }: Layout, { base, ball }: Look): Shading {
  const l = Math.min(base.l, 0.56)
  const bright = rgb(tone(base, l * 1.5, 1.15))
  const middle = rgb(tone(base, l * 0.8))
  const dark = rgb(tone(base, l * 0.3, 0.7))
  const far = rgb(tone(base, l * 0.62))
  const near = rgb(tone(base, l * 0.26))
  const lamp = rgb(oklch(0.96, 0.035, ball.c > 0.03 ? ball.h : 80))
  const pool = rgb(oklch(0.88, 0.06, ball.c > 0.03 ? ball.h : 80))
  const reach = Math.max(w, h) * 0.62
  const wide = Math.max(radius, 70) * 4.2
  const throwFrom = -0.22 * h
  return (px, py) => {
    const r = Math.hypot(px - x, py - (floor - 0.3 * h)) / reach
    let c = r < 0.5 ? blend(bright, middle, soft(0, 0.5, r)) : blend(middle, dark, soft(0.5, 1.05, r))
    const ground = blend(blend(far, near, soft(floor - 60, h, py)), dark, soft(0.3, 1, Math.abs(px - x) / w))
    c = blend(c, ground, soft(floor - 78, floor - 40, py))
    if (py < floor + 40) {
      const half = ((py - throwFrom) / (floor - throwFrom)) * wide * 0.92
      const across = Math.abs(px - x) / half
      const beam = (1 - soft(0.04, 1, across)) * (0.34 - 0.24 * soft(0, floor, py)) * (1 - soft(floor - 60, floor + 10, py))
      c = lit(c, lamp, beam)
    }
    const d = Math.hypot((px - x) / wide, (py - floor) / (wide * 0.185))
    return lit(c, pool, 0.56 * (1 - soft(0, 1.12, d)))
  }
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
