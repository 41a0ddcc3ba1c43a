import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { type Body, stage } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { type Layout } from './layout'
import { type Look, softness, style, useLook } from './look'
import { type Outline, outlines } from './outlines'

/** Width and height of the body, as factors: what it loses in one it gains in the other. */
export function deformed(speed: number, squash: number, travel: number): [number, number] {
  const force = Math.min(Math.max(Math.sqrt(travel / 380), 0.45), 1.2)
  const stretch = 0.4 * softness * force * speed * speed * (style === 'cinematic' ? 0.7 : 1)
  const along = Math.exp(stretch - softness * force * squash)
  return [1 / along, along]
}

/** The ball. Its lowest point is `height` above the floor, however it is deformed. */
export function Ball({ layout, body: of, nth }: { layout: Layout; body: Body; nth: number }) {
  const node = useRef<SVGGElement>(null)
  const mirror = useRef<SVGGElement>(null)
  const polish = useRef<SVGGElement>(null)
  const turned = useRef<SVGGElement>(null)
  const lit = useRef<SVGRadialGradientElement>(null)
  const { floor, radius, travel } = layout
  const every = useLook()
  const look = { ...every, ball: every.balls[nth]! }
  const outline = outlines[look.shape] ?? outlines.ball!
  const body = bodyOf(look.ball)
  // Light the floor throws back: the room's, on a stage the lamp's in the ball's own colour.
  const reflected = style === 'cinematic' ? css(tone(look.ball, 0.62, 0.85)) : css(tone(look.base, 0.86, 1.3))

  useSheetValues(of.ball, (v) => {
    const [wide, high] = deformed(v.speed, v.squash, travel)
    const r = radius * Math.max(v.scale, 0)
    const x = layout.x + v.across * layout.side
    const y = floor - v.height * travel - r * high
    node.current!.setAttribute('transform', `translate(${x} ${y}) scale(${r * wide} ${r * high})`)
    node.current!.style.opacity = String(v.opacity)
    node.current!.style.display = r > 0 && v.opacity > 0 ? '' : 'none'
    const angle = (v.turn * outline.symmetry) % 360
    turned.current!.setAttribute('transform', `rotate(${angle})`)
    lit.current!.setAttribute('gradientTransform', `rotate(${-angle})`)
    if (mirror.current) {
      mirror.current.setAttribute('transform', `translate(${x} ${2 * floor - y}) scale(${r * wide} ${-r * high})`)
      mirror.current.style.opacity = String(0.6 * Math.max(0, 1 - (0.9 * v.height * travel) / (3 * radius)))
    }
  })
  useSheetValues(stage, ({ light }) => {
    // In the dark only the edges are left.
    if (style !== 'cinematic') return
    node.current!.style.filter = light < 1 ? `brightness(${light})` : ''
    polish.current!.style.opacity = String(light)
  })

  return (
    <>
      <defs>
        <radialGradient id={`ball-body${nth}`} ref={lit} gradientUnits="userSpaceOnUse" {...body.at}>
          {body.stops.map(([offset, colour]) => (
            <stop key={offset} offset={offset} stopColor={colour} />
          ))}
        </radialGradient>
        <radialGradient id={`ball-glint${nth}`}>
          <stop offset="0" stopColor="#fff" stopOpacity={style === 'smooth' ? 0.5 : 0.95} />
          <stop offset={style === 'playful' ? 0.55 : 0.2} stopColor="#fff" stopOpacity={style === 'smooth' ? 0.22 : 0.7} />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`ball-bounce${nth}`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0.6" stopColor={reflected} stopOpacity="0" />
          <stop offset="1" stopColor={reflected} stopOpacity={style === 'cinematic' ? 0.5 : 0.3} />
        </linearGradient>
        <linearGradient id={`ball-mirrored${nth}`} x1="0" y1="1" x2="0" y2="0">
          <stop offset="0" stopColor={css(tone(look.ball, look.ball.l * 0.8))} stopOpacity="0.75" />
          <stop offset="0.5" stopColor={css(tone(look.ball, look.ball.l * 0.5))} stopOpacity="0.3" />
          <stop offset="0.9" stopColor={css(tone(look.ball, look.ball.l * 0.4))} stopOpacity="0" />
        </linearGradient>
      </defs>
      {style === 'cinematic' && (
        <g ref={polish}>
          <g ref={mirror}>
            <path d={outline.path} fill={`url(#ball-mirrored${nth})`} />
          </g>
        </g>
      )}
      <g ref={node}>
        <g ref={turned}>
          <path d={outline.path} fill={`url(#ball-body${nth})`} />
        </g>
        {outline.symmetry === 0 && <path d={outline.path} fill={`url(#ball-bounce${nth})`} />}
        <Glint at={outline.glint} nth={nth} />
      </g>
    </>
  )
}

function Glint({ at: [cx, cy, k], nth }: { at: Outline['glint']; nth: number }) {
  if (style === 'playful')
    return (
      <g transform={`translate(${cx} ${cy}) rotate(-38) scale(${k})`}>
        <ellipse rx="0.3" ry="0.17" fill={`url(#ball-glint${nth})`} />
        <circle cx="-0.42" cy="0.1" r="0.07" fill="#fff" fillOpacity="0.75" />
      </g>
    )
  return <ellipse cx={cx} cy={cy} rx={0.44 * k} ry={0.32 * k} fill={`url(#ball-glint${nth})`} transform={`rotate(-30 ${cx} ${cy})`} />
}

/** The shading of a body of radius 1 under the light of the style. */
function bodyOf(c: Look['ball']) {
  const lighter = (d: number, chroma = 1, turn = 0) => css(tone(c, Math.min(c.l + d * (1 - c.l) * 2, 0.985), chroma, turn))
  const darker = (k: number, chroma = 1, turn = 0) => css(tone(c, c.l * k, chroma, turn))
  switch (style) {
    case 'playful':
      return {
        at: { cx: -0.3, cy: -0.36, r: 1.5, fx: -0.36, fy: -0.44 },
        stops: [
          [0, lighter(0.22, 0.9, 6)],
          [0.3, css(c)],
          [0.62, css(c)],
          [0.86, darker(0.84, 1, -8)],
          [1, darker(0.72, 0.95, -12)],
        ] as [number, string][],
      }
    case 'smooth':
      return {
        at: { cx: -0.28, cy: -0.42, r: 1.62, fx: -0.32, fy: -0.5 },
        stops: [
          [0, lighter(0.26, 0.75)],
          [0.38, lighter(0.04)],
          [0.7, darker(0.86)],
          [1, darker(0.66, 0.9)],
        ] as [number, string][],
      }
    default:
      return {
        at: { cx: -0.04, cy: -0.62, r: 1.72, fx: -0.06, fy: -0.72 },
        stops: [
          [0, lighter(0.3, 0.8, 8)],
          [0.28, lighter(0.02)],
          [0.6, darker(0.62, 1, -6)],
          [0.84, darker(0.28, 0.8, -12)],
          [1, darker(0.36, 0.8, -16)],
        ] as [number, string][],
      }
  }
}
