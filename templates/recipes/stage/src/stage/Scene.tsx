import type { ISheetObject } from '@theatre/core'
import { useMemo } from 'react'
import { useSheetObject } from '../koda'
import { Backdrop } from './Backdrop'
import { kindOf } from './kinds'
import { type Place, placesOf, type Size } from './layout'
import type { Look } from './look'
import { parts as faces } from './parts'
import type { PlacedScene } from './score'
import type { Part } from './story'

export interface SceneProps {
  scene: PlacedScene
  look: Look
  backdrop: string
  size: Size
  objects: Record<string, ISheetObject<any>> // eslint-disable-line @typescript-eslint/no-explicit-any -- values differ by kind
  /** Seconds since the scene began; they go on while the next scene takes its place. */
  time: number
  /** How far the next scene has taken its place. */
  leaving: number
  /** How far the camera goes, and how far it has gone. */
  reach: number
  camera: number
}

/** A scene as it stands: backdrop, what is behind, the parts, what is over them. */
export function Scene({ scene, look, backdrop, size, objects, time, leaving, reach, camera }: SceneProps) {
  const places = useMemo(() => placesOf(scene, look, size), [scene, look, size])
  const leave = Math.min(leaving / 0.6, 1)
  const draw = (part: Part) => <Drawn key={part.id} part={part} object={objects[part.id]!} look={look} box={places.get(part.id)!} time={kindOf(part).moves ? time : 0} leave={leave} />
  const behind = scene.parts.filter((part) => part.area !== 'over' && (part.area === 'behind' || whole(places.get(part.id)!, size)))
  const over = scene.parts.filter((part) => part.area === 'over')
  const main = scene.parts.filter((part) => part.area !== 'behind' && part.area !== 'over' && !whole(places.get(part.id)!, size))
  // It ends where things are laid out, so that nothing leaves the safe area.
  const zoom = 1 - reach * (1 - camera)
  return (
    <>
      {backdrop !== 'none' && <Backdrop name={backdrop as 'auto'} look={look} size={size} time={time} seed={scene.id} />}
      {behind.map(draw)}
      <div className="layer" style={{ transform: `scale(${zoom})` }}>
        {main.map(draw)}
      </div>
      {over.map(draw)}
    </>
  )
}

/** What fills the whole frame stays where it is: the camera would uncover its edges. */
const whole = (box: Place, size: Size) => box.w >= size.w && box.h >= size.h

function Drawn({ part, object, look, box, time, leave }: { part: Part; object: SceneProps['objects'][string]; look: Look; box: Place; time: number; leave: number }) {
  const values = useSheetObject(object) as Record<string, number>
  const Draw = faces[part.kind]!.draw
  return <Draw part={part} v={leave > (values.leave ?? 0) ? { ...values, leave } : values} look={look} box={box} time={time} />
}
