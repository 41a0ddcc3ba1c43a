/**
 * Signs that a terminal draws itself, so that they fill their cells and meet without a
 * gap: lines and boxes, blocks, dots, arrows, and the ends of prompts. A font draws all others.
 */
export interface Cell {
  x: number
  y: number
  w: number
  h: number
}

/** Draws a sign into its cell in the fill colour of the canvas; false if a font must. Places are whole pixels. */
export function drawn(ctx: CanvasRenderingContext2D, char: string, cell: Cell): boolean {
  const code = char.codePointAt(0)!
  if (code >= 0x2500 && code <= 0x257f) line(ctx, code, cell)
  else if (code >= 0x2580 && code <= 0x259f) block(ctx, code, cell)
  else if (code >= 0x2800 && code <= 0x28ff) dots(ctx, code - 0x2800, cell)
  else if (code >= 0x1fb00 && code <= 0x1fb3b) parts(ctx, sextant(code - 0x1fb00), 3, cell)
  else if (code >= 0xe0b0 && code <= 0xe0b3) arrow(ctx, code - 0xe0b0, cell)
  else if (code >= 0x2190 && code <= 0x2193) pointer(ctx, code - 0x2190, cell)
  else return false
  return true
}

/** An arrow to the left, up, to the right or down: where a font has none, others have it too wide for a cell. */
function pointer(ctx: CanvasRenderingContext2D, i: number, { x, y, w, h }: Cell): void {
  const [cx, cy, reach, head] = [x + w / 2, y + h * 0.54, i % 2 === 0 ? w * 0.42 : h * 0.26, w * 0.3]
  const [dx, dy] = [[-1, 0], [0, -1], [1, 0], [0, 1]][i] as [number, number]
  const [tx, ty] = [cx + dx * reach, cy + dy * reach]
  ctx.strokeStyle = ctx.fillStyle
  ctx.lineWidth = Math.max(w / 7, 1)
  ctx.beginPath()
  ctx.moveTo(cx - dx * reach, cy - dy * reach)
  ctx.lineTo(tx, ty)
  ctx.moveTo(tx - dx * head + dy * head, ty - dy * head + dx * head)
  ctx.lineTo(tx, ty)
  ctx.lineTo(tx - dx * head - dy * head, ty - dy * head - dx * head)
  ctx.stroke()
}

/** How thick a line is to the left, up, right and down: 1 light, 2 heavy, 3 double; for each sign from U+2500. */
const arms = (
  '1010 2020 0101 0202 1010 2020 0101 0202 1010 2020 0101 0202 0011 0021 0012 0022 ' +
  '1001 2001 1002 2002 0110 0120 0210 0220 1100 2100 1200 2200 0111 0121 0211 0112 ' +
  '0212 0221 0122 0222 1101 2101 1201 1102 1202 2201 2102 2202 1011 2011 1021 2021 ' +
  '1012 2012 1022 2022 1110 2110 1120 2120 1210 2210 1220 2220 1111 2111 1121 2121 ' +
  '1211 1112 1212 2211 1221 2112 1122 2221 2122 2212 1222 2222 1010 2020 0101 0202 ' +
  '3030 0303 0031 0013 0033 3001 1003 3003 0130 0310 0330 3100 1300 3300 0131 0313 ' +
  '0333 3101 1303 3303 3031 1013 3033 3130 1310 3330 3131 1313 3333 0011 1001 1100 ' +
  '0110 0000 0000 0000 1000 0100 0010 0001 2000 0200 0020 0002 1020 0102 2010 0201'
).split(' ')

/** How many dashes some of the lines have. */
const dashes: Record<number, number> = { 0x2504: 3, 0x2505: 3, 0x2506: 3, 0x2507: 3, 0x2508: 4, 0x2509: 4, 0x250a: 4, 0x250b: 4, 0x254c: 2, 0x254d: 2, 0x254e: 2, 0x254f: 2 }

function line(ctx: CanvasRenderingContext2D, code: number, { x, y, w, h }: Cell): void {
  const thin = Math.max(Math.round(w / 10), 1)
  const [cx, cy] = [x + Math.floor((w - thin) / 2), y + Math.floor((h - thin) / 2)]
  if (code >= 0x256d && code <= 0x2573) return strokes(ctx, code, { x, y, w, h }, thin, cx + thin / 2, cy + thin / 2)
  const [left, up, right, down] = Array.from(arms[code - 0x2500]!, Number) as [number, number, number, number]
  if (dashes[code]) return dashed(ctx, dashes[code], left || up, left > 0, { x, y, w, h }, thin, cx, cy)
  arm(ctx, true, left, x, cx, thin, cy, [up, down, right], -1)
  arm(ctx, true, right, x + w, cx, thin, cy, [up, down, left], 1)
  arm(ctx, false, up, y, cy, thin, cx, [left, right, down], -1)
  arm(ctx, false, down, y + h, cy, thin, cx, [left, right, up], 1)
}

/**
 * An arm from an edge of the cell to its middle. near and far are the lines that it crosses
 * there, on either side, and beyond is the arm that goes on; side says from where it comes.
 */
function arm(ctx: CanvasRenderingContext2D, flat: boolean, kind: number, edge: number, middle: number, thin: number, across: number, [one, other, beyond]: [number, number, number], side: 1 | -1): void {
  if (kind === 0) return
  const put = (from: number, to: number, at: number, thick: number) => (flat ? ctx.fillRect(Math.min(from, to), at, Math.abs(to - from), thick) : ctx.fillRect(at, Math.min(from, to), thick, Math.abs(to - from)))
  /** Where it ends when it goes so many lines beyond the middle. */
  const end = (lines: number) => (side < 0 ? middle + thin + lines * 2 * thin : middle - lines * 2 * thin)
  if (kind < 3) {
    const thick = kind === 2 ? 3 * thin : thin
    const double = one === 3 || other === 3
    const heavy = one === 2 || other === 2 ? 0.5 : 0
    put(edge, end(double && beyond === 0 ? (one && other ? -1 : 1) : heavy), across - Math.floor((thick - thin) / 2), thick)
    return
  }
  put(edge, end(one === 3 ? -1 : other === 3 ? 1 : 0), across - 2 * thin, thin)
  put(edge, end(other === 3 ? -1 : one === 3 ? 1 : 0), across + 2 * thin, thin)
}

