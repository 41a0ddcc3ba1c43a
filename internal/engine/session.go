package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// contextLost is what the conversation keeps about a sandbox that was lost.
const contextLost = "The context was lost: the sandbox of this project is gone. " + comesBack

// comesBack says what a new sandbox has of a sandbox that was lost.
const comesBack = "Its files come back from the last checkpoint and what was written since; " +
	"programs that ran in it and what they left behind do not."

// stopped says that a sandbox was stopped because nobody used it.
func stopped(unused time.Duration) string {
	long := fmt.Sprintf("%d s", unused.Round(time.Second)/time.Second)
	if unused >= time.Minute {
		long = fmt.Sprintf("%d min", unused.Round(time.Minute)/time.Minute)
	}
	return "The sandbox had been stopped after " + long + " without use"
}

// sandboxMove is the next thing to do when a sandbox is needed.
type sandboxMove string

const (
	sandboxUse     sandboxMove = "use"     // use the sandbox at hand
	sandboxConnect sandboxMove = "connect" // ask for the sandbox that the session remembers
	sandboxReplace sandboxMove = "replace" // save and destroy the sandbox that answered
	sandboxMourn   sandboxMove = "mourn"   // note that the context was lost, before another sandbox is made
	sandboxCreate  sandboxMove = "create"  // make a sandbox, filled from files and journal
	sandboxGiveUp  sandboxMove = "give up" // say what failed; nothing changed, so a retry is possible
)

// sandboxFacts is what is known when a sandbox is needed.
type sandboxFacts struct {
	AtHand     bool      // this run has a sandbox
	Session    bool      // the project has a session that is not closed
	Remembered string    // the session's sandbox; "" after the sandbox was given back
	Journaled  string    // the sandbox named in the project's state; "" once its loss is noted
	Tried      bool      // the remembered sandbox was asked for
	Answer     koda.Code // the result: "" alive, SANDBOX_NOT_FOUND gone, else not known
	Old        bool      // the sandbox lay unused for longer than sandboxes may live, or was made with other settings
	Created    koda.Code // why no new sandbox could be made
}

// decideSandbox is the rule of reuse. A living sandbox is used again, unless it lay
// unused for too long, or the settings changed. A sandbox that is gone is replaced, and the loss is noted
// once. A sandbox that was given back on purpose is replaced without a note. A
// sandbox that does not answer is not replaced, as it may still hold work.
func decideSandbox(f sandboxFacts) sandboxMove {
	switch {
	case f.Created != "":
		return sandboxGiveUp
	case f.AtHand:
		return sandboxUse
	case f.Remembered != "" && !f.Tried:
		return sandboxConnect
	case f.Tried && f.Answer == "" && f.Old:
		return sandboxReplace
	case f.Tried && f.Answer == "":
		return sandboxUse
	case f.Tried && f.Answer != koda.CodeSandboxNotFound:
		return sandboxGiveUp
	case f.Journaled != "" && (f.Tried || !f.Session):
		return sandboxMourn
	}
	return sandboxCreate
}

// ensureSandbox returns a living sandbox that holds the project's files: the one in
// use, the one remembered, or a new one. When it fails, nothing has changed, except
// that a loss may be noted.
func (r *run) ensureSandbox(ctx context.Context) (sandbox.Sandbox, error) {
	session, known, err := r.session(ctx)
	if err != nil {
		return nil, err
	}
	f := sandboxFacts{AtHand: r.sb != nil, Session: known, Remembered: session.SandboxID, Journaled: r.state.Node.SandboxID}
	sb := r.sb
	for {
		switch decideSandbox(f) {
		case sandboxUse:
			return sb, r.take(ctx, sb)
		case sandboxConnect:
			sb, err = r.connectTo(ctx, session.SandboxID)
			f.Tried, f.Answer = true, koda.CodeOf(err)
			f.Old = r.outlived(session) || err == nil && r.outdated(ctx, sb, 0)
		case sandboxReplace:
			r.sb = sb
			if err := r.releaseSandbox(ctx); err != nil {
				return nil, err
			}
			f.Remembered, f.Tried = "", false
		case sandboxMourn:
			note := contextLost
			if r.outlived(session) { // then its guest ended it, as koda was gone
				note = stopped(r.unused(session)) + ". " + comesBack
			}
			if err := r.step(ctx, phase.SandboxLost{Stamp: r.stamp(), Note: note}, with{}); err != nil {
				return nil, err
			}
			f.Journaled = ""
		case sandboxCreate:
			sb, err = r.createSandbox(ctx, session)
			if koda.CodeOf(err) == koda.CodeSandboxNotFound { // it ended before it was filled
				sb, err = r.createSandbox(ctx, session)
			}
			f.AtHand, f.Created = err == nil, koda.CodeOf(err)
		case sandboxGiveUp:
			return nil, err
		}
	}
}

