import { chance } from '../chance'
import { hex, parse, readable } from '../colour'
import type { Box } from '../layout'
import type { Look } from '../look'
import { clamp, coming, easeOutCubic, going, staged, swing } from '../motion'
import { outline } from '../outline'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'

/**
 * Bodies: { shape, color } or forms, several of them; act is what they do. line draws their edges alone. turn is the seconds of one turn of
 * what repeats, lasts those of the scene, and still says that nothing comes or goes. up lifts the middle by a share of the
 * height of the box, size enlarges.
 */
export interface ShapePart {
  shape?: string
  color?: string
  forms?: Form[]
  act?: string
  line?: boolean
  turn?: number
  lasts?: number
  still?: boolean
  up?: number
  size?: number
  radius?: number
}

export interface Form {
  shape: string
  color?: string
}

/** What an act is drawn from. */
interface Stage {
  part: ShapePart
  look: Look
  box: Box
  time: number
  /** How far the bodies have come, 0 to 1, and beyond where the style goes beyond. */
  k: number
  enter: number
  forms: Required<Form>[]
  /** The middle, and the radius of one body alone. */
  cx: number
  cy: number
  r: number
}

/** Bodies that a single one turns into, where nobody names others. */
const usual = ['ball', 'box', 'star', 'flower', 'triangle', 'hexagon', 'blob']

function Shape({ part: any, v, look, box, time }: PartProps) {
  const part = any as ShapePart
  const act = part.act ?? 'bounce'
  const said = part.forms?.length ? part.forms : [{ shape: part.shape ?? 'ball', color: part.color }]
  const several = said.length > 1
  const forms = said.map(({ shape, color }, i) => ({ shape, color: color ? hex(readable(parse(color), look.colour.base, 1.7)) : several ? look.series[i % look.series.length]! : look.accent }))
  const enter = part.still ? 1 : v.enter!
  const r = Math.min(box.w, box.h) * (part.radius ?? (act === 'bounce' ? 0.16 : 0.3)) * (part.size ?? 1)
  const stage: Stage = { part, look, box, time, enter, forms, r, k: part.still ? 1 : Math.max(coming(look, enter), 0), cx: box.w / 2, cy: box.h * (0.5 - (part.up ?? 0)) }
  return (
    <Panel box={box} opacity={(1 - going(look, v.leave ?? 0)) * clamp(enter * 5)}>
      {(acts[act] ?? acts.turn!)(stage)}
    </Panel>
  )
}

/** The share of a turn at a time; a scene that is a loop holds whole turns. */
function turned({ part, time }: Stage, seconds: number): number {
  const one = part.turn ?? seconds
  return time / (part.still && part.lasts ? part.lasts / Math.max(Math.round(part.lasts / one), 1) : one)
}

/** A body with its middle at x and y; d may be a path of its own. */
function Body({ stage, form, x, y, r, angle = 0, d, wide = 1, high = 1, opacity, drawn = 1 }: { stage: Stage; form: Required<Form>; x: number; y: number; r: number; angle?: number; d?: string; wide?: number; high?: number; opacity?: number; drawn?: number }) {
  const path = d ?? outline(form.shape, form.shape, 0, swim(stage))
  const line = stage.part.line || form.shape === 'ring' || drawn < 1
  if (r <= 0) return null
  if (!d && !line && solids[form.shape]) return <Solid form={form} x={x} y={y} r={r} turn={angle + 28} opacity={opacity} />
  return (
    <path
      d={path}
      pathLength={drawn < 1 ? 1 : undefined}
      strokeDasharray={drawn < 1 ? '1 1.1' : undefined}
      strokeDashoffset={drawn < 1 ? 1 - drawn : undefined}
      transform={`translate(${x} ${y}) rotate(${angle}) scale(${r * wide} ${r * high})`}
      fill={form.shape === 'ring' ? 'none' : line ? `color-mix(in srgb, ${form.color} ${Math.round(12 * clamp(drawn * 3 - 2))}%, transparent)` : form.color}
      stroke={form.color}
      strokeWidth={line ? thick(stage, r) : 0.1}
      strokeLinejoin="round"
      strokeLinecap="round"
      opacity={drawn > 0 ? opacity : 0}
    />
  )
}

type Point = [number, number, number]

