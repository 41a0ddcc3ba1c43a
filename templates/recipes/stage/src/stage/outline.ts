/** Outlines of bodies of radius 1, as distances from the middle at equal angles, so that each can become any other. */
const STEPS = 120

const polygon = (n: number, round: number) => (angle: number) => {
  const sector = (2 * Math.PI) / n
  const a = ((((angle + Math.PI / 2) % sector) + sector) % sector) - sector / 2
  const sharp = Math.cos(sector / 2) / Math.cos(a)
  return sharp * (1 - round) + round * (0.5 + 0.5 * Math.cos(sector / 2))
}

const radii: Record<string, (angle: number) => number> = {
  ball: () => 1,
  box: (angle) => 0.94 / (Math.abs(Math.cos(angle)) ** 5 + Math.abs(Math.sin(angle)) ** 5) ** (1 / 5),
  triangle: polygon(3, 0.14),
  hexagon: polygon(6, 0.1),
  star: (angle) => {
    const k = 0.5 + 0.5 * Math.cos(5 * (angle + Math.PI / 2))
    return 0.56 + 0.48 * k ** 1.35
  },
  flower: (angle) => 0.84 + 0.17 * Math.cos(6 * angle),
  heart: (angle) => {
    // The distance of the curve at the angle, found by walking along it.
    const t = ((angle + Math.PI / 2) / (2 * Math.PI)) % 1
    const s = Math.abs(t > 0.5 ? 1 - t : t) * 2
    return 0.52 + 0.62 * s ** 0.9 - 0.36 * Math.max(0, s - 0.5) + 0.12 * Math.sin(Math.PI * s)
  },
  blob: (angle) => 0.92 + 0.1 * Math.sin(2 * angle + 0.6) + 0.07 * Math.sin(3 * angle + 2),
}

export const shapes = Object.keys(radii)

/** A path around the middle, part of the way from one body to another; wobble lets the edge swim by time. */
export function outline(from: string, to = from, share = 0, wobble = 0): string {
  const [a, b] = [radii[from] ?? radii.ball!, radii[to] ?? radii.ball!]
  const points = Array.from({ length: STEPS }, (_, i) => {
    const angle = (i / STEPS) * 2 * Math.PI
    const swim = from === 'blob' ? 0.05 * Math.sin(3 * angle + wobble * 2) + 0.04 * Math.sin(2 * angle - wobble * 1.3) : 0
    const r = a(angle) * (1 - share) + b(angle) * share + swim
    return `${(r * Math.cos(angle)).toFixed(3)} ${(r * Math.sin(angle)).toFixed(3)}`
  })
  return `M${points.join('L')}Z`
}
