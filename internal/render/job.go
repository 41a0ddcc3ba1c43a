package render

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// job is one Render call at work.
type job struct {
	cfg      Config
	plan     plan
	host     sandbox.Host
	tmp      string // unfinished files, on the host
	segments store
	progress *progress
	reused   int // frames taken from finished segments
}

func (r *Renderer) newJob(p plan, report func(koda.Progress)) (*job, error) {
	host := r.cfg.FFmpeg.Host()
	tmp, err := host.MkdirTemp("render")
	if err != nil {
		return nil, diskError("make temporary directory", err)
	}
	j := &job{cfg: r.cfg, plan: p, host: host, tmp: tmp, progress: newProgress(p, r.cfg.Now, report)}
	dir := filepath.Join(r.cfg.CacheDir, "segments")
	if p.spec.NoCache {
		dir = filepath.Join(tmp, "segments")
	}
	j.segments = store{dir: dir, now: r.cfg.Now}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		j.clean()
		return nil, diskError("make cache directory", err)
	}
	j.segments.sweep()
	return j, nil
}

// clean removes unfinished files.
func (j *job) clean() {
	_ = j.host.RemoveAll(j.tmp) //nolint:errcheck // the clean-up after this process removes it
}

// workers is how many segments are drawn at the same time. It is in no byte.
func (j *job) workers(todo int) int {
	n := j.plan.spec.Workers
	if n <= 0 {
		n = DefaultWorkers()
	}
	return max(1, min(n, todo))
}

// DefaultWorkers is the number of workers for this process: one for each CPU it
// may use, cgroup quota included. A browser keeps 1.3 CPUs busy and its ffmpeg
// half of one, but a second browser fills the gaps of the first.
func DefaultWorkers() int { return max(1, runtime.GOMAXPROCS(0)) }

// drawAll makes every segment that is not there yet. When one fails the others
// are stopped and waited for; what is finished stays.
func (j *job) drawAll(ctx context.Context) error {
	var todo []int
	for i, s := range j.plan.segments {
		if j.segments.has(s, j.plan.spec) {
			j.reused += s.Len()
			j.progress.set(i, s.Len())
		} else {
			todo = append(todo, i)
		}
	}
	j.progress.start(j.reused)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range j.workers(len(todo)) {
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

// draw makes a segment. A capture that fails is tried once more from the first
// frame in a fresh browser.
func (j *job) draw(ctx context.Context, i int) error {
	err := j.attempt(ctx, i)
	if err != nil && ctx.Err() == nil && worthRetrying(err) {
		j.progress.set(i, 0)
		err = j.attempt(ctx, i)
	}
	if err == nil || ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	code := koda.CodeOf(err)
	if code == koda.CodeFailed {
		code = koda.CodeRenderFailed
	}
	return &koda.Error{Code: code, Op: "draw frames " + j.plan.segments[i].String(), Err: err, Hint: koda.HintOf(err)}
}

// worthRetrying tells a browser's failure, which another may not have, from
// those of the page, the encoder and the machine.
func worthRetrying(err error) bool {
	switch koda.CodeOf(err) {
	case koda.CodeCaptureFailed, koda.CodeOutOfMemory, koda.CodeTimeout, koda.CodeSeekFailed, koda.CodeFailed:
		return true
	}
	return false
}

// parts lists the finished segments for joining.
func (j *job) parts() []ffmpeg.Segment {
	parts := make([]ffmpeg.Segment, len(j.plan.segments))
	for i, s := range j.plan.segments {
		parts[i] = ffmpeg.Segment{Path: j.segments.path(s), Frames: s.Len()}
	}
	return parts
}
