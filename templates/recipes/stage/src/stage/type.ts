/** Setting texts: how they are broken into lines, how large they are, where each letter stands. */

/** What moves on its own: a letter, or a word that must not be taken apart. */
export interface Glyph {
  text: string
  /** Left edge and baseline. */
  x: number
  y: number
  width: number
  line: number
  word: number
}

export interface Line {
  x: number
  y: number
  width: number
  /** The words of the line and where each begins, for what is not to be taken apart. */
  text: string
}

/** A text that is set; its upper edge is at 0, and x runs from 0 to the width of its room. */
export interface Block {
  glyphs: Glyph[]
  lines: Line[]
  font: number
  /** Between letters, in em: none in scripts that are not spaced out. */
  tracking: number
  words: number
  width: number
  height: number
  rtl: boolean
}

export interface Setting {
  family: string
  weight: number
  /** In em. */
  tracking: number
  /** Height of a line, in heights of the font. */
  line: number
  width: number
  height: number
  /** The largest and the smallest font; what does not fit the smallest is cut with an ellipsis. */
  max: number
  min: number
  /** The size to which the lines grow beyond the largest font, if there is room for them. */
  grow?: number
  /** As many lines at most. */
  lines: number
  align: 'left' | 'center' | 'right'
}

const canvas = document.createElement('canvas').getContext('2d')!
const widths = new Map<string, number>()

/** The width of a text set in a font of height 1. */
function widthOf(text: string, family: string, weight: number): number {
  const key = `${weight} ${family} ${text}`
  let width = widths.get(key)
  if (width === undefined) {
    canvas.font = `${weight} 100px ${family}`
    width = canvas.measureText(text).width / 100
    widths.set(key, width)
  }
  return width
}

const segments = (text: string, granularity: 'grapheme' | 'word') => [...new Intl.Segmenter(undefined, { granularity }).segment(text)].map((s) => s.segment)
export const letters = (text: string): string[] => segments(text, 'grapheme')

/** Scripts whose letters join or stack: a word of them moves as one. */
const joined = /[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufeff]/
const rightToLeft = /^[^A-Za-z\u00c0-\u024f\u3040-\u9fff]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
/** Scripts written without blanks, which may be broken between words of any kind. */
const unspaced = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/

const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/
/** What no line begins with: signs, small kana, the long vowel. */
const trailing = /^[\p{P}\p{S}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々]+$/u

/** What parts two texts of a line: no line begins with it, or is nothing else. */
const parting = /^[·•|–—-]$/

export const isRtl = (text: string): boolean => rightToLeft.test(text)

/** Whether a Japanese ending or particle belongs to what is before it, or this to a prefix. */
const hangs = (before: string, part: string): boolean =>
  /^[おご]$/.test(before) || (/^[ぁ-ゟ]{1,3}$/.test(part) && !/^[おご]$/.test(part) && /[\p{L}ー]$/u.test(before) && before.length + part.length <= 6)

interface Word {
  text: string
  width: number
  /** Whether a blank stands before it. */
  space: boolean
}

type Measure = (text: string) => number

function wordsOf(paragraph: string, measure: Measure): Word[] {
  const out: Word[] = []
  for (const chunk of paragraph.split(/\s+/).filter(Boolean)) {
    const before = out[out.length - 1]
    if (before && parting.test(chunk)) {
      before.text += ` ${chunk}`
      before.width = measure(before.text)
      continue
    }
    const parts = unspaced.test(chunk) ? segments(chunk, 'word').flatMap((part) => (dense.test(part) && part.length > 8 ? letters(part) : [part])) : [chunk]
    for (const [i, part] of parts.entries()) {
      const last = out[out.length - 1]
      if (i > 0 && last && (trailing.test(part) || hangs(last.text, part))) {
        last.text += part
        last.width = measure(last.text)
      } else out.push({ text: part, width: measure(part), space: i === 0 })
    }
  }
  return out
}

const rowWidth = (row: Word[], space: number) => row.reduce((w, word, i) => w + word.width + (i > 0 && word.space ? space : 0), 0)

function filled(words: Word[], limit: number, space: number): Word[][] {
  const lines: Word[][] = []
  let width = 0
  for (const word of words) {
    const more = (word.space && width > 0 ? space : 0) + word.width
    if (lines.length > 0 && width + more <= limit + 1e-9) {
      lines[lines.length - 1]!.push(word)
      width += more
    } else {
      lines.push([word])
      width = word.width
    }
  }
  return lines
}

/** Breaks words into at most n lines so that the widest is as narrow as can be. */
function broken(words: Word[], n: number, space: number): Word[][] {
  let low = Math.max(...words.map((w) => w.width))
  let high = rowWidth(words, space)
  for (let i = 0; i < 24; i++) {
    const mid = (low + high) / 2
    if (filled(words, mid, space).length <= n) high = mid
    else low = mid
  }
  return filled(words, high, space)
}

