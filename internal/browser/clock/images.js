// Animated images. The browser plays them, by the time of its frames, from the first
// that an image is drawn in. That is to be the same for all, those too that are shown
// later, or else a frame would show what depends on the frame captured first.

// imagesWait: images stand at their first picture, where the browser can be told.
let imagesWait = config.images.length > 0

// runImages has all animated images of the page begin together. They are kept drawn
// from now on, too small and too faint for any pixel to change. It resolves when
// they are there.
function runImages() {
  if (!config.images.length || window !== top) return []
  const host = document.createElement('div')
  host.style.cssText =
    'all: initial; position: fixed; left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; ' +
    'opacity: 0.002; pointer-events: none; z-index: -2147483648'
  const root = attachShadow.call(host, { mode: 'closed' })
  const loaded = config.images.map((path) => {
    const image = document.createElement('img')
    image.style.cssText = 'position: absolute; left: 0; top: 0; width: 1px; height: 1px'
    root.append(image)
    return new Promise((resolve) => {
      image.onload = image.onerror = resolve
      image.src = path
    })
  })
  document.documentElement.append(host)
  return loaded
}

// letImagesRun ends their waiting.
function letImagesRun() {
  if (!imagesWait) return
  imagesWait = false
  styleAll()
}

// chooseImages has images choose again among the files of a srcset. Chromium takes a
// denser one that another image has loaded by then, which depends on what came first.
function chooseImages() {
  const shown = new Set([...document.images].map((image) => image.currentSrc))
  const chosen = []
  for (const image of document.images) {
    const sets = [image, ...(image.parentElement?.matches('picture') ? image.parentElement.querySelectorAll('source') : [])]
    const files = sets.flatMap((one) => (one.getAttribute('srcset') ?? '').split(/,\s+|\s+/)).map((url) => URL.parse(url, document.baseURI)?.href)
    if (!files.some((url) => shown.has(url) && url !== image.currentSrc)) continue
    for (const one of sets) if (one.srcset) one.srcset = one.getAttribute('srcset')
    chosen.push(chosenImage(image))
  }
  return chosen
}

// chosenImage resolves when an image has the file it chose: from the browser's memory.
async function chosenImage(image) {
  do await new Promise((resolve) => realTimeout(resolve, 1))
  while (!image.complete && image.loading !== 'lazy')
}
