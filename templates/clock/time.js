// Time: what the page reads of it, its timers and its animation frames.

const FRAME = 1000 / 60 // ms of virtual time in a tick
const PROMPT = 16 // turns for a seek that waits for nothing but the CPU
const EPOCH = Date.UTC(2026, 0, 1) // the wall clock at time 0
const MOST_TIMERS = 100000 // timers that one call fires; the next call goes on
const MOST_LINES = 2000 // lines that the console passes on

const RealDate = Date
const realNow = performance.now.bind(performance)
const realTimeout = setTimeout.bind(window)
const realFrame = requestAnimationFrame.bind(window)
const stringify = JSON.stringify

let started = false // koda saw that the page is ready
// The time that the page reads, in ms. The time of a page that plays begins a little
// after 0, as in any browser, because pages take 0 for a time they do not know yet.
let now = config.plays ? 0.1 : 0
let clock = now // the time of timers, in ms: it starts from 0 again at ready, and never goes back
let fatal = '' // why no further picture can be right

function run(callback, args) {
  try {
    if (typeof callback === 'function') callback.apply(window, args)
    else (0, eval)(String(callback))
  } catch (error) {
    reportError(error)
  }
}

// ---- timers ----

const queue = [] // pending timers, ordered by due time, then by age
const timers = new Map() // the same by id
let lastID = 0
let depth = 0 // how deep timers that timers set are nested right now

function enqueue(timer, due) {
  timer.due = due
  let low = 0
  let high = queue.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (queue[mid].due <= due) low = mid + 1
    else high = mid
  }
  queue.splice(low, 0, timer)
}

// As in browsers, a nested timer waits at least 4 ms.
function wait(timer) {
  return Math.max(timer.delay, timer.depth > 5 ? 4 : 1)
}

function addTimer(callback, delay, args, repeat) {
  const timer = { id: ++lastID, callback, args, repeat, delay: Number(delay) || 0, depth: depth + 1 }
  timers.set(timer.id, timer)
  enqueue(timer, clock + wait(timer))
  return timer.id
}

function clearTimer(id) {
  const timer = timers.get(Number(id))
  if (!timer) return
  timers.delete(timer.id)
  const at = queue.indexOf(timer)
  if (at >= 0) queue.splice(at, 1)
}

// advance moves the clock to `to` and fires the timers that are due on the way, up to a
// maximum. If the time that the page reads moves too, each timer reads the time it is due
// at.
function advance(to, runs, left = MOST_TIMERS) {
  // A sum of many waits may miss its time by a rounding error.
  while (queue.length && queue[0].due <= to + 1e-6 && left-- > 0) {
    const timer = queue.shift()
    clock = Math.max(clock, timer.due)
    if (runs) now = Math.max(now, Math.min(timer.due, to))
    depth = timer.depth
    if (timer.repeat) {
      timer.depth++
      enqueue(timer, clock + wait(timer))
    } else {
      timers.delete(timer.id)
    }
    run(timer.callback, timer.args)
    depth = 0
  }
  clock = Math.max(clock, to)
  if (runs) now = to
}

window.setTimeout = function setTimeout(callback, delay, ...args) {
  return addTimer(callback, delay, args, false)
}
window.setInterval = function setInterval(callback, delay, ...args) {
  return addTimer(callback, delay, args, true)
}
window.clearTimeout = function clearTimeout(id) {
  clearTimer(id)
}
window.clearInterval = function clearInterval(id) {
  clearTimer(id)
}

// A delayed task waits by a timer. A task without a delay belongs to the browser.
if (window.Scheduler) {
  const post = Scheduler.prototype.postTask
  Scheduler.prototype.postTask = function postTask(callback, options) {
    if (!(options?.delay > 0)) return post.call(this, callback, options)
    const { delay, ...rest } = options
    return new Promise((resolve) => addTimer(resolve, delay, [], false)).then(() => post.call(this, callback, rest))
  }
}

// ---- animation frames ----

let requested = new Map() // callbacks for the next tick
let running = requested // callbacks of the present tick
let idle = new Map()

window.requestAnimationFrame = function requestAnimationFrame(callback) {
  requested.set(++lastID, callback)
  return lastID
}
window.cancelAnimationFrame = function cancelAnimationFrame(id) {
  requested.delete(id)
  running.delete(id)
}
window.requestIdleCallback = function requestIdleCallback(callback) {
  idle.set(++lastID, callback)
  return lastID
}
window.cancelIdleCallback = function cancelIdleCallback(id) {
  idle.delete(id)
}

function animate() {
  media.animate()
  running = requested
  requested = new Map()
  for (const callback of running.values()) run(callback, [now])
  if (!idle.size) return
  const callbacks = idle
  idle = new Map()
  for (const callback of callbacks.values()) {
    run(callback, [{ didTimeout: false, timeRemaining: () => 10 }])
  }
}

// ---- the time the page reads ----

function KodaDate(...args) {
  if (!new.target) return new RealDate(EPOCH + now).toString()
  if (args.length === 0) args = [EPOCH + now]
  return Reflect.construct(RealDate, args, new.target)
}
Object.defineProperties(KodaDate, {
  name: { value: 'Date' },
  length: { value: 7 },
  prototype: { value: RealDate.prototype, writable: false },
})
KodaDate.UTC = RealDate.UTC
KodaDate.parse = RealDate.parse
KodaDate.now = () => Math.floor(EPOCH + now)
Object.defineProperty(RealDate.prototype, 'constructor', { value: KodaDate, writable: true, configurable: true })
window.Date = KodaDate

// An audio context that nobody hears runs from the moment it was first asked.
if (window.BaseAudioContext) {
  const begun = new WeakMap()
  const real = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime')
  Object.defineProperty(BaseAudioContext.prototype, 'currentTime', {
    ...real,
    get() {
      if (!(this instanceof AudioContext)) return real.get.call(this)
      if (!begun.has(this)) begun.set(this, now)
      return Math.max(0, now - begun.get(this)) / 1000
    },
  })
}

Performance.prototype.now = () => now
Object.defineProperty(Performance.prototype, 'timeOrigin', { get: () => EPOCH, configurable: true })
Object.defineProperty(DocumentTimeline.prototype, 'currentTime', { get: () => now, configurable: true })
