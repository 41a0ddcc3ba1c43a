import { chance } from './chance'
import { css, tone } from './colour'
import { Board, Breath, Film, type Ground, Lined, Sheet, sliding, thrown } from './grounds'
import type { Size } from './layout'
import type { Look } from './look'
import { swing } from './motion'
import { blend, rgb, type Shading, soft, Surface } from './paint'
import type { BackdropName } from './story'

/** The backdrops of a style; a project has one of them by its variant. */
const usual: Record<Look['style'], Exclude<BackdropName, 'auto'>[]> = {
  playful: ['shapes', 'hills', 'waves', 'shapes', 'confetti', 'hills'],
  smooth: ['paper', 'arcs', 'paper', 'paper', 'arcs', 'paper'],
  cinematic: ['haze', 'haze', 'haze', 'stars', 'haze', 'stars'],
}

/** What lies behind everything and goes on moving while all else is held. */
export function Backdrop({ name, ...ground }: Ground & { name: BackdropName }) {
  const { look, size } = ground
  const kind = name === 'auto' ? usual[look.style][look.variant % 6]! : name
  const Moving = moving[kind]
  return (
    <>
      {kind === 'plain' || kind === 'shapes' || kind === 'rays' || kind === 'waves' || kind === 'hills' || kind === 'confetti' || kind === 'lined' || kind === 'breath' ? (
        <div className="layer ground" style={{ background: look.base }} />
      ) : (
        <Surface name={`${kind} ${look.style} ${look.hex.base} ${look.hex.accent} ${look.to ? css(look.to) : ''}`} size={size} shading={shadingOf(kind, size, look)} />
      )}
      {Moving && (
        <svg className="layer ground" viewBox={`0 0 ${size.w} ${size.h}`} preserveAspectRatio="none">
          <Moving {...ground} />
        </svg>
      )}
    </>
  )
}

function shadingOf(kind: BackdropName, size: Size, look: Look): Shading {
  if (kind === 'film') return thrown(size, look)
  if (kind === 'gradient') return sliding(size, look)
  return kind === 'paper' || kind === 'arcs' || kind === 'sheet' || kind === 'board' || !look.dark ? paper(size, look) : hall(size, look)
}

/** What lies over all else, for a backdrop that is more than a ground. */
export function Veil({ name, size, time, seed }: Omit<Ground, 'look'> & { name: string }) {
  if (name !== 'film') return null
  return (
    <svg className="layer" viewBox={`0 0 ${size.w} ${size.h}`} preserveAspectRatio="none">
      <Film size={size} time={time} seed={seed} />
    </svg>
  )
}

/** A sheet under even light, a little darker to its corners. */
function paper({ w, h }: Size, look: Look): Shading {
  const { base } = look.colour
  const middle = rgb(tone(base, look.dark ? base.l * 1.16 + 0.01 : Math.min(base.l * 1.025, 0.995), 0.9))
  const plain = rgb(base)
  const edge = rgb(tone(base, base.l * (look.dark ? 0.8 : 0.95), 1.2))
  const reach = Math.max(w, h) * 0.72
  return (x, y) => {
    const r = Math.hypot(x - w * 0.42, y - h * 0.34) / reach
    return r < 0.55 ? blend(middle, plain, soft(0, 0.55, r)) : blend(plain, edge, soft(0.55, 1.05, r))
  }
}

/** Darkness with a glow behind the middle, and light in the accent from beyond the lower edge. */
function hall({ w, h }: Size, look: Look): Shading {
  const { base, accent } = look.colour
  // The lighter the ground is, the less it glows: letters that can be read on the ground are read on the glow, too.
  const middle = rgb(tone(base, base.l + Math.min(base.l * 0.6 + 0.02, 0.2 * Math.max(1 - base.l * 1.7, 0.06)), 1.25))
  const plain = rgb(base)
  const edge = rgb(tone(base, base.l * 0.42, 0.8))
  const haze = rgb(tone(accent, Math.min(accent.l, 0.72), 0.9))
  const reach = Math.max(w, h) * 0.66
  return (x, y) => {
    const r = Math.hypot(x - w / 2, y - h * 0.46) / reach
    const wall = r < 0.5 ? blend(middle, plain, soft(0, 0.5, r)) : blend(plain, edge, soft(0.5, 1.05, r))
    const d = Math.hypot((x - w / 2) / (w * 0.62), (y - h * 1.2) / (h * 0.4))
    const light = 1 - Math.min(d, 1)
    return blend(wall, haze, 0.5 * light * light)
  }
}

