package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// View is everything known of a project.
type View struct {
	Project  koda.Project
	State    koda.NodeState
	Version  int           // the current version, 0 before the first
	Models   koda.Models   // that its author asks
	Declined *koda.Failure // why the prompt of an idle project asks for no animation
	Seen     koda.Seen
	Waiting  Waiting
	Redo     bool // there is something that a redo comes back to
	Busy     bool // a process works on the project, so a person waits for that process first
	Turns    []koda.Turn
	Renders  []koda.RenderRecord
	Versions []koda.Version
	// Cost is what the models of the project cost so far, and Bills says it for each model.
	// A project that lost its database has no bills of before.
	Cost  koda.Cost
	Bills []koda.Bill
}

// Show reads a project; it takes no lock and starts nothing.
func (r *Reader) Show(ctx context.Context, id string) (View, error) {
	v, s, err := r.stand(ctx, id)
	if err != nil {
		return View{}, err
	}
	p := v.Project
	var errs [4]error
	v.Turns, errs[0] = r.journal.Turns(ctx, id)
	v.Renders, errs[1] = r.journal.Renders(ctx, id)
	for i, rec := range v.Renders {
		v.Renders[i].Spec.Output = whereNow(p.Dir, rec.Spec.Output)
	}
	v.Versions, errs[2] = r.journal.Versions(ctx, id)
	v.Bills, errs[3] = r.bills(ctx, v.Turns)
	v.Cost = spentOn(s, v.Versions)
	return v, errors.Join(errs[:]...)
}

// Stand reads where a project stands: a view without turns, renders, versions and cost,
// in half of the time of Show.
func (r *Reader) Stand(ctx context.Context, id string) (View, error) {
	v, _, err := r.stand(ctx, id)
	return v, err
}

func (r *Reader) stand(ctx context.Context, id string) (View, phase.State, error) {
	p, s, err := r.read(ctx, id)
	if err != nil {
		return View{}, s, err
	}
	relocate(&s, p.Dir)
	p.Gone = Present(p) != nil
	v := View{Project: p, State: s.Node, Version: s.Version, Models: s.Brief.Models, Declined: s.Declined, Seen: seenOf(s), Waiting: waiting(s), Redo: s.CanRedo()}
	var thinking string
	if v.Busy, thinking = r.working(ctx, p, s); v.State.Execution != nil {
		v.State.Execution.Thinking = thinking
	}
	return v, s, nil
}

// Project reads the row of a project. NOT_FOUND: no project has this id.
func (r *Reader) Project(ctx context.Context, id string) (koda.Project, error) {
	return r.index.Project(ctx, id)
}

// Blocks lists what happened in a turn, in order.
func (r *Reader) Blocks(ctx context.Context, turn string) ([]koda.Block, error) {
	return r.journal.Blocks(ctx, turn)
}

// Events lists the durable events of a project numbered above after, in order; it takes
// no lock.
func (r *Reader) Events(ctx context.Context, id string, after int64) ([]koda.Event, error) {
	return r.journal.Events(ctx, id, after)
}

// Tail yields the durable events of a project numbered above after, in order and without
// holes, and then new events, also those of other processes, until ctx ends. It takes no
// lock. It reads at once when look, which may be nil, receives. NOT_FOUND: the project is
// gone.
func (r *Reader) Tail(ctx context.Context, id string, after int64, look <-chan struct{}) iter.Seq2[koda.Event, error] {
	return r.journal.Tail(ctx, id, after, look)
}

// List returns all projects, the most recently updated first. A project is marked
// as gone when its directory was deleted or moved away, or belongs to another
// project now, and as interrupted when nobody does its work.
func (r *Reader) List(ctx context.Context) ([]koda.Project, error) {
	projects, err := r.index.List(ctx)
	lie := map[string]int{} // projects in a directory
	for _, p := range projects {
		lie[p.Dir]++
	}
	for i, p := range projects {
		// Of several projects in one directory only one is really there. For all
		// others it is enough that the directory exists.
		if lie[p.Dir] > 1 {
			projects[i].Gone = r.reach(p) != nil
		} else {
			projects[i].Gone = Present(p) != nil
		}
		projects[i].Interrupted = p.Phase == koda.PhaseExecuting && !projects[i].Gone && !r.shelf.InUse(p.Dir)
	}
	return projects, err
}

// Find returns the project meant by ref: a directory, a name, an id or the
// beginning of an id; "" is the project of the working directory. A directory that
// moved, was copied, or is not in the database is adopted.
//
// What a person changed in the project's sandbox in a visit that was killed is in the
// directory when Find returns, unless the sandbox cannot be reached.
func (e *Engine) Find(ctx context.Context, ref string) (koda.Project, error) {
	p, err := e.find(ctx, ref)
	if err == nil {
		e.finishVisit(ctx, p.ID)
	}
	return p, err
}

