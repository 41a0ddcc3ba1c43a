import type { IBufferCell, Terminal } from '@xterm/headless'
import { type Cast, sizeOf } from './cast'
import { drawn } from './glyphs'

/** The colours of a terminal: text, ground, cursor, and those that programs name by number. */
export interface Colours {
  text: string
  ground: string
  cursor: string
  palette: string[]
}

/** The screen of a recording at any time: a terminal that reads what was written until then. */
export class Screen {
  private read = 0 // events that the terminal has read
  private cursor = true
  private done: Promise<void> = Promise.resolve()
  private readonly loaded = new Set<string>()

  private constructor(
    private readonly cast: Cast,
    private readonly terminal: Terminal,
  ) {
    for (const [final, on] of [['h', true], ['l', false]] as const) {
      terminal.parser.registerCsiHandler({ prefix: '?', final }, (params) => {
        if (params.includes(25)) this.cursor = on
        return false
      })
    }
  }

  static async of(cast: Cast): Promise<Screen> {
    const [{ Terminal }, { Unicode11Addon }] = await Promise.all([import('@xterm/headless'), import('@xterm/addon-unicode11')])
    const terminal = new Terminal({ cols: cast.columns, rows: cast.rows, scrollback: 0, allowProposedApi: true })
    terminal.loadAddon(new Unicode11Addon())
    terminal.unicode.activeVersion = '11'
    return new Screen(cast, terminal)
  }

  /** Brings the screen to a time of the recording. A terminal knows no way back: it begins anew. */
  show(at: number): Promise<void> {
    return (this.done = this.done.then(() => this.go(at)))
  }

  private async go(at: number): Promise<void> {
    const { events } = this.cast
    if (this.read > 0 && events[this.read - 1]!.at > at) {
      this.terminal.reset()
      this.terminal.resize(this.cast.columns, this.cast.rows)
      this.read = 0
      this.cursor = true
    }
    while (this.read < events.length && events[this.read]!.at <= at) {
      const { kind, data } = events[this.read++]!
      const size = kind === 'resize' ? sizeOf(data) : null
      if (size) this.terminal.resize(...size)
      else if (kind === 'output') await new Promise<void>((resolve) => this.terminal.write(data, resolve))
    }
  }

  /** Loads the fonts of the letters on the screen. */
  async fonts(family: string): Promise<void> {
    const fresh = new Set<string>()
    this.cells((cell) => {
      for (const c of cell.getChars()) if (!this.loaded.has(c)) fresh.add(c)
    })
    for (const c of fresh) this.loaded.add(c)
    const letters = [...fresh].join('')
    if (letters !== '') await Promise.all(['400', '700', 'italic 400'].map((style) => document.fonts.load(`${style} 16px ${family}`, letters)))
  }

  private cells(each: (cell: IBufferCell, column: number, row: number) => void): void {
    const buffer = this.terminal.buffer.active
    let cell: IBufferCell | undefined
    for (let row = 0; row < this.terminal.rows; row++) {
      const line = buffer.getLine(buffer.viewportY + row)
      for (let column = 0; line && column < this.terminal.cols; column++) {
        cell = line.getCell(column, cell)
        if (cell && cell.getWidth() > 0) each(cell, column, row)
      }
    }
  }

  /** Paints the screen; a cell is wide and high pixels large, which need not be whole. */
  paint(ctx: CanvasRenderingContext2D, wide: number, high: number, family: string, colours: Colours): void {
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.textBaseline = 'alphabetic'
    ctx.fontKerning = 'none'
    const place = (column: number, row: number, columns: number) => {
      const [x, y] = [Math.round(column * wide), Math.round(row * high)]
      return { x, y, w: Math.round((column + columns) * wide) - x, h: Math.round((row + 1) * high) - y }
    }
    const at = this.cursor ? this.terminal.buffer.active : null
    const inks: { cell: string; ink: Ink; column: number; row: number; columns: number }[] = []
    this.cells((cell, column, row) => {
      const under = at?.cursorX === column && at.cursorY === row
      const ink = inkOf(cell, colours, under)
      const { x, y, w, h } = place(column, row, cell.getWidth())
      if (ink.ground) {
        ctx.fillStyle = ink.ground
        ctx.fillRect(x, y, w, h)
      }
      if (cell.getChars().trim() !== '' || ink.line) inks.push({ cell: cell.getChars(), ink, column, row, columns: cell.getWidth() })
    })
    // Letters come last: some are wider than their cells.
    for (const { cell, ink, column, row, columns } of inks) {
      const box = place(column, row, columns)
      ctx.fillStyle = ink.text
      ctx.globalAlpha = ink.faint ? 0.55 : 1
      if (!drawn(ctx, cell, box)) letter(ctx, cell, box, `${ink.slanted ? 'italic ' : ''}${ink.bold ? 700 : 400} ${wide / 0.6}px ${family}`)
      const thick = Math.max(Math.round(high / 18), 1)
      if (ink.line === 'under') ctx.fillRect(box.x, box.y + Math.round(high * 0.9), box.w, thick)
      else if (ink.line) ctx.fillRect(box.x, box.y + Math.round(high * 0.52), box.w, thick)
      ctx.globalAlpha = 1
    }
  }
}

function letter(ctx: CanvasRenderingContext2D, text: string, { x, y, w, h }: { x: number; y: number; w: number; h: number }, font: string): void {
  if (ctx.font !== font) ctx.font = font
  const own = ctx.measureText(text).width
  // Another font may have wider letters than the terminal has cells.
  const squeeze = own > w * 1.25 ? w / own : 1
  ctx.save()
  ctx.translate(x + (squeeze < 1 || own < w * 0.9 ? (w - own * squeeze) / 2 : 0), y + Math.round(h * (0.79 - (1 - squeeze) * 0.3)))
  if (squeeze < 1) ctx.scale(squeeze, squeeze)
  ctx.fillText(text, 0, 0)
  ctx.restore()
}

interface Ink {
  text: string
  /** Nothing where the ground of the screen is seen. */
  ground?: string
  bold: boolean
  slanted: boolean
  faint: boolean
  line?: 'under' | 'through'
}

function inkOf(cell: IBufferCell, colours: Colours, cursor: boolean): Ink {
  const named = (rgb: boolean, palette: boolean, n: number) => (rgb ? `#${n.toString(16).padStart(6, '0')}` : palette ? numbered(n, colours.palette) : undefined)
  let text = named(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor())
  let ground = named(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor())
  if (cell.isInverse()) [text, ground] = [ground ?? colours.ground, text ?? colours.text]
  if (cursor) [text, ground] = [colours.ground, colours.cursor]
  if (cell.isInvisible()) text = ground ?? colours.ground
  return {
    text: text ?? colours.text,
    ground,
    bold: !!cell.isBold(),
    slanted: !!cell.isItalic(),
    faint: !!cell.isDim(),
    line: cell.isUnderline() ? 'under' : cell.isStrikethrough() ? 'through' : undefined,
  }
}

/** The colour with a number: 16 with a name, a cube of 216, and 24 greys. */
function numbered(n: number, palette: string[]): string {
  if (n < 16) return palette[n] ?? palette[n % 8]!
  const level = (i: number) => (i === 0 ? 0 : 55 + 40 * i)
  const [r, g, b] = n < 232 ? [level(Math.floor((n - 16) / 36)), level(Math.floor((n - 16) / 6) % 6), level((n - 16) % 6)] : [8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232)]
  return `rgb(${r} ${g} ${b})`
}
