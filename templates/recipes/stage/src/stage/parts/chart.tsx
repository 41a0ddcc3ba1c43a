import type { CSSProperties, ReactNode } from 'react'
import { easeInOutCubic, easeInOutQuart } from '../../utils/easing'
import { contrast, css, oklch, parse, readable, tone } from '../colour'
import type { Size } from '../layout'
import type { Look } from '../look'
import { clamp, going } from '../motion'
import type { PartProps } from '../part'

/** A value with its name. */
export interface Row {
  label: string
  value: number
  /** It stands for what is too small to be shown alone. */
  rest?: boolean
  /** Its name and value do not stand among the keys. */
  keyless?: boolean
  /** A colour that a person asks for, as #rrggbb. */
  color?: string
}

/** The place of the row with a name, in letters of either case; -1 if there is none. */
export const placeOf = (rows: Row[], name?: string): number => (name ? rows.findLastIndex((row) => (row.label || String(row.value)).toLowerCase() === name.toLowerCase()) : -1)

/** A colour with so much of it left, 0…1. */
export const faint = (colour: string, share: number): string => `color-mix(in oklab, ${colour} ${Math.round(share * 1000) / 10}%, transparent)`

/** Two colours mixed: share is that of the first. */
export const mixed = (a: string, b: string, share: number): string => `color-mix(in oklab, ${a} ${Math.round(share * 1000) / 10}%, ${b})`

/** The look with another colour for what stands out, as a person asks for it. */
export const accented = (look: Look, fill?: string): Look => (fill ? { ...look, accent: fill, onAccent: css(readable(contrast(parse(fill), oklch(1, 0, 0)) >= 4.5 ? oklch(1, 0, 0) : tone(parse(fill), 0.17, 0.5), parse(fill))) } : look)

/** How something is drawn that has a way to go: it sets off, goes and arrives. */
export const steady = (look: Look, p: number): number => (look.style === 'cinematic' ? easeInOutQuart : easeInOutCubic)(clamp(p))

export interface LabelProps {
  /** The place of the text in rem: x is the side or the middle that align says, y the middle. */
  x: number
  y: number
  size: number
  align?: 'left' | 'center' | 'right'
  width?: number
  lines?: number
  style?: CSSProperties
  children: ReactNode
}

/** A text at a place of a chart. What does not fit in its lines ends with an ellipsis. */
export function Label({ x, y, size, align = 'left', width, lines = 1, style, children }: LabelProps) {
  const shift = align === 'left' ? '0' : align === 'right' ? '-100%' : '-50%'
  return (
    <div
      dir="auto"
      style={{
        position: 'absolute',
        left: `${x}rem`,
        top: `${y}rem`,
        width: width === undefined ? undefined : `${width}rem`,
        fontSize: `${size}rem`,
        textAlign: align,
        transform: `translate(${shift}, -50%)`,
        whiteSpace: lines === 1 ? 'pre' : undefined,
        ...(width !== undefined && {
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          ...(lines > 1 && { display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: lines, overflowWrap: 'anywhere' }),
        }),
        fontVariantNumeric: 'tabular-nums',
        ...style,
      }}
    >
      {children}
    </div>
  )
}

/** The room of a part on the frame; all that is drawn in it is measured in rem from its upper left. It goes as scenes go. */
export function Room({ look, box, v, children }: Pick<PartProps, 'look' | 'box' | 'v'> & { children: ReactNode }) {
  const out = going(look, v.leave ?? 0)
  return (
    <div style={{ position: 'absolute', left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem`, lineHeight: 1.14, color: look.ink, fontFamily: look.face.text, opacity: out > 0 ? 1 - out : undefined, transform: out > 0 ? `translateY(${-2 * out}rem)` : undefined }}>
      {children}
    </div>
  )
}

/** A dashed line at a value that is aimed at, with the value at its end; a share of it is drawn. */
export function Target({ look, y, from, to, share, text, size }: { look: Look; y: number; from: number; to: number; share: number; text: string; size: number }) {
  if (share <= 0) return null
  return (
    <>
      <svg viewBox="0 0 100 100" style={{ position: 'absolute', left: 0, top: 0, width: '100rem', height: '100rem', overflow: 'visible' }}>
        <path d={`M${from} ${y}H${from + (to - from) * share}`} stroke={look.second} strokeWidth="0.5" strokeDasharray="1.8 1.3" fill="none" />
      </svg>
      <Label x={from + 0.4} y={y - size * 0.72} size={size} style={{ color: look.ink, fontWeight: 650, opacity: clamp(share * 2 - 0.6), textShadow: `0 0 0.3em ${look.base}, 0 0 0.3em ${look.base}` }}>
        {text}
      </Label>
    </>
  )
}

/** Shapes in a part's room, in rem. */
export function Drawing({ box, children }: { box: Size; children: ReactNode }) {
  return (
    <svg viewBox={`0 0 ${box.w} ${box.h}`} style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'visible' }}>
      {children}
    </svg>
  )
}
