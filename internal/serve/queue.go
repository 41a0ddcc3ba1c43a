package serve

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// Queue lets a few renders draw at a time; the others wait in order. A render that waits is
// journaled already: after a crash it waits again.
type Queue struct {
	mu      sync.Mutex
	free    int
	waiting []*turn
}

type turn struct {
	output string
	ready  chan struct{}
}

// NewQueue makes a queue that lets n renders draw at a time.
func NewQueue(n int) *Queue { return &Queue{free: max(1, n)} }

// Over is r, whose videos wait for their turn.
func (q *Queue) Over(r engine.Renderer) engine.Renderer { return queued{r, q} }

// Waiting is how many renders wait.
func (q *Queue) Waiting() int {
	if q == nil {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// position is the place of a project's render among those that wait, from 1; 0 if none waits.
func (q *Queue) position(dir string) int {
	if q == nil {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return 1 + slices.IndexFunc(q.waiting, func(t *turn) bool { return strings.HasPrefix(t.output, dir+"/") })
}

// take waits for a turn; the caller calls give afterwards.
func (q *Queue) take(ctx context.Context, output string) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	t := &turn{output, make(chan struct{})}
	q.waiting = append(q.waiting, t)
	q.mu.Unlock()
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(q.waiting, t)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i < 0 { // its turn came at the same moment
		q.give()
	}
	return context.Cause(ctx)
}

func (q *Queue) give() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.free++
		return
	}
	close(q.waiting[0].ready)
	q.waiting = q.waiting[1:]
}

// queued is a renderer whose videos wait for their turn. Stills do not wait.
type queued struct {
	engine.Renderer
	q *Queue
}

// Render implements engine.Renderer.
func (r queued) Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error) {
	if err := r.q.take(ctx, spec.Output); err != nil {
		return koda.RenderResult{}, err
	}
	defer r.q.give()
	return r.Renderer.Render(ctx, files, spec, report)
}

// Compare implements engine.Renderer.
func (r queued) Compare(ctx context.Context, from, to fs.FS, c koda.VideoComparison, report func(koda.Progress)) (koda.RenderResult, error) {
	if err := r.q.take(ctx, c.Output); err != nil {
		return koda.RenderResult{}, err
	}
	defer r.q.give()
	return r.Renderer.Compare(ctx, from, to, c, report)
}
