package cli

import (
	"context"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/tui"
)

func (s *studioSession) History(ctx context.Context, id string) (tui.History, error) {
	h, err := s.e.History(ctx, id)
	if err != nil {
		return tui.History{}, err
	}
	rows := s.a.versionRows(h)
	for i := range rows {
		rows[i].Picture = "" // the studio shows the picture itself
	}
	return tui.History{Rows: rows, Loose: h.Loose}, nil
}

func (s *studioSession) Diff(ctx context.Context, id string, from, to int) (tui.Diff, error) {
	c, err := s.e.Diff(ctx, id, from, to)
	if err != nil {
		return tui.Diff{}, err
	}
	d := tui.Diff{Title: compared(c) + ": " + tally(c.Files)}
	for _, f := range c.Files {
		d.Files = append(d.Files, tui.FileDiff{Path: f.Path, Status: f.Status, Size: sizes(f), Added: f.Added, Deleted: f.Deleted, Text: f.Diff})
	}
	return d, nil
}

func (s *studioSession) Checkout(ctx context.Context, id string, version int) (tui.Standing, error) {
	return s.moved(ctx, id, func(ctx context.Context, id string) (engine.Moved, error) { return s.e.Checkout(ctx, id, version) })
}

func (s *studioSession) Fork(ctx context.Context, id string, version int, name string) (tui.Standing, error) {
	return s.stood(ctx, "", func() (engine.Outcome, error) {
		if s.a.deps.CheckName != nil {
			if err := s.a.deps.CheckName(name); err != nil {
				return engine.Outcome{}, err
			}
		}
		if version == 0 {
			v, err := s.e.Show(ctx, id)
			if err != nil {
				return engine.Outcome{}, err
			}
			version = v.Version
		}
		return s.e.Fork(ctx, id, engine.ForkRequest{Version: version, Name: name})
	})
}

func (s *studioSession) Delete(ctx context.Context, id string) ([]string, error) {
	s.calls.Add(1)
	defer s.calls.Done()
	left, err := s.e.Delete(ctx, id)
	if err == nil && s.last == id {
		s.last = ""
	}
	return left, err
}
