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

// TakeUpBy is TakeUp for a directory of koda's own. If no recipe made the page there, a
// model goes on with it, if models names one.
func (e *Engine) TakeUpBy(ctx context.Context, dir string, models koda.Models) (koda.Project, error) {
	return e.takeUp(ctx, dir, &models)
}

// TakeUp makes a project of a directory that was a project and lost what koda keeps
// of it: git leaves .koda out of a clone. The files that are there become version
// 1; `koda resume` draws its preview. NOT_FOUND: no author of koda made these
// files, and they stay as they are.
func (e *Engine) TakeUp(ctx context.Context, dir string) (koda.Project, error) {
	return e.takeUp(ctx, dir, nil)
}

func (e *Engine) takeUp(ctx context.Context, dir string, models *koda.Models) (p koda.Project, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return p, fmt.Errorf("find directory: %w", err)
	}
	brief, plan, err := e.reread(dir, models)
	if err != nil {
		return p, err
	}
	made := NewRequest{Brief: brief, Sandbox: string(sandbox.Local), Name: filepath.Base(dir)}
	if brief.Author == AuthorModel {
		made.Sandbox = ""
		if err := e.fillDefaults(ctx, &made); err != nil {
			return p, err
		}
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
		Author: brief.Author, SandboxType: made.Sandbox, CreatedAt: now,
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

// reread is the brief and the plan that the files of a directory follow from. With models,
// the plan of files that no recipe made is what their koda.json says.
func (e *Engine) reread(dir string, models *koda.Models) (b koda.Brief, p koda.Plan, err error) {
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
	b = koda.Brief{
		Prompt: m.Name, Author: AuthorRecipe, Style: p.Style,
		Duration: m.Duration, Width: m.Width, Height: m.Height, FPS: m.FPS,
	}
	if koda.CodeOf(err) == koda.CodeNotFound && models != nil {
		b.Author, b.Models = AuthorModel, *models
		return b, planOf(m), nil
	}
	if err != nil {
		return b, p, fmt.Errorf("take up %s: %w", dir, err)
	}
	return b, p, nil
}

// planOf is the plan that the manifest of a page tells.
func planOf(m koda.Manifest) koda.Plan {
	p := koda.Plan{TotalDuration: m.Duration, FPS: m.FPS}
	scenes := m.Scenes
	if len(scenes) == 0 {
		scenes = []koda.SceneStart{{Title: m.Name}}
	}
	for i, s := range scenes {
		end := m.Duration
		if i+1 < len(scenes) {
			end = scenes[i+1].Start
		}
		p.Scenes = append(p.Scenes, koda.Scene{Number: i + 1, Title: s.Title, Duration: end - s.Start})
	}
	return p
}
