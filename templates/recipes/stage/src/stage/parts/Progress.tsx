import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, filling } from '../motion'
import type { PartFace, PartProps } from '../part'
import { accented, Drawing, faint, Label, mixed, Room } from './chart'
import { type Figure, written } from './figures'

/** A share of a whole as a ring, a gauge, a bar or a thermometer, with its number: its object's value runs from 0, or from, to value. */
export interface ProgressPart extends Figure {
  id: string
  kind: 'progress'
  /** 0…100, or more: the bar is then full. */
  value: number
  shape?: 'ring' | 'gauge' | 'bar' | 'thermometer'
  from?: number
  /** Colour of what fills that a person asks for. */
  fill?: string
}

type Props = PartProps & { part: ProgressPart }

export const progress: PartFace = { draw: Progress as PartFace['draw'], measure: (part, look, room) => (part.shape === 'bar' ? barOf(look, room).height : Math.min(room.h, room.w * (part.shape === 'gauge' ? 0.64 : 0.9), part.shape === 'thermometer' ? 80 : 74)) }

function barOf(look: Look, room: Size) {
  const width = Math.min(room.w, 150)
  const thick = { playful: 11, smooth: 6, cinematic: 2.4 }[look.style]
  const number = clamp(room.w * 0.16, 10, 24)
  return { width, thick, number, height: Math.min(number * 1.15 + 4 + thick, room.h) }
}

function Progress(props: Props) {
  const { part, v, box } = props
  const look = accented(props.look, part.fill)
  return (
    <Room look={look} box={box} v={v}>
      {part.shape === 'bar' ? <Bar {...props} look={look} /> : part.shape === 'thermometer' ? <Thermometer {...props} look={look} /> : part.shape === 'gauge' ? <Gauge {...props} look={look} /> : <Ring {...props} look={look} />}
    </Room>
  )
}

const shown = (part: ProgressPart, v: PartProps['v']) => written(v.value ?? part.value, { ...part, format: part.format ?? 'percent', decimals: part.decimals ?? (Number.isInteger(part.value) ? 0 : 1) })

function Ring({ part, v, look, box }: Props) {
  const r0 = Math.min(box.w, box.h) / 2
  const thick = r0 * { playful: 0.2, smooth: 0.12, cinematic: 0.05 }[look.style]
  const r = r0 - thick / 2 - 0.5
  const length = 2 * Math.PI * r
  const share = clamp((v.value ?? part.value) / 100)
  const k = coming(look, v.enter! * 2)
  const [cx, cy] = [box.w / 2, box.h / 2]
  const a = share * 2 * Math.PI
  return (
    <>
      <Drawing box={box}>
        <g transform={`rotate(-90 ${cx} ${cy})`} fill="none" strokeWidth={thick}>
          <circle cx={cx} cy={cy} r={r * (0.9 + 0.1 * k)} stroke={faint(look.ink, 0.12 * clamp(k))} />
          {share > 0 && <circle cx={cx} cy={cy} r={r * (0.9 + 0.1 * k)} stroke={look.accent} strokeLinecap={look.style === 'cinematic' ? 'butt' : 'round'} strokeDasharray={`${length * (0.9 + 0.1 * k) * share} ${length * 2}`} />}
        </g>
        {look.style === 'cinematic' && share > 0 && <circle cx={cx + Math.sin(a) * r} cy={cy - Math.cos(a) * r} r={thick * 0.9} fill={mixed('white', look.accent, 0.5)} />}
      </Drawing>
      <Label x={cx} y={cy} size={r0 * (shown({ ...part }, { value: part.value } as PartProps['v']).length > 4 ? 0.42 : 0.54)} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(v.enter! * 4) }}>
        {shown(part, v)}
      </Label>
    </>
  )
}

