import type { Size } from '../layout'
import type { Look } from '../look'
import { easeInOutCubic } from '../../utils/easing'
import { clamp, staged } from '../motion'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import { faint } from './chart'
import { highlighted, type Letter } from './highlight'
import { Caret, inkOf, type Sheet, sheetOf, typed, Window } from './Window'

/** A text of code that is typed in a window: { code, language, title, how, mark }. */
export interface CodePart {
  id: string
  kind: 'code'
  code: string
  language: string
  title?: string
  /** typed letter by letter, or line by line. */
  how?: 'typed' | 'lines'
  theme?: 'light' | 'dark'
  /** Lines have their numbers; without it those of longer code have. */
  numbers?: boolean
  /** The first and the last line that are marked in the end, from 1. */
  mark?: [number, number]
}

interface Row {
  letters: Letter[]
  /** The number of its line; 0 where a long line goes on. */
  number: number
}

const numbersFrom = 4

const clean = (code: string) => code.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(/^\n+|\s+$/g, '')

function rowsOf(part: CodePart, across: number): Row[] {
  const rows: Row[] = []
  let line: Letter[] = []
  let number = 1
  const close = () => {
    const indent = Math.max(line.findIndex((l) => l.text !== ' '), 0)
    for (const [i, [from, to]] of cuts(line.map((l) => l.text), across).entries()) {
      const under = Array.from({ length: i > 0 ? underOf(indent, across) : 0 }, (): Letter => ({ text: ' ', ink: 'text' }))
      rows.push({ letters: [...under, ...line.slice(from, to)], number: i === 0 ? number : 0 })
    }
    line = []
    number++
  }
  for (const l of highlighted(clean(part.code), part.language).letters) {
    if (l.text === '\n') close()
    else line.push(l)
  }
  close()
  return rows
}

/** Blanks before a line that goes on. */
const underOf = (indent: number, across: number) => Math.min(indent + 2, Math.floor(across * 0.3))

/** Where a line is broken: before a word, if there is a place. */
function cuts(letters: string[], across: number): [number, number][] {
  const indent = Math.max(letters.findIndex((l) => l !== ' '), 0)
  const out: [number, number][] = []
  for (let from = 0; from < letters.length || from === 0; ) {
    const room = from === 0 ? across : across - underOf(indent, across)
    let to = Math.min(from + room, letters.length)
    if (to < letters.length) {
      let soft = to
      while (soft > from + room * 0.55 && letters[soft - 1] !== ' ') soft--
      if (letters[soft - 1] === ' ' && soft > from + room * 0.55) to = soft
    }
    out.push([from, Math.max(to, from)])
    if (to === from) break
    from = to
  }
  return out
}

const sheets = new Map<string, { sheet: Sheet; rows: Row[]; weights: number[]; gutter: number }>()

function setOf(part: CodePart, room: Size) {
  const key = JSON.stringify([part, room.w, room.h])
  let set = sheets.get(key)
  if (!set) {
    const lines = clean(part.code).split('\n')
    const gutter = (part.numbers ?? lines.length >= numbersFrom) ? String(lines.length).length + 2 : 0
    const letters = lines.map((l) => [...l])
    const sheet = sheetOf(room, letters.map((l) => l.length + 1), (across) => letters.reduce((sum, l) => sum + cuts(l, across).length, 0), gutter, 6.2)
    const rows = rowsOf(part, sheet.across)
    // Indents come at once, the end of a line takes a breath.
    const weights = rows.flatMap((row) => {
      const indent = row.letters.findIndex((l) => l.text !== ' ')
      return [...row.letters.map((l, i) => (indent < 0 || i < indent ? 0.01 : /[\s(){},;]/.test(l.text) ? 1.5 : 1)), 5]
    })
    sheets.set(key, (set = { sheet, rows, weights, gutter }))
  }
  return set
}

