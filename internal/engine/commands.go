package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// maxPrompt is the longest prompt in bytes; a longer text is data, not a wish.
const maxPrompt = koda.MaxMessage

// New makes a project and runs it until it waits for the person.
func (e *Engine) New(ctx context.Context, req NewRequest) (out Outcome, err error) {
	if err := checkBrief(&req.Brief); err != nil {
		return out, err
	}
	if err := e.fillDefaults(ctx, &req); err != nil {
		return out, err
	}
	if err := fits(manifestOf(req.Brief, nil), finals(req.Brief), req.Brief.To); err != nil {
		return out, err
	}
	r := e.newRun()
	r.planOnly, r.noFinal = req.PlanOnly, req.NoFinal
	dir, err := r.make(ctx, req.Dir, req.Name, req.Exact)
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	for _, source := range req.Assets {
		asset, err := e.cfg.Storage.AddAsset(dir, source)
		if err != nil {
			return out, e.undo(dir, err)
		}
		req.Brief.Assets = append(req.Brief.Assets, asset)
	}
	now := e.now()
	r.project = koda.Project{
		ID: newID(), Name: filepath.Base(dir), Dir: dir, UserID: cmp.Or(req.User, koda.LocalUser), Prompt: req.Brief.Prompt,
		Author: req.Brief.Author, SandboxType: req.Sandbox, CreatedAt: now,
	}
	err = r.step(ctx, phase.Began{Stamp: phase.Stamp{At: now}, ProjectID: r.project.ID, UserID: r.project.UserID, Brief: req.Brief},
		with{create: true, turn: r.newTurn("new", req.Brief.Prompt, 1)})
	if err != nil {
		return out, e.undo(dir, err)
	}
	r.attend()
	err = r.drive(r.cancellable(ctx))
	return r.outcome(), err
}

// make makes the directory of a new project and locks it. When another process took
// the same name first, a derived name gets another number.
func (r *run) make(ctx context.Context, parent, name string, exact bool) (dir string, err error) {
	const tries = 20
	for try := 1; ; try++ {
		known, err := r.e.cfg.Store.List(ctx)
		if err != nil {
			return "", err
		}
		if dir, err = r.e.cfg.Storage.Create(parent, name, exact, func(dir string) bool { return slices.ContainsFunc(known, isIn(dir)) }); err != nil {
			return "", err
		}
		r.release, err = r.e.take(ctx, dir, known)
		switch c := koda.CodeOf(err); {
		case err == nil:
			return dir, nil
		case exact || try == tries || !slices.Contains([]koda.Code{koda.CodeInUse, koda.CodeExists, koda.CodeNotFound}, c):
			return "", err
		}
	}
}

func isIn(dir string) func(koda.Project) bool {
	return func(p koda.Project) bool { return p.Dir == dir }
}

// take locks a directory made for a new project, and forgets the projects known to
// have been there: their directory was deleted. The directory may be the remains of
// a project that never began, and another process may have begun a project in it
// meanwhile: EXISTS.
func (e *Engine) take(ctx context.Context, dir string, known []koda.Project) (release func() error, err error) {
	if release, err = e.cfg.Storage.Lock(dir); err != nil {
		return nil, err
	}
	if err := e.forget(ctx, dir, known); err != nil {
		return nil, joinRelease(err, release)
	}
	return release, nil
}

// fillDefaults decides what the request leaves open. What the request names is
// never replaced by something else.
func (e *Engine) fillDefaults(ctx context.Context, req *NewRequest) error {
	b := &req.Brief
	b.Author = cmp.Or(b.Author, AuthorRecipe)
	if _, ok := e.cfg.Authors[b.Author]; !ok {
		return noAuthor(b.Author)
	}
	if err := e.chooseSandbox(ctx, req); err != nil {
		return err
	}
	if req.Name == "" {
		req.Name = e.cfg.NameFrom(b.Prompt)
	}
	if req.Dir == "" {
		req.Dir = e.cfg.Parent
	}
	return nil
}

// chooseSandbox decides where the code lives. A kind that was asked for must answer. Code
// that koda wrote lives on this machine, and so does a model's code where no container
// engine answers.
func (e *Engine) chooseSandbox(ctx context.Context, req *NewRequest) error {
	if req.Sandbox != "" {
		p, ok := e.cfg.Sandboxes[sandbox.Kind(req.Sandbox)]
		if !ok {
			return noSandbox(req.Sandbox, koda.CodeUsage, "leave out the setting sandbox-provider")
		}
		return cmp.Or(p.Ping(ctx), e.guarded(ctx, req, true))
	}
	req.Sandbox = string(sandbox.Local)
	if p := e.cfg.Sandboxes[sandbox.Docker]; p != nil && req.Brief.Author == AuthorModel && p.Ping(ctx) == nil {
		req.Sandbox = string(sandbox.Docker)
		return ctx.Err()
	}
	return cmp.Or(e.guarded(ctx, req, false), ctx.Err())
}