/** Letters that hang together are never set wider or tighter, and letters that reach high and low need higher lines. */
function suited(content: string, to: Setting): Setting {
  if (joined.test(content)) return { ...to, tracking: 0, line: Math.max(to.line, 1.36) }
  if (/\p{Extended_Pictographic}/u.test(content)) return { ...to, line: Math.max(to.line, 1.26) }
  return dense.test(content) ? { ...to, tracking: 0, line: Math.max(to.line, 1.16) } : to
}

/** Sets a text as large as it fits, in lines of about one length. */
export function setText(content: string, setting: Setting): Block {
  const to = suited(content, setting)
  const measure: Measure = (text) => widthOf(text, to.family, to.weight) + to.tracking * (to.tracking ? letters(text).length : 0)
  const space = measure('n n') - 2 * measure('n')
  const paragraphs = content.split(/\n+/).map((p) => wordsOf(p, measure)).filter((p) => p.length > 0)
  const width = (row: Word[]) => Math.max(rowWidth(row, space) - to.tracking, 0.01)
  const size = (rows: Word[][], max = to.max) => Math.min(max, to.width / Math.max(...rows.map(width), 0.01), to.height / (Math.max(rows.length, 1) * to.line))
  let rows: Word[][] = []
  let font = 0
  const most = Math.max(to.lines, paragraphs.length)
  for (let n = 1; n <= most; n++) {
    const tried = paragraphs.flatMap((p) => broken(p, n, space))
    if (tried.length > most && rows.length > 0) continue
    const got = size(tried)
    if (got > font * 1.08) [rows, font] = [tried, got]
  }
  if (to.grow && font >= to.max * 0.999) font = Math.max(font, size(rows, to.grow))
  if (font < to.min) [rows, font] = cut(paragraphs, space, to, measure)
  return placed(rows, font, content, space, to, width)
}

/** A text that is too long, in the smallest font, up to where the room ends. */
function cut(paragraphs: Word[][], space: number, to: Setting, measure: Measure): [Word[][], number] {
  const room = Math.max(Math.floor(to.height / (to.min * to.line)), 1)
  // A word wider than the room is cut into pieces: it may be a text of a thousand letters.
  const limit = to.width / to.min
  const pieces = paragraphs.map((p) =>
    p.flatMap((word) => {
      if (word.width <= limit) return [word]
      const all = letters(word.text)
      const n = Math.ceil(word.width / limit) + 1
      const per = Math.max(Math.floor(all.length / n), 1)
      return Array.from({ length: Math.ceil(all.length / per) }, (_, i): Word => {
        const text = all.slice(i * per, (i + 1) * per).join('')
        return { text, width: measure(text), space: i === 0 && word.space }
      })
    }),
  )
  const rows = pieces.flatMap((p) => filled(p, limit, space))
  if (rows.length <= room) return [rows, to.min]
  const last = rows[room - 1]!
  const dots = measure('…')
  while (last.length > 1 && rowWidth(last, space) + dots > limit) last.pop()
  const end = last[last.length - 1]!
  end.text += '…'
  end.width += dots
  return [rows.slice(0, room), to.min]
}

function placed(rows: Word[][], font: number, content: string, space: number, to: Setting, width: (row: Word[]) => number): Block {
  const rtl = isRtl(content)
  const align = rtl && to.align !== 'center' ? (to.align === 'left' ? 'right' : 'left') : to.align
  const block: Block = { glyphs: [], lines: [], font, tracking: to.tracking, words: 0, width: 0, height: rows.length * to.line * font, rtl }
  for (const [i, row] of rows.entries()) {
    const wide = width(row) * font
    const y = (i * to.line + to.line / 2 + 0.355) * font
    const left = align === 'left' ? 0 : align === 'right' ? to.width - wide : (to.width - wide) / 2
    block.width = Math.max(block.width, wide)
    block.lines.push({ x: left, y, width: wide, text: row.map((w, j) => (j > 0 && w.space ? ' ' : '') + w.text).join('') })
    let x = rtl ? left + wide : left
    for (const [j, word] of row.entries()) {
      const gap = j > 0 && word.space ? space * font : 0
      const own = word.width * font
      x = rtl ? x - gap - own : x + gap
      placeWord(block, word, x, y, i, to)
      if (!rtl) x += own
      block.words++
    }
  }
  return block
}

/** Letters stand where they would in the whole word: kerned to what is before them. */
function placeWord(block: Block, word: Word, x: number, y: number, line: number, to: Setting): void {
  const { font } = block
  const parts = joined.test(word.text) ? [word.text] : letters(word.text)
  let before = ''
  for (const [k, part] of parts.entries()) {
    before += part
    const own = widthOf(part, to.family, to.weight)
    const at = parts.length > 400 ? k * own : widthOf(before, to.family, to.weight) - own
    block.glyphs.push({ text: part, x: x + (at + k * to.tracking) * font, y, width: own * font, line, word: block.words })
  }
}
