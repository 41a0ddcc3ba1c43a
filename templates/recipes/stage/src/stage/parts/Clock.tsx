import { contrast, css, oklch, parse } from '../colour'
import type { Look } from '../look'
import { clamp, coming, easeOutCubic } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, faint, Label, Room } from './chart'
import { sixties } from './figures'

/** A clock whose hands go from one time to another: its object's value is the time in minutes. */
export interface ClockPart {
  id: string
  kind: 'clock'
  /** Minutes since midnight; to is beyond from. */
  from: number
  to: number
  /** It ticks, as long as it is seen, and writes no time unless it shows one. */
  ticks?: boolean
  /** Its hands come to this time when it enters, and stay. */
  shows?: boolean
  /** AM and PM are written. */
  halves?: boolean
  /** Digits in place of hands. */
  digital?: boolean
  /** Colour of the hands that a person asks for, or of the digits. */
  hands?: string
}

export const clock: PartFace = { draw: (props) => ((props.part as unknown as ClockPart).digital ? Digits(props as Props) : Clock(props as Props)) }

type Props = PartProps & { part: ClockPart }

/** The time in large digits on a plate; the colon of a clock that ticks goes on and off with the seconds. */
function Digits({ part, v, look, box }: Props) {
  const value = v.value ?? part.to
  const said = time(part.shows ? part.from : value, part.halves).padStart(part.halves ? 0 : 5, '0')
  const size = Math.min(box.h * 0.5, (box.w * 0.9) / (said.length * 0.62))
  const face = faceOf(look, part.hands)
  const plate = { w: size * (said.length * 0.62 + 0.7), h: size * 1.6 }
  const [cx, cy] = [box.w / 2, box.h / 2]
  const k = coming(look, v.enter! * 3)
  const lit = !part.ticks || (value * 60) % 1 < 0.5
  const [before, after] = said.split(':')
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        <g transform={`translate(${cx} ${cy}) scale(${0.86 + 0.14 * k})`} opacity={clamp(v.enter! * 8)}>
          <rect x={-plate.w / 2} y={-plate.h / 2} width={plate.w} height={plate.h} rx={look.radius * 1.4} fill={face.fill} stroke={look.style === 'cinematic' ? faint(look.ink, 0.35) : 'none'} strokeWidth={0.3} />
        </g>
      </Drawing>
      <Label x={cx} y={cy} size={size} align="center" style={{ fontFamily: look.face.display, fontWeight: look.face.weight, color: part.hands ?? face.marks, opacity: clamp(v.enter! * 5 - 0.5) }}>
        {before}
        <span style={{ opacity: lit ? 1 : 0.25 }}>:</span>
        {after}
      </Label>
    </Room>
  )
}

