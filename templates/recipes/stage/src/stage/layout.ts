import { kindOf } from './kinds'
import type { Look } from './look'
import { parts as faces } from './parts'
import type { Part, StoryScene } from './story'
import { isRtl } from './type'

/** A place on the frame, in units: hundredths of its shorter side. */
export interface Box {
  x: number
  y: number
  w: number
  h: number
}

export interface Size {
  w: number
  h: number
  /** No letters larger than this: what is said second is smaller than what is said first. */
  cap?: number
  /** What is said second grows to this size, where it needs no further line for it. */
  grow?: number
}

/** How the parts of a scene are told to stand. */
export interface Place extends Box {
  cap?: number
  grow?: number
  align: 'left' | 'center' | 'right'
}

/** The largest font of a line below another one, in units. */
const GROWN = 9

/** Six hundredths of each side may be covered or cut; a little more looks better. */
const SAFE = 0.07

const gapAfter = (part: Part, look: Look) => (part.gap ?? { playful: 4, smooth: 4, cinematic: 4.6 }[look.style]) as number

/** Parts of a height of their own, or whose kind knows how much they need, take that; the others share what is left. */
const fills = (part: Part) => part.height === undefined && !faces[part.kind]!.measure

/** Where each part of a scene lies, by its id. */
export function placesOf(scene: StoryScene, look: Look, size: Size): Map<string, Place> {
  const places = new Map<string, Place>()
  const safe: Box = { x: size.w * SAFE, y: size.h * SAFE, w: size.w * (1 - 2 * SAFE), h: size.h * (1 - 2 * SAFE) }
  const wide = size.w > 1.2 * size.h
  const main: Part[] = []
  for (const part of scene.parts) {
    if (kindOf(part).free || part.area === 'over' || part.area === 'behind') places.set(part.id, { x: 0, y: 0, ...size, align: 'center' })
    else if (part.area === 'head' || part.area === 'foot') edge(part)
    else main.push(part)
  }
  function edge(part: Part): void {
    const align = scene.layout === 'lower' || scene.layout === 'full' || (scene.layout === 'split' && wide) ? 'left' : 'center'
    const most = safe.h * (part.lane ? 0.26 : 0.16)
    const h = Math.min(measured(part, look, { w: safe.w, h: most }, align), most)
    places.set(part.id, { x: safe.x, y: part.area === 'head' ? safe.y : safe.y + safe.h - h, w: safe.w, h, align })
    const taken = h + 4
    if (part.area === 'head') safe.y += taken
    safe.h -= taken
  }
  const put = (part: Part, box: Box & { cap?: number; grow?: number }, align: Place['align']) => places.set(part.id, { ...box, align })
  const rooms = main.filter(fills)
  const texts = main.filter((part) => !fills(part))
  switch (scene.layout) {
    case 'split':
      if (wide && rooms.length > 0 && texts.length > 0) {
        const left = safe.w * 0.4
        // Texts that are read from the right stand at the right.
        const mirrored = texts.some((part) => typeof part.text === 'string' && isRtl(part.text))
        column(texts, { ...safe, x: mirrored ? safe.x + safe.w - left : safe.x, w: left }, 'left', look, put, 0.5)
        column(rooms, { x: mirrored ? safe.x : safe.x + left + 8, y: safe.y, w: safe.w - left - 8, h: safe.h }, 'center', look, put, 0.5)
        break
      }
      column(main, safe, 'center', look, put, 0.5)
      break
    case 'full':
    case 'lower': {
      for (const part of rooms) put(part, { x: 0, y: 0, ...size }, 'center')
      const room = { ...safe, y: safe.y + safe.h * 0.45, h: safe.h * 0.55 }
      column(texts, room, scene.side ?? 'left', look, put, 1)
      break
    }
    case 'grid': {
      const top = texts.length > 0 ? Math.max(...texts.map((part) => measured(part, look, { w: safe.w, h: safe.h * 0.3 }, 'center'))) + 4 : 0
      column(texts, { ...safe, h: Math.max(top - 4, 0) }, 'center', look, put, 0)
      grid(rooms, { ...safe, y: safe.y + top, h: safe.h - top }, put)
      break
    }
    case 'topleft':
    case 'topright':
    case 'bottomright': {
      const [right, w] = [scene.layout !== 'topleft', safe.w * (wide ? 0.5 : 0.72)]
      const room = { x: right ? safe.x + safe.w - w : safe.x, y: safe.y, w, h: safe.h }
      column(main, room, right ? 'right' : 'left', look, put, scene.layout === 'bottomright' ? 1 : 0)
      break
    }
    default:
      column(main, safe, 'center', look, put, { top: 0, bottom: 1 }[scene.layout as string] ?? 0.47)
  }
  return places
}

