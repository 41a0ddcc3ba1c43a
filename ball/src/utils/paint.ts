import { useLayoutEffect, useRef, createElement } from 'react'
import { type Colour, channels } from './colour'

/** Red, green and blue, 0…255. */
export type RGB = [number, number, number]

/** Light that falls on a place: from what lies there, in units of the layout. */
export type Shading = (x: number, y: number) => RGB

export const rgb = (colour: Colour): RGB => channels(colour)

export const blend = (a: RGB, b: RGB, t: number): RGB => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]

export const lit = (a: RGB, light: RGB, much: number): RGB => [a[0] + light[0] * much, a[1] + light[1] * much, a[2] + light[2] * much]

/** From 0 at one edge to 1 at the other, without a kink at either. */
export function soft(from: number, to: number, v: number): number {
  const t = Math.min(Math.max((v - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
}

/**
 * A surface that is computed once and then never again. The browser's own
 * gradients are dithered: noise over the whole picture, which takes longer to
 * compress than all else takes to draw. These have plain steps of one shade.
 */
export function Surface({ width, height, shading }: { width: number; height: number; shading: Shading }) {
  const node = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const canvas = node.current!
    // The ratio is never told as less than 1, but small videos are drawn at a half.
    const scale = window.matchMedia('(max-resolution: 0.6dppx)').matches ? 0.5 : window.devicePixelRatio
    const across = Math.max(1, Math.round(window.innerWidth * scale))
    const down = Math.max(1, Math.round(window.innerHeight * scale))
    // A third of the resolution is plenty for soft light.
    const coarse = document.createElement('canvas')
    coarse.width = Math.ceil(across / 3)
    coarse.height = Math.ceil(down / 3)
    const image = new ImageData(coarse.width, coarse.height)
    for (let j = 0, k = 0; j < coarse.height; j++) {
      for (let i = 0; i < coarse.width; i++, k += 4) {
        const [r, g, b] = shading(((i + 0.5) / coarse.width) * width, ((j + 0.5) / coarse.height) * height)
        image.data[k] = r
        image.data[k + 1] = g
        image.data[k + 2] = b
        image.data[k + 3] = 255
      }
    }
    coarse.getContext('2d')!.putImageData(image, 0, 0)
    canvas.width = across
    canvas.height = down
    const context = canvas.getContext('2d', { alpha: false })!
    context.imageSmoothingQuality = 'high'
    context.drawImage(coarse, 0, 0, across, down)
  }, [width, height, shading])
  return createElement('canvas', { ref: node, className: 'layer' })
}