function Clock({ part, v, look, box }: Props) {
  const value = v.value ?? part.to
  const told = !part.ticks || part.shows
  const wide = box.w > box.h * 1.3 && told
  const digits = !told ? 0 : wide ? Math.min(box.h * 0.24, box.w * 0.13) * (part.halves ? 0.78 : 1) : Math.min(box.w * 0.22, box.h * 0.18)
  const r = Math.min(wide ? box.h / 2 : (box.h - digits * 1.6) / 2, wide ? (box.w - digits * (part.halves ? 4.6 : 3.4)) / 2 : box.w / 2, 60) - 1
  const [cx, cy] = wide ? [box.w / 2 - digits * (part.halves ? 2.2 : 1.6), box.h / 2] : [box.w / 2, (box.h - digits * 1.5) / 2]
  const k = coming(look, v.enter! * 3)
  // Hands that come to a time turn to it from twelve.
  const come = part.shows ? easeOutCubic(clamp(v.enter! * 1.25)) : 1
  const hand = (turns: number, length: number) => {
    const a = turns * 2 * Math.PI
    return { x1: cx - Math.sin(a) * r * 0.1, y1: cy + Math.cos(a) * r * 0.1, x2: cx + Math.sin(a) * r * length, y2: cy - Math.cos(a) * r * length }
  }
  const thin = look.style === 'cinematic'
  const face = faceOf(look, part.hands)
  const hands = part.hands ?? face.marks
  const seconds = value * 60
  return (
    <Room look={look} box={box} v={v}>
      <Drawing box={box}>
        <g transform={`translate(${cx} ${cy}) scale(${0.8 + 0.2 * k}) translate(${-cx} ${-cy})`} opacity={clamp(v.enter! * 8)}>
          <circle cx={cx} cy={cy} r={r} fill={face.fill} stroke={thin ? faint(look.ink, 0.5) : 'none'} strokeWidth={0.3} />
          {!part.ticks && <Sweep cx={cx} cy={cy} r={r * (thin ? 0.97 : 0.84)} from={part.from / 720} to={value / 720} fill={faint(look.accent, look.style === 'playful' ? 0.55 : 0.24)} />}
          {Array.from({ length: 60 }, (_, i) => {
            const hour = i % 5 === 0
            if (!hour && look.style === 'playful') return null
            const a = (i / 60) * 2 * Math.PI
            const inner = r * (hour ? 0.87 : 0.915)
            return <line key={i} x1={cx + Math.sin(a) * inner} y1={cy - Math.cos(a) * inner} x2={cx + Math.sin(a) * r * 0.94} y2={cy - Math.cos(a) * r * 0.94} stroke={face.marks} strokeWidth={hour ? r * { playful: 0.045, smooth: 0.026, cinematic: 0.012 }[look.style] : r * 0.008} strokeLinecap="round" opacity={hour ? 0.9 : 0.4} />
          })}
          <line {...hand((value / 720) * come, 0.5)} stroke={hands} strokeWidth={r * { playful: 0.085, smooth: 0.06, cinematic: 0.026 }[look.style]} strokeLinecap="round" />
          <line {...hand(((value % 720) / 60) * come, 0.78)} stroke={hands} strokeWidth={r * { playful: 0.06, smooth: 0.038, cinematic: 0.016 }[look.style]} strokeLinecap="round" />
          <line {...hand(secondHand(part, seconds), 0.82)} stroke={part.hands ?? (look.style === 'playful' ? look.second : look.accent)} strokeWidth={r * 0.014} strokeLinecap="round" />
          <circle cx={cx} cy={cy} r={r * 0.045} fill={part.hands ?? (look.style === 'playful' ? look.second : look.accent)} />
        </g>
      </Drawing>
      {told && <Label x={wide ? cx + r + digits * 0.5 : cx} y={wide ? cy : cy + r + digits * 0.8} size={digits} align={wide ? 'left' : 'center'} style={{ fontFamily: look.face.display, fontWeight: look.face.weight, opacity: clamp(v.enter! * 5 - 1) }}>
        {time(part.shows ? part.from : value, part.halves)}
      </Label>}
    </Room>
  )
}

/** The face of the clock and the strokes on it; asked hands can be seen on it. */
function faceOf(look: Look, hands?: string): { fill: string; marks: string } {
  const usual = { playful: { fill: look.ink, marks: look.base }, smooth: { fill: look.card, marks: look.ink }, cinematic: { fill: 'none', marks: look.ink } }[look.style]
  if (!hands || look.style === 'cinematic') return usual
  const under = look.style === 'playful' ? look.colour.ink : look.colour.base
  if (contrast(parse(hands), under) >= 2) return usual
  const light = contrast(parse(hands), oklch(0.99, 0, 0)) >= 2
  return light ? { fill: '#ffffff', marks: css(oklch(0.25, 0.02, look.colour.base.h)) } : { fill: css(oklch(0.22, 0.03, look.colour.base.h)), marks: '#ffffff' }
}

/** Where hours fly by, the seconds hand would only flicker: it goes round slowly. A clock that ticks goes on at each second. */
const secondHand = (part: ClockPart, seconds: number) => (part.ticks ? (Math.floor(seconds) - 1 + Math.min((seconds % 1) / 0.12, 1)) / 60 : part.to - part.from > 10 ? ((seconds - part.from * 60) / ((part.to - part.from) * 60)) * 3 : seconds / 60)

function time(minutes: number, halves?: boolean): string {
  if (!halves) return sixties(minutes, { format: 'clock' })
  const day = ((minutes % 1440) + 1440) % 1440
  const hour = Math.floor(day / 60) % 12 || 12
  return `${hour}:${sixties(minutes, { format: 'clock' }).slice(-2)}\u2009${day < 720 ? 'AM' : 'PM'}`
}

/** What has gone by, as a slice of the face; a whole round and more fills it. */
function Sweep({ cx, cy, r, from, to, fill }: { cx: number; cy: number; r: number; from: number; to: number; fill: string }) {
  const share = to - from
  if (share <= 0.0005) return null
  if (share >= 0.9999) return <circle cx={cx} cy={cy} r={r} fill={fill} />
  const at = (turns: number) => `${cx + Math.sin(turns * 2 * Math.PI) * r} ${cy - Math.cos(turns * 2 * Math.PI) * r}`
  return <path d={`M${cx} ${cy}L${at(from)}A${r} ${r} 0 ${share > 0.5 ? 1 : 0} 1 ${at(to)}Z`} fill={fill} />
}
