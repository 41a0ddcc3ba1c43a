package docker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Drawer draws in a container of its own, made of the same image as the sandboxes, in
// which no command of an author runs. It keeps the contract of package render's drawer.
// The container is made when it is needed, and again when it is gone; it ends with Close,
// or soon after this process.
type Drawer struct {
	p *Provider

	mu     sync.Mutex // held while a container is made
	at     *studio    // nil: none
	closed bool
}

var _ guest.Drawer = (*Drawer)(nil)

// Drawer returns a drawer. It asks the engine nothing yet.
func (p *Provider) Drawer() *Drawer { return &Drawer{p: p} }

// studio is a container that draws.
type studio struct {
	*guest.Drawing
	id string
	// findings is the file of what is known about the browser of containers; "" for none.
	findings string
	touch    *time.Ticker
	end      chan struct{}
	gone     chan struct{} // closed when the container has ended
	cause    error         // why, once gone is closed
}

// acquaint tells a new container what an earlier container of the same image found out
// about its browser; if there was none, it has the container find out, before it opens a
// page, and keeps that. Whatever fails here costs only time.
func (d *Drawer) acquaint(ctx context.Context, s *studio, image string) {
	if d.p.cfg.Cache == "" {
		return
	}
	_, tag, _ := strings.Cut(image, ":") // of digests: the image and the guest
	s.findings = filepath.Join(d.p.cfg.Cache, "drawing-"+tag+".json")
	if found, err := os.ReadFile(s.findings); err == nil {
		_ = s.Learn(ctx, found) //nolint:errcheck // the container finds out by itself
		return
	}
	job := koda.FactsJob{Spec: koda.RenderSpec{Format: "mp4", Width: 2, Height: 2}, View: koda.Viewport{Width: 2, Height: 2, Scale: 1}}
	if _, err := s.Facts(ctx, job); err != nil {
		return
	}
	if found, err := s.Findings(ctx); err == nil {
		_ = atomicfile.Write(s.findings, found, 0o600) //nolint:errcheck // the next container finds out again
	}
}

const (
	drawIdle  = time.Minute // a container that draws outlives its koda by so much
	drawTouch = drawIdle / 4
	drawTries = 3 // how many containers may end during a job
)

// use is the container, made when there is none.
func (d *Drawer) use(ctx context.Context) (*studio, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errors.New("the drawer is closed")
	}
	if d.at != nil {
		select {
		case <-d.at.gone:
		default:
			return d.at, nil
		}
	}
	var s *studio
	err := d.p.create(ctx, sandbox.Options{}, true, func(ctx context.Context, api *client.Client, id, image, digest string) (err error) {
		if s, err = openStudio(ctx, api, d.p.options(api, id, digest)); err == nil {
			d.acquaint(ctx, s, image)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d.at = s
	return s, nil
}

// openStudio greets the guest of a container that draws, and watches the container.
func openStudio(ctx context.Context, api *client.Client, o guest.Options) (*studio, error) {
	drawing, err := guest.OpenDrawing(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &studio{Drawing: drawing, id: o.ID, touch: time.NewTicker(drawTouch), end: make(chan struct{}), gone: make(chan struct{})}
	watched, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended, failed := api.ContainerWait(watched, o.ID, container.WaitConditionNotRunning)
	go func() {
		defer cancel()
		defer s.touch.Stop()
		for {
			select {
			case <-s.touch.C:
				_ = s.Touch(watched) //nolint:errcheck // the end of the container tells
			case end := <-ended:
				s.cause = endedWith(end.StatusCode)
				close(s.gone)
				return
			case err := <-failed: // nobody tells its end any more
				s.cause = engineError("watch the container that draws", err)
				ended, failed = nil, nil
			case <-s.end:
				return
			}
		}
	}()
	return s, nil
}

// killed is the status of a guest that the kernel killed.
const killed = 128 + 9

// endedWith says why a container that draws has ended.
func endedWith(status int64) error {
	if status == killed {
		return &koda.Error{
			Code: koda.CodeOutOfMemory, Op: "the container that draws was killed, as happens when its memory is used up",
			Hint: "give --workers 1 or a smaller --resolution, or give containers more memory",
		}
	}
	return &koda.Error{Code: koda.CodeProviderError, Op: "the container that draws has ended", Hint: "run it again: finished segments are kept"}
}

// Close ends the container. The drawer draws no more.
func (d *Drawer) Close(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.at == nil {
		return nil
	}
	close(d.at.end)
	return d.at.Destroy(ctx)
}

// in does something in the container. If the container ends meanwhile, the error says
// why, and a new container gets a try.
func (d *Drawer) in(ctx context.Context, do func(guest.Drawer) error) error {
	for try := 1; ; try++ {
		s, err := d.use(ctx)
		if err != nil {
			return err
		}
		err = do(s)
		if code := koda.CodeOf(err); ctx.Err() != nil || d.p.silent.Load() || code != koda.CodeSandboxNotFound && code != koda.CodeProviderError {
			return err
		}
		select {
		case <-s.gone:
			err = s.cause
		case <-time.After(endNotice):
			return err // it lives and answers wrongly
		case <-ctx.Done():
			return ctx.Err()
		}
		if try == drawTries {
			return err
		}
	}
}

// endNotice is how long the engine may take to tell of the end of a container.
const endNotice = 5 * time.Second

// Facts implements [guest.Drawer].
func (d *Drawer) Facts(ctx context.Context, job koda.FactsJob) (f koda.Facts, err error) {
	err = d.in(ctx, func(g guest.Drawer) (err error) {
		if s, ok := g.(*studio); ok && job.Anew && s.findings != "" {
			_ = os.Remove(s.findings) //nolint:errcheck // there may be none
		}
		f, err = g.Facts(ctx, job)
		return err
	})
	return f, err
}

// Inspect implements [guest.Drawer].
func (d *Drawer) Inspect(ctx context.Context, job koda.InspectJob) (seen koda.Inspected, err error) {
	err = d.in(ctx, func(g guest.Drawer) (err error) { seen, err = g.Inspect(ctx, job); return err })
	return seen, err
}

// Draw implements [guest.Drawer].
func (d *Drawer) Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (drawn koda.Drawn, err error) {
	err = d.in(ctx, func(g guest.Drawer) (err error) { drawn, err = g.Draw(ctx, job, report); return err })
	return drawn, err
}

// Finish implements [guest.Drawer].
func (d *Drawer) Finish(ctx context.Context, job koda.FinishJob) (done koda.Finished, err error) {
	err = d.in(ctx, func(g guest.Drawer) (err error) { done, err = g.Finish(ctx, job); return err })
	return done, err
}

// Look implements [guest.Drawer].
func (d *Drawer) Look(ctx context.Context, job koda.LookJob) (seen koda.Looked, err error) {
	err = d.in(ctx, func(g guest.Drawer) (err error) { seen, err = g.Look(ctx, job); return err })
	return seen, err
}
