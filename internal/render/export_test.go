package render

import "github.com/koda-video/koda/internal/koda"

// Grid, Busy are grid and busy, for tests.
var (
	Grid = grid
	Busy = busy
)

// Spans are the segments of a spec.
func Spans(s koda.RenderSpec) []koda.Span { return spans(s, false) }

// GrownSpans are the segments of a page that is brought forward.
func GrownSpans(s koda.RenderSpec) []koda.Span { return spans(s, true) }

// SegmentName is the name that a segment gets from its keys.
func SegmentName(code, keys string) (string, bool) { return segment{code: code}.nameBy(keys) }
