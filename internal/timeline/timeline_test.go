package timeline_test

import (
	"math"
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

// A scene's first frame is the first frame shown at the scene's start or later,
// whatever the rate, and however the start was rounded.
func TestFirstAt(t *testing.T) {
	t.Parallel()
	ntsc := koda.FPS{Num: 30000, Den: 1001}
	for _, tt := range []struct {
		seconds float64
		fps     koda.FPS
		want    int
	}{
		{0, ntsc, 0}, {-1, ntsc, 0}, {math.NaN(), ntsc, 0}, {math.Inf(1), ntsc, 0}, {2, koda.FPS{}, 0},
		{1.5, koda.FPS{Num: 60, Den: 1}, 90}, {1.5, koda.FPS{Num: 15, Den: 1}, 23}, {1.68, koda.FPS{Num: 15, Den: 1}, 26},
		{1.0 / 3, koda.FPS{Num: 30, Den: 1}, 10}, {2.0 / 3, koda.FPS{Num: 30, Den: 1}, 20}, {0.666667, koda.FPS{Num: 30, Den: 1}, 20},
		{0.1 + 0.2, koda.FPS{Num: 10, Den: 1}, 3}, {0.000002, koda.FPS{Num: 60, Den: 1}, 1},
		{1.001, ntsc, 30}, {1, ntsc, 30}, {3600, ntsc, 107893}, {3600, koda.FPS{Num: 240, Den: 1}, 864000},
	} {
		if got := timeline.FirstAt(tt.seconds, tt.fps); got != tt.want {
			t.Errorf("FirstAt(%v, %v) = %d, want %d", tt.seconds, tt.fps, got, tt.want)
		}
	}
	for _, fps := range []koda.FPS{ntsc, {Num: 15, Den: 1}, {Num: 24000, Den: 1001}, {Num: 100, Den: 3}, {Num: 60, Den: 1}, {Num: 240, Den: 1}} {
		for n := range 20_000 {
			if got := timeline.FirstAt(timeline.Seconds(n, fps), fps); got != n {
				t.Fatalf("FirstAt of frame %d at %v is %d", n, fps, got)
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
