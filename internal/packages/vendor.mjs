// Runs in a sandbox, by Bun, in the project's directory. KODA_TASK is
// {step, runtime: [names], refused: {name: why}}.
//
// "begin" takes the packages of the page runtime out of package.json, so that an installer
// fetches only what is new; they are there already, in /node_modules. "end" puts them back
// and bundles what was installed. It prints one line of JSON: {ready, refused}.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { step, runtime, refused: banned } = JSON.parse(process.env.KODA_TASK)
const root = process.cwd()
const kept = '/tmp/.koda-package.json'
const vendor = join(root, 'src/vendor')
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const write = (file, value) => writeFileSync(file, JSON.stringify(value, null, 2) + '\n')
const manifest = join(root, 'package.json')
const have = existsSync(manifest) ? read(manifest) : { name: 'animation', private: true, type: 'module' }

if (step === 'begin') {
  write(kept, have)
  const rest = (all = {}) => Object.fromEntries(Object.entries(all).filter(([name]) => !runtime.includes(name)))
  write(manifest, { ...have, dependencies: rest(have.dependencies), devDependencies: undefined })
} else {
  const before = existsSync(kept) ? read(kept) : have
  const asked = { ...have.dependencies, ...have.devDependencies }
  const ready = []
  const refused = []
  const specifiers = {}
  rmSync(vendor, { recursive: true, force: true })
  for (const name of Object.keys(asked).sort()) {
    if (runtime.includes(name) || !existsSync(join(root, 'node_modules', name))) continue
    const why = unfit(name)
    if (why) {
      refused.push({ name, why })
      delete asked[name]
      continue
    }
    try {
      ready.push(await bundle(name))
    } catch (e) {
      refused.push({ name, why: 'cannot be bundled for a page: ' + String(e.errors?.[0]?.message ?? e.message ?? e).slice(0, 300) })
      delete asked[name]
    }
  }
  if (ready.length > 0) write(join(vendor, 'vendor.json'), { schema: 1, packages: Object.fromEntries(ready.map((p) => [p.name, { version: p.version, license: p.license }])), specifiers })
  const sorted = (all) => Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
  write(manifest, { ...have, dependencies: sorted({ ...asked, ...before.dependencies }), devDependencies: before.devDependencies })
  for (const lock of ['package-lock.json', 'bun.lock', 'bun.lockb', 'yarn.lock', 'pnpm-lock.yaml']) rmSync(join(root, lock), { force: true })
  console.log(JSON.stringify({ ready: ready.map(({ name, version, specifiers }) => ({ name, version, specifiers })), refused }))

  // unfit says why a package, or one that it needs, cannot be on a page; '' if it can.
  function unfit(name) {
    const seen = new Set()
    for (const todo = [[name, root]]; todo.length > 0; ) {
      const [at, from] = todo.pop()
      const dir = find(at, from)
      if (!dir || seen.has(dir)) continue
      seen.add(dir)
      const pkg = read(join(dir, 'package.json'))
      const through = at === name ? '' : `needs ${at}, which `
      if (banned[at]) return through + banned[at]
      const license = typeof pkg.license === 'object' ? pkg.license?.type : pkg.license
      if (/AGPL/i.test(license ?? '') && !/ OR /i.test(license)) return through + 'is under the AGPL, which koda keeps out of projects'
      if (pkg.gypfile || existsSync(join(dir, 'binding.gyp')) || existsSync(join(dir, 'prebuilds')) || pkg.binary?.napi_versions || native(dir)) return through + 'is a native add-on, which no page can load'
      for (const next of Object.keys(pkg.dependencies ?? {})) todo.push([next, dir])
    }
    return ''
  }

  function native(dir) {
    return readdirSync(dir, { withFileTypes: true }).some((e) => e.isFile() && e.name.endsWith('.node'))
  }

  // find is the directory of a package, looked for as node does, within the project.
  function find(name, from) {
    for (let dir = from; dir.startsWith(root); dir = dirname(dir)) {
      const at = join(dir, 'node_modules', name)
      if (existsSync(join(at, 'package.json'))) return at
    }
  }

  async function bundle(name) {
    const dir = join(root, 'node_modules', name)
    const pkg = read(join(dir, 'package.json'))
    const subs = Object.keys(typeof pkg.exports === 'object' && pkg.exports ? pkg.exports : {}).filter((k) => k.startsWith('./') && !k.includes('*') && !k.endsWith('.json')).slice(0, 30)
    const all = new Set([name, ...subs.map((s) => name + s.slice(1)), ...imported(name)])
    const made = []
    for (const spec of all) {
      const css = spec.endsWith('.css')
      const entry = join(dir, css ? '.koda-entry.css' : '.koda-entry.cjs')
      writeFileSync(entry, css ? `@import ${JSON.stringify(spec)};` : `module.exports = require(${JSON.stringify(spec)})`)
      try {
        const built = await Bun.build({
          entrypoints: [entry], format: 'cjs', target: 'browser', external: [...runtime, ...runtime.map((r) => r + '/*')],
          define: { 'process.env.NODE_ENV': '"production"' }, minify: { whitespace: true, syntax: true },
        })
        const file = spec === name ? `${name}@${pkg.version}.js` : `${name}@${pkg.version}-${spec.slice(name.length + 1).replace(/[^A-Za-z0-9.-]/g, '-')}${css || spec.endsWith('.js') ? '' : '.js'}`
        const out = built.outputs.find((o) => (css ? o.type.startsWith('text/css') : o.kind === 'entry-point'))
        if (!out) throw new Error('nothing came of it')
        mkdirSync(dirname(join(vendor, file)), { recursive: true })
        writeFileSync(join(vendor, file), await out.text())
        specifiers[spec] = file
        made.push(spec)
      } catch (e) {
        if (spec === name && all.size === 1) throw e // of several ways in, one may be for a server
      } finally {
        rmSync(entry, { force: true })
      }
    }
    if (made.length === 0) throw new Error('it has nothing that a page can load')
    return { name, version: pkg.version, license: typeof pkg.license === 'string' ? pkg.license : undefined, specifiers: made }
  }

  // imported lists what the project's sources import below a package.
  function imported(name) {
    const found = new Set()
    const src = join(root, 'src')
    if (!existsSync(src)) return found
    for (const file of readdirSync(src, { recursive: true })) {
      if (file.startsWith('vendor') || !/\.(tsx?|jsx?|mjs|css)$/.test(file)) continue
      for (const [, spec] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)) {
        if (spec.startsWith(name + '/')) found.add(spec)
      }
    }
    return found
  }
}
