import { useMemo } from 'react'
import { useCurrentTime } from '../koda'
import { cubicBezier, progress } from '../utils/easing'
import { kindOf } from './kinds'
import { type LayoutName, type Part, type Key, type Params, type Tone } from './story'
import { type Place, placesOf } from './layout'
import { lookOf } from './look'
import { manners } from './manner'
import { parts as faces } from './parts'
import './fonts'
import './stage.css'

export interface KitProps {
  /** Each has an id and a kind, and the properties of its kind; box, in hundredths of the shorter side, puts it somewhere. */
  parts: (Part & { box?: Partial<Place> })[]
  /** Seconds of the video in which the parts are seen. They leave in the last 0.4 s unless stays is set. */
  start: number
  end: number
  stays?: boolean
  style?: 'playful' | 'smooth' | 'cinematic'
  layout?: LayoutName
  tone?: Tone
  /** CSS colours of ground, texts and accent; the kit keeps texts readable. The ground is only drawn with ground. */
  background?: string
  color?: string
  accent?: string
  ground?: boolean
}

const at = (keys: Key[], t: number): number => {
  const i = keys.findLastIndex(([time]) => time <= t)
  const [from, to] = [keys[Math.max(i, 0)]!, keys[i + 1]]
  if (i < 0 || !to || from[2] === 'hold') return from[1]
  const p = (t - from[0]) / (to[0] - from[0])
  return from[1] + (to[1] - from[1]) * (from[2] ? cubicBezier(...from[2])(p) : p)
}

/** Parts of koda's kit, which come one after another, as in koda's recipes. */
export function Kit({ parts, start, end, stays, style = 'smooth', layout = 'center', tone, background, color, accent, ground }: KitProps) {
  const t = useCurrentTime()
  const short = Math.min(window.innerWidth, window.innerHeight)
  const [w, h] = [(100 * window.innerWidth) / short, (100 * window.innerHeight) / short]
  const told = JSON.stringify([parts, style, layout, tone, background, color, accent])
  const { look, places } = useMemo(() => {
    const params = { style, palette: 'auto', background: background ?? 'auto', color: color ?? 'auto', accent: accent ?? 'auto', size: 1 } as Params
    const look = lookOf(params, { tone })
    return { look, places: placesOf({ id: 'kit', title: '', layout, tone, parts }, look, { w, h }) }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- told is all of it
  }, [told, w, h])
  if (t < start || (t >= end && !stays)) return null
  const manner = manners[style]
  const leave = stays ? 0 : progress(t, end - 0.4, end)
  let comes = 0
  return (
    <div className="stage" style={ground ? { background: look.base } : undefined}>
      {parts.map((part) => {
        const kind = kindOf(part)
        const begins = part.wait ?? comes
        const seconds = Math.min(kind.enter(part, manner), Math.max(end - start - begins, 0.1))
        comes = begins + seconds * manner.beat
        const v: Record<string, number> = { enter: progress(t - start, begins, begins + seconds), leave, ...kind.values }
        for (const [name, keys] of Object.entries(kind.run?.(part, manner, begins, seconds, end - start) ?? {})) v[name] = at(keys, t - start)
        const Draw = faces[part.kind]!.draw
        return <Draw key={part.id} part={part} v={v} look={look} box={{ ...places.get(part.id)!, ...part.box }} time={kind.moves ? t - start : 0} />
      })}
    </div>
  )
}
