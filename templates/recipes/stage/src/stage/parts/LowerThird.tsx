import { type Colour, contrast, css, oklch, parse, tone } from '../colour'
import type { Size } from '../layout'
import { blockOf, Lines } from '../Lines'
import type { Look } from '../look'
import { coming, filling, going, staged } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import type { Setting } from '../type'

/** A name and what belongs to it, over pictures: { text, subtitle, handle, fill }: fill is the colour of its bar. */
function settings(part: Part, look: Look, room: Size): { name: Setting; sub: Setting } {
  const common = { width: room.w - 10, lines: 2, align: 'left' as const }
  const name = { ...common, family: look.face.display, weight: Math.max(look.face.weight, 400), tracking: look.face.tracking, line: 1.1, height: room.h * (part.subtitle ? 0.5 : 0.7), max: 8 * look.size, min: 2.6 }
  return { name, sub: { ...common, family: look.face.text, weight: look.face.textWeight, tracking: 0, line: 1.3, height: room.h * 0.28, max: 4.2 * look.size, min: 2.4 } }
}

const PAD = 2.8

function heightOf(part: Part, look: Look, room: Size): number {
  const { name, sub } = settings(part, look, room)
  return blockOf(part.text, name).height + (part.subtitle ? blockOf(part.subtitle, sub).height : 0) + (part.handle ? blockOf(part.handle, sub).height : 0) + 2 * PAD
}

/** The look with a bar of the colour that is asked for: letters that can be read on it, and a stroke that can be seen beside it. */
function barred(look: Look, fill?: string): Look {
  if (!fill) return look
  const bar = parse(fill)
  const light = oklch(0.99, 0.005, bar.h)
  const letters = [...(look.inked ? [look.colour.ink] : []), light].find((c) => contrast(c, bar) >= 3) ?? tone(bar, 0.2, 0.5)
  const seen = (c: Colour) => contrast(c, bar) >= 1.8 && contrast(c, look.colour.base) >= 1.5
  const stroke = [look.colour.accent, letters, tone(bar, bar.l * 0.6)].find(seen) ?? letters
  return { ...look, card: fill, onCard: css(letters), accent: css(stroke) }
}

function LowerThird({ part, v, look: plain, box }: PartProps) {
  const look = barred(plain, part.fill)

  const { name, sub } = settings(part, look, box)
  const title = blockOf(part.text, name)
  const under = part.subtitle ? blockOf(part.subtitle, sub) : null
  const handle = part.handle ? blockOf(part.handle, sub) : null
  const wide = Math.max(title.width, under?.width ?? 0, handle?.width ?? 0) + 2 * PAD + 1.4
  const bar = filling(look, staged(v.enter!, 0, 3, 0.5))
  const plate = look.style === 'playful' ? coming(look, staged(v.enter!, 0, 3, 0.6)) : filling(look, staged(v.enter!, 0, 3, 0.6))
  const rise = (i: number) => coming(look, staged(v.enter!, i, 3, 0.6))
  const gone = going(look, v.leave ?? 0)
  const rtl = title.rtl
  const x = box.align === 'center' ? (box.w - wide) / 2 : rtl || box.align === 'right' ? box.w - wide : 0
  const inner = rtl ? x + wide - 1.4 - PAD - name.width : x + 1.4 + PAD
  const clip = `${part.id}-plate`
  return (
    <Panel box={box} opacity={1 - gone}>
      <clipPath id={clip}>
        <rect x={rtl ? x + wide * (1 - Math.min(plate, 1)) : x} width={wide * Math.min(plate, 1)} height={box.h} />
      </clipPath>
      <rect x={rtl ? x + wide * (1 - plate) : x} width={Math.max(wide * plate, 0)} height={box.h} rx={look.style === 'playful' ? 2 : 0.4} fill={look.card} opacity={look.style === 'cinematic' && !part.fill ? 0.88 : 1} />
      <rect x={rtl ? x + wide - 1.1 : x} y={(box.h * (1 - bar)) / 2} width="1.1" height={box.h * bar} rx={look.style === 'playful' ? 0.55 : 0} fill={look.accent} />
      <g clipPath={`url(#${clip})`}>
        <g transform={`translate(${inner} ${PAD + (1 - rise(1)) * title.height})`}>
          <Lines block={title} setting={name} fill={look.onCard} shown={Math.min(staged(v.enter!, 1, 3, 0.6) * 3, 1)} />
        </g>
        {under && (
          <g transform={`translate(${inner} ${PAD + title.height + (1 - rise(2)) * under.height})`}>
            <Lines block={under} setting={sub} fill={look.onCard} shown={Math.min(staged(v.enter!, 2, 3, 0.6) * 3, 1) * 0.92} />
          </g>
        )}
        {handle && (
          <g transform={`translate(${inner} ${PAD + title.height + (under?.height ?? 0) + (1 - rise(2)) * handle.height})`}>
            <Lines block={handle} setting={sub} fill={look.onCard} shown={Math.min(staged(v.enter!, 2, 3, 0.6) * 3, 1)} />
          </g>
        )}
      </g>
    </Panel>
  )
}

export const lowerthird: PartFace = { draw: LowerThird, measure: (part, look, room) => Math.min(heightOf(part, look, room), room.h) }