/** Corners of solids of radius 1, y upwards, and the corners of their faces, counterclockwise from outside. */
const solids: Record<string, { corners: Point[]; faces: number[][] }> = {
  cube: {
    corners: [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]].map(([x, y, z]): Point => [x! * 0.66, y! * 0.66, z! * 0.66]),
    faces: [[4, 5, 6, 7], [1, 0, 3, 2], [5, 1, 2, 6], [0, 4, 7, 3], [7, 6, 2, 3], [0, 1, 5, 4]],
  },
  pyramid: {
    corners: [[-0.8, -0.62, -0.8], [0.8, -0.62, -0.8], [0.8, -0.62, 0.8], [-0.8, -0.62, 0.8], [0, 0.86, 0]],
    faces: [[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4], [0, 1, 2, 3]],
  },
}

/** How far one looks down on solids, in radians, and where their light comes from. */
const tilt = 0.48
const light: Point = [-0.42, 0.75, 0.51]

/** A solid that has turned about its upright axis by degrees, its faces lit. */
function Solid({ form, x, y, r, turn, opacity }: { form: Required<Form>; x: number; y: number; r: number; turn: number; opacity?: number }) {
  const { corners, faces } = solids[form.shape]!
  const [s, c] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)]
  const seen = corners.map(([px, py, pz]): Point => {
    const [qx, qz] = [px * c + pz * s, pz * c - px * s]
    return [qx, py * Math.cos(tilt) - qz * Math.sin(tilt), py * Math.sin(tilt) + qz * Math.cos(tilt)]
  })
  return (
    <g transform={`translate(${x} ${y}) scale(${r} ${-r})`} opacity={opacity}>
      {faces.map((face, i) => {
        const [a, b, d] = [seen[face[0]!]!, seen[face[1]!]!, seen[face[2]!]!]
        const [u, w] = [[b[0] - a[0], b[1] - a[1], b[2] - a[2]], [d[0] - b[0], d[1] - b[1], d[2] - b[2]]] as [Point, Point]
        const normal: Point = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]]
        if (normal[2] <= 0) return null
        const lit = (normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]) / Math.hypot(...normal)
        const fill = lit > 0.55 ? `color-mix(in oklab, ${form.color}, white ${((lit - 0.55) * 70).toFixed(1)}%)` : `color-mix(in oklab, ${form.color}, black ${((0.55 - lit) * 46).toFixed(1)}%)`
        return <path key={i} d={`M${face.map((n) => `${seen[n]![0].toFixed(3)} ${seen[n]![1].toFixed(3)}`).join('L')}Z`} fill={fill} stroke={fill} strokeWidth="0.03" strokeLinejoin="round" />
      })}
    </g>
  )
}

const thick = ({ look, r: own }: Stage, r: number) => ({ playful: 0.13, smooth: 0.075, cinematic: 0.045 }[look.style] * Math.min(own / r, 3))

const swim = (stage: Stage) => turned(stage, 2 * Math.PI) * 2 * Math.PI

/** Bodies that look the same after a quarter of a turn. */
const even = ['ball', 'circle', 'ring', 'box', 'square', 'cross', 'octagon']

/** Most bodies in one line. */
const inLine = 5

/** Places of bodies beside each other, in lines one below the other where they are many or the box is high. */
function beside({ box, forms, cx, cy, r, part }: Stage): { x: number; y: number; r: number }[] {
  const n = forms.length
  const high = box.h * (1 - 2 * Math.abs(part.up ?? 0))
  const upright = box.h > box.w * 1.2
  const columns = upright && n > 2 ? Math.ceil(n / inLine) : n > inLine ? Math.ceil(n / 2) : n
  const lines = Math.ceil(n / columns)
  const one = Math.min(n > 1 ? r * 0.85 : r, (box.w * 0.86) / (columns * 2.5), (high * 0.92) / (lines * 2.5))
  return forms.map((_, i) => {
    const line = Math.floor(i / columns)
    const own = Math.min(columns, n - line * columns)
    return { x: cx + ((i % columns) - (own - 1) / 2) * one * 2.6, y: cy + (line - (lines - 1) / 2) * one * 2.6, r: one }
  })
}

/** All bodies beside each other, each in a pose of its own. */
const posed = (stage: Stage, pose: (i: number, r: number) => { angle?: number; size?: number; dy?: number; opacity?: number }) =>
  beside(stage).map((place, i) => {
    const p = staged(stage.enter, i, stage.forms.length, 0.7)
    const { angle, size = 1, dy = 0, opacity } = pose(i, place.r)
    return <Body key={i} stage={stage} form={stage.forms[i]!} x={place.x} y={place.y + dy} r={place.r * size * (stage.part.still ? 1 : Math.max(coming(stage.look, p), 0))} angle={angle} opacity={opacity} />
  })

