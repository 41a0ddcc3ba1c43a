package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

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
	reused   int          // frames taken from finished segments
	byKeys   map[int]bool // segments found by their frame keys
	tries    int          // how many browsers a segment may cost
	ranges   []koda.Range // why each was drawn or not

	threads []int // for WebGL, of each segment

	held    lock         // on the cache
	room    sync.RWMutex // held for writing by an attempt that needs all memory
	mu      sync.Mutex
	retries []string // what went wrong on the way

	mishaps []koda.Mishap  // of the page, in all segments
	flat    map[int]string // the one colour of segments; "" of those with more
	shot    []koda.Range   // drawn by screenshots, though pixels were to be read
	edges   []*edge        // what finished segments show at their ends
	moving  string         // what moves in the page by itself
	uneven  []int          // where cuts are seen though the page was brought forward
}

func (r *Renderer) newJob(p plan, report func(koda.Progress), tries int) (*job, error) {
	host := r.cfg.FFmpeg.Host()
	tmp, err := host.MkdirTemp("render")
	if err != nil {
		return nil, diskError("make temporary directory", err)
	}
	j := &job{cfg: r.cfg, plan: p, host: host, tmp: tmp, tries: tries, byKeys: map[int]bool{}, flat: map[int]string{}, edges: make([]*edge, len(p.segments)), progress: newProgress(p, r.cfg.Now, report)}
	dir := filepath.Join(r.cfg.CacheDir, segmentsName)
	if p.spec.NoCache {
		dir = filepath.Join(tmp, segmentsName)
	}
	j.segments = store{dir: dir, now: r.cfg.Now}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		j.clean()
		return nil, diskError("make cache directory", err)
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
		// A cache that is too large fails no render; koda gc says why it is.
		_, _ = Trim(context.Background(), j.cfg.CacheDir, j.cfg.CacheMax, false) //nolint:errcheck // see above
	}
}

// workers is how many segments are drawn at the same time. It is in no byte.
func (j *job) workers(c capacity, todo int) int {
	n := j.plan.spec.Workers
	if n <= 0 {
		n = c.workers(j.plan.spec, j.plan.view, j.plan.page.WebGL)
	}
	return max(1, min(n, todo))
}

// drawAll makes every segment that is not there yet. When one fails the others
// are stopped and waited for; what is finished stays.
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
	here := machine()
	workers := j.workers(here, len(todo))
	j.threads = make([]int, len(j.plan.segments))
	for k, i := range todo {
		j.threads[i] = glThreads(here.cpus, workers, len(todo), k)
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

// missing lists the segments that are nowhere to be found.
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

// tries is how many browsers a segment may cost.
const tries = 3

// draw makes a segment. A capture that fails is tried again from the first
// frame in a fresh browser; one that ran out of memory, when no other is at work.
func (j *job) draw(ctx context.Context, i int) error {
	var earlier []string
	var more *koda.RoundsError
	alone := false
	for try := 1; ; try++ {
		err := j.attemptIn(ctx, i, alone)
		switch {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case err == nil:
			return j.take(i)
		case errors.Is(err, errUnfilled), errors.Is(err, koda.ErrRawRefused):
			return err
		case errors.Is(err, errByShots):
			if j.find(i) {
				j.foundLate(i)
				return j.take(i)
			}
			try--
			j.progress.again(i)
			continue
		case errors.As(err, &more):
			// Each time it is more, of eight at most, or none is ever enough.
			j.plan.segments[i].rounds = more.Rounds
			try--
			j.progress.again(i)
			continue
		case koda.CodeOf(err) == koda.CodeDiskFull:
			return &koda.Error{
				Code: koda.CodeDiskFull, Op: "draw frames " + j.plan.segments[i].String(), Err: err,
				Hint: fmt.Sprintf("free some space on the disk of %s and go on: finished segments are kept", j.cfg.CacheDir),
			}
		case !worthRetrying(err):
			return &koda.Error{Code: koda.CodeOf(err), Op: "draw frames " + j.plan.segments[i].String(), Err: err, Hint: j.encoderHint(err)}
		case try == j.tries:
			return j.givenUp(i, err, earlier)
		}
		what := fmt.Sprintf("frames %v were drawn again in a fresh browser: %s", j.plan.segments[i], reason(err))
		earlier = append(earlier, what)
		j.mu.Lock()
		j.retries = append(j.retries, what)
		j.mu.Unlock()
		alone = koda.CodeOf(err) == koda.CodeOutOfMemory
		j.progress.again(i)
	}
}

// attemptIn makes one attempt, alone or beside others. A process of it that the
// kernel killed for its memory is said to have been, whatever it looked like.
func (j *job) attemptIn(ctx context.Context, i int, alone bool) error {
	if alone {
		j.room.Lock()
		defer j.room.Unlock()
	} else {
		j.room.RLock()
		defer j.room.RUnlock()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	root := os.DirFS("/")
	before := oomKills(root)
	err := j.attempt(ctx, i)
	if err != nil && koda.CodeOf(err) != koda.CodeOutOfMemory && worthRetrying(err) && oomKills(root) > before {
		err = &koda.Error{
			Code: koda.CodeOutOfMemory, Op: "the kernel killed a process for its memory", Err: err,
			Hint: "close other programs, or give --workers 1 or a smaller --resolution", Details: koda.DetailsOf(err),
		}
	}
	return err
}

// mostWarnings bounds what is told of a page.
const mostWarnings = 8

// warn notes what a page did that cannot be meant, in one segment.
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

// sentences are those of mishaps.
func sentences(mishaps []koda.Mishap) []string {
	var all []string
	for _, m := range mishaps {
		all = append(all, m.String())
	}
	return all
}

// givenUp is the error of a segment that failed in every browser.
func (j *job) givenUp(i int, err error, earlier []string) error {
	code := koda.CodeRenderFailed
	if c := koda.CodeOf(err); c == koda.CodeOutOfMemory || c == koda.CodeEncodeFailed {
		code = c
	}
	hint := koda.HintOf(err)
	if hint == "" {
		hint = "run it again: finished segments are kept"
	}
	details := strings.TrimSpace(koda.DetailsOf(err) + "\n" + strings.Join(earlier, "\n"))
	return &koda.Error{
		Code: code, Op: fmt.Sprintf("draw frames %v in %d browsers", j.plan.segments[i], j.tries), Err: err, Hint: hint, Details: details,
	}
}

// reason is one sentence of an error: what failed, and the first thing known
// about why, such as what the page was waiting for.
func reason(err error) string {
	what := err.Error()
	why, _, _ := strings.Cut(koda.DetailsOf(err), "\n")
	if why == "" || strings.Contains(what, why) {
		return what
	}
	return what + "; " + why
}

// worthRetrying tells a browser's failure, and the end of an ffmpeg that was
// killed, stopped or crashed, which others may not have, from those of the page,
// the encoder and the machine.
func worthRetrying(err error) bool {
	if koda.Lasting(err) {
		return false
	}
	if ffmpeg.Ended(err) {
		return true
	}
	switch koda.CodeOf(err) {
	case koda.CodeCaptureFailed, koda.CodeOutOfMemory, koda.CodeTimeout, koda.CodeFailed:
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
