// The page around the picture. It knows the time; the picture shows it. What the picture
// says is a stranger's word: it is checked, cut, counted and shown as text only.

const $ = (id) => document.getElementById(id)
const base = '/_koda/view/'
const token = document.body.dataset.token
const headers = { 'X-Koda-View': token }

let state = null // what koda says there is to show
let frame = 0 // the frame of the time shown
let playing = null // {from, since}: the frame and the moment at which playing began
let shape = 'own'
let sound = null
let muted = false
let loops = true
let current = null // the picture that is seen
let coming = null // the picture that replaces it as soon as it shows the time
let ids = 0

// ---- the picture ----

const SILENT = 4000 // ms after which a picture that does not answer is said to
const MOST = 400 // messages of a picture that are heard in a second

function size() {
  const { width, height } = state
  const short = Math.min(width, height)
  const even = (n) => 2 * Math.round(n / 2)
  return { own: [width, height], '16:9': [even((short * 16) / 9), short], '9:16': [short, even((short * 16) / 9)], '1:1': [short, short] }[shape]
}

function open() {
  const el = document.createElement('iframe')
  el.title = 'The animation'
  el.setAttribute('sandbox', state.sandbox)
  el.setAttribute('allow', '')
  el.setAttribute('scrolling', 'no')
  el.referrerPolicy = 'no-referrer'
  el.tabIndex = -1
  el.inert = true
  ;[el.width, el.height] = size()
  el.src = state.picture
  const p = { el, size: size(), ready: false, heard: performance.now(), alive: false, asked: 0, dirty: false, errors: [], notes: new Set(), count: 0, silent: false }
  if (coming) coming.el.remove()
  coming = p
  el.classList.toggle('coming', !!current)
  $('screen').append(el)
  fit()
}

function reload() {
  if (!state?.picture || state.problem) return
  open()
  tell()
}

function post(p, message) {
  p.el.contentWindow?.postMessage(message, state.origin === 'null' ? '*' : state.origin)
}

// ask asks a picture for the time.
function ask(p) {
  if (!p?.ready) return
  if (p.asked) return void (p.dirty = true)
  p.dirty = false
  p.asked = ++ids
  post(p, { type: 'seek', id: p.asked, frame, rounds: playing ? 2 : 8 })
}

const whole = (n, most) => Number.isInteger(n) && n >= 0 && n <= most
const words = (text) => (typeof text === 'string' ? text.slice(0, 2000) : '')

addEventListener('message', (event) => {
  const p = [current, coming].find((one) => one && event.source === one.el.contentWindow)
  if (!p || event.origin !== state.origin || ++p.count > MOST) return
  const m = event.data
  if (typeof m !== 'object' || m === null) return
  p.heard = performance.now()
  p.alive = true
  switch (m.type) {
    case 'ready':
      p.ready = true
      p.asked = 0
      ask(p)
      break
    case 'shown':
      if (m.id !== p.asked || !whole(m.frame, 1e9)) return
      p.asked = 0
      if (p === coming) arrive()
      p.shown = { id: m.id, frame: m.frame }
      delete document.documentElement.dataset.frame
      if (p.dirty || (state.plays && m.frame < frame)) ask(p)
      break
    case 'seen': // for who looks on by a program
      if (p !== current || m.id !== p.shown?.id) return
      document.documentElement.dataset.frame = p.shown.frame
      document.documentElement.dataset.seconds = seconds(p.shown.frame)
      break
    case 'over': // a page that plays does not go back: it begins again
      if (m.id === p.asked && p === current && !coming) open()
      break
    case 'error':
      if (p.errors.length < 5) locate(p, m)
      break
    case 'warning':
      if (p.notes.size < 5 && words(m.text)) p.notes.add(words(m.text))
      tell()
      break
  }
  if (p.silent) {
    p.silent = false
    tell()
  }
})

// arrive lets the coming picture take the place of the picture that is seen.
function arrive() {
  current?.el.remove()
  current = coming
  coming = null
  current.el.classList.remove('coming')
  document.documentElement.dataset.shown = state.digest
  tell()
}

async function locate(p, m) {
  const one = { text: words(m.text), at: '' }
  p.errors.push(one)
  tell()
  const at = new URLSearchParams({ file: words(m.file), line: whole(m.line, 1e7) ? m.line : 0, column: whole(m.column, 1e7) ? m.column : 0 })
  const answer = await fetch(base + 'where?' + at, { headers }).catch(() => null)
  if (answer?.ok) one.at = await answer.text()
  tell()
}

setInterval(() => {
  for (const p of [current, coming]) {
    if (!p) continue
    p.count = 0
    post(p, { type: 'ping', id: ++ids })
    const silent = performance.now() - p.heard > SILENT && !document.hidden
    if (silent !== p.silent) {
      p.silent = silent
      tell()
    }
  }
}, 1000)

