import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { waitFor } from '../../koda'
import type { Place } from '../layout'
import type { Look } from '../look'
import type { PartFace, PartProps } from '../part'
import type { Part } from '../story'
import { type Cast, castOf } from './cast'
import { mixed } from './chart'
import { address } from './Picture'
import { type Colours, Screen } from './screen'
import { type Ink, inkOf, letter, type Sheet, Window } from './Window'

/** A recording of a terminal, which plays in a window: { src, title, theme, seconds }. */
export interface RecordingPart extends Part {
  kind: 'recording'
  src: string
  title?: string
  theme?: 'light' | 'dark'
  /** How long it plays, if nobody is in a hurry. */
  seconds: number
}

/** The colours with a name, where a recording does not bring its own. */
const palettes = {
  dark: '#23262f #ff6b70 #7fdc8f #f0c05c #6cb0ff #d48cff #5fd7d7 #d5d8e0 #6b7182 #ff9296 #a5ecb0 #ffd98a #9ccbff #e6b8ff #94ebeb #ffffff'.split(' '),
  light: '#20242e #c4262e #17803d #946200 #1d57c6 #8a35b8 #0b7a7a #c3c8d2 #6a7180 #d8434a #259a52 #ad7a10 #3a72e0 #a455d0 #1a9696 #eceef2'.split(' '),
}

async function open(src: string): Promise<[Cast, Screen]> {
  const answer = await fetch(address(src))
  if (!answer.ok) throw new Error(`there is no recording ${src}`)
  const cast = castOf(await answer.text())
  return [cast, await Screen.of(cast)]
}

function Recording({ part, ...rest }: PartProps) {
  const [film, setFilm] = useState<[Cast, Screen] | null>(null)
  // The frame waits for what is on the page when the promise is kept.
  useLayoutEffect(() => void waitFor(open(part.src).then((opened) => flushSync(() => setFilm(opened)))), [part.src])
  return film && <Playing part={part as RecordingPart} cast={film[0]} screen={film[1]} {...rest} />
}

function Playing({ part, cast, screen, v, look, box }: PartProps & { part: RecordingPart; cast: Cast; screen: Screen }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { sheet, cell, x, y } = sheetOf(cast, box)
  const { ink, colours } = coloursOf(cast, look, part.theme ?? 'dark')
  const scale = window.devicePixelRatio
  const [width, height] = [Math.round(cast.columns * cell * scale), Math.round(cast.rows * 2 * cell * scale)]
  const at = v.at! * cast.seconds
  useLayoutEffect(() => {
    const draw = async () => {
      await screen.show(at)
      await screen.fonts(look.face.mono)
      const ctx = canvas.current?.getContext('2d')
      if (ctx) screen.paint(ctx, cell * scale, 2 * cell * scale, look.face.mono, colours)
    }
    void waitFor(draw())
  })
  return (
    <Window look={look} box={box} v={{ ...v, enter: v.open! / 5 }} sheet={sheet} ink={ink} title={part.title ?? ''}>
      <canvas ref={canvas} width={width} height={height} style={{ display: 'block', position: 'absolute', left: `calc(${sheet.pad}rem + ${x}px)`, top: `${y}px`, width: `${width / scale}px`, height: `${height / scale}px` }} />
    </Window>
  )
}

/**
 * The window around cells of whole pixels, twice as high as wide, as large as the room
 * allows; x and y are what brings the first cell to a whole pixel.
 */
function sheetOf(cast: Cast, box: Place): { sheet: Sheet; cell: number; x: number; y: number } {
  const unit = Math.min(window.innerWidth, window.innerHeight) / 100
  const [pad, head, edge] = [2.4, 5, box.x === 0 && box.y === 0 ? 4 : 0]
  const [wide, high] = [box.w - 2 * edge - 2 * pad, box.h - 2 * edge - head - 1.8 * pad]
  const free = Math.min((wide * unit) / cast.columns, (high * unit) / cast.rows / 2)
  const cell = free >= 4 ? Math.floor(free) : free
  const line = (2 * cell) / unit
  const sheet = { font: cell / letter / unit, line, across: cast.columns, down: cast.rows, pad, head, width: (cast.columns * cell) / unit + 2 * pad, height: cast.rows * line + head + 1.8 * pad }
  const left = (box.x + (box.w - sheet.width) / 2 + pad) * unit
  const top = (box.y + (box.h - sheet.height) / 2 + head + pad * 0.8) * unit
  return { sheet, cell, x: Math.round(left) - left, y: Math.round(top) - top }
}

/** The colours of the recording, else those of the window. */
function coloursOf(cast: Cast, look: Look, theme: 'light' | 'dark'): { ink: Ink; colours: Colours } {
  const own = inkOf(look, theme)
  if (!cast.theme) return { ink: own, colours: { text: own.text, ground: own.ground, cursor: own.spot, palette: palettes[own.ground === '#ffffff' ? 'light' : 'dark'] } }
  const { text, ground, palette } = cast.theme
  return { ink: { ...own, text, ground, soft: mixed(text, ground, 0.6) }, colours: { text, ground, cursor: text, palette } }
}

export const recording: PartFace = { draw: Recording }
