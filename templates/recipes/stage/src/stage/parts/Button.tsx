import type { Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged, swing } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import type { Setting } from '../type'

/** A call to action: { text, max }. It breathes while it is held. */
function settingOf(part: Part, look: Look, room: Size): Setting {
  const max = (part.max ?? (room.w < 100 ? 6.8 : 5.6)) * look.size
  return {
    family: look.face.text,
    weight: look.style === 'cinematic' ? 500 : 650,
    tracking: look.style === 'cinematic' ? 0.06 : -0.01,
    line: 1.2,
    width: Math.max(room.w - max * 2.6, 10),
    height: room.h * 0.6,
    max,
    min: Math.min(2.4, room.h * 0.5),
    lines: 2,
    align: 'center',
  }
}

function Button({ part, v, look, box, time }: PartProps) {
  const setting = settingOf(part, look, box)
  const block = blockOf(part.text, setting)
  const high = block.height + block.font * 1.15
  const wide = block.width + block.font * 2.4
  const x = box.align === 'left' ? 0 : (box.w - wide) / 2
  const first = staged(v.enter!, 0, 2, 0.7)
  const k = look.style === 'playful' ? coming(look, first) : 1
  const words = filling(look, staged(v.enter!, 1, 2, 0.6))
  const breath = 1 + 0.018 * swing(time, 1.7) * clamp((v.enter! - 0.9) * 10)
  const radius = { playful: high / 2, smooth: Math.min(2.2, high / 2), cinematic: 0.4 }[look.style]
  const outline = look.style === 'cinematic'
  const width = look.style === 'playful' ? wide : high + (wide - high) * filling(look, first)
  const body = { x: -width / 2, width, height: high, rx: radius }
  return (
    <Panel box={box} opacity={(1 - going(look, v.leave ?? 0)) * clamp(first * 6)}>
      <g transform={`translate(${x + wide / 2} ${box.h / 2}) scale(${Math.max(k, 0) * breath})`}>
        {look.style === 'playful' && <rect {...body} y={-high / 2 + 1.1} fill="#000" opacity="0.22" />}
        <rect {...body} y={-high / 2} fill={outline ? 'none' : look.accent} stroke={outline ? look.accent : 'none'} strokeWidth="0.3" />
        <g transform={`translate(${-setting.width / 2} ${-block.height / 2})`}>
          <Lines block={block} setting={setting} fill={outline ? look.accentInk : look.onAccent} shown={words} />
        </g>
      </g>
    </Panel>
  )
}

export const button: PartFace = {
  draw: Button,
  measure: (part, look, room) => {
    const block = blockOf(part.text, settingOf(part, look, room))
    return Math.min(block.height + block.font * 1.15 + 1, room.h)
  },
}
