package render

import (
	"context"
	"io/fs"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// Grid is grid, for tests.
var (
	Grid = grid
)

// Spans are the segments of a spec.
func Spans(s koda.RenderSpec) []timeline.Span { return spans(s, false) }

// GrownSpans are those of a page that is brought forward.
func GrownSpans(s koda.RenderSpec) []timeline.Span { return spans(s, true) }

// GLThreads is glThreads, for tests.
var GLThreads = glThreads

// OOMKills is oomKills, for tests.
var OOMKills = oomKills

// SegmentName is the name the keys of a segment give it.
func SegmentName(tab Tab, code string, start, end int) (string, bool) {
	k := keyReader{tab: tab}
	seg := segment{Span: timeline.Span{Start: start, End: end}, code: code}
	if err := k.begin(context.Background()); err != nil {
		return "", false
	}
	for n := start; n < end; n++ {
		if _, err := k.repeats(context.Background(), n); err != nil {
			return "", false
		}
	}
	return k.name(seg)
}

// DefaultWorkers is how many workers this machine gets for a spec.
func DefaultWorkers(spec koda.RenderSpec) int {
	return machine().workers(spec, koda.Viewport{Width: spec.PageWidth, Height: spec.PageHeight, Scale: 1}, false)
}

// Workers is how many workers a machine described by /proc and /sys/fs/cgroup
// below root gets.
func Workers(root fs.FS, allowed int, spec koda.RenderSpec, webGL, raw bool) int {
	view := koda.Viewport{Width: spec.PageWidth, Height: spec.PageHeight, Scale: 1, Raw: raw}
	return capacityOf(root, allowed).workers(spec, view, webGL)
}

// BrowserMemoryOf is what a browser may take of such a machine.
func BrowserMemoryOf(root fs.FS, allowed int) int64 { return capacityOf(root, allowed).browserMemory() }

// Label draws the label of a side of a comparison.
var Label = label
