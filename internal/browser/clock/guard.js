// What would make pictures wrong.

// A lost context draws nothing more. Pages give contexts up on purpose when
// they remove a canvas.
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
// A smaller video is drawn at a scale below 1, which pages do not know from browsers:
// with half a pixel some libraries draw a canvas of a quarter of its place (Zdog). Pages
// with WebGL are told, because each pixel costs them.
const ratio = Object.getOwnPropertyDescriptor(window, 'devicePixelRatio')
if (!config.webgl) {
  Object.defineProperty(window, 'devicePixelRatio', {
    ...ratio,
    get: () => Math.max(1, ratio.get.call(window)),
  })
}
// A page that logs without end would spend its time, and koda's, on that.
let lines = 0
for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'dir', 'group', 'groupCollapsed', 'assert']) {
  const write = console[name]
  console[name] = function (...args) {
    if (lines++ < MOST_LINES) write.apply(console, args)
  }
}

// What animates, and what will-change names, Chromium gives layers of their own,
// and those keep the scale and the place they were first drawn at, which may be
// another in every run. Beneath an element whose contents will change it gives
// none; that changes nothing else.
let sheet
function styleAll() {
  const images = imagesWait ? ' *, *::before, *::after { image-animation: paused !important }' : ''
  const places = placings > 0 ? ` * { --koda-placed: ${placings} }` : ''
  sheet.replaceSync('@layer koda { :root { will-change: contents !important }' + images + places + ' }')
}
function newSheet() {
  sheet = new CSSStyleSheet()
  // In a layer, because there !important wins over that of the page.
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
      newSheet() // the other is of the document that this frame had before
      adopted.set.call(this, [sheet, ...others])
    }
  },
})
adopt()
