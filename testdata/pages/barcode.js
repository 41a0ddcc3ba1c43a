// The barcode of a page's time: 12 columns, a bit of the time in milliseconds
// each, the lowest first. The upper row shows the bit in white, the lower row its
// inverse, so that no row can be wrong unseen. It lies at the bottom of a page of
// 480 by 270. Pages draw it by what they are about: a library's value, a shader,
// a style.
(function () {
  const BITS = 12, WIDTH = 40, HEIGHT = 16, TOP = 238

  // A quarter is added so that no rate has a frame where a bit changes.
  const code = (seconds) => Math.max(0, Math.floor(seconds * 1000 + 0.25))

  // rects are its 24 blocks. on says whether a block is white.
  function rects(seconds) {
    const list = []
    for (let bit = 0; bit < BITS; bit++) {
      for (let row = 0; row < 2; row++) {
        const on = ((code(seconds) >> bit) & 1) !== row
        list.push({ bit, row, x: bit * WIDTH, y: TOP + row * HEIGHT, w: WIDTH, h: HEIGHT, on, fill: on ? '#fff' : '#000' })
      }
    }
    return list
  }

  // blocks puts 24 elements where they belong, for the page to colour. Their
  // styles can tell them apart by --bit and --row.
  function blocks(parent = document.body, tag = 'div') {
    return rects(0).map((r) => {
      const block = document.createElement(tag)
      block.className = 'row' + r.row
      block.style.cssText = `position: absolute; left: ${r.x}px; top: ${r.y}px; width: ${r.w}px; height: ${r.h}px; --bit: ${r.bit}; --row: ${r.row}`
      return parent.appendChild(block)
    })
  }

  let shown
  function show(seconds) {
    shown ??= blocks()
    rects(seconds).forEach((r, i) => (shown[i].style.background = r.fill))
  }

  function draw(context, seconds) {
    for (const r of rects(seconds)) {
      context.fillStyle = r.fill
      context.fillRect(r.x, r.y, r.w, r.h)
    }
  }

  window.barcode = { code, rects, blocks, show, draw }

  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { background: #1b2a41; color: #fff; font: 24px sans-serif } body { margin: 0; width: 480px; height: 270px; overflow: hidden; position: relative; display: flow-root }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
})()
