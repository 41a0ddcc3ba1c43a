package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestDB_Tail: tailing a journal gives all events above a number, each once and
// whole, also events that another process writes meanwhile, until the caller stops.
func TestDB_Tail(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, other := openAt(t, path), openAt(t, path)
	create(t, db, project("p2", "square"))
	c := first(create(t, db, project("p1", "ball")))
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var got []koda.Event
	for ev, err := range other.Tail(ctx, "p1", 0, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, ev); ev.Seq == 20 {
			end()
			continue // the tail ends by itself
		}
		if ev.Seq == c.Prev+1 { // all there was was given
			c.Prev = ev.Seq
			if ev.Seq%3 == 0 {
				c.Events = append(first(c.Project).Events, first(c.Project).Events...)
			}
			c.Events = c.Events[:min(len(c.Events), int(20-c.Prev))]
			if _, err := db.Commit(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			c.Prev += int64(len(c.Events)) - 1
		}
	}
	want, err := db.Events(t.Context(), "p1", 0)
	if err != nil || len(want) != 20 || want[0].Project != "p1" || !want[0].At.Equal(t0) {
		t.Fatalf("%d events, %v", len(want), err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := db.Delete(t.Context(), "p1"); err != nil {
		t.Fatal(err)
	}
	for _, err := range other.Tail(t.Context(), "p1", 20, nil) {
		wantCode(t, err, koda.CodeNotFound, "koda list")
	}
}
