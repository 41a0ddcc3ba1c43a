package engine

import (
	"context"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// create makes a sandbox. If there may be no more sandboxes, those of projects on which
// nobody works make room, the longest unused first: they are saved, and come back when their
// project needs one.
func (e *Engine) create(ctx context.Context, kind sandbox.Kind, provider sandbox.Provider, project string) (sandbox.Sandbox, error) {
	o := sandbox.Options{ProjectID: project}
	sb, err := provider.Create(ctx, o)
	if koda.CodeOf(err) != koda.CodeQuotaExceeded {
		return sb, err
	}
	sessions, listed := e.cfg.Sessions.AllSessions(ctx)
	if listed != nil {
		return nil, err
	}
	slices.SortStableFunc(sessions, func(a, b koda.Session) int { return a.LastActivity.Compare(b.LastActivity) })
	for _, s := range sessions {
		if s.Status != koda.SessionActive || s.SandboxID == "" || s.SandboxType != string(kind) || s.ProjectID == project {
			continue
		}
		p, _, failed := e.cfg.Store.Load(ctx, s.ProjectID)
		if failed != nil || gone(p) || e.shelf.InUse(p.Dir) || e.suspend(ctx, s.ProjectID, e.cfg.Storage.Lock) != nil {
			continue
		}
		if sb, err = provider.Create(ctx, o); koda.CodeOf(err) != koda.CodeQuotaExceeded {
			return sb, err
		}
	}
	return nil, err
}
