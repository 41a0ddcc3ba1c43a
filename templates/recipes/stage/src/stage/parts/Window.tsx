import type { CSSProperties, ReactNode } from 'react'
import type { Place, Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, going } from '../motion'
import type { PartProps } from '../part'
import { faint, mixed } from './chart'

/** What code and terminals stand in: a window with lines of letters that are all equally wide. */

/** The width of a letter of the mono face, in em. */
export const letter = 0.6

export interface Sheet {
  font: number
  line: number
  /** Letters in a line, and lines that are seen at once. */
  across: number
  down: number
  pad: number
  head: number
  width: number
  height: number
}

const smallest = 2.7

/**
 * A window for lines of so many letters, as large as the room allows. A third of
 * the lines may be broken for larger letters; what is too much for the smallest
 * letters scrolls. rows is how many rows there are if so many letters fit across.
 */
export function sheetOf(room: Size, lengths: number[], rows: (across: number) => number, gutter: number, most: number): Sheet {
  const pad = Math.min(4.2, room.w * 0.05)
  const head = 6
  const wide = Math.min(room.w, 168)
  const acrossAt = (font: number) => Math.max(Math.floor((wide - 2 * pad) / (font * letter)) - gutter, 8)
  const high = room.h - head - 2 * pad + 0.01
  const fits = (font: number) => {
    const across = acrossAt(font)
    return lengths.filter((l) => l > across).length <= lengths.length / 3 && rows(across) * font * 1.56 <= high
  }
  let font = most
  while (font > smallest && !fits(font)) font -= 0.1
  // Where all is long, it is broken rather than small.
  const whole = Math.min(3.4, most)
  if (font < whole && rows(acrossAt(whole)) * whole * 1.56 <= high) font = whole
  const line = font * 1.56
  const across = acrossAt(font)
  const down = Math.max(Math.min(rows(across), Math.floor(high / line)), 1)
  const need = (Math.min(Math.max(...lengths), across) + gutter) * font * letter + 2 * pad
  return { font, line, across, down, pad, head, width: Math.max(Math.min(wide, need), Math.min(wide, 96)), height: down * line + head + 2 * pad }
}

export interface Ink {
  ground: string
  text: string
  soft: string
  keyword: string
  string: string
  number: string
  name: string
  type: string
  good: string
  /** What stands out: the accent where it is seen on the ground. */
  spot: string
}

/** Colours in a window; all can be read on its ground. */
export function inkOf(look: Look, theme?: 'light' | 'dark'): Ink {
  if (theme === 'light' || (look.style === 'smooth' && !look.dark && theme !== 'dark')) {
    return { ground: '#ffffff', text: '#20242e', soft: '#6a7180', keyword: '#b01f68', string: '#17724a', number: '#985400', name: '#1d57c6', type: '#7238bd', good: '#17724a', spot: look.dark ? '#1d57c6' : look.accentInk }
  }
  // Of a light ground only a tint is left, so that the window is dark enough for its colours.
  const tint = look.dark ? { playful: 0.26, smooth: 0, cinematic: 0.55 }[look.style] : 0.06
  const ground = mixed(look.base, { playful: '#0c0720', smooth: '#171a21', cinematic: '#05070b' }[look.style], tint)
  return { ground, text: '#eceaf4', soft: '#9a96ad', keyword: '#ff8db5', string: '#a5e39b', number: '#ffc875', name: '#8cc6ff', type: '#cbabff', good: '#7fe0a2', spot: look.dark ? look.accent : '#7fe0a2' }
}

export function Window({ look, box, v, sheet, ink, title, children }: { look: Look; box: Place; v: PartProps['v']; sheet: Sheet; ink: Ink; title: string; children: ReactNode }) {
  const out = going(look, v.leave ?? 0)
  // It opens in the first moments of the coming, and then stands. It is often dark on a light ground: it takes its time to show.
  const k = coming(look, v.enter! * 7)
  const shown = clamp(v.enter! * 5)
  const dots = { playful: ['#ff6b6b', '#ffc94d', '#5fd38a'], smooth: ['#e3e5ea', '#e3e5ea', '#e3e5ea'], cinematic: ['', '', ''] }[look.style]
  const size = sheet.head * 0.27
  const frame: CSSProperties = {
    position: 'absolute',
    left: `${box.x + (box.align === 'left' ? 0 : (box.w - sheet.width) / 2)}rem`,
    top: `${box.y + (box.h - sheet.height) / 2}rem`,
    width: `${sheet.width}rem`,
    height: `${sheet.height}rem`,
    borderRadius: `${look.radius}rem`,
    overflow: 'hidden',
    background: ink.ground,
    color: ink.text,
    opacity: shown * (1 - out),
    transform: `translateY(${(1 - k) * 7 - out * 3}rem) scale(${0.93 + 0.07 * k})`,
    boxShadow: look.style === 'cinematic' ? `0 0 0 0.14rem ${faint(look.ink, 0.2)}, 0 2rem 7rem ${faint('#000', 0.5)}` : look.style === 'smooth' ? `0 0 0 0.1rem ${faint('#000', 0.06)}, 0 1.6rem 5rem ${faint('#1b2440', 0.16)}` : `0 1.6rem 0 ${faint('#000', 0.22)}`,
  }
  return (
    <div style={frame}>
      <div style={{ position: 'absolute', left: 0, right: 0, top: 0, height: `${sheet.head}rem`, display: 'flex', alignItems: 'center', gap: `${size * 0.75}rem`, padding: `0 ${sheet.pad}rem`, borderBottom: `0.12rem solid ${faint(ink.text, 0.09)}` }}>
        {dots.map((fill, i) => (
          <span key={i} style={{ width: `${size}rem`, height: `${size}rem`, borderRadius: '50%', background: fill || 'none', border: fill ? undefined : `0.16rem solid ${faint(ink.text, 0.4)}` }} />
        ))}
        <span dir="auto" style={{ flex: 1, textAlign: 'center', fontFamily: look.face.text, fontWeight: 550, fontSize: '2.6rem', color: ink.soft, whiteSpace: 'pre', overflow: 'hidden', textOverflow: 'ellipsis', paddingRight: `${size * 4.5}rem` }}>
          {title}
        </span>
      </div>
      <div style={{ position: 'absolute', left: 0, right: 0, padding: `0 ${sheet.pad}rem`, top: `${sheet.head + sheet.pad * 0.8}rem`, height: `${sheet.down * sheet.line}rem`, overflow: 'hidden', fontFamily: look.face.mono, fontSize: `${sheet.font}rem`, lineHeight: `${sheet.line}rem`, fontVariantLigatures: 'none', fontWeight: 450, textAlign: 'left' }} dir="ltr">
        {children}
      </div>
    </div>
  )
}

/** The block that stands where the next letter comes. It blinks once a second when nobody types. */
export function Caret({ look, ink, time, typing }: { look: Look; ink: Ink; time: number; typing: boolean }) {
  const on = typing || time % 1 < 0.58
  return <span style={{ display: 'inline-block', width: look.style === 'smooth' ? '0.14em' : '0.55em', height: '1.12em', verticalAlign: '-0.2em', marginRight: '-0.6em', background: ink.spot, opacity: on ? 1 : 0, borderRadius: look.style === 'playful' ? '0.12em' : 0 }} />
}

/** How far typing has got: letters come in a rhythm of their own, the same every time. */
export function typed(weights: number[], p: number): number {
  const sum = weights.reduce((a, b) => a + b, 0)
  let left = clamp(p) * sum + 1e-6
  for (const [i, weight] of weights.entries()) {
    if (left < weight) return i
    left -= weight
  }
  return weights.length
}
