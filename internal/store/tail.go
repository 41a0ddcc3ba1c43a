package store

import (
	"context"
	"iter"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// tailEvery is how often the journal is read for events of other processes.
const tailEvery = 100 * time.Millisecond

// Tail yields the durable events of a project numbered above after, in order and
// without holes, also those of other processes. It waits for more until ctx ends,
// which is no error. It reads ten times a second, and at once when look, which may
// be nil, receives. An error is the last thing it yields; NOT_FOUND says that the
// project is gone.
func (db *DB) Tail(ctx context.Context, projectID string, after int64, look <-chan struct{}) iter.Seq2[koda.Event, error] {
	return func(yield func(koda.Event, error) bool) {
		tick := time.NewTicker(tailEvery)
		defer tick.Stop()
		for {
			p, err := db.Project(ctx, projectID)
			var events []koda.Event
			if err == nil && p.Seq > after {
				events, err = db.Events(ctx, projectID, after)
			}
			for _, ev := range events {
				if after = ev.Seq; !yield(ev, nil) {
					return
				}
			}
			if err != nil {
				if ctx.Err() == nil {
					yield(koda.Event{}, err)
				}
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-look:
			case <-tick.C:
			}
		}
	}
}
