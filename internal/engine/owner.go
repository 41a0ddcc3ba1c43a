package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/tool"
)

// newRun begins a run. The run holds its state until it is closed, except during
// apart.
func (e *Engine) newRun() *run {
	r := &run{e: e, began: e.now()}
	r.mu.Lock()
	return r
}

// apart does f, which takes time. Meanwhile others may change the state of the run,
// so f must not touch the state.
func (r *run) apart(f func()) {
	r.mu.Unlock()
	defer r.mu.Lock()
	f()
}

// attend lets others speak to the run, from this process and from others. It is
// called once the project is journaled. If no socket can be made, the work goes on
// without.
func (r *run) attend() {
	r.e.mu.Lock()
	r.e.runs[r.project.ID] = r
	r.e.mu.Unlock()
	if r.e.cfg.Sockets == "" {
		return
	}
	var err error
	if r.server, err = control.Listen(r.e.cfg.Sockets, r.project.ID, &r.e.events, r); err == nil {
		err = r.e.cfg.Storage.Announce(r.project.Dir, control.Path(r.e.cfg.Sockets, r.project.ID))
	}
	if err != nil {
		r.log("warning: other processes may not find this one: %v", err)
	}
}

// leave ends what attend began, gives the project back by release, and lets the
// followers know.
func (r *run) leave(release func() error) error {
	r.e.mu.Lock()
	if r.e.runs[r.project.ID] == r {
		delete(r.e.runs, r.project.ID)
	}
	r.e.mu.Unlock()
	err := errors.Join(r.server.Close(), release())
	r.over = true
	if cancel := r.cancel.Load(); cancel != nil {
		(*cancel)(nil)
	}
	r.mu.Unlock()
	r.server.HangUp()
	return err
}

// errCancelled is the cause of work that another process cancelled.
var errCancelled = &koda.Error{Code: koda.CodeInterrupted, Op: "cancelled by `koda cancel`"}

// cancellable returns a ctx that others may end.
func (r *run) cancellable(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	r.cancel.Store(&cancel)
	return ctx
}

// Cancel implements control.Owner.
func (r *run) Cancel() error {
	cancel := r.cancel.Load()
	if err := r.e.opening(r.project); r.visits.Load() && err != nil {
		return err
	}
	if cancel == nil {
		return &koda.Error{Code: koda.CodeWrongPhase, Op: "what goes on cannot be cancelled", Hint: "it is done in a moment"}
	}
	(*cancel)(errCancelled)
	return nil
}

// mostEdited bounds how many files one message names.
const mostEdited = 1000

// Edited implements control.Owner.
func (r *run) Edited(paths []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nobodyWorks(r.project, r.state)
	}
	paths = slices.DeleteFunc(paths[:min(len(paths), mostEdited)], func(path string) bool {
		clean, err := tool.WritablePath(path, nil)
		return err != nil || clean != path
	})
	return r.noticePaths(context.Background(), paths)
}

// Now implements control.Owner.
func (r *run) Now() string {
	if line := r.thinking.Load(); line != nil {
		return *line
	}
	return ""
}

// answerTime is how long a reader waits for the owner's word. A running owner
// answers at once; only a stopped process does not.
const answerTime = 500 * time.Millisecond

// thinking asks the owner of a project, in whichever process, for the line that it shows
// now; "" for none. control.ErrNobody: no owner listens.
func (e *Engine) thinking(ctx context.Context, p koda.Project) (string, error) {
	e.mu.Lock()
	r := e.runs[p.ID]
	e.mu.Unlock()
	switch {
	case r != nil:
		return r.Now(), nil
	case e.cfg.Sockets == "":
		return "", control.ErrNobody
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return control.Now(ctx, e.cfg.Sockets, p.ID)
}

// Say implements control.Owner: the message is journaled, and becomes a todo.
func (r *run) Say(text string) (koda.Heard, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return koda.Heard{}, nobodyWorks(r.project, r.state)
	}
	if err := checkMessage(text); err != nil {
		return koda.Heard{}, err
	}
	if err := r.e.opening(r.project); r.visits.Load() && err != nil {
		return koda.Heard{}, err
	}
	before := r.state
	if err := r.step(context.Background(), phase.Messaged{Stamp: r.stamp(), Text: text}, with{}); err != nil {
		return koda.Heard{}, err
	}
	added := addedTodos(before, r.state)
	return koda.Heard{Todo: added[0]}, nil
}

