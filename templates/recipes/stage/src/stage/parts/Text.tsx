import type { ReactNode } from 'react'
import { chance } from '../chance'
import { dyed, period } from '../effect'
import { wayOf } from '../kinds'
import type { Place, Size } from '../layout'
import type { Look } from '../look'
import { manners } from '../manner'
import { clamp, coming, easeOutCubic, filling, going, staged, swing } from '../motion'
import { Panel } from '../Panel'
import type { Lettering, PartFace, PartProps, Standing } from '../part'
import type { Part } from '../story'
import { blockOf as set } from '../Lines'
import { inksOf } from '../own'
import { type Block, type Glyph, letters, type Setting } from '../type'

/**
 * A text: { text, role, how, by, color, weight, max }. It is set as large as it fits into
 * its role; how says in which way it comes, by whether letters, words or lines do.
 */
interface Role {
  /** Largest font, in units, and most lines. */
  max: number
  lines: number
  /** 'display' or 'text'. */
  face: 'display' | 'text'
  color: 'ink' | 'soft' | 'accentInk'
  weight?: number
  tracking?: number
  /** Of a line, in heights of the font, and how far down the letters are moved in it. */
  line?: number
  drop?: number
}

const roles: Record<string, Role> = {
  hero: { max: 29, lines: 4, face: 'display', color: 'ink' },
  title: { max: 14, lines: 3, face: 'display', color: 'ink' },
  heading: { max: 9, lines: 2, face: 'display', color: 'ink' },
  subtitle: { max: 6.4, lines: 3, face: 'text', color: 'soft' },
  body: { max: 5.2, lines: 8, face: 'text', color: 'ink' },
  quote: { max: 16, lines: 8, face: 'display', color: 'ink' },
  sign: { max: 34, lines: 1, face: 'display', color: 'accentInk', line: 0.42, drop: 0.19, weight: 700 },
  number: { max: 34, lines: 1, face: 'display', color: 'accentInk' },
  author: { max: 6, lines: 2, face: 'text', color: 'ink', weight: 600 },
  caption: { max: 4, lines: 2, face: 'text', color: 'soft' },
  eyebrow: { max: 4.8, lines: 1, face: 'text', color: 'accentInk', weight: 600, tracking: 0.08 },
}

const roleOf = (part: Part): Role => roles[part.role ?? 'title'] ?? roles.title!

function settingOf(part: Part, look: Look, room: Size, align: Place['align']): Setting {
  const role = roleOf(part)
  const display = role.face === 'display'
  const portrait = room.w < 100
  const long = letters(part.text).length
  // A word or two alone may be huge.
  const large = part.role === 'hero' && long <= 5
  // Wide thin letters of the cinematic style are smaller for the same presence.
  const style = look.style === 'cinematic' && display ? 0.86 : 1
  return {
    family: display ? look.face.display : look.face.text,
    // Outlines of thin letters are not to be read.
    weight: part.weight ?? role.weight ?? Math.max(display ? look.face.weight : look.face.textWeight, part.effect === 'outline' ? 700 : 0),
    tracking: role.tracking ?? (display ? look.face.tracking : 0),
    line: role.line ?? (display ? look.face.line : 1.32),
    width: room.w,
    height: room.h,
    max: Math.min((part.max ?? role.max * style * (portrait ? (display ? 1.06 : 1.16) : 1) * (large ? 1.5 : 1)) * look.size, room.cap ?? Infinity),
    min: Math.min(2.6, room.h),
    grow: part.max ? undefined : room.grow,
    lines: role.lines + (portrait && role.lines > 1 ? 2 : 0) + (role.lines > 2 && long > 80 ? 2 : 0),
    align,
  }
}

const shown = (part: Part) => String(part.text)

const blockOf = (part: Part, look: Look, room: Size, align: Place['align']): Block => set(shown(part), settingOf(part, look, room, align))

/** How a thing stands: moved and turned about its own middle. */
interface Pose {
  y: number
  x: number
  turn: number
  scale: number
  opacity: number
}

const still: Pose = { x: 0, y: 0, turn: 0, scale: 1, opacity: 1 }

type Way = (look: Look, p: number, font: number, id: string, i: number) => Pose

