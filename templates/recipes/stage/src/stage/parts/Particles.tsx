import { chance } from '../chance'
import { hex, parse, tone } from '../colour'
import { clamp, going, swing } from '../motion'
import { Panel } from '../Panel'
import type { Lettering, PartFace, PartProps } from '../part'
import type { Look } from '../look'

/** Many small things over the frame or behind it: { what: 'confetti' | 'snow' | 'sparks' | 'hearts' | 'petals' | 'balloons' | 'bubbles' | 'stars' | 'rain' | 'leaves' | 'dust', count, much, color }: much is how many times the usual number. */
interface Air {
  id: string
  /** The colours of the things, if the person chose one. */
  own?: string[]
  look: Look
  w: number
  h: number
  t: number
  /** How much is left of a thing of radius r, so that letters before it can be read. */
  seen(x: number, y: number, r: number): number
}

/** Things pale where letters stand before them: much behind small letters, less behind large ones. */
const small = 13
const large = 22
const pale = 0.2
const paleBehindLarge = 0.4

function seenBehind(letters: Lettering[]): Air['seen'] {
  return (x, y, r) =>
    letters.reduce((least, line) => {
      const away = Math.hypot(Math.max(line.x - x, 0, x - line.x - line.w), Math.max(line.y - y, 0, y - line.y - line.h))
      const behind = pale + (paleBehindLarge - pale) * clamp((line.font - small) / (large - small))
      return Math.min(least, behind + (1 - behind) * clamp((away - r) / 3.5))
    }, 1)
}

function Particles({ part, v, look, box, time, before = [] }: PartProps) {
  if (v.enter! <= 0) return null
  const draw = kinds[part.what ?? 'confetti'] ?? kinds.confetti!
  const air = { id: part.id, own: part.color ? shadesOf(part.color) : undefined, look: part.color ? { ...look, series: shadesOf(part.color), accent: part.color as string } : look, w: box.w, h: box.h, t: time - (part.wait ?? 0), seen: seenBehind(before) }
  // As many to the area, whatever the shape of the frame.
  const n = Math.round((part.count ?? draw.count) * (part.much ?? 1) * Math.sqrt((box.w * box.h) / 17800))
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {Array.from({ length: n }, (_, i) => draw.one(air, i))}
    </Panel>
  )
}

/** A colour with a lighter and a darker one of its kind, so that things before each other can be told apart. */
function shadesOf(color: string): string[] {
  const c = parse(color)
  return [color, hex(tone(c, Math.min(c.l + 0.07, 1))), hex(tone(c, Math.max(c.l - 0.07, 0)))]
}

/** The colours of leaves in autumn, and of rose petals. */
const leaves = ['#d9622b', '#c23b22', '#e3a02f', '#8a4a1f', '#b9852c']
const petals = ['#e8697f', '#f2a0ad', '#d6455f', '#f7c9cf']

/** A petal with a notch at its top, 2.2 high. */
const petal = 'M0 1.2C-0.9 0.7 -1 -0.5 -0.42 -1.1Q-0.16 -0.86 0 -1.02Q0.16 -0.86 0.42 -1.1C1 -0.5 0.9 0.7 0 1.2Z'

const wrap = (v: number) => v - Math.floor(v)

