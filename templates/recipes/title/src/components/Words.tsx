import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { headline, subtitle } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { clamp, easeInBack, easeInCubic, easeInOutQuart, easeOutBack, easeOutCubic, easeOutQuint, easeOutSine } from '../utils/easing'
import { type Block, type Glyph, type Layout } from './layout'
import { face, type Look, manner, style, useLook } from './look'

/** How a glyph stands: moved and turned about its own middle. */
interface Pose {
  x?: number
  y?: number
  turn?: number
  scale?: number
  opacity: number
}

/** The share of the whole reveal that one glyph takes; the rest is stagger. */
const own = { playful: 0.5, smooth: 0.62, cinematic: 0.66 }[manner]

/** A glyph's own progress while the whole runs from 0 to 1. */
const turnOf = (whole: number, order: number) => clamp((whole - order * (1 - own)) / own)

const chance = (i: number) => {
  const v = Math.sin(i * 127.1 + 11.7) * 43758.5453
  return v - Math.floor(v)
}

/** When a glyph's turn comes, from 0 for the first to 1 for the last. */
function order(block: Block, glyph: Glyph, i: number): number {
  const last = Math.max(block.glyphs.length - 1, 1)
  switch (manner) {
    case 'playful':
      return i / last
    case 'smooth':
      return glyph.word / Math.max(block.words - 1, 1)
    default: // from the middle of the line to its ends
      {
        const line = block.lines[glyph.line]!
        return clamp(Math.abs(glyph.x + glyph.width / 2 - (line.x + line.width / 2)) / (line.width / 2 || 1)) * 0.8 + 0.2 * chance(i)
      }
  }
}

function coming(p: number, font: number, i: number): Pose {
  switch (manner) {
    case 'playful':
      return { y: (easeOutBack(p) - 1) * font * 0.95, turn: (1 - easeOutBack(p)) * (chance(i) < 0.5 ? -26 : 26), scale: 0.3 + 0.7 * easeOutBack(p), opacity: clamp(p * 5) }
    case 'smooth':
      return { y: (1 - easeOutQuint(p)) * font * 1.15, opacity: clamp(p * 3) }
    default:
      return { scale: 1.14 - 0.14 * easeOutCubic(p), y: (1 - easeOutCubic(p)) * font * 0.06, opacity: easeInOutQuart(p) }
  }
}

function leaving(p: number, font: number, i: number): Pose {
  switch (manner) {
    case 'playful':
      return { scale: 1 - easeInBack(p), turn: easeInBack(p) * (chance(i + 50) < 0.5 ? -30 : 30), opacity: p < 1 ? 1 : 0 }
    case 'smooth':
      return { y: -easeInCubic(p) * font * 1.15, opacity: 1 - easeInCubic(p) }
    default:
      return { opacity: 1 - easeOutSine(p), scale: 1 + 0.05 * p }
  }
}

const glowOf = ({ accent }: Look) => css(style === 'cinematic' ? tone(accent, Math.max(accent.l, 0.82), 0.9) : accent)

export function Title({ layout }: { layout: Layout }) {
  const nodes = useRef<(SVGGElement | null)[]>([])
  const sparks = useRef<(SVGTextElement | null)[]>([])
  const { title, width } = layout
  const mid = width / 2
  const look = useLook()
  const ink = css(look.ink)
  const glow = glowOf(look)
  useSheetValues(headline, (v) => {
    for (const [i, g] of title.glyphs.entries()) {
      const node = nodes.current[i]
      if (!node) continue
      const when = order(title, g, i)
      const into = coming(turnOf(v.reveal, when), title.font, i)
      const out = leaving(turnOf(v.exit, when), title.font, i)
      const along = i / Math.max(title.glyphs.length - 1, 1)
      const crest = v.wave > 0 && v.wave < 1 ? Math.max(0, 1 - Math.abs(v.wave * 1.5 - 0.25 - along) / 0.22) : 0
      const lift = crest * crest * (3 - 2 * crest)
      const cx = g.x + g.width / 2
      const cy = g.y - title.font * 0.34
      const spread = (cx - mid) * v.tracking
      const up = style === 'playful' ? lift * title.font * 0.16 : 0
      const scale = (into.scale ?? 1) * Math.max(out.scale ?? 1, 0)
      const opacity = into.opacity * out.opacity
      node.style.display = opacity > 0 && scale > 0 ? '' : 'none'
      node.setAttribute(
        'transform',
        `translate(${cx + spread + (into.x ?? 0)} ${cy + (into.y ?? 0) + (out.y ?? 0) - up}) rotate(${(into.turn ?? 0) + (out.turn ?? 0)}) scale(${scale}) translate(${-cx} ${-cy})`,
      )
      node.style.opacity = String(opacity)
      const spark = sparks.current[i]
      if (spark) spark.style.opacity = String(style === 'playful' ? 0 : lift)
    }
  })

  return (
    <g {...type(title)} fontWeight={face.weight}>
      {title.lines.map((line, row) => (
        <g key={row} {...(manner === 'smooth' && { clipPath: `url(#line-${row})` })}>
          {manner === 'smooth' && ( // words rise out of their own line
            <clipPath id={`line-${row}`}>
              <rect x="0" width={width} y={line.y - title.font * 0.94} height={title.font * 1.22} />
            </clipPath>
          )}
          {title.glyphs.map((g, i) => g.line === row && glyph(g, i))}
        </g>
      ))}
    </g>
  )

  function glyph(g: Glyph, i: number) {
    const edge = look.edge && { stroke: look.edge, strokeWidth: title.font * 0.05, paintOrder: 'stroke', strokeLinejoin: 'round' as const }
    return (
      <g key={i} ref={(node) => void (nodes.current[i] = node)}>
        {style === 'playful' && (
          <text x={g.x + title.font * 0.038} y={g.y + title.font * 0.045} fill={css(tone(look.base, look.base.l * 0.62))}>
            {g.text}
          </text>
        )}
        <text x={g.x} y={g.y} fill={ink} {...edge}>
          {g.text}
        </text>
        {style !== 'playful' && (
          <text ref={(node) => void (sparks.current[i] = node)} x={g.x} y={g.y} fill={glow}>
            {g.text}
          </text>
        )}
      </g>
    )
  }
}

export function Subtitle({ layout }: { layout: Layout }) {
  const node = useRef<SVGGElement>(null)
  const block = layout.subtitle
  const { ink } = useLook()
  useSheetValues(subtitle, ({ reveal, exit }) => {
    if (!node.current || !block) return
    const come = style === 'playful' ? easeOutBack(reveal) : easeOutQuint(reveal)
    const y = (1 - come) * block.font * (style === 'cinematic' ? 0.2 : 0.9)
    node.current.setAttribute('transform', `translate(0 ${y})`)
    node.current.style.opacity = String(clamp(reveal * (style === 'cinematic' ? 1 : 2.5)) * (1 - exit))
    node.current.style.display = reveal > 0 && exit < 1 ? '' : 'none'
  })
  if (!block) return null
  return (
    <g ref={node} {...type(block)} fontWeight={face.sub} fill={css(ink)} fillOpacity={style === 'playful' ? 0.92 : 0.78}>
      {block.glyphs.map((g, i) => (
        <text key={i} x={g.x} y={g.y}>
          {g.text}
        </text>
      ))}
    </g>
  )
}

const type = (block: Block) => ({
  fontFamily: `${face.family}, sans-serif`,
  fontSize: block.font,
  direction: block.rtl ? ('rtl' as const) : undefined,
  textAnchor: block.rtl ? ('end' as const) : undefined,
  textRendering: 'geometricPrecision' as const,
})
