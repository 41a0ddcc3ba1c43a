// Randomness: mulberry32, seeded before ready and for each frame.

let state = 0
function reseed(n) {
  state = Math.imul(n + 2, 0x9e3779b1)
}
function random32() {
  state = (state + 0x6d2b79f5) | 0
  let z = Math.imul(state ^ (state >>> 15), 1 | state)
  z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
  return (z ^ (z >>> 14)) >>> 0
}
// A round of animation frame callbacks gets the same numbers as the round before.
let marked = 0
function mark() {
  marked = state
}
function rewind() {
  state = marked
}
reseed(-1)
Math.random = function random() {
  return random32() / 4294967296
}
Crypto.prototype.getRandomValues = function getRandomValues(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let i = 0; i < bytes.length; i++) bytes[i] = random32()
  return array
}
if (Crypto.prototype.randomUUID) {
  Crypto.prototype.randomUUID = function randomUUID() {
    const b = this.getRandomValues(new Uint8Array(16))
    b[6] = (b[6] & 15) | 64
    b[8] = (b[8] & 63) | 128
    const hex = Array.from(b, (v) => v.toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
}
