// The eye in the page. It tells which texts the page shows, and where; or it hides the
// texts, all but the backdrop, or nothing: what tells which.
(what) => {
  const sheet = document.getElementById('koda-eye') ?? document.head.appendChild(Object.assign(document.createElement('style'), { id: 'koda-eye' }))
  const hidden = {
    texts: 'text, tspan { fill: transparent !important; stroke: transparent !important; transition: none !important } body, body * { color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; transition: none !important }',
    stage: '.clipped > :not(.ground), .clipped > :not(.ground) * { visibility: hidden !important }',
    nothing: '',
  }
  if (what in hidden) {
    sheet.textContent = hidden[what]
    return 'done'
  }
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom })
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) })
  const area = (r) => Math.max(r.right - r.left, 0) * Math.max(r.bottom - r.top, 0)
  const round = (v) => Math.round(v * 100) / 100

  // clipOf is the rectangle outside of which an element shows nothing of what is in it.
  function clipOf(element, styles) {
    const named = element.getAttribute('clip-path')?.match(/^url\(#(.*)\)$/)
    const rect = named && document.getElementById(named[1])?.querySelector('rect')
    if (rect) {
      const own = rect.getBBox()
      const to = element.getScreenCTM()
      const at = (x, y) => new DOMPoint(x, y).matrixTransform(to)
      const [a, b] = [at(own.x, own.y), at(own.x + own.width, own.y + own.height)]
      return { left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y) }
    }
    if (styles.overflowX === 'visible' || element.matches('html, body, #root, .stage, .clipped, svg')) return null
    const clip = box(element.getBoundingClientRect())
    return clip.left <= 0 && clip.top <= 0 && clip.right >= innerWidth && clip.bottom >= innerHeight ? null : clip // the edge of the frame is told by another rule
  }

  const ids = new Map()
  const id = (element) => ids.get(element) ?? (ids.set(element, ids.size), ids.size - 1)
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && texts.length < 400; node = walker.nextNode()) {
    const text = node.data.trim()
    const parent = node.parentElement
    if (!text || parent.closest('style, script, title, desc')) continue
    let opacity = 1
    let shown = true
    const clips = []
    const shortened = [] // with an ellipsis, which is no fault
    const chain = []
    for (let e = parent; e && e !== document.documentElement; e = e.parentElement) {
      const styles = getComputedStyle(e)
      opacity *= Number(styles.opacity)
      shown &&= styles.display !== 'none' && styles.visibility !== 'hidden'
      const clip = clipOf(e, styles)
      if (clip) (styles.textOverflow === 'ellipsis' ? shortened : clips).push(clip)
      chain.push(e)
    }
    if (!shown || opacity < 0.04) continue
    const styles = getComputedStyle(parent)
    const range = document.createRange()
    range.selectNodeContents(node)
    const inSVG = parent instanceof SVGElement
    // Texts of SVG side by side are one line: letters, and layers of one word. A tspan is a part of its text.
    const group = inSVG && (parent.closest('text') ?? parent).parentElement
    const rects = inSVG ? [parent.getBoundingClientRect()] : [...range.getClientRects()]
    for (const all of rects) {
      const high = all.bottom - all.top
      // What letters fill of the box of their line.
      const ink = shortened.reduce(meet, { left: all.left, right: all.right, top: all.top + 0.24 * high, bottom: all.bottom - 0.24 * high })
      const seen = clips.reduce(meet, ink)
      if (area(ink) < 0.5 || area(seen) < 0.04 * area(ink)) continue
      texts.push({
        text: text.slice(0, 60), ink, seen, font: high / 1.22, opacity: round(opacity), fill: inSVG ? styles.fill : styles.webkitTextFillColor,
        weight: Number(styles.fontWeight), line: id(group || chain.find((e) => getComputedStyle(e).display !== 'inline') || parent),
        block: id(group || chain.find((e) => !getComputedStyle(e).display.startsWith('inline')) || parent),
      })
    }
  }
  return JSON.stringify({
    texts, changing: document.querySelectorAll('.clipped').length > 1, ground: document.querySelector('.ground') !== null,
    scene: document.querySelector('[data-scene]')?.dataset.scene ?? '', width: innerWidth, height: innerHeight,
  })
}
