import { type Colour, contrast, css, hex, mixed, parse, readable, tone } from '../colour'
import { period } from '../effect'
import type { Look } from '../look'
import { clamp, coming, easeOutCubic, going, staged } from '../motion'
import { actOf, habitOf, moves, type Pose } from '../moves'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import { signs } from '../signs'
import { usual } from '../usual'

/**
 * Things as signs: { what, color, act, turn, lasts, still }. what names one of signs.ts, or a few with commas between. Beside
 * texts they live gently; act is a motion over the whole box, of which one turn takes so many seconds, in a scene that
 * lasts so many, up of the height of the box above its middle. With still it is there from the first frame on.
 */
function Sign({ part, v, look, box, time }: PartProps) {
  const things = thingsOf(part.what)
  const enter = part.still ? 1 : v.enter!
  if (enter <= 0 && !part.act) return null
  const colour = colourOf(things[0], part, look)
  const opacity = 1 - going(look, v.leave ?? 0)
  if (part.act) return <Panel box={box} opacity={opacity}>{alone({ things, part, look, box, time, enter, colour })}{part.badge && <Disc {...{ part, look, box, time, enter }} />}</Panel>
  const n = things.length
  const size = Math.min(box.h, box.w / (n + (n - 1) * 0.35)) * 0.96
  const wide = size * (n + (n - 1) * 0.35)
  const left = box.align === 'left' ? 0 : (box.w - wide) / 2
  return (
    <Panel box={box} opacity={opacity}>
      {things.map((thing, i) => {
        const p = staged(enter, i, n, 0.7)
        const move = moves[habitOf(thing)]!
        // Life begins when the sign has come.
        const lives = easeOutCubic(clamp((enter - 0.7) / 0.3))
        const pose = move.pose((time / period(part, move.seconds) + i * 0.37) % 1, 0.6 * lives)
        const k = Math.max(coming(look, p), 0)
        const pop = { playful: k, smooth: 0.92 + 0.08 * k, cinematic: 1.1 - 0.1 * k }[look.style]
        return (
          <g key={thing} transform={`translate(${left + size * (i * 1.35 + 0.5)} ${box.h / 2}) scale(${pop}) rotate(${look.style === 'playful' ? (1 - k) * -30 : 0})`} opacity={clamp(p * 6)}>
            <Thing {...{ thing, size, pose, look }} colour={colourOf(thing, part, look)} drawn={look.style === 'playful' ? clamp(p * 1.6) : clamp(p * 1.15)} />
          </g>
        )
      })}
    </Panel>
  )
}

/** How large a thing is that is alone, and where its middle is. */
const placed = (part: PartProps['part'], box: PartProps['box']) => ({ size: Math.min(box.w, box.h) * 0.46 * (part.size ?? 1), cx: box.w / 2, cy: box.h * (0.5 - (part.up ?? 0)) })

/** A few characters on a disc at the upper right corner of a thing that is alone: { badge, badgecolor }. */
function Disc({ part, look, box, time, enter }: Pick<Alone, 'part' | 'look' | 'box' | 'time' | 'enter'>) {
  const { size, cx, cy } = placed(part, box)
  const said = String(part.badge)
  const r = size * 0.17
  const wide = Math.max(said.length - 2, 0) * r * 0.5
  const fill = part.badgecolor ?? '#e0212f'
  const ink = contrast(parse(fill), parse('#ffffff')) >= 3 ? '#ffffff' : '#16161d'
  const k = part.still ? 1 : Math.max(coming(look, clamp(enter * 2 - 0.9)), 0)
  return (
    <g transform={`translate(${cx + size * 0.34} ${cy - size * 0.34}) scale(${k * (1 + 0.05 * Math.sin((2 * Math.PI * time) / part.turn))})`}>
      <rect x={-r - wide} y={-r} width={2 * (r + wide)} height={2 * r} rx={r} fill={fill} stroke={css(look.colour.base)} strokeWidth={r * 0.16} />
      <text y={r * 0.4} textAnchor="middle" fontFamily={look.face.display} fontWeight={700} fontSize={r * 1.15} fill={ink}>
        {said}
      </text>
    </g>
  )
}

