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

// posted counts the messages that the page sends over channels. Frameworks send messages
// to themselves, to do their work in tasks: a first task commits a state, a second runs
// effects, and the effects set another state.
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

// turns counts the turns of the present seek.
let turns = 0

// settle waits until everything that a seek began is done. Then it poses what moves by
// itself, and waits until the files for it are loaded. It returns "" or, after
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
    // Frameworks draw in tasks of their own. Two turns without a message are enough for
    // them. Koda does not wait for a page that never stops sending messages.
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

// further runs further rounds of animation frame callbacks at the time shown, each after
// the round before has settled. A callback that draws may be registered before the
// callback that brings its data. Then one round shows the time before.
async function further(settled, rounds) {
  let waits = await settled
  for (; !waits && rounds > 0 && koda.animates(); rounds--) {
    koda.rewind()
    koda.animate()
    waits = await settle(now / 1000, null)
  }
  return waits || [koda.animates() && 'again', koda.follows() && 'follows'].filter(Boolean).join(' ')
}

// Things that come to the screen in frames of their own, after the page was drawn:
// changes by intersection observers, animations that follow scrolling, and canvases that
// were handed to workers.
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

// patience is how long a page may take to settle, in ms. It is longer while koda itself
// works for the page.
function patience() {
  return koda.filming() ? 10 * config.settle : config.settle
}

// renewed calls animation frame callbacks if a video shows a picture that they have not
// seen.
function renewed() {
  if (!koda.fresh()) return false
  koda.animate()
  return true
}

// filmed waits until all playing videos show the time, so that code that draws them draws
// the right picture. It returns "", or what is missing, as JSON.
async function filmed() {
  const began = realNow()
  for (let n = 0; koda.filming(); n++) {
    await turn()
    if (realNow() - began > patience()) return stringify(status(false))
    if (n > 8) await new Promise((resolve) => realTimeout(resolve, 1))
  }
  return ''
}

// broken is "", or the reason why no further picture can be right, as JSON.
function broken() {
  const why = [fatal, ...each((child) => child.fatal)].find(Boolean)
  return why ? stringify({ fatal: why }) : ''
}

function status(pending) {
  return { pending, timers: queue.length, frames: requested.size, missing: koda.missing() }
}

// Everything that a page shows before it is loaded gets its style before the load event,
// as in a browser that drew the page. So transitions that begin with the event have a
// start.
addEventListener('load', () => void document.documentElement?.getBoundingClientRect(), { capture: true, once: true })