function measured(part: Part, look: Look, room: Size, align: Place['align']): number {
  return Math.min(part.height ?? faces[part.kind]!.measure?.(part, look, room, align) ?? room.h, room.h)
}

const isFirst = (part: Part) => ['hero', 'title', 'heading', 'quote'].includes(part.role ?? '')
const isSecond = (part: Part) => ['subtitle', 'author', 'caption', 'eyebrow', 'body'].includes(part.role ?? '')

/** Parts below each other. Texts take what they need, the rest is shared by what fills room; at says where a short column stands: 0 above, 1 below. */
function column(list: Part[], room: Box, align: Place['align'], look: Look, put: (part: Part, box: Box & { cap?: number; grow?: number }, align: Place['align']) => void, at: number): void {
  const gaps = list.slice(0, -1).map((part) => gapAfter(part, look))
  const between = gaps.reduce((a, b) => a + b, 0)
  const filling = list.filter(fills)
  const share = filling.length === 0 ? 1 : room.h > 1.2 * room.w ? 0.36 : 0.42
  const need = filling.reduce((sum, part) => sum + (faces[part.kind]!.need?.(part, look, room) ?? 0), 0)
  const most = Math.max(Math.min((room.h - between) * share, Math.max(room.h - between - need, (room.h - between) * 0.2)), 4)
  // Texts give way to each other until all of them fit.
  let limit = most
  let heights = new Map<Part, number>()
  let cap: number | undefined
  let grow: number | undefined
  const second = (part: Part) => ({ cap: isSecond(part) ? cap : undefined, grow: part.role === 'subtitle' ? grow : undefined })
  for (let round = 0; round < 14; round++, limit *= 0.86) {
    const within = { w: room.w, h: limit }
    const fonts = list.map((part) => (isFirst(part) ? (faces[part.kind]!.font?.(part, look, within, align) ?? 0) : 0))
    cap = Math.max(...fonts) * 0.72 || undefined
    grow = Math.min(list.some((part) => part.kind === 'counter') ? GROWN : Math.max(...fonts) * 0.44, GROWN * look.size)
    heights = new Map(list.filter((part) => !fills(part)).map((part) => [part, measured(part, look, { ...within, ...second(part) }, align)]))
    if ([...heights.values()].reduce((a, b) => a + b, 0) <= most) break
  }
  const texts = [...heights.values()].reduce((a, b) => a + b, 0)
  const left = Math.max(room.h - between - texts, 0)
  const weights = filling.reduce((sum, part) => sum + (part.weight ?? 1), 0)
  for (const part of filling) {
    const share = (left * (part.weight ?? 1)) / weights
    heights.set(part, Math.min(share, faces[part.kind]!.most?.(part, look, { w: room.w, h: share }) ?? share))
  }
  const used = [...heights.values()].reduce((a, b) => a + b, between)
  let y = room.y + Math.max(room.h - used, 0) * at
  for (const [i, part] of list.entries()) {
    const h = heights.get(part)!
    put(part, { x: room.x, y, w: room.w, h, ...second(part) }, align)
    y += h + (gaps[i] ?? 0)
  }
}

/** Boxes of one size in as many columns as make them least narrow. */
function grid(list: Part[], room: Box, put: (part: Part, box: Box, align: Place['align']) => void): void {
  const gap = 4
  const n = list.length
  let columns = 1
  let best = 0
  for (let c = 1; c <= n; c++) {
    const rows = Math.ceil(n / c)
    const [w, h] = [(room.w - gap * (c - 1)) / c, (room.h - gap * (rows - 1)) / rows]
    const side = Math.min(w, h * 1.3)
    if (side > best) [best, columns] = [side, c]
  }
  const rows = Math.ceil(n / columns)
  const h = (room.h - gap * (rows - 1)) / rows
  for (const [i, part] of list.entries()) {
    const row = Math.floor(i / columns)
    const inRow = Math.min(columns, n - row * columns)
    const w = (room.w - gap * (inRow - 1)) / inRow
    put(part, { x: room.x + (i - row * columns) * (w + gap), y: room.y + row * (h + gap), w, h }, 'center')
  }
}
