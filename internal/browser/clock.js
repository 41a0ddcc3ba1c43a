// The koda clock: runs before any script of the page, in every frame of it, and
// makes what the page shows a function of the time it is told.
//
// Until the page is ready, time is virtual and starts at 0: koda calls tick()
// again and again, timers fire in the order they are due, and each tick runs
// the animation frame callbacks once. (A clock that stood still would deadlock
// everything that waits for a first frame.)
//
// From ready on, koda calls seek(seconds, frame) for each frame. Date,
// performance.now, CSS animations, Web Animations, SMIL and playing media then
// stand at that time, and Math.random starts again from the frame's number.
// Timers that were pending at ready count from ready; those due by the time of
// a seek fire in order, then the animation frame callbacks run once. While the
// promise of a seek is pending, time runs on for timers and animation frames,
// though the time shown stands still.
//
// Promises, MessageChannel, fetch, fonts and workers stay real.
//
// The file is one function expression; koda calls it with its settings:
// {props, settle: ms}.
(function (config) {
  'use strict'
  // A frame's first document hands its window on to the one that is loaded
  // into it: what belongs to the window stays.
  if (window.__koda) return window.__koda.adopt()

  const FRAME = 1000 / 60 // ms of virtual time in a tick
  const PROMPT = 16 // turns a seek may take that waits for nothing but the CPU
  const EPOCH = Date.UTC(2026, 0, 1) // the wall clock at time 0
  const MOST_TIMERS = 100000 // timers one call fires; the next goes on
  const MOST_LINES = 2000 // the console passes on

  const RealDate = Date
  const realNow = performance.now.bind(performance)
  const realTimeout = setTimeout.bind(window)
  const stringify = JSON.stringify

  let started = false // ready was seen
  let now = 0 // ms the page reads
  let clock = 0 // ms timers are compared with; never goes back
  let origin = 0 // clock at ready
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

  // advance moves the clock to `to` and fires what is due on the way.
  function advance(to) {
    let left = MOST_TIMERS
    // A sum of many waits may miss its time by a rounding.
    while (queue.length && queue[0].due <= to + 1e-6 && left-- > 0) {
      const timer = queue.shift()
      clock = Math.max(clock, timer.due)
      if (!started) now = clock
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
    if (!started) now = clock
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

  Performance.prototype.now = () => now
  Object.defineProperty(Performance.prototype, 'timeOrigin', { get: () => EPOCH, configurable: true })
  Object.defineProperty(DocumentTimeline.prototype, 'currentTime', { get: () => now, configurable: true })

  // ---- randomness: mulberry32, seeded before ready and for each frame ----

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

  // ---- animations, SMIL, media ----

  const roots = new Set() // shadow roots: document.getAnimations does not see into them
  const attachShadow = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    roots.add(new WeakRef(root))
    root.adoptedStyleSheets = []
    return root
  }

  // Animations koda drives. They are kept because one that is over is no longer
  // listed, and a later seek may go back to it.
  const driven = new Set()
  const kodas = new WeakMap() // whether an animation is koda's to drive

  function listAnimations() {
    const found = document.getAnimations()
    for (const ref of roots) {
      const root = ref.deref()
      if (!root) roots.delete(ref)
      else if (root.isConnected) found.push(...root.getAnimations())
    }
    return found
  }

  function findAnimations() {
    for (const animation of listAnimations()) {
      if (animation instanceof CSSTransition) {
        animation.finish() // how far it is depends on what was shown before
        continue
      }
      // Those that scrolling drives, and those the page had paused when they
      // were first seen, are the page's own.
      if (!kodas.has(animation)) {
        kodas.set(animation, animation.timeline === document.timeline && animation.playState !== 'paused')
      }
      if (!kodas.get(animation)) continue
      driven.add(animation)
      if (animation.playState !== 'paused' || animation.pending) hold(animation)
    }
  }

  // hold pauses at once: until a time is set, pausing waits for the next frame.
  function hold(animation) {
    animation.pause()
    animation.currentTime = animation.currentTime ?? 0
  }

  function poseAnimations(ms) {
    findAnimations()
    for (const animation of driven) {
      const effect = animation.effect
      if (!effect || (effect.target && !effect.target.isConnected)) {
        driven.delete(animation)
        continue
      }
      const rate = animation.playbackRate
      const at = rate >= 0 ? ms * rate : effect.getComputedTiming().endTime + ms * rate
      if (Number.isFinite(at) && animation.currentTime !== at) animation.currentTime = at
    }
  }

  const smil = ['animate', 'animateTransform', 'animateMotion', 'set']
  const all = (name) => document.getElementsByTagName(name)

  function poseSMIL(seconds) {
    if (!smil.some((name) => all(name).length)) return
    for (const svg of all('svg')) {
      if (svg.ownerSVGElement) continue
      svg.pauseAnimations()
      svg.setCurrentTime(seconds)
    }
  }

  // Media the page plays is koda's to seek; media it holds paused is its own.
  const playing = new WeakSet()

  function poseMedia(seconds) {
    for (const video of all('video')) {
      if (!playing.has(video)) {
        if (video.paused && !video.autoplay) continue
        playing.add(video)
      }
      if (!video.paused) video.pause()
      if (!(video.duration > 0)) continue
      let at = seconds * (video.playbackRate || 1)
      if (video.loop) at %= video.duration
      at = Math.min(at, video.duration)
      if (Math.abs(video.currentTime - at) > 1e-6) video.currentTime = at
    }
  }

  // ---- what a picture must wait for ----

  // missing lists what is still loading in this document.
  function missing() {
    const list = []
    for (const image of document.images) {
      if (!image.complete && image.loading !== 'lazy') list.push('image ' + (image.currentSrc || image.src))
    }
    for (const video of all('video')) {
      const wanted = !video.paused || video.autoplay || playing.has(video) || video.seeking
      if (wanted && !video.error && video.networkState !== 3 && video.currentSrc && (video.seeking || video.readyState < 2)) {
        list.push('video ' + video.currentSrc)
      }
    }
    if (document.fonts.status === 'loading') {
      for (const face of document.fonts) if (face.status === 'loading') list.push('font ' + face.family)
    }
    return list
  }

  // turn lets the browser's own tasks run: messages, promises, decoded images.
  const channel = new MessageChannel()
  let turned = null
  channel.port1.onmessage = () => turned()
  function turn() {
    return new Promise((resolve) => {
      turned = resolve
      channel.port2.postMessage(0)
    })
  }

  // turns is how many the seek at work has had.
  let turns = 0

  // settle waits until what a seek began is done, then poses what moves by
  // itself and waits for what that began to load. It returns "" or, after
  // config.settle ms, what is pending, as JSON.
  async function settle(seconds, promise) {
    let pending = !!promise
    let failed = false
    let reason
    promise?.then(
      () => (pending = false),
      (error) => {
        pending = false
        failed = true
        reason = error
      },
    )
    const began = realNow()
    for (let n = 0; ; n++) {
      turns = n
      await turn()
      if (failed) throw reason
      // Frameworks draw in a task of their own: two turns let them.
      if (n > 0 && !pending) {
        koda.pose(seconds)
        if (!koda.missing().length) return broken()
      }
      if (n > 0 && realNow() - began > config.settle) return stringify(status(pending))
      if (n < 8) continue // promises alone need no time to pass
      if (pending) {
        advance(clock + FRAME)
        koda.animate()
      }
      await new Promise((resolve) => realTimeout(resolve, 1))
    }
  }

  // broken is "", or why no picture can be right any more, as JSON.
  function broken() {
    const why = [fatal, ...each((child) => child.fatal)].find(Boolean)
    return why ? stringify({ fatal: why }) : ''
  }

  function status(pending) {
    return { pending, timers: queue.length, frames: requested.size, missing: koda.missing() }
  }

  // ---- what koda calls ----

  // each calls f with the clock of every document within this one.
  function each(f) {
    const results = []
    for (let i = 0; i < window.length; i++) {
      let child
      try {
        child = window[i].__koda
      } catch (error) {
        continue // of another origin
      }
      if (child) results.push(f(child))
    }
    return results
  }

  function begin() {
    started = true
    origin = clock
    const pending = queue.splice(0)
    for (const timer of pending) enqueue(timer, origin + wait(timer))
    now = 0
  }

  // named is a key as JSON, or '' when its promise took longer than a seek may.
  async function named(key) {
    if (typeof key?.then === 'function') {
      key = await Promise.race([key, new Promise((resolve) => realTimeout(() => resolve(koda), config.settle))])
    }
    return key === koda ? '' : stringify(key == null ? null : String(key))
  }

  const koda = {
    // tick passes one frame of time before ready. It returns, as JSON, whether
    // the page said it is ready, and what it still waits for.
    tick(pass) {
      if (pass && window.__exportReady !== true) {
        advance(clock + FRAME)
        animate()
        each((child) => child.tick(true))
      }
      return stringify({
        ...status(false),
        ready: window.__exportReady === true,
        seekable: typeof window.__exportSeekTo === 'function',
        loaded: document.readyState === 'complete',
      })
    },
    // start ends the time before ready. It resolves when the declared fonts
    // are loaded, so that no text is drawn without its font later.
    start() {
      begin()
      const faces = [...document.fonts].map((face) => face.load().catch(() => {}))
      return Promise.all(faces.concat(each((child) => child.start()))).then(() => '')
    },
    // seek shows a time: a promise of "", or of what is pending.
    seek(seconds, frame) {
      if (broken()) return broken()
      koda.move(seconds, frame)
      const result = window.__exportSeekTo(seconds)
      koda.animate()
      return settle(seconds, typeof result?.then === 'function' ? result : null)
    },
    // waits tells a seek that waits for something from one whose machine is slow.
    waits() {
      return turns < PROMPT ? '' : 'yes'
    },
    // The steps of a seek, each for this document and all within it.
    move(seconds, frame) {
      if (!started) begin() // a frame that came later
      now = seconds * 1000
      reseed(frame)
      advance(origin + now)
      each((child) => child.move(seconds, frame))
    },
    animate() {
      animate()
      each((child) => child.animate())
    },
    pose(seconds) {
      poseAnimations(seconds * 1000)
      poseSMIL(seconds)
      poseMedia(seconds)
      document.documentElement?.getBoundingClientRect() // starts what style and layout load
      each((child) => child.pose(seconds))
    },
    missing() {
      return missing().concat(...each((child) => child.missing()))
    },
    adopt,
    get fatal() {
      return fatal
    },
    // settled lets what arrived late be posed and laid out.
    settled() {
      return settle(now / 1000, null)
    },
    // key resolves with the page's own name for what a time is drawn from, as
    // JSON; null when it has none.
    async key(seconds) {
      return named(window.__kodaFrameKey?.(seconds))
    },
    // firstKey is that of what the page shows before the first seek.
    async firstKey() {
      return window.__kodaFirstKey ? named(window.__kodaFirstKey()) : koda.key(0)
    },
  }
  Object.defineProperty(window, '__koda', { value: koda })
  window.__kodaProps = config.props

  // ---- what would make pictures wrong or need a person ----

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
  // A page that logs without end would spend its time, and koda's, on that.
  let lines = 0
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'dir', 'group', 'groupCollapsed', 'assert']) {
    const write = console[name]
    console[name] = function (...args) {
      if (lines++ < MOST_LINES) write.apply(console, args)
    }
  }

  window.open = () => null
  window.print = () => {}

  // Chromium keeps the raster history of layers promoted by will-change, so
  // pages are drawn without it: here, and in shadow roots.
  let sheet
  function adopt() {
    sheet = new CSSStyleSheet()
    // In a layer, because there !important wins over that of the page.
    sheet.replaceSync('@layer koda { *, *::before, *::after { will-change: auto !important } }')
    document.adoptedStyleSheets = []
  }
  for (const proto of [Document.prototype, ShadowRoot.prototype]) {
    const adopted = Object.getOwnPropertyDescriptor(proto, 'adoptedStyleSheets')
    Object.defineProperty(proto, 'adoptedStyleSheets', {
      ...adopted,
      set(sheets) {
        adopted.set.call(this, [sheet, ...[...sheets].filter((other) => other !== sheet)])
      },
    })
  }
  adopt()
})
