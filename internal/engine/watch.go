package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// Limits are the times by which a project's sandbox is watched; 0 is never.
//
// A sandbox is checkpointed at seven moments: when nothing was written for [settle]
// after a write, when a todo is done, every Checkpoint while an author works,
// before a preview is shown, when the person is away for Idle (then the sandbox is
// destroyed too), when the face is lost, and before the sandbox is destroyed for
// whatever reason.
type Limits struct {
	Checkpoint time.Duration // between two checkpoints while an author works
	Idle       time.Duration // of the person
	Life       time.Duration // of a sandbox in which nothing was done
	Answers    int           // of models, while one command works; 0 is no bound
	USD        float64       // that the answers of models may cost a project; 0 is no bound
}

// settle is how long no file must be written before the last writes are
// checkpointed.
const settle = 5 * time.Second

// watch checkpoints while an author works.
type watch struct{ writes chan struct{} }

// wrote says that a file was written. It never waits.
func (w *watch) wrote() {
	if w == nil {
		return
	}
	select {
	case w.writes <- struct{}{}:
	default: // an earlier write is waiting to be noticed
	}
}

// alarm is a time to wait for; the zero alarm never comes.
type alarm struct {
	c    <-chan time.Time
	stop func()
}

func (e *Engine) alarm(d time.Duration) alarm {
	if d <= 0 {
		return alarm{}
	}
	c, stop := e.cfg.After(d)
	return alarm{c, stop}
}

// pause waits, until the context ends at the latest.
func (e *Engine) pause(ctx context.Context, d time.Duration) error {
	a := e.alarm(d)
	defer a.off()
	select {
	case <-a.c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *alarm) off() {
	if a.stop != nil {
		a.stop()
	}
	*a = alarm{}
}

// watched lets an author work and checkpoints meanwhile. The watch has ended
// when it returns, or panics.
func (r *run) watched(ctx context.Context, work func() error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{writes: make(chan struct{}, 1)}
	r.watch = w
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.look(ctx, w)
	}()
	defer func() { r.watch = nil }()
	r.apart(func() {
		defer func() {
			cancel()
			<-done
		}()
		err = work()
	})
	return err
}

// look waits for the moments of a checkpoint until ctx ends.
func (r *run) look(ctx context.Context, w *watch) {
	var quiet alarm
	beat := r.e.alarm(r.e.cfg.Limits.Checkpoint)
	defer func() { quiet.off(); beat.off() }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.writes:
			quiet.off()
			quiet = r.e.alarm(settle)
		case <-quiet.c:
			quiet = alarm{}
			r.heartbeat(ctx)
		case <-beat.c:
			r.heartbeat(ctx)
			beat = r.e.alarm(r.e.cfg.Limits.Checkpoint)
		}
	}
}

// heartbeat prolongs the sandbox's life, and checkpoints while the author's calls go on,
// if a file changed since the last time. If the files cannot be saved, the person and the author are told.
// Saving is tried again the next time, and at the end of the todo, which fails if
// the files still cannot be saved.
func (r *run) heartbeat(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil || r.sb == nil {
		return
	}
	_ = r.sb.Touch(ctx) //nolint:errcheck // the checkpoint meets the same error
	_, saved, err := r.checkpointNow(ctx, false)
	if err == nil && !saved || r.sb == nil {
		return
	}
	if err == nil {
		err = r.step(ctx, phase.Checkpointed{Stamp: r.stamp()}, with{})
	}
	if ctx.Err() == nil {
		r.tellUnsaved(ctx, err)
	}
}

// tellUnsaved tells the person and the author that a checkpoint failed. It tells
// them once, until a checkpoint succeeds. If not even that can be journaled, only
// the person is told.
func (r *run) tellUnsaved(ctx context.Context, err error) {
	if err == nil || r.unkept {
		r.unkept = err != nil
		return
	}
	r.unkept = true
	f := failureOf(&koda.Error{Code: koda.CodeSaveFailed, Op: "the work so far could not be saved", Err: err, Hint: koda.HintOf(err)})
	note := fmt.Sprintf("%s. It is in the sandbox, and saving it is tried again.", f.Message)
	if r.step(ctx, phase.Unsaved{Stamp: r.stamp(), Failure: f, Note: note}, with{}) != nil {
		r.pass(koda.EventWarning, koda.Warned{Message: note})
	}
}

// digestOf is the digest of all paths and contents of a tree.
func digestOf(tree map[string][]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, p := range sortedKeys(tree) {
		fmt.Fprintf(h, "%d %s %d ", len(p), p, len(tree[p]))
		_, _ = h.Write(tree[p]) //nolint:errcheck // a hash never fails
	}
	return [sha256.Size]byte(h.Sum(nil))
}
