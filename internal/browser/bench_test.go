package browser_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// BenchmarkCapture is the time of one frame at 1920×1080.
func BenchmarkCapture(b *testing.B) {
	for _, name := range []string{"dom", "canvas", "webgl"} {
		b.Run(name, func(b *testing.B) {
			opts := options(b, page(fullHD(scenes[name])))
			opts.Page.WebGL = name == "webgl"
			opts.Viewport = koda.Viewport{Width: 1920, Height: 1080, Scale: 1, FPS: koda.FPS{Num: 60, Den: 1}}
			tab := open(b, opts)
			capture(b, tab, 0)
			n := 0
			var bytes int
			for b.Loop() {
				n++
				bytes += len(capture(b, tab, n))
			}
			b.ReportMetric(float64(bytes)/float64(n)/1024, "KiB/frame")
		})
	}
}

// BenchmarkPass is the time of a frame that is passed while a page is brought
// forward, and of the same frame drawn.
func BenchmarkPass(b *testing.B) {
	for name, html := range map[string]string{
		"loop": `<div class="bar" id="bar"></div><script>requestAnimationFrame(function loop(now) { bar.style.width = now * .01 % 320 + 'px'; requestAnimationFrame(loop) })</script>`,
		"css":  growing + `<div class="bar" style="animation: grow 2s linear infinite"></div>`,
		"webgl": `<canvas id="c" width="1920" height="1080"></canvas><script>
			const g = c.getContext('webgl')
			requestAnimationFrame(function loop(now) { g.clearColor(Math.sin(now / 1000), 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT); requestAnimationFrame(loop) })</script>`,
	} {
		for how, step := range map[string]func(*testTab, int) error{
			"passed": func(t *testTab, n int) error { return t.Pass(b.Context(), n) },
			"drawn":  func(t *testTab, n int) error { _, err := t.Capture(b.Context(), n); return err },
		} {
			b.Run(name+"/"+how, func(b *testing.B) {
				opts := options(b, playedPage(html))
				opts.Page.WebGL = name == "webgl"
				opts.Viewport = koda.Viewport{Width: 1920, Height: 1080, Scale: 1, FPS: koda.FPS{Num: 60, Den: 1}}
				opts.Viewport.Raw = opts.Info.Raw(opts.Page, opts.Viewport)
				tab := open(b, opts)
				n := 0
				for b.Loop() {
					if err := step(tab, n); err != nil {
						b.Fatal(err)
					}
					n++
				}
			})
		}
	}
}

// BenchmarkOpen is the time from nothing to a page that is ready.
func BenchmarkOpen(b *testing.B) {
	opts := options(b, page(scenes["dom"]))
	for b.Loop() {
		if err := open(b, opts).Close(); err != nil {
			b.Fatal(err)
		}
	}
}
