import type { ISheetObject } from '@theatre/core'
import { Fragment, type ReactNode, useMemo } from 'react'
import { useSheetObject } from '../koda'
import { Backdrop, Veil } from './Backdrop'
import { Effect, lively, period } from './effect'
import { kindOf } from './kinds'
import { type Box, type Place, placesOf, type Size } from './layout'
import type { Look } from './look'
import { parts as faces } from './parts'
import type { Lettering, Standing } from './part'
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
  /** What the scene takes over from the one before, while that goes. */
  morph?: { p: number; scene: PlacedScene; look: Look; objects: SceneProps['objects'] } | null
  /** Parts that the next scene has taken over: their ids are the values. */
  without?: Map<string, string>
}

/** A scene as it stands: backdrop, what is behind, the parts, what is over them. */
export function Scene({ scene, look, backdrop, size, objects, time, leaving, reach, camera, morph, without }: SceneProps) {
  const places = useMemo(() => placesOf(scene, look, size), [scene, look, size])
  const letters = useMemo(() => scene.parts.filter((part) => part.area !== 'behind').flatMap((part) => faces[part.kind]!.lettering?.({ part, look, box: places.get(part.id)! }) ?? []), [scene, look, places])
  const before = useMemo(() => morph && placesOf(morph.scene, morph.look, size), [morph?.scene, morph?.look, size])
  const leave = Math.min(leaving / 0.85, 1)
  const taken = new Set(without?.values())
  const draw = (part: Part) => {
    if (taken.has(part.id)) return null
    const drawn = placed(part)
    return look.italic || part.own?.letters?.includes('italic') ? <div key={part.id} style={{ fontStyle: 'italic' }}>{drawn}</div> : drawn
  }
  const placed = (part: Part) => {
    const box = places.get(part.id)!
    const plain = <Drawn key={part.id} part={part} object={objects[part.id]!} look={look} box={box} time={kindOf(part).moves || lively(part) ? time : 0} leave={leave} before={part.area === 'behind' ? letters : undefined} />
    const old = morph?.scene.parts.find((p) => p.id === scene.shared.get(part.id))
    if (!morph || !old) return plain
    const from = before!.get(old.id)!
    const same = morph.look.hex.ink === look.hex.ink && (part.text ?? part.src) === (old.text ?? old.src)
    const [was, now] = [{ part: old, look: morph.look, box: from }, { part, look, box }]
    const carried = same && faces[part.kind]!.carry?.(was, now, morph.p)
    if (carried) return <Fragment key={part.id}>{carried}</Fragment>
    const k = scaleOf(was, now)
    return (
      <Fragment key={part.id}>
        {!same && (
          <Carried at={from} to={box} by={1 / k} p={morph.p} shown={1 - morph.p}>
            <Drawn part={old} object={morph.objects[old.id]!} look={morph.look} box={from} time={0} leave={0} />
          </Carried>
        )}
        <Carried at={box} to={from} by={k} p={1 - morph.p} shown={same ? 1 : morph.p}>
          {plain}
        </Carried>
      </Fragment>
    )
  }
  const behind = scene.parts.filter((part) => part.area !== 'over' && (part.area === 'behind' || whole(places.get(part.id)!, size)))
  const over = scene.parts.filter((part) => part.area === 'over')
  const main = scene.parts.filter((part) => part.area !== 'behind' && part.area !== 'over' && !whole(places.get(part.id)!, size))
  // It ends where things are laid out, so that nothing leaves the safe area.
  const zoom = 1 - reach * (1 - camera) * (morph ? morph.p : 1)
  return (
    <>
      {backdrop !== 'none' &&
        (morph ? (
          <div className="layer" style={{ opacity: morph.p }}>
            <Backdrop name={backdrop as 'auto'} look={look} size={size} time={time} seed={scene.id} />
          </div>
        ) : (
          <Backdrop name={backdrop as 'auto'} look={look} size={size} time={time} seed={scene.id} />
        ))}
      {behind.map(draw)}
      <div className="layer" style={scene.roam ? roaming(scene, look, places, size, time) : { transform: `scale(${zoom})` }}>
        {main.map(draw)}
      </div>
      {over.map(draw)}
      <Veil name={backdrop} size={size} time={time} seed={scene.id} />
    </>
  )
}

