import { blockOf, Lines } from '../Lines'
import type { Box, Size } from '../layout'
import type { Look } from '../look'
import { clamp, coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import { standsOut } from '../scenes'
import type { Part } from '../story'
import type { Block, Setting } from '../type'
import { dated, list, settingOf, shortened, torn } from './List'

/** Stations of a way: { items, form: 'flow' | 'cycle' | 'timeline', marked }. A way of dates runs across a wide frame, and down a high one. */
function Steps(props: PartProps) {
  const { part, look, box, v } = props
  if (part.form === 'timeline' && box.w < box.h * 1.15) return <list.draw {...props} />
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      {part.form === 'timeline' ? <Timeline {...props} /> : part.form === 'cycle' ? <Cycle {...props} /> : <Flow {...props} />}
    </Panel>
  )
}

/** The words of a station stand in its middle, closer than points of a list. */
const stationSetting = (look: Look, width: number, font: number, strong: boolean): Setting => ({
  ...settingOf(look, width, font),
  weight: strong ? { playful: 650, smooth: 560, cinematic: 450 }[look.style] : { playful: 500, smooth: 450, cinematic: 380 }[look.style],
  line: 1.16,
  height: font * 1.16 * 4,
  lines: 4,
  align: 'center',
})

interface Set {
  blocks: Block[]
  setting: Setting
}

const settings = new Map<string, Set>()

/** Texts in the largest letters with which each fits its room. */
function fitted(texts: string[], look: Look, room: Size, largest: number, strong = true): Set {
  const key = JSON.stringify([texts, look.style, look.face, look.size, room, largest, strong])
  let found = settings.get(key)
  for (let font = largest * look.size; !found; font *= 0.93) {
    const setting = stationSetting(look, room.w, font, strong)
    const blocks = texts.map((text) => blockOf(text, setting))
    if (font < 1.6 || !blocks.some((block, i) => block.height > room.h || shortened(block, texts[i]!) || torn(block, texts[i]!))) settings.set(key, (found = { blocks, setting }))
  }
  return found
}

interface Cell extends Box {
  /** Its middle. */
  cx: number
  cy: number
}

const cell = (cx: number, cy: number, w: number, h: number): Cell => ({ cx, cy, x: cx - w / 2, y: cy - h / 2, w, h })

/** The share of the coming of station i of n. */
const shareOf = (v: PartProps['v'], i: number, n: number) => staged(clamp(v.enter!), i, n, Math.max(Math.min(0.5, 2 / n), 1 / n))

/** A box with a text in it. */
function Station({ i, at, set, p, part, look }: { i: number; at: Cell; set: Set; p: number; part: Part; look: Look }) {
  const block = set.blocks[i]!
  const stands = standsOut(part.items[i], part.marked)
  const k = Math.max(coming(look, p), 0)
  const colour = look.style === 'playful' && !stands ? look.series[i % look.series.length]! : look.accent
  const full = look.style === 'playful' || stands
  return (
    <g transform={`translate(${at.cx} ${at.cy}) ${look.style === 'smooth' ? `translate(0 ${(1 - k) * 3})` : `scale(${0.6 + 0.4 * k})`}`} opacity={clamp(p * 3)}>
      <rect x={-at.w / 2} y={-at.h / 2} width={at.w} height={at.h} rx={look.style === 'cinematic' ? 0.6 : Math.min(at.h * 0.22, 3)} fill={full ? colour : look.card} stroke={full ? 'none' : look.accent} strokeWidth={look.style === 'cinematic' ? 0.25 : 0.45} />
      <g transform={`translate(${-set.setting.width / 2} ${-block.height / 2})`}>
        <Lines block={block} setting={set.setting} fill={stands ? look.onAccent : look.style === 'playful' ? look.onSeries[i % look.series.length]! : look.onCard} />
      </g>
    </g>
  )
}

