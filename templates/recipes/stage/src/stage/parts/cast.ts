/** Recordings of terminals in the asciicast format, versions 2 and 3, as asciinema writes them. */
export interface Cast {
  columns: number
  rows: number
  /** The colours that the recording asks for. */
  theme?: CastTheme
  events: CastEvent[]
  /** Seconds from the start to the last event. */
  seconds: number
}

export interface CastTheme {
  text: string
  ground: string
  /** The 8 or 16 colours that have a name. */
  palette: string[]
}

/** What a program wrote, or a new size of the screen, such as 100x30. */
export interface CastEvent {
  at: number
  kind: 'output' | 'resize'
  data: string
}

/** Pauses are no longer than this, in seconds, unless the recording names another limit. Koda counts in the same way. */
const longestPause = 2

/** Reads a recording; what is no event of the screen is left out, and an unfinished last line too. */
export function castOf(text: string): Cast {
  const [head, ...lines] = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const header = JSON.parse(head!)
  const term = header.version === 3 ? header.term : { cols: header.width, rows: header.height, theme: header.theme }
  const limit: number = header.idle_time_limit > 0 ? header.idle_time_limit : longestPause
  const events: CastEvent[] = []
  let [columns, rows, clock, before, at] = [term.cols as number, term.rows as number, 0, 0, 0]
  for (const line of lines) {
    let event: [number, string, string]
    try {
      event = JSON.parse(line)
    } catch {
      break // the recording was cut off
    }
    clock = header.version === 3 ? clock + event[0] : event[0]
    if (event[1] !== 'o' && event[1] !== 'r') continue
    at += Math.min(Math.max(clock - before, 0), limit)
    before = clock
    events.push({ at, kind: event[1] === 'r' ? 'resize' : 'output', data: event[2] })
    const size = event[1] === 'r' ? sizeOf(event[2]) : null
    if (size) [columns, rows] = [Math.max(columns, size[0]), Math.max(rows, size[1])]
  }
  return { columns, rows, theme: themeOf(term.theme), events, seconds: at }
}

/** Columns and rows of a text such as 100x30. */
export function sizeOf(text: string): [number, number] | null {
  const [, columns, rows] = /^(\d{1,3})x(\d{1,3})$/.exec(text) ?? []
  return Number(columns) > 0 && Number(rows) > 0 ? [Number(columns), Number(rows)] : null
}

const colour = /^#[0-9a-f]{6}$/i

function themeOf(theme?: { fg?: string; bg?: string; palette?: string }): CastTheme | undefined {
  const palette = (theme?.palette ?? '').split(':').filter((c) => colour.test(c))
  return theme && colour.test(theme.fg ?? '') && colour.test(theme.bg ?? '') && palette.length >= 8 ? { text: theme.fg!, ground: theme.bg!, palette } : undefined
}
