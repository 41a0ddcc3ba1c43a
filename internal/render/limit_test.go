package render_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// TestLimit: a video that takes longer than its limit fails with TIMEOUT and leaves
// no file. Its finished segments are not drawn again. The limit in the spec
// overrides the renderer's own limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own   time.Duration
		spec  int64
		watch time.Duration // 0: no limit
	}{
		"own":             {time.Minute, 0, time.Minute},
		"of the spec":     {time.Minute, 1500, 1500 * time.Millisecond},
		"of the spec too": {0, 1500, 1500 * time.Millisecond},
		"none":            {time.Minute, -1, 0},
		"unsaid":          {0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSketch(t)
			up, stopped := make(chan time.Time, 1), 0
			w.limit, w.after = c.own, func(d time.Duration) (<-chan time.Time, func()) {
				if d != c.watch {
					t.Errorf("watched for %v, want %v", d, c.watch)
				}
				return up, func() { stopped++ }
			}
			w.hangs = func(frame int) bool {
				if frame == 100 && c.watch > 0 {
					up <- time.Time{}
					return true
				}
				return false
			}
			s := spec(t)
			s.Workers, s.LimitMS = 1, c.spec
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if c.watch == 0 {
				if err != nil || res.Captured != 150 || stopped != 0 {
					t.Errorf("%+v, %v", res, err)
				}
				return
			}
			if koda.CodeOf(err) != koda.CodeTimeout || !strings.Contains(err.Error(), c.watch.String()) || !strings.Contains(koda.HintOf(err), "--timeout") {
				t.Fatalf("got %v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
			}
			if w.live != 0 || stopped != 1 || len(list(t, filepath.Dir(s.Output))) != 0 {
				t.Errorf("%d tabs are left, stopped %d times, there is a video: %v", w.live, stopped, len(list(t, filepath.Dir(s.Output))) != 0)
			}
			w.hangs = nil
			w.drawn()
			if res, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil || res.Reused != 75 || w.drawn() != 75 || stopped != 2 {
				t.Errorf("the next: %+v, %v", res, err)
			}
		})
	}
}

// TestLimit_Interrupted: the error of a cancelled render says that it was cancelled,
// whatever its limit.
func TestLimit_Interrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.limit, w.after = time.Minute, func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }
	ctx, cancel := context.WithCancel(t.Context())
	w.hangs = func(frame int) bool { cancel(); return true }
	if _, err := w.renderer().Render(ctx, project(5), spec(t), nil); koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("got %v (%s)", err, koda.CodeOf(err))
	}
}
