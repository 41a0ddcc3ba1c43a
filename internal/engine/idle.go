package engine

import (
	"context"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// Idle waits until the person was away for as long as [Limits] allow, then
// checkpoints the project and destroys its sandbox. Later work that needs a sandbox
// makes a new one from the files and the state. Idle returns when the sandbox is
// destroyed, or when ctx ends. A face calls Idle while it waits for the person;
// before the face calls anything else, it ends Idle and waits for its return.
func (e *Engine) Idle(ctx context.Context, id string) error {
	away := e.alarm(e.cfg.Limits.Idle)
	defer away.off()
	select {
	case <-ctx.Done():
		return nil
	case <-away.c:
	}
	err := e.suspend(ctx, id, e.cfg.Storage.Hold)
	if ctx.Err() != nil || koda.CodeOf(err) == koda.CodeInUse {
		return nil // the person is back, or somebody else works on the project
	}
	return err
}

// lookEvery is how often a face that waits looks whether another process changed the
// project.
const lookEvery = time.Second

// Changed waits until a project was changed after the person saw it, or another process
// began or ended to work on it, or ctx ends. It takes no lock. A video that was made is a
// change; that the project was put to rest is none.
func (e *Engine) Changed(ctx context.Context, id string, saw koda.NodeState, busy bool) error {
	for {
		next := e.alarm(lookEvery)
		select {
		case <-ctx.Done():
			next.off()
			return nil
		case <-next.c:
		}
		p, s, err := e.read(context.WithoutCancel(ctx), id)
		if err != nil || !s.Node.UpdatedAt.Equal(saw.UpdatedAt) {
			return err
		}
		if now, _ := e.working(ctx, p, s); now != busy {
			return nil
		}
	}
}

// suspend checkpoints a project and destroys its sandbox, if it has a sandbox and no
// person is in it.
func (e *Engine) suspend(ctx context.Context, id string, lock locker) (err error) {
	r, err := e.openBy(ctx, id, lock)
	if err != nil {
		return err
	}
	defer func() { err = closed(r, err) }()
	if len(e.visitors(id)) > 0 {
		return &koda.Error{Code: koda.CodeInUse, Op: "somebody is in the sandbox of " + r.project.Name}
	}
	if err := r.connect(ctx); err != nil || r.sb == nil {
		return err
	}
	session, _, err := r.session(ctx)
	if err != nil {
		return err
	}
	r.away = r.unused(session)
	return r.suspend(ctx)
}

// suspend releases the sandbox in use and journals the release. Nobody changed the
// project, so its time of change stays.
func (r *run) suspend(ctx context.Context) error {
	if err := r.releaseSandbox(ctx); err != nil {
		return err
	}
	return r.step(ctx, phase.Suspended{Stamp: phase.Stamp{At: r.state.Node.UpdatedAt}}, with{})
}

// suspendFailed saves what can be saved of a project that failed, and ends its
// sandbox. If the work cannot be saved, the sandbox lives on with it, and the
// person is told.
func (r *run) suspendFailed() {
	if r.sb == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastMoment)
	defer cancel()
	r.tellUnsaved(ctx, r.suspend(ctx))
}

// lastMoment is how long saving may take when the time is up.
const lastMoment = 10 * time.Second