const ways: Record<string, Way> = {
  pop: (look, p, font, id, i) => {
    const k = coming(look, p)
    return { x: 0, y: (1 - k) * font * 0.7, turn: (1 - k) * (chance(id, i) < 0.5 ? -22 : 22), scale: 0.3 + 0.7 * k, opacity: clamp(p * 6) }
  },
  rise: (look, p, font) => ({ ...still, y: (1 - coming(look, p)) * font * 1.2 }),
  mask: (look, p, font) => ({ ...still, y: (1 - filling(look, p)) * font * 1.2 }),
  focus: (_, p, font) => ({ ...still, y: (1 - easeOutCubic(p)) * font * 0.08, scale: 1.16 - 0.16 * easeOutCubic(p), opacity: clamp(p * 1.4) }),
  slide: (look, p, font) => ({ ...still, x: (1 - coming(look, p)) * font * 1.6, opacity: clamp(p * 4) }),
  drop: (look, p, font, id, i) => {
    const k = coming(look, p)
    return { ...still, y: (k - 1) * font * 1.5, turn: (1 - k) * (chance(id, i) - 0.5) * 30, opacity: clamp(p * 5) }
  },
  type: (_, p) => ({ ...still, opacity: p > 0 ? 1 : 0 }),
  fade: (_, p, font) => ({ ...still, y: (1 - easeOutCubic(p)) * font * 0.25, opacity: clamp(p * 1.2) }),
  still: () => still,
}

/** The number of a glyph's turn among n: of letters, words or lines. */
function turns(block: Block, by: string): { of: (glyph: Glyph, i: number) => number; n: number } {
  if (by === 'letter') return { of: (_, i) => i, n: block.glyphs.length }
  if (by === 'word') return { of: (glyph) => glyph.word, n: block.words }
  return { of: (glyph) => glyph.line, n: block.lines.length }
}

const byOf = (part: Part, way: string, block: Block): string =>
  part.by ?? (way === 'mask' ? 'line' : way === 'rise' || way === 'slide' || way === 'fade' ? (block.words > 24 || way === 'fade' ? 'line' : 'word') : 'letter')

/** The share of the whole that one letter, word or line takes. */
const owns = { playful: 0.5, smooth: 0.62, cinematic: 0.6 }

function Text({ part, v, look, box, time }: PartProps) {
  const block = blockOf(part, look, box, box.align)
  const way = wayOf(part, manners[look.style])
  const turn = turns(block, byOf(part, way, block))
  const role = roleOf(part)
  const fill = fillOf(part, look)
  const own = way === 'type' ? 0.001 : part.slow ? Math.min(1.2 / turn.n, 1) : turn.n > 1 ? Math.max(owns[look.style], 1 / turn.n) : 1
  const out = going(look, v.leave ?? 0)
  const masked = way === 'rise' || way === 'mask'
  const wobble = part.effect === 'wobble' ? (i: number) => swing(time, period(part, 1.1), chance(part.id, i)) * 11 : () => 0
  const pose = (glyph: Glyph, i: number): Pose => {
    const came = ways[way]!(look, staged(v.enter!, turn.of(glyph, i), turn.n, own), block.font, part.id, i)
    return { ...came, turn: came.turn + wobble(i) }
  }
  // The swell lifts playful letters, and lights cinematic ones.
  const crest = (i: number) => wave(v.wave ?? 0, i, block.glyphs.length)
  const lifts = look.style === 'playful'
  const waves = part.effect === 'wave' ? (glyph: Glyph) => swing(time, period(part, 1.8), -glyph.x / (block.font * 5)) * block.font * 0.09 : () => 0
  const inks = part.inks ? inksOf(part.inks, spelt(block), look) : {}
  const outlined = part.effect === 'outline' && { stroke: fill, strokeWidth: block.font * 0.06, strokeLinejoin: 'round' as const, paintOrder: 'stroke', fill: look.base }
  return (
    <Panel
      box={box}
      opacity={1 - out}
      fontFamily={role.face === 'display' ? look.face.display : look.face.text}
      fontWeight={settingOf(part, look, box, box.align).weight}
      fontSize={block.font}
      fill={fill}
      direction={block.rtl ? 'rtl' : 'ltr'}
      {...outlined}
    >
      <g transform={`translate(0 ${((role.drop ?? 0) - out * 0.4) * block.font})`}>
        {block.lines.map((line, row) => (
          <Masked key={row} id={`${part.id}-${row}`} on={masked && v.enter! < 1} y={line.y - block.font * 0.98} height={block.font * 1.3}>
            {block.glyphs.map((glyph, i) => glyph.line === row && <Letter key={i} glyph={glyph} font={block.font} pose={pose(glyph, i)} up={(lifts ? crest(i) * block.font * 0.1 : 0) + waves(glyph)} fill={inks[glyph.word] ?? dyed(part, look, i, block.glyphs.length)} rtl={block.rtl} glow={lifts || part.effect ? 0 : crest(i)} light={look.accentInk} />)}
          </Masked>
        ))}
        {way === 'type' && <Caret block={block} enter={v.enter!} look={look} on={v.caret! > 0.5} />}
      </g>
    </Panel>
  )
}

