package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// TurnTakeUp is the kind of the first turn of a project that was taken up; takenUp
// is the description of its version 1.
const (
	TurnTakeUp = "take up"
	takenUp    = "taken up from its files"
)

// TakeUp makes a project of a directory that was a project and lost what koda keeps
// of it: git leaves .koda out of a clone. The files that are there become version
// 1; `koda resume` draws its preview. NOT_FOUND: no author of koda made these
// files, and they stay as they are.
func (e *Engine) TakeUp(ctx context.Context, dir string) (p koda.Project, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return p, fmt.Errorf("find directory: %w", err)
	}
	brief, plan, err := e.reread(dir)
	if err != nil {
		return p, err
	}
	known, err := e.cfg.Store.List(ctx)
	if err != nil {
		return p, err
	}
	if err := e.cfg.Storage.Furnish(dir); err != nil {
		return p, err
	}
	r := e.newRun()
	if r.release, err = e.take(ctx, dir, known); err != nil {
		return p, err
	}
	defer func() { err = closed(r, err) }()
	now := e.now()
	r.project = koda.Project{
		ID: newID(), Name: filepath.Base(dir), Dir: dir, UserID: koda.LocalUser, Prompt: brief.Prompt,
		Author: brief.Author, SandboxType: string(sandbox.Local), CreatedAt: now,
	}
	of := phase.State{Brief: brief}
	of.Node.Plan = &plan
	ev := phase.Forked{Stamp: phase.Stamp{At: now}, ProjectID: r.project.ID, Until: now, Of: of}
	if err := r.step(ctx, ev, with{create: true, turn: r.newTurn(TurnTakeUp, takenUp, 1)}); err != nil {
		return p, err
	}
	r.attend()
	outcome, w, err := r.perform(ctx, r.state.Pending.Kind)
	if err != nil {
		return r.project, err // the effect stays begun
	}
	return r.project, r.step(ctx, outcome, w)
}

// reread is the brief and the plan that the files of a directory follow from.
func (e *Engine) reread(dir string) (b koda.Brief, p koda.Plan, err error) {
	files, err := e.cfg.Storage.Tree(dir)
	if err != nil {
		return b, p, err
	}
	if files["koda.json"] == nil || files["index.html"] == nil || e.cfg.Reread == nil {
		return b, p, &koda.Error{Code: koda.CodeNotFound, Op: dir + " is not a page", Hint: "a page is koda.json beside index.html"}
	}
	m, err := koda.ParseManifest(files["koda.json"])
	if err == nil {
		p, err = e.cfg.Reread(files)
	}
	if err != nil {
		return b, p, fmt.Errorf("take up %s: %w", dir, err)
	}
	return koda.Brief{
		Prompt: m.Name, Author: AuthorRecipe, Style: p.Style,
		Duration: m.Duration, Width: m.Width, Height: m.Height, FPS: m.FPS,
	}, p, nil
}
