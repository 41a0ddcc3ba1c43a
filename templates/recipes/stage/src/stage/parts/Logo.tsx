import { chance } from '../chance'
import { blockOf, Lines } from '../Lines'
import { clamp, coming, easeOutCubic, filling, going, staged, swing } from '../motion'
import { outline } from '../outline'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import { signs as things } from '../signs'
import { type Block, letters } from '../type'
import { address } from './Picture'
import { Thing } from './Sign'

/** A logo: { src } is a picture, { text } a name, which is built with a sign of its first letter, or with { sign }, a picture of signs.ts. */
/** A name has the colour that a person asks for. */
const lettersOf = (look: Look): string => (look.accented && !look.inked ? look.accentInk : look.ink)

function Logo(props: PartProps) {
  return props.part.src ? <Image {...props} /> : <Wordmark {...props} />
}

function Image({ part, v, look, box }: PartProps) {
  const p = v.enter!
  const k = Math.max(coming(look, clamp(p * 1.25)), 0)
  const scale = { playful: k, smooth: 0.9 + 0.1 * k, cinematic: 1.18 - 0.18 * filling(look, p) }[look.style]
  const turn = look.style === 'playful' ? (1 - k) * -40 : 0
  const clip = look.style === 'smooth' ? `circle(${72 * filling(look, p)}% at 50% 50%)` : undefined
  const width = Math.min(box.w, part.width ?? 90)
  const height = Math.min(box.h, part.height ?? 56)
  return (
    <>
      <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
        <Burst {...{ look, p, x: box.w / 2, y: box.h / 2, r: height * 0.62, id: part.id }} />
      </Panel>
      <div className="part" style={{ left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem`, display: 'grid', placeItems: 'center', opacity: (1 - going(look, v.leave ?? 0)) * clamp(p * 3) }}>
        <img src={address(part.src)} alt="" style={{ width: `${width}rem`, height: `${height}rem`, objectFit: 'contain', transform: `scale(${scale}) rotate(${turn}deg)`, clipPath: clip }} />
      </div>
    </>
  )
}

/** What flies off when a logo arrives: rays, a ring, or a widening light line. */
function Burst({ look, p, x, y, r, id }: Pick<PartProps, 'look'> & { p: number; x: number; y: number; r: number; id: string }) {
  const k = staged(p, 1, 2, 0.7)
  if (k <= 0 || k >= 1) return null
  const far = easeOutCubic(k)
  if (look.style === 'playful')
    return (
      <g transform={`translate(${x} ${y})`} strokeWidth={1.1 * (1 - k)} strokeLinecap="round">
        {Array.from({ length: 14 }, (_, i) => {
          const angle = ((i + chance(id, i) * 0.4) / 14) * 2 * Math.PI
          const from = r * (0.75 + 0.5 * far)
          const to = from + r * 0.22 * (1 - k)
          return <line key={i} x1={from * Math.cos(angle)} y1={from * Math.sin(angle)} x2={to * Math.cos(angle)} y2={to * Math.sin(angle)} stroke={look.series[i % look.series.length]} />
        })}
      </g>
    )
  if (look.style === 'smooth') return <circle cx={x} cy={y} r={r * (0.7 + 0.6 * far)} fill="none" stroke={look.accent} strokeWidth={0.6 * (1 - k)} opacity={1 - k} />
  return <rect x={x - r * 2.4 * far} y={y - 0.08} width={r * 4.8 * far} height="0.16" fill={look.accent} opacity={1 - k} />
}

const signs = ['ball', 'box', 'hexagon', 'flower', 'blob']

/** A sign and a name: the sign arrives, opens the room for the name, and both stand together. */
function Wordmark({ part, v, look, box }: PartProps) {
  const name = String(part.text)
  const beside = box.w > 1.4 * box.h
  const lone = letters(name).length <= 2
  const sign = Math.min(box.h * (beside ? 0.62 : 0.4), box.w * (beside ? 0.2 : 0.4), 30) * look.size
  const gap = sign * 0.26
  const setting = {
    family: look.face.display,
    weight: look.style === 'cinematic' ? 400 : look.face.weight,
    tracking: look.style === 'cinematic' ? 0.08 : look.face.tracking,
    line: 1.05,
    width: beside ? box.w - sign - gap : box.w,
    height: beside ? box.h * 0.6 : box.h * 0.4,
    max: sign * (beside ? 0.92 : 0.7),
    min: 2,
    lines: 2,
    align: (beside ? 'left' : 'center') as 'left' | 'center',
  }
  const block = lone ? null : blockOf(name, setting)
  const whole = block && beside ? sign + gap + block.width : sign
  const p = v.enter!
  const arrive = staged(p, 0, 2, 0.55)
  const open = filling(look, staged(p, 1, 2, 0.55))
  const k = Math.max(coming(look, arrive), 0)
  const left = (box.w - whole) / 2
  const high = beside || !block ? sign : sign + gap + block.height
  const cx = beside ? box.w / 2 + (left + sign / 2 - box.w / 2) * open : box.w / 2
  const cy = beside ? box.h / 2 : (box.h - high) / 2 + sign / 2 + (1 - open) * ((high - sign) / 2)
  const shape = signs[Math.floor(chance(name, 0) * signs.length)]!
  const letter = letters(name)[0]!
  const drop = look.style === 'playful' ? (1 - clamp(easeOutCubic(arrive))) * -box.h * 0.5 : 0
  const rtl = block?.rtl ?? false
  const clip = `${part.id}-room`
  return (
    <Panel box={box} opacity={1 - going(look, v.leave ?? 0)}>
      <Burst {...{ look, p, x: cx, y: cy, r: sign * 0.7, id: part.id }} />
      {block && (
        <>
          <clipPath id={clip}>
            {beside ? <rect x={cx + sign * 0.52} y={-box.h} width={box.w * 2} height={box.h * 3} /> : <rect x={-box.w} y={cy + sign * 0.52} width={box.w * 3} height={box.h * 2} />}
          </clipPath>
          <g clipPath={`url(#${clip})`}>
            <g
              transform={
                beside
                  ? `translate(${left + sign + gap - (1 - open) * (block.width + gap) - (rtl ? setting.width - block.width : 0)} ${(box.h - block.height) / 2})`
                  : `translate(0 ${(box.h - high) / 2 + sign + gap - (1 - open) * (block.height + gap)})`
              }
            >
              <Shine {...{ look, block, at: v.shine ?? 0, id: part.id }} />
              <Lines block={block} setting={setting} fill={shines(v.shine ?? 0) ? `url(#${part.id}-shine)` : lettersOf(look)} shown={clamp(open * 2)} />
            </g>
          </g>
        </>
      )}
      <g transform={`translate(${cx} ${cy + drop}) rotate(${look.style === 'playful' ? (1 - k) * -120 : look.style === 'smooth' ? (1 - k) * 45 : 0}) scale(${(look.style === 'cinematic' ? 1.3 - 0.3 * k : k) * (1 + 0.012 * swing(v.shine ?? 0, 1))})`} opacity={clamp(arrive * 4)}>
        <path d={outline(shape)} transform={`scale(${sign / 2})`} fill={look.accent} />
        {things[part.sign] ? (
          <Thing thing={part.sign} size={sign * 0.56} look={look} colour={part.color ?? look.onAccent} face="none" drawn={clamp(arrive * 1.4 - 0.4)} />
        ) : (
          <text y={sign * 0.19} textAnchor="middle" fontFamily={look.face.display} fontWeight="700" fontSize={sign * 0.54} fill={look.onAccent}>
            {letter}
          </text>
        )}
      </g>
    </Panel>
  )
}

const shines = (at: number) => at > 0 && at < 1

/** A light that runs over the letters: what they are filled with while it does. */
function Shine({ look, block, at, id }: Pick<PartProps, 'look'> & { block: Block; at: number; id: string }) {
  if (!shines(at)) return null
  const wide = block.width * 0.3
  const x = block.lines[0]!.x - wide + (block.width + 2 * wide) * at
  return (
    <linearGradient id={`${id}-shine`} gradientUnits="userSpaceOnUse" x1={x - wide} x2={x + wide} y1="0" y2={wide * 0.4}>
      <stop offset="0" stopColor={lettersOf(look)} />
      <stop offset="0.5" stopColor={look.accented ? look.ink : look.accentInk} />
      <stop offset="1" stopColor={lettersOf(look)} />
    </linearGradient>
  )
}

export const logo: PartFace = { draw: Logo, most: (part, _, room) => (part.src ? 60 : room.w > 120 ? 46 : 66) }
