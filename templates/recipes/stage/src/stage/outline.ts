/** Outlines of bodies of radius 1, as distances from the middle at equal angles, so that each can become any other. */
const STEPS = 120

const polygon = (n: number, round: number) => (angle: number) => {
  const sector = (2 * Math.PI) / n
  const a = ((((angle + Math.PI / 2) % sector) + sector) % sector) - sector / 2
  const sharp = Math.cos(sector / 2) / Math.cos(a)
  return sharp * (1 - round) + round * (0.5 + 0.5 * Math.cos(sector / 2))
}

/** The distance of the edge of a polygon whose corners are all seen from the middle. */
const corners = (points: [number, number][]) => (angle: number) => {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
  let far = 0
  points.forEach(([x, y], i) => {
    const [nx, ny] = points[(i + 1) % points.length]!
    const [ex, ey] = [nx - x, ny - y]
    const cross = dx * ey - dy * ex
    const [r, s] = [(x * ey - y * ex) / cross, (x * dy - y * dx) / cross]
    if (r > 0 && s > -1e-9 && s < 1 + 1e-9) far = Math.max(far, r)
  })
  return far
}

/** The points of a star, from the top on. */
const rays = (n: number, inner: number) => Array.from({ length: 2 * n }, (_, i): [number, number] => [Math.sin((i * Math.PI) / n) * (i % 2 ? inner : 1), -Math.cos((i * Math.PI) / n) * (i % 2 ? inner : 1)])

/** The right half of a heart: an arc from where the line from the tip touches it, over the top, to the notch. */
const lobe = Array.from({ length: 30 }, (_, i): [number, number] => {
  const angle = 0.765 - (i / 29) * 3.512
  return [0.48 + 0.52 * Math.cos(angle), 0.52 * Math.sin(angle) - 0.3]
})

const heart: [number, number][] = [[0, 0.95], ...lobe, ...lobe.slice(0, -1).reverse().map(([x, y]): [number, number] => [-x, y])]

const arm = 0.34

const radii: Record<string, (angle: number) => number> = {
  ball: () => 1,
  circle: () => 1,
  ring: () => 1,
  square: corners([[0.86, 0.86], [-0.86, 0.86], [-0.86, -0.86], [0.86, -0.86]]),
  cube: corners([[0.86, 0.86], [-0.86, 0.86], [-0.86, -0.86], [0.86, -0.86]]),
  pyramid: polygon(3, 0),
  rectangle: corners([[1.2, 0.7], [-1.2, 0.7], [-1.2, -0.7], [1.2, -0.7]]),
  oval: (angle) => 1 / Math.hypot(Math.cos(angle) / 1.25, Math.sin(angle) / 0.8),
  diamond: corners([[0.8, 0], [0, 1.08], [-0.8, 0], [0, -1.08]]),
  pentagon: polygon(5, 0),
  octagon: (angle) => polygon(8, 0)(angle + Math.PI / 8),
  cross: corners([[1, arm], [arm, arm], [arm, 1], [-arm, 1], [-arm, arm], [-1, arm], [-1, -arm], [-arm, -arm], [-arm, -1], [arm, -1], [arm, -arm], [1, -arm]]),
  arrow: corners([[1, 0], [0.1, 0.85], [0.1, 0.36], [-1, 0.36], [-1, -0.36], [0.1, -0.36], [0.1, -0.85]]),
  box: (angle) => 0.94 / (Math.abs(Math.cos(angle)) ** 5 + Math.abs(Math.sin(angle)) ** 5) ** (1 / 5),
  triangle: polygon(3, 0),
  hexagon: polygon(6, 0),
  star: corners(rays(5, 0.45)),
  flower: (angle) => 0.84 + 0.17 * Math.cos(6 * angle),
  heart: corners(heart),
  blob: (angle) => 0.92 + 0.1 * Math.sin(2 * angle + 0.6) + 0.07 * Math.sin(3 * angle + 2),
}

export const shapes = Object.keys(radii)

/** A path around the middle, part of the way from one body to another; wobble lets the edge swim by time. */
export function outline(from: string, to = from, share = 0, wobble = 0): string {
  const [a, b] = [radii[from] ?? radii.ball!, radii[to] ?? radii.ball!]
  const points = Array.from({ length: STEPS }, (_, i) => {
    const angle = (i / STEPS) * 2 * Math.PI
    const swim = from === 'blob' ? 0.08 * Math.sin(3 * angle + wobble * 2) + 0.06 * Math.sin(2 * angle - wobble) : 0
    const r = a(angle) * (1 - share) + b(angle) * share + swim
    return `${(r * Math.cos(angle)).toFixed(3)} ${(r * Math.sin(angle)).toFixed(3)}`
  })
  return `M${points.join('L')}Z`
}
