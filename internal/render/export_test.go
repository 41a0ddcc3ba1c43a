package render

import (
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Grid, Busy and Steady are grid, busy and steady, for tests.
var (
	Grid   = grid
	Busy   = busy
	Steady = steady
)

// Progress is the progress of a render in one segment, whose clock does not tick by itself.
type Progress struct{ p *progress }

// NewProgress begins with the segment.
func NewProgress(frames int, now func() time.Time, report func(koda.Progress)) Progress {
	s := koda.Span{End: frames}
	p := newProgress(plan{spec: koda.RenderSpec{Frames: frames}, segments: []segment{{Span: s}}}, now, report)
	p.start(0)
	p.begin(0, s)
	return Progress{p}
}

// Set says how far the segment is, End that its worker is done, and Again is the tick.
func (p Progress) Set(at koda.SegmentProgress) { p.p.set(0, at) }
func (p Progress) End()                        { p.p.end(0) }
func (p Progress) Again()                      { p.p.again() }

// Spans are the segments of a spec.
func Spans(s koda.RenderSpec) []koda.Span { return spans(s, false) }

// GrownSpans are the segments of a page that is brought forward.
func GrownSpans(s koda.RenderSpec) []koda.Span { return spans(s, true) }

// SegmentName is the name that a segment gets from its keys.
func SegmentName(code, keys string) (string, bool) { return segment{code: code}.nameBy(keys) }
