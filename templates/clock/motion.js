// Animations and SMIL.

const roots = new Set() // shadow roots, because document.getAnimations does not see inside them
const attachShadow = Element.prototype.attachShadow
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init)
  roots.add(new WeakRef(root))
  watchStyles(root)
  return root
}

// Animations that koda drives. They are kept because the browser no longer lists an
// animation that is over, but a later seek may go back to it.
const driven = new Set()
const kodas = new WeakMap() // whether koda drives an animation

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
      animation.finish() // its progress depends on what was shown before
      continue
    }
    // The page itself drives animations that follow scrolling, and animations that were
    // paused when koda first saw them.
    if (!kodas.has(animation)) {
      kodas.set(animation, animation.timeline === document.timeline && animation.playState !== 'paused')
    }
    if (animation.timeline && animation.timeline !== document.timeline) noteScrolled(animation)
    if (!kodas.get(animation)) continue
    driven.add(animation)
    if (animation.playState !== 'paused' || animation.pending) hold(animation)
  }
}

// Chromium gives what moves above a scrolled element a layer of its own. While scrolling
// drives the movement, Chromium now and then makes that layer anew, more often on an idle
// machine than on a busy one, and a new layer has harder edges than an old one.
const MOVES = ['transform', 'translate', 'rotate', 'scale', 'offsetDistance']
const scrolled = new WeakSet()
function noteScrolled(animation) {
  late = true
  if (scrolled.has(animation)) return
  scrolled.add(animation)
  const { target } = animation.effect
  if (!target || !animation.effect.getKeyframes().some((keyframe) => MOVES.some((name) => name in keyframe))) return
  const name = target.id ? `<${target.localName} id="${target.id}">` : `a <${target.localName}>`
  tell(`scrolling moves ${name} by an animation: the pixels at its edges may differ from render to render. Move it by a script, or by an animation without animation-timeline, for the same bytes each time`)
}

// hold pauses at once: until a time is set, pausing waits for the next frame.
function hold(animation) {
  animation.pause()
  animation.currentTime = animation.currentTime ?? 0
}

// poseAt shows an animation at a time of the page.
function poseAt(animation, ms) {
  const rate = animation.playbackRate
  const at = rate >= 0 ? ms * rate : animation.effect.getComputedTiming().endTime + ms * rate
  if (Number.isFinite(at) && animation.currentTime !== at) animation.currentTime = at
}

// rest puts everything that moves by itself at time 0, for the drawing before the first
// seek: how far it has come by then depends on the machine. It pauses nothing, because
// only the first seek shows what the page itself drives.
function rest() {
  for (const animation of listAnimations()) {
    if (animation instanceof CSSTransition && !config.plays) animation.finish()
    else if (animation.effect && animation.timeline === document.timeline && animation.playState === 'running') poseAt(animation, 0)
  }
  poseSMIL(() => 0)
}

function poseAnimations(ms) {
  findAnimations()
  for (const animation of driven) {
    const effect = animation.effect
    if (!effect || (effect.target && !effect.target.isConnected)) {
      driven.delete(animation)
      continue
    }
    poseAt(animation, ms)
  }
}

const smil = ['animate', 'animateTransform', 'animateMotion', 'set']
const all = (name) => document.getElementsByTagName(name)

// poseSMIL shows an SVG document at the second that secondsOf gives for it.
function poseSMIL(secondsOf) {
  if (!smil.some((name) => all(name).length)) return
  for (const svg of all('svg')) {
    if (svg.ownerSVGElement) continue
    svg.pauseAnimations()
    svg.setCurrentTime(secondsOf(svg))
  }
}
