import { contrast, css, oklch, parse, readable } from '../colour'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp } from '../motion'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import { faint, mixed } from './chart'
import { Caret, type Ink, inkOf, type Sheet, sheetOf, typed, Window } from './Window'

/** Commands that are typed at a prompt, and what they answer: { lines, title, prompt }. */
export interface TerminalPart {
  id: string
  kind: 'terminal'
  /** What a person types, what the program says, or that it is busy. */
  lines: { type: 'command' | 'output' | 'busy'; text: string }[]
  title?: string
  prompt: string
  theme?: 'light' | 'dark'
  /** Colour of what is typed that a person asks for. */
  color?: string
}

interface Row {
  /** Which of the lines it belongs to, and where its text begins there. */
  of: number
  from: number
  text: string
}

function rowsOf(part: TerminalPart, across: number): Row[] {
  return part.lines.flatMap((line, of) => {
    const room = Math.max(across - (line.type === 'command' ? part.prompt.length + 1 : 0), 6)
    const letters = [...line.text]
    const rows: Row[] = []
    for (let i = 0; i === 0 || i < letters.length; i += room) rows.push({ of, from: i, text: letters.slice(i, i + room).join('') })
    return rows
  })
}

/** One step of the playing for every letter that is typed, every line that is answered; waiting takes some more. */
function stepsOf(part: TerminalPart) {
  const weights: number[] = []
  const starts: number[] = []
  for (const line of part.lines) {
    starts.push(weights.length)
    if (line.type === 'command') weights.push(4, ...[...line.text].map((c) => (c === ' ' ? 1.7 : 1)), 5)
    else if (line.type === 'busy') weights.push(...Array.from({ length: 40 }, () => 0.6))
    else weights.push(2.2)
  }
  return { weights, starts }
}

const sets = new Map<string, { sheet: Sheet; rows: Row[]; weights: number[]; starts: number[] }>()

function setOf(part: TerminalPart, room: Size) {
  const key = JSON.stringify([part, room.w, room.h])
  let set = sets.get(key)
  if (!set) {
    const lengths = part.lines.map((l) => Math.max([...l.text].length + (l.type === 'command' ? part.prompt.length + 2 : 0), 24))
    const sheet = sheetOf(room, lengths, (across) => Math.max(rowsOf(part, across).length + 1, 4), 0, 7)
    sets.set(key, (set = { sheet, rows: rowsOf(part, sheet.across), ...stepsOf(part) }))
  }
  return set
}

export const terminal: PartFace = {
  draw: Terminal as PartFace['draw'],
  measure: (part: Part, _: Look, room: Size) => setOf(part as unknown as TerminalPart, room).sheet.height,
}

function Terminal({ part, v, look, box, time }: PartProps & { part: TerminalPart }) {
  const { sheet, rows, weights, starts } = setOf(part, box)
  const ink = inkFor(part, look)
  const p = clamp((v.enter! - 0.08) / 0.9)
  const done = typed(weights, p)
  const now = Math.max(starts.filter((s) => s <= done).length - 1, 0)
  const over = p >= 1
  const begun = rows.filter((row) => row.of < now || (row.of === now && (part.lines[now]!.type !== 'command' || row.from <= done - starts[now]! - 1)))
  const shown = begun.length > 0 ? begun : rows.slice(0, 1)
  const scroll = Math.max(shown.length + (over ? 1 : 0) - sheet.down, 0)
  return (
    <Window look={look} box={box} v={v} sheet={sheet} ink={ink} title={part.title ?? ''}>
      <div style={{ transform: `translateY(${-scroll * sheet.line}rem)` }}>
        {shown.map((row, i) => {
          const line = part.lines[row.of]!
          const share = clamp((done - starts[row.of]!) / ((starts[row.of + 1] ?? weights.length) - starts[row.of]!))
          const letters = [...row.text]
          const reached = line.type === 'command' ? clamp(done - starts[row.of]! - 1 - row.from, 0, letters.length) : letters.length
          const last = i === shown.length - 1 && !over
          return (
            <div key={i} style={{ height: `${sheet.line}rem`, whiteSpace: 'pre' }}>
              {line.type === 'command' && (row.from === 0 ? <Prompt text={part.prompt} look={look} ink={ink} /> : <span>{' '.repeat(part.prompt.length + 1)}</span>)}
              {line.type === 'busy' ? <Busy share={share} look={look} ink={ink} sheet={sheet} time={time} text={row.text} /> : <Words text={letters.slice(0, reached).join('')} first={line.type === 'command' && row.from === 0} ink={ink} output={line.type === 'output'} />}
              {last && line.type === 'command' && <Caret look={look} ink={ink} time={time} typing={done > starts[now]! && share < 0.9} />}
            </div>
          )
        })}
        {over && (
          <div style={{ height: `${sheet.line}rem`, whiteSpace: 'pre' }}>
            <Prompt text={part.prompt} look={look} ink={ink} />
            <Caret look={look} ink={ink} time={time} typing={false} />
          </div>
        )}
      </div>
    </Window>
  )
}