const wave = (u: number) => Math.sin(2 * Math.PI * u)

/** Half of a scene that does not come back lies between these seconds from its ends. */
const lead = 0.9
const tail = 1.1

/** How much of a scene's play is done, 0 to 1; a loop's goes round. */
const played = ({ part, time }: Stage, before = lead, after = tail) => (part.still ? time / (part.lasts ?? 4) : clamp((time - before) / Math.max((part.lasts ?? 4) - before - after, 0.1)))

const ease = (u: number) => (u < 0.5 ? 4 * u ** 3 : 1 - (2 - 2 * u) ** 3 / 2)

/** A colour part of the way to another one. */
const blended = (from: string, to: string, share: number) => (share <= 0 || from === to ? from : share >= 1 ? to : `color-mix(in oklab, ${from}, ${to} ${(share * 100).toFixed(1)}%)`)

const acts: Record<string, (stage: Stage) => React.ReactNode> = {
  bounce(stage) {
    const { look, box, time, k, cx } = stage
    const form = stage.forms[0]!
    const r = stage.r
    const u = (time / (look.style === 'playful' ? 0.9 : 1.3)) % 1
    const high = 4 * u * (1 - u)
    const hit = Math.max(0, 1 - Math.min(u, 1 - u) / 0.1)
    const floor = box.h * 0.86
    const y = floor - r - high * Math.max(floor - 2.4 * r, 0)
    return (
      <>
        <ellipse cx={cx} cy={floor + r * 0.06} rx={r * (1.1 - 0.5 * high) * k} ry={r * 0.12 * (1.1 - 0.5 * high)} fill="#000" opacity={0.25 * (1 - 0.6 * high)} />
        <Body stage={stage} form={form} x={cx} y={y + r * 0.2 * hit} r={r * k} wide={1 + 0.2 * hit} high={1 - 0.2 * hit} angle={['ball', 'circle'].includes(form.shape) ? 0 : time * 60} />
      </>
    )
  },
  orbit(stage) {
    const { look, k, r, cx, cy } = stage
    const satellite = (i: number, front: boolean) => {
      const angle = 2 * Math.PI * (turned(stage, 4.2) + i / 3)
      if (Math.sin(angle) > 0 !== front) return null
      return <circle key={`${i}${front}`} cx={cx + Math.cos(angle) * r * 1.5 * k} cy={cy + Math.sin(angle) * r * 0.6 * k} r={r * (0.1 + 0.035 * Math.sin(angle))} fill={stage.forms[i + 1]?.color ?? look.series[(i + 1) % look.series.length]} />
    }
    return (
      <>
        <ellipse cx={cx} cy={cy} rx={r * 1.5 * k} ry={r * 0.6 * k} fill="none" stroke={look.line} strokeWidth="0.3" />
        {[0, 1, 2].map((i) => satellite(i, false))}
        <Body stage={stage} form={stage.forms[0]!} x={cx} y={cy} r={r * 0.52 * k} angle={90 * turned(stage, 9)} />
        {[0, 1, 2].map((i) => satellite(i, true))}
      </>
    )
  },
  /** Each becomes the next; one alone becomes others, and a loop comes back to the first. */
  morph(stage) {
    const { part, k, r, cx, cy } = stage
    const [first] = stage.forms
    const all = stage.forms.length > 1 ? stage.forms : [first!, ...usual.filter((shape) => shape !== first!.shape).map((shape) => ({ shape, color: first!.color }))]
    const turns = stage.forms.length < 2 ? stage.time / 1.5 : played(stage) * (part.still ? all.length : all.length - 1)
    const at = Math.min(Math.floor(turns), all.length * 99)
    const share = ease(clamp((turns - at) * 1.4 - 0.2))
    const [from, to] = [all[at % all.length]!, all[(at + 1) % all.length]!]
    const lively = Math.sin(Math.PI * share)
    // Half way both look alike from all four sides, or it only sways.
    const angle = even.includes(from.shape) && even.includes(to.shape) ? 90 * share : 14 * lively
    return <Body stage={stage} form={{ ...from, color: blended(from.color, to.color, share) }} d={outline(from.shape, to.shape, share, swim(stage))} x={cx} y={cy} r={r * k * (1 + 0.07 * lively)} angle={angle} />
  },
  trace(stage) {
    const places = beside(stage)
    const drawn = stage.part.still ? 1 - Math.abs(1 - 2 * (turned(stage, 4) % 1)) : played(stage, 0.2, 1.6)
    return places.map((place, i) => {
      const p = ease(staged(drawn, i, places.length, 0.75))
      return <Body key={i} stage={{ ...stage, part: { ...stage.part, line: true } }} form={stage.forms[i]!} x={place.x} y={place.y + swing(stage.time, 4) * 0.4} r={place.r} drawn={Math.min(p, 0.9999)} />
    })
  },
  turn: (stage) => posed(stage, (i) => ({ angle: 360 * turned(stage, stage.forms[i]!.shape === 'blob' ? 12 : 5), dy: stage.part.still ? 0 : swing(stage.time, 3.2, i * 0.2) * 0.8 })),
  rest: (stage) => posed(stage, (i, r) => ({ dy: r * 0.07 * wave(turned(stage, 3.2) + i * 0.17) })),
  pulse: (stage) => posed(stage, (i) => ({ size: 1 + 0.14 * wave(turned(stage, 1.6) - i * 0.14) })),
  wobble: (stage) => posed(stage, (i) => ({ angle: 12 * wave(turned(stage, 1.5) + i * 0.2) })),
  blink: (stage) => posed(stage, (i) => ({ opacity: 0.6 + 0.4 * wave(turned(stage, 1.4) + 0.25 - i * 0.17) })),
  hop: (stage) =>
    posed(stage, (i, r) => {
      const u = (((turned(stage, 1.2) - i * 0.13) % 1) + 1) % 1
      return { dy: -r * 1.1 * Math.max(0, Math.sin((Math.PI * u) / 0.6)) * (u < 0.6 ? 1 : 0) }
    }),
  grow: (stage) => posed(stage, () => ({ size: stage.part.still ? 0.65 - 0.45 * Math.cos(2 * Math.PI * played(stage)) : 0.2 + 1.15 * ease(played(stage, 0.3, 0.8)) })),
  shrink: (stage) => posed(stage, () => ({ size: stage.part.still ? 0.65 + 0.45 * Math.cos(2 * Math.PI * played(stage)) : 1.25 - 1.1 * ease(played(stage, 0.8, 0.8)) })),
  cover(stage) {
    const { box, cx, cy, r } = stage
    return <Body stage={stage} form={stage.forms[0]!} x={cx} y={cy} r={Math.max(r * 0.3 * stage.k, Math.hypot(box.w, box.h) * 1.35 * ease(played(stage, 0.7, 0.4)) ** 1.5)} />
  },
  /** Rings of the body go out from the middle. */
  ripple(stage) {
    const { r, cx, cy, enter } = stage
    const [form] = stage.forms
    const n = 4
    const rings = Array.from({ length: n }, (_, i) => (((turned(stage, 3.2) + i / n) % 1) + 1) % 1)
    const lined = { ...stage, part: { ...stage.part, line: true } }
    return (
      <>
        {rings.map((u, i) => (
          <Body key={i} stage={lined} form={stage.forms[i % stage.forms.length]!} x={cx} y={cy} r={r * (0.3 + 1.25 * u)} opacity={clamp(enter * 4 - 2 * u) * Math.min(1, (1 - u) * 1.8)} />
        ))}
        <Body stage={stage} form={form!} x={cx} y={cy} r={r * 0.28 * stage.k * (1 + 0.06 * wave(turned(stage, 3.2) * n))} />
      </>
    )
  },
  right: (stage) => crossing(stage, 1, 0),
  left: (stage) => crossing(stage, -1, 0),
  down: (stage) => crossing(stage, 0, 1),
  rise: (stage) => crossing(stage, 0, -1),
  /** Two come together and are one; the last of three is what they become. */
  merge: (stage) => joined(stage, ease(clamp(stage.part.still ? 1 - Math.abs(1 - 2 * played(stage)) : played(stage))) ),
  split: (stage) => joined(stage, 1 - ease(clamp(stage.part.still ? 1 - Math.abs(1 - 2 * played(stage)) : played(stage)))),
  pendulum(stage) {
    const { box, forms, cx, cy, r } = stage
    const long = r * 2.3
    return forms.map((form, i) => <Hanging key={i} stage={stage} form={form} x={cx + (i - (forms.length - 1) / 2) * Math.min(r * 2.4, box.w / (forms.length + 1))} top={cy - long * 0.62} long={long} r={r * 0.3} angle={-38 * Math.cos(2 * Math.PI * (turned(stage, 2.4) + i * 0.08)) * clamp(stage.enter * 2)} />)
  },
  /** Newton's cradle: what the first ball brings, the last takes along. */
  cradle(stage) {
    const { cx, cy, r, look } = stage
    const forms = stage.forms.length > 2 ? stage.forms : Array.from({ length: 5 }, () => stage.forms[0]!)
    const small = r * 0.27
    const long = r * 1.9
    const top = cy - long * 0.6
    const out = -Math.cos(2 * Math.PI * turned(stage, 1.9))
    const wide = small * (2 * forms.length + 1.6)
    return (
      <>
        <rect x={cx - wide / 2} y={top - small * 0.24} width={wide} height={small * 0.24} rx={small * 0.12} fill={look.soft} opacity={clamp(stage.enter * 4)} />
        {forms.map((form, i) => (
          <Hanging key={i} stage={stage} form={form} x={cx + (i - (forms.length - 1) / 2) * small * 2.08} top={top} long={long} r={small} angle={34 * clamp(stage.enter * 2) * (i === 0 ? -Math.min(out, 0) : i === forms.length - 1 ? -Math.max(out, 0) : 0)} />
        ))}
      </>
    )
  },
  /** A wave runs along a line from side to side. */
  sine(stage) {
    const { box, cy, r, enter, forms } = stage
    const long = box.w / 2.2
    return forms.map((form, i) => {
      const high = r * 0.62 * clamp(enter * 1.4) * (i % 2 ? 0.7 : 1)
      const at = (x: number) => cy + high * Math.sin(2 * Math.PI * (x / long - turned(stage, 2.4) + i * 0.25))
      const points = Array.from({ length: 121 }, (_, n) => (box.w * 1.04 * n) / 120 - box.w * 0.02)
      return <path key={i} d={`M${points.map((x) => `${x.toFixed(2)} ${at(x).toFixed(2)}`).join('L')}`} fill="none" stroke={form.color} strokeWidth={thick(stage, r) * r * 1.2} strokeLinejoin="round" strokeLinecap="round" pathLength={1} strokeDasharray="1 1.1" strokeDashoffset={1 - clamp(enter * 1.2)} />
    })
  },
  /** Lamps in a case, of which one is on after another. */
  lights(stage) {
    const { cx, cy, r, k, forms } = stage
    const n = forms.length
    const lamp = Math.min(r * 0.42, (r * 2.3) / (n * 2.4))
    const on = Math.floor(stage.part.still ? played(stage) * n : clamp(played(stage, 0.4, 0) * 0.9999) * n) % n
    return (
      <g transform={`translate(${cx} ${cy}) scale(${k})`}>
        <rect x={-lamp * 1.5} y={-lamp * (1.2 * n + 0.3)} width={lamp * 3} height={lamp * (2.4 * n + 0.6)} rx={lamp * 0.75} fill="#23262d" stroke="#3b4049" strokeWidth={lamp * 0.1} />
        {forms.map((form, i) => (
          <g key={i} transform={`translate(0 ${(i - (n - 1) / 2) * lamp * 2.4})`}>
            {i === on && <circle r={lamp * 1.22} fill={form.color} opacity="0.28" />}
            <circle r={lamp} fill={i === on ? form.color : `color-mix(in oklab, ${form.color}, #17191e 78%)`} />
          </g>
        ))}
      </g>
    )
  },
  /** Many of them, in several sizes, drift over the whole box. */
  float(stage) {
    const { box, forms, r } = stage
    const n = 14
    const columns = Math.max(2, Math.round(Math.sqrt((n * box.w) / box.h)))
    const lines = Math.ceil(n / columns)
    return Array.from({ length: columns * lines }, (_, i) => {
      const some = (what: string) => chance(`shape-${what}`, i)
      const form = forms[i % forms.length]!
      const x = ((i % columns) + 0.5 + 0.5 * (some('x') - 0.5)) / columns
      const y = (Math.floor(i / columns) + 0.5 + 0.5 * (some('y') - 0.5)) / lines
      const size = r * (0.22 + 0.3 * some('size')) * Math.max(coming(stage.look, staged(stage.enter, i, columns * lines, 0.6)), 0)
      const t = turned(stage, 7 + 4 * some('pace'))
      return <Body key={i} stage={stage} form={form} x={box.w * x + r * 0.16 * wave(t + some('across'))} y={box.h * y + r * 0.2 * wave(t + some('high'))} r={size} angle={(some('side') < 0.5 ? -1 : 1) * (360 * t * (stage.part.still ? 1 : 0.35) + 90 * some('angle'))} opacity={0.92} />
    })
  },
}