/** The things that a part names, as far as there is a picture of them. */
const thingsOf = (what: unknown): string[] =>
  String(what ?? '')
    .split(/\s*,\s*/)
    .filter((thing, i, all) => signs[thing] && all.indexOf(thing) === i)

/** The colour of a thing: the one that is asked for, its usual one, or that of the texts where that one cannot be seen on the ground; else that of what stands out. */
function colourOf(thing: string | undefined, part: PartProps['part'], look: Look): string {
  const ground = look.colour.base
  if (part.color) return hex(readable(parse(part.color), ground, 1.6))
  const own = thing && usual[thing] ? parse(usual[thing]) : undefined
  if (own && contrast(own, ground) >= 1.9) return hex(own)
  const near = own && readable(own, ground, 2.1)
  return hex(own && near && Math.abs(near.l - own.l) < 0.2 ? near : readable(own ? look.colour.ink : look.colour.accent, ground, 3))
}

/** A colour half way to white. */
const pale = (c: Colour): Colour => tone(c, c.l + (1 - c.l) * 0.52, 0.62)

/** Pictures that leave much of their square empty. */
const slight = ['check', 'x', 'plus', 'arrow-right', 'arrow-left', 'arrow-up', 'arrow-down', 'loader', 'trending-up', 'trending-down']

/** A thing with its middle at the origin: its strokes as far as they are drawn, in a pose. */
export function Thing({ thing, size, pose = {}, look, colour, face, drawn = 1 }: { thing: string; size: number; pose?: Pose; look: Look; colour: string; face?: string; drawn?: number }) {
  const strokes = signs[thing]!.split('|')
  const [px, py] = pose.pivot ?? [12, 12]
  const k = (size / 24) * (slight.includes(thing) ? 1.3 : 1)
  const transform = `translate(${(pose.x ?? 0) * size} ${(pose.y ?? 0) * size}) scale(${k}) translate(${px - 12} ${py - 12}) rotate(${pose.turn ?? 0}) scale(${pose.wide ?? 1} ${pose.high ?? 1}) translate(${-px} ${-py})`
  // What is one closed line is a shape, all else a drawing.
  // A face is no glass: nothing of the ground shows through it.
  const fill = face ?? (strokes.length === 1 ? colour : css(look.style === 'playful' ? pale(parse(colour)) : mixed(parse(colour), look.colour.base, 0.82)))
  return (
    <g transform={transform} fill="none" stroke={colour} strokeWidth={look.style === 'playful' ? 2 : look.style === 'smooth' ? 1.7 : 1.4} strokeLinecap="round" strokeLinejoin="round" opacity={pose.opacity}>
      {strokes.map((d, i) => {
        if (pose.steam !== undefined && steaming[thing]?.[i]) return drawn >= 1 && <Steam key={i} at={steaming[thing]![i]!} u={(pose.steam + i * 0.37) % 1} />
        const p = staged(drawn, i, strokes.length, 0.6)
        const done = p >= 1
        return (
          p > 0 && (
            <g key={i} opacity={thing === 'loader' ? (i + 1) / strokes.length : undefined}>
              {d.endsWith('z') && <path d={d} fill={fill} stroke="none" opacity={clamp(p * 3 - 2)} />}
              <path d={d} pathLength={done ? undefined : 1} strokeDasharray={done ? undefined : '1 1.1'} strokeDashoffset={done ? undefined : 1 - p} />
            </g>
          )
        )
      })}
    </g>
  )
}

/** Where steam rises from, by thing: a place for each of its first strokes. */
const steaming: Record<string, [number, number][]> = { coffee: [[10, 5.4], [14, 5.4], [6, 5.4]] }

/** A wisp of steam that rises and goes out, at a share of its way. */
function Steam({ at: [x, y], u }: { at: [number, number]; u: number }) {
  const high = 1 + 0.5 * u
  return <path d={`M${x} ${y - 3.6 * u}q${0.9 * high} ${-0.85 * high} 0 ${-1.7 * high}q${-0.9 * high} ${-0.85 * high} 0 ${-1.7 * high}`} opacity={clamp(Math.sin(Math.PI * u) * 1.5)} />
}

interface Alone {
  things: string[]
  part: PartProps['part']
  look: Look
  box: PartProps['box']
  time: number
  enter: number
  colour: string
}

