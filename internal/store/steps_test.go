package store_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
)

// TestCommit_CallAndRetry: a step stores the answered call that caused it, and a
// failed effect begins again under its id.
func TestCommit_CallAndRetry(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "koda.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := koda.Project{ID: "p", Name: "ball", Dir: "/ball", UserID: koda.LocalUser, Phase: koda.PhaseIdle, CreatedAt: at, UpdatedAt: at}
	effect := koda.Effect{ID: "e1", Kind: "work", TurnID: "p-t1"}
	key := koda.CallKey{ProjectID: "p", TurnID: "p-t1", Step: "1", Ordinal: 0}
	steps := []koda.Commit{
		{Begun: []koda.Effect{effect}, Cause: json.RawMessage(`{"name":"Began"}`)},
		{Call: &koda.CallRecord{Key: key, Digest: "d", Name: "set_thinking", Input: json.RawMessage(`{}`), Output: json.RawMessage(`{"success":true}`), At: at}},
		{Done: []string{"e1"}, Cause: json.RawMessage(`{"name":"Failed"}`)},
		{Begun: []koda.Effect{{ID: "e1", Kind: "work", Attempt: 1, TurnID: "p-t1"}}, Cause: json.RawMessage(`{"name":"Retried"}`)},
	}
	for i, c := range steps {
		c.Project, c.At, c.State = p, at, json.RawMessage(`{}`)
		if i == 0 {
			err = db.Create(ctx, c)
		} else {
			_, err = db.Commit(ctx, c)
		}
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	rec, ok, err := db.Call(ctx, key)
	if err != nil || !ok || rec.Digest != "d" {
		t.Errorf("the call of a step gave %+v, %v, %v", rec, ok, err)
	}
	begun, err := db.Begun(ctx, "p")
	if err != nil || len(begun) != 1 || begun[0].Attempt != 1 {
		t.Errorf("begun effects are %+v, %v, want the second attempt", begun, err)
	}
}