// take makes sb the sandbox of this run and of the project's state.
func (r *run) take(ctx context.Context, sb sandbox.Sandbox) error {
	_, answered, _, err := r.answers(ctx)
	if err != nil {
		return err
	}
	r.sb, r.answered = sb, answered
	p := r.state.Pending
	if r.state.Node.SandboxID == sb.ID() || (p != nil && p.Kind == phase.EffectSandbox) {
		return nil // the outcome of the pending effect names the sandbox
	}
	return r.step(ctx, phase.SandboxMoved{Stamp: r.stamp(), SandboxID: sb.ID()}, with{})
}

// connect finds the sandbox remembered for the project, if it is still alive.
func (r *run) connect(ctx context.Context) error {
	if r.sb != nil {
		return nil
	}
	session, known, err := r.session(ctx)
	if err != nil || !known || session.SandboxID == "" {
		return err
	}
	sb, err := r.connectTo(ctx, session.SandboxID)
	if koda.CodeOf(err) == koda.CodeSandboxNotFound {
		return nil
	}
	r.sb = sb
	return err
}

// connectTo asks for a sandbox; the state is free meanwhile.
func (r *run) connectTo(ctx context.Context, id string) (sb sandbox.Sandbox, err error) {
	provider, err := r.provider()
	if err != nil {
		return nil, err
	}
	r.apart(func() { sb, err = provider.Connect(ctx, id) })
	if err != nil {
		return nil, err
	}
	return failpoints{sb}, nil
}

// createSandbox makes a sandbox with everything the project has, and then lets the
// session remember it. A sandbox that could not be filled is destroyed.
func (r *run) createSandbox(ctx context.Context, session koda.Session) (sandbox.Sandbox, error) {
	provider, err := r.provider()
	if err != nil {
		return nil, err
	}
	var made sandbox.Sandbox
	r.apart(func() {
		if err = r.prepare(ctx, provider); err == nil {
			made, err = r.e.create(ctx, sandbox.Kind(r.project.SandboxType), provider, session.ProjectID)
		}
	})
	if err != nil {
		return nil, err
	}
	sb := failpoints{made}
	failpoint.Hit("engine.sandbox.created")
	tree, err := r.restored(ctx)
	if err == nil {
		r.apart(func() { err = fill(ctx, sb, tree) })
	}
	if err == nil {
		if session.Status == koda.SessionSuspended && session.IdleMS > 0 && sb.Capabilities().Commands {
			r.again = fmt.Sprintf("%s; koda started it again from %s", stopped(time.Duration(session.IdleMS)*time.Millisecond), r.lastSaved())
		}
		session.SandboxID, session.SandboxType, session.IdleMS = sb.ID(), r.project.SandboxType, 0
		err = r.saveSession(ctx, session, koda.SessionActive)
	}
	if err != nil {
		return nil, errors.Join(err, sb.Destroy(context.WithoutCancel(ctx)))
	}
	return sb, nil
}

// lastSaved names the last checkpoint for people.
func (r *run) lastSaved() string {
	if r.state.Version == 0 {
		return "the last checkpoint"
	}
	return fmt.Sprintf("the checkpoint of v%d", r.state.Version)
}

// prepare makes what sandboxes are made of, if it is not there, and tells each step.
func (r *run) prepare(ctx context.Context, provider sandbox.Provider) error {
	p, ok := provider.(sandbox.Preparer)
	if !ok {
		return nil
	}
	return p.Prepare(ctx, func(step koda.BuildStep) {
		if step.Text != "" {
			r.think("Building " + step.Image + ": " + step.String())
		}
		r.pass(koda.EventBuild, step)
	})
}

func (r *run) provider() (sandbox.Provider, error) { return providerOf(r.e.cfg.Sandboxes, r.project) }

// providerOf finds the provider of a project's sandboxes.
func providerOf(kinds map[sandbox.Kind]sandbox.Provider, of koda.Project) (sandbox.Provider, error) {
	p, ok := kinds[sandbox.Kind(of.SandboxType)]
	if !ok {
		return nil, noSandbox(of.SandboxType, koda.CodeProviderError, "run it with the koda that made the project")
	}
	return p, nil
}