// ---- what is said ----

function problem() {
  if (!state) return null
  if (state.problem) return state.problem
  const p = coming ?? current
  if (!p) return null
  if (p.errors.length) return { title: 'The page fails', text: p.errors.map((e) => (e.at ? e.at + '\n' : '') + e.text).join('\n\n'), again: true }
  if (p.silent && !p.alive) return { title: 'The picture did not load', text: 'If this lasts, this browser does not find ' + new URL(state.picture).hostname + ', a name for this machine. Chrome, Edge and Firefox do.', again: true }
  if (p.silent) return { title: 'The page does not answer', text: 'Its code may run without end. This page around it still works: mend the code, and the picture comes back.', again: true }
  return null
}

function tell() {
  const what = problem()
  $('problem').hidden = !what
  if (what && $('problemtext').textContent !== what.text) {
    $('problemtitle').textContent = what.title
    $('problemtext').textContent = what.text
  }
  $('again').hidden = !what?.again
  const notes = [...(state?.notes ?? []), ...((coming ?? current)?.notes ?? [])]
  $('notes').replaceChildren(...notes.map((text) => Object.assign(document.createElement('li'), { textContent: text })))
}

$('again').onclick = reload

function say(text) {
  $('status').textContent = text
}

// ---- time ----

const seconds = (n) => (n * state.fps[1]) / state.fps[0]
const clocked = (s) => `${Math.floor(s / 60)}:${(s % 60).toFixed(2).padStart(5, '0')}`
const sceneAt = (s) => state.scenes.findLastIndex((scene) => scene.start <= s + 1e-6)
const sceneName = (i) => state.scenes[i]?.title || `Scene ${i + 1}`
const first = (i) => Math.min(state.frames - 1, Math.ceil((state.scenes[i].start * state.fps[0]) / state.fps[1] - 1e-6))

function show() {
  if (!state?.frames) return
  const s = seconds(frame)
  $('scrub').value = frame
  $('scrub').style.setProperty('--done', (100 * frame) / Math.max(1, state.frames - 1) + '%')
  const at = sceneAt(s)
  $('scrub').setAttribute('aria-valuetext', `${s.toFixed(2)} seconds` + (at < 0 ? '' : `, ${sceneName(at)}`))
  $('time').value = `${clocked(s)} / ${clocked(state.duration)}`
  $('scene').textContent = at < 0 ? `frame ${frame}` : `${sceneName(at)} · frame ${frame}`
  for (const [i, li] of [...$('scenes').children].entries()) li.firstChild.setAttribute('aria-current', i === at)
  ask(current)
  ask(coming)
}

function go(to) {
  if (!state?.frames) return
  frame = Math.max(0, Math.min(state.frames - 1, Math.round(to)))
  if (playing) playing = { from: frame, since: performance.now() }
  if (sound) sound.currentTime = seconds(frame)
  show()
  keep()
}

let keeping = 0
function keep() {
  clearTimeout(keeping)
  keeping = setTimeout(() => history.replaceState(null, '', `#${new URLSearchParams({ t: seconds(frame).toFixed(3), size: shape })}`), 200)
}

function play(on) {
  if (!state?.frames) return
  if (on && frame >= state.frames - 1) frame = 0
  playing = on ? { from: frame, since: performance.now() } : null
  $('play').setAttribute('aria-pressed', on)
  $('play').setAttribute('aria-label', on ? 'Pause' : 'Play')
  $('play').title = on ? 'Pause (space)' : 'Play (space)'
  if (sound) {
    sound.muted = muted
    sound.currentTime = seconds(frame)
    if (on) sound.play().catch(() => {}) // without sound, then
    else sound.pause()
  }
  if (on) requestAnimationFrame(step)
  else go(frame)
}

function step(now) {
  if (!playing) return
  const passed = ((now - playing.since) / 1000) * (state.fps[0] / state.fps[1])
  let next = playing.from + Math.max(0, Math.floor(passed))
  if (next >= state.frames) {
    if (!loops) {
      frame = state.frames - 1
      return play(false)
    }
    next = 0
    playing = { from: 0, since: now }
    if (sound) {
      sound.currentTime = 0
      sound.play().catch(() => {})
    }
  }
  if (sound && !sound.paused && Math.abs(sound.currentTime - seconds(next)) > 0.2 && sound.currentTime < (sound.duration || 0)) sound.currentTime = seconds(next)
  if (next !== frame) {
    frame = next
    show()
  }
  requestAnimationFrame(step)
}

