// Media by koda's clock.
//
// The page's policy keeps the browser's own players from loading anything. This file
// answers what <video> and <audio> say about themselves. Koda decodes the files, and the
// clock gives the time. A video shows the picture of its time as its poster, so that
// layout, fit and filters hold; canvases that draw the video get the same picture.
//
// From ready on, a medium that plays stands at the time of the page. If the page sets the
// medium's time, the medium goes on from there. The same holds when a page that plays by
// itself starts the medium.
const media = (() => {
  const [NOTHING, METADATA, ENOUGH] = [0, 1, 4] // of readyState
  const [EMPTY, IDLE, LOADING, NO_SOURCE] = [0, 1, 2, 3] // of networkState
  // Events of the browser's own players, which play nothing here.
  const NATIVE = (
    'abort canplay canplaythrough durationchange emptied ended error loadeddata loadedmetadata loadstart pause play ' +
    'playing progress ratechange seeked seeking stalled suspend timeupdate waiting resize encrypted'
  ).split(' ')
  const KINDS = /^\s*(video|audio)\/(mp4|webm|ogg|quicktime|x-m4v|mpeg|mp3|x-m4a|aac|wav|x-wav|wave|flac|x-flac)\s*(;.*)?$/i

  const RealImage = Image
  const realFetch = fetch.bind(window)
  const Media = HTMLMediaElement.prototype
  const Video = HTMLVideoElement.prototype
  const { getAttribute, setAttribute, removeAttribute } = Element.prototype
  const listen = EventTarget.prototype.addEventListener
  const native = (proto, name) => Object.getOwnPropertyDescriptor(proto, name)
  const nativeSrc = native(Media, 'src')
  const nativeStream = native(Media, 'srcObject')
  const nativePoster = native(Video, 'poster')

  const states = new WeakMap()
  const known = new Set() // weak references to the elements with state
  const films = new Map() // promises, by address
  let fresh = false // a picture came since the page was last told

  function silence(event) {
    const el = event.target
    if (event.isTrusted && (el instanceof HTMLMediaElement || el instanceof HTMLSourceElement)) event.stopImmediatePropagation()
  }
  for (const type of NATIVE) listen.call(window, type, silence, true)

  // ---- the state of an element ----

  function of(el) {
    let s = states.get(el)
    if (!s) {
      drawVideos()
      s = { el, run: 0, key: null, paused: true, rate: 1, usual: 1, plays: [], tasks: [], frames: new Map(), lastID: 0, poster: getAttribute.call(el, 'poster') }
      Object.assign(s, unloaded())
      states.set(el, s)
      known.add(new WeakRef(el))
      for (const type of NATIVE) listen.call(el, type, silence, true)
    }
    check(s)
    return s
  }

  // unloaded is what an element knows before its file is there.
  function unloaded() {
    return {
      film: null, ready: NOTHING, network: EMPTY, error: null, current: '', base: 0, anchor: 0, placed: false,
      seeking: false, told: false, covered: true, began: true, wanted: -1, shown: -1, image: null, count: 0, last: -1,
    }
  }

  function each(f) {
    for (const ref of known) {
      const el = ref.deref()
      if (el) f(states.get(el))
      else known.delete(ref)
    }
  }

  // post runs a task after the present code, in order.
  function post(s, task) {
    s.tasks.push(task)
    Promise.resolve().then(() => s.tasks.shift()?.())
  }

  function fire(s, ...types) {
    const run = s.run
    for (const type of types) post(s, () => run === s.run && s.el.dispatchEvent(new Event(type)))
  }

  // ---- loading ----

  function candidates(el) {
    if (getAttribute.call(el, 'src') !== null) return [{ url: nativeSrc.get.call(el), from: el }]
    return [...el.children]
      .filter((child) => child.localName === 'source' && child.getAttribute('src') && (!child.type || KINDS.test(child.type)))
      .map((from) => ({ url: from.src, from }))
  }

  function keyOf(el) {
    const own = getAttribute.call(el, 'src')
    if (own !== null) return 'src ' + own
    return candidates(el).length ? 'sources' : null
  }

  // check begins to load the file that an element names, if the name is new.
  function check(s) {
    const own = getAttribute.call(s.el, 'src')
    if (own === null && s.key === 'sources') return // the element keeps its sources until it is told to load
    const key = keyOf(s.el)
    if (key !== s.key) load(s, key)
  }

  async function load(s, key) {
    const run = ++s.run
    s.key = key
    if (s.network !== EMPTY) {
      s.tasks.length = 0
      s.el.dispatchEvent(new Event('emptied'))
    }
    Object.assign(s, unloaded())
    cover(s)
    const list = candidates(s.el)
    if (!list.length || !list[0].url) return
    s.network = IDLE
    if (s.el.preload === 'none' && !s.el.autoplay && s.paused && !s.urged) return
    s.network = LOADING
    fire(s, 'loadstart')
    for (const { url, from } of list) {
      s.current = url
      const film = await ask(url)
      if (run !== s.run) return
      if (film) return opened(s, film)
      if (from !== s.el) from.dispatchEvent(new Event('error'))
    }
    s.network = NO_SOURCE
    s.error = Object.create(MediaError.prototype, { code: { value: 4 }, message: { value: 'koda cannot play it' } })
    if (list[0].from === s.el) fire(s, 'error')
    for (const { reject } of s.plays.splice(0)) reject(new DOMException('koda cannot play it', 'NotSupportedError'))
  }

  // urge loads files whose loading was put off.
  function urge(s) {
    if (s.urged || s.network !== IDLE || s.film) return
    s.urged = true
    const { base, placed } = s
    load(s, s.key)
    Object.assign(s, { base, placed })
  }

  // ask resolves with what koda says about a file; null if the file cannot be played.
  function ask(url) {
    if (!films.has(url)) films.set(url, inquire(url).catch(() => null))
    return films.get(url)
  }

  async function inquire(url) {
    let answer
    if (/^(blob|data):/.test(url)) {
      const file = await realFetch(url)
      answer = await realFetch(config.films, { method: 'POST', body: await file.arrayBuffer() })
    } else {
      answer = await realFetch(config.films + '?' + encodeURIComponent(url))
    }
    return answer.ok ? answer.json() : null
  }

  function opened(s, film) {
    s.film = film
    s.ready = METADATA
    if (!film.times) film.times = []
    fire(s, 'durationchange', 'loadedmetadata')
    if (film.times.length) fire(s, 'resize')
    update(s)
  }

  // enough ends the loading: the picture of the time is there.
  function enough(s) {
    s.ready = ENOUGH
    s.network = IDLE
    fire(s, 'loadeddata', 'canplay', 'canplaythrough', 'suspend')
    if (!s.paused) fire(s, 'playing')
    else if (s.el.autoplay && s.began) play(s)
    for (const { resolve } of s.plays.splice(0)) post(s, resolve)
  }

  // ---- time ----

  const runs = () => started || lag !== null
  const time = () => (runs() ? now - origin : 0)
  const lasts = (s) => (s.film ? s.film.duration || Infinity : NaN)

  function position(s) {
    if (s.paused) return s.base
    const at = s.base + ((time() - s.anchor) / 1000) * s.rate
    const end = lasts(s)
    if (!(end < Infinity)) return Math.max(at, 0)
    if (!s.el.loop) return Math.min(Math.max(at, 0), end)
    const round = ((at % end) + end) % end
    return end - round < 1e-6 ? 0 : round
  }

  const over = (s) => !s.el.loop && s.ready > NOTHING && position(s) >= lasts(s) - 1e-9
  const ended = (s) => over(s) && (!s.paused || s.told)

  // place puts an element at a time at once.
  function place(s, at) {
    s.base = at
    s.anchor = time()
  }

  function play(s) {
    if (!s.paused && !ended(s)) return
    const again = over(s)
    s.paused = s.told = false
    if (again) place(s, 0)
    else s.anchor = config.plays || s.placed ? time() : 0
    s.covered = false
    fire(s, 'play')
    if (s.ready === ENOUGH) fire(s, 'playing')
    show(s)
  }

  function seek(s, at) {
    s.covered = false
    if (!s.film) {
      place(s, Math.max(at, 0))
      s.placed = runs()
      return urge(s)
    }
    place(s, Math.min(Math.max(at, 0), lasts(s)))
    s.placed = runs()
    s.told = false
    if (s.seeking !== true) fire(s, 'seeking')
    s.seeking = true
    show(s)
    update(s)
  }

  // ---- pictures ----

  function pictureAt(film, at) {
    let low = 0
    let high = film.times.length
    while (low < high) {
      const mid = (low + high) >> 1
      if (film.times[mid] <= at + film.slack) low = mid + 1
      else high = mid
    }
    return Math.max(low - 1, 0)
  }

  // update gets the picture of the present time.
  function update(s) {
    if (!s.film) return
    if (!s.film.times.length) return arrived(s)
    const index = pictureAt(s.film, position(s))
    if (index === s.wanted) {
      if (index === s.shown) arrived(s)
      return
    }
    const run = s.run
    s.wanted = index
    const image = new RealImage()
    const done = (ok) => {
      if (run !== s.run || s.wanted !== index) return
      s.shown = index
      if (ok) {
        s.image = image
        s.count++
        s.frameIsNew = fresh = true
        show(s)
      }
      arrived(s)
    }
    image.onload = () => done(true)
    image.onerror = () => done(false) // koda says why; the picture before stays
    image.src = config.films + '/' + s.film.id + '/' + index + '.bmp'
  }

  // arrived runs what waited for a picture.
  function arrived(s) {
    if (s.ready !== ENOUGH) enough(s)
    if (!s.seeking || s.seeking === 'ending') return
    s.seeking = 'ending'
    post(s, () => (s.seeking = false))
    fire(s, 'timeupdate', 'seeked')
  }

  // show makes an element look like its picture. Until the element plays or is sought, it
  // looks like its poster.
  function show(s) {
    if (!s.image || !(s.el instanceof HTMLVideoElement) || (s.covered && s.poster)) return
    if (getAttribute.call(s.el, 'poster') !== s.image.src) setAttribute.call(s.el, 'poster', s.image.src)
  }

  function cover(s) {
    if (!(s.el instanceof HTMLVideoElement) || getAttribute.call(s.el, 'poster') === s.poster) return
    if (s.poster === null) removeAttribute.call(s.el, 'poster')
    else setAttribute.call(s.el, 'poster', s.poster)
  }

  // ---- what pages call on an element ----

  function define(proto, name, get, set) {
    const was = native(proto, name)
    Object.defineProperty(proto, name, {
      ...was,
      get() {
        return get(of(this))
      },
      ...(set && {
        set(value) {
          set(of(this), value)
        },
      }),
    })
  }

  function method(proto, name, f) {
    proto[name] = {
      [name](...args) {
        return f(of(this), ...args)
      },
    }[name]
  }

  const ranges = (...list) =>
    Object.create(TimeRanges.prototype, {
      length: { value: list.length },
      start: { value: (i) => list[i][0] },
      end: { value: (i) => list[i][1] },
    })
  const whole = (s) => (s.film ? ranges([0, lasts(s)]) : ranges())
  const finite = (value) => {
    if (!Number.isFinite(Number(value))) throw new TypeError('The provided double value is non-finite.')
    return Number(value)
  }

  define(Media, 'currentTime', position, (s, at) => seek(s, finite(at)))
  define(Media, 'duration', lasts)
  define(Media, 'paused', (s) => s.paused || ended(s))
  define(Media, 'ended', ended)
  define(Media, 'seeking', (s) => !!s.seeking)
  define(Media, 'readyState', (s) => s.ready)
  define(Media, 'networkState', (s) => s.network)
  define(Media, 'currentSrc', (s) => s.current)
  define(Media, 'error', (s) => s.error)
  define(Media, 'buffered', whole)
  define(Media, 'seekable', whole)
  define(Media, 'played', (s) => (position(s) > 0 ? ranges([0, position(s)]) : ranges()))
  define(Media, 'defaultPlaybackRate', (s) => s.usual, (s, rate) => (s.usual = finite(rate)))
  define(Media, 'playbackRate', (s) => s.rate, (s, rate) => {
    const at = position(s)
    s.rate = finite(rate)
    if (runs()) place(s, at)
    fire(s, 'ratechange')
  })
  define(Media, 'src', (s) => nativeSrc.get.call(s.el), (s, url) => {
    nativeSrc.set.call(s.el, url)
    load(s, keyOf(s.el))
  })
  define(Media, 'srcObject', (s) => nativeStream.get.call(s.el), (s, stream) => {
    if (stream instanceof Blob) return (s.el.src = URL.createObjectURL(stream))
    if (stream) tell('a <video> shows a stream, which runs by the real clock: its pictures are not the same each time')
    nativeStream.set.call(s.el, stream)
  })
  define(Video, 'videoWidth', (s) => s.film?.width ?? 0)
  define(Video, 'videoHeight', (s) => s.film?.height ?? 0)
  define(Video, 'poster', (s) => (s.poster === null ? '' : new URL(s.poster, document.baseURI).href), (s, url) => {
    s.poster = String(url)
    if (s.covered || !s.image) nativePoster.set.call(s.el, url)
  })

  method(Media, 'load', (s) => {
    s.urged = false
    s.paused = true
    load(s, keyOf(s.el))
  })
  method(Media, 'play', (s) => {
    if (s.error) return Promise.reject(new DOMException('koda cannot play it', 'NotSupportedError'))
    play(s)
    urge(s)
    if (s.ready === ENOUGH) return Promise.resolve()
    return new Promise((resolve, reject) => s.plays.push({ resolve, reject }))
  })
  method(Media, 'pause', (s) => {
    s.began = false
    if (s.paused) return
    s.base = position(s)
    s.paused = true
    fire(s, 'timeupdate', 'pause')
    for (const { reject } of s.plays.splice(0)) reject(new DOMException('The play() request was interrupted by a call to pause().', 'AbortError'))
  })
  method(Media, 'fastSeek', (s, at) => seek(s, finite(at)))
  method(Media, 'canPlayType', (s, type) => (!KINDS.test(type) ? '' : /codecs/.test(type) ? 'probably' : 'maybe'))
  method(Media, 'captureStream', () => {
    tell('the page records a <video> by captureStream, which koda cannot do')
    throw new DOMException('koda has no streams', 'NotSupportedError')
  })
  method(Video, 'requestVideoFrameCallback', (s, callback) => {
    s.frames.set(++s.lastID, callback)
    return s.lastID
  })
  method(Video, 'cancelVideoFrameCallback', (s, id) => void s.frames.delete(id))
  method(Video, 'getVideoPlaybackQuality', (s) => ({ creationTime: now, totalVideoFrames: s.count, droppedVideoFrames: 0, corruptedVideoFrames: 0 }))
  method(Video, 'requestPictureInPicture', () => Promise.reject(new DOMException('koda has one picture', 'NotSupportedError')))

  // Interfaces that run by the real clock, or that do not exist here.
  const streams = navigator.mediaDevices && Object.getPrototypeOf(navigator.mediaDevices)
  for (const name of ['getUserMedia', 'getDisplayMedia']) {
    if (!streams?.[name]) continue
    streams[name] = function () {
      tell(`the page asks for a camera, a microphone or a screen by ${name}: there is none`)
      return Promise.reject(new DOMException('there is none', 'NotFoundError'))
    }
  }
  if (navigator.requestMediaKeySystemAccess) {
    Navigator.prototype.requestMediaKeySystemAccess = function (system) {
      tell(`the page plays protected media (${system}), which koda cannot`)
      return Promise.reject(new DOMException('koda has no keys', 'NotSupportedError'))
    }
  }
  const objectURL = URL.createObjectURL
  URL.createObjectURL = function createObjectURL(what) {
    if (window.MediaSource && what instanceof MediaSource) tell('the page feeds a <video> by MediaSource, which koda cannot show: give it the file')
    return objectURL.call(URL, what)
  }

  // picture is what canvases draw of a video; null while there is no picture.
  function picture(el) {
    const s = of(el)
    return s.ready === ENOUGH || s.seeking ? s.image : null
  }

  // ---- what the clock calls ----

  function scan() {
    for (const name of ['video', 'audio']) for (const el of document.getElementsByTagName(name)) of(el)
    for (const ref of roots) for (const el of ref.deref()?.querySelectorAll('video, audio') ?? []) of(el)
  }

  return {
    picture,
    timeOf: (el) => {
      const s = of(el)
      return s.film?.times[s.shown] ?? 0
    },
    // pose puts each element at the time of the page.
    pose() {
      scan()
      each((s) => {
        check(s)
        if (s.connected && !s.el.isConnected && !s.paused) s.el.pause()
        s.connected = s.el.isConnected
        update(s)
        if (s.paused || s.ready !== ENOUGH) return
        const at = position(s)
        if (at !== s.last) fire(s, 'timeupdate')
        s.last = at
        const done = over(s)
        if (done && !s.told) fire(s, 'pause', 'ended')
        s.told = done
      })
    },
    // missing lists what has not arrived yet.
    missing() {
      const list = []
      each((s) => {
        if (s.network === LOADING || s.wanted !== s.shown || s.seeking) list.push('video ' + s.current)
      })
      return list
    },
    // animate calls the callbacks that wait for new pictures.
    animate() {
      fresh = false
      each((s) => {
        if (!s.frameIsNew) return
        s.frameIsNew = false
        const callbacks = s.frames
        s.frames = new Map()
        const frame = {
          presentationTime: now, expectedDisplayTime: now, width: s.film.width, height: s.film.height,
          mediaTime: s.film.times[s.shown], presentedFrames: s.count, processingDuration: 0,
        }
        for (const callback of callbacks.values()) run(callback, [now, frame])
      })
    },
    // fresh reports whether a picture came since the last animate.
    fresh: () => fresh,
  }
})()
