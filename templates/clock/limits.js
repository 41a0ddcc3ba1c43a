// What a video cannot show as a browser does: things that need a person, and things with
// a time of their own. Koda is told about each.

// tell tells koda a mishap of the page.
const tell = window.__kodaTell ?? (() => {})
delete window.__kodaTell

const MOST_DIALOGS = 1000 // a page that opens more dialogs does nothing else

let dialogs = 0
for (const [name, answer] of [['alert', undefined], ['confirm', false], ['prompt', null]]) {
  window[name] = function (text) {
    if (++dialogs > MOST_DIALOGS) throw new Error(name + ' opens one dialog after the other')
    tell(`the page opened a dialog that nobody answers: ${name}(${stringify(String(text ?? ''))})`)
    return answer
  }
}
window.open = () => null
window.print = () => {}
window.close = () => tell('the page called window.close, which koda does not do')

if (window.ServiceWorkerContainer) {
  ServiceWorkerContainer.prototype.register = (url) => {
    tell(`the page registers a service worker, ${url}, which koda does not run`)
    return Promise.reject(new DOMException('koda runs no service worker', 'SecurityError'))
  }
}

// A worker that computes does no harm. A worker that plays has a time that koda does not
// control.
const PLAYS = /\b(requestAnimationFrame|setInterval)\b/
for (const kind of ['Worker', 'SharedWorker']) {
  const Real = window[kind]
  if (!Real) continue
  window[kind] = class extends Real {
    constructor(url, options) {
      super(url, options)
      if (kind === 'Worker') examine(url).catch(() => {}) // if this fails, the worker fails too
      else tell(`the page starts a shared worker, ${url}, which koda does not run`)
    }
  }
  Object.defineProperty(window[kind], 'name', { value: kind })
}
const realFetch = window.fetch.bind(window)
async function examine(script) {
  const url = new URL(script, document.baseURI).href
  const response = await realFetch(url)
  const plays = response.ok && PLAYS.exec(await response.text())
  const name = /^(blob|data):/.test(url) ? 'of code that it makes' : url.replace(location.origin + '/', '')
  if (plays) tell(`the page starts a worker, ${name}, which calls ${plays[1]}: it plays by a clock of its own, so what it draws need not be of the time of a frame`)
}

// An SVG used as an image is a page of its own, and koda's clock does not run in it.
function noteImages() {
  for (const { name, initiatorType } of performance.getEntriesByType('resource')) {
    if (!/\.svg(\?|$)/.test(name) || !['img', 'image', 'css'].includes(initiatorType)) continue
    realFetch(name)
      .then((response) => response.text())
      .then((text) => {
        if (!/<(animate\w*|set)\b|@keyframes/.test(text)) return
        tell(`the image ${name.replace(location.origin + '/', '')} moves by a clock of its own: put the <svg> itself into the page, so that koda can tell it the time`)
      })
      .catch(() => {}) // a missing file is told elsewhere
  }
}

// Koda cannot reach a frame of another origin, so it cannot tell the frame a time. If the
// frame is on the network, koda refuses it.
const foreign = new WeakSet()
function noteForeign(frame) {
  if (foreign.has(frame)) return
  foreign.add(frame)
  const element = [...document.querySelectorAll('iframe, frame, object, embed')].find((e) => e.contentWindow === frame)
  const url = element?.src || element?.data || 'about:srcdoc'
  if (!/^https?:/.test(url) || url.startsWith(location.origin)) {
    tell(`the page has a frame of another origin, ${url}, which plays by a clock of its own`)
  }
}
