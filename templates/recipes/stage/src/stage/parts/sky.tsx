import type { ReactNode } from 'react'
import { type Colour, css, mixed, oklch, parse, readable } from '../colour'
import type { Look } from '../look'
import { clamp, coming, easeOutCubic, staged } from '../motion'
import { signs } from '../signs'
import { Thing } from './Sign'

/** Pictures of the weather: a sun turns, clouds drift, rain and snow fall. All of them stand on a square of 24 by 24, with its middle at the origin. */

/** What a picture holds: a light, clouds, what falls out of them, each with its place and its size. */
interface Picture {
  sun?: Spot
  moon?: Spot
  back?: Spot
  cloud?: Spot
  /** It is darker than other clouds. */
  heavy?: boolean
  falls?: 'rain' | 'drizzle' | 'snow' | 'hail' | 'bolt' | 'fog'
  wind?: boolean
}

/** x, y and size. */
type Spot = [number, number, number]

const above: Spot = [0, -2.6, 0.94]
const beside: Spot = [1.5, 2.4, 0.84]
const small: Spot = [1.3, -1.2, 0.8]

const pictures: Record<string, Picture> = {
  sun: { sun: [0, 0, 1] },
  moon: { moon: [0, 0, 0.92] },
  'cloud-sun': { sun: [-3.4, -3.6, 0.74], cloud: beside },
  'cloud-moon': { moon: [-4.6, -5, 0.56], cloud: beside },
  cloud: { cloud: [0, 0.4, 1.06] },
  cloudy: { back: [4.4, -4, 0.66], cloud: [-1.2, 1.8, 0.96] },
  'cloud-drizzle': { cloud: above, falls: 'drizzle' },
  'cloud-rain': { cloud: above, falls: 'rain', heavy: true },
  'cloud-sun-rain': { sun: [-4, -6, 0.6], cloud: small, falls: 'rain' },
  'cloud-snow': { cloud: above, falls: 'snow' },
  'cloud-hail': { cloud: above, falls: 'hail', heavy: true },
  'cloud-lightning': { cloud: above, falls: 'bolt', heavy: true },
  'cloud-fog': { cloud: [0, -3.2, 0.84], falls: 'fog' },
  wind: { wind: true },
}

/** Whether there is a picture of such weather. */
export const pictured = (sky: string | undefined): sky is string => sky !== undefined && (pictures[sky] !== undefined || signs[sky] !== undefined)

export interface SkyProps {
  sky: string
  size: number
  look: Look
  /** What it stands on. */
  ground: Colour
  /** How far it has come, 0…1. */
  shown: number
  /** Turns of a motion that takes so many seconds, since the scene began. */
  turns(seconds: number): number
}

interface Paints {
  sun: Colour
  cloud: Colour
  back: Colour
  heavy: Colour
  water: Colour
  snow: Colour
}

/** Colours in which everybody knows them, as far as they can be seen on the ground. */
function paintsOf(ground: Colour): Paints {
  const light = ground.l > 0.62
  const cloud = readable(light ? oklch(0.8, 0.035, 245) : oklch(0.95, 0.012, 245), ground, 1.5)
  return {
    sun: readable(parse('#fbb829'), ground, light ? 1.5 : 1.9),
    cloud,
    back: mixed(cloud, ground, 0.42),
    heavy: readable(light ? oklch(0.66, 0.04, 250) : oklch(0.8, 0.025, 245), ground, 1.6),
    water: readable(light ? parse('#2f8fe0') : parse('#7cc4ff'), ground, 2),
    snow: readable(light ? oklch(0.7, 0.09, 235) : oklch(0.97, 0.01, 235), ground, 1.8),
  }
}

const outline = 'M17.5 19H9a7 7 0 1 1 6.71-9h1.79a4.5 4.5 0 1 1 0 9z'
const bolt = 'M.9 .9L-3 6.7H-.5L-1.9 11.4L3.2 4.9H.6L2.6 .9z'

