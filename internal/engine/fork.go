package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// ForkRequest asks for a new project that begins with a version of another project.
type ForkRequest struct {
	Version int
	Name    string
	Dir     string // parent directory; "" is the parent directory of the original
	// Author makes further versions of the new project, and asks Models; "" is the author
	// of the original. Sandbox is then the kind of sandbox; "" leaves it to the engine.
	Author  string
	Models  koda.Models
	Sandbox string
}

// Fork makes the project and runs it until its preview waits for the person. The
// original is only read. If a fork was cut short, the same call goes on with it.
// NOT_FOUND: there is no such version. EXISTS: the name is taken.
func (e *Engine) Fork(ctx context.Context, id string, req ForkRequest) (out Outcome, err error) {
	from, of, err := e.read(ctx, id)
	if err == nil {
		err = e.reach(from)
	}
	if err != nil {
		return out, err
	}
	versions, err := e.cfg.Journal.Versions(ctx, id)
	if err != nil {
		return out, err
	}
	v, err := knownVersion(from, versions, req.Version)
	if err != nil {
		return out, err
	}
	if _, err := e.readVersion(from.Dir, v.Number); err != nil {
		return out, err
	}
	if req.Dir == "" {
		req.Dir = filepath.Dir(from.Dir)
	}
	if from, err = e.turnedOver(ctx, from, &of, req); err != nil {
		return out, err
	}
	origin := koda.Origin{ProjectID: from.ID, Name: from.Name, Dir: from.Dir, Version: v.Number}
	r := e.newRun()
	dir, err := r.make(ctx, req.Dir, req.Name, true)
	if koda.CodeOf(err) == koda.CodeExists {
		if begun, ok := e.halfForked(ctx, filepath.Join(req.Dir, req.Name), origin); ok {
			return e.Resume(ctx, begun, false)
		}
		return out, &koda.Error{Code: koda.CodeExists, Err: err, Hint: "choose another name, or another directory"}
	}
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	now := e.now()
	r.project = koda.Project{
		ID: newID(), Name: filepath.Base(dir), Dir: dir, UserID: from.UserID, Prompt: from.Prompt,
		Author: from.Author, SandboxType: from.SandboxType, CreatedAt: now,
	}
	ev := phase.Forked{Stamp: phase.Stamp{At: now}, ProjectID: r.project.ID, UserID: r.project.UserID, Origin: origin, Until: v.CreatedAt, Of: of}
	if err := r.step(ctx, ev, with{create: true, turn: r.newTurn("fork", forkedFrom(origin), 1)}); err != nil {
		return out, e.undo(dir, err)
	}
	r.attend()
	if err := r.runPending(r.cancellable(ctx)); err != nil {
		return r.outcome(), err
	}
	return r.outcome(), r.verdict()
}

// turnedOver is the original as another author takes it over, if one does.
func (e *Engine) turnedOver(ctx context.Context, from koda.Project, of *phase.State, req ForkRequest) (koda.Project, error) {
	if req.Author == "" {
		return from, nil
	}
	b := &of.Brief
	b.Author, b.Models, b.Recipe, b.Params = req.Author, req.Models, "", nil
	made := NewRequest{Brief: *b, Sandbox: req.Sandbox, Name: from.Name}
	err := e.fillDefaults(ctx, &made)
	from.Author, from.SandboxType = made.Brief.Author, made.Sandbox
	return from, err
}

// halfForked finds the project in dir that began as a fork of origin and was cut
// short.
func (e *Engine) halfForked(ctx context.Context, dir string, origin koda.Origin) (id string, ok bool) {
	projects, err := e.cfg.Store.List(ctx)
	if err != nil {
		return "", false
	}
	for _, p := range projects {
		if !sameDir(p.Dir, dir) {
			continue
		}
		_, s, err := e.read(ctx, p.ID)
		if err == nil && s.Pending != nil && s.Turn == 1 && s.Origin != nil && s.Origin.ProjectID == origin.ProjectID && s.Origin.Version == origin.Version {
			return p.ID, true
		}
	}
	return "", false
}

func forkedFrom(o koda.Origin) string { return fmt.Sprintf("forked from %s v%d", o.Name, o.Version) }

// bringIn makes version 1 of this project: of the files of the original's version,
// or, without an original, of the files in the directory.
func (r *run) bringIn(ctx context.Context) (phase.Event, with, error) {
	if r.state.Origin == nil {
		files, err := r.e.cfg.Storage.Tree(r.project.Dir)
		if err != nil {
			return nil, with{}, err
		}
		return r.imported(files, takenUp, r.project.Author, nil)
	}
	origin := *r.state.Origin
	// The database says where the original lies: the original may have moved. The
	// state file does not decide, as a state that came with a clone must not bring
	// in files from anywhere.
	of, _, err := r.e.cfg.Store.Load(ctx, origin.ProjectID)
	if koda.CodeOf(err) == koda.CodeNotFound {
		return nil, with{}, &koda.Error{
			Code: koda.CodeNotFound, Op: fmt.Sprintf("the project %s this one begins with is not known here", origin.Name),
			Hint: "name its directory once: koda show DIRECTORY; then: koda resume " + r.project.Name,
		}
	}
	if err == nil {
		err = r.e.reach(of)
	}
	if err != nil {
		return nil, with{}, err
	}
	files, err := r.e.readVersion(of.Dir, origin.Version)
	if err != nil {
		return nil, with{}, err
	}
	return r.imported(files, forkedFrom(origin), of.Author, &origin)
}

// imported makes files of an author version 1.
func (r *run) imported(files map[string][]byte, prompt, author string, origin *koda.Origin) (phase.Event, with, error) {
	v, err := r.newVersion(prompt)
	if err != nil {
		return nil, with{}, err
	}
	v.Author, v.Origin = author, origin
	failpoint.Hit("engine.fork")
	if err := r.writeCheckpoint(files, v, nil); err != nil {
		return nil, with{}, fmt.Errorf("bring in what is %s: %w", prompt, err)
	}
	return phase.Imported{Stamp: r.stamp(), Version: v.Number}, with{version: v}, nil
}
