// What koda calls.

// each calls f with the clock of every document inside this document.
function each(f) {
  const results = []
  for (let i = 0; i < window.length; i++) {
    let child
    try {
      child = window[i].__koda
    } catch (error) {
      noteForeign(window[i])
      continue
    }
    if (child) results.push(f(child))
  }
  return results
}

function ready() {
  started = true
  clock = now = 0
  const pending = queue.splice(0)
  for (const timer of pending) enqueue(timer, wait(timer))
}

// named is a key as JSON, or '' if its promise took longer than a seek may take.
async function named(key) {
  if (typeof key?.then === 'function') {
    key = await Promise.race([key, new Promise((resolve) => realTimeout(() => resolve(koda), config.settle))])
  }
  return key === koda ? '' : stringify(key == null ? null : (window.__kodaPropsKeyed ? '' : props) + key)
}

// props are the parameters as text: part of every key, unless the page says that its keys
// hold what it reads of them.
const props = Object.keys(config.props ?? {}).length > 0 ? stringify(config.props) : ''

// shown makes the page show the time it was moved to.
function shown(seconds, rounds) {
  const result = window.__exportSeekTo(seconds)
  koda.mark()
  koda.animate()
  return further(settle(seconds, typeof result?.then === 'function' ? result : null), rounds - 1)
}

const koda = {
  // tick passes one frame of time before ready. It returns, as JSON, whether the page
  // said that it is ready, and what the page still waits for.
  tick(pass) {
    koda.look()
    if (pass && window.__exportReady !== true) {
      advance(clock + FRAME, true)
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
  // start ends the time before ready. It resolves when the declared fonts are loaded, so
  // that no text is drawn without its font later. Everything that moves by itself then
  // stands at time 0.
  start() {
    if (!config.plays) ready()
    const faces = [...document.fonts].map((face) => face.load().catch(() => {}))
    return Promise.all(faces.concat(runImages(), chooseImages(), each((child) => child.start()))).then(() => {
      rest()
      noteImages()
      return ''
    })
  },
  // seek shows a time. It runs the given number of rounds of animation frame callbacks at
  // this time, as long as the page asks for further rounds. It is a promise of what is
  // pending, as JSON, or of words: "again" when callbacks wait for a further round,
  // "follows" when the page may change after it was drawn.
  seek(seconds, frame, rounds) {
    if (broken()) return broken()
    koda.move(seconds, frame)
    return koda.filming() ? filmed().then((late) => late || shown(seconds, rounds)) : shown(seconds, rounds)
  },
  // again runs a further round at the time shown; it promises the same as seek.
  again() {
    return further('', 1)
  },
  // waits tells a seek that waits for something from a seek on a slow machine.
  waits() {
    return turns < PROMPT ? '' : 'yes'
  },
  // The steps of a seek, each for this document and all documents inside it.
  move(seconds, frame) {
    if (!started) ready() // a frame that was added later
    reseed(frame)
    now = Math.min(now, seconds * 1000) // a seek may go back
    advance(seconds * 1000, true)
    media.pose()
    if (!imagesWait) each((child) => child.run()) // in a frame that was added later, too
    each((child) => child.move(seconds, frame))
  },
  // turn resolves when all tasks that wait now are done.
  async turn() {
    await turn()
    return ''
  },
  // run lets animated images begin.
  run() {
    letImagesRun()
    each((child) => child.run())
    return ''
  },
  animate() {
    animate()
    each((child) => child.animate())
  },
  // mark is where the random numbers of each round begin; rewind goes back there.
  mark() {
    mark()
    each((child) => child.mark())
  },
  rewind() {
    rewind()
    each((child) => child.rewind())
  },
  // follows reports whether the page may change after it was drawn.
  follows() {
    return late || each((child) => child.follows()).some(Boolean)
  },
  animates() {
    return requested.size > 0 || each((child) => child.animates()).some(Boolean)
  },
  pose(seconds) {
    if (config.plays) {
      posePlaying()
    } else {
      poseAnimations(seconds * 1000)
      poseSMIL(() => seconds)
    }
    media.pose()
    place()
    document.documentElement?.getBoundingClientRect() // starts to load what style and layout need
    each((child) => child.pose(seconds))
  },
  // look finds videos and what they show.
  look() {
    media.pose()
    each((child) => child.look())
  },
  // filming reports whether a video does not show its time yet.
  filming() {
    return media.missing().length > 0 || each((child) => child.filming()).some(Boolean)
  },
  // fresh reports whether a video shows a picture that animate has not told the page
  // about.
  fresh() {
    return media.fresh() || each((child) => child.fresh()).some(Boolean)
  },
  missing() {
    return missing().concat(...each((child) => child.missing()))
  },
  adopt,
  player,
  get fatal() {
    return fatal
  },
  // settled poses and lays out what arrived late.
  settled() {
    return settle(now / 1000, null)
  },
  // key resolves with the page's own name for everything a time is drawn from, as JSON;
  // null if the page has no name for it.
  async key(seconds) {
    return named(window.__kodaFrameKey?.(seconds))
  },
  // firstKey is the key of what the page shows before the first seek.
  async firstKey() {
    return window.__kodaFirstKey ? named(window.__kodaFirstKey()) : koda.key(0)
  },
}
Object.defineProperty(window, '__koda', { value: koda })
window.__kodaProps = config.props