/** Bodies go from one side of the box to the other, each on its own line; in a loop they leave it and come back. */
function crossing(stage: Stage, dx: number, dy: number) {
  const { box, forms, part, look } = stage
  const n = forms.length
  const r = Math.min(stage.r * 0.6, ((dx ? box.h : box.w) * 0.8) / (n * 2.8))
  const way = dx ? box.w : box.h
  const reach = way / 2 + (part.still ? 1.6 * r : -1.5 * r)
  const p = part.still ? (turned(stage, 4) % 1) * 2 - 1 : (look.style === 'smooth' ? ease : easeOutCubic)(played(stage, 0.5, 0.7)) * 2 - 1
  return forms.map((form, i) => {
    const off = (i - (n - 1) / 2) * r * 2.8
    const at = reach * p
    return <Body key={i} stage={stage} form={form} x={box.w / 2 + dx * at + (dx ? 0 : off)} y={(dx ? stage.cy : box.h / 2) + dy * at + (dx ? off : 0)} r={r * stage.k} angle={dx && !['circle', 'ball', 'oval', 'arrow'].includes(form.shape) ? dx * ((at / r) * 57.3) : form.shape === 'arrow' ? (dx ? (dx < 0 ? 180 : 0) : dy * 90) : 0} />
  })
}

