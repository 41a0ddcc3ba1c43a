package engine

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// Moved is the result of going to another version or, before the first version, to
// another plan or to the question.
type Moved struct {
	Project koda.Project
	State   koda.NodeState
	Seen    koda.Seen
	Waiting Waiting
	From    int // the version that was current, 0 when Resumed
	To      int // the version that is current now; 0 before the first version
	// Kept is the version made first of files that were in no version, 0 when there
	// were no such files. KeptAs says what the version is.
	Kept   int
	KeptAs string
	// GaveUp is the work that was cut short and given up: the words that asked for
	// a change, or the video that was being made.
	GaveUp string
	// Resumed: an earlier call with the same arguments was interrupted, and this
	// call finished it.
	Resumed bool
}

// The kinds of turn that go to another version.
const (
	turnUndo     = "undo"
	turnRedo     = "redo"
	turnCheckout = "checkout"
)

// Undo goes back to the version the current one was made from. When files were
// edited by hand since, or a change was cut short or failed, Undo goes back to the current
// version itself. Files in no version are kept as a version first, and work that
// was cut short is given up.
//
// Until a plan is accepted, Undo goes back to the plan before, or to the question,
// in one step of the journal: a crash comes before or after it. A change of the plan
// that was cut short or failed is given up.
//
// WRONG_PHASE: there is nothing before.
func (e *Engine) Undo(ctx context.Context, id string) (Moved, error) {
	return e.move(ctx, id, turnUndo, "", func(r *run, versions []koda.Version, loose bool) (int, []int, error) {
		undone := append(slices.Clone(r.state.Undone), r.state.Version)
		if loose {
			return r.state.Version, []int{r.state.Latest() + 1}, nil
		}
		if r.state.Changing() || r.state.FailedChange() {
			return r.state.Version, r.state.Undone, nil
		}
		v, _ := versionOf(versions, r.state.Version)
		if v.Parent == 0 {
			return 0, nil, nothingBefore(v)
		}
		return v.Parent, undone, nil
	})
}

func nothingBefore(v koda.Version) error {
	op := fmt.Sprintf("there is nothing before v%d", v.Number)
	if o := v.Origin; o != nil {
		op += fmt.Sprintf(": the project began there, with v%d of %s", o.Version, o.Name)
	}
	return &koda.Error{Code: koda.CodeWrongPhase, Op: op, Hint: "`koda history` shows all versions"}
}

// Redo goes back to where the last undo began: to a version, or until a plan is
// accepted to a plan. WRONG_PHASE: nothing was undone since the last change or
// checkout.
func (e *Engine) Redo(ctx context.Context, id string) (Moved, error) {
	return e.move(ctx, id, turnRedo, "", func(r *run, versions []koda.Version, _ bool) (int, []int, error) {
		if n := len(r.state.Undone); n > 0 {
			return r.state.Undone[n-1], r.state.Undone[:n-1], nil
		}
		hint := "`koda history` shows all versions"
		for _, v := range versions {
			if v.Parent == r.state.Version {
				hint = fmt.Sprintf("v%d was made from v%d: koda checkout v%d", v.Number, v.Parent, v.Number)
			}
		}
		return 0, nil, &koda.Error{Code: koda.CodeWrongPhase, Op: "there is nothing to redo", Hint: hint}
	})
}

// Checkout goes to version n. NOT_FOUND: there is no such version.
func (e *Engine) Checkout(ctx context.Context, id string, n int) (Moved, error) {
	return e.move(ctx, id, turnCheckout, "v"+strconv.Itoa(n), func(r *run, versions []koda.Version, _ bool) (int, []int, error) {
		_, err := knownVersion(r.project, versions, n)
		return n, nil, err
	})
}

