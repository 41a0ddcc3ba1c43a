import { contrast, parse } from '../colour'
import type { Look } from '../look'
import { clamp, coming, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'

/** Five stars of which some are filled, one after another: { value, large, fill }, in halves and tenths; large ones are what a scene is about. */
const sizeOf = (part: Part, look: Look, room: { w: number; h: number }) => Math.min((part.large ? 19 : 9.4) * look.size, room.w / 6.4, room.h)

/** A star with round corners, in a circle of radius 1. */
const star = Array.from({ length: 10 }, (_, i) => {
  const [r, a] = [i % 2 ? 0.46 : 1, (i / 10) * 2 * Math.PI]
  return `${i ? 'L' : 'M'}${(r * Math.sin(a)).toFixed(4)} ${(-r * Math.cos(a)).toFixed(4)}`
}).join('') + 'Z'

function Stars({ part, v, look, box }: PartProps) {
  const size = sizeOf(part, look, box)
  const step = size * 1.22
  const first = box.align === 'left' ? size / 2 : box.w / 2 - 2 * step
  const usual = look.colour.accent.h > 50 && look.colour.accent.h < 105 ? look.accent : look.dark ? '#ffc83d' : '#e79a00'
  const gold: string = part.fill ?? (look.style === 'playful' && contrast(parse(usual), look.colour.base) < 1.7 ? look.ink : usual)
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {[0, 1, 2, 3, 4].map((i) => {
        const p = staged(v.enter!, i, 5, 0.4)
        const share = clamp((part.value as number) - i)
        const k = coming(look, p)
        return (
          p > 0 && (
            <g key={i} transform={`translate(${first + i * step} ${box.h / 2}) scale(${size * 0.47 * (0.4 + 0.6 * k)})`} strokeLinejoin="round" strokeWidth="0.22" opacity={clamp(p * 4)}>
              <path d={star} fill={look.ink} stroke={look.ink} opacity="0.16" />
              {share > 0 && (
                <>
                  <clipPath id={`${part.id}-${i}`}>
                    <rect x="-1.2" y="-1.2" width={2.4 * share} height="2.4" />
                  </clipPath>
                  <path d={star} fill={gold} stroke={gold} clipPath={`url(#${part.id}-${i})`} />
                </>
              )}
            </g>
          )
        )
      })}
    </Panel>
  )
}

export const stars: PartFace = { draw: Stars, measure: (part, look, room) => sizeOf(part, look, room) }
