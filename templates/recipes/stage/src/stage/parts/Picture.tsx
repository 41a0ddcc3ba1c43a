import type { CSSProperties } from 'react'
import { chance } from '../chance'
import { coming, going } from '../motion'
import type { PartFace, PartProps } from '../part'
import type { Look } from '../look'

/** Where a file of the project is on the page. */
export const address = (src: string): string => '/' + String(src).replace(/^\.?\/*(public\/)?/, '')

/**
 * A picture: { src, frame: 'none' | 'card' | 'phone' | 'browser', fit: 'cover' | 'contain', scrim }.
 * The view goes slowly over it. Without a frame it fills its box; scrim darkens its lower part for texts.
 */
function Picture({ part, v, look, box }: PartProps) {
  const k = coming(look, v.enter!)
  const gone = going(look, v.leave ?? 0)
  const frame = part.frame ?? 'none'
  const whole = frame === 'none' && box.x === 0 && box.y === 0
  const style: CSSProperties = { left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem`, opacity: (1 - gone) * Math.min(v.enter! * 3, 1) }
  if (whole)
    return (
      <div className="part" style={{ ...style, overflow: 'hidden' }}>
        <Pan part={part} pan={v.pan ?? 0} />
        {part.scrim && <div className="layer" style={{ background: 'linear-gradient(to top, rgb(0 0 0 / 0.78), rgb(0 0 0 / 0.5) 26%, rgb(0 0 0 / 0) 62%)' }} />}
      </div>
    )
  const { width, height, radius, pad, top } = shapeOf(frame, box, look)
  const move = look.style === 'playful' ? `translateY(${(1 - k) * 14}rem) rotate(${(1 - k) * 5 - (frame === 'card' ? 1.2 : 0)}deg)` : `translateY(${(1 - k) * 6}rem) scale(${0.94 + 0.06 * k})`
  return (
    <div className="part" style={{ ...style, display: 'grid', placeItems: 'center', transform: move }}>
      <div style={{ position: 'relative', width: `${width}rem`, height: `${height}rem`, borderRadius: `${radius}rem`, background: frame === 'phone' ? '#101114' : frame === 'browser' ? '#f4f4f6' : look.card, boxShadow: shadow(look), overflow: 'hidden' }}>
        <div style={{ position: 'absolute', inset: `${top}rem ${pad}rem ${pad}rem`, borderRadius: frame === 'phone' ? `${radius - pad}rem` : frame === 'card' ? `${Math.max(radius - pad, 0)}rem` : 0, overflow: 'hidden' }}>
          <Pan part={part} pan={v.pan ?? 0} />
        </div>
        {frame === 'browser' && <Bar top={top} />}
        {frame === 'phone' && <div style={{ position: 'absolute', left: '50%', top: `${pad + 1.1}rem`, width: `${width * 0.28}rem`, height: '1.7rem', marginLeft: `${-width * 0.14}rem`, borderRadius: '1rem', background: '#101114' }} />}
      </div>
    </div>
  )
}

const shadow = (look: Look) => (look.style === 'playful' ? '0 1.6rem 0 rgb(0 0 0 / 0.22)' : `0 1.4rem 4rem rgb(0 0 0 / ${look.dark ? 0.5 : 0.2})`)

/** The body of a frame as large as the box holds it. */
function shapeOf(frame: string, box: { w: number; h: number }, look: Look) {
  if (frame === 'phone') {
    const height = Math.min(box.h, box.w * 2)
    return { width: height * 0.49, height, radius: height * 0.065, pad: height * 0.014, top: height * 0.014 }
  }
  const ratio = frame === 'browser' ? 1.5 : null
  const width = ratio ? Math.min(box.w, box.h * ratio) : box.w
  const height = ratio ? Math.min(box.h, width / ratio) : box.h
  return { width, height, radius: frame === 'browser' ? 1.6 : look.radius, pad: frame === 'card' && look.style === 'playful' ? 1.6 : 0, top: frame === 'browser' ? 4.4 : frame === 'card' && look.style === 'playful' ? 1.6 : 0 }
}

function Bar({ top }: { top: number }) {
  return (
    <div style={{ position: 'absolute', inset: '0 0 auto', height: `${top}rem`, display: 'flex', alignItems: 'center', gap: '0.9rem', padding: '0 1.6rem' }}>
      {['#ff5f57', '#febc2e', '#28c840'].map((color) => (
        <div key={color} style={{ width: '1.2rem', height: '1.2rem', borderRadius: '50%', background: color }} />
      ))}
      <div style={{ flex: 1, height: '2.2rem', borderRadius: '1.1rem', background: '#e3e3e8', margin: '0 1.4rem' }} />
    </div>
  )
}

/** The view over a picture: nearer or further, and a little to a side that belongs to the part. */
function Pan({ part, pan }: { part: PartProps['part']; pan: number }) {
  const framed = part.frame && part.frame !== 'none' && part.frame !== 'card'
  const nearer = chance(part.id, 1) < 0.6
  const zoom = part.fit === 'contain' ? 1 : framed ? 1 + 0.05 * pan : nearer ? 1.04 + 0.1 * pan : 1.14 - 0.1 * pan
  const x = framed || part.fit === 'contain' ? 0 : (chance(part.id, 2) - 0.5) * 3.4 * (pan - 0.5)
  const y = framed || part.fit === 'contain' ? 0 : (chance(part.id, 3) - 0.5) * 2.4 * (pan - 0.5)
  return <img src={address(part.src)} alt="" style={{ width: '100%', height: '100%', objectFit: part.fit ?? 'cover', objectPosition: part.focus ?? (framed ? '50% 0%' : '50% 35%'), transformOrigin: framed ? '50% 0%' : undefined, display: 'block', transform: `translate(${x}%, ${y}%) scale(${zoom})` }} />
}

const ratios: Record<string, number> = { browser: 1 / 1.5, phone: 2.04 }

export const picture: PartFace = { draw: Picture, most: (part, _, room) => Math.min(room.h, room.w * (ratios[part.frame] ?? 4)) }