/** Ways across the frame: 1 to the right, -1 to the left; 1 down, -1 up. */
const courses: Record<string, [number, number]> = { drift: [1, 0], driftleft: [-1, 0], driftup: [1, -1], driftdown: [1, 1] }

/** Pictures whose nose points to the upper right. */
const slanted = ['rocket', 'plane', 'send', 'zap']

/** One thing that is all there is, in a motion over the box; a second one is where it goes to. */
function alone({ things, part, look, box, time, enter, colour }: Alone) {
  const [thing, other] = things
  if (!thing) return null
  const act = actOf(thing, part.act)
  const u = (time / part.turn) % 1
  const { size, cx, cy } = placed(part, box)
  const base = { thing, look, colour }
  const up = part.up ?? 0
  const target = other && <g transform={`translate(${box.w * 0.8} ${box.h * (0.2 - Math.min(up, 0) * 1.6)})`}>{other === 'star' && strewn(size * 0.13)}<Thing thing={other} size={size * 0.5} look={look} colour={colourOf(other, { ...part, color: undefined }, look)} drawn={enter} /></g>
  if (act === 'rise' && ['sun', 'moon', 'sunrise', 'moon-star'].includes(thing)) return dawn(base, { other, size, box, u: part.still ? u : clamp(time / part.lasts), still: part.still, id: part.id })
  const course = courses[act]
  if (target && (act === 'rise' || course)) return <>{target}{flight(base, { size, box, up, p: part.still ? u : clamp(time / part.lasts), time })}</>
  if (act === 'rise' || act === 'fall' || course) {
    // Beside texts it has a lane of its own.
    const s = part.lane ? box.h * 0.92 : size * 0.72
    const turn = slanted.includes(thing) ? (course ? 45 : act === 'rise' ? -45 : 135) : 0
    const shudder = thing === 'rocket' ? Math.sin(time * 40) * 0.008 : 0
    const far = course ? box.w * (part.lane ? 1.17 : 1) + s * 1.15 : box.h + s * (act === 'rise' ? 1.6 : 1.15)
    // It enters on the way, so that the first frame shows it, and is faster the farther it is.
    const way = act === 'rise' && thing === 'rocket' ? u * u * 0.6 + u * 0.4 : u
    const gone = clamp(time / part.lasts)
    const at = (part.lane ? 0.96 * gone - 0.42 : part.still ? ((way + 0.28) % 1) - 0.5 : part.across ? 0.74 * (0.35 * gone + 0.65 * easeInOut(gone)) - 0.37 : 0.4 * easeInOut(clamp(time / part.lasts)) - 0.29) * far
    const bob = Math.sin(4 * Math.PI * u)
    const deep = course ? at * (course[1] * (box.h + s * 1.15)) / far : 0
    const [x, y] = course ? [at * course[0], deep + bob * s * 0.08] : [bob * s * (act === 'fall' ? 0.35 : 0.05), act === 'rise' ? -at : at]
    // What falls is seldom alone.
    const more = act === 'fall' ? [1, 2, 3, 4, 5, 6] : []
    return (
      <>
        {target}
        {more.map((i) => {
          const p = (u + i * 0.29 + 0.1) % 1
          const sway = Math.sin(4 * Math.PI * (u + i * 0.17))
          const [far, away] = [s * (0.4 + 0.08 * (i % 3)), box.w * (((i * 0.37) % 1) - 0.5) * 0.9]
          return (
            <g key={i} transform={`translate(${cx + away + sway * far * 0.35} ${(p * 1.4 - 0.2) * box.h})`} opacity="0.55">
              <Thing {...base} size={far} pose={{ turn: turn + sway * 24 + i * 40 }} />
            </g>
          )
        })}
        <g transform={`translate(${cx + x} ${cy + y})${course ? ` scale(${course[0]} 1) rotate(${(Math.atan2(course[1] * (box.h + s * 1.15), far) * 180) / Math.PI})` : ''}`}>
          {thing === 'rocket' && act !== 'fall' && <g transform={course ? 'rotate(90)' : undefined}>{exhaust(look, s, time)}</g>}
          {course && thing !== 'rocket' && [0, 1, 2].map((i) => <line key={i} x1={-s * (0.68 + 0.16 * (i % 2))} x2={-s * (1 + 0.2 * i + 0.06 * bob)} y1={s * 0.2 * (i - 1)} y2={s * 0.2 * (i - 1)} stroke={look.soft} strokeWidth={s * 0.018} strokeLinecap="round" opacity="0.5" />)}
          <Thing {...base} size={s} pose={{ x: shudder, turn: turn + (act === 'fall' ? bob * 24 : course ? bob * 3 : 0) }} />
        </g>
      </>
    )
  }
  const k = Math.max(coming(look, enter), 0)
  if (act === 'draw') {
    // Drawn, held, and taken back where it begins again.
    const drawn = part.still ? clamp(u / 0.32) - clamp((u - 0.86) / 0.12) : clamp(time / Math.min(part.turn * 0.35, 1.6))
    const swell = 1 + 0.06 * Math.sin(Math.PI * clamp((u - 0.34) / 0.14))
    return <g transform={`translate(${cx} ${cy}) scale(${swell})`}>{drawn > 0 && <Thing {...base} size={size} drawn={drawn} />}</g>
  }
  if (act === 'grow') {
    const grown = 0.12 + 0.88 * easeInOut(part.still ? 1 - Math.abs(2 * u - 1) : clamp(time / (part.lasts * 0.75)))
    return <g transform={`translate(${cx} ${cy + (size / 2) * (1 - grown)}) scale(${grown})`}><Thing {...base} size={size} pose={{ turn: 3 * Math.sin(time * 1.9), pivot: [12, 22] }} /></g>
  }
  if (act === 'pop') {
    const out = part.still ? clamp((u - 0.86) / 0.1) : 0
    const grown = Math.max(coming({ ...look, style: 'playful' }, part.still ? u / 0.22 : time / 0.6), 0) * (1 - easeOutCubic(out))
    return <g transform={`translate(${cx} ${cy}) scale(${grown})`}><Thing {...base} size={size} /></g>
  }
  const move = moves[act] ?? moves.float!
  const lives = part.still ? 1 : clamp(enter * 3 - 2)
  return (
    <>
      {target}
      {(act === 'ring' || act === 'shake') && sound(look, u, size * 0.62, cx, cy, lives)}
      <g transform={`translate(${cx} ${cy}) scale(${look.style === 'playful' ? k : 0.94 + 0.06 * k})`}>
        <Thing {...base} size={size} pose={move.pose(u, act === 'spin' || act === 'load' ? 1 : lives)} drawn={part.still ? 1 : enter} />
      </g>
    </>
  )
}