// knownVersion finds a version a person named.
func knownVersion(p koda.Project, versions []koda.Version, n int) (koda.Version, error) {
	if v, ok := versionOf(versions, n); ok {
		return v, nil
	}
	has := "it has none yet"
	switch last := len(versions); {
	case last == 1:
		has = fmt.Sprintf("it has v%d", versions[0].Number)
	case last > 1:
		has = fmt.Sprintf("it has v%d to v%d", versions[0].Number, versions[last-1].Number)
	}
	return koda.Version{}, &koda.Error{
		Code: koda.CodeNotFound, Op: fmt.Sprintf("%s has no version v%d", p.Name, n), Hint: has + "; `koda history` shows them",
	}
}

// choose says which version to go to, and which versions a redo can come back to
// from there. Loose: there are files in no version.
type choose func(r *run, versions []koda.Version, loose bool) (to int, undone []int, err error)

// move goes to another version. An interruption at any moment loses nothing: files
// in no version become a version, then the destination is journaled, then the files
// are put in place. `koda resume` or the same call finishes the rest.
func (e *Engine) move(ctx context.Context, id, kind, input string, where choose) (m Moved, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return m, err
	}
	defer func() { err = closed(r, err) }()
	ctx = r.cancellable(ctx)
	if r.moving() {
		same := r.turn.Kind == kind && r.turn.Input == input
		if err := r.runPending(ctx); err != nil {
			return r.moved(m), err
		}
		if same {
			m.Resumed = true
			return r.moved(m), r.verdict()
		}
	}
	deciding := kind != turnCheckout && r.state.Deciding()
	if err := r.mayMove(deciding); err != nil {
		return m, err
	}
	if deciding {
		return r.reconsider(ctx, kind)
	}
	if m.GaveUp, err = r.cutShort(ctx); err != nil {
		return m, err
	}
	versions, err := e.cfg.Journal.Versions(ctx, id)
	if err != nil {
		return m, err
	}
	current, _ := versionOf(versions, r.state.Version)
	loose, err := e.loose(r.project.Dir, current)
	if err != nil {
		return m, err
	}
	m.From = r.state.Version
	to, undone, err := where(r, versions, loose != nil)
	if err != nil {
		return m, err
	}
	if r.state.FailedChange() && to == r.state.Version {
		m.GaveUp = r.turn.Input
	} else if to == r.state.Version && loose == nil && r.state.Pending == nil {
		return r.moved(m), nil // the same call again
	}
	if _, err := e.readVersion(r.project.Dir, to); err != nil {
		return m, err
	}
	if loose != nil {
		v, err := r.looseVersion(loose)
		if err != nil {
			return m, err
		}
		if err := r.keepLoose(ctx, loose, v); err != nil {
			return m, err
		}
		m.Kept, m.KeptAs = v.Number, v.Prompt
	}
	ev, err := r.checkedOut(ctx, to, undone)
	if err != nil {
		return m, err
	}
	if err := r.step(ctx, ev, with{turn: r.newTurn(kind, input, r.state.Turn+1)}); err != nil {
		return m, err
	}
	if err := r.runPending(ctx); err != nil {
		return r.moved(m), err
	}
	return r.moved(m), r.verdict()
}

// moves reports whether a turn goes to another version.
func moves(t koda.Turn) bool {
	return slices.Contains([]string{turnUndo, turnRedo, turnCheckout}, t.Kind)
}

// moving reports whether going to another version was begun and not finished.
func (r *run) moving() bool { return r.state.Pending != nil && moves(r.turn) }

// reconsider goes back to the question or the plan before, or comes back from there.
func (r *run) reconsider(ctx context.Context, kind string) (m Moved, err error) {
	if r.state.Pending != nil || r.state.Failed != nil {
		m.GaveUp = r.turn.Input
	}
	var ev phase.Event = phase.Undone{Stamp: r.stamp()}
	if kind == turnRedo {
		ev = phase.Redone{Stamp: r.stamp()}
	}
	if err := r.step(ctx, ev, with{turn: r.newTurn(kind, "", r.state.Turn+1)}); err != nil {
		return Moved{}, err
	}
	return r.moved(m), nil
}

