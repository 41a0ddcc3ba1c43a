package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
)

// Side has the files of a project, for keeping them the same as those of somewhere else. What
// is changed through it counts as edited by the person: it needs no lock, it wins against an
// author at work, and the author is told.
func (e *Engine) Side(ctx context.Context, id string) (mirror.Side, error) {
	p, err := e.Project(ctx, id)
	if err == nil {
		err = e.reach(p)
	}
	if err != nil {
		return nil, err
	}
	return side{e.cfg.Mirror(p.Dir), e, id}, nil
}

type side struct {
	mirror.Side
	e  *Engine
	id string
}

// Change implements mirror.Side.
func (s side) Change(ctx context.Context, changes []koda.FileChange, base map[string]string) (kept []string, err error) {
	if kept, err = s.Side.Change(ctx, changes, base); err != nil || s.e.cfg.Sockets == "" {
		return kept, err
	}
	var paths []string
	for _, c := range changes {
		if !slices.Contains(kept, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) == 0 {
		return kept, nil
	}
	s.e.mu.Lock()
	r := s.e.runs[s.id]
	s.e.mu.Unlock()
	if r != nil {
		err = r.Edited(paths)
	} else {
		err = control.Edited(ctx, s.e.cfg.Sockets, s.id, paths)
	}
	if errors.Is(err, control.ErrNobody) || koda.CodeOf(err) == koda.CodeWrongPhase {
		err = nil
	}
	return kept, err
}