func (e *Engine) find(ctx context.Context, ref string) (koda.Project, error) {
	if ref == "" {
		wd, err := os.Getwd()
		if err != nil {
			return koda.Project{}, fmt.Errorf("find working directory: %w", err)
		}
		for dir := wd; ; dir = filepath.Dir(dir) {
			p, err := e.adopt(ctx, dir)
			if koda.CodeOf(err) != koda.CodeNotFound {
				return p, err
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
		return koda.Project{}, &koda.Error{
			Code: koda.CodeNotFound, Op: "the working directory is in no project",
			Hint: "name one, or change into its directory; `koda list` shows them",
		}
	}
	if info, err := os.Stat(ref); err == nil && info.IsDir() {
		dir, err := filepath.Abs(ref)
		if err != nil {
			return koda.Project{}, fmt.Errorf("find directory: %w", err)
		}
		p, err := e.adopt(ctx, dir)
		if koda.CodeOf(err) != koda.CodeNotFound {
			return p, err
		}
		p, err = e.cfg.Store.FindProject(ctx, ref)
		if koda.CodeOf(err) == koda.CodeNotFound {
			err = &koda.Error{Code: koda.CodeNotFound, Op: dir + " is not a koda project", Hint: "koda list shows all projects"}
		}
		return p, err
	}
	return e.cfg.Store.FindProject(ctx, ref)
}

// adopt brings the database up to the project in dir. NOT_FOUND: there is no
// project in dir.
func (e *Engine) adopt(ctx context.Context, dir string) (koda.Project, error) {
	s, err := e.cfg.Storage.ReadState(dir)
	if err == nil {
		_, err = machineIn(s, dir)
	}
	if koda.CodeOf(err) == koda.CodeStorageFailed {
		return e.journaledIn(ctx, dir, err)
	}
	if err != nil {
		return koda.Project{}, err
	}
	known, _, err := e.cfg.Store.Load(ctx, s.Project.ID)
	if err == nil && sameDir(known.Dir, dir) {
		dir = known.Dir // dir may be a link to known.Dir, or go through a link
	}
	switch {
	case err == nil && known.Dir != dir && e.holds(known.Dir, known.ID):
		return e.adoptCopy(ctx, dir, known)
	case err == nil && known.Dir == dir && known.Seq >= s.Seq:
		return known, nil
	case err != nil && koda.CodeOf(err) != koda.CodeNotFound:
		return koda.Project{}, err
	}
	return e.adoptState(ctx, s, dir)
}

func (e *Engine) adoptState(ctx context.Context, s koda.StateFile, dir string) (koda.Project, error) {
	s.Project.Dir, s.Project.Name, s.Project.Seq = dir, filepath.Base(dir), s.Seq
	s, err := homely(s, koda.Brief{})
	if err != nil {
		return koda.Project{}, err
	}
	versions, err := e.cfg.Storage.Versions(dir)
	if err != nil {
		return koda.Project{}, err
	}
	return e.cfg.Store.Adopt(ctx, s, versions...)
}

// adoptCopy makes a second living copy of a project a project of its own, unless
// another process just did. If koda cannot write to the copy, the copy gets the
// same id every time it is looked at.
func (e *Engine) adoptCopy(ctx context.Context, dir string, of koda.Project) (p koda.Project, err error) {
	release, err := e.cfg.Storage.Hold(dir)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		s, err := e.cfg.Storage.ReadState(dir)
		if err != nil {
			return p, err
		}
		if s, err = forked(s, dir, contentDigest([]byte(of.ID + dir))[:len(newID())]); err != nil {
			return p, err
		}
		return e.adoptState(ctx, s, dir)
	}
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, release()) }()
	s, err := e.cfg.Storage.ReadState(dir)
	if err != nil {
		return p, err
	}
	if s.Project.ID == of.ID {
		if s, err = forked(s, dir, newID()); err != nil {
			return p, err
		}
		if _, err := e.cfg.Storage.Checkpoint(dir, koda.Checkpoint{State: s}); err != nil {
			return p, fmt.Errorf("fork project: %w", err)
		}
	}
	return e.adoptState(ctx, s, dir)
}

// journaledIn is the project that the database knows in a directory whose state
// cannot be read: such a project can be looked at and deleted. If the database
// knows none, journaledIn returns the error damaged.
func (e *Engine) journaledIn(ctx context.Context, dir string, damaged error) (koda.Project, error) {
	projects, err := e.cfg.Store.List(ctx)
	if err != nil {
		return koda.Project{}, err
	}
	if i := slices.IndexFunc(projects, func(p koda.Project) bool { return sameDir(p.Dir, dir) }); i >= 0 {
		return projects[i], nil
	}
	return koda.Project{}, damaged
}

// sameDir reports whether two paths are paths of the same existing directory.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// TakeIn adopts the projects in these directories and returns how many there were;
// a directory without a project is passed over. It goes on after a failure and
// returns all failures joined.
func (e *Engine) TakeIn(ctx context.Context, dirs []string) (taken int, err error) {
	for _, dir := range dirs {
		_, failed := e.adopt(ctx, dir)
		switch koda.CodeOf(failed) {
		case "":
			taken++
		case koda.CodeNotFound:
		default:
			err = errors.Join(err, fmt.Errorf("take in %s: %w", dir, failed))
		}
	}
	return taken, err
}
