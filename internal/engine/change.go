package engine

import (
	"context"
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

// Change is Edit with what it changed: the files as they were in place before, and those of
// the version that the change made. If the change made no version, there is no difference.
// A failure after the version was made, as that of the preview, comes with the difference.
// WRONG_PHASE: the project has no version yet.
func (e *Engine) Change(ctx context.Context, id, text string) (out Outcome, c Comparison, err error) {
	p, s, err := e.read(ctx, id)
	if err == nil {
		err = e.reach(p)
	}
	if err != nil {
		return out, c, err
	}
	if s.Version == 0 {
		return out, c, &koda.Error{
			Code: koda.CodeWrongPhase, Op: p.Name + " has no version yet, so there is nothing to change",
			Hint: fmt.Sprintf("`koda show %s` says how it goes on", p.Name),
		}
	}
	before, err := e.cfg.Storage.Tree(p.Dir)
	if err != nil {
		return out, c, fmt.Errorf("read project: %w", err)
	}
	latest := s.Latest()
	out, err = e.Edit(ctx, id, koda.Seen{}, text)
	c = Comparison{Project: p, From: s.Version, To: s.Version, Files: []FileDiff{}}
	if out.Version <= latest {
		return out, c, err
	}
	after, failed := e.readVersion(p.Dir, out.Version)
	if failed != nil {
		return out, c, failed
	}
	c.Project, c.To, c.Files = out.Project, out.Version, compareFiles(before, after)
	return out, c, err
}
