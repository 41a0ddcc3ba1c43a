import { chance } from '../chance'
import { css, parse, tone } from '../colour'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, easeOutCubic, filling, staged, swing } from '../motion'
import type { PartFace, PartProps } from '../part'
import { Drawing, faint, Label, mixed, Room } from './chart'
import { ems } from './measure'

/** Bodies that go round a middle, seen in depth: planets round a sun, or electrons round a nucleus. Its object's turn is tens of seconds. */
export interface OrbitPart {
  id: string
  kind: 'orbit'
  what: 'planets' | 'atom'
  bodies: Body[]
  labels?: boolean
  /** The names of the sun and of the moon. */
  lights?: [string, string]
  /** The moons of the bodies are shown. */
  moons?: boolean
  /** The colour of the sun; without it the sun is yellow. */
  sun?: string
  /** What the middle is where there is no sun. */
  heart?: Body
  /** How fast all goes round; 1 is the usual. */
  pace?: number
  /** After one turn everything is where it was. */
  loop?: boolean
}

export interface Body {
  label?: string
  color?: string
  /** Size and time for one round, those of the earth being 1. */
  size?: number
  period?: number
  ring?: number
  moons?: number
}

type Props = PartProps & { part: OrbitPart }

export const orbit: PartFace = { draw: Orbit as PartFace['draw'] }

function Orbit(props: Props) {
  const { part, look, box, v } = props
  return (
    <Room look={look} box={box} v={v}>
      {part.what === 'atom' ? <Atom {...props} /> : <Planets {...props} />}
    </Room>
  )
}

interface Point {
  x: number
  y: number
  /** Larger is nearer. */
  near: number
  scale: number
}

/** The place of a point on a circle that lies in depth, as the camera sees it. */
function seen(angle: number, radius: number, tilt: number, reach: number): Point {
  const depth = Math.sin(angle) * radius * Math.cos(tilt)
  const scale = (reach * 3.2) / (reach * 3.2 - depth)
  return { x: Math.cos(angle) * radius * scale, y: Math.sin(angle) * radius * Math.sin(tilt) * scale, near: depth, scale }
}

/** Rounds in one turn; those of a loop are whole. */
const rounds = ({ loop, pace = 1 }: Pick<OrbitPart, 'loop' | 'pace'>, perTen: number) => (loop ? Math.max(1, Math.round(perTen * pace)) : perTen * pace)

function pathOf(points: Point[]): string {
  return points.map((p, i) => `${i === 0 ? 'M' : 'L'}${p.x.toFixed(2)} ${p.y.toFixed(2)}`).join('')
}

