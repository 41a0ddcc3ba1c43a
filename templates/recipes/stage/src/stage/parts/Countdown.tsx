import { contrast, css } from '../colour'
import type { Place } from '../layout'
import type { Look } from '../look'
import { backOut, clamp, easeInCubic, easeInOutCubic, easeOutCubic, easeOutExpo, easeOutQuint } from '../../utils/easing'
import { going } from '../motion'
import type { PartFace, PartProps } from '../part'
import { faint } from './chart'
import { type Figure, written } from './figures'
import { ems } from './measure'

/** Numbers one after another, each for one beat: its object's value runs from the first number to one beyond the last. */
export interface CountdownPart extends Figure {
  id: string
  kind: 'countdown'
  from: number
  to: number
  /** Each number changes the colour of the whole frame. Only where the part is behind all else. */
  flood?: boolean
  /** Numbers change so quickly that each only stands for a moment. */
  fast?: boolean
  /** A ring around the number that shows how much of the whole time is left, or how much is gone, and its colour. */
  ring?: 'empties' | 'fills'
  fill?: string
}

export const countdown: PartFace = { draw: Countdown as PartFace['draw'] }

interface Beat {
  text: string
  before: string
  /** 0…1 of the beat. */
  t: number
  /** The number of the beat from 0, and how many there are. */
  index: number
  count: number
}

function beatOf(part: CountdownPart, value: number): Beat {
  const down = part.from >= part.to
  const count = Math.abs(part.from - part.to) + 1
  const gone = Math.min(Math.max(Math.abs(part.from - value), 0), count)
  const index = Math.min(Math.floor(gone + 1e-6), count - 1)
  const number = (i: number) => (i < 0 ? '' : written(down ? part.from - i : part.from + i, part.format ? part : { ...part, decimals: 0 }))
  // Numbers that change many times a second do not move one by one: that would flash.
  if (part.fast) return { text: number(index), before: '', t: clamp(gone / count), index: 0, count }
  // The first number is there when the video begins.
  const t = clamp(gone - index)
  return { text: number(index), before: number(index - 1), t: index === 0 ? 0.3 + 0.7 * t : t, index, count }
}

