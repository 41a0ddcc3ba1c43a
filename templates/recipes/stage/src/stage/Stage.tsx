import { useSyncExternalStore } from 'react'
import { useCurrentTime, useSheetObject } from '../koda'
import { begun, subscribe } from '../koda/clock'
import { type Actor, before, cast, shownAt, timeIn } from '../theatre/project'
import { Change } from './change'
import type { Size } from './layout'
import { manners } from './manner'
import { Scene } from './Scene'
import './fonts'
import './stage.css'

/** Hundredths of the shorter side. */
function measure(): Size {
  const short = Math.min(window.innerWidth, window.innerHeight)
  return { w: (100 * window.innerWidth) / short, h: (100 * window.innerHeight) / short }
}

let size = measure()
const listeners = new Set<() => void>()
window.addEventListener('resize', () => {
  size = measure()
  for (const tell of listeners) tell()
})
const listen = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** The frame. Before anybody asks for a time it is empty, so that no scene is in the key of all others. */
export function Stage() {
  const asked = useSyncExternalStore(subscribe, begun)
  const frame = useSyncExternalStore(listen, () => size)
  const seconds = useCurrentTime()
  if (!asked) return <main className="stage" />
  const index = shownAt(seconds)
  return (
    <main className="stage" data-scene={cast[index]!.scene.id}>
      <Shown key={cast[index]!.scene.id} index={index} seconds={seconds} size={frame} />
    </main>
  )
}

/** The scene that is shown, and the one before it while it goes. */
function Shown({ index, seconds, size }: { index: number; seconds: number; size: Size }) {
  const actor = cast[index]!
  const { change, camera } = useSheetObject(actor.stage) as { change: number; camera: number }
  const gone = actor.scene.change && change < 1 ? before(index) : null
  const kind = actor.scene.change?.kind ?? 'cut'
  const morph = gone && kind === 'morph' ? { p: change, gone } : null
  return (
    <Change
      kind={kind}
      p={change}
      size={size}
      look={actor.look}
      from={gone && <Played actor={gone} time={timeIn(gone, seconds)} size={size} leaving={kind === 'fade' || morph ? change : 0} camera={1} without={morph ? actor.scene.shared : undefined} />}
      to={<Played actor={actor} time={timeIn(actor, seconds)} size={size} leaving={0} camera={camera} morph={morph} />}
    />
  )
}

interface Playing {
  actor: Actor
  time: number
  size: Size
  leaving: number
  camera: number
  morph?: { p: number; gone: Actor } | null
  without?: Map<string, string>
}

function Played({ actor, morph, ...rest }: Playing) {
  const from = morph && { p: morph.p, scene: morph.gone.scene, look: morph.gone.look, objects: morph.gone.objects }
  return <Scene scene={actor.scene} look={actor.look} backdrop={actor.backdrop} objects={actor.objects} reach={manners[actor.look.style].camera} morph={from} {...rest} />
}
