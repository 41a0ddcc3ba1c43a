import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { accent } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { clamp, easeInBack, easeOutBack } from '../utils/easing'
import { type Layout } from './layout'
import { style, useLook } from './look'

/** What underlines the words: a squiggle, a bar, a hairline. */
export function Accent({ layout }: { layout: Layout }) {
  return style === 'playful' ? <Squiggle layout={layout} /> : <Rule layout={layout} />
}

function Rule({ layout }: { layout: Layout }) {
  const node = useRef<SVGRectElement>(null)
  const { x, y, width } = layout.rule
  const look = useLook()
  const thick = style === 'smooth' ? 7 : 2.2
  useSheetValues(accent, ({ draw, exit }) => {
    const length = width * draw * (1 - exit)
    // A bar grows from its middle and leaves to it.
    node.current!.setAttribute('x', String(x + (width - length) / 2))
    node.current!.setAttribute('width', String(length))
  })
  return <rect ref={node} y={y - thick / 2} height={thick} rx={thick / 2} fill={css(look.accent)} />
}

function Squiggle({ layout }: { layout: Layout }) {
  const node = useRef<SVGPathElement>(null)
  const shapes = useRef<(SVGGElement | null)[]>([])
  const { x, y, width } = layout.rule
  const look = useLook()
  const n = Math.max(3, Math.round(width / 74))
  const step = width / n / 2
  const path = `M${x} ${y}` + Array.from({ length: 2 * n }, (_, i) => `q${step / 2} ${i % 2 === 0 ? -step * 0.62 : step * 0.62} ${step} 0`).join('')
  useSheetValues(accent, ({ draw, exit }) => {
    const seen = draw * (1 - exit)
    node.current!.style.display = seen > 0 ? '' : 'none'
    // Drawn from the left, wiped to the right.
    node.current!.setAttribute('stroke-dasharray', `${exit > 0 ? 1 - exit : draw} 2`)
    node.current!.setAttribute('stroke-dashoffset', String(-exit))
    for (const [i, shape] of shapes.current.entries()) {
      if (!shape) continue
      const turn = i / shapes.current.length
      const k = easeOutBack(clamp((draw - 0.5 * turn) / 0.5)) * (1 - easeInBack(clamp((exit - 0.4 * turn) / 0.6)))
      shape.setAttribute('transform', `scale(${Math.max(k, 0)}) rotate(${(1 - k) * 60})`)
    }
  })
  const [one, two, three] = [look.accent, tone(look.base, look.dark ? 0.8 : 0.42, 0.8, 60), look.ink].map((c) => css(c)) as [string, string, string]
  return (
    <>
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        {places(layout).map(([px, py], i) => (
          <g key={i} transform={`translate(${px} ${py})`}>
            <g ref={(s) => void (shapes.current[i] = s)}>{figures(one, two, three)[i]}</g>
          </g>
        ))}
      </g>
      <path ref={node} d={path} pathLength="1" fill="none" stroke={one} strokeWidth={Math.min(22, step * 0.42)} strokeLinecap="round" />
    </>
  )
}

/** Around the words, never behind them. */
function places({ width: w, height: h, portrait, title, subtitle }: Layout): [number, number][] {
  const top = title.top
  const low = h - (subtitle?.bottom ?? title.bottom)
  const up = Math.max(top * 0.52, 60)
  const down = h - Math.max(low * 0.46, 60)
  return portrait
    ? [[w * 0.16, up * 0.7], [w * 0.5, up * 1.1], [w * 0.85, up * 0.6], [w * 0.84, down], [w * 0.46, down + (h - down) * 0.4], [w * 0.14, down - (h - down) * 0.2]]
    : [[w * 0.1, up], [w * 0.37, up * 0.55], [w * 0.86, up * 0.95], [w * 0.93, down * 0.97], [w * 0.62, down + (h - down) * 0.42], [w * 0.13, down]]
}

const figures = (one: string, two: string, three: string) => [
  <circle r="38" stroke={one} strokeWidth="15" />,
  <path d="M-28 24L0 -26L28 24Z" fill={two} stroke={two} strokeWidth="10" transform="rotate(18)" />,
  <path d="M-30 0H30M0 -30V30" stroke={three} strokeWidth="16" transform="rotate(24)" />,
  <rect x="-28" y="-28" width="56" height="56" rx="10" stroke={two} strokeWidth="14" transform="rotate(16)" />,
  <circle r="19" fill={one} />,
  <path d="M-60 0q15 -30 30 0t30 0t30 0t30 0" stroke={three} strokeWidth="14" transform="rotate(-12)" />,
]
