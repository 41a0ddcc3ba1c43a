// Package browser captures the frames of a page: it launches Chromium, loads a page,
// shows the page at exact times and takes its picture.
//
// It owns everything between a koda.Page and the picture of frame n: the browser process
// (one for each tab, always ended), the pipe to the browser, the clock that makes a page
// a function of time (clock.go), the answers to every request of the page, and the words
// for what a page can do wrong. It refuses a network: a request for anything but the
// page's own files is turned away and named.
//
// A page that plays is not told the time. It is brought forward frame by frame, drawn or
// not (play.go), by templates/clock/play.js and by the browser's own animations, whose clock koda
// sets. In a browser that draws whenever it likes, koda poses these animations by their
// age instead: the page sees them paused, or finished when they are over.
//
// Invariants:
//
//   - The frames that a fresh tab captures depend on the page, the viewport, the capture
//     info and the sequence of frames, and on nothing else. The sequence matters because
//     Chromium keeps raster history, but little of the history is left: MEASUREMENTS.md
//     says which frames may differ from those of a fresh page in a few pixels. The
//     sequence begins with what the page shows before the first seek, which Open draws.
//   - A browser whose processes together hold more memory than Options.Memory is ended,
//     and the error names the bound.
//   - No call hangs: each call has a bound, and its error says what it waited for. A page
//     has 15 s to become ready, and 30 s on a machine too slow to give the page a hundred
//     turns in 15 s. A frame has 60 s. A page that needs more is given up for good: in
//     another browser it would need as much. If no process of a browser wants the CPU for
//     9 s, the browser has hung, and another browser may not hang.
//   - A frame of a page that asks for animation frames is steady: another round of its
//     callbacks would draw the same picture. steady.go says which frames are compared. A
//     page that is never steady is named.
//   - Mishaps tells what the page throws and nobody catches, with its line. Mishaps also
//     tells what no video can show: dialogs, downloads, and what plays by its own clock
//     in workers and in frames of other origins. Koda waits for none of these.
//   - No process outlives its tab. When koda dies the pipe ends, and the browser ends
//     with the pipe.
//
// If the browser is a headless shell, frames are drawn by
// HeadlessExperimental.beginFrame: koda then decides when a frame is drawn, and one call
// lays out, paints and composites the frame. Koda reads the picture as raw pixels out of
// the bitmap of the compositor, in the memory of the browser's graphics process
// (framebuffer.go). If the system forbids this reading, or the caller wants a PNG or
// alpha, the same call takes a screenshot, which costs several times as much. Other
// browsers are asked for screenshots. Probe finds out which way works. Raw pixels and PNG
// show the same, because each frame is composited whole; each tab checks this at its
// start and its end. MEASUREMENTS.md tells what else was tried, and what each way costs.
//
// Videos and sounds do not come from the browser's players, which show whatever the
// machine has time for. Options.Film decodes them, picture by picture, and templates/clock/media.js
// answers for the elements, so that each frame shows the picture of its time. Animated
// images come from the browser, by the compositor's clock: they start at time 0 and move
// in frames without length (images.go).
//
// Chromium's own sandbox protects the machine from a page that breaks the browser. Only
// the browser finds out whether its sandbox works, so Probe tries it. If the sandbox does
// not work, there are three cases. Root has no sandbox, because Chromium refuses: whoever
// lets root draw trusts the page, or a container around koda. A container seldom lets
// programs make user namespaces, but the container itself is the wall, so work in it,
// such as continuous integration, goes on. Elsewhere nothing else protects the machine,
// so koda refuses to draw until the person says "off". With "on", koda draws nowhere
// without the sandbox. The answer names what protects the machine, and why. The sandbox
// changes no byte of a picture.
//
// Koda uses chromedp for its pipe, its typed commands and its bookkeeping of replies. It
// does not use chromedp's tabs: they mirror the page's DOM over the pipe, which would
// cost time on every frame.
package browser
