package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/render"
)

// film is a page whose frames show numbers; the number is the frame's key.
func (w *world) film(numbers []int) {
	w.page.Digest, w.page.Code = "film "+strconv.Itoa(len(numbers)), "code"
	for _, n := range numbers {
		w.page.Digest += " " + strconv.Itoa(n)
	}
	w.shows = func(frame int) int { return numbers[frame] }
	w.keys = func(frame int) (string, bool, error) { return strconv.Itoa(numbers[frame]), true, nil }
}

func counting(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i % 80
	}
	return numbers
}

// After an edit exactly the segments in which a frame key changed are drawn, or all
// segments if the code changed. The video equals a render from nothing.
func TestReuseByKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit   func(w *world, numbers []int)
		drawn  int
		opened int
	}{
		"a frame of the second": {func(_ *world, n []int) { n[80] = 3 }, 75, 2},
		"the first's last":      {func(_ *world, n []int) { n[74] = 3 }, 75, 2},
		// A page shows frame 0 first in every segment, so all segments are drawn.
		"the first frame of all": {func(_ *world, n []int) { n[0] = 3 }, 150, 3},
		"nothing that shows":     {func(w *world, _ []int) { w.page.Digest = "other data" }, 0, 1},
		"the code":               {func(w *world, _ []int) { w.page.Digest, w.page.Code = "other", "other code" }, 150, 2},
		"the browser":            {func(w *world, _ []int) { w.info.Build = "Fake/2" }, 150, 3},
		"no longer keyed":        {func(w *world, _ []int) { w.page.Digest, w.page.Code = "other", "" }, 150, 2},
		"keys fail": {func(w *world, _ []int) {
			w.page.Digest = "other"
			w.keys = func(int) (string, bool, error) { return "", false, errors.New("broken") }
		}, 150, 3},
		"nothing at all": {func(*world, []int) {}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSketch(t)
			numbers := counting(150)
			w.film(numbers)
			s := spec(t)
			if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
				t.Fatal(err)
			}
			numbers = slices.Clone(numbers)
			w.film(numbers)
			c.edit(w, numbers)
			if !slices.Equal(numbers, counting(150)) {
				w.film(numbers)
			}
			w.drawn()
			w.opened = 0
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || res.Captured != c.drawn || res.Reused != 150-c.drawn || w.drawn() < c.drawn*9/10 || w.opened != c.opened || w.live != 0 {
				t.Fatalf("%d tabs, %d left: %+v, %v", w.opened, w.live, res, err)
			}
			got := read(t, s.Output)
			again, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || again.Captured != 0 || w.opened != c.opened {
				t.Errorf("once more: %d tabs, %+v, %v", w.opened, again, err)
			}
			if c.drawn == 150 {
				return
			}
			s.NoCache = true
			if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, read(t, s.Output)) {
				t.Error("a render from nothing has other bytes")
			}
		})
	}
}

// Every range says why it was drawn or reused.
func TestExplain(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	film := counting(150)
	w.film(film)
	s := spec(t)
	s.Explain = true
	told := func(name, want string) {
		t.Helper()
		res, err := w.renderer().Render(t.Context(), project(5), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range res.Ranges {
			verb := "drawn"
			if r.Reused {
				verb = "reused"
			}
			got = append(got, fmt.Sprintf("%d-%d %s %s", r.First, r.Last, verb, r.Reason))
			if r.Why == "" || strings.Contains(r.Why, "%") {
				t.Errorf("%s: why is %q", name, r.Why)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	told("first", "0-149 drawn first")
	told("again", "0-149 reused same")
	film = slices.Clone(film)
	film[100] = 1
	w.film(film)
	told("a frame of the second segment", "0-74 reused frame-keys, 75-149 drawn frame-keys")
	told("again", "0-149 reused same")
	w.page.Digest += "'"
	told("data that shows nowhere", "0-149 reused frame-keys")
	w.page.Digest, w.page.Code = "new", "new"
	told("code", "0-149 drawn code")
	w.info.Build = "Fake/2"
	told("browser", "0-149 drawn browser")
	s.CRF = 30
	told("encoding", "0-149 drawn encoding")
	for _, name := range w.segments(t) {
		if filepath.Ext(name) == ".mp4" {
			if err := os.Remove(filepath.Join(w.cache, "segments", name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	told("gone", "0-149 drawn gone")
	w.page.Digest, w.page.Code = "plain", ""
	told("page without keyed files", "0-149 drawn page")
	w.fonts = "more"
	told("fonts", "0-149 drawn fonts")
	s.NoCache = true
	told("no cache", "0-149 drawn no-cache")
	s.NoCache, s.Frames, s.Duration = false, 153, 5.1
	w.keys, w.shows = nil, nil
	told("longer", "0-152 drawn cuts")
	s.Cuts = []float64{2}
	told("in scenes", "0-152 drawn cuts")
}

// A wrong note, or a note whose segment is gone, leads to no reuse.
func TestReuseOfWrongNotes(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	w.film(counting(150))
	s := spec(t)
	first, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list(t, filepath.Join(w.cache, "segments")) {
		file := filepath.Join(w.cache, "segments", name)
		switch filepath.Ext(name) {
		case ".ref":
			if err := os.WriteFile(file, bytes.Repeat([]byte("0"), 64), 0o600); err != nil {
				t.Fatal(err)
			}
		case ".mp4":
			if err := os.Truncate(file, 100); err != nil {
				t.Fatal(err)
			}
		}
	}
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || res.Captured != 150 || res.SHA256 != first.SHA256 {
		t.Errorf("%+v, %v", res, err)
	}
}

// The name of a segment covers its code and its keys. Without keys there is no such
// name.
func TestSegmentName(t *testing.T) {
	t.Parallel()
	name, ok := render.SegmentName("code", "keys")
	for code, keys := range map[string]string{"code": "other", "other": "keys", "code ": "keys"} {
		if other, ok2 := render.SegmentName(code, keys); !ok || !ok2 || other == name {
			t.Errorf("%q, %q is called %s, as another", code, keys, other)
		}
	}
	for code, keys := range map[string]string{"code": "", "": "keys"} {
		if name, ok := render.SegmentName(code, keys); ok {
			t.Errorf("%q, %q is called %s", code, keys, name)
		}
	}
}
