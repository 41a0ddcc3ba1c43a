// Package browser captures the frames of a page: it launches Chromium, loads a
// page, shows it at exact times and takes its picture.
//
// It owns everything between a koda.Page and the PNG of frame n: the browser
// process (one for each tab, ended with certainty), the pipe it is spoken to
// over, the clock that makes a page a function of time (clock.go), the answers
// to every request the page makes, and the words for what a page can do wrong.
// It refuses a network: a request for anything but the page's own files is
// turned away and named.
//
// A page that plays is told no time: it is brought forward a frame at a time, drawn
// or not (play.go), by clock/play.js and by the browser's own animations, whose clock
// koda sets. Browsers that draw when they like have these posed by their age instead:
// their pages see them paused, and finished when they are over.
//
// Invariants:
//
//   - The frames captured by a fresh tab depend on the page, the viewport, the
//     capture info and the sequence of frames asked for, and on nothing else.
//     Chromium keeps raster history, so the sequence matters, though little is
//     left of it: MEASUREMENTS.md says which frames may differ in a few pixels
//     from those of a fresh page. It begins with what the page shows before the
//     first seek, which Open draws.
//   - A browser whose processes hold more memory than Options.Memory, all of them
//     together, is ended, and the error names the bound.
//   - No call hangs: each is bounded, and its error says what it waited for. A
//     page has 15 s to become ready, and 30 s on a machine too slow to give it a
//     hundred turns in them; a frame has 60 s, in which a slow machine is at work
//     for all of them. A page that needs more is given up as it is: drawn in
//     another browser it would need as much. A browser of which no process wants
//     the CPU for 9 s has hung, which another need not.
//   - A frame of a page that asks for animation frames is steady: another round of
//     its callbacks would draw the same. Which frames are compared is in steady.go,
//     and a page that is never steady is named.
//   - What a page throws and nobody catches is told by Mishaps, with its line, and
//     so is what no video can show: dialogs, downloads, what plays by a clock of its
//     own in workers and in frames of other origins. None of it is waited for.
//   - No process outlives its tab. When koda dies the pipe ends, and with it
//     the browser.
//
// Frames are drawn by HeadlessExperimental.beginFrame where the browser is a
// headless shell: koda then decides when a frame is drawn, and one call lays
// out, paints and composites it. Its picture is read as raw pixels out of the
// bitmap the compositor draws into, in the memory of the browser's graphics
// process (framebuffer.go); where the system forbids that, or the caller wants
// a PNG or alpha, the same call takes a screenshot, at several times the price.
// Other browsers are asked for screenshots. Probe finds out which. Raw pixels and
// PNG show the same, as each frame is composited whole; each tab makes sure of it
// at its start and end. MEASUREMENTS.md holds what else was tried, and the prices.
//
// Videos and sounds are not the browser's: its players show what a machine has
// time for. Options.Film decodes them, picture by picture, and clock/media.js
// answers for the elements, so that a frame shows the picture whose time it is.
// Animated images are the browser's, by the compositor's clock: they start at time
// 0 and move in frames without length (images.go).
//
// Chromium's own sandbox stands between a page that breaks the browser and this
// machine. Whether it can be had only the browser finds out, so Probe tries it.
// Where it cannot, three things are kept apart. Root has none: Chromium refuses,
// and who lets root draw trusts the page, or a container around koda. In a
// container, which seldom lets programs make user namespaces, the container is
// the wall, and work in it, as of continuous integration, is not held up by a
// second one. Elsewhere nothing else protects the machine, so koda refuses
// rather than drop the wall in silence, until the person says "off". "on" draws
// nowhere without it. The answer names what holds and why; it is in no byte of a
// picture.
//
// chromedp is used for its pipe, its typed commands and its bookkeeping of
// replies, not for its tabs: those mirror the page's DOM over the pipe, which
// would cost time on every frame.
package browser
