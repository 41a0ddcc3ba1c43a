package render

import (
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

const (
	// often is the least time between two reports of the same stage, but for the
	// first frame drawn, which is told at once.
	often = 100 * time.Millisecond
	// settled is how long frames are counted, from the first that was drawn, before
	// the time left is said: what goes before it is browsers starting.
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
	reused  int
	began   time.Time // when drawing began
	said    time.Time // when something was last reported
	drew    bool      // a frame, and said so
	first   time.Time // when that was
	early   int       // frames finished then
	drawing time.Duration
}

func newProgress(p plan, now func() time.Time, report func(koda.Progress)) *progress {
	if report == nil {
		report = func(koda.Progress) {}
	}
	return &progress{now: now, report: report, kind: p.spec.Kind, at: koda.StageCapturing, frames: p.spec.Frames, counts: make([]int, len(p.segments))}
}

// start begins the clock; reused frames are finished already and say nothing
// about the rate.
func (p *progress) start(reused int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reused, p.began = reused, p.now()
	p.say(0)
}

// set says how many frames of a segment are finished.
func (p *progress) set(segment, frames int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[segment] = frames
	if !p.began.IsZero() && (p.now().Sub(p.said) >= often || !p.drew && frames > 0) {
		if !p.drew && frames > 0 {
			p.drew, p.first, p.early = true, p.now(), p.done()
		}
		p.say(0)
	}
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

// finish reports that all is done.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say(100)
}

// done counts the finished frames.
func (p *progress) done() (n int) {
	for _, frames := range p.counts {
		n += frames
	}
	return n
}

// say reports where things stand. The video is not there before percent is 100.
func (p *progress) say(percent float64) {
	p.said = p.now()
	done := p.done()
	r := koda.Progress{Kind: p.kind, Stage: p.at, Frame: done, Frames: p.frames, Percent: percent}
	if percent == 0 {
		r.Percent = min(99, 100*float64(done)/float64(p.frames))
	}
	spent := p.drawing
	if p.at == koda.StageCapturing {
		spent = p.said.Sub(p.began)
	}
	if drawn := done - p.reused; drawn > 0 && spent > 0 {
		r.Rate = float64(drawn) / spent.Seconds()
		if since := p.said.Sub(p.first); p.at == koda.StageCapturing && p.drew && since >= settled && done > p.early {
			r.Remaining = time.Duration(float64(p.frames-done) / float64(done-p.early) * float64(since))
			r.ETAMS = r.Remaining.Milliseconds()
		}
	}
	p.report(r)
}
