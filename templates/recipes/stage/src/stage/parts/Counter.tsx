import type { Place, Size } from '../layout'
import type { Look } from '../look'
import { clamp, going } from '../motion'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import { decimalsOf, type Figure, type Piece, pieces, unitOf } from './figures'
import { ems } from './measure'

/** A number that runs from one value to another: its object's value is the number that is shown. */
export interface CounterPart extends Figure {
  id: string
  kind: 'counter'
  /** Colour of the number that a person asks for. */
  fill?: string
  from: number
  to: number
  /** Largest size of the digits, in rem. */
  max?: number
}

/** A piece of the number, with the place of a digit as a power of ten. */
interface Cell extends Piece {
  power: number
}

interface Setting {
  cells: Cell[]
  /** What one unit of the shown number is worth: 1000 for 10K. */
  unit: number
  decimals: number
  width: number
}

const settings = new Map<string, Setting>()

/** The longest form of the number, in pieces; 10K stays in thousands while it counts. */
function settingOf(part: CounterPart): Setting {
  const key = JSON.stringify(part)
  const known = settings.get(key)
  if (known) return known
  const largest = Math.abs(part.from) > Math.abs(part.to) ? part.from : part.to
  const unit = part.format === 'compact' || part.short ? unitOf(largest, part) : 1
  const decimals = part.decimals ?? (unit > 1 ? Math.min(decimalsOf(largest / unit), 1) : Math.max(decimalsOf(part.from), decimalsOf(part.to)))
  const list = pieces(part.from < 0 || part.to < 0 ? -Math.abs(largest) : largest, { ...part, decimals })
  const point = list.findIndex((p) => p.type === 'point')
  const whole = list.slice(0, point < 0 ? undefined : point).filter((p) => p.type === 'digit').length
  let power = whole - 1
  const cells = list.map((piece): Cell => ({ ...piece, power: piece.type === 'digit' ? power-- : power }))
  const width = list.reduce((sum, p) => sum + (p.type === 'digit' ? digit : ems(p.text) * (p.type === 'text' && p.text.trim().length > 1 ? 1 : 1.02)), 0) + 0.1
  const setting = { cells, unit, decimals, width }
  settings.set(key, setting)
  return setting
}

/** The width of a digit, in em: all are equally wide. */
const digit = 0.64

/** The size of the digits: as large as the room allows. */
function sizeOf(part: CounterPart, look: Look, room: Size): number {
  const most = part.max ?? { playful: 44, smooth: 40, cinematic: 38 }[look.style]
  return Math.min(most, room.h / 1.12, room.w / settingOf(part).width)
}

export const counter: PartFace = {
  draw: Counter as PartFace['draw'],
  measure: (part: Part, look: Look, room: Size) => sizeOf(part as unknown as CounterPart, look, room) * 1.12,
}

function Counter({ part, v, look, box }: PartProps & { part: CounterPart }) {
  const { cells, unit, decimals } = settingOf(part)
  const size = sizeOf(part, look, box)
  const value = v.value ?? part.to
  // Rounded, so that a value that has arrived is not a hair below its digit.
  const shown = Math.round((Math.abs(value) / unit) * 10 ** decimals * 1e6) / 1e6 / 10 ** decimals
  const out = going(look, v.leave ?? 0)
  const rolls = look.style !== 'cinematic'
  return (
    <div style={{ ...frame(box), color: part.fill ?? look.ink, opacity: clamp(v.enter! * 6) * (1 - out), transform: `translateY(${-out * size * 0.2}rem) scale(${landing(look, v.enter!)})` }}>
      <div style={{ fontFamily: look.face.display, fontWeight: look.face.weight, fontSize: `${size}rem`, lineHeight: 1.12, fontVariantNumeric: 'tabular-nums', display: 'flex', alignItems: 'center', whiteSpace: 'pre', letterSpacing: 0 }} dir="ltr">
        {cells.map((cell, i) => {
          const there = presence(cell, shown, value, decimals, rolls)
          if (there <= 0) return null
          if (cell.type === 'digit') return <Digit key={i} blank={shown < 10 ** cell.power && cell.power > 0} turn={turned(shown, cell.power, decimals, rolls)} locale={part.locale} width={digit * there} />
          const unitMark = cell.type === 'text'
          const early = cell.type === 'group' && shown < 10 ** (cell.power + 1) // no digit stands before it yet
          return (
            <span key={i} style={{ color: unitMark && !look.inked && !part.fill ? look.accentInk : undefined, opacity: early ? 0 : there, ...(there < 1 && { display: 'inline-block', width: `${ems(cell.text) * there}em` }) }}>
              {cell.text}
            </span>
          )
        })}
      </div>
    </div>
  )
}

