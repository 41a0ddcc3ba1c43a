package cli_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestBench(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"", page(t)} {
		f := newFace(t)
		f.deps.Bench = func(_ context.Context, _ string, _ func(koda.BuildStep), files fs.FS) (koda.Bench, error) {
			if (files == nil) != (target == "") {
				t.Errorf("%q: files %v", target, files)
			}
			return koda.Bench{
				Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}, Frames: 48, Method: "beginframe", GL: "none",
				Stages: []koda.BenchStage{{Name: "start", MS: 450}, {Name: "capture", MS: 480, PerFrame: 10}},
				Render: koda.BenchStage{Name: "render", MS: 960, PerFrame: 20}, Limits: []koda.BenchLimit{{Name: "raster only", Rate: 250}},
			}, nil
		}
		args := strings.Fields("bench " + target)
		if got := f.run(args...); got != 0 {
			t.Fatalf("status %d: %s", got, f.err.String())
		}
		want := `48 frames of 1920x1080 at 60 fps, by beginframe, WebGL by none

  start            450 ms
  capture          480 ms    10.0 ms a frame

All together, start to file:

  render           960 ms    20.0 ms a frame

The limit of this machine:

  raster only      250 frames a second
`
		if f.out.String() != want {
			t.Errorf("got\n%s", f.out.String())
		}
	}
}