/** How the planets lie in their room: the size of the system, where its middle is, and how far the whole leans. */
function system(box: Size, n: number, widest: number) {
  // In a tall room the orbits stand on end.
  const lean = box.h > box.w * 1.25 ? -1.26 : 0
  const [long, short] = lean ? [box.h, box.w] : [box.w, box.h]
  const flat = clamp((short / long) * 0.84, 0.36, 0.92)
  const sun = Math.min(widest, (1.25 / (n + 2)) * Math.max(flat, 0.7))
  const step = (1 - sun * 1.5) / Math.max(n, 1)
  const outer = sun * 1.5 + step * (n - 0.38)
  const leant = ({ x, y, ...rest }: Point): Point => ({ ...rest, x: x * Math.cos(lean) - y * Math.sin(lean), y: x * Math.sin(lean) + y * Math.cos(lean) })
  const rim = Array.from({ length: 60 }, (_, i) => leant(seen((i / 30) * Math.PI, outer, Math.asin(flat), 1)))
  const [xs, ys] = [rim.map((p) => p.x), rim.map((p) => p.y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  // The largest planet and its name have room at the rim.
  const planet = Math.min(step * 0.66, 0.14)
  const reach = Math.min(box.w / (right - left + 2 * planet), (box.h - naming * 2.2) / (bottom - top + 2 * planet))
  return { flat, leant, reach, sun: sun * reach, step: step * reach, x: box.w / 2 - ((left + right) / 2) * reach, y: (box.h - naming * 1.8) / 2 - ((top + bottom) / 2) * reach }
}

/** The size of the names of planets. */
const naming = 3.6

function Planets({ part, v, look, box, time }: Props) {
  const n = part.bodies.length
  const { flat, leant, reach, sun, step, x, y } = system(box, n, part.heart ? 0.26 : 0.15)
  const turnsBy = v.turn ?? 0
  // The camera sinks a little while it looks.
  const tilt = Math.asin(clamp(flat + 0.06 * (1 - easeOutCubic(clamp(v.enter!)))))
  const view = (angle: number, radius: number) => leant(seen(angle, radius, tilt, reach))
  const bodies = part.bodies.map((body, i): Placed => {
    const radius = sun * 1.5 + step * (i + 0.62)
    const perTen = 3.4 / ((body.period ?? 1 + i) / 0.24) ** 0.3
    const angle = 2 * Math.PI * (chance(part.id, i) + turnsBy * rounds(part, perTen))
    const at = view(angle, radius)
    const r = Math.min(step * 0.66, Math.min(box.w, box.h) * 0.1, step * (0.25 + 0.19 * (body.size ?? 1) ** 0.4)) * at.scale
    return { body, i, radius, angle, at, r, p: staged(v.enter!, i + 1, n + 1, 0.45) }
  })
  const order = [...bodies].sort((a, b) => a.at.near - b.at.near)
  const behind = order.filter((b) => b.at.near < 0)
  const before = order.filter((b) => b.at.near >= 0)
  const planet = (b: Placed) => <Planet key={b.i} {...b} part={part} look={look} turn={turnsBy} flat={flat} />
  return (
    <>
      <Drawing box={box}>
        <g transform={`translate(${x} ${y})`}>
          {bodies.map((b) => (
            <Track key={b.i} at={(a) => view(a, b.radius)} angle={b.angle} p={filling(look, b.p)} look={look} color={b.body.color ?? look.series[b.i % look.series.length]!} />
          ))}
          {behind.map(planet)}
          {part.heart ? <Planet {...middleOf(part.heart, sun, v.enter!)} part={part} look={look} turn={turnsBy} flat={flat} /> : <Sun look={look} r={sun * coming(look, v.enter! * 2.4)} time={time} id={part.id} colour={part.sun} />}
          {before.map(planet)}
        </g>
      </Drawing>
      {part.labels !== false && part.lights && <Lights {...{ part, bodies, sun, flat, x, y, look }} turn={turnsBy} enter={v.enter!} />}
      {part.labels !== false && part.heart?.label && <Name of={middleOf(part.heart, sun, v.enter!)} room={1} x={x} y={y} look={look} />}
      {part.labels !== false && n <= 10 && bodies.map((b) => b.body.label && <Name key={b.i} of={b} room={roomOf(b, bodies, sun)} x={x} y={y} look={look} />)}
    </>
  )
}

/** A planet that is the middle; the light falls on it from above, on the left. */
const middleOf = (body: Body, r: number, enter: number): Placed => ({ body, i: -1, radius: 0, angle: 0, at: { x: 0, y: 0, near: 0, scale: 1 }, r, p: clamp(enter * 1.6) })

interface Placed {
  body: Body
  i: number
  radius: number
  angle: number
  at: Point
  r: number
  p: number
}

/** Where the middle of a name lies, below its planet, and half of its width. */
const nameOf = ({ body, at, r }: Placed) => ({ x: at.x, y: at.y + r + naming * 0.95, half: (ems(body.label ?? '') * naming) / 2 })

/** How much room a name has, 0…1: it gives way to the sun, to other planets and to the names of the inner ones. */
function roomOf(own: Placed, all: Placed[], sun: number): number {
  const name = nameOf(own)
  const apart = (x: number, y: number, half: number, high: number) => Math.max(Math.abs(x - name.x) - name.half - half, Math.abs(y - name.y) - naming * 0.55 - high)
  const gaps = [apart(0, 0, sun * 1.1, sun * 1.1)]
  for (const other of all) {
    if (other.i === own.i) continue
    gaps.push(apart(other.at.x, other.at.y, other.r * (other.body.ring ? 2.1 : 0.9), other.r * 0.9))
    const its = nameOf(other)
    if (other.i < own.i && other.body.label) gaps.push(apart(its.x, its.y, its.half, naming * 0.55))
  }
  return clamp(Math.min(...gaps) / (naming * 0.6) + 0.2)
}

const Name = ({ of, room, x, y, look }: { of: Placed; room: number; x: number; y: number; look: Look }) => {
  const name = nameOf(of)
  return (
    <Label x={x + name.x} y={y + name.y} size={naming} align="center" style={{ color: look.ink, fontWeight: 600, opacity: clamp(of.p * 3 - 2) * room }}>
      {of.body.label!}
    </Label>
  )
}

/** The names of the sun, and of the moon of a planet with one, beside them. */
function Lights({ part, bodies, sun, flat, x, y, look, turn, enter }: { part: OrbitPart; bodies: Placed[]; sun: number; flat: number; x: number; y: number; look: Look; turn: number; enter: number }) {
  const [ofSun, ofMoon] = part.lights!
  const style = (opacity: number) => ({ color: look.ink, fontWeight: 600, opacity, textShadow: `0 0 0.5em ${look.base}` })
  return (
    <>
      <Label x={x} y={y + sun * 1.5 + naming * 0.6} size={naming} align="center" style={style(clamp(enter * 3 - 1))}>
        {ofSun}
      </Label>
      {bodies.flatMap((b) =>
        moonsOf(b, part, turn, flat).slice(0, b.body.moons === 1 ? 1 : 0).map((moon) => (
          <Label key={b.i} x={x + b.at.x + moon.x} y={y + b.at.y + moon.y - moon.r - naming * 0.75} size={naming * 0.85} align="center" style={style(clamp(b.p * 3 - 2))}>
            {ofMoon}
          </Label>
        )),
      )}
    </>
  )
}

/** An orbit, bright just behind what goes on it. */
function Track({ at, angle, p, look, color }: { at: (angle: number) => Point; angle: number; p: number; look: Look; color: string }) {
  if (p <= 0) return null
  const ring = Array.from({ length: 97 }, (_, i) => at(angle - (i / 96) * 2 * Math.PI * p))
  const tail = 14
  return (
    <g fill="none">
      <path d={pathOf(ring)} stroke={faint(look.ink, look.style === 'cinematic' ? 0.16 : 0.2)} strokeWidth={look.style === 'playful' ? 0.36 : 0.2} />
      {Array.from({ length: tail }, (_, i) => {
        const from = angle - (i / tail) * 1.1 * p
        return <path key={i} d={pathOf([0, 1, 2].map((k) => at(from - (k / 2 / tail) * 1.1 * p)))} stroke={color} strokeWidth={look.style === 'playful' ? 0.8 : 0.4} opacity={(1 - i / tail) ** 1.6 * 0.85} />
      })}
    </g>
  )
}

const yellow = { heart: '#fffbe6', face: '#ffd95e', edge: '#ff9f2e', rays: '#ffcf52', near: '#ffd76a', far: '#ff9d3c' }

/** The colours of a sun, from its heart to its glow. */
function shine(colour?: string): typeof yellow {
  if (!colour) return yellow
  const own = parse(colour)
  const at = (l: number, chroma = 1) => css(tone(own, Math.min(Math.max(l, 0.2), 0.97), chroma))
  return { heart: at(own.l + 0.3, 0.4), face: css(own), edge: at(own.l - 0.12), rays: at(own.l + 0.04), near: at(own.l + 0.08), far: at(own.l - 0.04) }
}

function Sun({ look, r, time, id, colour }: { look: Look; r: number; time: number; id: string; colour?: string }) {
  if (r <= 0) return null
  const breath = 1 + 0.03 * swing(time, 4)
  const { heart, face, edge, rays, near, far } = shine(colour)
  return (
    <>
      <radialGradient id={`${id}-glow`}>
        <stop offset="0.28" stopColor={near} stopOpacity={look.style === 'cinematic' ? 0.6 : 0.45} />
        <stop offset="0.55" stopColor={far} stopOpacity="0.16" />
        <stop offset="1" stopColor={far} stopOpacity="0" />
      </radialGradient>
      <radialGradient id={`${id}-sun`}>
        <stop offset="0" stopColor={heart} />
        <stop offset="0.55" stopColor={face} />
        <stop offset="1" stopColor={edge} />
      </radialGradient>
      <circle r={r * 2.9 * breath} fill={`url(#${id}-glow)`} />
      {look.style === 'playful' && (
        <g transform={`rotate(${time * 9})`} fill={rays}>
          {Array.from({ length: 12 }, (_, i) => (
            <path key={i} d={`M${-r * 0.13} ${-r * 1.12}L0 ${-r * (1.38 + 0.08 * swing(time, 2, i / 6))}L${r * 0.13} ${-r * 1.12}Z`} transform={`rotate(${i * 30})`} strokeLinejoin="round" stroke={rays} strokeWidth={r * 0.06} />
          ))}
        </g>
      )}
      <circle r={r} fill={`url(#${id}-sun)`} />
    </>
  )
}

/** Where the moons of a planet are, from its middle. */
function moonsOf({ body, i, r }: Pick<Placed, 'body' | 'i' | 'r'>, part: OrbitPart, turn: number, flat: number) {
  return Array.from({ length: part.moons ? Math.min(body.moons ?? 0, 6) : 0 }, (_, m) => {
    const angle = 2 * Math.PI * (chance(`${part.id}-${i}`, m) + turn * rounds(part, 9 / (1 + 0.35 * m)))
    const far = r * ((body.ring ? 2.4 : 1.6) + 0.36 * m)
    return { m, angle, behind: Math.sin(angle) < 0, x: Math.cos(angle) * far, y: Math.sin(angle) * far * flat, r: Math.max(r * (moonlike(body.moons!) - 0.02 * m), 0.35) }
  })
}

function Planet({ body, i, at, r, p, part, look, turn, flat }: Placed & { part: OrbitPart; look: Look; turn: number; flat: number }) {
  const k = coming(look, clamp(p * 1.6))
  if (k <= 0) return null
  const color = body.color ?? look.series[i % look.series.length]!
  const key = `${part.id}-${i}`
  // Light comes from the middle.
  const far = Math.hypot(at.x, at.y) || 1
  const [lx, ly] = part.heart ? [0.34, 0.3] : [0.5 - (at.x / far) * 0.32, 0.5 - (at.y / far) * 0.32]
  const ring = (half: 'back' | 'front') => <path d={half === 'back' ? `M${-r * 2} 0A${r * 2} ${r * 0.62} 0 0 1 ${r * 2} 0` : `M${r * 2} 0A${r * 2} ${r * 0.62} 0 0 1 ${-r * 2} 0`} fill="none" stroke={mixed(color, 'white', 0.7)} strokeWidth={r * 0.34} opacity={0.9} />
  const moons = moonsOf({ body, i, r }, part, turn, flat)
  const shown = (behind: boolean) => moons.filter((m) => m.behind === behind).map((m) => <circle key={m.m} cx={m.x} cy={m.y} r={m.r} fill={mixed('#e9e6dc', color, 0.85)} />)
  return (
    <g transform={`translate(${at.x} ${at.y}) scale(${k})`}>
      {shown(true)}
      <radialGradient id={key} cx={lx} cy={ly} r="0.72">
        <stop offset="0" stopColor={mixed('white', color, 0.42)} />
        <stop offset="0.42" stopColor={color} />
        <stop offset="1" stopColor={mixed('#05060f', color, look.style === 'playful' ? 0.42 : 0.74)} />
      </radialGradient>
      <g transform={body.ring ? 'rotate(-18)' : undefined}>
        {body.ring ? ring('back') : null}
        <circle r={r} fill={`url(#${key})`} />
        {body.ring ? ring('front') : null}
      </g>
      {shown(false)}
    </g>
  )
}

/** The radius of a moon against that of its planet: a single one is large. */
const moonlike = (n: number) => (n === 1 ? 0.28 : 0.16)

/** A nucleus, and electrons on circles that lean each its own way. */
function Atom({ part, v, look, box, time }: Props) {
  const reach = Math.min(box.w, box.h) * 0.47
  const n = part.bodies.length
  const paths = n <= 1 ? 1 : n <= 4 ? 2 : n <= 9 ? 3 : Math.min(Math.ceil(n / 4), 6)
  const turnsBy = v.turn ?? 0
  const sway = part.loop ? 0 : turnsBy * 24
  const lean = (k: number) => ((k + 0.5) / paths) * 180 + sway
  const own = (i: number) => Math.floor(i / paths)
  const sharing = (k: number) => Math.ceil((n - k) / paths)
  const electrons = part.bodies.map((body, i) => {
    const k = i % paths
    const angle = 2 * Math.PI * (own(i) / sharing(k) + k * 0.17 + turnsBy * rounds(part, 4.2 - k * 0.5))
    return { body, i, k, angle, at: seen(angle, reach, Math.asin(0.34), reach), p: staged(v.enter!, i + 2, n + 2, 0.5) }
  })
  const colors = [look.accent, look.second, look.series[2] ?? look.accent]
  const dot = (e: (typeof electrons)[number]) => {
    const color = e.body.color ?? colors[e.k % colors.length]!
    const r = reach * { playful: 0.062, smooth: 0.046, cinematic: 0.036 }[look.style] * e.at.scale * coming(look, e.p)
    return (
      <g key={e.i} transform={`rotate(${lean(e.k)}) translate(${e.at.x} ${e.at.y})`}>
        <circle r={r * 2.4} fill={faint(color, 0.2)} />
        <circle r={r} fill={look.style === 'cinematic' ? mixed('white', color, 0.4) : color} />
      </g>
    )
  }
  return (
    <Drawing box={box}>
      <g transform={`translate(${box.w / 2} ${box.h / 2})`}>
        {Array.from({ length: paths }, (_, k) => {
          const first = electrons.find((e) => e.k === k)
          return (
            first && (
              <g key={k} transform={`rotate(${lean(k)})`}>
                {electrons.filter((e) => e.k === k).map((e) => (
                  <Track key={e.i} at={(a) => seen(a, reach, Math.asin(0.34), reach)} angle={e.angle} p={filling(look, staged(v.enter!, k, paths, 0.7))} look={look} color={colors[k % colors.length]!} />
                ))}
              </g>
            )
          )
        })}
        {electrons.filter((e) => e.at.near < 0).map(dot)}
        <Nucleus id={part.id} n={clamp(n * 2, 4, 22)} r={reach * 0.17} look={look} p={v.enter!} time={time} />
        {electrons.filter((e) => e.at.near >= 0).map(dot)}
      </g>
    </Drawing>
  )
}

function Nucleus({ id, n, r, look, p, time }: { id: string; n: number; r: number; look: Look; p: number; time: number }) {
  // Points on a ball, evenly spread, the near ones drawn last; the ball turns slowly.
  const golden = Math.PI * (3 - Math.sqrt(5))
  const balls = Array.from({ length: n }, (_, i) => {
    const y = 1 - ((i + 0.5) / n) * 2
    const wide = Math.sqrt(1 - y * y)
    const a = i * golden + time * 0.35
    return { i, x: Math.cos(a) * wide, y, z: Math.sin(a) * wide }
  }).sort((a, b) => a.z - b.z)
  const size = r * clamp(1.5 / Math.cbrt(n), 0.42, 0.8)
  return (
    <g transform={`scale(${coming(look, p * 2)})`}>
      {[look.accent, look.second].map((color, k) => (
        <radialGradient key={k} id={`${id}-n${k}`} cx="0.36" cy="0.32" r="0.75">
          <stop offset="0" stopColor={mixed('white', color, 0.55)} />
          <stop offset="0.5" stopColor={color} />
          <stop offset="1" stopColor={mixed('black', color, look.style === 'playful' ? 0.25 : 0.5)} />
        </radialGradient>
      ))}
      {balls.map((b) => (
        <circle key={b.i} cx={b.x * r * 0.62} cy={b.y * r * 0.62} r={size} fill={`url(#${id}-n${b.i % 2})`} />
      ))}
    </g>
  )
}
