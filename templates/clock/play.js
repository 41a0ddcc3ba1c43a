// Playing: the clock of a page that is not told the time. From ready on, time runs frame
// by frame and never back. Timers fire at their own times, each in a task of its own.
// Then, in the browser's own frame, animations and transitions move, animation frame
// callbacks run once, and observers are called. Random numbers run on.
//
// Animations run by the compositor's clock, which is far ahead of the page's clock. When
// the page reads or sets the time of an animation, koda converts it to the page's time.

const startTime = Object.getOwnPropertyDescriptor(Animation.prototype, 'startTime')
const shownTime = Object.getOwnPropertyDescriptor(AnimationTimeline.prototype, 'currentTime').get

const EARLY = 0.005 // ms an animation begins early, so that roundings do not make its steps late
const YOUNG = 10 // ms that the compositor's clock passes until a page is ready

let lag = null // how far the compositor's clock is ahead of the page's, in ms, once the page plays
let origin = 0 // ms the page reads at time 0 of the video

// The compositor runs animations if koda sets its clock, and only in the main document:
// Chromium's rounding of that clock is predictable only at times that koda knows there.
const native = config.native && window === top

const compositor = () => shownTime.call(document.timeline) ?? 0
const ownTimeline = (animation) => animation.timeline === document.timeline

if (config.plays && native) {
  const ahead = () => lag ?? compositor() - now
  Object.defineProperty(Animation.prototype, 'startTime', {
    ...startTime,
    get() {
      const at = startTime.get.call(this)
      return typeof at === 'number' && ownTimeline(this) ? at - ahead() : at
    },
    set(at) {
      startTime.set.call(this, typeof at === 'number' && ownTimeline(this) ? at + ahead() : at)
    },
  })
}

// begin lets time run. The page's clock now stands at the given second of the video.
function begin(seconds) {
  origin = now - seconds * 1000
  lag = config.timeline - origin
}

// align makes running animations begin at a time, as animations do that began while time
// stood still.
function align(at) {
  if (!native) return
  for (const animation of listAnimations()) {
    if (!ownTimeline(animation) || animation.playState !== 'running') continue
    const shown = animation.currentTime ?? 0
    const kept = shown < YOUNG ? 0 : Math.floor(shown)
    startTime.set.call(animation, lag + at - EARLY - kept / animation.playbackRate)
    aligned.add(animation)
  }
}

// Animations that already began early.
const aligned = new WeakSet()

function beginEarly() {
  for (const animation of listAnimations()) {
    if (aligned.has(animation) || !ownTimeline(animation) || animation.playState !== 'running') continue
    const at = startTime.get.call(animation)
    if (typeof at !== 'number') continue // it begins with the next frame
    startTime.set.call(animation, at - EARLY)
    aligned.add(animation)
  }
}

// If the browser draws whenever it likes, animations are held and posed by their age.
function poseByAge() {
  for (const animation of listAnimations()) {
    if (!ownTimeline(animation) || !animation.effect || animation.playState === 'finished') continue
    if (!births.has(animation)) {
      if (animation.playState === 'paused') continue // paused by the page itself
      hold(animation)
    }
    const ms = age(animation) * 1000
    const end = animation.effect.getComputedTiming().endTime
    const rate = animation.playbackRate
    const at = rate >= 0 ? ms * rate : end + ms * rate
    if (at >= end || at < 0) animation.finish()
    else animation.currentTime = at
  }
}

// births holds when each moving thing was first seen, in the page's time.
const births = new WeakMap()

// age is how many seconds ago something was first seen.
function age(something) {
  if (!births.has(something)) births.set(something, now)
  return (now - births.get(something)) / 1000
}

function posePlaying() {
  if (!native) poseByAge()
  poseSMIL(age)
}

// play fires the timers that are due until `to`, each in a task of its own, so that code
// after an await reads the time at which its promise was kept.
async function play(to) {
  for (let left = MOST_TIMERS; left > 0 && queue.length && queue[0].due <= to + 1e-6; left--) {
    advance(Math.max(clock, queue[0].due), true, 1)
    await turn()
  }
  advance(to, true, 0)
}

// landed waits until everything that the last frame began is done and has arrived. It
// resolves with "" or, after config.settle ms, with what is pending, as JSON.
async function landed() {
  const began = realNow()
  for (let n = 0; ; n++) {
    turns = n
    await turn()
    // Frameworks draw in a task of their own; two turns are enough for it.
    if (n > 0 && !koda.missing().length) return broken()
    if (n > 0 && realNow() - began > config.settle) return stringify(status(false))
    if (n > 8) await new Promise((resolve) => realTimeout(resolve, 1))
  }
}

const player = {
  // start lets time run from second 0 of the video.
  start() {
    begin(0)
    align(now - 1)
    posePlaying()
    for (const child of children()) child.player.start()
    return ''
  },
  // step passes the time until a frame. Animation frame callbacks run when the frame is
  // drawn. It resolves with "", or with what is pending.
  async step(seconds) {
    const late = await landed()
    if (late) return late
    await player.run(seconds)
    koda.pose((now - origin) / 1000)
    const waits = await landed()
    if (waits) return waits
    if (config.native) realFrame(koda.animate)
    else koda.animate()
    return ''
  },
  async run(seconds) {
    if (lag === null) begin(seconds) // a frame that was added later
    if (seconds === 0) align(now)
    else if (native) beginEarly()
    if (!imagesWait) for (const child of children()) child.run() // in a frame that was added later, too
    await play(origin + seconds * 1000)
    for (const child of children()) await child.player.run(seconds)
  },
  // moves names what moves in the page by itself, for people.
  moves() {
    const libraries = { gsap: 'GSAP', TweenMax: 'GSAP', anime: 'anime.js', THREE: 'three.js', Motion: 'Motion', d3: 'd3', p5: 'p5', PIXI: 'PixiJS', lottie: 'Lottie', bodymovin: 'Lottie', Zdog: 'Zdog', createjs: 'CreateJS', Theatre: 'Theatre.js' }
    const found = [...new Set(Object.keys(libraries).filter((name) => name in window).map((name) => libraries[name]))]
    if (requested.size) found.push('requestAnimationFrame')
    if (queue.length) found.push('timers')
    if (listAnimations().some((animation) => animation instanceof CSSTransition)) found.push('CSS transitions')
    for (const child of children()) found.push(...child.player.moves().split(', '))
    return [...new Set(found)].filter(Boolean).join(', ')
  },
}

const children = () => each((child) => child)
