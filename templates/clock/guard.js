// What would make pictures wrong.

// A context that is lost draws nothing more. But pages also give up contexts on purpose,
// when they remove a canvas.
const getContext = HTMLCanvasElement.prototype.getContext
const watched = new WeakSet()
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  if (/webgl/.test(kind) && !watched.has(this)) {
    watched.add(this)
    this.addEventListener('webglcontextlost', () => {
      if (this.isConnected) fatal = 'the page lost its WebGL context'
    })
  }
  return getContext.call(this, kind, ...rest)
}
// A smaller video is drawn at a scale below 1, which pages never meet in browsers: at a
// ratio of one half, some libraries draw a canvas that fills a quarter of its place
// (Zdog). Pages with WebGL read the true ratio, because each pixel costs them.
const ratio = Object.getOwnPropertyDescriptor(window, 'devicePixelRatio')
if (!config.webgl) {
  Object.defineProperty(window, 'devicePixelRatio', {
    ...ratio,
    get: () => Math.max(1, ratio.get.call(window)),
  })
}
// A page that logs without end would waste its own time and koda's.
let lines = 0
for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'dir', 'group', 'groupCollapsed', 'assert']) {
  const write = console[name]
  console[name] = function (...args) {
    if (lines++ < MOST_LINES) write.apply(console, args)
  }
}

// Chromium gives a layer of its own to each element that is animated or named by
// will-change. Such a layer keeps the scale and the place at which it was first drawn,
// which may differ from run to run. Below an element whose contents will change, Chromium
// makes no such layers. Nothing else changes.
let sheet
function styleAll() {
  const images = imagesWait ? ' *, *::before, *::after { image-animation: paused !important }' : ''
  const places = placings > 0 ? ` * { --koda-placed: ${placings} }` : ''
  sheet.replaceSync('@layer koda { :root { will-change: contents !important }' + images + places + ' }')
}
function newSheet() {
  sheet = new CSSStyleSheet()
  // In a cascade layer, because !important in a layer wins over the page's !important.
  styleAll()
}
function adopt() {
  newSheet()
  document.adoptedStyleSheets = []
}
const adopted = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
Object.defineProperty(Document.prototype, 'adoptedStyleSheets', {
  ...adopted,
  set(sheets) {
    const others = [...sheets].filter((other) => other !== sheet)
    try {
      adopted.set.call(this, [sheet, ...others])
    } catch {
      newSheet() // the old sheet belongs to the document that this frame had before
      adopted.set.call(this, [sheet, ...others])
    }
  },
})
adopt()
