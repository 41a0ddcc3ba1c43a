package render_test

import (
	"bytes"
	"errors"
	"strconv"
	"testing"
)

// Frames that repeat are captured once, except for the first frame of each segment.
// The video is the same.
func TestRepeatsAreNotCaptured(t *testing.T) {
	t.Parallel()
	held := func(frame int) int { // 0-19 move, 20-99 stand still, the rest moves
		if frame >= 20 && frame < 100 {
			return 20
		}
		return frame
	}
	plain := newWorld(t)
	plain.shows = held
	s := spec(t)
	if _, err := plain.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	want := read(t, s.Output)
	for name, c := range map[string]struct {
		keys func(frame int) (string, bool, error)
		want int
	}{
		"keys": {func(frame int) (string, bool, error) { return strconv.Itoa(held(frame)), true, nil }, 21 + 51},
		"keys that fail": {func(frame int) (string, bool, error) {
			if frame > 0 {
				return "", false, errors.New("broken")
			}
			return "0", true, nil
		}, 150},
		"keys that end": {func(frame int) (string, bool, error) { return strconv.Itoa(held(frame)), frame < 30, nil }, 30 - 9 + 120},
		"no keys":       {func(int) (string, bool, error) { return "", false, nil }, 150},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.shows, w.keys = held, c.keys
			s := spec(t)
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || res.Captured != 150 {
				t.Fatalf("%+v, %v", res, err)
			}
			if w.captured[0] != 1 || w.captured[75] != 1 {
				t.Error("the first frame of a segment was not captured")
			}
			if n := w.drawn(); n != c.want {
				t.Errorf("%d frames were captured, want %d", n, c.want)
			}
			if !bytes.Equal(want, read(t, s.Output)) {
				t.Error("other bytes")
			}
		})
	}
}
