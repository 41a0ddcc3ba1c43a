package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/preset"
)

// BenchmarkRender measures whole videos of the 5 s ball, drawn by the real browser:
// the preview, and the final by number of workers.
func BenchmarkRender(b *testing.B) {
	needs.Chromium(b)
	files := os.DirFS(ballDir)
	cfg := realConfig(b.TempDir(), b.TempDir())
	r := cfg.renderer()
	_, m, err := serve(b.Context(), files)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := cfg.Probe(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		preset  string
		workers []int
	}{{preset.Preview, []int{1}}, {preset.Final, []int{1, 2, 3}}} {
		for _, workers := range c.workers {
			b.Run(fmt.Sprintf("%s/workers=%d", c.preset, workers), func(b *testing.B) {
				p, err := preset.Lookup(c.preset)
				if err != nil {
					b.Fatal(err)
				}
				spec, err := preset.Spec(m, p, preset.Overrides{})
				if err != nil {
					b.Fatal(err)
				}
				spec.Output = filepath.Join(b.TempDir(), "video.mp4")
				spec.NoCache, spec.Workers = true, workers
				var res koda.RenderResult
				for b.Loop() {
					if res, err = r.Render(b.Context(), files, spec, nil); err != nil {
						b.Fatal(err, koda.DetailsOf(err))
					}
				}
				b.ReportMetric(float64(b.N*res.Frames)/b.Elapsed().Seconds(), "frames/s")
				b.ReportMetric(float64(res.Size), "bytes")
			})
		}
	}
}
