import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { type Layout } from './layout'
import { look, style } from './look'

/** What lies behind the words. Nothing in it moves, so it is painted once. */
export function Backdrop({ layout: { width: w, height: h } }: { layout: Layout }) {
  const { base } = look
  const l = base.l
  const to = (k: number, chroma = 1, turn = 0) => css(tone(base, Math.min(l * k, 0.995), chroma, turn))
  const r = Math.min(w, h)
  return (
    <svg viewBox={`0 0 ${w} ${h}`} preserveAspectRatio="none" className="layer" style={{ transform: 'translateZ(0)' }}>
      {style === 'playful' && (
        <>
          <rect width={w} height={h} fill={css(base)} />
          <circle cx={w * 0.08} cy={h * 0.98} r={r * 0.52} fill={to(look.dark ? 1.13 : 0.94, 1, 8)} />
          <circle cx={w * 0.95} cy={h * 0.06} r={r * 0.44} fill={to(look.dark ? 0.86 : 1.05, 1, -8)} />
        </>
      )}
      {style === 'smooth' && (
        <>
          <defs>
            <radialGradient id="wall" gradientUnits="userSpaceOnUse" cx={w / 2} cy={h * 0.36} r={Math.max(w, h) * 0.72}>
              <stop offset="0" stopColor={to(look.dark ? 1.18 : 1.03, 0.9)} />
              <stop offset="0.6" stopColor={css(base)} />
              <stop offset="1" stopColor={to(look.dark ? 0.8 : 0.95, 1.25)} />
            </radialGradient>
          </defs>
          <rect width={w} height={h} fill="url(#wall)" />
        </>
      )}
      {style === 'cinematic' && (
        <>
          <defs>
            <radialGradient id="wall" gradientUnits="userSpaceOnUse" cx={w / 2} cy={h * 0.5} r={Math.max(w, h) * 0.6}>
              <stop offset="0" stopColor={to(look.dark ? 1.75 : 1.02, 1.2)} />
              <stop offset="0.5" stopColor={css(base)} />
              <stop offset="1" stopColor={to(0.4, 0.8)} />
            </radialGradient>
            <radialGradient id="haze">
              <stop offset="0" stopColor={css(tone(look.accent, 0.85))} stopOpacity={look.dark ? 0.13 : 0.2} />
              <stop offset="1" stopColor={css(tone(look.accent, 0.85))} stopOpacity="0" />
            </radialGradient>
          </defs>
          <rect width={w} height={h} fill="url(#wall)" />
          <ellipse cx={w / 2} cy={h * 0.52} rx={w * 0.52} ry={h * 0.2} fill="url(#haze)" />
        </>
      )}
    </svg>
  )
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
