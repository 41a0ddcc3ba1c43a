package browser_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// playedPage is a page that plays by itself: it offers no seek.
func playedPage(html string, files ...string) koda.Page {
	p := page(`<!doctype html><style>body { margin: 0; background: #fff } .bar { position: absolute; left: 0; top: 0; width: 320px; height: 20px; background: #06c; transform-origin: 0 0 }</style>`+html, files...)
	p.Plays = true
	return p
}

// growing is a bar that grows to the full width within two seconds.
const growing = `<style>@keyframes grow { from { transform: scaleX(0) } to { transform: scaleX(1) } }</style>`

// playedPages are pages that move a bar in different ways. Bar is the width of the
// bar in a frame, in pixels of 320, at 30 frames a second.
var playedPages = map[string]struct {
	page koda.Page
	bar  func(frame int) float64
}{
	"a loop with the time between frames": {
		playedPage(`<div class="bar" id="bar"></div><script>
			let width = 0, last = performance.now()
			function loop(now) { width += (now - last) * 0.16; last = now; bar.style.width = width + 'px'; requestAnimationFrame(loop) }
			bar.style.width = 0; requestAnimationFrame(loop)</script>`),
		func(n int) float64 { return 320 * float64(n) / 60 },
	},
	"a count of animation frames": {
		playedPage(`<div class="bar" id="bar"></div><script>
			let n = 0
			requestAnimationFrame(function loop() { bar.style.width = 5 * n++ + 'px'; requestAnimationFrame(loop) })</script>`),
		func(n int) float64 { return float64(5 * n) },
	},
	"an interval": {
		playedPage(`<div class="bar" id="bar"></div><script>
			let n = 0; bar.style.width = 0
			setInterval(() => { bar.style.width = 16 * ++n + 'px' }, 100)</script>`),
		func(n int) float64 { return float64(16 * (n / 3)) },
	},
	"sleeps one after the other": {
		playedPage(`<div class="bar" id="bar"></div><script>
			const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
			bar.style.width = 0;
			(async () => { for (let n = 1; ; n++) { await sleep(10); await null; await sleep(40); bar.style.width = 8 * n + 'px' } })()</script>`),
		func(n int) float64 { return float64(8 * (n * 1000 / 30 / 50)) },
	},
	"the time read": {
		playedPage(`<canvas id="c" width="320" height="20" style="position:absolute;left:0;top:0"></canvas><script>
			const g = c.getContext('2d'), began = Date.now()
			setInterval(() => { g.fillStyle = '#06c'; g.fillRect(0, 0, Math.round((Date.now() - began) * 0.16), 20) }, 1000 / 30)</script>`),
		nil,
	},
	"a CSS animation": {
		playedPage(growing + `<div class="bar" style="animation: grow 2s linear"></div>`),
		func(n int) float64 { return 320 * float64(n) / 60 },
	},
	"steps of a CSS animation": {
		playedPage(growing + `<div class="bar" style="animation: grow 1s steps(10) both"></div>`),
		func(n int) float64 { return float64(32 * (n / 3)) },
	},
	"a CSS animation a timer begins, in steps": {
		playedPage(growing + `<div class="bar" id="bar" style="transform: scaleX(0)"></div><script>
			setTimeout(() => { bar.style.animation = 'grow 1s steps(10) both' }, 500)</script>`),
		func(n int) float64 { return float64(32 * (max(0, n-15) / 3)) },
	},
	"a transition": {
		playedPage(`<style>#bar { width: 0; transition: width 1s linear } #bar.on { width: 320px }</style><div class="bar" id="bar"></div><script>
			setTimeout(() => bar.classList.add('on'), 1000)</script>`),
		func(n int) float64 { return 320 * float64(max(0, n-30)) / 30 },
	},
	"a transition that the load event begins": {
		playedPage(`<style>#bar { width: 0; transition: width 1s linear } #bar.on { width: 320px }</style><div class="bar" id="bar"></div><script>
			addEventListener('load', () => bar.classList.add('on'))</script>`),
		func(n int) float64 { return min(320, 320*float64(n)/30) },
	},
	"a loop that takes 0 for no time": {
		playedPage(`<div class="bar" id="bar"></div><script>
			let start
			function loop(now) { if (!start) start = now; bar.style.width = (now - start) * 0.16 + 'px'; requestAnimationFrame(loop) }
			requestAnimationFrame(loop)</script>`),
		func(n int) float64 { return 320 * float64(n) / 60 },
	},
	"a task that is put off": {
		playedPage(`<div class="bar" id="bar"></div><script>
			bar.style.width = 0
			scheduler.postTask(() => { bar.style.width = '160px' }, { delay: 500 })</script>`),
		func(n int) float64 { return map[bool]float64{true: 160}[n >= 15] },
	},
	"the clock of an audio context": {
		playedPage(`<div class="bar" id="bar"></div><script>
			const sound = new AudioContext()
			requestAnimationFrame(function loop() { bar.style.width = sound.currentTime * 160 + 'px'; requestAnimationFrame(loop) })</script>`),
		func(n int) float64 { return 320 * float64(n) / 60 },
	},
	"what follows a transition": {
		playedPage(`<style>#bar { width: 0; transition: width .5s linear } #bar.on { width: 160px } #bar.more { width: 320px }</style><div class="bar" id="bar"></div><script>
			bar.ontransitionend = () => bar.classList.add('more')
			setTimeout(() => bar.classList.add('on'), 500)</script>`),
		nil,
	},
	"a Web Animation begun late": {
		playedPage(`<div class="bar" id="bar" style="width: 0"></div><script>
			setTimeout(async () => {
				const a = bar.animate([{ width: '0' }, { width: '160px' }], { duration: 500, fill: 'forwards' })
				a.startTime = document.timeline.currentTime
				await a.finished
				bar.animate([{ width: '160px' }, { width: '320px' }], { duration: 500, fill: 'forwards' })
			}, 500)</script>`),
		nil,
	},
	"SMIL": {
		playedPage(`<svg width="320" height="20" style="position:absolute;left:0;top:0"><rect width="0" height="20" fill="#06c"><animate attributeName="width" from="0" to="320" begin="1s" dur="1s" fill="freeze"/></rect></svg>`),
		func(n int) float64 { return 320 * float64(max(0, n-30)) / 30 },
	},
	"SMIL that comes late": {
		playedPage(`<div id="at"></div><script>setTimeout(() => { at.innerHTML = '<svg width="320" height="20" style="position:absolute;left:0;top:0"><rect width="0" height="20" fill="#06c"><animate attributeName="width" from="0" to="320" dur="1s" fill="freeze"/></rect></svg>' }, 1000)</script>`),
		func(n int) float64 { return 320 * float64(max(0, n-30)) / 30 },
	},
	"what an observer reveals": {
		playedPage(`<style>#far { position: absolute; left: 0; top: 400px; width: 10px; height: 10px } #bar { width: 0; transition: width .5s linear } #bar.on { width: 320px }</style>
			<div class="bar" id="bar"></div><div id="far"></div><script>
			new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) bar.classList.add('on') }).observe(far)
			setTimeout(() => { far.style.top = '100px' }, 1000)</script>`),
		nil,
	},
	"random steps": {
		playedPage(`<div class="bar" id="bar"></div><script>
			let width = 160
			requestAnimationFrame(function loop() { width += 20 * (Math.random() - .5); bar.style.width = width + 'px'; requestAnimationFrame(loop) })</script>`),
		nil,
	},
	"a page within": {
		playedPage(`<iframe src="/in.html" style="position:absolute;left:0;top:0;border:0;width:320px;height:20px"></iframe>`, "/in.html",
			`<!doctype html><style>body { margin: 0 } #bar { width: 0; height: 20px; background: #06c }</style><div id="bar"></div><script>
			const began = performance.now()
			requestAnimationFrame(function loop(now) { bar.style.width = (now - began) * .16 + 'px'; requestAnimationFrame(loop) })</script>`),
		func(n int) float64 { return 320 * float64(n) / 60 },
	},
	"files it loads on the way": {
		playedPage(`<div class="bar" id="bar" style="width: 0"></div><script>
			setTimeout(async () => {
				const n = Number((await (await fetch('/data.css')).text()).trim())
				setTimeout(() => { bar.style.width = n + 'px' }, 100)
			}, 500)</script>`, "/data.css", "200"),
		func(n int) float64 { return map[bool]float64{true: 200}[n >= 18] },
	},
	"when it says that it is ready": {
		func() koda.Page {
			p := playedPage(growing + `<div class="bar" id="bar"></div><script>
				let began
				setTimeout(() => { began = performance.now(); window.__exportReady = true }, 700)
				requestAnimationFrame(function loop(now) { bar.style.width = (began ? Math.round((now - began) * .16) : 0) + 'px'; requestAnimationFrame(loop) })</script>`)
			p.Signals = true
			return p
		}(),
		nil,
	},
}