const moving: Partial<Record<BackdropName, (ground: Ground) => React.JSX.Element>> = {
  shapes: Shapes,
  paper: Sheets,
  haze: Dust,
  grid: Grid,
  rays: Rays,
  waves: Waves,
  stars: Stars,
  hills: Hills,
  confetti: Scattered,
  arcs: Arcs,
  board: Board,
  sheet: Sheet,
  lined: Lined,
  breath: Breath,
  gradient: Sweep,
}

/** Playful: great discs at the corners that swim, and small figures that turn along the edges. */
function Shapes({ look, size: { w, h }, time, seed }: Ground) {
  const r = Math.min(w, h)
  const [a, b] = look.tints.map((tint) => css(tint))
  const flip = look.variant % 2 === 1
  const turn = time * 14
  // In the margin, where no text stands.
  const edge = Math.max(w * 0.033, 3)
  const k = Math.min(edge / 5, 1)
  const bob = (i: number, k = 2) => swing(time, 3.4 + i * 0.5, chance(seed, i)) * k
  return (
    <>
      <circle cx={w * (flip ? 0.94 : 0.06) + bob(0, 3)} cy={h * 0.98 + bob(1, 3)} r={r * 0.52} fill={a} />
      <circle cx={w * (flip ? 0.05 : 0.95) + bob(2, 3)} cy={h * 0.04 + bob(3, 3)} r={r * 0.44} fill={b} />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round" strokeWidth="1.4">
        <g transform={`translate(${edge} ${h * 0.13 + bob(4)}) rotate(${turn}) scale(${k})`}>
          <path d="M-2.6 0H2.6M0 -2.6V2.6" stroke={look.accent} />
        </g>
        <g transform={`translate(${w - edge} ${h * 0.86 + bob(5)}) scale(${k})`}>
          <circle r="2.8" stroke={look.accent} />
        </g>
        <g transform={`translate(${w - edge} ${h * 0.12 + bob(6)}) rotate(${-turn}) scale(${k})`}>
          <rect x="-2.3" y="-2.3" width="4.6" height="4.6" rx="1" stroke={look.second} />
        </g>
        <path transform={`translate(${edge} ${h * 0.87 + bob(7)}) rotate(${-12 + bob(7, 4)}) scale(${0.8 * k})`} d="M-5 0q1.25 -2.6 2.5 0t2.5 0t2.5 0t2.5 0" stroke={look.second} />
        <circle cx={w * 0.5 + bob(8)} cy={h * 0.03 + 0.4} r="1.1" fill={look.second} />
        <circle cx={w * 0.3} cy={h * 0.97 + bob(9, 0.8)} r="1.1" fill={look.accent} />
      </g>
    </>
  )
}

/** Smooth: large soft sheets that pass over each other. */
function Sheets({ look, size: { w, h }, time, seed }: Ground) {
  const { base, accent } = look.colour
  const l = base.l
  const a = css(look.tints[0])
  // In the dark the accent's hue would be brown or mud.
  const tint = accent.c > 0.03 && base.c < 0.03 && !look.dark ? accent : base
  const b = css({ ...tone(tint, look.dark ? l + 0.05 : l * 0.965), c: tint === base ? base.c : Math.min(tint.c * 0.16, 0.03) })
  const long = Math.max(w, h)
  const at = (i: number) => chance(seed, i)
  const turn = (i: number) => (at(i) - 0.5) * 16
  return (
    <>
      <g transform={`translate(${w * 0.98 + swing(time, 13, at(1)) * 5} ${h * 0.16 + swing(time, 11, at(2)) * 4}) rotate(${turn(3) + time * 1.5})`}>
        <rect x={-long * 0.27} y={-long * 0.27} width={long * 0.54} height={long * 0.54} rx={long * 0.2} fill={b} />
      </g>
      <g transform={`translate(${w * 0.02 + swing(time, 12, at(4)) * 5} ${h * 0.96 + swing(time, 14, at(5)) * 4}) rotate(${turn(6) - time * 1.2})`}>
        <rect x={-long * 0.25} y={-long * 0.25} width={long * 0.5} height={long * 0.5} rx={long * 0.18} fill={a} />
      </g>
    </>
  )
}

