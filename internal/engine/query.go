package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// View is everything known of a project.
type View struct {
	Project  koda.Project
	State    koda.NodeState
	Version  int // the current one, 0 before the first
	Waiting  Waiting
	Busy     bool // a process works on it, so that nothing waits for a person
	Turns    []koda.Turn
	Renders  []koda.RenderRecord
	Versions []koda.Version
}

// Show reads a project; it takes no lock and starts nothing.
func (r *Reader) Show(ctx context.Context, id string) (View, error) {
	p, s, err := r.read(ctx, id)
	if err != nil {
		return View{}, err
	}
	relocate(&s, p.Dir)
	p.Gone = Present(p) != nil
	v := View{Project: p, State: s.Node, Version: s.Version, Waiting: waiting(s)}
	if x := v.State.Execution; x != nil {
		x.Thinking = r.thinking(ctx, p)
	}
	v.Busy = v.Waiting == WaitingRetry && r.shelf.InUse(p.Dir)
	var errs [3]error
	v.Turns, errs[0] = r.journal.Turns(ctx, id)
	v.Renders, errs[1] = r.journal.Renders(ctx, id)
	for i, rec := range v.Renders {
		v.Renders[i].Spec.Output = whereNow(p.Dir, rec.Spec.Output)
	}
	v.Versions, errs[2] = r.journal.Versions(ctx, id)
	return v, errors.Join(errs[:]...)
}

// List returns all projects, the most recently updated first. Those whose
// directory was deleted or moved away, or is another's now, are marked as gone.
func (r *Reader) List(ctx context.Context) ([]koda.Project, error) {
	projects, err := r.index.List(ctx)
	lie := map[string]int{} // projects in a directory
	for _, p := range projects {
		lie[p.Dir]++
	}
	for i, p := range projects {
		// Where two are said to be, only one is; for all others a look is enough.
		if lie[p.Dir] > 1 {
			projects[i].Gone = r.reach(p) != nil
		} else {
			projects[i].Gone = Present(p) != nil
		}
	}
	return projects, err
}

// Find gives the project meant by ref: a directory, a name, an id or the
// beginning of one; "" is the project of the working directory. A directory that
// moved, was copied, or that the database does not know is adopted.
func (e *Engine) Find(ctx context.Context, ref string) (koda.Project, error) {
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

// adopt brings the database up to the project in dir; NOT_FOUND when there is
// none.
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
		dir = known.Dir // dir may be a link to it, or go through one
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
	s, err := homely(s, nil)
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
// another process just did. One that cannot be written to is the same project of
// its own every time it is looked at.
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

// journaledIn is the project the database knows in a directory whose state cannot
// be read: it can be looked at and deleted. Without one it is the error.
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

// sameDir reports whether two paths are of one directory that is there.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// TakeIn adopts the projects in these directories and returns how many there
// were; a directory without one is passed over. It goes on after a failure and
// returns all of them joined.
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