// guarded looks at what is around the code of a model on this machine. If that is nothing,
// the person is asked for their consent, or warned if they chose it.
func (e *Engine) guarded(ctx context.Context, req *NewRequest, chosen bool) error {
	if req.Brief.Author != AuthorModel || req.Sandbox != string(sandbox.Local) || e.cfg.Unguarded == nil {
		return nil
	}
	why, err := e.cfg.Unguarded(ctx)
	switch {
	case err != nil || why == "":
		return err
	case chosen:
		e.events.Publish(e.event("", koda.EventWarning, koda.Warned{
			Message: "what the model writes runs in a browser without a sandbox of its own (" + why + "); --sandbox docker keeps it away from this machine",
		}))
		return nil
	}
	return &koda.Error{
		Code: koda.CodeNeedsPerson, Op: "nothing would keep the code of a model from this machine: no container engine answers, and the browser has no sandbox of its own, because " + why,
		Hint: "start docker or podman; or let the code run here by --sandbox local",
	}
}

func noAuthor(name string) error {
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("there is no author %q here", name),
		Hint: "use --author recipe, which needs no key and no network",
	}
}

// forget removes the rows of projects whose directory was deleted and now belongs
// to a new project. EXISTS: a project that was not known began there.
func (e *Engine) forget(ctx context.Context, dir string, known []koda.Project) error {
	begun := &koda.Error{Code: koda.CodeExists, Op: fmt.Sprintf("there is a project in %s by now", dir), Hint: "choose another --name or --dir"}
	if _, err := e.cfg.Storage.ReadState(dir); koda.CodeOf(err) != koda.CodeNotFound {
		begun.Err = err
		return begun
	}
	projects, err := e.cfg.Store.List(ctx)
	if err != nil {
		return err
	}
	for _, p := range projects {
		switch {
		case p.Dir != dir:
			continue
		case !slices.ContainsFunc(known, func(k koda.Project) bool { return k.ID == p.ID }):
			return begun
		}
		if err := e.cfg.Store.Delete(ctx, p.ID); err != nil {
			return fmt.Errorf("forget the project that was here: %w", err)
		}
	}
	return nil
}

// undo removes the directory of a project that could not begin.
func (e *Engine) undo(dir string, cause error) error {
	if _, err := e.cfg.Storage.Remove(dir); err != nil {
		return fmt.Errorf("%w (and remove %s: %w)", cause, dir, err)
	}
	return cause
}

func checkBrief(b *koda.Brief) error {
	b.Prompt = strings.TrimSpace(b.Prompt)
	switch {
	case b.Prompt == "":
		return &koda.Error{Code: koda.CodeUsage, Op: "the prompt is empty", Hint: `say what to animate, for example: koda new "bouncing ball"`}
	case len(b.Prompt) > maxPrompt:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("the prompt has %d bytes, at most %d are read", len(b.Prompt), maxPrompt),
			Hint: "say it in a few sentences; bring data and pictures with --asset",
		}
	}
	return nil
}

func (r *run) newTurn(kind, input string, number int) *koda.Turn {
	return &koda.Turn{
		ID: fmt.Sprintf("%s-t%d", r.project.ID, number), ProjectID: r.project.ID, Number: number, Kind: kind, Input: input,
		Status: "running", StartedAt: r.e.now(),
	}
}

// ErrElsewhere is the cause of WRONG_PHASE where a person decides on what they saw, and
// the project stands elsewhere by now.
var ErrElsewhere = errors.New("the project was changed elsewhere")

// act applies what the person did and runs the project until it waits again. Final
// videos are chosen only for what is possible.
func (e *Engine) act(ctx context.Context, id string, seen koda.Seen, kind, input string, event func(r *run) phase.Event, finals ...Finals) (out Outcome, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	if seen != (koda.Seen{}) && seen != seenOf(r.state) {
		return r.outcome(), &koda.Error{Code: koda.CodeWrongPhase, Err: ErrElsewhere, Hint: "look at it again before you decide"}
	}
	ctx = r.cancellable(ctx)
	ev := event(r)
	if _, _, err = phase.Step(r.state, ev); err == nil {
		err = r.takeModels(ctx)
	}
	for _, f := range finals {
		if err == nil {
			err = r.choose(ctx, f)
		}
	}
	if err == nil {
		err = r.step(ctx, ev, with{turn: r.newTurn(kind, input, r.state.Turn+1)})
	}
	if err != nil {
		return r.outcome(), err
	}
	err = r.drive(ctx)
	return r.outcome(), r.keptChange(err)
}

// keptChange is an error about a change that failed, with what becomes of the change.
func (r *run) keptChange(err error) error {
	hint := koda.HintOf(err)
	if err == nil || !r.state.FailedChange() || strings.Contains(hint, "koda undo") {
		return err
	}
	kept := fmt.Sprintf("the change is kept: koda resume %s makes it, koda undo %[1]s drops it", r.project.Name)
	return &koda.Error{Code: koda.CodeOf(err), Err: err, Hint: strings.TrimPrefix(hint+"; "+kept, "; "), Details: koda.DetailsOf(err)}
}

