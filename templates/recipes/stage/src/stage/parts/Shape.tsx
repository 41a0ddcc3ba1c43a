import { css, tone } from '../colour'
import { clamp, coming, easeOutCubic, going, swing } from '../motion'
import { outline, shapes } from '../outline'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'

/** A body: { shape, act: 'bounce' | 'orbit' | 'morph' | 'trace' | 'spin', color, to }. It goes on moving. */
function Shape({ part, v, look, box, time }: PartProps) {
  const act = part.act ?? 'bounce'
  const shape = part.shape ?? 'ball'
  const r = Math.min(box.w, box.h) * (part.radius ?? (act === 'bounce' ? 0.16 : 0.3))
  const k = Math.max(coming(look, v.enter!), 0)
  const fill = part.color ?? look.accent
  const opacity = (1 - going(look, v.leave ?? 0)) * clamp(v.enter! * 5)
  const [cx, cy] = [box.w / 2, box.h / 2]
  if (act === 'bounce') {
    const period = look.style === 'playful' ? 0.9 : 1.3
    const u = (time / period) % 1
    const high = 4 * u * (1 - u)
    const hit = Math.max(0, 1 - Math.min(u, 1 - u) / 0.1)
    const floor = box.h * 0.86
    const y = floor - r - high * Math.max(floor - 2.4 * r, 0)
    return (
      <Panel box={box} opacity={opacity}>
        <ellipse cx={cx} cy={floor + r * 0.06} rx={r * (1.1 - 0.5 * high) * k} ry={r * 0.12 * (1.1 - 0.5 * high)} fill="#000" opacity={0.25 * (1 - 0.6 * high)} />
        <path d={outline(shape)} transform={`translate(${cx} ${y + r * 0.2 * hit}) scale(${r * k * (1 + 0.2 * hit)} ${r * k * (1 - 0.2 * hit)}) rotate(${shape === 'ball' ? 0 : time * 60})`} fill={fill} />
      </Panel>
    )
  }
  if (act === 'orbit')
    return (
      <Panel box={box} opacity={opacity}>
        <g transform={`translate(${cx} ${cy})`}>
          <ellipse rx={r * 1.5 * k} ry={r * 0.6 * k} fill="none" stroke={look.line} strokeWidth="0.3" />
          {[0, 1, 2].map((i) => satellite(i, false))}
          <path d={outline(shape)} transform={`scale(${r * 0.52 * k}) rotate(${time * 10})`} fill={fill} />
          {[0, 1, 2].map((i) => satellite(i, true))}
        </g>
      </Panel>
    )
  if (act === 'morph') {
    const turn = time / 1.5
    const own = [shape, ...shapes.filter((s) => s !== shape && s !== 'heart')]
    const share = easeOutCubic(clamp((turn % 1) * 1.6 - 0.3))
    const at = Math.floor(turn)
    return (
      <Panel box={box} opacity={opacity}>
        <path d={outline(own[at % own.length]!, own[(at + 1) % own.length], share)} transform={`translate(${cx} ${cy}) rotate(${(at + share) * 45}) scale(${r * k})`} fill={fill} />
      </Panel>
    )
  }
  if (act === 'trace')
    return (
      <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
        <path d={outline(shape)} pathLength="1" strokeDasharray="1 1.1" strokeDashoffset={1 - v.enter!} opacity={v.enter! > 0 ? 1 : 0} transform={`translate(${cx} ${cy + swing(time, 4) * 0.6}) scale(${r})`} fill={css(tone(look.colour.accent, look.colour.accent.l), 0.14 * clamp(v.enter! * 3 - 2))} stroke={fill} strokeWidth={1 / r} strokeLinejoin="round" strokeLinecap="round" />
      </Panel>
    )
  return (
    <Panel box={box} opacity={opacity}>
      <path d={outline(shape, shape, 0, time)} transform={`translate(${cx} ${cy + swing(time, 3.2) * 0.8}) rotate(${time * (shape === 'blob' ? 8 : 24)}) scale(${r * k})`} fill={fill} />
    </Panel>
  )

  function satellite(i: number, front: boolean) {
    const angle = time * 1.5 + (i * 2 * Math.PI) / 3
    if (Math.sin(angle) > 0 !== front) return null
    return <circle key={`${i}${front}`} cx={Math.cos(angle) * r * 1.5 * k} cy={Math.sin(angle) * r * 0.6 * k} r={r * (0.1 + 0.035 * Math.sin(angle))} fill={look.series[(i + 1) % look.series.length]} />
  }
}

export const shape: PartFace = { draw: Shape }