/** Small stars around one that something flies to. */
const strewn = (far: number) =>
  [[-3.4, -0.6, 0.5], [2.3, -0.9, 0.65], [-2.1, 2.2, 0.4], [3.1, 1.6, 0.45], [-5.6, 0.9, 0.35], [0.6, 3.4, 0.3]].map(([x, y, r]) => (
    <path key={x} d="M0 -1L0.29 -0.29L1 0L0.29 0.29L0 1L-0.29 0.29L-1 0L-0.29 -0.29z" transform={`translate(${x! * far} ${y! * far}) scale(${r! * far})`} fill="#ffe9a8" />
  ))

/** A thing on its way from below to the other one, which it comes near. */
function flight({ thing, look, colour }: { thing: string; look: Look; colour: string }, { size, box, up, p, time }: { size: number; box: PartProps['box']; up: number; p: number; time: number }) {
  // A text below or above has its own room.
  const [from, to] = [{ x: box.w * 0.06, y: box.h * (1.02 - Math.max(up, 0) * 3.2) }, { x: box.w * 0.71, y: box.h * (0.36 - Math.min(up, 0) * 1.6) }]
  const way = 0.12 + 0.88 * easeInOut(p)
  const angle = (Math.atan2(from.y - to.y, to.x - from.x) * 180) / Math.PI
  const s = size * 0.72 * (1 - 0.45 * way)
  return (
    <g transform={`translate(${from.x + (to.x - from.x) * way} ${from.y + (to.y - from.y) * way})`}>
      {thing === 'rocket' && <g transform={`rotate(${90 - angle})`}>{exhaust(look, s, time)}</g>}
      <Thing thing={thing} look={look} colour={colour} size={s} pose={{ turn: slanted.includes(thing) ? 45 - angle : 0 }} />
    </g>
  )
}

