import { useSyncExternalStore } from 'react'
import { waitFor } from '../koda'
import { face, size, style, subtitleText, text } from './look'

/** What moves on its own: a letter, or a word or line that must not be taken apart. */
export interface Glyph {
  text: string
  /** Left edge and baseline, in units. */
  x: number
  y: number
  width: number
  line: number
  word: number
}

export interface Block {
  glyphs: Glyph[]
  lines: { x: number; y: number; width: number }[]
  font: number
  words: number
  top: number
  bottom: number
  rtl: boolean
}

/** Where things are, in units of a thousandth of the shorter side of the viewport. */
export interface Layout {
  width: number
  height: number
  portrait: boolean
  /** Height of a letterbox bar. */
  bar: number
  title: Block
  subtitle: Block | null
  /** Where the accent line runs. */
  rule: { x: number; y: number; width: number }
}

const canvas = document.createElement('canvas').getContext('2d')!

function widthOf(text: string, weight: number): number {
  canvas.font = `${weight} 100px ${face.family}, sans-serif`
  return canvas.measureText(text).width / 100
}

const letters = (s: string) => [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(s)].map((g) => g.segment)
/** Scripts whose letters join or stack: a word of them moves as one. */
const joined = /[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufeff]/
const rightToLeft = /^[^A-Za-z\u00c0-\u024f]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
/** Scripts written without spaces, which may be broken between words of any kind. */
const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]/

interface Word {
  text: string
  width: number
  /** Whether a space stands before it. */
  space: boolean
}

function wordsOf(paragraph: string, weight: number, tracking: number): Word[] {
  const out: Word[] = []
  for (const chunk of paragraph.split(/\s+/).filter(Boolean)) {
    const parts = unspaced.test(chunk) ? [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(chunk)].map((p) => p.segment) : [chunk]
    for (const [i, part] of parts.entries()) {
      if (i > 0 && /^[\p{P}\p{S}]+$/u.test(part) && out.length) {
        const last = out[out.length - 1]!
        last.text += part
        last.width = widthOf(last.text, weight) + tracking * letters(last.text).length
      } else out.push({ text: part, width: widthOf(part, weight) + tracking * letters(part).length, space: i === 0 })
    }
  }
  return out
}

/** Breaks words into n lines so that the widest is as narrow as can be. */
function broken(words: Word[], n: number, space: number): Word[][] {
  const wide = (from: number, to: number) => words.slice(from, to).reduce((w, word, i) => w + word.width + (i > 0 && word.space ? space : 0), 0)
  let low = Math.max(...words.map((w) => w.width))
  let high = wide(0, words.length)
  const fill = (limit: number) => {
    const lines: Word[][] = []
    for (let from = 0; from < words.length; ) {
      let to = from + 1
      while (to < words.length && wide(from, to + 1) <= limit + 1e-9) to++
      lines.push(words.slice(from, to))
      from = to
    }
    return lines
  }
  for (let i = 0; i < 30; i++) {
    const mid = (low + high) / 2
    if (fill(mid).length <= n) high = mid
    else low = mid
  }
  return fill(high)
}

interface Box {
  x: number
  width: number
  height: number
  max: number
  lines: number
}