function dashed(ctx: CanvasRenderingContext2D, n: number, kind: number, flat: boolean, { x, y, w, h }: Cell, thin: number, cx: number, cy: number): void {
  const thick = kind === 2 ? 3 * thin : thin
  const off = Math.floor((thick - thin) / 2)
  for (let i = 0; i < n; i++) {
    const [from, to] = [i / n, (i + 0.6) / n].map((share) => Math.round(share * (flat ? w : h))) as [number, number]
    if (flat) ctx.fillRect(x + from, cy - off, Math.max(to - from, 1), thick)
    else ctx.fillRect(cx - off, y + from, thick, Math.max(to - from, 1))
  }
}

/** Round corners and diagonals. */
function strokes(ctx: CanvasRenderingContext2D, code: number, { x, y, w, h }: Cell, thin: number, cx: number, cy: number): void {
  ctx.strokeStyle = ctx.fillStyle
  ctx.lineWidth = thin
  ctx.beginPath()
  if (code >= 0x2571) {
    if (code !== 0x2572) ctx.moveTo(x + w, y), ctx.lineTo(x, y + h)
    if (code !== 0x2571) ctx.moveTo(x, y), ctx.lineTo(x + w, y + h)
  } else {
    const [ex, ey] = [code === 0x256d || code === 0x2570 ? x + w : x, code === 0x256d || code === 0x256e ? y + h : y]
    const r = Math.min(Math.abs(ex - cx), Math.abs(ey - cy))
    ctx.moveTo(ex, cy)
    ctx.arcTo(cx, cy, cx, ey, r)
    ctx.lineTo(cx, ey)
  }
  ctx.stroke()
}

function block(ctx: CanvasRenderingContext2D, code: number, { x, y, w, h }: Cell): void {
  const i = code - 0x2580
  const [half, middle] = [Math.round(h / 2), Math.round(w / 2)]
  const eighth = (share: number, of: number) => Math.max(Math.round((of * share) / 8), 1)
  if (i === 0) ctx.fillRect(x, y, w, half)
  else if (i === 4) ctx.fillRect(x, y + half, w, h - half)
  else if (i <= 8) ctx.fillRect(x, y + h - eighth(i, h), w, eighth(i, h))
  else if (i <= 15) ctx.fillRect(x, y, eighth(16 - i, w), h)
  else if (i === 16) ctx.fillRect(x + middle, y, w - middle, h)
  else if (i <= 19) shade(ctx, (i - 16) / 4, { x, y, w, h })
  else if (i === 20) ctx.fillRect(x, y, w, eighth(1, h))
  else if (i === 21) ctx.fillRect(x + w - eighth(1, w), y, eighth(1, w), h)
  else parts(ctx, quadrants[i - 22]!, 2, { x, y, w, h })
}

function shade(ctx: CanvasRenderingContext2D, share: number, { x, y, w, h }: Cell): void {
  const before = ctx.globalAlpha
  ctx.globalAlpha = before * share
  ctx.fillRect(x, y, w, h)
  ctx.globalAlpha = before
}

/** The quarters of the signs from U+2596, as bits: upper left, upper right, lower left, lower right. */
const quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]

/** The sixths of a sign, as bits; those that are blocks have a sign elsewhere. */
const sextant = (i: number): number => i + 1 + (i >= 20 ? 1 : 0) + (i >= 40 ? 1 : 0)

/** Two columns of so many rows, of which those are filled whose bit is set. */
function parts(ctx: CanvasRenderingContext2D, bits: number, rows: number, { x, y, w, h }: Cell): void {
  const middle = Math.round(w / 2)
  for (let i = 0; i < 2 * rows; i++) {
    if (!(bits & (1 << i))) continue
    const [top, end] = [Math.floor(i / 2), Math.floor(i / 2) + 1].map((row) => Math.round((row * h) / rows)) as [number, number]
    ctx.fillRect(x + (i % 2) * middle, y + top, i % 2 ? w - middle : middle, end - top)
  }
}

/** Where the eight dots of Braille stand, in the order of their bits. */
const places = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]] as const

function dots(ctx: CanvasRenderingContext2D, bits: number, { x, y, w, h }: Cell): void {
  const r = Math.max(Math.min(w / 8, h / 16) * 1.15, 0.5)
  for (const [i, [column, row]] of places.entries()) {
    if (!(bits & (1 << i))) continue
    ctx.beginPath()
    ctx.arc(x + w * (0.27 + 0.46 * column), y + h * (0.14 + 0.24 * row), r, 0, 2 * Math.PI)
    ctx.fill()
  }
}

/** The arrows between the parts of a prompt: filled and thin, to the right and to the left. */
function arrow(ctx: CanvasRenderingContext2D, i: number, { x, y, w, h }: Cell): void {
  const [from, to] = i < 2 ? [x, x + w] : [x + w, x]
  ctx.beginPath()
  ctx.moveTo(from, y)
  ctx.lineTo(to, y + h / 2)
  ctx.lineTo(from, y + h)
  ctx.strokeStyle = ctx.fillStyle
  ctx.lineWidth = Math.max(w / 8, 1)
  if (i % 2 === 0) ctx.fill()
  else ctx.stroke()
}