const frame = (box: Place) =>
  ({ position: 'absolute', left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem`, display: 'flex', alignItems: 'center', justifyContent: box.align === 'left' ? 'flex-start' : 'center', transformOrigin: box.align === 'left' ? '0 50%' : '50% 50%' }) as const

/** The number grows while it runs, and lands. */
function landing(look: Look, enter: number): number {
  const end = clamp((enter - 0.86) / 0.14)
  const bump = Math.sin(end * Math.PI) * { playful: 0.07, smooth: 0.02, cinematic: 0 }[look.style]
  const from = { playful: 0.84, smooth: 0.94, cinematic: 0.9 }[look.style]
  return from + (1 - from) * clamp(enter / 0.86) + bump
}

/** How much of a piece is there: digits in front come when the number is large enough for them. */
function presence(cell: Cell, shown: number, value: number, decimals: number, rolls: boolean): number {
  if (cell.type === 'sign') return value < 0 && shown >= 0.5 * 10 ** -decimals ? 1 : 0
  const power = cell.type === 'digit' ? cell.power : cell.type === 'group' ? cell.power + 1 : 0
  if (power <= 0) return 1
  const least = 10 ** power
  if (!rolls) return shown >= least ? 1 : 0
  return clamp((shown - least * 0.96) / (least * 0.04))
}

/** Which digit stands at a place, with its share of the way to the next. */
function turned(shown: number, power: number, decimals: number, rolls: boolean): number {
  const whole = Math.round((shown / 10 ** power) * 1e7) / 1e7
  const at = Math.floor(whole)
  const rest = whole - at
  if (!rolls) return at % 10
  // The last place runs; the others turn while the places behind them go from 9 to 0.
  const lowest = power === -decimals
  const behind = 1 - 10 ** (-power - decimals)
  return (at % 10) + (lowest ? rest : clamp((rest - behind) / Math.max(1 - behind, 1e-9)))
}

/** A wheel with the digits, of which one is seen, or two where it turns. blank is a place that has no digit yet. */
function Digit({ turn, blank, locale, width }: { turn: number; blank: boolean; locale?: string; width: number }) {
  const at = Math.floor(turn)
  const rest = turn - at
  const own = (n: number) => pieces(((n % 10) + 10) % 10, { locale, decimals: 0 })[0]!.text
  if (rest < 0.001) return <span style={{ display: 'inline-block', width: `${width}em`, textAlign: 'center' }}>{blank ? '' : own(at)}</span>
  const cut = 'linear-gradient(transparent 4%, #000 16%, #000 84%, transparent 96%)'
  return (
    <span style={{ display: 'inline-block', width: `${width}em`, height: '1.12em', overflow: 'hidden', textAlign: 'center', maskImage: cut }}>
      <span style={{ display: 'block', transform: `translateY(${-rest * 1.12}em)` }}>
        <span style={{ display: 'block' }}>{blank ? '\u00a0' : own(at)}</span>
        <span style={{ display: 'block' }}>{own(at + 1)}</span>
      </span>
    </span>
  )
}