/** The weather as a picture. */
export function Sky(props: SkyProps): ReactNode {
  const { sky, size, look, ground, shown, turns } = props
  const picture = pictures[sky]
  const paints = paintsOf(ground)
  if (!picture) return signs[sky] ? <Thing thing={sky} size={size * 0.94} look={look} colour={css(readable(sky === 'thermometer' ? parse('#e8543f') : paints.snow, ground, 2))} drawn={shown} pose={{ turn: sky === 'snowflake' ? 60 * turns(6) : 0 }} /> : null
  const thin = look.style === 'cinematic'
  const stroke = { playful: 1.5, smooth: 1.2, cinematic: 0.8 }[look.style]
  /** Thin pictures are lines with a breath of their colour. */
  const face = (c: Colour) => (thin ? { fill: css(mixed(c, ground, 0.78)), stroke: css(c), strokeWidth: stroke, strokeLinejoin: 'round' as const } : { fill: css(c) })
  const [first, second] = [Math.max(coming(look, clamp(shown / 0.7)), 0), Math.max(coming(look, clamp((shown - 0.12) / 0.7)), 0)]
  const drift = Math.sin(2 * Math.PI * turns(5))
  const place = ([x, y, k]: Spot, dx = 0) => `translate(${x + dx} ${y}) scale(${k})`
  const cloud = (spot: Spot, c: Colour, dx: number) => (
    <g transform={`${place(spot, dx)} translate(-12 -12)`}>
      <path d={outline} {...face(c)} strokeWidth={thin ? stroke / spot[2] : undefined} />
    </g>
  )
  return (
    <g transform={`scale(${size / 24})`} strokeLinecap="round">
      {picture.sun && <g transform={`${place(picture.sun)} scale(${first})`} opacity={clamp(shown * 5)}>{sun(paints.sun, stroke, face, turns)}</g>}
      {picture.moon && <g transform={`${place(picture.moon)} scale(${first})`} opacity={clamp(shown * 5)}>{moon(paints, face, picture.cloud === undefined, turns)}</g>}
      {picture.back && <g opacity={clamp(shown * 4)}>{cloud(picture.back, paints.back, (1 - first) * 5 - 0.7 * drift)}</g>}
      {picture.falls && falling(picture, paints, { thin, stroke, shown: easeOutCubic(clamp((shown - 0.45) / 0.55)), turns })}
      {picture.cloud && <g opacity={clamp((shown - 0.1) * 4)}>{cloud(picture.cloud, picture.heavy ? paints.heavy : paints.cloud, (second - 1) * 5 + 0.5 * drift)}</g>}
      {picture.wind && gusts(paints, stroke * 1.25, shown, turns)}
    </g>
  )
}

type Face = (c: Colour) => Record<string, string | number>
type Turns = SkyProps['turns']

function sun(colour: Colour, stroke: number, face: Face, turns: Turns): ReactNode {
  return (
    <>
      <circle r="5.1" {...face(colour)} />
      <g transform={`rotate(${45 * turns(4)})`} stroke={css(colour)} strokeWidth={stroke * 1.15}>
        {Array.from({ length: 8 }, (_, i) => {
          const long = 10.6 + 0.5 * Math.sin(2 * Math.PI * (turns(2.4) + i / 2))
          const [x, y] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)]
          return <line key={i} x1={7.8 * x} y1={7.8 * y} x2={long * x} y2={long * y} />
        })}
      </g>
    </>
  )
}

function moon(paints: Paints, face: Face, alone: boolean, turns: Turns): ReactNode {
  return (
    <>
      <g transform={`rotate(${-6 + 5 * Math.sin(2 * Math.PI * turns(5))}) translate(-12 -12)`}>
        <path d={signs.moon} {...face(paints.sun)} />
      </g>
      {alone && ([[6.4, -6.6, 1.2], [8.6, 0.4, 0.8], [2.6, -3.2, 0.7]] as Spot[]).map(([x, y, r], i) => <circle key={i} cx={x} cy={y} r={r * (0.55 + 0.25 * Math.sin(2 * Math.PI * (turns(2.4) + i / 3)))} fill={css(paints.snow)} />)}
    </>
  )
}

