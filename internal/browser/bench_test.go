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
				bytes += len(capture(b, tab, n).PNG)
			}
			b.ReportMetric(float64(bytes)/float64(n)/1024, "KiB/frame")
		})
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
