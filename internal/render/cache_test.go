package render_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

// piece is a name of the kind koda gives to files of the cache.
func piece(letter, end string) string { return strings.Repeat(letter, 64) + end }

// half is the name of such a file until it is whole.
func half(name string) string { return "." + name + ".1234.tmp" }

// cacheOf makes a cache of files of 100 bytes. The first file was used longest ago.
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
		"longest ago first": {250, false, render.Trimmed{Files: 2, Bytes: 200, Kept: 2, KeptBytes: 200, Partial: 1}, []string{piece("b", ".mp4"), piece("a", ".mp4")}},
		"dry run":           {250, true, render.Trimmed{Files: 2, Bytes: 200, Kept: 2, KeptBytes: 200, Partial: 1}, []string{piece("d", ".mp4"), piece("c", ".mp4"), piece("b", ".mp4"), half(piece("e", ".mp4")), piece("a", ".mp4")}},
		"within the bound":  {400, false, render.Trimmed{Kept: 4, KeptBytes: 400, Partial: 1}, []string{piece("d", ".mp4"), piece("c", ".mp4"), piece("b", ".mp4"), piece("a", ".mp4")}},
		"no bound":          {-1, false, render.Trimmed{Kept: 4, KeptBytes: 400, Partial: 1}, []string{piece("d", ".mp4"), piece("c", ".mp4"), piece("b", ".mp4"), piece("a", ".mp4")}},
		"nothing may stay":  {0, false, render.Trimmed{Files: 4, Bytes: 400, Partial: 1}, nil},
	} {
		dir := cacheOf(t, piece("d", ".mp4"), piece("c", ".mp4"), piece("b", ".mp4"), half(piece("e", ".mp4")), piece("a", ".mp4"))
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

// The digest of a segment's file is removed together with the file, and not before.
func TestTrimTakesDigestsAlong(t *testing.T) {
	t.Parallel()
	dir := cacheOf(t, piece("a", ".mp4.sum"), piece("b", ".mp4.sum"), piece("f", ".mp4.sum"), piece("a", ".mp4"), piece("b", ".mp4"))
	got, err := render.Trim(t.Context(), dir, 150, false)
	if want := (render.Trimmed{Files: 1, Bytes: 100, Kept: 1, KeptBytes: 100}); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if left, want := list(t, filepath.Join(dir, "segments")), []string{piece("b", ".mp4"), piece("b", ".mp4.sum")}; !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
}

// Files with other names are not counted and stay. So do all files behind a link,
// whether the cache, one of its directories or a file is the link.
func TestTrimTouchesNothingElse(t *testing.T) {
	t.Parallel()
	foreign := []string{
		"holiday.jpg", "a.mp4", ".notes.1234.tmp", "." + piece("a", ".jpg") + ".1.tmp", piece("a", ".mp4") + ".bak", piece("a", ""),
		piece("A", ".mp4"), piece("a", ".mp4") + "~", "x" + piece("a", ".mp4"), piece("a", ".mp4.sum.sum"), "." + piece("a", ".mp4") + ".tmp",
	}
	dir := cacheOf(t, append([]string{piece("b", ".mp4"), half(piece("b", ".mp4"))}, foreign...)...)
	photos := cacheOf(t, piece("a", ".mp4"), half(piece("b", ".mp4")), "holiday.jpg")
	if err := os.Symlink(filepath.Join(photos, "segments", piece("a", ".mp4")), filepath.Join(dir, "segments", piece("c", ".mp4"))); err != nil {
		t.Fatal(err)
	}
	got, err := render.Trim(t.Context(), dir, 0, false)
	if want := (render.Trimmed{Files: 1, Bytes: 100, Partial: 1}); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	left, want := list(t, filepath.Join(dir, "segments")), append([]string{piece("c", ".mp4")}, foreign...)
	slices.Sort(left)
	slices.Sort(want)
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	before := list(t, filepath.Join(photos, "segments"))
	byDir, byCache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	if err := errors.Join(os.Symlink(filepath.Join(photos, "segments"), filepath.Join(byDir, "segments")), os.Symlink(photos, byCache)); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{byDir, byCache} {
		got, err := render.Trim(t.Context(), dir, 0, false)
		if got != (render.Trimmed{}) || koda.HintOf(err) == "" || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if diff := cmp.Diff(before, list(t, filepath.Join(photos, "segments"))); diff != "" || len(before) != 3 {
		t.Errorf("through a link (-before +after):\n%s", diff)
	}
}

// If the segments of a cache lie behind a link, a render removes nothing there when
// it ends.
func TestRenderTrims_Linked(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	photos := cacheOf(t, piece("a", ".mp4"), half(piece("b", ".mp4")), "holiday.jpg")
	if err := errors.Join(os.MkdirAll(w.cache, 0o755), os.Symlink(filepath.Join(photos, "segments"), filepath.Join(w.cache, "segments"))); err != nil {
		t.Fatal(err)
	}
	cfg := w.config()
	cfg.CacheMax = 1
	if _, err := cfg.renderer().Render(t.Context(), project(5), spec(t), nil); err != nil {
		t.Fatal(err)
	}
	left := list(t, filepath.Join(photos, "segments"))
	for _, name := range []string{piece("a", ".mp4"), half(piece("b", ".mp4")), "holiday.jpg"} {
		if !slices.Contains(left, name) {
			t.Errorf("%s is gone", name)
		}
	}
}

// A render keeps the files that it found or drew while others trim the cache. It
// trims the cache when it ends: the files used last stay.
func TestRenderTrims(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
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
	// The older video is used again, then one video too many for the cache is drawn.
	w.page.Digest = "page"
	cfg := w.config()
	cfg.CacheMax = all.KeptBytes + all.KeptBytes/4 - 1
	again := s
	again.CRF = 30
	if res, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil || res.Reused != 150 {
		t.Fatalf("%+v, %v", res, err)
	}
	if _, err := cfg.renderer().Render(t.Context(), project(5), again, nil); err != nil {
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