/** One colour for all that is typed, on a ground on which it can be read. */
function inkFor(part: TerminalPart, look: Look): Ink {
  const ink = inkOf(look, part.theme ?? 'dark')
  if (!part.color) return ink
  const dark = contrast(parse(part.color), oklch(0.2, 0, 0)) >= 4.5
  const ground = !part.theme ? inkOf(look, dark ? 'dark' : 'light') : ink
  const text = css(readable(parse(part.color), ground.ground === '#ffffff' ? oklch(1, 0, 0) : oklch(0.22, 0, 0)))
  return { ...ground, text, soft: mixed(text, ground.ground, 0.72), name: text, type: text, string: text, good: text, spot: text }
}

const Prompt = ({ text, look, ink }: { text: string; look: Look; ink: Ink }) => (
  <span style={{ color: look.style === 'smooth' ? ink.good : ink.spot, fontWeight: 700 }}>{text} </span>
)

/** A command: the program in one colour, its flags and texts in others. */
function Words({ text, first, ink, output }: { text: string; first: boolean; ink: Ink; output: boolean }) {
  if (output) return <span style={{ color: /^\s*(✓|✔|done\b|ok\b)/i.test(text) ? ink.good : ink.soft }}>{text}</span>
  return text.split(/(\s+)/).map((word, i) => (
    <span key={i} style={{ color: first && i === 0 ? ink.name : word.startsWith('-') ? ink.type : /^["'].*/.test(word) ? ink.string : ink.text, fontWeight: first && i === 0 ? 650 : undefined }}>
      {word}
    </span>
  ))
}

/** A bar that fills, and a tick when it is full. */
function Busy({ share, look, ink, sheet, time, text }: { share: number; look: Look; ink: Ink; sheet: Sheet; time: number; text: string }) {
  const width = Math.min(sheet.width - 2 * sheet.pad - sheet.font * 6, sheet.font * 22)
  // Programs do not work evenly.
  const uneven = clamp(share + Math.sin(share * Math.PI * 5) * 0.035 * (1 - share) * 2)
  const thick = sheet.font * { playful: 0.5, smooth: 0.24, cinematic: 0.16 }[look.style]
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', height: `${sheet.line}rem`, gap: `${sheet.font * 0.8}rem`, verticalAlign: 'top' }}>
      <span style={{ position: 'relative', width: `${width}rem`, height: `${thick}rem`, borderRadius: look.style === 'cinematic' ? 0 : '9rem', background: faint(ink.text, 0.16), overflow: 'hidden' }}>
        <span style={{ position: 'absolute', inset: 0, width: `${uneven * 100}%`, borderRadius: 'inherit', background: share >= 1 ? ink.good : ink.spot }} />
      </span>
      {share >= 1 ? (
        <svg viewBox="0 0 20 20" style={{ width: `${sheet.font}rem`, height: `${sheet.font}rem` }}>
          <path d="M3 11l5 5L17 5" fill="none" stroke={ink.good} strokeWidth={3} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      ) : (
        <svg viewBox="-10 -10 20 20" style={{ width: `${sheet.font}rem`, height: `${sheet.font}rem` }}>
          <path d="M7 0A7 7 0 1 1 0 -7" fill="none" stroke={ink.spot} strokeWidth={2.6} strokeLinecap="round" transform={`rotate(${(time * 360) % 360})`} />
        </svg>
      )}
      {text && <span style={{ color: ink.soft }}>{text}</span>}
    </span>
  )
}