$('scrub').oninput = () => go(Number($('scrub').value))
$('play').onclick = () => play(!playing)
$('back').onclick = () => (play(false), go(frame - 1))
$('on').onclick = () => (play(false), go(frame + 1))
$('loop').onclick = () => toggle('loop', (loops = !loops))
$('mute').onclick = () => {
  muted = !muted
  if (sound) sound.muted = muted
  toggle('mute', !muted)
}
$('keys').onclick = () => {
  $('keylist').hidden = !$('keylist').hidden
  $('keys').setAttribute('aria-expanded', !$('keylist').hidden)
}
const toggle = (id, on) => $(id).setAttribute('aria-pressed', on)
toggle('loop', loops)

addEventListener('keydown', (event) => {
  const at = event.target
  if (event.ctrlKey || event.metaKey || event.altKey || at.closest('#params') || (at.type === 'radio' && /^Arrow|^ $/.test(event.key))) return
  if (event.key === ' ' && at.tagName === 'BUTTON' && at.id !== 'play') return // the button does what it says
  const scene = state ? sceneAt(seconds(frame)) : -1
  const keys = {
    ' ': () => play(!playing),
    ArrowLeft: () => (play(false), go(frame - (event.shiftKey ? state.fps[0] / state.fps[1] : 1))),
    ArrowRight: () => (play(false), go(frame + (event.shiftKey ? state.fps[0] / state.fps[1] : 1))),
    Home: () => go(0),
    End: () => go(state.frames - 1),
    '[': () => scene >= 0 && go(first(frame > first(scene) ? scene : Math.max(0, scene - 1))),
    ']': () => go(scene + 1 < state.scenes.length ? first(scene + 1) : state.frames - 1),
    l: () => $('loop').click(),
    m: () => $('mute').click(),
    '?': () => $('keys').click(),
  }
  const shapes = document.querySelectorAll('[name=shape]')
  const act = keys[event.key] ?? (/^[1-4]$/.test(event.key) ? () => shapes[event.key - 1].click() : null)
  if (!act || !state) return
  event.preventDefault()
  act()
})

// ---- size ----

for (const radio of document.querySelectorAll('[name=shape]')) {
  radio.onchange = () => {
    shape = radio.value
    reload()
    keep()
  }
}

function fit() {
  const p = coming ?? current
  if (!p) return
  const { clientWidth, clientHeight } = $('stage')
  for (const one of [current, coming]) {
    if (!one) continue
    const scale = Math.min(1, clientWidth / one.size[0], clientHeight / one.size[1])
    one.el.style.transform = scale === 1 ? '' : `scale(${scale})`
    if (one === p) {
      $('screen').style.width = one.size[0] * scale + 'px'
      $('screen').style.height = one.size[1] * scale + 'px'
      document.body.style.setProperty('--ratio', one.size[0] / one.size[1])
      $('facts').textContent = `${one.size[0]} × ${one.size[1]}, ${Math.round((100 * state.fps[0]) / state.fps[1]) / 100} fps, shown at ${Math.round(scale * 100)} %`
    }
  }
}
new ResizeObserver(fit).observe($('stage'))

// ---- what koda says ----

function take(next) {
  const before = state
  state = next
  document.title = `${state.name || 'koda'} · koda`
  $('name').textContent = state.name || 'koda'
  if (state.frames) {
    $('ownshape').textContent = `${state.width}×${state.height}`
    $('scrub').max = state.frames - 1
    frame = Math.min(frame, state.frames - 1)
    const scenes = JSON.stringify(state.scenes)
    if (scenes !== JSON.stringify(before?.scenes)) drawScenes()
  }
  if (state.sound !== before?.sound) {
    sound?.pause()
    sound = state.sound ? $('sound') : null
    if (sound) sound.src = state.sound + '&token=' + token
    else $('sound').removeAttribute('src')
    $('mute').hidden = !sound
  }
  if (!before) restore()
  if (state.picture && !state.problem && (state.digest !== before?.digest || before?.problem)) {
    if (before?.digest && before.digest !== state.digest) say('The page changed and was loaded again.')
    open()
  }
  show()
  tell()
  if (state.form && (state.digest !== before?.digest || before?.saved !== state.saved)) loadForm()
}

function restore() {
  const at = new URLSearchParams(location.hash.slice(1))
  const s = Number(at.get('t'))
  if (state.frames && Number.isFinite(s)) frame = Math.max(0, Math.min(state.frames - 1, Math.round((s * state.fps[0]) / state.fps[1])))
  const radio = document.querySelector(`[name=shape][value="${CSS.escape(at.get('size') ?? 'own')}"]`)
  if (radio) {
    radio.checked = true
    shape = radio.value
  }
}

function drawScenes() {
  $('scenes').replaceChildren(
    ...state.scenes.map((scene, i) => {
      const li = document.createElement('li')
      const end = state.scenes[i + 1]?.start ?? state.duration
      li.style.left = (100 * scene.start) / state.duration + '%'
      li.style.width = (100 * (end - scene.start)) / state.duration + '%'
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: sceneName(i), title: `${sceneName(i)}, from ${clocked(scene.start)}` })
      button.onclick = () => go(first(i))
      li.append(button)
      return li
    }),
  )
}

