import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { caption } from '../theatre/project'
import { css, tone } from '../utils/colour'
import { clamp, easeOutBack, easeOutCubic } from '../utils/easing'
import type { Layout } from './layout'
import { manner, style, text, useLook } from './look'

/** For the letters that a family has not got. koda puts the fonts of further scripts on the page by these names. */
const rest = "'Inter Variable', 'Koda Scripts', 'Koda Emoji', sans-serif"

/** The largest letters, in thousandths of the shorter side, and how wide a letter is of its height. */
const largest = 74
const widest = 0.54

/** Words on the floor, below what bounces. */
export function Caption({ layout }: { layout: Layout }) {
  const node = useRef<HTMLDivElement>(null)
  const { base, dark } = useLook()
  useSheetValues(caption, ({ reveal, exit }) => {
    const come = manner === 'playful' ? easeOutBack(reveal) : easeOutCubic(reveal)
    node.current!.style.opacity = String(clamp(reveal * 2.5) * (1 - exit))
    node.current!.style.transform = `translateY(${(1 - come) * 3}vmin)`
  })
  const top = layout.floor + (layout.height - layout.floor) * 0.3
  const room = layout.height - layout.bar - top
  // As large as its lines fit: half of the room for one line, less for more.
  const wide = layout.width * 0.86
  const font = Math.min(largest, room * 0.5, Math.max(Math.sqrt((wide * room * 0.62) / (widest * Math.max(text.length, 1))), 24))
  const unit = (value: number) => `${value / 10}vmin`
  return (
    <div
      ref={node}
      style={{
        position: 'absolute',
        left: '7%',
        right: '7%',
        top: unit(top),
        height: unit(room * 0.86),
        display: 'grid',
        placeItems: 'center',
        textAlign: 'center',
        textWrap: 'balance',
        fontFamily: style === 'playful' ? `'Space Grotesk Variable', ${rest}` : rest,
        fontWeight: { playful: 700, smooth: 620, cinematic: 350 }[style],
        fontSize: unit(font),
        lineHeight: 1.15,
        color: css(tone(base, dark ? 0.96 : 0.24, 0.5)),
      }}
    >
      <span>{text}</span>
    </div>
  )
}