// mayMove says why a project cannot go to another version or, while the person is
// deciding, to another plan.
func (r *run) mayMove(deciding bool) error {
	goOn := "`koda resume " + r.project.Name + "`"
	switch p := r.state.Pending; {
	case p != nil && !r.state.CanGiveUp():
		return &koda.Error{
			Code: koda.CodeWrongPhase, Op: fmt.Sprintf("the first video of %s is not made yet (%s)", r.project.Name, p.Kind),
			Hint: goOn + " goes on with it; `koda delete " + r.project.Name + "` gives it up",
		}
	case r.state.Version == 0 && !deciding:
		return &koda.Error{Code: koda.CodeWrongPhase, Op: r.project.Name + " has no version yet", Hint: goOn + " goes on with it"}
	}
	return nil
}

// cutShort says what work a move to another version gives up, "" for none, and
// saves what the work has made so far: the saved files become a version.
func (r *run) cutShort(ctx context.Context) (string, error) {
	p := r.state.Pending
	if p == nil {
		return "", nil
	}
	// A sandbox that does not answer holds only what is journaled.
	if err := r.connect(ctx); err == nil && r.state.Changing() {
		if err := r.checkpoint(ctx); err != nil {
			return "", err
		}
	}
	switch p.Kind {
	case phase.EffectPreview:
		return fmt.Sprintf("the preview of v%d", r.state.Version), nil
	case phase.EffectFinal:
		return fmt.Sprintf("the final video of v%d", r.state.Version), nil
	case phase.EffectRelease:
		return "", nil
	}
	return r.turn.Input, nil
}

func (r *run) moved(m Moved) Moved {
	m.Project, m.State, m.Seen, m.Waiting, m.To = r.project, r.state.Node, seenOf(r.state), waiting(r.state), r.state.Version
	return m
}

// checkedOut is the event of going to a version, with those videos that koda made
// of the version and that still exist.
func (r *run) checkedOut(ctx context.Context, to int, undone []int) (phase.CheckedOut, error) {
	ev := phase.CheckedOut{Stamp: r.stamp(), Version: to, Undone: undone}
	renders, err := r.e.cfg.Journal.Renders(ctx, r.project.ID)
	if err != nil {
		return ev, err
	}
	for _, rec := range renders {
		if rec.Version != to || rec.Status != "done" || rec.Result == nil || !strings.HasPrefix(rec.ID, r.project.ID+"-e") {
			continue
		}
		res := *rec.Result
		res.Video, res.Thumbnail = whereNow(r.project.Dir, res.Video), whereNow(r.project.Dir, res.Thumbnail)
		if !isFile(res.Video) {
			continue
		}
		switch rec.Kind {
		case koda.RenderPreview:
			ev.Preview = previewOf(res, to)
		case koda.RenderFinal:
			ev.Output, ev.CompletedAt = outputOf(res, to), rec.UpdatedAt
		}
	}
	return ev, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// place puts the files of the current version in place. The sandbox holds other
// files, so place destroys it: the next work begins with a new sandbox.
func (r *run) place(ctx context.Context) (phase.Event, error) {
	if err := r.discardSandbox(ctx); err != nil {
		return nil, err
	}
	files, err := r.e.readVersion(r.project.Dir, r.state.Version)
	if err != nil {
		return nil, err
	}
	failpoint.Hit("engine.place")
	if err := r.writeCheckpoint(files, nil, nil); err != nil {
		return nil, fmt.Errorf("put v%d in place: %w", r.state.Version, err)
	}
	return phase.Placed{Stamp: r.stamp(), Version: r.state.Version}, nil
}

// discardSandbox destroys the sandbox without a checkpoint. A sandbox that does not
// answer is forgotten; the clean-up finds it.
func (r *run) discardSandbox(ctx context.Context) error {
	if err := r.connect(ctx); err == nil && r.sb != nil {
		if r.destroySandbox(ctx) == nil {
			return nil
		}
	}
	r.sb = nil
	if session, known, err := r.session(ctx); err != nil || !known || session.SandboxID == "" {
		return err
	}
	return r.noteNoSandbox(ctx)
}
