package engine

import (
	"context"
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

// reconcile brings the database and the directory to the same step: the one with the
// lower sequence takes over the state of the other. After a crash between the two
// writes the directory is behind. A database that lost its last writes is behind.
func (r *run) reconcile(ctx context.Context) error {
	s, err := r.e.cfg.Storage.ReadState(r.project.Dir)
	switch {
	case koda.CodeOf(err) == koda.CodeNotFound:
		return r.saveLost(ctx) // killed at its very first step, or the files are lost
	case err != nil:
		return err
	case s.Project.ID != r.project.ID:
		return elsewhere(r.project)
	case s.Seq > r.project.Seq:
		s.Project.Dir, s.Project.Name = r.project.Dir, r.project.Name
		if s, err = homely(s, r.state.Brief); err != nil {
			return err
		}
		versions, err := r.e.cfg.Storage.Versions(r.project.Dir)
		if err != nil {
			return fmt.Errorf("read versions: %w", err)
		}
		if _, err := r.e.cfg.Store.Adopt(ctx, s, versions...); err != nil {
			return err
		}
		return r.load(ctx, r.project.ID)
	case s.Seq < r.project.Seq && r.state.Pending == nil:
		// While an effect is pending, the files may belong to a checkpoint that has
		// begun. The next step of that checkpoint writes the state.
		return r.checkpointState()
	}
	return nil
}

// saveLost writes the state of a directory that has no state. Koda left the files of
// the current version there, so every file that differs is the person's.
func (r *run) saveLost(ctx context.Context) error {
	versions, err := r.e.cfg.Journal.Versions(ctx, r.project.ID)
	if err != nil {
		return err
	}
	cp, err := r.stateFile(nil)
	if err != nil {
		return err
	}
	current, _ := versionOf(versions, r.state.Version)
	cp.State.Files = current.Files
	if _, err := r.e.cfg.Storage.Checkpoint(r.project.Dir, cp); err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	return nil
}
