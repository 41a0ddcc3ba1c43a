import type { Params, Part, Story } from '../stage/story'
import { examples } from './examples'

/** "3", "2-4" or "lines 2 to 4" as two numbers. */
function linesOf(text: string): [number, number] | null {
  const found = (String(text).match(/\d+/g) ?? []).map(Number)
  return found.length > 0 ? [found[0]!, found[1] ?? found[0]!] : null
}

/** How languages print a text. */
const prints: Record<string, (text: string) => string> = {
  python: (text) => `print(${text})`,
  javascript: (text) => `console.log(${text})`,
  typescript: (text) => `console.log(${text})`,
  go: (text) => `fmt.Println(${text})`,
  rust: (text) => `println!(${text});`,
  java: (text) => `System.out.println(${text});`,
  kotlin: (text) => `println(${text})`,
  swift: (text) => `print(${text})`,
  c: (text) => `printf(${text});`,
  cpp: (text) => `std::cout << ${text};`,
  csharp: (text) => `Console.WriteLine(${text});`,
  php: (text) => `echo ${text};`,
  ruby: (text) => `puts ${text}`,
  lua: (text) => `print(${text})`,
  perl: (text) => `print ${text};`,
  r: (text) => `print(${text})`,
}

/** Words that code begins with. */
const keyword = /^(?:import|from|return|pass|break|continue|let|const|var|use|using|def|class|func|function|fn|if|for|while|print|println|echo|puts|package|require|include|async|await|new|raise|throw|try|del|global|goto|yield|mod|pub|struct|enum|type|interface)\b/

/** A few plain words in a language that is named are what the code prints: "python code that prints hello from Berlin". */
const printed = (code: string, language: string): string =>
  prints[language] && /^[\p{L}\p{N}]+(?:[ ,!?'-]+[\p{L}\p{N}]+)+[.!?]?$/u.test(code.trim()) && !keyword.test(code.trim()) ? prints[language]!(JSON.stringify(code.trim())) : code

/** Code that is typed in a window. */
export function story(params: Params): Story {
  // One line in a prompt may stand for several.
  const said = String(params.code).includes('\n') ? params.code : String(params.code).replace(/\\n/g, '\n')
  const named = said.trim() === '' ? params.example : 'none'
  const all = examples[named] ?? {}
  const language = params.language === 'auto' && named !== 'none' ? (Object.keys(all)[0] ?? 'auto') : params.language
  if (examples[named] && all[language] === undefined) return { scenes: [], errors: [{ param: 'code', message: `there is no such example in ${language}, only in ${Object.keys(all).join(', ')}`, hint: 'write the code in the prompt, in quotation marks' }] }
  const code = all[language] ?? printed(said, language)
  if (code.trim() === '') return { scenes: [], errors: [{ param: 'code', message: 'there is no code to show', hint: 'write it in the prompt: show this code: print("hello")' }] }
  const mark = linesOf(params.mark)
  const last = code.trim().split('\n').length
  if (mark && (mark[0] < 1 || mark[1] < mark[0] || mark[0] > last)) return { scenes: [], errors: [{ param: 'mark', message: `the code has lines 1 to ${last}, and "${params.mark}" is none of them` }] }
  const heading: Part[] = params.heading ? [{ id: 'heading', kind: 'text', role: 'heading', text: params.heading, says: 'The heading' }] : []
  return {
    said: String(params.mark ?? '').trim() && !mark ? [`No line is marked: "${params.mark}" is no number of a line, such as 3 or 2-4.`] : [],
    scenes: [
      {
        id: 'code',
        title: 'Code',
        layout: 'stack',
        parts: [...heading, { id: 'window', kind: 'code', code, language: language === 'auto' ? '' : language, title: params.title, how: params.how, ...(params.theme !== 'auto' && { theme: params.theme }), ...(params.numbers !== 'auto' && { numbers: params.numbers === 'on' }), ...(mark && { mark }) }],
      },
    ],
  }
}
