// Where text stands. Blink rounds the place of an element that is turned or scaled to
// whole pixels, but keeps the fraction of an element that is only moved. If only a
// transform changes, from one kind to the other, Blink keeps the old rounding. So letters
// that come one by one would be drawn a part of a pixel beside the letters of a page that
// never showed them turned. A change of style makes Blink look again.

const restyled = new Set() // elements whose style or class the page changed
const kinds = new WeakMap() // whether an element was turned or scaled when it was last drawn
let placings = 0 // how often Blink had to look again

const restyling = new MutationObserver(noteRestyled)
function noteRestyled(records) {
  for (const record of records) restyled.add(record.target)
}
function watchStyles(root) {
  if (!config.plays) restyling.observe(root, { attributes: true, attributeFilter: ['style', 'class'], subtree: true })
}
watchStyles(document)

const PLAIN = /^(none|matrix\(1, 0, 0, 1, .*|matrix3d\(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, .*, 1\))$/

// rotated reports whether an element is turned or scaled, not only moved.
function rotated(element) {
  const style = getComputedStyle(element)
  return !(PLAIN.test(style.transform) && /^(none|0deg)$/.test(style.rotate) && /^(none|1)$/.test(style.scale))
}

// MANY is the number of elements that is too large to look at each element.
const MANY = 1000

// place makes Blink look again at each element that began or ceased to be turned.
function place() {
  if (config.plays) return // a page that plays is always drawn through all frames before
  noteRestyled(restyling.takeRecords())
  let changed = placings === 0 || restyled.size + driven.size > MANY
  const look = (element) => {
    if (!(element instanceof HTMLElement)) return
    const kind = rotated(element)
    if (kinds.get(element) !== kind) changed = true
    kinds.set(element, kind)
  }
  for (const animation of driven) {
    if (animation.effect?.target) restyled.add(animation.effect.target)
  }
  if (!changed) restyled.forEach(look)
  restyled.clear()
  if (!changed) return
  placings++
  styleAll()
}
