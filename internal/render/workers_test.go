package render_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

// All workers are busy until the last segments are drawn.
func TestBusy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		workers, segments int
		want              []int
	}{
		{1, 1, []int{1}}, {2, 4, []int{2, 2, 2, 2}}, {2, 3, []int{2, 2, 1}}, {3, 8, []int{3, 3, 3, 3, 3, 3, 2, 2}}, {1, 2, []int{1, 1}},
	} {
		for k, want := range c.want {
			if got := render.Busy(c.workers, c.segments, k); got != want {
				t.Errorf("%+v: %d workers are busy at segment %d, want %d", c, got, k, want)
			}
		}
	}
}

// Each browser is told its share of the threads.
func TestGLThreadsAreOpenedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	var mu sync.Mutex
	var got []int
	cfg.Open = func(ctx context.Context, info koda.CaptureInfo, page koda.Page, view koda.Viewport) (draw.Tab, error) {
		mu.Lock()
		got = append(got, view.GLThreads)
		mu.Unlock()
		return w.open(ctx, info, page, view)
	}
	s := spec(t)
	s.Workers = 2
	if _, err := cfg.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	if len(got) < 2 || slices.Min(got) < 1 {
		t.Errorf("browsers were opened with %v threads", got)
	}
}
