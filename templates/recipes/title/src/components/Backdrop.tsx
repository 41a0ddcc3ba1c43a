import { useMemo, useRef } from 'react'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { blend, rgb, type Shading, soft, Surface } from '../utils/paint'
import { type Layout } from './layout'
import { type Look, style, useLook } from './look'

const toned = ({ base }: Look) => (k: number, chroma = 1, turn = 0) => tone(base, Math.min(base.l * k, 0.995), chroma, turn)

/** What lies behind the words. Nothing in it moves, so it is painted once for each look. */
export function Backdrop({ layout: { width: w, height: h } }: { layout: Layout }) {
  const look = useLook()
  const shading = useMemo(() => (style === 'smooth' ? paper(w, h, look) : hall(w, h, look)), [w, h, look])
  if (style !== 'playful') return <Surface width={w} height={h} shading={shading} />
  const r = Math.min(w, h)
  const to = toned(look)
  return (
    <svg viewBox={`0 0 ${w} ${h}`} preserveAspectRatio="none" className="layer" style={{ transform: 'translateZ(0)' }}>
      <rect width={w} height={h} fill={css(look.base)} />
      <circle cx={w * 0.08} cy={h * 0.98} r={r * 0.52} fill={css(to(look.dark ? 1.13 : 0.94, 1, 8))} />
      <circle cx={w * 0.95} cy={h * 0.06} r={r * 0.44} fill={css(to(look.dark ? 0.86 : 1.05, 1, -8))} />
    </svg>
  )
}

/** Smooth: a sheet under even light, a little darker to its corners. */
function paper(w: number, h: number, look: Look): Shading {
  const to = toned(look)
  const middle = rgb(to(look.dark ? 1.18 : 1.03, 0.9))
  const plain = rgb(look.base)
  const edge = rgb(to(look.dark ? 0.8 : 0.95, 1.25))
  const reach = Math.max(w, h) * 0.72
  return (x, y) => {
    const r = Math.hypot(x - w / 2, y - h * 0.36) / reach
    return r < 0.55 ? blend(middle, plain, soft(0, 0.55, r)) : blend(plain, edge, soft(0.55, 1.05, r))
  }
}

/** Cinematic: darkness with a haze of light behind the words. */
function hall(w: number, h: number, look: Look): Shading {
  const to = toned(look)
  const middle = rgb(to(look.dark ? 1.75 : 1.02, 1.2))
  const plain = rgb(look.base)
  const edge = rgb(to(0.4, 0.8))
  const haze = rgb(tone(look.accent, 0.85))
  const reach = Math.max(w, h) * 0.6
  return (x, y) => {
    const r = Math.hypot(x - w / 2, y - h / 2) / reach
    const wall = r < 0.5 ? blend(middle, plain, soft(0, 0.5, r)) : blend(plain, edge, soft(0.5, 1.05, r))
    const d = Math.hypot((x - w / 2) / (w * 0.52), (y - h * 0.52) / (h * 0.2))
    return blend(wall, haze, (look.dark ? 0.12 : 0.2) * (1 - soft(0, 1, d)))
  }
}

/** The light coming up and going down. */
export function Darkness() {
  const node = useRef<HTMLDivElement>(null)
  useSheetValues(stage, ({ light }) => {
    node.current!.style.opacity = String(1 - light)
    node.current!.style.display = light < 1 ? '' : 'none'
  })
  return <div ref={node} className="layer" style={{ background: '#000' }} />
}