// takeModels journals which models the project goes on with, if the person names others now.
// USAGE: the project is made by a recipe.
func (r *run) takeModels(ctx context.Context) error {
	models := r.state.Brief.Models
	switch {
	case models.With(r.e.cfg.Named) == models:
		return nil
	case r.project.Author != AuthorModel:
		return &koda.Error{
			Code: koda.CodeUsage, Op: r.project.Name + " is made by a recipe, which asks no model",
			Hint: fmt.Sprintf("`koda new --author model --from %s` begins a project with it that a model goes on with", r.project.Name),
		}
	}
	return r.step(ctx, phase.Chosen{Stamp: r.stamp(), Models: r.e.cfg.Named}, with{})
}

// Answer answers the question. ErrElsewhere: the project stands elsewhere than the
// person saw; nothing is changed. The same holds for Accept, Reject and Edit.
func (e *Engine) Answer(ctx context.Context, id string, seen koda.Seen, a koda.Answer) (Outcome, error) {
	input := a.Text
	if a.OptionID != "" {
		input = a.OptionID
	}
	return e.act(ctx, id, seen, "answer", input, func(r *run) phase.Event { return phase.Answered{Stamp: r.stamp(), Answer: a} })
}

// Accept accepts the plan or the preview. Finals are the final videos to make.
func (e *Engine) Accept(ctx context.Context, id string, seen koda.Seen, finals ...Finals) (Outcome, error) {
	return e.act(ctx, id, seen, "accept", "", func(r *run) phase.Event { return phase.Accepted{Stamp: r.stamp()} }, finals...)
}

// Reject turns the plan or the preview down.
func (e *Engine) Reject(ctx context.Context, id string, seen koda.Seen, feedback string) (Outcome, error) {
	return e.act(ctx, id, seen, "reject", feedback, func(r *run) phase.Event {
		return phase.Rejected{Stamp: r.stamp(), Feedback: strings.TrimSpace(feedback)}
	})
}

// Edit asks for a change: of the plan while the plan waits to be accepted, else of
// the video. A change the author refuses is INVALID_INPUT and changes nothing. Finals
// are the final videos to make.
func (e *Engine) Edit(ctx context.Context, id string, seen koda.Seen, text string, finals ...Finals) (Outcome, error) {
	text = strings.TrimSpace(text)
	return e.act(ctx, id, seen, "edit", text, func(r *run) phase.Event {
		if r.state.Node.Phase == koda.PhasePlan {
			return phase.Modified{Stamp: r.stamp(), Text: text}
		}
		return phase.Edited{Stamp: r.stamp(), Text: text}
	}, finals...)
}

// Update brings the project to the recipe of this koda, as a change that makes a
// version. What the person edited becomes a version of its own before: the update may
// overwrite it. If the author refuses the update, the error is INVALID_INPUT, and nothing
// is changed.
func (e *Engine) Update(ctx context.Context, id string) (Outcome, error) {
	const text = "update the recipe"
	if err := e.keep(ctx, id); err != nil {
		return Outcome{}, err
	}
	return e.act(ctx, id, koda.Seen{}, "update", text, func(r *run) phase.Event {
		return phase.Edited{Stamp: r.stamp(), Text: text, Task: koda.TaskUpdate}
	})
}

// keep makes a version of what the person edited in a project.
func (e *Engine) keep(ctx context.Context, id string) (err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return err
	}
	defer func() { err = closed(r, err) }()
	return r.keepEdits(r.cancellable(ctx), false)
}

// Resume goes on where the project stands: an effect that was begun is done again,
// a failed effect is retried, and with yes every approval is given. A project that
// waits for the person stays as it is; its Outcome says what it waits for. Finals are
// the final videos to make. WRONG_PHASE: finals are given, and the final video is
// already there.
func (e *Engine) Resume(ctx context.Context, id string, yes bool, finals ...Finals) (out Outcome, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	ctx = r.cancellable(ctx)
	for _, f := range finals {
		if r.state.Node.Phase == koda.PhaseComplete {
			return r.outcome(), hasFinal(r.project.Name, f)
		}
		if err := r.choose(ctx, f); err != nil {
			return r.outcome(), err
		}
	}
	if err := r.takeModels(ctx); err != nil {
		return r.outcome(), err
	}
	if yes && !r.state.Brief.Yes {
		if err := r.step(ctx, phase.Approved{Stamp: r.stamp(), Yes: true}, with{}); err != nil {
			return r.outcome(), err
		}
	}
	if r.state.Pending == nil && r.state.Node.Phase == koda.PhaseError {
		if err := r.askAnew(ctx); err != nil {
			return r.outcome(), err
		}
		turn := r.newTurn("retry", r.turn.Input, r.state.Turn+1)
		if err := r.step(ctx, phase.Retried{Stamp: r.stamp()}, with{turn: turn}); err != nil {
			return r.outcome(), err
		}
	}
	r.tellBegun(ctx)
	err = r.drive(ctx)
	return r.outcome(), err
}
