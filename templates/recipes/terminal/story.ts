import type { Params, Part, Story } from '../stage/story'

interface Line {
  type: 'command' | 'output' | 'busy'
  text: string
}

/** Words of commands that work for a while. */
const lasting = /\b(?:install|add|update|upgrade|build|pull|push|clone|fetch|download|deploy|publish|run|test|up|sync|apply|migrate|restore|compile|make|curl|wget|new|init|create|render)\b/

/** What is played in the terminal: lines after a prompt are commands if there are such, else all are. */
function linesOf(text: string, output: string): Line[] {
  const given = text.replace(/\r/g, '').replace(/\t/g, '  ').split('\n').map((l) => l.replace(/\s+$/, '')).filter((l) => l !== '')
  const prompted = /^\s*[$❯>%#]\s+/
  const script = given.some((l) => prompted.test(l))
  const lines = given.map((l): Line => (script && !prompted.test(l) ? { type: 'output', text: l } : { type: 'command', text: l.replace(prompted, '').trim() }))
  const answers = output.replace(/\r/g, '').split('\n').filter((l) => l.trim() !== '')
  if (answers.length > 0) return [...lines, ...answers.map((text): Line => ({ type: 'output', text }))]
  return !lasting.test(lines[lines.length - 1]!.text) || lines[lines.length - 1]!.type === 'output' ? lines : [...lines, { type: 'busy', text: '' }]
}

/** Commands that are typed in a terminal, or a recording of what was. */
export function story(params: Params): Story {
  const heading: Part[] = params.heading ? [{ id: 'heading', kind: 'text', role: 'heading', text: params.heading, says: 'The heading' }] : []
  const theme = params.theme !== 'auto' && { theme: params.theme }
  if (params.recording) {
    const screen: Part = { id: 'screen', kind: 'recording', src: params.recording, title: params.title, seconds: params.seconds, ...theme }
    // Alone it has the whole frame: letters on a screen are small.
    return { scenes: [{ id: 'terminal', title: 'Terminal', layout: heading.length > 0 ? 'stack' : 'full', parts: [...heading, screen] }] }
  }
  const text = String(params.text).includes('\n') ? params.text : String(params.text).replace(/\\n/g, '\n')
  if (text.trim() === '') return { scenes: [], errors: [{ param: 'text', message: 'there is no command to type', hint: 'write it in the prompt: npm install koda in a terminal; or give a recording with --data session.cast' }] }
  return { inside: true, scenes: [{ id: 'terminal', title: 'Terminal', layout: 'stack', parts: [...heading, { id: 'window', kind: 'terminal', lines: linesOf(text, String(params.output)), title: params.title, prompt: String(params.prompt).trim() || '$', ...theme, ...(String(params.color).startsWith('#') && { color: params.color }) }] }] }
}
