package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

// ProjectStats is what was done for one project.
type ProjectStats struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	koda.Stats
}

// counted remembers the stats of projects that did not change, so that who asks every few
// seconds reads only what is new.
type counted struct {
	mu sync.Mutex
	of map[string]countedAt
}

type countedAt struct {
	seq   int64
	stats koda.Stats
}

// Stats counts what the journal holds of projects, those given or all, in the order of List.
func (r *Reader) Stats(ctx context.Context, ids ...string) ([]ProjectStats, error) {
	projects, err := r.index.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	r.counted.mu.Lock()
	defer r.counted.mu.Unlock()
	if r.counted.of == nil {
		r.counted.of = map[string]countedAt{}
	}
	var all []ProjectStats
	for _, p := range projects {
		if len(ids) > 0 && !slices.Contains(ids, p.ID) {
			continue
		}
		at, known := r.counted.of[p.ID]
		if !known || at.seq != p.Seq {
			at.seq = p.Seq
			if at.stats, err = r.journal.Stats(ctx, p.ID); err != nil {
				return nil, err
			}
			r.counted.of[p.ID] = at
		}
		all = append(all, ProjectStats{ID: p.ID, Name: p.Name, Stats: at.stats})
	}
	return all, nil
}

// Totals are the stats of all projects together. While this process lives they never fall:
// those of a project that is deleted stay in them.
func (r *Reader) Totals(ctx context.Context) (koda.Stats, error) {
	if _, err := r.Stats(ctx); err != nil {
		return koda.Stats{}, err
	}
	r.counted.mu.Lock()
	defer r.counted.mu.Unlock()
	all := make([]koda.Stats, 0, len(r.counted.of))
	for _, at := range r.counted.of {
		all = append(all, at.stats)
	}
	return koda.SumStats(all...), nil
}
