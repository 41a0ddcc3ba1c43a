import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { type Body, stage } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { deformed } from './Ball'
import { type Layout } from './layout'
import { style, useLook } from './look'

const strength = { playful: 0.62, smooth: 0.5, cinematic: 0.95 }[style]
/** The light of the playful style comes from the left: shadows move right with height. */
const slant = style === 'playful' ? 0.3 : 0

/**
 * What the ball takes from the light on the floor: a core where it touches, gone
 * as soon as it lifts, and a wide part that grows and fades with height.
 */
export function Shadow({ layout, body: of, nth }: { layout: Layout; body: Body; nth: number }) {
  const wide = useRef<SVGEllipseElement>(null)
  const core = useRef<SVGEllipseElement>(null)
  const group = useRef<SVGGElement>(null)
  const { floor, radius, travel } = layout
  const { base } = useLook()
  const tint = css(tone(base, style === 'cinematic' ? 0.04 : Math.min(base.l * 0.42, 0.4), style === 'smooth' ? 2.2 : 0.9))

  useSheetValues(of.ball, (v) => {
    const [width] = deformed(v.speed, v.squash, travel)
    const r = radius * Math.max(v.scale, 0)
    const x = layout.x + v.across * layout.side
    const up = (v.height * travel) / (3.4 * radius)
    const far = Math.min(up, 2.4)
    set(wide.current!, x + slant * up * radius, floor, r * width * (1.22 + 0.34 * far), (strength * v.opacity) / (1 + 2.1 * up))
    set(core.current!, x, floor, r * width * 0.78, strength * v.opacity * Math.exp(-7 * up))
  })
  useSheetValues(stage, ({ light, shadow }) => {
    group.current!.style.opacity = String(light * shadow)
  })

  return (
    <g ref={group}>
      <defs>
        <radialGradient id={`shadow${nth}`}>
          <stop offset="0" stopColor={tint} stopOpacity="1" />
          <stop offset="0.35" stopColor={tint} stopOpacity="0.72" />
          <stop offset="0.7" stopColor={tint} stopOpacity="0.2" />
          <stop offset="1" stopColor={tint} stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse ref={wide} fill={`url(#shadow${nth})`} />
      <ellipse ref={core} fill={`url(#shadow${nth})`} />
    </g>
  )
}

function set(node: SVGEllipseElement, x: number, y: number, rx: number, opacity: number): void {
  node.setAttribute('cx', String(x))
  node.setAttribute('cy', String(y))
  node.setAttribute('rx', String(Math.max(rx, 0)))
  node.setAttribute('ry', String(Math.max(rx * 0.17, 0)))
  node.style.opacity = String(Math.max(opacity, 0))
}