/** Hills in two tints that slide past each other, under a sun. */
function Hills({ look, size: { w, h }, time, seed }: Ground) {
  const hill = (i: number, high: number, at: number, speed: number) => {
    const long = w * (1.3 - 0.3 * i)
    const shift = -((time * speed + chance(seed, i) * long) % long)
    let d = `M${shift} ${h * at}`
    for (let x = shift; x < w + long; x += long) d += `c${long * 0.18} ${-h * high} ${long * 0.34} ${-h * high} ${long * 0.5} 0s${long * 0.32} ${h * high} ${long * 0.5} 0`
    return `${d}V${h + 1}H${shift}Z`
  }
  return (
    <>
      <circle cx={w * 0.86 + swing(time, 7, chance(seed, 9)) * 1.5} cy={h * 0.12 + swing(time, 5, chance(seed, 8)) * 1.5} r={Math.min(w, h) * 0.17} fill={css(look.tints[1])} />
      <path d={hill(0, 0.2, 0.66, 2.2)} fill={css(look.tints[1])} />
      <path d={hill(1, 0.14, 0.86, 4)} fill={css(look.tints[0])} />
    </>
  )
}

/** Small figures strewn along the edges, where no text stands, around a great disc. */
function Scattered({ look, size: { w, h }, time, seed }: Ground) {
  const edge = Math.min(w, h) * 0.05
  const n = 26
  return (
    <>
      <circle cx={w * 0.5} cy={h * 0.5} r={Math.min(w, h) * 0.62 + swing(time, 6) * 1.4} fill={css(look.tints[0])} />
      {Array.from({ length: n }, (_, i) => {
        const far = ((i + 0.5) / n) * 2 * (w + h)
        const [x, y] = far < w ? [far, 0] : far < w + h ? [w, far - w] : far < 2 * w + h ? [2 * w + h - far, h] : [0, 2 * (w + h) - far]
        const margin = edge * (0.35 + 0.4 * chance(seed, i))
        const inward = (v: number, most: number) => Math.min(Math.max(v, margin), most - margin)
        const fill = look.series[i % look.series.length]
        const turn = chance(seed, 50 + i) * 360 + time * (chance(seed, 90 + i) < 0.5 ? 30 : -30)
        return (
          <g key={i} transform={`translate(${inward(x, w)} ${inward(y, h) + swing(time, 3 + chance(seed, i) * 2, chance(seed, 20 + i)) * 0.8}) rotate(${turn})`}>
            {i % 3 === 0 ? <circle r="1" fill={fill} /> : i % 3 === 1 ? <rect x="-1.1" y="-0.55" width="2.2" height="1.1" rx="0.3" fill={fill} /> : <path d="M-1.6 0q0.8 -1.4 1.6 0t1.6 0" stroke={fill} strokeWidth="0.7" fill="none" strokeLinecap="round" />}
          </g>
        )
      })}
    </>
  )
}

/** Smooth: wide rings that swim in a corner. */
function Arcs({ look, size: { w, h }, time, seed }: Ground) {
  const long = Math.max(w, h)
  const [x, y] = [w * 0.96 + swing(time, 13, chance(seed, 1)) * 4, h * 0.94 + swing(time, 11, chance(seed, 2)) * 4]
  return (
    <g fill="none" stroke={css(look.tints[0])} strokeWidth={long * 0.055}>
      {[0.14, 0.27, 0.4].map((r, i) => (
        <circle key={i} cx={x} cy={y} r={long * r + swing(time, 9, i / 3) * 1.2} />
      ))}
    </g>
  )
}