// barWidth is the number of blue pixels at the beginning of a picture's tenth row.
func barWidth(p image.Image) float64 {
	width := 0.0
	for x := range 320 {
		r := color.RGBAModel.Convert(p.At(x, 10)).(color.RGBA).R
		width += float64(255-int(r)) / 255
	}
	return width
}

// A page that plays by itself shows the same picture at a time whether it was drawn
// from the start or brought forward undrawn.
func TestPlay(t *testing.T) {
	t.Parallel()
	const last = 45
	at := []int{25, 26, 38, 44, 45}
	for _, name := range needs.SomeOf(playedPages) {
		c := playedPages[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			through, straight := open(t, options(t, c.page)), map[int]image.Image{}
			for n := range last + 1 {
				p := decode(t, capture(t, through, n))
				straight[n] = p
				if got := barWidth(p); c.bar != nil && math.Abs(got-min(c.bar(n), 320)) > 1.01 {
					t.Errorf("frame %d: the bar is %.1f wide, not %.1f", n, got, c.bar(n))
				}
			}
			if err := through.Close(); err != nil {
				t.Fatal(err)
			}
			if barWidth(straight[0]) == barWidth(straight[last]) {
				t.Errorf("nothing moves: the bar is %v wide", barWidth(straight[0]))
			}
			forward := open(t, options(t, c.page))
			for i, n := range at {
				if i == 2 { // also one by one
					if err := forward.Pass(t.Context(), 30); err != nil {
						t.Fatal(err)
					}
				}
				// Edges of shapes keep a little of the frame drawn before.
				if got, want := barWidth(decode(t, capture(t, forward, n))), barWidth(straight[n]); math.Abs(got-want) > 0.1 {
					t.Errorf("frame %d: brought forward the bar is %.2f wide, drawn from the start %.2f", n, got, want)
				}
			}
		})
	}
}