/** Where the parts of a scene are that drift around the frame together: as large as half of it at most. */
function roaming(scene: PlacedScene, look: Look, places: Map<string, Place>, size: Size, time: number): React.CSSProperties {
  const main = scene.parts.filter((part) => part.area !== 'behind' && part.area !== 'over')
  const boxes = main.flatMap((part) => faces[part.kind]!.lettering?.({ part, look, box: places.get(part.id)! }) ?? [narrow(places.get(part.id)!)])
  const [left, top] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))]
  const [w, h] = [Math.max(...boxes.map((b) => b.x + b.w)) - left, Math.max(...boxes.map((b) => b.y + b.h)) - top]
  const k = Math.min((size.w * (size.w > size.h ? 0.4 : 0.52)) / w, (size.h * 0.32) / h, 1)
  const edge = 3
  const along = (room: number, at: number) => {
    const turn = period({ id: '', kind: '', pace: scene.roam, still: scene.still, lasts: scene.seconds }, room / 13)
    return room * (1 - Math.abs(1 - ((2 * (time / turn + at)) % 2)))
  }
  const [x, y] = [edge + along(size.w - 2 * edge - k * w, 0.16), edge + along(size.h - 2 * edge - k * h, 0.31)]
  return { transform: `translate(${x - k * left}rem, ${y - k * top}rem) scale(${k})`, transformOrigin: '0 0' }
}

/** What stands in the middle of its box and is no wider than high. */
const narrow = (box: Place): Box => ({ ...box, x: box.x + Math.max(box.w - box.h, 0) / 2, w: Math.min(box.w, box.h) })

/** What fills the whole frame stays where it is: the camera would uncover its edges. */
const whole = (box: Place, size: Size) => box.w >= size.w && box.h >= size.h

/** The point of a part that stays where it is when its letters get larger. */
const anchor = (box: Place): [number, number] => [box.align === 'left' ? box.x : box.x + box.w / 2, box.y + box.h / 2]

/** How large a part was, in its own size now: by its letters if it is a text, else by its box. */
function scaleOf(old: Standing, now: Standing): number {
  const [a, b] = [old, now].map(({ part, look, box }) => faces[part.kind]!.font?.(part, look, box, box.align) ?? 0)
  return a && b ? a / b : Math.min(old.box.w / now.box.w, old.box.h / now.box.h)
}

/** A part on its way from its own place to another one, with another size there. */
function Carried({ at, to, by, p, shown, children }: { at: Place; to: Place; by: number; p: number; shown: number; children: ReactNode }) {
  const [[x, y], [u, v]] = [anchor(at), anchor(to)]
  const transform = `translate(${(u - x) * p}rem, ${(v - y) * p}rem) scale(${1 + (by - 1) * p})`
  return (
    <div className="layer" style={{ transform, transformOrigin: `${x}rem ${y}rem`, opacity: shown < 1 ? shown : undefined }}>
      {children}
    </div>
  )
}

function Drawn({ part, object, look, box, time, leave, before }: { part: Part; object: SceneProps['objects'][string]; look: Look; box: Place; time: number; leave: number; before?: Lettering[] }) {
  const values = useSheetObject(object) as Record<string, number>
  const Draw = faces[part.kind]!.draw
  const v = leave > (values.leave ?? 0) ? { ...values, leave } : values
  const draw = (as: Part, seen: Look) => <Draw part={as} v={v} look={seen} box={box} time={time} before={before} />
  return part.effect || part.glow ? <Effect part={part} look={look} box={box} time={time} draw={draw} /> : draw(part, look)
}
