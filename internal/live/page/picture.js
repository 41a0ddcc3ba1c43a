// The picture: what the clock does in the live page. The page around the picture asks for
// times by messages, and this part answers. It runs within the clock, and in the same
// place as the code of the page, which may lie: the page around believes nothing that it
// is told here.

if (config.live && window.parent === window.top && window !== window.top) {
  const outer = window.parent
  const say = outer.postMessage.bind(outer)
  const words = (text) => String(text ?? '').slice(0, 2000)
  const send = (message) => say(message, config.live.outer)
  const pause = (ms) => new Promise((resolve) => realTimeout(resolve, ms))

  // ---- what goes wrong ----

  let told = 0
  function mistake(text, file = '', line = 0, column = 0) {
    if (told++ < 20) send({ type: 'error', text: words(text), file: words(file), line: Number(line) || 0, column: Number(column) || 0 })
  }
  // The first place of a stack that is not in the clock.
  function place(error) {
    for (const entry of words(error?.stack).split('\n')) {
      const at = /(https?:\/\/[^\s()]+):(\d+):(\d+)/.exec(entry)
      if (at && !at[1].endsWith(config.live.script)) return at.slice(1)
    }
    return []
  }
  addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) return
    const [file, line, column] = place(event.error)
    mistake(event.message, file ?? event.filename, line ?? event.lineno, column ?? event.colno)
  })
  addEventListener('unhandledrejection', (event) => mistake(event.reason?.message ?? event.reason, ...place(event.reason)))
  document.addEventListener('securitypolicyviolation', (event) => {
    if (told++ < 20) send({ type: 'warning', text: words(`the page asks for ${event.blockedURI} (${event.effectiveDirective}), and has no network`) })
  })

  // ---- what is in flight: before the page is ready, time passes only when nothing is ----

  let flying = 0
  const fetches = window.fetch
  window.fetch = function fetch(...args) {
    flying++
    const answer = fetches.apply(window, args)
    answer.then(() => {}, () => {}).then(() => pause(20)).then(() => flying--)
    return answer
  }
  const sends = XMLHttpRequest.prototype.send
  XMLHttpRequest.prototype.send = function (...args) {
    flying++
    this.addEventListener('loadend', () => pause(20).then(() => flying--), { once: true })
    return sends.apply(this, args)
  }

  // ---- getting ready ----

  const waits = !config.plays || config.live.signals
  async function enter() {
    const began = realNow()
    let rested = 0
    for (let last = {}; ; ) {
      const quiet = document.readyState === 'complete' && !flying && !koda.missing().length
      last = JSON.parse(koda.tick(waits && (quiet || last.ready === true)))
      rested = quiet ? rested + 1 : 0
      if ((last.ready && rested > 0) || (!waits && rested >= 4)) break
      if (realNow() - began > 15000) {
        const missing = last.missing.length ? ': it waits for ' + last.missing.slice(0, 3).join(', ') : last.ready ? '' : ': it never set window.__exportReady = true'
        return mistake('the page was not ready within 15 s' + missing)
      }
      await pause(1)
    }
    if (!config.plays && typeof window.__exportSeekTo !== 'function') return mistake('the page is ready but offers no window.__exportSeekTo')
    await koda.start()
    if (config.plays) koda.player.start()
    entered = true
    send({ type: 'ready' })
    serve()
  }
  let entered = false

  // ---- showing times ----

  const [rate, per] = config.live.fps
  let wanted = null // the time asked for last
  let busy = false
  let latest = 0 // the number of the picture shown last
  let at = -1 // the frame that a page that plays has come to

  async function show({ frame, id, rounds }) {
    const seconds = (frame * per) / rate
    if (!config.plays) return koda.seek(seconds, frame, rounds)
    if (frame < at) return send({ type: 'over', id, frame })
    while (at < frame && (!wanted || wanted.frame >= at)) {
      const waits = await koda.player.step((++at * per) / rate)
      if (waits) return waits
      if (at % 10 === 9 && at < frame) send({ type: 'passing', id, frame: at })
    }
    return ''
  }
  async function serve() {
    if (busy || !entered) return
    busy = true
    while (wanted) {
      const now = wanted
      wanted = null
      try {
        const waits = await show(now)
        if (waits?.startsWith?.('{')) {
          const { fatal, missing } = JSON.parse(waits)
          mistake(fatal ?? `the page did not finish the picture within ${config.settle / 1000} s` + (missing?.length ? ': it waits for ' + missing.slice(0, 3).join(', ') : ''))
        }
      } catch (error) {
        mistake(error?.message ?? error, ...place(error))
      }
      latest = now.id
      send({ type: 'shown', id: now.id, frame: config.plays ? at : now.frame })
    }
    busy = false
    // Two frames later the browser shows what was drawn, unless nobody looks.
    const last = latest
    realFrame(() => realFrame(() => latest === last && send({ type: 'seen', id: last })))
  }
  addEventListener('message', (event) => {
    if (event.source !== outer || event.origin !== config.live.outer) return
    event.stopImmediatePropagation()
    const { type, id, frame, rounds } = event.data
    if (type === 'ping') send({ type: 'pong', id })
    if (type === 'seek') {
      wanted = { id, frame, rounds }
      serve()
    }
  })
  enter().catch((error) => mistake(error?.message ?? error, ...place(error)))
}