/** What a rocket leaves behind: a flame, and puffs that grow and go out. */
function exhaust(look: Look, s: number, time: number) {
  return (
    <g>
      {Array.from({ length: 9 }, (_, i) => {
        const age = (time * 1.25 + i / 9) % 1
        return <circle key={i} cx={Math.sin(i * 2.4) * s * 0.12 * age} cy={s * (0.52 + 0.95 * age)} r={s * (0.05 + 0.09 * age)} fill={look.soft} opacity={0.42 * (1 - age)} />
      })}
      {[0.2, 0.12].map((r, i) => (
        <path key={r} d={`M${-s * r * 0.62} ${s * 0.4}Q0 ${s * (0.4 + r * (4.2 + Math.sin(time * 30 + i)))} ${s * r * 0.62} ${s * 0.4}z`} fill={i === 0 ? '#ff8a1f' : '#ffd21f'} />
      ))}
    </g>
  )
}

const easeInOut = (p: number) => p * p * (3 - 2 * p)

/** Rings of sound on both sides. */
function sound(look: Look, u: number, r: number, cx: number, cy: number, shown: number) {
  const loud = shown * clamp((0.6 - u) * 6) * clamp(u * 12)
  if (loud <= 0) return null
  return (
    <g transform={`translate(${cx} ${cy})`} fill="none" stroke={look.soft} strokeWidth={r * 0.035} strokeLinecap="round" opacity={loud * 0.8}>
      {[1.12, 1.36].flatMap((k) => [1, -1].map((side) => <path key={`${k}${side}`} d={`M${side * r * k * 0.88} ${-r * k * 0.47}A${r * k} ${r * k} 0 0 ${side > 0 ? 1 : 0} ${side * r * k * 0.88} ${r * k * 0.47}`} />))}
    </g>
  )
}

/** It comes up from behind the horizon; in a loop it goes down again. */
function dawn({ thing, look, colour }: { thing: string; look: Look; colour: string }, { other, size, box, u, still, id }: { other?: string; size: number; box: PartProps['box']; u: number; still?: boolean; id: string }) {
  const floor = box.h * 0.68
  const s = size * 1.1
  const up = still ? (1 - Math.cos(2 * Math.PI * u)) / 2 : easeOutCubic(clamp(0.12 + u * 1.1))
  const y = floor + s * 0.6 - up * (floor + s * 0.6 - box.h * 0.42)
  return (
    <>
      <clipPath id={`${id}-day`}>
        <rect x={-box.w} y={-box.h} width={box.w * 3} height={box.h + floor} />
      </clipPath>
      <g clipPath={`url(#${id}-day)`}>
        <g transform={`translate(${box.w / 2} ${y})`}>
          <circle r={s * 0.72} fill={css(parse(colour), 0.1 * up)} />
          <Thing thing={thing === 'sunrise' ? 'sun' : thing} look={look} colour={colour} size={s} pose={{ turn: thing.startsWith('moon') ? 0 : 45 * up }} />
        </g>
      </g>
      {other && (
        <g transform={`translate(${box.w * 0.3} ${floor - s * 0.36})`}>
          <Thing thing={other} look={look} colour={look.ink} face={look.base} size={s * 0.9} />
        </g>
      )}
      <line x1={box.w * 0.12} x2={box.w * 0.88} y1={floor} y2={floor} stroke={look.ink} strokeWidth="0.8" strokeLinecap="round" />
      {[0.1, 0.2].map((k) => (
        <line key={k} x1={box.w * (0.24 + k)} x2={box.w * (0.76 - k)} y1={floor + box.h * k * 0.45} y2={floor + box.h * k * 0.45} stroke={look.soft} strokeWidth="0.6" strokeLinecap="round" opacity={0.7 - 2 * k} />
      ))}
    </>
  )
}

export const sign: PartFace = { draw: Sign, measure: (part, look, room) => Math.min((part.max ?? 22) * look.size, room.h * 0.5, room.w) }