func checkMessage(text string) error {
	switch {
	case text == "":
		return &koda.Error{Code: koda.CodeUsage, Op: "the message is empty", Hint: "say what to change, for example \"make it blue\""}
	case len(text) > koda.MaxMessage:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("the message has %d bytes, at most %d are read", len(text), koda.MaxMessage),
			Hint: "say it in a few sentences",
		}
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return &koda.Error{Code: koda.CodeUsage, Op: "the message is not text", Hint: "write it as plain UTF-8 text"}
	}
	return nil
}

// Say tells the author at work something, whichever process works: the message
// becomes a todo. When Say returns, the message is journaled and no crash loses it.
// WRONG_PHASE: nobody works on the project, or nothing can be changed just now.
func (e *Engine) Say(ctx context.Context, id, text string) (koda.Heard, error) {
	text = strings.TrimSpace(text)
	if err := checkMessage(text); err != nil {
		return koda.Heard{}, err
	}
	e.mu.Lock()
	r := e.runs[id]
	e.mu.Unlock()
	if r != nil {
		return r.Say(text)
	}
	heard, err := control.Say(ctx, e.cfg.Sockets, id, text)
	return heard, e.reached(ctx, id, err)
}

// Cancel ends the work on a project, whichever other process does it, and returns
// when the work is saved. WRONG_PHASE: nobody works on the project.
func (e *Engine) Cancel(ctx context.Context, id string) error {
	err := control.Cancel(ctx, e.cfg.Sockets, id)
	if errors.Is(err, control.ErrCutOff) {
		return nil // the work ended, whether by this call or by itself
	}
	return e.reached(ctx, id, err)
}