function Countdown({ part, v, look, box }: PartProps & { part: CountdownPart }) {
  const beat = beatOf(part, v.value ?? part.to)
  const out = going(look, v.leave ?? 0)
  const share = clamp(Math.abs(part.from - (v.value ?? part.to)) / (Math.abs(part.from - part.to) + 1))
  const Face = part.ring ? Ringed : { playful: Popping, smooth: Sliding, cinematic: Leader }[look.style]
  return (
    <div style={{ position: 'absolute', left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem`, opacity: 1 - out, fontFamily: look.face.display, fontWeight: look.face.weight, fontVariantNumeric: 'tabular-nums', lineHeight: 1 }}>
      <Face part={part} beat={part.fast && look.style === 'playful' ? { ...beat, t: 1 } : beat} look={look} box={box} share={share} />
    </div>
  )
}

interface FaceProps {
  part: CountdownPart
  beat: Beat
  look: Look
  box: Place
  /** 0…1 of the whole time. */
  share: number
}

const room = (box: Place) => Math.min(box.w, box.h)

/** The size of numbers that have to fit into a width; larger ones, if a person asks, have a little more room. */
function fit(part: CountdownPart, look: Look, usual: number, wide: number): number {
  const [most, width] = [usual * Math.min(look.size, 1.35), wide * clamp(look.size, 1, 1.12)]
  const longest = Math.max(...[part.from, part.to].map((n) => ems(written(n, part.format ? part : { ...part, decimals: 0 })) * 1.12))
  return Math.min(most, width / longest)
}

function Centred({ box, x = 0, y = 0, size, color, children, opacity, transform }: { box: Place; x?: number; y?: number; size: number; color: string; children: string; opacity?: number; transform?: string }) {
  return (
    <div style={{ position: 'absolute', left: `${box.w / 2 + x}rem`, top: `${box.h / 2 + y}rem`, fontSize: `${size}rem`, color, opacity, whiteSpace: 'pre', transform: `translate(-50%, -50%) ${transform ?? ''}` }} dir="ltr">
      {children}
    </div>
  )
}

/** Each number comes in a disc of its own colour that grows over the number before: over the frame, or over a circle. */
function Popping({ part, beat, look, box }: FaceProps) {
  const flood = part.flood === true
  const first = flood ? { fill: look.base, ink: look.ink } : { fill: look.second, ink: look.onSecond }
  const grounds = look.inked || (flood && look.grounded) ? shades(look, flood) : [first, { fill: look.accent, ink: look.onAccent }, { fill: look.ink, ink: look.base }]
  const now = grounds[beat.index % 3]!
  const last = grounds[(beat.index + 2) % 3]!
  const short = room(box)
  const r = flood ? Math.hypot(box.w, box.h) / 2 : short * 0.47
  const grow = beat.index === 0 ? 1 : flood ? easeInOutCubic(clamp(beat.t / 0.46)) : backOut(1.4)(clamp(beat.t / 0.42))
  const pop = backOut(2.2)(clamp((beat.t - 0.04) / 0.4))
  const size = fit(part, look, short * (flood ? 0.68 : 0.56), flood ? box.w * 0.86 : r * 1.42)
  const reach = Math.max(r * grow, 0)
  const circle = (radius: number) => <circle cx={box.w / 2} cy={box.h / 2} r={radius} />
  const before = beat.index > 0 && grow < 1
  const layer = { position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: flood ? 'hidden' : 'visible' } as const
  return (
    <>
      {before && (
        <>
          <svg viewBox={`0 0 ${box.w} ${box.h}`} style={layer} fill={last.fill}>
            {flood ? beat.index > 1 && <rect width={box.w} height={box.h} /> : circle(r)}
          </svg>
          <Centred box={box} size={size} color={last.ink}>{beat.before}</Centred>
        </>
      )}
      <svg viewBox={`0 0 ${box.w} ${box.h}`} style={layer}>
        {before && flood && <g fill={faint(now.fill, 0.55)}>{circle(Math.min(reach * 1.16, r))}</g>}
        {(beat.index > 0 || !flood) && <g fill={now.fill}>{circle(reach)}</g>}
      </svg>
      <div style={{ position: 'absolute', inset: 0, clipPath: before ? `circle(${reach}rem at 50% 50%)` : undefined }}>
        <Centred box={box} size={size} color={now.ink} transform={`scale(${0.5 + 0.5 * pop}) rotate(${(1 - pop) * (beat.index % 2 ? 12 : -12)}deg)`}>
          {beat.text}
        </Centred>
      </div>
      <svg viewBox={`0 0 ${box.w} ${box.h}`} style={layer}>
        <Rays box={box} t={beat.t} r={short * (flood ? 0.42 : 0.46)} wide={(ems(beat.text) * size) / 2} color={flood ? now.ink : look.ink} seed={beat.index} />
      </svg>
    </>
  )
}

/** Shades of the ground where a person asks for its colour or that of the numbers: they lie farther from the numbers than the ground does. */
function shades({ colour: { base, ink }, ink: text }: Look, flood: boolean): { fill: string; ink: string }[] {
  const away = ink.l > base.l ? -1 : 1
  // Where the ground is at the end of the scale already, there is room only the other way, and little.
  const room = away < 0 ? base.l > 0.2 : base.l < 0.86
  const steps = flood ? [0, 1, 2] : [1, 2, 3]
  return steps.map((step) => {
    const c = { ...base, l: Math.min(Math.max(base.l + (room ? away * 0.07 : -away * 0.045) * step, 0.03), 0.99) }
    return { fill: css(contrast(ink, c) >= 3 ? c : base), ink: text }
  })
}

/** Short strokes that fly from the number when it pops: from a circle, or from an ellipse around a number of half the width wide. */
function Rays({ box, t, r, wide, color, seed }: { box: Place; t: number; r: number; wide: number; color: string; seed: number }) {
  const p = clamp((t - 0.26) / 0.5)
  if (p <= 0 || p >= 1) return null
  const from = r * (0.9 + 0.5 * easeOutExpo(p))
  const to = r * (1 + 0.5 * easeOutExpo(clamp(p * 1.25)))
  const stretch = Math.max(1, (wide * 1.12) / r)
  return (
    <g stroke={color} strokeWidth={1.4} strokeLinecap="round" opacity={1 - easeInCubic(p)}>
      {Array.from({ length: 12 }, (_, i) => {
        const a = ((i + (seed % 2) / 2) / 12) * 2 * Math.PI
        if (box.y > 12 && box.h / 2 + Math.sin(a) * to < -2) return null // a title stands there
        return <line key={i} x1={box.w / 2 + Math.cos(a) * from * stretch} y1={box.h / 2 + Math.sin(a) * from} x2={box.w / 2 + Math.cos(a) * to * stretch} y2={box.h / 2 + Math.sin(a) * to} />
      })}
    </g>
  )
}

/** A ring that empties, and numbers that slide past each other inside it. */
function Sliding({ part, beat, look, box }: FaceProps) {
  const short = room(box)
  const r = short * 0.4
  const size = fit(part, look, short * 0.36, r * 1.5)
  const swap = easeOutQuint(clamp(beat.t / 0.5))
  // The ring fills while the number comes, and then empties.
  const filling = beat.t < 0.18 && !part.fast
  const full = part.fast ? 1 - beat.t : filling ? easeOutCubic(beat.t / 0.18) : 1 - easeInOutCubic((beat.t - 0.18) / 0.82)
  const length = 2 * Math.PI * r
  const moved = size * 0.9
  return (
    <>
      <svg viewBox={`0 0 ${box.w} ${box.h}`} style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'visible' }}>
        <g transform={`rotate(-90 ${box.w / 2} ${box.h / 2})`} fill="none" strokeLinecap="round">
          <circle cx={box.w / 2} cy={box.h / 2} r={r} stroke={look.line} strokeWidth={1.5} />
          <circle cx={box.w / 2} cy={box.h / 2} r={r} stroke={look.accent} strokeWidth={1.5} strokeDasharray={`${length * full} ${length}`} strokeDashoffset={filling ? 0 : length * (full - 1)} opacity={full > 0.005 ? 1 : 0} />
        </g>
      </svg>
      <div style={{ position: 'absolute', left: `${box.w / 2 - r}rem`, top: `${box.h / 2 - size * 0.72}rem`, width: `${2 * r}rem`, height: `${size * 1.44}rem`, overflow: 'hidden', maskImage: 'linear-gradient(transparent, #000 18%, #000 82%, transparent)' }}>
        {beat.before && swap < 1 && (
          <Centred box={{ ...box, w: 2 * r, h: size * 1.44 }} y={-swap * moved} size={size} color={look.ink} opacity={1 - swap}>
            {beat.before}
          </Centred>
        )}
        <Centred box={{ ...box, w: 2 * r, h: size * 1.44 }} y={beat.before ? (1 - swap) * moved : 0} size={size} color={look.ink} opacity={beat.before ? clamp(swap * 1.4) : 1}>
          {beat.text}
        </Centred>
      </div>
    </>
  )
}

/** The leader of a film: a hand goes round once for every number. */
function Leader({ part, beat, look, box }: FaceProps) {
  const short = room(box)
  const r = short * 0.4
  const size = fit(part, look, short * 0.44, r * 1.45)
  const [cx, cy] = [box.w / 2, box.h / 2]
  const a = beat.t * 2 * Math.PI
  const far = Math.hypot(box.w, box.h)
  const end = [cx + Math.sin(a) * r, cy - Math.cos(a) * r]
  const wedge = beat.t >= 0.9999 ? '' : `M${cx} ${cy}L${cx} ${cy - r}A${r} ${r} 0 ${a > Math.PI ? 1 : 0} 1 ${end[0]} ${end[1]}Z`
  const fade = easeOutCubic(clamp(beat.t / 0.22))
  return (
    <>
      <svg viewBox={`0 0 ${box.w} ${box.h}`} style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'visible' }}>
        <g fill="none" stroke={look.ink}>
          <path d={`M${cx - far / 2} ${cy}H${cx + far / 2}M${cx} ${cy - far / 2}V${cy + far / 2}`} strokeWidth={0.16} opacity={0.28} />
          <circle cx={cx} cy={cy} r={r} strokeWidth={0.34} opacity={0.75} />
          <circle cx={cx} cy={cy} r={r * 0.9} strokeWidth={0.2} opacity={0.45} />
        </g>
        <path d={wedge} fill={faint(look.accent, 0.14)} />
        <line x1={cx} y1={cy} x2={end[0]} y2={end[1]} stroke={look.accent} strokeWidth={0.4} opacity={beat.t < 0.9999 ? 1 : 0} />
      </svg>
      {beat.before && fade < 1 && <Centred box={box} size={size} color={look.ink} opacity={1 - fade} transform={`scale(${1 + 0.06 * fade})`}>{beat.before}</Centred>}
      <Centred box={box} size={size} color={look.ink} opacity={beat.before ? fade : 1} transform={`scale(${0.96 + 0.06 * beat.t})`}>{beat.text}</Centred>
    </>
  )
}

/** One ring for the whole time, with a mark for each part of it, and numbers that change inside. */
function Ringed({ part, beat, look, box, share }: FaceProps) {
  const r0 = (room(box) / 2) * 0.98
  const thick = r0 * { playful: 0.17, smooth: 0.11, cinematic: 0.035 }[look.style]
  const r = r0 - thick * (look.style === 'cinematic' ? 2.6 : 0.5)
  const [cx, cy] = [box.w / 2, box.h / 2]
  const length = 2 * Math.PI * r
  const full = part.ring === 'fills' ? share : 1 - share
  const colour = part.fill ?? look.accent
  const a = full * 2 * Math.PI
  const head = [cx + Math.sin(a) * r, cy - Math.cos(a) * r] as const
  const inner = r - thick / 2
  const size = fit(part, look, inner * 0.95, inner * 1.6)
  const come = look.style === 'playful' ? backOut(2.2)(clamp((beat.t - 0.02) / 0.3)) : easeOutCubic(clamp(beat.t / 0.3))
  const still = part.fast || !beat.before
  const way = { playful: `scale(${still ? 1 : 0.72 + 0.28 * come})`, smooth: `translateY(${still ? 0 : (1 - come) * size * 0.16}rem)`, cinematic: '' }[look.style]
  const marks = beat.count > 60 ? 60 : beat.count < 12 ? 12 : beat.count
  return (
    <>
      <svg viewBox={`0 0 ${box.w} ${box.h}`} style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'visible' }}>
        <g fill="none" strokeWidth={thick}>
          <circle cx={cx} cy={cy} r={r} stroke={faint(look.ink, look.style === 'cinematic' ? 0.2 : 0.13)} />
          {look.style === 'cinematic' && full > 0.002 && <circle cx={cx} cy={cy} r={r} stroke={faint(colour, 0.22)} strokeWidth={thick * 3.4} strokeDasharray={`${length * full} ${length * 2}`} transform={`rotate(-90 ${cx} ${cy})`} />}
          {full > 0.002 && <circle cx={cx} cy={cy} r={r} stroke={colour} strokeLinecap={look.style === 'cinematic' ? 'butt' : 'round'} strokeDasharray={`${length * full} ${length * 2}`} transform={`rotate(-90 ${cx} ${cy})`} />}
        </g>
        {look.style === 'cinematic' && (
          <g stroke={look.ink} strokeWidth={r0 * 0.007} opacity="0.45">
            {Array.from({ length: marks }, (_, i) => {
              const at = (i / marks) * 2 * Math.PI
              const [near, far] = [r0 * 0.97, r0 * 1]
              return <line key={i} x1={cx + Math.sin(at) * near} y1={cy - Math.cos(at) * near} x2={cx + Math.sin(at) * far} y2={cy - Math.cos(at) * far} />
            })}
          </g>
        )}
        {full > 0.002 && look.style === 'cinematic' && <circle cx={head[0]} cy={head[1]} r={thick * 1.5} fill={colour} />}
        {full > 0.002 && look.style === 'smooth' && <circle cx={head[0]} cy={head[1]} r={thick * 0.24} fill={css(look.colour.base)} />}
      </svg>
      {!still && come < 1 && look.style !== 'playful' && (
        <Centred box={box} size={size} color={look.ink} opacity={(1 - clamp(come * 1.6)) * 0.9} transform={look.style === 'smooth' ? `translateY(${-come * size * 0.16}rem)` : ''}>
          {beat.before}
        </Centred>
      )}
      <Centred box={box} size={size} color={look.ink} opacity={still || look.style === 'playful' ? 1 : clamp(come * 1.6)} transform={way}>
        {beat.text}
      </Centred>
    </>
  )
}