const kinds: Record<string, { count: number; one(air: Air, i: number): React.JSX.Element | null }> = {
  confetti: {
    count: 120,
    one: ({ id, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 8 + k)
      const color = look.series[i % look.series.length]!
      const size = 1 + 0.9 * c(1)
      let x: number
      let y: number
      if (i % 2 === 0) {
        // Shot from the lower corners, slowed by the air, then sinking.
        const s = t + 0.5 - c(2) * 0.25
        const side = i % 4 === 0 ? 1 : -1
        const slow = 1 - Math.exp(-2.1 * s)
        x = (side > 0 ? -0.02 : 1.02) * w + side * slow * (0.12 + 0.5 * c(3)) * w
        y = h * 1.02 - slow * (0.45 + 0.75 * c(4)) * h + Math.max(s - 0.6, 0) * (7 + 7 * c(5))
        if (y > h + 3 && s > 1) return null
      } else {
        const run = c(2) * 1.25 - 0.25 + (t * (9 + 7 * c(3))) / h
        y = (wrap(run + 0.1) * 1.2 - 0.1) * h
        x = c(4) * w + swing(t, 2.6 + 2 * c(5), c(6)) * 3
      }
      const flip = Math.cos((t * (1.1 + c(6)) + c(7)) * 2 * Math.PI)
      return <rect key={i} x={-size * 0.5} y={-size * 0.8} width={size} height={size * 1.6} rx={i % 3 === 0 ? size * 0.5 : 0.15} fill={color} opacity={seen(x, y, size)} transform={`translate(${x} ${y}) rotate(${c(0) * 360 + t * (40 + 80 * c(7))}) scale(1 ${0.25 + 0.75 * Math.abs(flip)})`} />
    },
  },
  snow: {
    count: 110,
    one: ({ id, own, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 5 + k)
      const near = c(0)
      const y = (wrap(c(1) + (t * (5 + 9 * near)) / h) * 1.08 - 0.04) * h
      const x = wrap(c(2) + (t * (0.6 + near)) / w) * w + swing(t, 4 + 3 * c(3), c(4)) * (1 + 2 * near)
      return <circle key={i} cx={x} cy={y} r={0.25 + 0.75 * near * near} fill={own?.[0] ?? (look.dark ? '#fff' : '#b9c7dc')} opacity={(0.4 + 0.5 * near) * seen(x, y, 1)} />
    },
  },
  sparks: {
    count: 420,
    one: ({ id, look, w, h, t, seen }, i) => {
      // Bursts one after another, less than two a second.
      const bursts = 7
      const burst = i % bursts
      const age = (t + 0.35 + 4.2 * (1 - burst / bursts)) % 4.2
      const round = Math.floor((t + 0.35 + 4.2 * (1 - burst / bursts)) / 4.2)
      if (round < 1 && burst !== 0) return null
      const c = (k: number) => chance(`${id}${burst}.${round}`, k)
      const d = (k: number) => chance(id, i * 4 + k)
      if (age > 1.7) return null
      const [bx, by] = [(0.12 + 0.76 * c(0)) * w, (0.12 + 0.36 * c(1)) * h]
      const far = (1 - Math.exp(-3.2 * age)) * (8 + 24 * Math.sqrt(d(0)))
      const angle = d(1) * 2 * Math.PI
      const [x, y] = [bx + far * Math.cos(angle), by + far * Math.sin(angle) + 4.5 * age * age]
      const tail = Math.max(3.2 * (1 - age / 1.2), 0.1)
      return <line key={i} x1={x} y1={y} x2={x - tail * Math.cos(angle)} y2={y - tail * Math.sin(angle) - tail * age * 0.6} stroke={look.series[burst % look.series.length]} strokeWidth={0.35 + 0.3 * d(2)} strokeLinecap="round" opacity={clamp(1.6 - age) * clamp(age * 8 + 0.3) * seen(x, y, 1)} />
    },
  },
  hearts: {
    count: 34,
    one: ({ id, own, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 6 + k)
      const y = h * (1.1 - wrap(c(0) + (t * (6 + 7 * c(1))) / h) * 1.25)
      const x = c(2) * w + swing(t, 3 + 2 * c(3), c(4)) * 2.4
      const s = 1 + 1.9 * c(5)
      return <path key={i} d="M0 1C-0.42 0.62 -1.12 0.14 -1.12 -0.38C-1.12 -0.76 -0.84 -1 -0.54 -1C-0.28 -1 -0.1 -0.86 0 -0.64C0.1 -0.86 0.28 -1 0.54 -1C0.84 -1 1.12 -0.76 1.12 -0.38C1.12 0.14 0.42 0.62 0 1Z" transform={`translate(${x} ${y}) rotate(${swing(t, 3, c(4)) * 14}) scale(${s})`} fill={(own ?? ['#ff4f7d', '#ff86a6', look.accent])[i % 3]} opacity={0.9 * seen(x, y, s)} />
    },
  },
  petals: {
    count: 54,
    one: ({ id, own, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 7 + k)
      const y = (wrap(c(0) + (t * (4 + 5 * c(1))) / h) * 1.16 - 0.08) * h
      const x = wrap(c(2) + (t * (0.4 + c(1))) / w) * w + swing(t, 4 + 3 * c(3), c(4)) * 3
      const s = 0.9 + 1.1 * c(5)
      const colours = own ?? petals
      const fill = colours[i % colours.length]
      const turn = c(4) * 360 + swing(t, 5, c(6)) * 40
      const seenHere = 0.95 * seen(x, y, s * 1.7)
      if (i % 3 === 0) {
        // A whole flower among the petals.
        return (
          <g key={i} transform={`translate(${x} ${y}) rotate(${turn}) scale(${s * 1.25})`} opacity={seenHere}>
            {[0, 72, 144, 216, 288].map((at) => (
              <path key={at} d={petal} transform={`rotate(${at}) translate(0 -1.05) scale(1 -1)`} fill={fill} />
            ))}
            <circle r={0.62} fill="#f6c445" />
          </g>
        )
      }
      // A petal that turns over looks narrow for a moment.
      const flip = 0.35 + 0.65 * Math.abs(Math.cos((t * (0.14 + 0.14 * c(6)) + c(3)) * 2 * Math.PI))
      return <path key={i} d={petal} transform={`translate(${x} ${y}) rotate(${turn}) scale(${s * flip} ${s})`} fill={fill} opacity={seenHere} />
    },
  },
  balloons: {
    count: 15,
    one: ({ id, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 6 + k)
      // They stay to the sides, so that texts can be read.
      const side = i % 2 === 0 ? c(1) * 0.2 : 1 - c(1) * 0.2
      const y = h * (1.25 - wrap(c(0) + (t * (7 + 4 * c(2))) / h / 1.6) * 1.6)
      const x = side * w + swing(t, 4 + 2 * c(3), c(4)) * 1.6
      const s = 4.4 + 2.6 * c(5)
      const fill = look.series[i % look.series.length]!
      return (
        <g key={i} opacity={seen(x, y, s)} transform={`translate(${x} ${y}) rotate(${swing(t, 4, c(4)) * 5})`}>
          <path d={`M0 ${s * 1.25}q${s * 0.25} ${s * 0.6} 0 ${s * 1.2}t0 ${s * 1.1}`} fill="none" stroke={look.soft} strokeWidth="0.22" opacity="0.7" />
          <path d={`M0 ${s * 1.18}l${-s * 0.14} ${s * 0.16}h${s * 0.28}z`} fill={fill} />
          <ellipse rx={s} ry={s * 1.2} fill={fill} />
          <ellipse cx={-s * 0.36} cy={-s * 0.5} rx={s * 0.16} ry={s * 0.3} transform={`rotate(24 ${-s * 0.36} ${-s * 0.5})`} fill="#fff" opacity="0.55" />
        </g>
      )
    },
  },
  bubbles: {
    count: 36,
    one: ({ id, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 5 + k)
      const y = h * (1.08 - wrap(c(0) + (t * (4 + 6 * c(1))) / h) * 1.16)
      const x = c(2) * w + swing(t, 3 + 3 * c(3), c(4)) * 2
      const r = 0.6 + 2.4 * c(1) * c(3)
      return <circle key={i} cx={x} cy={y} r={r} fill="none" stroke={look.accent} strokeWidth="0.28" opacity={0.6 * seen(x, y, r)} />
    },
  },
  stars: {
    count: 70,
    one: ({ id, own, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 6 + k)
      // Each shines, goes out and shines elsewhere, less than once a second.
      const run = t / (1.8 + 1.6 * c(0)) + c(1)
      const at = (k: number) => chance(`${id}${Math.floor(run)}`, i * 2 + k)
      const shine = Math.sin(wrap(run) * Math.PI)
      const [x, y] = [at(0) * w, (at(1) + wrap(run) * 0.03) * h]
      const s = (0.5 + 1.9 * c(2) * c(2)) * shine
      return <path key={i} d="M0 -1Q0.12 -0.12 1 0Q0.12 0.12 0 1Q-0.12 0.12 -1 0Q-0.12 -0.12 0 -1Z" transform={`translate(${x} ${y}) scale(${s * 1.2})`} fill={(own ?? [look.dark ? '#fff4cf' : look.accent, look.accent, look.second])[i % 3]} opacity={shine * seen(x, y, s)} />
    },
  },
  rain: {
    count: 150,
    one: ({ id, own, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 4 + k)
      const near = c(0)
      const long = 2.4 + 3.6 * near
      const y = (wrap(c(1) + (t * (70 + 60 * near)) / h) * 1.14 - 0.1) * h
      const x = (wrap(c(2) - (t * (5 + 4 * near)) / w) * 1.06 - 0.03) * w
      return <path key={i} d={`M${x} ${y}l${-long * 0.07} ${long}`} stroke={own?.[0] ?? (look.dark ? '#cfe0ff' : '#6f8fb8')} strokeWidth={0.12 + 0.2 * near} strokeLinecap="round" opacity={(0.22 + 0.45 * near) * seen(x, y, 1)} />
    },
  },
  leaves: {
    count: 34,
    one: ({ id, own, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 7 + k)
      const y = (wrap(c(0) + (t * (6 + 6 * c(1))) / h) * 1.16 - 0.08) * h
      const x = wrap(c(2) + (t * (0.8 + 2 * c(1))) / w) * w + swing(t, 3.4 + 2 * c(3), c(4)) * 5
      const s = 1.3 + 1.3 * c(5)
      const flip = 0.4 + 0.6 * Math.abs(Math.cos((t * (0.16 + 0.14 * c(6)) + c(3)) * 2 * Math.PI))
      const fills = own ?? leaves
      return (
        <g key={i} transform={`translate(${x} ${y}) rotate(${c(4) * 360 + swing(t, 4, c(6)) * 55}) scale(${s * flip} ${s})`} opacity={0.92 * seen(x, y, s)}>
          <path d="M0 -1.4C0.9 -0.9 1.1 0.2 0 1.2C-1.1 0.2 -0.9 -0.9 0 -1.4Z" fill={fills[i % fills.length]} />
          <path d="M0 -0.9V1.75M0 0.1L0.5 -0.35M0 0.1L-0.5 -0.35M0 0.65L0.45 0.25M0 0.65L-0.45 0.25" stroke="#5b2d12" strokeOpacity="0.45" strokeWidth="0.12" fill="none" strokeLinecap="round" />
        </g>
      )
    },
  },
  dust: {
    count: 70,
    one: ({ id, own, look, w, h, t, seen }, i) => {
      const c = (k: number) => chance(id, i * 8 + k)
      const near = c(0) * c(0)
      const x = (wrap(c(1) + (t * (0.6 + 2.4 * near) * (c(7) < 0.5 ? -1 : 1)) / w) * 1.1 - 0.05) * w + swing(t, 5 + 4 * c(2), c(3)) * 3
      const y = (wrap(c(4) - (t * (1 + 4 * near)) / h) * 1.1 - 0.05) * h + swing(t, 6 + 3 * c(5), c(6)) * 2
      const r = 0.3 + 1.1 * near
      const light = 0.65 + 0.35 * swing(t, 3 + 3 * c(5), c(6))
      const fill = (own ?? [look.accent, look.second, look.dark ? '#ffffff' : look.ink])[i % 3]
      // A soft edge: a light in the air.
      return (
        <g key={i} fill={fill} opacity={light * (0.45 + 0.5 * near) * seen(x, y, r)}>
          <circle cx={x} cy={y} r={r * 2.4} opacity="0.16" />
          <circle cx={x} cy={y} r={r * 1.6} opacity="0.25" />
          <circle cx={x} cy={y} r={r} />
        </g>
      )
    },
  },
}

export const particles: PartFace = { draw: Particles }
