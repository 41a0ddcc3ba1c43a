package render

import (
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

const (
	// often is the least time between two reports of the same stage. The first
	// frame drawn is reported at once.
	often = 100 * time.Millisecond
	// settled is how long frames are counted, from the first frame drawn, before
	// the time left is reported: earlier times belong to the start of browsers.
	settled = time.Second
)

// progress counts finished frames and reports them. Its methods may be called
// from several goroutines.
type progress struct {
	now    func() time.Time
	report func(koda.Progress)

	mu      sync.Mutex
	kind    koda.RenderKind
	at      koda.Stage
	frames  int
	counts  []int // finished frames by segment
	passed  []int // frames each segment was brought forward through
	toPass  []int // all frames each segment is to be brought forward through
	reused  int
	began   time.Time // when drawing began
	said    time.Time // when something was last reported
	drew    bool      // the first frame was drawn, and reported
	first   time.Time // when the first frame was drawn
	early   float64   // the work done by then
	drawing time.Duration
}

func newProgress(p plan, now func() time.Time, report func(koda.Progress)) *progress {
	if report == nil {
		report = func(koda.Progress) {}
	}
	n := len(p.segments)
	made := &progress{
		now: now, report: report, kind: p.spec.Kind, at: koda.StageCapturing, frames: p.spec.Frames,
		counts: make([]int, n), passed: make([]int, n), toPass: make([]int, n),
	}
	for i, s := range p.segments {
		made.toPass[i] = p.ahead(s)
	}
	return made
}

// start starts the clock. Reused frames are finished already and do not count for
// the rate.
func (p *progress) start(reused int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reused, p.began = reused, p.now()
	p.say(0)
}

// set says how far a segment is; the segment may have been begun anew.
func (p *progress) set(segment int, at koda.SegmentProgress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[segment], p.passed[segment] = at.Drawn, at.Passed
	p.move(at.Drawn > 0 || at.Passed > 0)
}

// found says that a segment need not be drawn.
func (p *progress) found(segment, frames int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[segment], p.toPass[segment], p.passed[segment] = frames, 0, 0
	p.move(false)
}

// move reports at times, and at once when the first frame is drawn or passed.
func (p *progress) move(worked bool) {
	if !p.began.IsZero() && (p.now().Sub(p.said) >= often || !p.drew && worked) {
		if !p.drew && worked {
			p.drew, p.first, p.early = true, p.now(), p.work(p.counts, p.passed)
		}
		p.say(0)
	}
}

// passShare is the cost of a frame that a page is brought forward through, compared
// with a drawn frame. It is a guess for the time left, and no byte depends on it.
const passShare = 0.2

// work is the cost of frames, in drawn frames.
func (p *progress) work(drawn, passed []int) float64 {
	return float64(sum(drawn)) + passShare*float64(sum(passed))
}

func sum(all []int) (n int) {
	for _, v := range all {
		n += v
	}
	return n
}

// stage reports the next stage.
func (p *progress) stage(s koda.Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == koda.StageCapturing {
		p.drawing = p.now().Sub(p.began)
	}
	p.at = s
	p.say(0)
}

// finish reports that everything is done.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say(100)
}

// say reports the progress. Before percent is 100, the video is not in place.
func (p *progress) say(percent float64) {
	p.said = p.now()
	done, work, all := sum(p.counts), p.work(p.counts, p.passed), p.work([]int{p.frames}, p.toPass)
	r := koda.Progress{
		Kind: p.kind, Stage: p.at, Frame: done, Frames: p.frames, Percent: percent, Passed: sum(p.passed), ToPass: sum(p.toPass),
	}
	if percent == 0 {
		r.Percent = min(99, 100*work/all)
	}
	spent := p.drawing
	if p.at == koda.StageCapturing {
		spent = p.said.Sub(p.began)
	}
	if drawn := done - p.reused; drawn > 0 && spent > 0 {
		r.Rate = float64(drawn) / spent.Seconds()
	}
	if since := p.said.Sub(p.first); p.at == koda.StageCapturing && p.drew && since >= settled && work > p.early {
		r.Remaining = time.Duration((all - work) / (work - p.early) * float64(since))
		r.ETAMS = r.Remaining.Milliseconds()
	}
	p.report(r)
}