/** Bodies p of the way from around the middle to one in it; the one they become is the last, if it is unlike the others. */
function joined(stage: Stage, p: number) {
  const { forms, cx, cy, r, k, part } = stage
  const end = forms[part.act === 'split' ? 0 : forms.length - 1]!
  const others = part.act === 'split' ? forms.slice(1) : forms.slice(0, -1)
  const apart = part.act === 'split' || others.every((form) => form.shape !== end.shape || form.color !== end.color)
  const parts = others.length === 0 ? [end, end] : others.length === 1 && apart && part.act === 'split' ? [others[0]!, others[0]!] : others.length > 1 && apart ? others : part.act === 'split' ? others : forms
  const whole = others.length > 0 && (part.act === 'split' || (others.length > 1 && apart)) ? end : { shape: parts[0]!.shape, color: parts.length > 1 ? blended(parts[0]!.color, parts[1]!.color, 0.5) : end.color }
  const near = clamp(p / 0.72)
  const one = clamp((p - 0.72) / 0.28)
  const small = 0.72 * Math.min(1, 2 / parts.length + 0.2)
  const off = (parts.length > 2 ? Math.min(r * 1.3, stage.box.h * 0.47 - r * small) : r * 1.15) * (1 - near)
  return parts.map((form, i) => {
    const angle = (2 * Math.PI * i) / parts.length + (parts.length === 2 ? Math.PI : -Math.PI / 2)
    return <Body key={i} stage={stage} form={{ ...form, color: blended(form.color, whole.color, one) }} d={outline(form.shape, whole.shape, one, swim(stage))} x={cx + Math.cos(angle) * off} y={cy + Math.sin(angle) * off * (parts.length === 2 ? 0 : 0.9)} r={r * k * (small + (1 - small) * one + 0.08 * Math.sin(Math.PI * one))} />
  })
}

/** A body on a line that swings from a point above. */
function Hanging({ stage, form, x, top, long, r, angle }: { stage: Stage; form: Required<Form>; x: number; top: number; long: number; r: number; angle: number }) {
  return (
    <g transform={`rotate(${angle} ${x} ${top})`} opacity={clamp(stage.enter * 4)}>
      <line x1={x} y1={top} x2={x} y2={top + long} stroke={stage.look.soft} strokeWidth={r * 0.07} />
      <Body stage={stage} form={form} x={x} y={top + long} r={r * stage.k} />
    </g>
  )
}

export const shape: PartFace = { draw: Shape }
