// An animation of 1000 frames a second: a star that turns, and the barcode, each
// block of which is a solid that is shown while it is white.
const still = (k) => ({ a: 0, k })
const layer = (ind, more) => ({ ind, ip: 0, op: 4000, st: 0, ks: { o: still(100), r: still(0), p: still([0, 0, 0]), a: still([0, 0, 0]), s: still([100, 100, 100]) }, ...more })

const blocks = barcode.rects(0).map((r, i) => {
  const l = layer(i + 1, { ty: 1, sw: r.w, sh: r.h, sc: '#ffffff' })
  const keys = []
  for (let ms = 0, on = r.row; ms < 2100; ms += 2 ** r.bit, on = 1 - on) keys.push({ t: ms, s: [on * 100], h: 1 })
  l.ks = { ...l.ks, p: still([r.x, r.y, 0]), o: { a: 1, k: keys } }
  return l
})

const turn = { i: { x: [0.5], y: [1] }, o: { x: [0.5], y: [0] } }
const star = layer(30, {
  ty: 4,
  shapes: [{ ty: 'gr', it: [
    { ty: 'sr', sy: 1, d: 1, pt: still(5), p: still([0, 0]), r: still(0), ir: still(40), is: still(0), or: still(90), os: still(0) },
    { ty: 'fl', c: still([1, 0.8, 0.2, 1]), o: still(100), r: 1 },
    { ty: 'tr', p: still([0, 0]), a: still([0, 0]), s: still([100, 100]), r: still(0), o: still(100), sk: still(0), sa: still(0) },
  ] }],
})
star.ks = { ...star.ks, p: still([240, 120, 0]), r: { a: 1, k: [{ t: 0, s: [0], ...turn }, { t: 2000, s: [360] }] } }
const ground = layer(31, { ty: 1, sw: 480, sh: 270, sc: '#000000' })

window.animationData = { v: '5.7.0', fr: 1000, ip: 0, op: 4000, w: 480, h: 270, nm: 'barcode', ddd: 0, assets: [], layers: [...blocks, star, ground] }
