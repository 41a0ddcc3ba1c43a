import { blockOf, Lines } from '../Lines'
import { clamp, coming, going, swing } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'

/** A star with a short text, such as -50%: { text, corner }. With corner it hangs at the upper right of the frame. */
function Badge({ part, v, look, box, time }: PartProps) {
  const r = Math.min(box.h / 2, box.w / 2, part.max ?? 22)
  const setting = { family: look.face.display, weight: 700, tracking: -0.03, line: 1, width: r * 1.32, height: r * 0.9, max: r, min: 1, lines: 2, align: 'center' as const }
  const block = blockOf(part.text, setting)
  const k = coming(look, v.enter!)
  const n = 18
  const points = Array.from({ length: 2 * n }, (_, i) => {
    const angle = (i / n) * Math.PI
    const far = r * (i % 2 ? 0.88 : 1)
    return `${far * Math.cos(angle)} ${far * Math.sin(angle)}`
  })
  return (
    <Panel box={box} opacity={(1 - going(look, v.leave ?? 0)) * clamp(v.enter! * 6)}>
      <g transform={`translate(${box.w / 2} ${box.h / 2}) scale(${Math.max(k, 0) * (1 + 0.02 * swing(time, 2.2))}) rotate(${-10 + (1 - k) * 90})`}>
        {look.style === 'playful' ? (
          <path d={`M${points.join('L')}Z`} fill={look.accent} transform={`rotate(${time * 12})`} />
        ) : (
          <circle r={r * 0.96} fill={look.style === 'smooth' ? look.accent : 'none'} stroke={look.accent} strokeWidth="0.35" />
        )}
        <g transform={`translate(${-setting.width / 2} ${-block.height / 2})`}>
          <Lines block={block} setting={setting} fill={look.style === 'cinematic' ? look.accentInk : look.onAccent} />
        </g>
      </g>
    </Panel>
  )
}

export const badge: PartFace = { draw: Badge, measure: (part, _, room) => Math.min(part.max ? part.max * 2 : 40, room.h, room.w) }
