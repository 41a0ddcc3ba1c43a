import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { type Body, stage } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { type Layout } from './layout'
import { style, useLook } from './look'

const count = { playful: 10, smooth: 0, cinematic: 18 }[style]

/** A number from 0 to 1 that is the same for the same speck of the same cloud. */
function chance(cloud: number, speck: number, what: number): number {
  const v = Math.sin(cloud * 127.1 + speck * 311.7 + what * 74.7) * 43758.5453
  return v - Math.floor(v)
}

/** What a touch of the floor throws up: puffs, a ripple, or sparks in the light. */
export function Dust({ layout, body: of, nth }: { layout: Layout; body: Body; nth: number }) {
  const specks = useRef<(SVGCircleElement | null)[]>([])
  const ripple = useRef<SVGEllipseElement>(null)
  const group = useRef<SVGGElement>(null)
  const { floor, radius } = layout
  const every = useLook()
  const look = { ...every, ball: every.balls[nth]! }
  const colour = {
    playful: css(tone(look.base, look.dark ? 0.75 : 0.97, 0.5)),
    smooth: css(tone(look.ball, look.dark ? 0.8 : 0.62, 0.7)),
    cinematic: css(tone(look.accent, 0.9, 0.5)),
  }[style]

  useSheetValues(of.dust, ({ age, power, number, across }) => {
    const x = layout.x + across * layout.side
    const on = age < 1 && power > 0.3
    group.current!.style.display = on ? '' : 'none'
    if (!on) return
    const out = 1 - (1 - age) ** 3
    if (ripple.current) {
      const r = radius * (0.9 + (style === 'smooth' ? 2.3 : 1.5) * out * power)
      ripple.current.setAttribute('cx', String(x))
      ripple.current.setAttribute('rx', String(r))
      ripple.current.setAttribute('ry', String(r * 0.17))
      ripple.current.style.strokeOpacity = String((style === 'smooth' ? 0.55 : 0.7) * power * (1 - age) ** 1.6)
      ripple.current.style.strokeWidth = String(radius * (style === 'smooth' ? 0.028 : 0.07) * (1 - 0.6 * age))
    }
    for (const [i, node] of specks.current.entries()) {
      if (!node) continue
      const side = i % 2 === 0 ? -1 : 1
      const far = 0.35 + 0.65 * chance(number + 31 * nth, i, 1)
      const lift = chance(number + 31 * nth, i, 2)
      const reach = radius * (0.75 + (style === 'playful' ? 1.35 : 2.2) * far * out * power)
      const rise = radius * power * (style === 'playful' ? 0.16 + 0.5 * lift : 0.5 + 1.5 * lift)
      node.setAttribute('cx', String(x + side * reach))
      node.setAttribute('cy', String(floor - rise * 4 * (age * 0.72) * (1 - age * 0.72)))
      const r = style === 'playful' ? radius * (0.1 + 0.17 * (1.1 - far) + 0.05 * lift) * power * Math.sin(Math.PI * Math.min(1, 0.35 + 0.65 * age))  : radius * (0.012 + 0.016 * lift) * (1 - age)
      node.setAttribute('r', String(r))
      node.style.opacity = String(style === 'playful' ? Math.min(1, 3 * (1 - age)) : 0.9 * (1 - age))
    }
  })
  useSheetValues(stage, ({ light }) => {
    group.current!.style.opacity = String(light)
  })

  return (
    <g ref={group} fill={colour}>
      {style !== 'cinematic' && <ellipse ref={ripple} cx={layout.x} cy={floor} fill="none" stroke={colour} />}
      {Array.from({ length: count }, (_, i) => (
        <circle key={i} ref={(node) => void (specks.current[i] = node)} />
      ))}
    </g>
  )
}
