/** A body: what it stands on lies at y = 1, its middle at 0, 0. */
export interface Outline {
  path: string
  /** Degrees after which it looks the same; 0 for what does not turn. */
  symmetry: number
  /** Where the light is caught: x, y and a scale. */
  glint: [number, number, number]
}

type Point = [number, number]

/** A polygon with rounded corners; radius is the length cut off at a corner. */
function rounded(points: Point[], radius: number): string {
  const part = (from: Point, to: Point): Point => {
    const d = Math.hypot(to[0] - from[0], to[1] - from[1])
    return [from[0] + ((to[0] - from[0]) / d) * radius, from[1] + ((to[1] - from[1]) / d) * radius]
  }
  const at = (p: Point) => `${p[0].toFixed(4)} ${p[1].toFixed(4)}`
  return (
    points
      .map((corner, i) => {
        const before = points[(i + points.length - 1) % points.length]!
        const after = points[(i + 1) % points.length]!
        return `${i === 0 ? 'M' : 'L'}${at(part(corner, before))} Q${at(corner)} ${at(part(corner, after))}`
      })
      .join(' ') + 'Z'
  )
}

/** Corners on a circle, every second one on a smaller one when inner is given; a flat side lies below. */
function ring(n: number, inner?: number): Point[] {
  const steps = inner ? 2 * n : n
  const start = inner ? -90 : 90 + 180 / n
  const points = Array.from({ length: steps }, (_, i): Point => {
    const angle = ((start + (360 / steps) * i) * Math.PI) / 180
    const r = inner && i % 2 === 1 ? inner : 1
    return [r * Math.cos(angle), r * Math.sin(angle)]
  })
  const low = Math.max(...points.map((p) => p[1]))
  return points.map(([x, y]): Point => [x / low, y / low])
}

export const outlines: Record<string, Outline> = {
  ball: { path: 'M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z', symmetry: 0, glint: [-0.38, -0.5, 1] },
  box: { path: rounded(ring(4), 0.3), symmetry: 90, glint: [-0.55, -0.62, 0.9] },
  triangle: { path: rounded(ring(3), 0.5), symmetry: 120, glint: [-0.18, -0.55, 0.75] },
  hexagon: { path: rounded(ring(6), 0.26), symmetry: 60, glint: [-0.42, -0.56, 0.95] },
  star: { path: rounded(ring(5, 0.56), 0.2), symmetry: 72, glint: [-0.3, -0.28, 0.75] },
  heart: {
    path: 'M0 1C-0.42 0.62 -1.12 0.14 -1.12 -0.38C-1.12 -0.76 -0.84 -1 -0.54 -1C-0.28 -1 -0.1 -0.86 0 -0.64C0.1 -0.86 0.28 -1 0.54 -1C0.84 -1 1.12 -0.76 1.12 -0.38C1.12 0.14 0.42 0.62 0 1Z',
    symmetry: 0,
    glint: [-0.58, -0.52, 0.85],
  },
}
