package timeline_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

func TestFrames(t *testing.T) {
	t.Parallel()
	ntsc := koda.FPS{Num: 30000, Den: 1001}
	for _, tt := range []struct {
		duration float64
		fps      koda.FPS
		want     int
	}{
		{5, koda.FPS{Num: 60, Den: 1}, 300},
		{5, ntsc, 150},
		{1.0 / 3, koda.FPS{Num: 30, Den: 1}, 10},
		{0.1 + 0.2, koda.FPS{Num: 10, Den: 1}, 3},
		{0.05, koda.FPS{Num: 10, Den: 1}, 1}, // half rounds up
		{0.001, koda.FPS{Num: 10, Den: 1}, 1},
		{0, koda.FPS{Num: 60, Den: 1}, 1},
		{-1, koda.FPS{Num: 60, Den: 1}, 1},
		{86400, koda.FPS{Num: 240, Den: 1}, 86400 * 240},
	} {
		if got := timeline.Frames(tt.duration, tt.fps); got != tt.want {
			t.Errorf("Frames(%v, %v) = %d, want %d", tt.duration, tt.fps, got, tt.want)
		}
	}
}

func TestGrid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		frames, size int
		cuts         []int
	}{
		{300, 60, nil}, {1, 60, nil}, {61, 60, nil}, {300, 60, []int{120, 120, 240}},
		{300, 7, []int{-4, 0, 299, 300, 999}}, {37 * 200, 37, nil},
	} {
		grid := timeline.Grid(tt.frames, tt.size, tt.cuts)
		next := 0
		for _, s := range grid {
			if s.Start != next || s.Len() < 1 || s.Len() > tt.size {
				t.Fatalf("Grid(%d, %d, %v): span %v after frame %d", tt.frames, tt.size, tt.cuts, s, next)
			}
			next = s.End
		}
		if next != tt.frames {
			t.Errorf("Grid(%d, %d, %v) covers %d frames", tt.frames, tt.size, tt.cuts, next)
		}
		starts := map[int]bool{}
		for _, s := range grid {
			starts[s.Start] = true
		}
		for _, c := range tt.cuts {
			if c > 0 && c < tt.frames && !starts[c] {
				t.Errorf("Grid(%d, %d, %v): no span starts at cut %d", tt.frames, tt.size, tt.cuts, c)
			}
		}
	}
}

func TestSecondsAndTicks(t *testing.T) {
	t.Parallel()
	if got := timeline.Seconds(90, koda.FPS{Num: 60, Den: 1}); got != 1.5 {
		t.Errorf("Seconds(90, 60) = %v, want 1.5", got)
	}
	fps := koda.FPS{Num: 30000, Den: 1001}
	last := int64(-1)
	for n := range 100_000 {
		got := timeline.Ticks(n, fps)
		if got <= last {
			t.Fatalf("Ticks(%d) = %d does not rise from %d", n, got, last)
		}
		last = got
	}
}
