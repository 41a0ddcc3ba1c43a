import type { Params, Part, Story } from '../stage/story'

/** "3", "2-4" or "lines 2 to 4" as two numbers. */
function linesOf(text: string): [number, number] | null {
  const found = (String(text).match(/\d+/g) ?? []).map(Number)
  return found.length > 0 ? [found[0]!, found[1] ?? found[0]!] : null
}

/** The program that says hello, for prompts such as "python code that prints hello world". */
const hello: Record<string, string> = {
  javascript: "console.log('Hello, world!')",
  typescript: "console.log('Hello, world!')",
  python: 'print("Hello, world!")',
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("Hello, world!")\n}',
  rust: 'fn main() {\n    println!("Hello, world!");\n}',
  java: 'class Hello {\n  public static void main(String[] args) {\n    System.out.println("Hello, world!");\n  }\n}',
  kotlin: 'fun main() {\n    println("Hello, world!")\n}',
  swift: 'print("Hello, world!")',
  c: '#include <stdio.h>\n\nint main(void) {\n  puts("Hello, world!");\n  return 0;\n}',
  cpp: '#include <iostream>\n\nint main() {\n  std::cout << "Hello, world!\\n";\n}',
  csharp: 'Console.WriteLine("Hello, world!");',
  php: '<?php\necho "Hello, world!";',
  ruby: 'puts "Hello, world!"',
  bash: 'echo "Hello, world!"',
  lua: 'print("Hello, world!")',
  perl: 'print "Hello, world!\\n";',
  r: 'cat("Hello, world!\\n")',
}

/** Code that is typed in a window. */
export function story(params: Params): Story {
  // One line in a prompt may stand for several.
  const said = String(params.code).includes('\n') ? params.code : String(params.code).replace(/\\n/g, '\n')
  const code = /^\W*hello,? world\W*$/i.test(said) && hello[params.language] !== undefined ? hello[params.language]! : said
  if (code.trim() === '') return { scenes: [], errors: [{ param: 'code', message: 'there is no code to show', hint: 'write it in the prompt: show this code: print("hello")' }] }
  const mark = linesOf(params.mark)
  const last = code.trim().split('\n').length
  if (mark && (mark[0] < 1 || mark[1] < mark[0] || mark[0] > last)) return { scenes: [], errors: [{ param: 'mark', message: `the code has lines 1 to ${last}, and "${params.mark}" is none of them` }] }
  const heading: Part[] = params.heading ? [{ id: 'heading', kind: 'text', role: 'heading', text: params.heading, says: 'The heading' }] : []
  return {
    scenes: [
      {
        id: 'code',
        title: 'Code',
        layout: 'stack',
        parts: [...heading, { id: 'window', kind: 'code', code, language: params.language === 'auto' ? '' : params.language, title: params.title, how: params.how, ...(params.theme !== 'auto' && { theme: params.theme }), ...(mark && { mark }) }],
      },
    ],
  }
}
