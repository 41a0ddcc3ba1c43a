package render_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/timeline"
)

// Videos without scenes.
func TestSegments(t *testing.T) {
	t.Parallel()
	for frames, want := range map[int]int{1: 1, 75: 1, 100: 1, 101: 2, 120: 2, 150: 2, 180: 2, 181: 4, 240: 4, 300: 4, 600: 8, 1800: 20, 36000: 400} {
		if grid := render.Grid(frames, nil); len(grid) != want {
			t.Errorf("%d frames are cut into %d segments, not %d", frames, len(grid), want)
		}
	}
	for frames := 1; frames < 5000; frames++ {
		for _, s := range render.Grid(frames, nil) {
			if s.Len() > 100 || (frames > 100 && s.Len() < 45) {
				t.Fatalf("%d frames: segment %v", frames, s)
			}
		}
	}
}

// The segments of videos with scenes, by their lengths.
func TestSegmentsOfScenes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about  string
		scenes []int // their lengths in frames
		want   []int
	}{
		{"the default: 5 s at 60", []int{90, 120, 90}, []int{90, 60, 60, 90}},
		{"its preview is whole", []int{23, 30, 22}, []int{75}},
		{"five of 2 s at 30", []int{60, 60, 60, 60, 60}, []int{30, 30, 60, 60, 60, 60}},
		{"five of 2 s at 60", []int{120, 120, 120, 120, 120}, []int{60, 60, 60, 60, 60, 60, 60, 60, 60, 60}},
		{"short ones together", []int{30, 30, 30, 30, 30}, []int{30, 30, 45, 45}},
		{"one short one", []int{20, 200}, []int{55, 55, 55, 55}},
		{"a short end", []int{120, 20}, []int{70, 70}},
		{"one long, one not", []int{100, 400}, []int{50, 50, 66, 67, 67, 66, 67, 67}},
	} {
		var cuts []int
		frames := 0
		for _, n := range c.scenes {
			if frames > 0 {
				cuts = append(cuts, frames)
			}
			frames += n
		}
		var got []int
		for _, s := range render.Grid(frames, cuts) {
			got = append(got, s.Len())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

// Whatever the scenes, the segments tile the video in bounded lengths, and every
// scene that is long enough begins with a segment. The cuts of the same video are
// always the same, and a part of it has the cuts of the whole.
func TestSegmentsAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fps := rapid.SampledFrom([]koda.FPS{{Num: 15, Den: 1}, {Num: 24000, Den: 1001}, {Num: 30, Den: 1}, {Num: 60, Den: 1}}).Draw(t, "fps")
		duration := float64(rapid.IntRange(1, 90_000).Draw(t, "ms")) / 1000
		var starts []float64
		for at := 0.0; len(starts) < 14; {
			at += float64(rapid.IntRange(1, 20_000).Draw(t, "scene")) / 1000
			if at >= duration {
				break
			}
			starts = append(starts, at)
		}
		frames := timeline.Frames(duration, fps)
		spec := koda.RenderSpec{FPS: fps, Duration: duration, Frames: frames, Cuts: starts}
		grid := render.Spans(spec)
		next, begins := 0, map[int]bool{}
		for _, s := range grid {
			if s.Start != next || s.Len() < 1 || s.Len() > 100 || frames > 100 && s.Len() < 20 {
				t.Fatalf("segment %v after frame %d of %d", s, next, frames)
			}
			begins[s.Start], next = true, s.End
		}
		if next != frames {
			t.Fatalf("%d of %d frames", next, frames)
		}
		before := 0
		for i, s := range append(slices.Clone(starts), duration) {
			cut := timeline.FirstAt(s, fps)
			if i < len(starts) && frames > 100 && cut-before >= 45 && frames-cut >= 45 && !begins[cut] {
				t.Fatalf("no segment begins at %g s, frame %d", s, cut)
			}
			before = cut
		}
		part := spec
		part.First = rapid.IntRange(0, frames-1).Draw(t, "first")
		part.Frames = rapid.IntRange(1, frames-part.First).Draw(t, "frames")
		for i, s := range render.Spans(part) {
			if i > 0 && !begins[s.Start] {
				t.Fatalf("a part is cut at frame %d, the whole is not", s.Start)
			}
		}
	})
}

// Cutting at scenes costs little time: for one worker, and for two or four workers
// that share the segments.
func TestSegmentsAreShared(t *testing.T) {
	t.Parallel()
	until := func(grid []koda.Span, workers int) int {
		slices.SortFunc(grid, func(a, b koda.Span) int { return b.Len() - a.Len() })
		busy := make([]int, workers)
		for _, s := range grid {
			busy[slices.Index(busy, slices.Min(busy))] += s.Len() + 15
		}
		return slices.Max(busy)
	}
	for scenes := 2; scenes <= 15; scenes++ {
		for _, length := range []int{45, 60, 75, 90, 105, 120, 180, 240, 400} {
			var cuts []int
			for i := 1; i < scenes; i++ {
				cuts = append(cuts, i*length)
			}
			plain, cut := render.Grid(scenes*length, nil), render.Grid(scenes*length, cuts)
			for workers, most := range map[int]float64{1: 1.2, 2: 1.25, 4: 1.6} {
				if got := float64(until(cut, workers)) / float64(until(plain, workers)); got > most {
					t.Errorf("%d scenes of %d frames on %d workers take %.2f of the time without scenes", scenes, length, workers, got)
				}
			}
		}
	}
}
