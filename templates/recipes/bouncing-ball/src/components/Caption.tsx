import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { caption } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { clamp, easeOutBack, easeOutCubic } from '../utils/easing'
import type { Layout } from './layout'
import { manner, style, text, useLook } from './look'

/** For the letters that a family has not got. koda puts the fonts of further scripts on the page by these names. */
const rest = "'Inter Variable', 'Koda Scripts', 'Koda Emoji', sans-serif"

/** The largest and the smallest letters, in thousandths of the shorter side, and how wide a letter is of its height. */
const largest = 74
const smallest = 24
const widest = 0.58
const lineHeight = 1.15
/** Free at the lower edge, of the height. */
const margin = 0.064

/** How large letters can be whose lines fit into a room; a line is seldom full. */
function fitting(letters: number, wide: number, room: number): number {
  for (let font = Math.min(largest, room * 0.5); font > smallest; font--) {
    const lines = Math.ceil((letters * widest * font) / (wide * 0.9))
    if (lines * lineHeight * font <= room) return font
  }
  return smallest
}

/** Words on the floor, below what bounces. They come down to their place, for below them is the margin. */
export function Caption({ layout }: { layout: Layout }) {
  const node = useRef<HTMLDivElement>(null)
  const { base, dark } = useLook()
  useSheetValues(caption, ({ reveal, exit }) => {
    const come = manner === 'playful' ? easeOutBack(reveal) : easeOutCubic(reveal)
    node.current!.style.opacity = String(clamp(reveal * 2.5) * (1 - exit))
    node.current!.style.transform = `translateY(${(come - 1) * 3}vmin)`
  })
  const top = layout.floor + (layout.height - layout.floor) * 0.26
  const room = layout.height - Math.max(layout.bar, margin * layout.height) - top
  const font = fitting(text.length, layout.width * 0.86, room)
  const unit = (value: number) => `${value / 10}vmin`
  return (
    <div
      ref={node}
      style={{
        position: 'absolute',
        left: '7%',
        right: '7%',
        top: unit(top),
        height: unit(room),
        display: 'grid',
        placeItems: 'center',
        textAlign: 'center',
        textWrap: 'balance',
        fontFamily: style === 'playful' ? `'Space Grotesk Variable', ${rest}` : rest,
        fontWeight: { playful: 700, smooth: 620, cinematic: 350 }[style],
        fontSize: unit(font),
        lineHeight,
        color: css(tone(base, dark ? 0.96 : 0.24, 0.5)),
      }}
    >
      <span>{text}</span>
    </div>
  )
}