/** Where things fall, from left to right. */
const lanes = [-4.6, 0.2, 5]

/** What comes out of a cloud, and goes on coming. */
function falling(picture: Picture, paints: Paints, { thin, stroke, shown, turns }: { thin: boolean; stroke: number; shown: number; turns: Turns }): ReactNode {
  if (shown <= 0) return null
  const [, y = 0, k = 1] = picture.cloud ?? []
  const from = y + 6 * k
  switch (picture.falls) {
    case 'bolt': {
      // It glows and never goes out: flashes can harm.
      const glow = 0.9 + 0.1 * Math.sin(2 * Math.PI * turns(1.8))
      return <path d={bolt} transform={`translate(0.4 0.4) scale(${0.6 + 0.4 * shown})`} fill={css(paints.sun)} stroke={css(paints.sun)} strokeWidth="0.5" strokeLinejoin="round" opacity={shown * glow} />
    }
    case 'fog':
      return [8, 6.2, 7.2].map((half, i) => {
        const x = 1.3 * Math.sin(2 * Math.PI * (turns(4.4) + i * 0.37))
        return <line key={i} x1={x - half * shown} x2={x + half * shown} y1={from + 0.9 + i * 2.7} y2={from + 0.9 + i * 2.7} stroke={css(paints.back)} strokeWidth={stroke * 1.3} opacity={shown} />
      })
    case 'snow':
      return lanes.flatMap((x, i) =>
        [0, 0.5].map((half) => {
          const u = (turns(2.6) + i * 0.37 + half) % 1
          return <circle key={`${i}${half}`} cx={x + 0.8 * Math.sin(2 * Math.PI * (u + i * 0.3))} cy={from - 0.4 + 6.8 * u} r={0.85 + 0.3 * ((i + 2 * half) % 2)} fill={css(paints.snow)} opacity={shown * seen(u)} />
        }),
      )
    case 'hail':
      return lanes.flatMap((x, i) => {
        const [a, b] = [(turns(1.2) + i * 0.41) % 1, (turns(1.2) + i * 0.41 + 0.5) % 1]
        return [
          <circle key={`${i}a`} cx={x} cy={from + 6.4 * a} r="0.85" fill={css(paints.snow)} opacity={shown * seen(a)} />,
          <line key={`${i}b`} x1={x + 2.2} x2={x + 1.7} y1={from - 1 + 6 * b} y2={from + 0.8 + 6 * b} stroke={css(paints.water)} strokeWidth={stroke} opacity={shown * seen(b)} />,
        ]
      })
    case 'rain':
    case 'drizzle': {
      const [long, pace, deep] = picture.falls === 'rain' ? [2.9, 1, 5] : [1.1, 1.4, 5.6]
      return [-5.2, -1.7, 1.8, 5.3].map((x, i) => {
        const u = (turns(pace) + i * 0.38) % 1
        const [dx, dy] = [x - 0.2 * deep * u, from - 1.2 + deep * u]
        return <line key={i} x1={dx} y1={dy} x2={dx - 0.2 * long} y2={dy + long} stroke={css(paints.water)} strokeWidth={stroke} opacity={shown * seen(u)} />
      })
    }
  }
  return null
}

/** How much is seen of what falls, from where it comes to where it is gone. */
const seen = (u: number): number => clamp(u * 7) * clamp((1 - u) * 4)

function gusts(paints: Paints, stroke: number, shown: number, turns: Turns): ReactNode {
  return signs.wind!.split('|').map((d, i) => {
    const p = staged(easeOutCubic(shown), i, 3, 0.7)
    const x = 0.9 * Math.sin(2 * Math.PI * (turns(2.6) + i * 0.31))
    return p > 0 && <path key={i} d={d} transform={`translate(${x - 12} -12)`} pathLength="1" strokeDasharray="1 1.1" strokeDashoffset={p - 1} fill="none" stroke={css(i === 1 ? paints.water : paints.heavy)} strokeWidth={stroke} />
  })
}
