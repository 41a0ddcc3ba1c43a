package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/trace"
)

// job is one Render call at work.
type job struct {
	cfg      Config
	plan     plan
	host     sandbox.Host
	tmp      string // unfinished files, on the host
	segments store
	progress *progress
	reused   int          // frames taken from finished segments
	byKeys   map[int]bool // segments found by their frame keys
	tries    int          // how many browsers may fail for a segment
	ranges   []koda.Range // why each range was drawn or reused
	beside   []int        // how many segments are drawn at the same time as each segment

	held    lock // on the cache
	mu      sync.Mutex
	retries []string // what went wrong on the way

	mishaps []koda.Mishap  // of the page, in all segments
	flat    map[int]string // the one colour of segments; "" for segments with more colours
	shot    []koda.Range   // drawn by screenshots instead of raw pixels
	edges   []*koda.Edge   // what finished segments show at their ends
	moving  string         // what moves in the page by itself
	uneven  []int          // cuts that are seen although the page was brought forward

	stripless error // why the video has no strip although its spec asks for one
}

func (r *Renderer) newJob(p plan, report func(koda.Progress), tries int) (*job, error) {
	host := r.cfg.Host
	tmp, err := host.MkdirTemp("render")
	if err != nil {
		return nil, koda.DiskError("make temporary directory", err)
	}
	j := &job{cfg: r.cfg, plan: p, host: host, tmp: tmp, tries: tries, byKeys: map[int]bool{}, flat: map[int]string{}, edges: make([]*koda.Edge, len(p.segments)), progress: newProgress(p, r.cfg.Now, report)}
	dir := filepath.Join(r.cfg.CacheDir, segmentsName)
	if p.spec.NoCache {
		dir = filepath.Join(tmp, segmentsName)
	}
	j.segments = store{dir: dir, now: r.cfg.Now}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		j.clean()
		return nil, koda.DiskError("make cache directory", err)
	}
	if !p.spec.NoCache {
		j.held, _ = lockCache(r.cfg.CacheDir, syscall.LOCK_SH)
	}
	j.segments.sweep()
	return j, nil
}

// clean removes unfinished files and trims the cache to its bound.
func (j *job) clean() {
	_ = j.host.RemoveAll(j.tmp) //nolint:errcheck // the clean-up after this process removes it
	j.held.release()
	if j.cfg.CacheMax > 0 && !j.plan.spec.NoCache {
		// A cache that is too large fails no render; koda gc reports the reason.
		_, _ = Trim(context.Background(), j.cfg.CacheDir, j.cfg.CacheMax, false) //nolint:errcheck // see above
	}
}

// workers is how many segments are drawn at the same time. No byte depends on it.
func (j *job) workers(todo int) int {
	n := j.plan.spec.Workers
	if n <= 0 {
		n = j.plan.facts.Capacity.Workers(j.plan.page.WebGL, j.plan.view.Raw)
	}
	return max(1, min(n, todo))
}

// busy is how many workers are at work while the k-th of the segments is drawn: all
// workers, or fewer for the last segments.
func busy(workers, segments, k int) int {
	if last := segments % workers; k >= segments-last {
		return last
	}
	return workers
}

// drawAll makes every missing segment. If a segment fails, the others are stopped
// and waited for; finished segments stay.
func (j *job) drawAll(ctx context.Context) error {
	todo, err := j.missing(ctx)
	if err != nil {
		return err
	}
	longestFirst(todo, func(i int) int { s := j.plan.segments[i]; return s.Len() + int(passShare*float64(j.plan.ahead(s))) })
	j.progress.start(j.reused)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	defer j.progress.keepSaying()()
	workers := j.workers(len(todo))
	j.beside = make([]int, len(j.plan.segments))
	for k, i := range todo {
		j.beside[i] = busy(workers, len(todo), k)
	}
	for range workers {
		wg.Go(func() {
			for i := range next {
				if err := j.draw(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
feed:
	for _, i := range todo {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// missing lists the segments that are neither in the store nor found by their keys.
func (j *job) missing(ctx context.Context) ([]int, error) {
	var todo []int
	for i := range j.plan.segments {
		if !j.find(i) {
			todo = append(todo, i)
		}
	}
	todo, err := j.findByKeys(ctx, todo)
	if err != nil {
		return nil, err
	}
	for i, s := range j.plan.segments {
		if !slices.Contains(todo, i) {
			j.reused += s.Len()
			j.progress.found(i, s.Len())
			if err := j.take(i); err != nil {
				return nil, err
			}
		}
	}
	if j.plan.spec.Explain {
		j.ranges = j.explain(todo)
	}
	return todo, nil
}

// draw draws a segment and publishes it. If the segment's raw pixels were found to
// be wrong, draw uses screenshots.
func (j *job) draw(ctx context.Context, i int) error {
	for {
		seg := j.plan.segments[i]
		job := koda.SegmentJob{
			Page: j.plan.page, Spec: j.plan.spec, View: j.plan.of(seg).view, Facts: j.plan.facts, Span: seg.Span,
			Forward: j.plan.forward(), Filled: j.plan.filled, Tries: j.tries, Beside: j.beside[i], Output: filepath.Join(j.tmp, seg.file()),
		}
		j.progress.begin(i, seg.Span)
		within, span := trace.Start(ctx, "segment", "first", seg.Start, "frames", seg.Len())
		drawn, err := j.cfg.Drawer.Draw(within, job, func(p koda.SegmentProgress) { j.progress.set(i, p) })
		span.End(err)
		j.progress.end(i)
		j.mu.Lock()
		j.retries = append(j.retries, drawn.Retries...)
		j.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case err == nil:
			if err = j.keep(job.Output, i, drawn); err == nil {
				return j.take(i)
			}
			err = &koda.Error{Code: koda.CodeOf(err), Op: "draw frames " + seg.String(), Err: err, Hint: koda.HintOf(err)}
		case job.View.Raw && errors.Is(err, koda.ErrRawWrong):
			if err := j.distrust(i, drawn.Keys); err != nil {
				return err
			}
			if j.find(i) {
				j.foundLate(i)
				return j.take(i)
			}
			j.progress.set(i, koda.SegmentProgress{})
			continue
		}
		if koda.CodeOf(err) == koda.CodeDiskFull {
			hint := fmt.Sprintf("free some space on the disk of %s and go on: finished segments are kept", j.cfg.CacheDir)
			return &koda.Error{Code: koda.CodeDiskFull, Err: err, Hint: hint}
		}
		return err
	}
}

// mostWarnings bounds the warnings about a page.
const mostWarnings = 8

// warn notes mishaps of a page in one segment.
func (j *job) warn(mishaps []koda.Mishap) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, m := range mishaps {
		i := slices.IndexFunc(j.mishaps, func(known koda.Mishap) bool { return known.What == m.What })
		switch {
		case i >= 0 && m.Times > 1:
			j.mishaps[i].Times += m.Times
		case i < 0 && len(j.mishaps) < mostWarnings:
			j.mishaps = append(j.mishaps, m)
		}
	}
}

// sentences are the sentences of mishaps.
func sentences(mishaps []koda.Mishap) []string {
	var all []string
	for _, m := range mishaps {
		all = append(all, m.String())
	}
	return all
}

// parts lists the finished segments for joining.
func (j *job) parts() []koda.SegmentFile {
	parts := make([]koda.SegmentFile, len(j.plan.segments))
	for i, s := range j.plan.segments {
		parts[i] = koda.SegmentFile{Path: j.segments.path(s), Frames: s.Len()}
	}
	return parts
}