const events = new EventSource(base + 'events?token=' + token)
events.onmessage = (event) => {
  document.body.classList.remove('gone')
  take(JSON.parse(event.data))
}
events.onerror = () => {
  document.body.classList.add('gone')
  say('koda does not answer: it has ended, or is busy. If you start it again, open the address that it prints then.')
}
events.onopen = () => say('')

// ---- parameters ----

let fields = []

async function loadForm() {
  if (fields.some((field) => field.changed())) return // what the person typed stays
  const answer = await fetch(base + 'form', { headers }).catch(() => null)
  if (!answer?.ok) return
  const params = await answer.json()
  fields = params.map(fieldOf)
  $('fields').replaceChildren(...fields.map((field) => field.row))
  $('side').hidden = !fields.length
  changed()
}

// fieldOf is a row of the form for a parameter.
function fieldOf(param) {
  const row = document.createElement('div')
  const id = 'param-' + param.name
  const label = Object.assign(document.createElement('label'), { htmlFor: id, textContent: param.name + (param.unit ? ` (${param.unit})` : '') })
  const text = param.type === 'texts' ? lines(param.value) : param.type === 'rows' ? pretty(param.value) : param.value
  let input
  if (param.choices?.length || param.type === 'flag') {
    input = document.createElement('select')
    for (const choice of param.choices ?? ['true', 'false']) input.add(new Option(param.type === 'flag' ? { true: 'yes', false: 'no' }[choice] : choice, choice))
  } else if (['texts', 'rows'].includes(param.type) || text.length > 40 || text.includes('\n')) {
    input = Object.assign(document.createElement('textarea'), { rows: Math.min(8, text.split('\n').length + 1) })
  } else {
    input = Object.assign(document.createElement('input'), { type: 'text', inputMode: ['number', 'integer'].includes(param.type) ? 'decimal' : 'text' })
  }
  input.id = id
  input.value = text
  input.spellcheck = false
  const help = Object.assign(document.createElement('small'), { id: id + '-help', textContent: [param.help, param.range].filter(Boolean).join('; ') })
  input.setAttribute('aria-describedby', help.id)
  input.oninput = changed
  const line = document.createElement('span')
  line.append(input)
  if (param.type === 'color') line.append(swatch(input, param.name))
  row.append(label, line, help)
  const value = () => (param.type === 'texts' ? JSON.stringify(input.value.split('\n').map((l) => l.trim()).filter(Boolean)) : input.value)
  return { row, name: param.name, value, changed: () => input.value !== text, reset: () => (input.value = text), input }
}

// swatch is a picker of colours beside a field, which also takes names and "auto".
function swatch(input, name) {
  const picker = Object.assign(document.createElement('input'), { type: 'color' })
  picker.setAttribute('aria-label', `Choose ${name}`)
  const follow = () => (picker.value = /^#[0-9a-f]{6}$/i.test(input.value) ? input.value : '#888888')
  picker.oninput = () => {
    input.value = picker.value
    changed()
  }
  input.addEventListener('input', follow)
  follow()
  return picker
}

function lines(value) {
  try {
    return JSON.parse(value).join('\n')
  } catch {
    return value
  }
}
function pretty(value) {
  try {
    return '[\n' + JSON.parse(value).map((row) => '  ' + JSON.stringify(row)).join(',\n') + '\n]'
  } catch {
    return value
  }
}

function changed() {
  const any = fields.some((field) => field.changed())
  $('save').disabled = $('reset').disabled = !any || saving
  for (const field of fields) field.row.classList.toggle('changed', field.changed())
}

let saving = false
$('params').onreset = (event) => {
  event.preventDefault()
  for (const field of fields) field.reset()
  $('saying').textContent = ''
  changed()
}
$('params').onsubmit = async (event) => {
  event.preventDefault()
  const set = Object.fromEntries(fields.filter((field) => field.changed()).map((field) => [field.name, field.value()]))
  if (saving || !Object.keys(set).length) return
  saving = true
  $('saying').className = ''
  $('saying').textContent = 'Saving: koda makes the change and draws its preview.'
  changed()
  let said
  try {
    const answer = await fetch(base + 'form', { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(set) })
    said = await answer.json()
    if (answer.ok) fields = []
  } catch {
    said = { error: 'koda does not answer', hint: 'nothing is lost here: save again when koda runs' }
  }
  saving = false
  $('saying').className = said.error ? 'failed' : ''
  $('saying').textContent = said.error ? [said.error, said.hint].filter(Boolean).join(': ') : said.said
  if (!said.error) await loadForm()
  changed()
}