func noSandbox(kind string, code koda.Code, hint string) error {
	return &koda.Error{Code: code, Op: fmt.Sprintf("this koda has no sandbox of kind %q", kind), Hint: hint}
}

// destroySandbox ends the sandbox in use; the session is suspended.
func (r *run) destroySandbox(ctx context.Context) error {
	sb, err := r.sb, error(nil)
	r.sb = nil // nobody may save, or work in, a sandbox that is about to end
	r.e.showLive(r.project.ID, nil)
	r.apart(func() { err = sb.Destroy(ctx) })
	if err != nil {
		r.sb = sb
		return err
	}
	return r.noteNoSandbox(ctx)
}

// session is the project's session, or a new session that is not saved yet. A
// session is named after the event it begins at, so a session begun again after a
// crash is the same.
func (r *run) session(ctx context.Context) (s koda.Session, known bool, err error) {
	s, known, err = r.e.cfg.Sessions.Session(ctx, r.project.ID)
	if err != nil {
		return s, false, fmt.Errorf("find session: %w", err)
	}
	if !known {
		s = koda.Session{
			ID: fmt.Sprintf("%s-s%d", r.project.ID, r.project.Seq), NodeID: r.project.ID, UserID: r.project.UserID, ProjectID: r.project.ID, CreatedAt: r.e.now(),
		}
	}
	return s, known, nil
}

// noteNoSandbox notes that the project has no sandbox.
func (r *run) noteNoSandbox(ctx context.Context) error {
	r.e.disagree(r.project.ID)
	s, known, err := r.session(ctx)
	if err != nil || !known {
		return err
	}
	s.SandboxID, s.IdleMS = "", r.away.Milliseconds()
	return r.saveSession(ctx, s, koda.SessionSuspended)
}

// touch notes that the project was worked on.
func (r *run) touch(ctx context.Context) error {
	s, known, err := r.session(ctx)
	if err != nil || !known {
		return err
	}
	s.IdleMS += r.unused(s).Milliseconds()
	return r.saveSession(ctx, s, s.Status)
}

// unused is how long nobody worked in the session's sandbox before this run began.
// If the clock jumped back, the time is 0.
func (r *run) unused(s koda.Session) time.Duration {
	if s.SandboxID == "" {
		return 0
	}
	return max(0, r.began.Sub(s.LastActivity))
}

// outlived reports whether the session's sandbox lay unused for longer than
// sandboxes may live, in total.
func (r *run) outlived(s koda.Session) bool {
	life := r.e.cfg.Limits.Life
	return life > 0 && time.Duration(s.IdleMS)*time.Millisecond+r.unused(s) > life
}

// outdated reports whether a sandbox was made with settings that were changed since, and
// notes what the person is told when another sandbox takes its place. A sandbox with more
// people in it than that stays as it is.
func (r *run) outdated(ctx context.Context, sb sandbox.Sandbox, people int) (old bool) {
	provider, err := r.provider()
	renewer, ok := provider.(sandbox.Renewer)
	if err != nil || !ok || len(r.e.visitors(r.project.ID)) > people {
		return false
	}
	r.apart(func() { old, err = renewer.Outdated(ctx, sb.ID()) })
	if old = old && err == nil; old { // with an error, whoever uses the sandbox meets the same
		r.again = "The settings of sandboxes were changed: koda saves the project and makes another sandbox"
	}
	return old
}

// releaseSandbox checkpoints the sandbox in use and destroys it.
func (r *run) releaseSandbox(ctx context.Context) error {
	if err := r.checkpoint(ctx); err != nil {
		return err
	}
	return r.destroySandbox(ctx)
}

func (r *run) saveSession(ctx context.Context, s koda.Session, next koda.SessionStatus) error {
	if !s.Status.CanBecome(next) {
		return fmt.Errorf("a session that is %q cannot become %q", s.Status, next)
	}
	s.Status, s.LastCheckpoint = next, r.state.Node.LastCheckpoint
	s.LastActivity = r.e.now()
	s.UpdatedAt = s.LastActivity
	if err := r.e.cfg.Sessions.SaveSession(context.WithoutCancel(ctx), s); err != nil {
		return fmt.Errorf("save session: %w", err)
	}
	return nil
}
