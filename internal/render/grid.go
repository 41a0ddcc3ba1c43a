package render

import (
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// The cuts of a video into segments depend on the number of frames and on the
// scenes only, because the bytes depend on the cuts. Lengths are in frames.
const (
	// startFrames is the cost of a segment beside its frames: the start of a
	// browser takes as much CPU as fifteen frames of 1080p, or as a larger number
	// of small frames.
	startFrames = 15
	// shortestScene is the length of the shortest scene that is drawn by itself. A
	// quarter of its work is then the start of the browser. The few small frames of
	// a preview take far less work than a start. So joining the scenes of a preview
	// draws it sooner, even if one of them changed.
	shortestScene = 45
	shortestPart  = 20 // shortest part of a scene that is cut
	// longestSegment bounds what a crash loses: one segment for each worker.
	longestSegment = 90
	wholeUpTo      = 100 // a video or a scene no longer than this is not cut
)

// spans cuts the frames of a spec into segments. A part of an animation is cut
// where the whole would be cut, so that both share segments. Forward says that the
// page is brought to each segment through all frames before it.
func spans(s koda.RenderSpec, forward bool) []koda.Span {
	whole := timeline.Frames(s.Duration, s.FPS)
	cuts := make([]int, len(s.Cuts))
	for i, seconds := range s.Cuts {
		cuts[i] = timeline.FirstAt(seconds, s.FPS)
	}
	all := grid(whole, cuts)
	if forward {
		all = grown(all)
	}
	var cut []koda.Span
	for _, span := range all {
		span.Start, span.End = max(span.Start, s.First), min(span.End, s.First+s.Frames)
		if span.Len() > 0 {
			cut = append(cut, span)
		}
	}
	return cut
}

// grid cuts frames into segments: at the scenes, so that a changed scene is drawn
// without the others, and within the scenes. cuts are the frames at which scenes
// start, in rising order.
func grid(frames int, cuts []int) []koda.Span {
	scenes := joined(frames, cuts)
	parts := make([]int, len(scenes))
	for i, s := range scenes {
		parts[i] = 1
		if s.Len() > wholeUpTo {
			parts[i] = (s.Len() + longestSegment - 1) / longestSegment
		}
	}
	if len(scenes) == 1 {
		parts[0] = evenParts(frames, parts[0])
	} else {
		share(scenes, parts)
	}
	var all []koda.Span
	for i, s := range scenes {
		all = append(all, s.Split(parts[i])...)
	}
	return all
}

// grownBy bounds the cost of bringing pages forward: a segment has at least the
// grownBy-th part of all frames before it. To draw N frames, pages are then brought
// forward through about grownBy*N frames, instead of a number that grows with the
// square of N.
const grownBy = 5

// grown joins segments until each is long enough for the frames before it.
func grown(all []koda.Span) []koda.Span {
	var long []koda.Span
	for _, s := range all {
		if n := len(long); n > 0 && long[n-1].Len()*grownBy < long[n-1].Start {
			long[n-1].End = s.End
			continue
		}
		long = append(long, s)
	}
	if n := len(long); n > 1 && long[n-1].Len()*grownBy < long[n-1].Start {
		long[n-2].End, long = long[n-1].End, long[:n-1]
	}
	return long
}

// joined are the scenes, with short scenes joined.
func joined(frames int, cuts []int) []koda.Span {
	var scenes []koda.Span
	start := 0
	for _, c := range cuts {
		if frames > wholeUpTo && c-start >= shortestScene && frames-c >= shortestScene {
			scenes = append(scenes, koda.Span{Start: start, End: c})
			start = c
		}
	}
	return append(scenes, koda.Span{Start: start, End: frames})
}

// evenParts is the number of segments of a video without scenes. The number is
// even, and from four on a multiple of four, so that two workers and four workers
// get equal shares.
func evenParts(frames, parts int) int {
	if parts > 2 {
		parts = (parts + 3) / 4 * 4
	}
	size := (frames + parts - 1) / parts
	return (frames + size - 1) / size
}

// share cuts scenes into more parts as long as one, two and four workers together
// finish sooner.
func share(scenes []koda.Span, parts []int) {
	for best := effort(scenes, parts); ; {
		at := -1
		for i, s := range scenes {
			if s.Len()/(parts[i]+1) < shortestPart {
				continue
			}
			parts[i]++
			if e := effort(scenes, parts); e < best {
				best, at = e, i
			}
			parts[i]--
		}
		if at < 0 {
			return
		}
		parts[at]++
	}
}

// effort is the time until all segments are drawn, in frames, times the workers:
// the sum for one worker, two, and four.
func effort(scenes []koda.Span, parts []int) (sum int) {
	var lengths []int
	for i, s := range scenes {
		for _, part := range s.Split(parts[i]) {
			lengths = append(lengths, part.Len()+startFrames)
		}
	}
	longestFirst(lengths, func(n int) int { return n })
	for workers := 1; workers <= 4; workers *= 2 {
		busy := make([]int, workers)
		for _, n := range lengths {
			busy[slices.Index(busy, slices.Min(busy))] += n
		}
		sum += workers * slices.Max(busy)
	}
	return sum
}

// longestFirst is the order in which segments are drawn: the last segments are
// short, so that no worker waits long for another.
func longestFirst[T any](list []T, length func(T) int) {
	slices.SortStableFunc(list, func(a, b T) int { return length(b) - length(a) })
}