/** The words of a block by their numbers. */
function spelt(block: Block): string[] {
  const words: string[] = []
  for (const glyph of block.glyphs) words[glyph.word] = (words[glyph.word] ?? '') + glyph.text
  return words
}

/** A swell that runs through the letters once while w goes from 0 to 1. */
function wave(w: number, i: number, n: number): number {
  if (w <= 0 || w >= 1) return 0
  const k = Math.max(0, 1 - Math.abs(w * 1.5 - 0.25 - i / Math.max(n - 1, 1)) / 0.22)
  return k * k * (3 - 2 * k)
}

function Letter({ glyph, font, pose, up, fill, rtl, glow, light }: { glyph: Glyph; font: number; pose: Pose; up: number; fill?: string; rtl: boolean; glow: number; light: string }) {
  if (pose.opacity <= 0 || pose.scale <= 0) return null
  const cx = glyph.x + glyph.width / 2
  const cy = glyph.y - font * 0.34
  const resting = pose.turn === 0 && pose.scale === 1
  const transform = resting
    ? pose.x || pose.y || up
      ? `translate(${pose.x} ${pose.y - up})`
      : undefined
    : `translate(${cx + pose.x} ${cy + pose.y - up}) rotate(${pose.turn}) scale(${pose.scale}) translate(${-cx} ${-cy})`
  const at = { x: rtl ? glyph.x + glyph.width : glyph.x, y: glyph.y, transform, style: { whiteSpace: 'pre' } as const }
  return (
    <>
      <text {...at} fill={fill} opacity={pose.opacity < 1 ? pose.opacity : undefined}>
        {glyph.text}
      </text>
      {glow > 0 && (
        <text {...at} fill={light} opacity={glow}>
          {glyph.text}
        </text>
      )}
    </>
  )
}

/** Things that rise out of their own line. */
function Masked({ id, on, y, height, children }: { id: string; on: boolean; y: number; height: number; children: ReactNode }) {
  if (!on) return <g>{children}</g>
  return (
    <g clipPath={`url(#${id})`}>
      <clipPath id={id}>
        <rect x="-500" width="1200" y={y} height={height} />
      </clipPath>
      {children}
    </g>
  )
}

function Caret({ block, enter, look, on }: { block: Block; enter: number; look: Look; on: boolean }) {
  const n = Math.ceil((enter * (block.glyphs.length - 1)) / 0.999)
  const last = block.glyphs[Math.max(n - 1, 0)]
  if (!last || !on) return null
  const x = n === 0 ? last.x : last.x + last.width + block.font * 0.06
  return <rect x={x} y={last.y - block.font * 0.76} width={block.font * 0.07} height={block.font * 0.94} fill={look.accent} />
}

/** Letters on their way from their places in one setting of a text to those in another. */
function carry(old: Standing, now: Standing, p: number): ReactNode {
  const [a, b] = [old, now].map(({ part, look, box }) => blockOf(part, look, box, box.align)) as [Block, Block]
  if (a.glyphs.length !== b.glyphs.length) return null
  const mix = (from: number, to: number) => from + (to - from) * p
  const { look, part, box } = now
  const role = roleOf(part)
  return (
    <Panel
      box={box}
      fontFamily={role.face === 'display' ? look.face.display : look.face.text}
      fontWeight={settingOf(part, look, box, box.align).weight}
      fontSize={mix(a.font, b.font)}
      fill={fillOf(part, look)}
      direction={b.rtl ? 'rtl' : 'ltr'}
    >
      {b.glyphs.map((glyph, i) => {
        const from = a.glyphs[i]!
        const right = b.rtl ? 1 : 0
        return (
          <text key={i} x={mix(old.box.x - box.x + from.x + right * from.width, glyph.x + right * glyph.width)} y={mix(old.box.y - box.y + from.y, glyph.y)} style={{ whiteSpace: 'pre' }}>
            {glyph.text}
          </text>
        )
      })}
    </Panel>
  )
}

const fillOf = (part: Part, look: Look): string => (typeof part.color === 'string' && part.color.startsWith('#') ? part.color : (look[(part.color ?? roleOf(part).color) as 'ink'] ?? look.ink))

const lettering = ({ part, look, box }: Standing): Lettering[] => {
  const block = blockOf(part, look, box, box.align)
  return block.lines.map((line) => ({ x: box.x + line.x, y: box.y + line.y - 0.76 * block.font, w: line.width, h: 0.98 * block.font, font: block.font }))
}

export const text: PartFace = {
  lettering,
  carry,
  draw: Text,
  measure: (part, look, room, align) => blockOf(part, look, room, align).height,
  font: (part, look, room, align) => blockOf(part, look, room, align).font,
}

