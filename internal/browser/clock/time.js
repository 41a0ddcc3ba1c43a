// Time: what the page reads of it, its timers and its animation frames.

const FRAME = 1000 / 60 // ms of virtual time in a tick
const PROMPT = 16 // turns a seek may take that waits for nothing but the CPU
const EPOCH = Date.UTC(2026, 0, 1) // the wall clock at time 0
const MOST_TIMERS = 100000 // timers one call fires; the next goes on
const MOST_LINES = 2000 // the console passes on

const RealDate = Date
const realNow = performance.now.bind(performance)
const realTimeout = setTimeout.bind(window)
const realFrame = requestAnimationFrame.bind(window)
const stringify = JSON.stringify

let started = false // ready was seen
// ms the page reads. One that plays begins a little later than 0, as in any browser:
// pages take 0 for a time that they do not know yet.
let now = config.plays ? 0.1 : 0
let clock = now // ms timers are compared with, from 0 again at ready; never goes back
let fatal = '' // why the pictures can no longer be right

function run(callback, args) {
  try {
    if (typeof callback === 'function') callback.apply(window, args)
    else (0, eval)(String(callback))
  } catch (error) {
    reportError(error)
  }
}

// ---- timers ----

const queue = [] // pending timers by due, then by age
const timers = new Map() // the same by id
let lastID = 0
let depth = 0 // how deep timers set by timers are nested right now

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

// As in browsers, a nested timer waits 4 ms at least.
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

// advance moves the clock to `to` and fires what is due on the way, at most so
// many timers. Where the time the page reads runs along, each timer reads the time
// it is due at.
function advance(to, runs, left = MOST_TIMERS) {
  // A sum of many waits may miss its time by a rounding.
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

// A task that is to wait waits by a timer. Without a delay it is the browser's.
if (window.Scheduler) {
  const post = Scheduler.prototype.postTask
  Scheduler.prototype.postTask = function postTask(callback, options) {
    if (!(options?.delay > 0)) return post.call(this, callback, options)
    const { delay, ...rest } = options
    return new Promise((resolve) => addTimer(resolve, delay, [], false)).then(() => post.call(this, callback, rest))
  }
}

// ---- animation frames ----

let requested = new Map() // for the next tick
let running = requested // of the tick going on
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

// An audio context that is heard by nobody runs from when it was first asked.
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