/** An arrow along points, of which a share is drawn. */
function Arrow({ points, p, look }: { points: [number, number][]; p: number; look: Look }) {
  if (p <= 0 || points.length < 2) return null
  const n = Math.max(1, Math.round((points.length - 1) * filling(look, p)))
  const shown = points.slice(0, n + 1)
  const [[ax, ay], [bx, by]] = [shown[shown.length - 2]!, shown[shown.length - 1]!]
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI
  const wide = { playful: 0.9, smooth: 0.6, cinematic: 0.35 }[look.style]
  return (
    <g fill="none" stroke={look.soft} strokeWidth={wide} strokeLinecap="round" strokeLinejoin="round" opacity={clamp(p * 4)}>
      <path d={`M${shown.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}`} />
      <path d="M-2 -1.6L0 0L-2 1.6" transform={`translate(${bx} ${by}) rotate(${angle})`} />
    </g>
  )
}

const straight = (x: number, y: number, tox: number, toy: number): [number, number][] => Array.from({ length: 13 }, (_, i) => [x + ((tox - x) * i) / 12, y + ((toy - y) * i) / 12])

/** Boxes one after another, from left to right and back, or downwards on a high frame. */
function Flow({ part, v, look, box }: PartProps) {
  const items = part.items as string[]
  const n = items.length
  const columns = box.h > box.w * 0.9 ? (n > 8 ? 2 : 1) : n <= 5 ? n : Math.ceil(n / Math.ceil(n / 5))
  const lines = Math.ceil(n / columns)
  const gap = { x: clamp(box.w * 0.06, 5, 11), y: clamp(box.h * 0.07, 4, 9) }
  const w = Math.min((box.w - gap.x * (columns - 1)) / columns, 62)
  const h = Math.min((box.h - gap.y * (lines - 1)) / lines, columns === 1 ? 17 : w * 0.56)
  const [across, down] = [columns * w + (columns - 1) * gap.x, lines * h + (lines - 1) * gap.y]
  const cells = items.map((_, i) => {
    const line = Math.floor(i / columns)
    const place = line % 2 ? columns - 1 - (i % columns) : i % columns
    return cell((box.w - across) / 2 + place * (w + gap.x) + w / 2, (box.h - down) / 2 + line * (h + gap.y) + h / 2, w, h)
  })
  const set = fitted(items, look, { w: w * 0.86, h: h * 0.84 }, 8)
  return cells.map((at, i) => {
    const p = shareOf(v, i, n)
    const to = cells[i + 1]
    const side = to && Math.abs(to.cy - at.cy) < 0.01
    const way = !to ? [] : side ? straight(to.cx > at.cx ? at.x + w + 1.2 : at.x - 1.2, at.cy, to.cx > at.cx ? to.x - 1.4 : to.x + w + 1.4, at.cy) : straight(at.cx, at.y + h + 1, at.cx, to.y - 1.2)
    return (
      <g key={i}>
        {to && <Arrow points={way} p={clamp(shareOf(v, i + 1, n) * 2)} look={look} />}
        {p > 0 && <Station i={i} at={at} set={set} p={p} part={part} look={look} />}
      </g>
    )
  })
}