/** Half a ring with a hand, as a speedometer, and the number below. */
function Gauge({ part, v, look, box }: Props) {
  const r0 = Math.min(box.w / 2, box.h / 1.3)
  const thick = r0 * { playful: 0.2, smooth: 0.14, cinematic: 0.06 }[look.style]
  const r = r0 - thick / 2 - 0.5
  const share = clamp((v.value ?? part.value) / 100)
  const k = clamp(coming(look, v.enter! * 2))
  const [cx, cy] = [box.w / 2, (box.h - r0 * 1.3) / 2 + r0]
  const at = (turn: number, far: number) => `${cx - Math.cos(turn * Math.PI) * far} ${cy - Math.sin(turn * Math.PI) * far}`
  const arc = `M${at(0, r)}A${r} ${r} 0 0 1 ${at(1, r)}`
  return (
    <>
      <Drawing box={box}>
        <g fill="none" strokeLinecap={look.style === 'cinematic' ? 'butt' : 'round'}>
          <path d={arc} stroke={faint(look.ink, 0.12 * k)} strokeWidth={thick} />
          {share > 0 && <path d={arc} stroke={look.accent} strokeWidth={thick} strokeDasharray={`${Math.PI * r * share} ${Math.PI * r * 2}`} />}
          {Array.from({ length: 11 }, (_, i) => (
            <path key={i} d={`M${at(i / 10, r - thick * 0.72)}L${at(i / 10, r - thick * (i % 5 === 0 ? 1.15 : 0.95))}`} stroke={look.soft} strokeWidth={r * (i % 5 === 0 ? 0.018 : 0.01)} opacity={k * 0.8} />
          ))}
          <path d={`M${at(share, -r * 0.08)}L${at(share, r - thick * 1.3)}`} stroke={look.ink} strokeWidth={r * 0.035} opacity={k} />
        </g>
        <circle cx={cx} cy={cy} r={r * 0.07 * k} fill={look.ink} />
      </Drawing>
      <Label x={cx} y={cy + r0 * 0.21} size={r0 * 0.22} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(v.enter! * 4) }}>
        {shown(part, v)}
      </Label>
    </>
  )
}

function Bar({ part, v, look, box }: Props) {
  const { width, thick, number, height } = barOf(look, box)
  const share = clamp((v.value ?? part.value) / 100)
  const x = (box.w - width) / 2
  const y = (box.h + height) / 2 - thick
  const k = filling(look, v.enter! * 2.5)
  const r = look.style === 'cinematic' ? 0 : thick / 2
  const end = Math.max(width * share, share > 0 ? 2 * r : 0)
  return (
    <>
      <Drawing box={box}>
        <rect x={x + (width * (1 - k)) / 2} y={y} width={width * k} height={thick} rx={r} fill={faint(look.ink, 0.13)} />
        {end > 0 && <rect x={x} y={y} width={end} height={thick} rx={r} fill={look.accent} />}
        {look.style === 'cinematic' && <circle cx={x + end} cy={y + thick / 2} r={thick * 0.9} fill={mixed('white', look.accent, 0.5)} />}
      </Drawing>
      <Label x={box.w / 2} y={y - 4 - number * 0.55} size={number} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(v.enter! * 4) }}>
        {shown(part, v)}
      </Label>
    </>
  )
}

/** A glass tube over a bulb, with marks at its side and the number beside its level. */
function Thermometer({ part, v, look, box }: Props) {
  const share = clamp((v.value ?? part.value) / 100)
  const k = filling(look, v.enter! * 2.5)
  const tall = box.h - 2
  const thick = tall * { playful: 0.15, smooth: 0.12, cinematic: 0.08 }[look.style]
  const bulb = thick * 1.05
  const size = clamp(tall * 0.24, 8, 20)
  const wide = written(part.value, { ...part, format: part.format ?? 'percent', decimals: 0 }).length * size * 0.62
  // Tube, marks and number stand in the middle together.
  const x = box.w / 2 - (2 * bulb + thick * 0.9 + wide) / 2 + bulb
  const [top, bottom] = [1 + thick / 2, 1 + tall - bulb]
  const full = bottom - bulb * 0.7 - top
  const level = top + full * (1 - share)
  const wall = thick * 0.14
  const right = x + thick * 0.5 + wall
  return (
    <>
      <Drawing box={box}>
        <g opacity={clamp(k * 2)}>
          <path d={`M${x} ${top}V${bottom}`} stroke={faint(look.ink, 0.14)} strokeWidth={thick + 2 * wall} strokeLinecap="round" />
          <circle cx={x} cy={bottom} r={bulb + wall} fill={faint(look.ink, 0.14)} />
          <circle cx={x} cy={bottom} r={bulb * k} fill={look.accent} />
          {share > 0 && <path d={`M${x} ${bottom}V${level}`} stroke={look.accent} strokeWidth={thick * 0.78} strokeLinecap={look.style === 'cinematic' ? 'butt' : 'round'} />}
          <path d={`M${x - thick * 0.2} ${top + thick * 0.1}V${bottom - bulb * 1.3}`} stroke="#fff" strokeWidth={thick * 0.1} strokeLinecap="round" opacity="0.35" />
          {Array.from({ length: 11 }, (_, i) => (
            <path key={i} d={`M${right + thick * 0.14} ${top + full * (1 - i / 10)}h${thick * (i % 5 === 0 ? 0.42 : 0.24)}`} stroke={look.soft} strokeWidth={i % 5 === 0 ? 0.4 : 0.25} strokeLinecap="round" opacity="0.8" />
          ))}
        </g>
      </Drawing>
      <Label x={right + thick * 0.9} y={Math.min(Math.max(level, size * 0.6), box.h - size * 0.6)} size={size} align="left" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(v.enter! * 4) }}>
        {shown(part, v)}
      </Label>
    </>
  )
}
