import { actionScene, kindOf, languageOf, listScene, numbered, pages, titleScene } from '../stage/scenes'
import type { Params, Story, StoryScene } from '../stage/story'

interface Change {
  group: string
  text: string
}

/** Groups as changelogs name them, and the mark of their points. */
const marks: [RegExp, string][] = [
  [/^(add|new|feature)/i, 'plus'],
  [/^(fix|bug)/i, 'check'],
  [/^(remov|delet)/i, 'minus'],
  [/^(secur|deprec|break|warn)/i, 'alert'],
  [/^(chang|improv|perf|updat|refact)/i, 'change'],
]

/** Plain text of a line of Markdown. */
const plain = (text: string): string =>
  String(text)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`)(.*?)\1/g, '$2')
    .replace(/\s*\((?:[^()]*#\d+[^()]*|[0-9a-f]{7,40})\)\s*$/i, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The names of groups that koda makes, where the prompt is not in English. */
const groupNames: Record<string, Record<string, string>> = {
  de: { New: 'Neu', Improved: 'Verbessert', Fixed: 'Behoben', Removed: 'Entfernt' },
  es: { New: 'Nuevo', Improved: 'Mejorado', Fixed: 'Corregido', Removed: 'Eliminado' },
  fr: { New: 'Nouveau', Improved: 'Amélioré', Fixed: 'Corrigé', Removed: 'Supprimé' },
  pt: { New: 'Novo', Improved: 'Melhorado', Fixed: 'Corrigido', Removed: 'Removido' },
  it: { New: 'Nuovo', Improved: 'Migliorato', Fixed: 'Corretto', Removed: 'Rimosso' },
  ja: { New: '新機能', Improved: '改善', Fixed: '修正', Removed: '削除' },
}

/** The changes of a release, group by group. */
export function story(params: Params): Story {
  // A changelog has all versions, the newest first: that is the one that is shown, unless another is named.
  const rows = params.rows as { group?: string; item: string; version?: string }[]
  const version: string = params.version || rows[0]?.version || ''
  const mine = rows.filter((r) => !r.version || r.version === version)
  if (rows.length > 0 && mine.length === 0) return { scenes: [], errors: [{ param: 'version', message: `the changelog has no version ${version}`, hint: `it has ${[...new Set(rows.map((r) => r.version))].slice(0, 5).join(', ')}` }] }
  const given: Change[] = [...mine.map((r) => ({ group: plain(r.group ?? ''), text: plain(r.item) })), ...inGroups(params)].filter((c) => c.text !== '')
  const names = [...new Set(given.map((c) => c.group))]
  const shown = fair(given, names, params.most)
  const title = params.title || [params.name, version].filter(Boolean).join(' ') || (names.length === 1 && names[0]) || ''
  const eyebrow = params.title ? [params.name, version].filter((t) => t && !String(params.title).includes(t)).join(' ') : ''
  if (given.length === 0 && !title) return { scenes: [], errors: [{ param: 'items', message: 'there are no changes to show', hint: 'name them in the prompt, or give a changelog with --data' }] }
  const scenes: StoryScene[] = title ? [{ ...titleScene('title', { text: title, eyebrow: eyebrow || kindOf(title, params) }), least: 2.6 }] : []
  let n = 0
  for (const name of names) {
    const texts = shown.filter((c) => c.group === name).map((c) => c.text)
    let from = 1
    const mark = marks.find(([word]) => word.test(name))?.[1] ?? 'auto'
    for (const [i, part] of (texts.length > 0 ? pages(texts, 5) : []).entries()) {
      const id = numbered('changes', n++)
      scenes.push({ ...listScene(id, { title: (rows.length === 0 && groupNames[languageOf(params)]?.[name]) || name, items: part, marks: mark, from }), title: name ? (i > 0 ? `${name}, continued` : name) : 'Changes', tone: n % 2 === 1 ? (params.style === 'smooth' ? 'deep' : 'contrast') : 'base' })
      from += part.length
    }
  }
  if (params.action) scenes.push({ ...actionScene('end', { text: title, action: params.action }), tone: 'accent' })
  const left = given.length - shown.length
  const releases = [...new Set(rows.map((r) => r.version).filter(Boolean))]
  const said = given.length === 0 ? ['No changes were given, so only the release is named.'] : left > 0 ? [`There are ${given.length} changes; ${shown.length} are shown.`] : []
  if (releases.length > 1 && !params.version) said.unshift(`There are ${releases.length} releases; ${version} is shown. Name another one to see it.`)
  return { scenes, said }
}

/** Words that a change begins with and that name its group: "fixed login bug". */
const verbs: [string, RegExp][] = [
  ['New', /^(?:added|adds?|new|hinzugefügt|neu|neue[rs]?|añadido|nuev[oa]|ajouté|nouveau|nouvelle|adicionado|nov[oa]|aggiunt[oa]|nuov[oa])[\s:]+/i],
  ['Improved', /^(?:improved|improves?|changed|updated|verbessert|geändert|mejorad[oa]|cambiad[oa]|amélioré|modifié|melhorad[oa]|alterad[oa]|migliorat[oa]|modificat[oa])[\s:]+/i],
  ['Fixed', /^(?:fixed|fix(?:es)?|behoben|corregid[oa]|arreglad[oa]|corrigé|réparé|corrigid[oa]|consertad[oa]|corrett[oa]|risolt[oa])[\s:]+/i],
  ['Removed', /^(?:removed|removes?|deleted|entfernt|eliminad[oa]|supprimé|removid[oa]|rimoss[oa]|eliminat[oa])[\s:]+/i],
]

/** Words of a change that is better than before, which stay: "faster search". */
const better = /^(?:faster|better|quicker|smaller|smoother|cleaner|simpler|easier|schneller|besser|más rápid|mejor|plus rapide|meilleur|mais rápid|melhor|più veloce|miglior)/i

/** The changes that are given as texts: those in no group are new where others have one. Where there are groups, a change that begins with the word of another goes there. */
function inGroups(params: Params): Change[] {
  const groups = [['Improved', params.improved], ['Fixed', params.fixed], ['Removed', params.removed]] as [string, string[]][]
  const named = groups.some(([, texts]) => texts?.length > 0) || params.added?.length > 0 || new Set(((params.items ?? []) as string[]).map((text) => verbs.find(([, word]) => word.test(text))?.[0]).filter(Boolean)).size > 1
  const all = ([[named ? 'New' : '', [...(params.items ?? []), ...(params.added ?? [])]], ...groups] as [string, string[]][]).flatMap(([group, texts]) => (texts ?? []).map((text) => ({ group, text: plain(text) })))
  if (!named) return all
  const order = ['New', ...groups.map(([name]) => name)]
  return all.map(byVerb).sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
}

function byVerb({ group, text }: Change): Change {
  const [name, verb] = verbs.find(([, word]) => word.test(text)) ?? []
  if (name && verb) return { group: name, text: text.replace(verb, '') }
  return { group: group !== 'Removed' && better.test(text) ? 'Improved' : group, text } // "fixed crash on login, faster upload"
}

/** As many changes as are shown: each group has its share, and at least one. */
function fair(all: Change[], names: string[], most: number): Change[] {
  if (all.length <= most) return all
  const kept = new Set<Change>()
  for (let round = 0; kept.size < most && round < all.length; round++) {
    for (const name of names) {
      const next = all.filter((c) => c.group === name)[round]
      if (next && kept.size < most) kept.add(next)
    }
  }
  return all.filter((c) => kept.has(c))
}