export const code: PartFace = {
  draw: Code as PartFace['draw'],
  measure: (part: Part, _: Look, room: Size) => setOf(part as unknown as CodePart, room).sheet.height,
}

function Code({ part, v, look, box, time }: PartProps & { part: CodePart }) {
  const { sheet, rows, weights, gutter } = setOf(part, box)
  const ink = inkOf(look, part.theme)
  const typing = clamp((v.enter! - 0.1) / 0.84)
  const lines = part.how === 'lines'
  const done = lines ? weights.length : typed(weights, typing)
  // The row that is being typed, and how far the rest has scrolled for it.
  let before = 0
  const starts = rows.map((row) => (before += row.letters.length + 1) - row.letters.length - 1)
  const current = lines ? Math.min(Math.floor(typing * rows.length), rows.length - 1) : Math.max(starts.filter((s) => s <= done).length - 1, 0)
  const over = rows.length - sheet.down
  const scroll = over > 0 ? clamp(glide(starts, done, current, lines ? typing * rows.length : null) - (sheet.down - 2), 0, over) : 0
  const marked = part.mark ? easeInOutCubic(clamp((v.enter! - 0.94) / 0.06)) : 0
  const line = (row: number) => rows.slice(0, row + 1).reduce((n, r) => Math.max(n, r.number), 0)
  return (
    <Window look={look} box={box} v={v} sheet={sheet} ink={ink} title={part.title ?? ''}>
      <div style={{ transform: `translateY(${-scroll * sheet.line}rem)` }}>
        {rows.map((row, i) => {
          const p = staged(typing, i, rows.length, Math.max(2 / rows.length, 0.2))
          const shown = lines ? row.letters.length : clamp(done - starts[i]!, 0, row.letters.length)
          const inMark = part.mark && line(i) >= part.mark[0] && line(i) <= part.mark[1]
          return (
            <div key={i} style={{ position: 'relative', height: `${sheet.line}rem`, whiteSpace: 'pre', opacity: (lines ? p : 1) * (part.mark && !inMark ? 1 - marked * 0.55 : 1), transform: lines && p < 1 ? `translateX(${(1 - p) * 3}rem)` : undefined }}>
              {inMark && marked > 0 && <span style={{ position: 'absolute', left: `${-sheet.pad}rem`, width: `${sheet.width * marked}rem`, top: 0, bottom: 0, background: faint(ink.spot, 0.18), borderLeft: `0.7rem solid ${ink.spot}` }} />}
              <span style={{ position: 'relative' }}>
                {gutter > 0 && <span style={{ color: i <= current || lines ? ink.soft : 'transparent' }}>{(row.number ? String(row.number) : '').padStart(gutter - 2)}{'  '}</span>}
                <Letters letters={row.letters.slice(0, shown)} ink={ink} />
                {i === current && !lines && <Caret look={look} ink={ink} time={time} typing={typing < 1} />}
              </span>
            </div>
          )
        })}
      </div>
    </Window>
  )
}

/** The place of the typing among the rows, with the way from row to row smoothed, so that scrolling does not jump. */
function glide(starts: number[], done: number, current: number, lines: number | null): number {
  if (lines !== null) return lines
  const from = starts[current]!
  const to = starts[current + 1] ?? from + 1
  return current + clamp((done - from) / Math.max(to - from, 1))
}

function Letters({ letters, ink }: { letters: Letter[]; ink: ReturnType<typeof inkOf> }) {
  const runs: { text: string; letter: Letter }[] = []
  for (const l of letters) {
    const last = runs[runs.length - 1]
    if (last && last.letter.ink === l.ink && last.letter.italic === l.italic) last.text += l.text
    else runs.push({ text: l.text, letter: l })
  }
  return runs.map((run, i) => (
    <span key={i} style={{ color: ink[run.letter.ink], fontStyle: run.letter.italic ? 'italic' : undefined }}>
      {run.text}
    </span>
  ))
}