// Delete removes everything of a project, as [Housekeeper.Delete] does. If an author works
// on it, the work is ended first. IN_USE: somebody is in the project who cannot be ended so,
// such as a person in a shell.
func (e *Engine) Delete(ctx context.Context, id string) (left []string, err error) {
	const tries = 10
	for try := 1; ; try++ {
		left, err = e.Housekeeper.Delete(ctx, id)
		if koda.CodeOf(err) != koda.CodeInUse || try == tries {
			return left, err
		}
		if e.Cancel(ctx, id) == nil {
			continue
		}
		select { // the owner began a moment ago and is reached soon, or is done in a moment
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Follow calls show with the events of the work that another process does on a
// project, until the work is done. Show gets the durable events numbered above
// after, in order and without holes, and passing events as they come. An after
// below 0 stands for the newest event. WRONG_PHASE: nobody works on the project;
// durable events are shown all the same. INTERRUPTED: the process was killed.
func (e *Engine) Follow(ctx context.Context, id string, after int64, show func(koda.Event)) error {
	return e.follow(ctx, id, after, false, show)
}

// LookOn is Follow from now on, and show also gets glimpses of the frames that are
// drawn.
func (e *Engine) LookOn(ctx context.Context, id string, show func(koda.Event)) error {
	return e.follow(ctx, id, -1, true, show)
}

func (e *Engine) follow(ctx context.Context, id string, after int64, glimpses bool, show func(koda.Event)) error {
	p, _, err := e.cfg.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	if after < 0 {
		after = p.Seq
	}
	f := follower{show: show, there: p.Seq, after: after, look: make(chan struct{}, 1)}
	f.changed = sync.NewCond(&f.mu)
	tailing, stop := context.WithCancel(ctx)
	var tail sync.WaitGroup
	tail.Go(func() { f.tail(e.cfg.Journal.Tail(tailing, id, after, f.look)) })
	failed := control.Follow(ctx, e.cfg.Sockets, id, glimpses, f.passing, f.upTo)
	stop()
	tail.Wait()
	// Show what was journaled last, whether or not the owner announced it.
	evs, err := e.cfg.Journal.Events(ctx, id, f.after)
	for _, ev := range evs {
		show(ev)
	}
	if err = errors.Join(f.err, err); err != nil {
		return err
	}
	if errors.Is(failed, control.ErrCutOff) {
		return &koda.Error{
			Code: koda.CodeInterrupted, Op: fmt.Sprintf("the process that worked on %s ended without a word; nothing that was journaled is lost", p.Name),
			Hint: "`koda resume " + p.Name + "` goes on from here",
		}
	}
	return e.reached(ctx, id, failed)
}

// follower shows events of two sources, one after the other: durable events of the
// journal and passing events of the owner.
type follower struct {
	show  func(koda.Event)
	there int64         // number of the last durable event at the beginning
	look  chan struct{} // wakes the reader of the journal

	mu      sync.Mutex
	changed *sync.Cond
	after   int64 // number of the last durable event shown
	over    bool  // the journal is not read any more
	err     error
}

func (f *follower) tail(events iter.Seq2[koda.Event, error]) {
	for ev, err := range events {
		f.mu.Lock()
		if f.err = err; err == nil {
			f.show(ev)
			f.after = ev.Seq
		}
		f.changed.Broadcast()
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	f.changed.Broadcast()
}

func (f *follower) passing(ev koda.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.show(ev)
}

// upTo waits until the durable events up to a number are shown, and the durable
// events that were there at the beginning. A passing event that comes then came
// after them.
func (f *follower) upTo(seq int64) error {
	select {
	case f.look <- struct{}{}:
	default: // the reader is about to look
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.after < max(seq, f.there) && !f.over {
		f.changed.Wait()
	}
	return f.err
}

// reached turns an error of speaking to an owner into an error for people.
func (e *Engine) reached(ctx context.Context, id string, err error) error {
	switch {
	case errors.Is(err, control.ErrCutOff):
		return &koda.Error{
			Code: koda.CodeInterrupted, Op: "the process at work ended before it answered",
			Hint: "`koda messages` shows whether it heard; `koda resume` goes on",
		}
	case !errors.Is(err, control.ErrNobody):
		return err
	}
	p, s, err := e.read(ctx, id)
	if err != nil {
		return err
	}
	if e.cfg.Storage.InUse(p.Dir) {
		return &koda.Error{
			Code: koda.CodeInUse, Op: fmt.Sprintf("the process that works on %s cannot be reached", p.Name),
			Hint: "wait until it is done; it may have another KODA_HOME, or be an older koda",
		}
	}
	return nobodyWorks(p, s)
}

// nobodyWorks is the error of speaking to a project nobody works on.
func nobodyWorks(p koda.Project, s phase.State) error {
	hint := map[Waiting]string{
		WaitingNothing: "`koda edit %s` asks for a change", WaitingAnswer: "it waits for an answer: `koda answer %s`",
		WaitingPlan:    "it waits with its plan: `koda accept %s` or `koda edit %[1]s`",
		WaitingPreview: "it waits with its preview: `koda accept %s` or `koda edit %[1]s`",
		WaitingRetry:   "`koda resume %s` goes on with it",
	}[waiting(s)]
	return &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("nobody works on %s at the moment", p.Name), Hint: fmt.Sprintf(hint, p.Name)}
}

// asked is what the version in the making was asked for. It begins with the input
// of the turn, unless the turn has already made a version of that input. Then
// follows what was said during the work since. If all this is empty for the first
// version, asked is the prompt.
func (r *run) asked(ctx context.Context) (string, error) {
	versions, err := r.e.cfg.Journal.Versions(ctx, r.project.ID)
	if err != nil {
		return "", err
	}
	texts := []string{r.turn.Input}
	if current, ok := versionOf(versions, r.state.Version); ok && current.TurnID == r.turn.ID {
		texts = nil
	}
	for _, m := range r.state.Since() {
		if m.Role == koda.RoleUser {
			texts = append(texts, m.Content)
		}
	}
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	if len(texts) == 0 && len(versions) == 0 { // the plan was accepted without a word
		return r.state.Brief.Prompt, nil
	}
	return strings.Join(texts, "; "), nil
}
