import hljs from 'highlight.js/lib/common'
import type { Ink } from './Window'

/** A letter of code with the colour it has in the whole text. */
export interface Letter {
  text: string
  ink: keyof Ink
  italic?: boolean
}

/** What a letter is coloured as, by the first word of the library's scope. */
const inks: Record<string, keyof Ink> = {}
const kinds: [keyof Ink, string][] = [
  ['soft', 'comment quote doctag meta'],
  ['keyword', 'keyword literal selector-tag operator deletion template-tag'],
  ['string', 'string regexp addition code'],
  ['number', 'number symbol bullet template-variable'],
  ['name', 'title name section function selector-id selector-class attribute link'],
  ['type', 'type built_in attr property variable class'],
]
for (const [ink, scopes] of kinds) for (const scope of scopes.split(' ')) inks[scope] = ink

const inkOfScope = (scope: string): keyof Ink => (scope === 'hljs-title class_' ? 'type' : (inks[/^hljs-(\S+)/.exec(scope)?.[1] ?? ''] ?? 'text'))

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

const known = new Map<string, { letters: Letter[]; language: string }>()

/** The letters of a text of code, coloured. An unknown language is guessed. */
export function highlighted(code: string, language: string): { letters: Letter[]; language: string } {
  const key = `${language}\n${code}`
  let found = known.get(key)
  if (!found) known.set(key, (found = read(code, language)))
  return found
}

function read(code: string, asked: string): { letters: Letter[]; language: string } {
  const named = hljs.getLanguage(asked) ? asked : ''
  const result = named ? hljs.highlight(code, { language: named, ignoreIllegals: true }) : hljs.highlightAuto(code)
  if (!named && result.relevance < 3) return { letters: [...code].map((text): Letter => ({ text, ink: 'text' })), language: '' }
  const letters: Letter[] = []
  const scopes: string[] = []
  for (const [piece] of result.value.matchAll(/<span class="([^"]*)">|<\/span>|&[a-z0-9#]+;|[^<&]+/gi)) {
    if (piece.startsWith('<span')) scopes.push(piece.slice(13, -2))
    else if (piece === '</span>') scopes.pop()
    else {
      const scope = scopes[scopes.length - 1] ?? ''
      const ink = inkOfScope(scope)
      for (const text of entities[piece] ?? piece) letters.push({ text, ink, italic: scope.includes('comment') })
    }
  }
  return { letters, language: result.language ?? '' }
}
