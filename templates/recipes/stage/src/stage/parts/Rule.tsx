import { filling, going } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'

/** A line between texts: { width }. Playful draws a squiggle, cinematic a fine line to both sides, smooth a short bar. */
function Rule({ part, v, look, box }: PartProps) {
  const drawn = filling(look, v.enter!)
  const left = box.align === 'left'
  const long = part.width ?? { playful: 22, smooth: 11, cinematic: 34 }[look.style]
  const x = left ? 0 : box.align === 'right' ? box.w - long : (box.w - long) / 2
  const y = box.h / 2
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {look.style === 'playful' ? (
        <path
          d={`M${x} ${y}q${long / 16} ${-1.7} ${long / 8} 0t${long / 8} 0t${long / 8} 0t${long / 8} 0t${long / 8} 0t${long / 8} 0t${long / 8} 0t${long / 8} 0`}
          pathLength="1"
          strokeDasharray="1 1.1"
          strokeDashoffset={1 - drawn}
          opacity={drawn > 0 ? 1 : 0}
          fill="none"
          stroke={look.accent}
          strokeWidth="1.1"
          strokeLinecap="round"
        />
      ) : look.style === 'smooth' ? (
        <rect x={left ? x : x + (long * (1 - drawn)) / 2} y={y - 0.45} width={long * drawn} height="0.9" rx="0.45" fill={look.accent} />
      ) : (
        <rect x={left ? x : x + (long * (1 - drawn)) / 2} y={y - 0.1} width={long * drawn} height="0.2" fill={look.accent} />
      )}
    </Panel>
  )
}

export const rule: PartFace = { draw: Rule, measure: () => 1.6 }
