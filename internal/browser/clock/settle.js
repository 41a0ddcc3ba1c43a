// What a picture must wait for.

// missing lists what is still loading in this document.
function missing() {
  const list = []
  for (const image of document.images) {
    if (!image.complete && image.loading !== 'lazy') list.push('image ' + (image.currentSrc || image.src))
  }
  list.push(...media.missing())
  if (document.fonts.status === 'loading') {
    for (const face of document.fonts) if (face.status === 'loading') list.push('font ' + face.family)
  }
  return list
}

// posted counts the messages that the page sends over channels. Frameworks send
// them to themselves, to do their work in tasks: one commits a state, the next
// runs effects, which set another state.
let posted = 0
const postMessage = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function (...args) {
  posted++
  return postMessage.apply(this, args)
}

// turn lets the browser's own tasks run: messages, promises, decoded images.
const channel = new MessageChannel()
let turned = null
channel.port1.onmessage = () => turned()
function turn() {
  return new Promise((resolve) => {
    turned = resolve
    postMessage.call(channel.port2, 0)
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
  for (let n = 0, quiet = 0; ; n++) {
    turns = n
    const before = posted
    await turn()
    if (failed) throw reason
    // Frameworks draw in tasks of their own: two turns without a message let
    // them. A page that never stops sending them is not waited for.
    quiet = posted === before ? quiet + 1 : 0
    if (n > 0 && !pending && (quiet > 1 || n >= PROMPT)) {
      koda.pose(seconds)
      if (!koda.missing().length && !renewed()) return broken()
    }
    if (n > 0 && realNow() - began > patience()) return stringify(status(pending))
    if (n < 8) continue // promises alone need no time to pass
    if (pending && !koda.filming()) {
      advance(clock + FRAME, false)
      koda.animate()
    }
    await new Promise((resolve) => realTimeout(resolve, 1))
  }
}

// further runs so many further rounds of animation frame callbacks at the time
// shown, each after the one before has settled. What is drawn by a callback that
// was registered before the one that brings its data shows the time before.
async function further(settled, rounds) {
  let waits = await settled
  for (; !waits && rounds > 0 && koda.animates(); rounds--) {
    koda.rewind()
    koda.animate()
    waits = await settle(now / 1000, null)
  }
  return waits || [koda.animates() && 'again', koda.follows() && 'follows'].filter(Boolean).join(' ')
}

// What comes to the screen in frames of its own, after the page was drawn: what
// observers of intersections change, animations that scrolling drives, and canvases
// that were handed over.
let late = false
for (const [owner, name] of [
  [window.IntersectionObserver, 'observe'],
  [window.HTMLCanvasElement, 'transferControlToOffscreen'],
]) {
  const begin = owner?.prototype[name]
  if (!begin) continue
  owner.prototype[name] = {
    [name](...args) {
      late = true
      return begin.apply(this, args)
    },
  }[name]
}

// patience is how long a page may take to settle, in ms: longer while koda is at
// work for it.
function patience() {
  return koda.filming() ? 10 * config.settle : config.settle
}

// renewed calls animation frame callbacks where a video shows a picture that they
// have not seen.
function renewed() {
  if (!koda.fresh()) return false
  koda.animate()
  return true
}

// filmed waits until videos that play show the time, so that what draws them
// draws it. It returns "", or what is missing, as JSON.
async function filmed() {
  const began = realNow()
  for (let n = 0; koda.filming(); n++) {
    await turn()
    if (realNow() - began > patience()) return stringify(status(false))
    if (n > 8) await new Promise((resolve) => realTimeout(resolve, 1))
  }
  return ''
}

// broken is "", or why no picture can be right any more, as JSON.
function broken() {
  const why = [fatal, ...each((child) => child.fatal)].find(Boolean)
  return why ? stringify({ fatal: why }) : ''
}

function status(pending) {
  return { pending, timers: queue.length, frames: requested.size, missing: koda.missing() }
}

// What a page shows before it is loaded has its style when the load event comes, as in a
// browser that drew it: transitions that begin by the event have where to begin.
addEventListener('load', () => void document.documentElement?.getBoundingClientRect(), { capture: true, once: true })
