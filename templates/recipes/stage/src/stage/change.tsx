import type { CSSProperties, ReactNode } from 'react'
import type { Size } from './layout'
import type { Look } from './look'
import type { PlacedScene } from './score'

type Kind = NonNullable<PlacedScene['change']>['kind']

/** How the scene that comes and the one that goes stand while p runs from 0 to 1. */
const ways: Record<Kind, (p: number, size: Size) => { comes: CSSProperties; goes: CSSProperties }> = {
  cut: () => ({ comes: {}, goes: { display: 'none' } }),
  fade: (p) => ({ comes: { opacity: p }, goes: {} }),
  // The scenes do it themselves: what they share moves, all else fades.
  morph: () => ({ comes: {}, goes: {} }),
  push: (p, { w, h }) =>
    w >= h
      ? { comes: { transform: `translateX(${(1 - p) * 100}%)` }, goes: { transform: `translateX(${-p * 100}%)` } }
      : { comes: { transform: `translateY(${(1 - p) * 100}%)` }, goes: { transform: `translateY(${-p * 100}%)` } },
  wipe: (p) => {
    const at = p * 130
    return { comes: { clipPath: `polygon(0 0, ${at}% 0, ${at - 30}% 100%, 0 100%)` }, goes: {} }
  },
  zoom: (p) => ({
    comes: { opacity: Math.min(p * 1.6, 1), transform: `scale(${1.14 - 0.14 * p})` },
    goes: { transform: `scale(${1 + 0.5 * p * p})` },
  }),
}

/** Two scenes while the one takes the place of the other; the change belongs to the one that comes. */
export function Change({ kind, p, size, look, from, to }: { kind: Kind; p: number; size: Size; look: Look; from: ReactNode; to: ReactNode }) {
  const { comes, goes } = ways[kind](p, size)
  return (
    <>
      {from && (
        <div className="layer clipped" style={goes}>
          {from}
        </div>
      )}
      {from && kind === 'wipe' && <Band p={p} look={look} />}
      <div className="layer clipped" style={from ? comes : undefined}>
        {to}
      </div>
    </>
  )
}

/** A band in the accent that runs ahead of a wipe. */
function Band({ p, look }: { p: number; look: Look }) {
  const at = p * 130
  const lead = 12 * Math.sin(Math.PI * Math.min(Math.max(p, 0), 1))
  return <div className="layer" style={{ background: look.accent, clipPath: `polygon(0 0, ${at + lead}% 0, ${at - 30 + lead}% 100%, 0 100%)` }} />
}