/** Two soft lights that wander over a gradient. */
function Sweep({ look, size: { w, h }, time, seed }: Ground) {
  const far = Math.max(w, h)
  const fill = look.dark ? '#fff' : look.accent
  return (
    <>
      {[0, 1].map((i) => (
        <g key={i} transform={`translate(${w * (i ? 0.82 : 0.2) + swing(time, 9 + 2 * i, chance(seed, i)) * far * 0.06} ${h * (i ? 0.78 : 0.24) + swing(time, 11 - 2 * i, chance(seed, i + 5)) * far * 0.05})`} fill={fill} opacity="0.02">
          {[0.34, 0.29, 0.24, 0.19, 0.14].map((r) => (
            <circle key={r} r={far * r} />
          ))}
        </g>
      ))}
    </>
  )
}

/** Cinematic: dust in the light, near and far. */
function Dust({ look, size: { w, h }, time, seed }: Ground) {
  return (
    <>
      {Array.from({ length: 34 }, (_, i) => {
        const near = chance(seed, i * 5)
        const x = (((chance(seed, i * 5 + 1) + time * (0.004 + 0.014 * near)) % 1) * 1.1 - 0.05) * w
        const y = h * (1.04 - ((chance(seed, i * 5 + 2) + time * (0.008 + 0.024 * near)) % 1) * 1.08)
        const light = 0.5 + 0.5 * swing(time, 3 + 3 * chance(seed, i * 5 + 3), chance(seed, i * 5 + 4))
        return <circle key={i} cx={x} cy={y} r={0.12 + 0.34 * near * near} fill={look.accent} opacity={(0.12 + 0.5 * light) * (0.4 + 0.5 * near)} />
      })}
    </>
  )
}

/** Fine lines that glide. */
function Grid({ look, size: { w, h }, time }: Ground) {
  const step = 10
  const off = (time * 1.6) % step
  const lines: string[] = []
  for (let x = off - step; x < w + step; x += step) lines.push(`M${x} 0V${h}`)
  for (let y = off - step; y < h + step; y += step) lines.push(`M0 ${y}H${w}`)
  return <path d={lines.join('')} stroke={look.ink} strokeWidth="0.14" opacity="0.13" fill="none" />
}

/** Rays around the middle that turn. */
function Rays({ look, size: { w, h }, time }: Ground) {
  const { base } = look.colour
  const far = Math.hypot(w, h)
  const n = 14
  const fill = css(tone(base, look.dark ? base.l + 0.045 : base.l * 0.95, 1.05))
  const at = (k: number) => `${far * Math.cos(k)} ${far * Math.sin(k)}`
  return (
    <g transform={`translate(${w / 2} ${h * 0.52}) rotate(${time * 5})`}>
      {Array.from({ length: n }, (_, i) => {
        const k = (i / n) * 2 * Math.PI
        return <path key={i} d={`M0 0L${at(k)}L${at(k + Math.PI / n)}Z`} fill={fill} />
      })}
    </g>
  )
}

/** Waves along the lower edge. */
function Waves({ look, size: { w, h }, time, seed }: Ground) {
  const { base } = look.colour
  return (
    <>
      {[0, 1, 2].map((i) => {
        const long = w * (0.9 - 0.14 * i)
        const high = h * (0.035 + 0.012 * i)
        const y = h * (0.8 + 0.075 * i)
        const shift = ((time * (5 + 3 * i) + chance(seed, i) * long) % long) - long
        let d = `M${shift} ${y}`
        for (let x = 0; x < w + 2 * long; x += long) d += `q${long / 4} ${-high} ${long / 2} 0t${long / 2} 0`
        return <path key={i} d={`${d}V${h + 1}H${shift}Z`} fill={css({ ...look.tints[0], l: base.l + ((look.tints[0].l - base.l) * (i + 1)) / 3 })} />
      })}
    </>
  )
}

/** Stars that come nearer. */
function Stars({ look, size: { w, h }, time, seed }: Ground) {
  return (
    <>
      {Array.from({ length: 80 }, (_, i) => {
        const angle = chance(seed, 3 * i) * 2 * Math.PI
        const run = (chance(seed, 3 * i + 1) + time * 0.035) % 1
        const far = Math.hypot(w, h) * 0.56 * run ** 1.6
        return <circle key={i} cx={w / 2 + far * Math.cos(angle)} cy={h / 2 + far * Math.sin(angle)} r={0.08 + 0.36 * run * chance(seed, 3 * i + 2)} fill={look.ink} opacity={Math.min(run * 3, 1) * 0.75} />
      })}
    </>
  )
}
