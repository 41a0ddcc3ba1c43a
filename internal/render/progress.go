package render

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

const (
	// often is the least time between two reports of the same stage. The first
	// frame drawn is reported at once.
	often = 100 * time.Millisecond
	// seldom is the most time between two reports while segments are drawn: a report
	// that says the same again tells that nothing moves.
	seldom = time.Second
	// glance is the least time between two glimpses of a render.
	glance = time.Second / 2
	// calm is how slowly the time left follows a new estimate.
	calm = 4 * time.Second
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
	left    time.Duration // last reported
	shown   time.Time     // when a glimpse was last reported
	glimpse *koda.Glimpse // of the next report
	workers map[int]koda.Worker
	capture string
	encoder string
}

func newProgress(p plan, now func() time.Time, report func(koda.Progress)) *progress {
	if report == nil {
		report = func(koda.Progress) {}
	}
	n := len(p.segments)
	made := &progress{
		now: now, report: report, kind: p.spec.Kind, at: koda.StageCapturing, frames: p.spec.Frames,
		counts: make([]int, n), passed: make([]int, n), toPass: make([]int, n),
		workers: map[int]koda.Worker{}, capture: p.facts.Capture.Method, encoder: p.encoder(),
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
	if now := p.now(); at.Glimpse != nil && now.Sub(p.shown) >= glance {
		p.glimpse, p.shown = at.Glimpse, now
	}
	at.Glimpse = nil
	p.counts[segment], p.passed[segment] = at.Drawn, at.Passed
	if w, known := p.workers[segment]; known {
		w.SegmentProgress = at
		p.workers[segment] = w
	}
	p.move(at.Drawn > 0 || at.Passed > 0)
}

// begin says that a worker begins with a segment.
func (p *progress) begin(segment int, s koda.Span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers[segment] = koda.Worker{First: s.Start, Last: s.End - 1, SegmentProgress: koda.SegmentProgress{Doing: koda.DoingStart, Try: 1}}
}

// end says that the worker of a segment is done with it.
func (p *progress) end(segment int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.workers, segment)
}

// keepSaying reports from time to time although nothing moves, until stop is called.
func (p *progress) keepSaying() (stop func()) {
	tick, over, done := time.NewTicker(seldom), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				p.again()
			}
		}
	}()
	return func() {
		tick.Stop()
		close(over)
		<-done
	}
}

// again repeats the last report, if it is old.
func (p *progress) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.began.IsZero() && p.now().Sub(p.said) >= seldom {
		p.say(0)
	}
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
	if !p.began.IsZero() && (p.now().Sub(p.said) >= often || !p.drew && worked || p.glimpse != nil) {
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
	before := p.said
	p.said = p.now()
	done, work, all := sum(p.counts), p.work(p.counts, p.passed), p.work([]int{p.frames}, p.toPass)
	r := koda.Progress{
		Kind: p.kind, Stage: p.at, Frame: done, Frames: p.frames, Percent: percent, Passed: sum(p.passed), ToPass: sum(p.toPass),
		Capture: p.capture, Encoder: p.encoder, Glimpse: p.glimpse,
	}
	p.glimpse = nil
	for _, segment := range slices.Sorted(maps.Keys(p.workers)) {
		r.Workers = append(r.Workers, p.workers[segment])
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
		p.left = steady(p.left, time.Duration((all-work)/(work-p.early)*float64(since)), p.said.Sub(before))
		r.Remaining = p.left
		r.ETAMS = r.Remaining.Milliseconds()
	}
	p.report(r)
}

// steady is the time left after some time passed, if last was left then and now a new
// estimate says otherwise. It follows the estimate slowly, and it only rises if the
// estimate is half as much again: then by a second a second.
func steady(last, estimate, passed time.Duration) time.Duration {
	if last == 0 {
		return estimate
	}
	due := last - passed
	next := due + time.Duration(float64(estimate-due)*min(1, passed.Seconds()/calm.Seconds()))
	most := last
	if estimate > last*3/2 {
		most += passed
	}
	return max(min(next, most), 0)
}
