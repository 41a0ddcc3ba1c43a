package render_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
)

func (f *fakeTab) Seek(context.Context, int) error { return nil }

func (f *fakeTab) Shoot(ctx context.Context, frame int) ([]byte, error) {
	return f.Capture(ctx, frame)
}

func (f *fakeTab) Raster(context.Context, int) (bool, error) { return true, nil }

// Every stage is measured, and no file is left.
func TestBench(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b, err := w.renderer().Bench(t.Context(), project(5))
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if b.Frames != 48 || b.Width != pageWidth || b.Method != "fake" || b.GL != "none" {
		t.Errorf("%+v", b)
	}
	var names []string
	for _, s := range b.Stages {
		names = append(names, s.Name)
		if perFrame := s.Name == "capture" || s.Name == "decode" || s.Name == "encode"; perFrame && s.PerFrame*48-s.MS > 0.01 {
			t.Errorf("%+v", s)
		}
	}
	if len(names) != 7 || names[0] != "start" || names[6] != "join" || b.Render.MS <= 0 {
		t.Errorf("%v, %+v", names, b.Render)
	}
	// If tabs take no time to draw, no limit is reported.
	if n := len(b.Limits); n == 0 || b.Limits[n-1].Name != "encode only" || b.Limits[n-1].Rate <= 0 {
		t.Errorf("%+v", b.Limits)
	}
	if left := w.segments(t); len(left) > 0 || w.live > 0 {
		t.Errorf("left %v and %d browsers", left, w.live)
	}
}

// A video of scenes is measured before its first cut, and after it.
func TestBenchOfScenes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := fmt.Sprintf(`{"schema": 1, "name": "fake", "width": %d, "height": %d, "fps": 30, "duration": 5,
		"scenes": [{"start": 0, "title": "One"}, {"start": 1, "title": "Two"}, {"start": 2.5, "title": "Three"}]}`, pageWidth, pageHeight)
	b, err := w.renderer().Bench(t.Context(), fstest.MapFS{"koda.json": {Data: []byte(text)}})
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if b.Frames != 48 {
		t.Errorf("%d frames were measured", b.Frames)
	}
}
