package render_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/render"
)

// cacheOf makes a cache of files of 100 bytes, used longest ago first.
func cacheOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "segments"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		file := filepath.Join(dir, "segments", name)
		used := time.Unix(int64(1000+i), 0)
		if err := os.WriteFile(file, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, used, used); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTrim(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit  int64
		dryRun bool
		want   render.Trimmed
		left   []string
	}{
		"longest ago first": {250, false, render.Trimmed{Files: 2, Bytes: 200, Kept: 2, KeptBytes: 200, Partial: 1}, []string{"b.mp4", "a.mp4"}},
		"dry run":           {250, true, render.Trimmed{Files: 2, Bytes: 200, Kept: 2, KeptBytes: 200, Partial: 1}, []string{"d.mp4", "c.mp4", "b.mp4", ".x.1.tmp", "a.mp4"}},
		"within the bound":  {400, false, render.Trimmed{Kept: 4, KeptBytes: 400, Partial: 1}, []string{"d.mp4", "c.mp4", "b.mp4", "a.mp4"}},
		"no bound":          {-1, false, render.Trimmed{Kept: 4, KeptBytes: 400, Partial: 1}, []string{"d.mp4", "c.mp4", "b.mp4", "a.mp4"}},
		"nothing may stay":  {0, false, render.Trimmed{Files: 4, Bytes: 400, Partial: 1}, nil},
	} {
		dir := cacheOf(t, "d.mp4", "c.mp4", "b.mp4", ".x.1.tmp", "a.mp4")
		got, err := render.Trim(t.Context(), dir, c.limit, c.dryRun)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
		left := list(t, filepath.Join(dir, "segments"))
		slices.Sort(c.left)
		if !slices.Equal(left, c.left) {
			t.Errorf("%s: left %v, want %v", name, left, c.left)
		}
	}
	if got, err := render.Trim(t.Context(), filepath.Join(t.TempDir(), "none"), 0, false); got != (render.Trimmed{}) || err != nil {
		t.Errorf("no cache: %+v, %v", got, err)
	}
}

// The digest of a segment's file goes when that does, and not before.
func TestTrimTakesDigestsAlong(t *testing.T) {
	t.Parallel()
	dir := cacheOf(t, "a.mp4.sum", "b.mp4.sum", "gone.mp4.sum", "a.mp4", "b.mp4")
	got, err := render.Trim(t.Context(), dir, 150, false)
	if want := (render.Trimmed{Files: 1, Bytes: 100, Kept: 1, KeptBytes: 100}); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if left, want := list(t, filepath.Join(dir, "segments")), []string{"b.mp4", "b.mp4.sum"}; !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
}

// A render keeps what it found and drew while others trim, and trims the cache
// when it ends: what was used last stays.
func TestRenderTrims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := spec(t)
	s.Workers = 1
	if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	old := w.segments(t)
	w.page.Digest = "another"
	w.captureFault = func(_, frame int) error {
		if frame == 140 {
			if got, err := render.Trim(t.Context(), w.cache, 0, false); !got.Busy || got.Files != 0 || err != nil {
				t.Errorf("while it works: %+v, %v", got, err)
			}
		}
		return nil
	}
	if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	w.captureFault = nil
	all, err := render.Trim(t.Context(), w.cache, -1, false)
	if err != nil || all.Kept != 4 || all.Busy {
		t.Fatalf("afterwards: %+v, %v", all, err)
	}
	// The older video is used again, then one more is drawn than there is room for.
	w.page.Digest = "page"
	cfg := w.config()
	cfg.CacheMax = all.KeptBytes - 1
	again := s
	again.CRF = 30
	if res, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil || res.Reused != 150 {
		t.Fatalf("%+v, %v", res, err)
	}
	if _, err := render.New(cfg).Render(t.Context(), project(5), again, nil); err != nil {
		t.Fatal(err)
	}
	left := w.segments(t)
	for _, name := range old {
		if !slices.Contains(left, name) {
			t.Errorf("%s was used last and is gone: %v", name, left)
		}
	}
	if len(left) >= 6 {
		t.Errorf("nothing was trimmed: %v", left)
	}
}
