// Animated images. The browser plays each image by the time of its frames, beginning with
// the first frame in which the image is drawn. All images must begin together, even
// images that are shown later. Otherwise a frame would depend on which frame was captured
// first.

// imagesWait: images stand at their first picture, if the browser can be told so.
let imagesWait = config.images.length > 0

// runImages makes all animated images of the page begin together. From then on they stay
// drawn, too small and too faint to change any pixel. It resolves when the images are
// there.
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

// letImagesRun ends the waiting of the images.
function letImagesRun() {
  if (!imagesWait) return
  imagesWait = false
  styleAll()
}

// chooseImages makes images choose again among the files of a srcset. If another image
// has loaded a denser file, Chromium takes that file, so the choice would depend on what
// was loaded first.
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

// chosenImage resolves when an image has the file it chose; the file comes from the
// browser's memory.
async function chosenImage(image) {
  do await new Promise((resolve) => realTimeout(resolve, 1))
  while (!image.complete && image.loading !== 'lazy')
}