/** Sets a text as large as it fits into the box; top is at 0. */
function set(content: string, weight: number, tracking: number, line: number, box: Box): Block {
  const paragraphs = content.split(/\n+/).map((p) => wordsOf(p, weight, tracking)).filter((p) => p.length > 0)
  const space = widthOf('n n', weight) - 2 * widthOf('n', weight) + tracking
  const width = (row: Word[]) => row.reduce((w, word, i) => w + word.width + (i > 0 && word.space ? space : 0), 0) - tracking
  let best: { rows: Word[][]; font: number } = { rows: paragraphs, font: 0 }
  for (let n = 1; n <= box.lines; n++) {
    const rows = paragraphs.flatMap((p) => broken(p, n, space))
    const font = Math.min(box.max, box.width / Math.max(...rows.map(width), 0.01), box.height / (rows.length * line))
    if (font > best.font * 1.02) best = { rows, font }
  }
  const { rows, font } = best
  const rtl = rightToLeft.test(content)
  const block: Block = { glyphs: [], lines: [], font, words: 0, top: 0, bottom: rows.length * line * font, rtl }
  for (const [i, row] of rows.entries()) {
    const y = (i * line + line / 2 + 0.36) * font
    let x = box.x - (width(row) * font) / 2
    block.lines.push({ x, y, width: width(row) * font })
    const together = row.map((w, j) => (j > 0 && w.space ? ' ' : '') + w.text).join('')
    if (rtl) {
      block.glyphs.push({ text: together, x, y, width: width(row) * font, line: i, word: block.words++ })
      continue
    }
    for (const [j, word] of row.entries()) {
      if (j > 0 && word.space) x += space * font
      const parts = joined.test(word.text) ? [word.text] : letters(word.text)
      let before = ''
      for (const [k, part] of parts.entries()) {
        before += part
        const own = widthOf(part, weight)
        const at = widthOf(before, weight) - own + k * tracking // kerned to the letter before
        block.glyphs.push({ text: part, x: x + at * font, y, width: own * font, line: i, word: block.words })
      }
      block.words++
      x += word.width * font
    }
  }
  return block
}

function moved(block: Block, dy: number): Block {
  return {
    ...block,
    top: block.top + dy,
    bottom: block.bottom + dy,
    glyphs: block.glyphs.map((g) => ({ ...g, y: g.y + dy })),
    lines: block.lines.map((l) => ({ ...l, y: l.y + dy })),
  }
}

function measure(): Layout {
  const short = Math.min(window.innerWidth, window.innerHeight)
  const width = (1000 * window.innerWidth) / short
  const height = (1000 * window.innerHeight) / short
  const portrait = height > 1.2 * width
  const bar = style === 'cinematic' ? (portrait ? 0.055 : 0.1) * height : 0
  const x = width / 2
  const room = Math.min(width * 0.82, 1500)
  const title = set(text, face.weight, face.tracking, face.line, {
    x,
    width: Math.min(room * Math.min(size, 1.1), width * 0.92),
    height: (height - 2 * bar) * (subtitleText ? 0.5 : 0.62) * Math.min(size, 1.2),
    max: { playful: 190, smooth: 158, cinematic: 124 }[style] * size,
    lines: 12,
  })
  const small = Math.max(Math.min(title.font * 0.36, 54 * size), 30)
  const subtitle = subtitleText
    ? set(subtitleText, face.sub, style === 'cinematic' ? 0.16 : 0, 1.3, { x, width: room * 0.86, height: height * 0.2, max: small, lines: 4 })
    : null
  const gap = title.font * { playful: 0.34, smooth: 0.34, cinematic: 0.42 }[style]
  const total = title.bottom + gap + (subtitle ? gap * 0.8 + subtitle.bottom : 0)
  const top = height / 2 - total / 2
  const widest = Math.max(...title.lines.map((l) => l.width))
  const ruleWidth = { playful: Math.min(widest * 0.72, 620), smooth: Math.min(widest, 180), cinematic: Math.min(widest * 0.62, 460) }[style]
  const ruleY = top + title.bottom + gap * 0.5
  return {
    width,
    height,
    portrait,
    bar,
    title: moved(title, top),
    subtitle: subtitle && moved(subtitle, top + title.bottom + gap * 1.8),
    rule: { x: x - ruleWidth / 2, y: ruleY, width: ruleWidth },
  }
}

let current: Layout | null = null
const listeners = new Set<() => void>()
const remeasure = () => {
  current = measure()
  for (const tell of listeners) tell()
}
window.addEventListener('resize', () => current && remeasure())
// Widths are those of the fonts themselves, so they must be in first.
void waitFor(
  Promise.all([
    document.fonts.load(`${face.weight} 100px ${face.family}`, text),
    document.fonts.load(`${face.sub} 100px ${face.family}`, text + subtitleText),
  ]).then(remeasure),
)

/** Null until the fonts are in. */
export function useLayout(): Layout | null {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
    () => current,
  )
}
