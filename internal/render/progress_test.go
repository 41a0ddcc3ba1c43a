package render_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

// TestSteady: the time left runs down evenly. It follows a better estimate slowly, and a
// worse one by waiting; it only rises where the estimate is much worse, by a second a
// second.
func TestSteady(t *testing.T) {
	t.Parallel()
	run := func(last time.Duration, seconds int, estimate func(second int) time.Duration) (all []time.Duration) {
		for s := range seconds {
			last = render.Steady(last, estimate(s), time.Second)
			all = append(all, last.Round(time.Second/10))
		}
		return all
	}
	fast := run(20*time.Second, 20, func(s int) time.Duration { return time.Duration(19-s) * time.Second })
	if fast[0] != 19*time.Second || fast[9] != 10*time.Second || fast[19] != 0 {
		t.Errorf("a true estimate gives %v", fast)
	}
	if got := render.Steady(0, 7*time.Second, time.Second); got != 7*time.Second {
		t.Errorf("the first estimate gives %v", got)
	}
	// Estimates that jump by 30 % up and down.
	last := 20 * time.Second
	for i, got := range run(last, 15, func(s int) time.Duration {
		return time.Duration(float64(19-s)*(1+0.3*float64(1-2*(s%2)))*1000) * time.Millisecond
	}) {
		if got > last || last-got > 5*time.Second {
			t.Errorf("after %d s the time left went from %v to %v", i+1, last, got)
		}
		last = got
	}
	// The last part is ten times as slow.
	last = 5 * time.Second
	for i, got := range run(last, 30, func(s int) time.Duration { return time.Duration(50-s) * time.Second }) {
		if got > last+time.Second {
			t.Errorf("after %d s the time left leapt from %v to %v", i+1, last, got)
		}
		last = got
	}
	if last < 19*time.Second {
		t.Errorf("the time left is still %v of 20 s", last)
	}
}

// TestProgress_Stall: while nothing moves, the same is said again once a second, with what
// the worker does. A glimpse is reported once, and at most twice a second.
func TestProgress_Stall(t *testing.T) {
	t.Parallel()
	now := time.Unix(1, 0)
	var told []koda.Progress
	p := render.NewProgress(100, func() time.Time { return now }, func(r koda.Progress) { told = append(told, r) })
	p.Set(koda.SegmentProgress{Drawn: 1, Doing: koda.DoingDraw, Try: 1, Glimpse: &koda.Glimpse{Frame: 0}})
	now = now.Add(50 * time.Millisecond)
	p.Set(koda.SegmentProgress{Drawn: 2, Doing: koda.DoingDraw, Try: 1, Glimpse: &koda.Glimpse{Frame: 1}})
	if p.Again(); len(told) != 2 || told[1].Glimpse == nil || told[1].Glimpse.Frame != 0 {
		t.Fatalf("%d reports: %+v", len(told), told)
	}
	now = now.Add(time.Second)
	p.Again()
	last := told[len(told)-1]
	want := []koda.Worker{{First: 0, Last: 99, SegmentProgress: koda.SegmentProgress{Drawn: 2, Doing: koda.DoingDraw, Try: 1}}}
	if diff := cmp.Diff(want, last.Workers); diff != "" || last.Frame != 2 || last.Glimpse != nil {
		t.Errorf("%d frames, glimpse %v, workers:\n%s", last.Frame, last.Glimpse, diff)
	}
	p.End()
	now = now.Add(time.Second)
	if p.Again(); len(told) != 4 || len(told[3].Workers) != 0 {
		t.Errorf("%d reports, the last %+v", len(told), told[len(told)-1])
	}
}
