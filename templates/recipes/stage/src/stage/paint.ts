import { createElement, useLayoutEffect, useRef } from 'react'
import { type Colour, channels } from './colour'
import type { Size } from './layout'

/** Red, green and blue, 0…255; shares of a step count. */
export type RGB = [number, number, number]

/** Light that falls on a place of the frame: from 0 to w across, from 0 to h down, in units. */
export type Shading = (x: number, y: number) => RGB

export const rgb = (colour: Colour): RGB => channels(colour)

export const blend = (a: RGB, b: RGB, t: number): RGB => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]

/** From 0 at one edge to 1 at the other, without a kink at either. */
export function soft(from: number, to: number, v: number): number {
  const t = Math.min(Math.max((v - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
}

/** Bayer's ordered pattern of 8 × 8, from -0.5 to 0.5. */
const pattern = Array.from({ length: 64 }, (_, i) => {
  const [x, y] = [i % 8, i >> 3]
  let v = 0
  for (let bit = 0; bit < 3; bit++) v = (v << 2) | ((((x >> bit) ^ (y >> bit)) & 1) << 1) | ((y >> bit) & 1)
  return (v + 0.5) / 64 - 0.5
})

const painted = new Map<string, HTMLCanvasElement>()

/**
 * The shading on a canvas of the frame's own pixels. The only place where koda's
 * gradients are made: the browser's are full of noise that no video can compress,
 * and plain steps show as bands in the dark. This pattern stands still and hides both.
 */
function paint(across: number, down: number, { w, h }: Size, shading: Shading): HTMLCanvasElement {
  const step = 6
  const columns = Math.ceil(across / step) + 1
  const rows = Math.ceil(down / step) + 1
  const light = new Float32Array(columns * rows * 3)
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) light.set(shading(((i * step) / across) * w, ((j * step) / down) * h), (j * columns + i) * 3)
  const canvas = document.createElement('canvas')
  canvas.width = across
  canvas.height = down
  const image = new ImageData(across, down)
  for (let y = 0, at = 0; y < down; y++) {
    const row = Math.floor(y / step)
    const ty = y / step - row
    for (let x = 0; x < across; x++, at += 4) {
      const column = Math.floor(x / step)
      const tx = x / step - column
      const a = (row * columns + column) * 3
      const b = a + columns * 3
      const grain = 0.5 + pattern[((y & 7) << 3) | (x & 7)]!
      for (let k = 0; k < 3; k++) {
        const top = light[a + k]! * (1 - tx) + light[a + 3 + k]! * tx
        const low = light[b + k]! * (1 - tx) + light[b + 3 + k]! * tx
        image.data[at + k] = Math.floor(top * (1 - ty) + low * ty + grain)
      }
      image.data[at + 3] = 255
    }
  }
  canvas.getContext('2d')!.putImageData(image, 0, 0)
  return canvas
}

/** A surface that is painted once for each name and then never again. */
export function Surface({ name, size, shading }: { name: string; size: Size; shading: Shading }) {
  const node = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const canvas = node.current!
    // The ratio is never told as less than 1, but small videos are drawn at a half.
    const scale = window.matchMedia('(max-resolution: 0.6dppx)').matches ? 0.5 : window.devicePixelRatio
    const across = Math.max(1, Math.round(window.innerWidth * scale))
    const down = Math.max(1, Math.round(window.innerHeight * scale))
    const key = `${name} ${across}x${down}`
    let picture = painted.get(key)
    if (!picture) painted.set(key, (picture = paint(across, down, size, shading)))
    canvas.width = across
    canvas.height = down
    canvas.getContext('2d', { alpha: false })!.drawImage(picture, 0, 0)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the name says all the shading is made from
  }, [name, size])
  return createElement('canvas', { ref: node, className: 'layer ground' })
}