/** Boxes round a middle, each with an arrow to the next, and the last to the first. */
function Cycle({ part, v, look, box }: PartProps) {
  const items = part.items as string[]
  const n = items.length
  const wide = box.w > box.h
  const w = Math.min(wide ? box.w * 0.27 : box.w * 0.4, 52) * (n > 6 ? 0.8 : 1)
  const h = Math.min(box.h * (n > 6 ? 0.13 : 0.17), w * 0.5, 15)
  const [rx, ry] = [Math.min((box.w - w) / 2, Math.max(box.h * 0.85, 30)), Math.min((box.h - h) / 2, Math.max(box.w * 0.62, 24))]
  const on = (angle: number): [number, number] => [box.w / 2 + rx * Math.sin(angle), box.h / 2 - ry * Math.cos(angle)]
  const cells = items.map((_, i) => cell(...on((2 * Math.PI * i) / n), w, h))
  const set = fitted(items, look, { w: w * 0.88, h: h * 0.84 }, 7)
  const free = ([x, y]: [number, number], at: Cell) => Math.abs(x - at.cx) > w / 2 + 1.2 || Math.abs(y - at.cy) > h / 2 + 1.2
  return cells.map((at, i) => {
    const p = shareOf(v, i, n + 1)
    const to = cells[(i + 1) % n]!
    const way = Array.from({ length: 61 }, (_, k) => on((2 * Math.PI * (i + k / 60)) / n)).filter((point) => free(point, at) && free(point, to))
    return (
      <g key={i}>
        {n > 1 && <Arrow points={way} p={clamp(shareOf(v, i + 1, n + 1) * 2)} look={look} />}
        {p > 0 && <Station i={i} at={at} set={set} p={p} part={part} look={look} />}
      </g>
    )
  })
}

/** Dates on a line, with what they are the dates of below, or above and below in turn. */
function Timeline({ part, v, look, box }: PartProps) {
  const items = (part.items as string[]).map((item) => {
    const m = dated.exec(item.trim()) ?? /^(\S*\d\S*)[:\s]+(\S.*)$/u.exec(item.trim())
    return m ? { date: m[1]!, text: m[2]! } : { date: '', text: item }
  })
  const n = items.length
  const turns = n > 5
  const step = box.w / n
  const y = turns ? box.h / 2 : box.h * 0.42
  const room = { w: step * (turns ? 1.7 : 0.88), h: turns ? box.h * 0.26 : box.h * 0.4 }
  const set = fitted(items.map(({ text }) => text), look, room, 7, false)
  const dates = fitted(items.map(({ date }) => date || ' '), look, { w: step * (turns ? 1.5 : 0.9), h: 12 }, 9)
  const wide = { playful: 1, smooth: 0.5, cinematic: 0.3 }[look.style]
  const drawn = filling(look, clamp(v.enter! * 1.05))
  return (
    <>
      <path d={`M0 ${y}H${box.w * drawn}`} stroke={look.line} strokeWidth={wide} strokeLinecap="round" opacity={clamp(v.enter! * 6)} />
      {items.map(({ date }, i) => {
        const p = shareOf(v, i, n)
        const k = Math.max(coming(look, p), 0)
        const above = turns && i % 2 === 1
        const [block, day] = [set.blocks[i]!, dates.blocks[i]!]
        const stands = standsOut(part.items[i], part.marked)
        const colour = look.style === 'playful' ? look.series[i % look.series.length]! : look.accent
        const dot = { playful: 2.2, smooth: 1.5, cinematic: 1 }[look.style] * (stands ? 1.5 : 1)
        const below = turns ? day.height + 6 : 5.4
        return (
          p > 0 && (
            <g key={i} transform={`translate(${step * (i + 0.5)} ${y})`}>
              <circle r={dot * k} fill={colour} stroke={look.base} strokeWidth={look.style === 'cinematic' ? 0.4 : 0.8} />
              <g opacity={clamp(p * 2 - 0.4)} transform={`translate(0 ${(1 - k) * (above ? 2 : -2)})`}>
                {date && (
                  <g transform={`translate(${-dates.setting.width / 2} ${turns && !above ? 4.4 : -4.4 - day.height})`}>
                    <Lines block={day} setting={dates.setting} fill={look.accentInk} />
                  </g>
                )}
                <g transform={`translate(${-set.setting.width / 2} ${above ? -(date ? below : 4.4) - block.height : date ? below : 5.4})`}>
                  <Lines block={block} setting={set.setting} fill={look.ink} />
                </g>
              </g>
            </g>
          )
        )
      })}
    </>
  )
}

export const steps: PartFace = { draw: Steps }
