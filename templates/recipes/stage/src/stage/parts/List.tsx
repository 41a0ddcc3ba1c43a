import type { Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import { arrival, doneOf } from '../kinds'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import { standsOut } from '../scenes'
import type { Part } from '../story'
import type { Block, Setting } from '../type'

/** Points that come one after another: { items, from, marks: 'auto' | 'number' | 'down' | 'check' | 'tick' | 'strike' | 'dot' | 'arrow' | 'plus' | 'minus' | 'change' | 'alert' | 'none' }. */
interface Row {
  block: Block
  x: number
  y: number
  h: number
}

interface Grid {
  rows: Row[]
  setting: Setting
  font: number
  /** Width of a column, and of the mark in it. */
  wide: number
  mark: number
  height: number
  /** The dates before the points, where all have one. */
  dates?: string[]
  /** The prices or times behind the points, where all have one, and the width of their column. */
  ends?: string[]
  column: number
}

/** A year, a month with its year, or a time of day that a point begins with, and the rest of the point. */
export const dated = /^((?:(?:19|20)\d\d|(?:q[1-4]|[\p{L}]{3,4}\.?) (?:19|20)\d\d|\d{1,2}[:.h]\d\d(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?)(?:\s?[–-]\s?(?:(?:19|20)\d\d|\d{1,2}:\d\d))?)年?(?:\s*[:–—-])?\s+(\S.*)$/iu

/** The dates of points that all begin with one, so that they stand along a line; null otherwise. */
function datesOf(part: Part): { dates: string[]; rest: string[] } | null {
  const found = (part.items as string[]).map((item) => dated.exec(item.trim()))
  if (part.marks && part.marks !== 'auto') return null
  return found.length > 1 && found.every((m) => m !== null) ? { dates: found.map((m) => m![1]!), rest: found.map((m) => m![2]!) } : null
}

const money = '(?:[$€£¥₹₩]\\s?\\d[\\d.,]*k?|\\d[\\d.,]*\\s?(?:[$€£¥₹₩]|usd|eur|gbp|chf|kr|zł)|\\d+[.,]\\d\\d|\\d+\\s?(?:points?|pts?|punkte|puntos|pontos|punti|goals|tore)|\\d{1,4}|free|gratis)(?:\\s?(?:\\/|per|pro|al|par|por)\\s?\\p{L}+)?'
const hour = '\\d{1,2}(?:[:.]\\d\\d)?(?:\\s?[ap]\\.?m\\.?)?'
const ended = new RegExp(`^(.*\\p{L}\\)?)\\s*[:–—-]?\\s+(${money}|${hour}\\s?[–-]\\s?${hour}|\\d{1,2}[:.]\\d\\d(?:\\s?[ap]\\.?m\\.?)?|\\d{1,2}\\s?[ap]\\.?m\\.?|closed|geschlossen|cerrado|fermé|fechado|chiuso)$`, 'iu')

/** The prices or times of points that all end with one, so that they stand below each other; null otherwise. */
function endsOf(part: Part): { ends: string[]; rest: string[] } | null {
  const found = (part.items as string[]).map((item) => ended.exec(item.trim()))
  if (found.length < 2 || !found.every((m) => m !== null) || part.marks === 'strike') return null
  if (part.marks !== 'number' && found.every((m) => /^\d$/.test(m![2]!))) return null // "iPhone 5, Pixel 9"
  const rest = found.map((m) => m![1]!.replace(/[\s:–—-]+$/, ''))
  return new Set(rest).size === rest.length ? { ends: found.map((m) => m![2]!), rest } : null
}

/** How points are set: in letters of a size, on lines of a width. */
export const settingOf = (look: Look, width: number, font: number): Setting => ({
  family: look.face.text,
  weight: { playful: 600, smooth: 520, cinematic: 400 }[look.style],
  tracking: look.style === 'smooth' ? -0.012 : 0,
  line: 1.2,
  width,
  height: font * 1.2 * 6,
  max: font,
  min: Math.max(font * 0.82, 1),
  lines: 6,
  align: 'left',
})

/** The largest letters with which all points fit, in as many columns as that takes. */
function gridOf(items: string[], look: Look, room: Size, dates?: string[], ends?: string[]): Grid {
  const longest = Math.max(0, ...(dates ?? []).map((date) => date.length))
  let best: Grid | null = null
  const most = Math.min(Math.floor(room.w / 58) || 1, Math.ceil(items.length / 5), 4)
  for (let columns = 1; columns <= Math.max(most, 1); columns++) {
    const gutter = 6
    const wide = (room.w - gutter * (columns - 1)) / columns
    const per = Math.ceil(items.length / columns)
    for (let font = Math.min(8 + 6 / items.length, room.h / per / 1.5) * look.size; font > 1; font *= 0.92) {
      const mark = font * (dates ? longest * 0.62 + 2 : 2)
      const pad = font * { playful: 0.55, smooth: 0.62, cinematic: 0.6 }[look.style]
      const whole = settingOf(look, wide - mark - font * 0.8, font)
      const column = ends ? Math.max(...ends.map((end) => blockOf(end, { ...whole, weight: 700 }).width)) + font : 0
      const setting = { ...whole, width: whole.width - column }
      const blocks = items.map((item) => blockOf(item, setting))
      const heights = blocks.map((block) => Math.max(block.height, font * 1.2) + 2 * pad)
      const gap = look.style === 'playful' ? font * 0.4 : 0
      const tall = Math.max(...Array.from({ length: columns }, (_, c) => heights.slice(c * per, (c + 1) * per).reduce((a, b) => a + b + gap, -gap)))
      if (tall > room.h + 0.01 && font * 0.92 > 1) continue
      // Smaller letters rather than half a text.
      if (font > 3 && blocks.some((block, i) => shortened(block, items[i]!) || torn(block, items[i]!))) continue
      // A point is read as a line or two, and beside a price as one.
      if (ends && font > 4.2 && blocks.some((block) => block.lines.length > 1)) continue
      if (font > 5 && blocks.some((block) => block.lines.length > 2)) continue
      if (best && font < best.font * 1.15) break
      const rows: Row[] = []
      for (let i = 0, y = 0; i < items.length; i++) {
        if (i % per === 0) y = 0
        rows.push({ block: blocks[i]!, x: Math.floor(i / per) * (wide + gutter), y, h: heights[i]! })
        y += heights[i]! + gap
      }
      best = { rows, setting, font, wide, mark, height: Math.min(tall, room.h), dates, ends, column }
      break
    }
  }
  return best!
}

export const shortened = (block: Block, item: string) => block.lines[block.lines.length - 1]?.text.endsWith('…') === true && !item.trim().endsWith('…')

/** Whether a word of letters that are written with blanks between goes over two lines. */
export const torn = (block: Block, item: string) => item.split(/\s+/).some((word) => /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(word) && !block.lines.some((line) => line.text.includes(word)))

const grids = new Map<string, Grid>()

function laid(part: Part, look: Look, room: Size): Grid {
  const key = JSON.stringify([part.items, part.marks, part.marked, look.style, look.face, look.size, room.w, room.h])
  let grid = grids.get(key)
  if (!grid) {
    const [apart, priced] = [datesOf(part), endsOf(part)]
    grids.set(key, (grid = apart ? gridOf(apart.rest, look, room, apart.dates) : gridOf(priced?.rest ?? part.items, look, room, undefined, priced?.ends)))
  }
  return grid
}

function List({ part, v, look, box }: PartProps) {
  const grid = laid(part, look, box)
  const n = grid.rows.length
  const own = Math.max(Math.min(0.5, 2.2 / n), 1 / n)
  const widest = Math.max(...grid.rows.map((row) => row.block.width)) + grid.mark + grid.font * 0.8 + (grid.column > 0 ? grid.column + grid.font * 2 : 0)
  // A single short column stands in the middle as a block of its own width.
  const single = grid.rows.every((row) => row.x === 0)
  const shift = box.align === 'center' && single ? Math.max((box.w - Math.max(widest, Math.min(box.w, 64))) / 2, 0) : 0
  const wide = single ? Math.min(grid.wide, box.align === 'center' ? box.w - 2 * shift : grid.wide) : grid.wide
  const top = Math.max((box.h - grid.height) / 2, 0)
  const ticked = doneOf(part)
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {grid.rows.map((row, i) => {
        const p = staged(clamp(v.enter! / arrival(part)), i, n, own)
        const turn = ticked.indexOf(i)
        const done = turn >= 0 && arrival(part) < 1 ? staged(clamp((v.enter! - arrival(part)) / (1 - arrival(part))), turn, ticked.length, Math.min(1.5 / ticked.length, 1)) : 0
        return p > 0 && <Point key={i} i={i} n={n} p={p} done={done} row={{ ...row, x: row.x + shift, y: row.y + top }} wide={wide} grid={grid} part={part} look={look} />
      })}
    </Panel>
  )
}

function Point({ i, n, p, done, row, wide, grid, part, look }: { i: number; n: number; p: number; done: number; row: Row; wide: number; grid: Grid; part: Part; look: Look }) {
  const { font, mark } = grid
  const rtl = row.block.rtl
  const k = coming(look, p)
  const moved = { playful: `translate(${(rtl ? 1 : -1) * (k - 1) * -8} 0) scale(${0.9 + 0.1 * k})`, smooth: `translate(0 ${(1 - k) * font})`, cinematic: `translate(${(rtl ? -1 : 1) * (1 - k) * 3} 0)` }[look.style]
  const text = rtl ? wide - mark - row.block.width - (grid.setting.width - row.block.width) : mark
  const marks = marksOf(part, look)
  const date = grid.dates?.[i]
  return (
    <g transform={`translate(${row.x} ${row.y}) ${moved}`} opacity={clamp(p * { playful: 5, smooth: 1.6, cinematic: 1.3 }[look.style])}>
      {look.style === 'playful' && <rect width={wide} height={row.h} rx={Math.min(font * 0.7, row.h / 2)} fill={look.card} />}
      {stands(part, i) && <rect x={-font * 0.3} y={font * 0.16} width={(wide + font * 0.6) * filling(look, p)} height={row.h - font * 0.32} rx={look.style === 'cinematic' ? 0.5 : Math.min(font * 0.5, row.h / 2)} fill={look.accent} />}
      {look.style === 'smooth' && i < n - 1 && <rect y={row.h - 0.1} width={wide * filling(look, p)} height="0.2" fill={look.line} />}
      {date !== undefined ? <Dated date={date} first={i === 0} last={i === n - 1} h={row.h} gap={look.style === 'playful' ? font * 0.4 : 0} p={p} x={rtl ? wide - mark + font : mark - font} rtl={rtl} font={font} look={look} /> : (
      <g transform={`translate(${rtl ? wide - mark / 2 : mark / 2} ${row.h / 2})`}>
        {marks === 'number' || marks === 'down' ? <Number i={i} n={marks === 'down' ? (part.of ?? n) - (part.from ?? 1) + 1 - i : i + (part.from ?? 1)} font={font} look={look} /> : marks === 'tick' ? <Tick done={done} font={font} look={look} /> : marks === 'dot' || marks === 'strike' ? <circle r={font * 0.24} fill={look.style === 'playful' ? look.series[i % look.series.length] : look.accent} /> : signs[marks] && <Sign d={signs[marks]!} p={p} font={font} look={look} />}
      </g>
      )}
      <g transform={`translate(${text} ${(row.h - row.block.height) / 2})`}>
        <g opacity={marks === 'strike' ? 1 - 0.45 * done : undefined}>
          <Lines block={row.block} setting={grid.setting} fill={stands(part, i) ? look.onAccent : look.style === 'playful' ? look.onCard : look.ink} />
        </g>
        {marks === 'strike' && done > 0 && <Struck block={row.block} done={done} look={look} />}
      </g>
      {grid.ends && <End said={grid.ends[i]!} row={row} wide={wide} grid={grid} look={look} stands={stands(part, i)} />}
    </g>
  )
}

/** What a point ends with, in a column of its own. */
function End({ said, row, wide, grid, look, stands }: { said: string; row: Row; wide: number; grid: Grid; look: Look; stands: boolean }) {
  const { font, setting } = grid
  return (
    <text x={row.block.rtl ? font * 0.8 : wide - font * 0.8} y={row.h / 2 + font * 0.35} textAnchor={row.block.rtl ? 'start' : 'end'} fontFamily={setting.family} fontWeight={look.style === 'cinematic' ? 500 : 700} fontSize={font} fill={stands ? look.onAccent : look.style === 'playful' ? look.onCard : look.accentInk} style={{ whiteSpace: 'pre' }}>
      {said}
    </text>
  )
}

/** Whether a point is the one that is to stand out. */
const stands = (part: Part, i: number) => standsOut(part.items[i], part.marked)

/** What stands before points if nobody asks for a mark: their number, or a dot where it would be one more among prices, hours or results. */
function marksOf(part: Part, look: Look): string {
  if (part.marks && part.marks !== 'auto') return part.marks
  const figures = part.items.filter((item: string) => /\d/.test(item)).length
  return look.style === 'smooth' || figures * 2 >= part.items.length ? 'dot' : 'number'
}

function Number({ i, n, font, look }: { i: number; n: number; font: number; look: Look }) {
  if (look.style === 'playful')
    return (
      <>
        <circle r={font * 0.68} fill={look.series[i % look.series.length]} />
        <text y={font * 0.27} textAnchor="middle" fontFamily={look.face.display} fontWeight="700" fontSize={font * 0.76} fill={look.onSeries[i % look.series.length]}>
          {n}
        </text>
      </>
    )
  return (
    <text y={font * 0.34} textAnchor="middle" fontFamily={look.face.display} fontWeight={look.style === 'cinematic' ? 300 : 600} fontSize={font * 0.95} fill={look.accentInk}>
      {n}
    </text>
  )
}

/** A date before its point, and the dot and the line that join it to the next. */
function Dated({ date, first, last, h, gap, p, x, rtl, font, look }: { date: string; first: boolean; last: boolean; h: number; gap: number; p: number; x: number; rtl: boolean; font: number; look: Look }) {
  return (
    <g transform={`translate(${x} ${h / 2})`}>
      <rect x={-font * 0.05} y={first ? 0 : -h / 2} width={font * 0.1} height={((first ? 0 : h / 2) + (last ? 0 : h / 2 + gap)) * filling(look, p)} fill={look.accent} opacity="0.5" />
      <circle r={font * 0.26 * coming(look, clamp(p * 1.5))} fill={look.accent} />
      <text x={(rtl ? 1 : -1) * font * 0.7} y={font * 0.34} textAnchor={rtl ? 'start' : 'end'} fontFamily={look.face.display} fontWeight={look.style === 'cinematic' ? 400 : 700} fontSize={font * 0.95} fill={look.style === 'playful' ? look.onCard : look.accentInk}>
        {date}
      </text>
    </g>
  )
}

/** What is drawn in the round mark of a point, in heights of its letters. */
const signs: Record<string, string> = {
  check: 'M-.26 .02L-.06 .22L.28 -.18',
  plus: 'M-.28 0H.28M0 -.28V.28',
  minus: 'M-.26 0H.26',
  change: 'M-.26 .08A.27 .27 0 0 1 .2 -.18M.26 -.08A.27 .27 0 0 1 -.2 .18M.22 -.34V-.16H.04M-.22 .34V.16H-.04',
  alert: 'M0 -.3V.08M0 .28V.29',
  arrow: 'M-.3 0H.28M.06 -.22L.28 0L.06 .22',
}

function Sign({ d, p, font, look }: { d: string; p: number; font: number; look: Look }) {
  const drawn = clamp(p * 1.6 - 0.6)
  return (
    <g transform={`scale(${font})`}>
      <circle r={0.6 * coming(look, clamp(p * 1.5))} fill={look.accent} />
      <path d={d} pathLength="1" strokeDasharray="1 1.1" strokeDashoffset={1 - drawn} opacity={drawn > 0 ? 1 : 0} fill="none" stroke={look.onAccent} strokeWidth="0.13" strokeLinecap="round" strokeLinejoin="round" />
    </g>
  )
}

/** A box that is ticked. */
function Tick({ done, font, look }: { done: number; font: number; look: Look }) {
  const filled = coming(look, clamp(done * 2))
  const drawn = clamp(done * 1.7 - 0.5)
  return (
    <g transform={`scale(${font})`}>
      <rect x="-.52" y="-.52" width="1.04" height="1.04" rx=".24" fill="none" stroke={look.style === 'playful' ? look.onCard : look.soft} strokeWidth=".09" opacity="0.6" />
      {done > 0 && <rect x={-0.57 * filled} y={-0.57 * filled} width={1.14 * filled} height={1.14 * filled} rx={0.28 * filled} fill={look.accent} />}
      {drawn > 0 && <path d={signs.check} pathLength="1" strokeDasharray="1 1.1" strokeDashoffset={1 - drawn} fill="none" stroke={look.onAccent} strokeWidth="0.14" strokeLinecap="round" strokeLinejoin="round" />}
    </g>
  )
}

/** A line through the lines of a text, one after another. */
function Struck({ block, done, look }: { block: Block; done: number; look: Look }) {
  return block.lines.map((line, i) => {
    const share = staged(done, i, block.lines.length, 1 / block.lines.length)
    const [from, to] = [line.x - 0.12 * block.font, line.x + line.width + 0.12 * block.font]
    const d = block.rtl ? `M${to} ${line.y - 0.3 * block.font}H${to + (from - to) * share}` : `M${from} ${line.y - 0.3 * block.font}H${from + (to - from) * share}`
    return share > 0 && <path key={i} d={d} stroke={look.accent} strokeWidth={block.font * 0.1} strokeLinecap="round" />
  })
}

export const list: PartFace = { draw: List, most: (part, look, room) => laid(part, look, room).height }
