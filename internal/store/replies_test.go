package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestDB_Replies: an answer is found by who asked and the key, until it is old, or its user or
// project is deleted.
func TestDB_Replies(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.AddUser(ctx, koda.User{ID: "anna", Name: "anna"}))
	must(db.Create(ctx, koda.Commit{Project: koda.Project{ID: "p1", UserID: koda.LocalUser, Name: "ball", Dir: t.TempDir(), Phase: koda.PhaseIdle, Author: "recipe", SandboxType: "local", CreatedAt: t0, UpdatedAt: t0}, At: t0, State: []byte(`{}`)}))
	first := koda.Reply{UserID: koda.LocalUser, Key: "k", Request: []byte{1}, At: t0}
	take := func(r koda.Reply, old time.Time) koda.Reply {
		t.Helper()
		got, err := db.TakeReply(ctx, r, old)
		must(err)
		return got
	}
	same := func(want, got koda.Reply) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	same(first, take(first, time.Time{}))
	done := first
	done.ProjectID, done.Status, done.Type, done.Body = "p1", 201, "application/json", []byte(`{}`)
	must(db.SaveReply(ctx, done))
	other := first
	other.Request, other.At = []byte{2}, t0.Add(time.Hour)
	same(done, take(other, t0))
	for _, r := range []koda.Reply{{UserID: "anna", Key: "k", At: t0}, {UserID: koda.LocalUser, Bound: "p1", Key: "k", At: t0}, {UserID: koda.LocalUser, Key: "K", At: t0}} {
		r.Request = []byte{3}
		same(r, take(r, t0))
	}
	same(other, take(other, t0.Add(time.Minute))) // the first is old
	must(db.SaveReply(ctx, done))
	must(db.Delete(ctx, "p1"))
	same(first, take(first, t0))
	must(db.DropReply(ctx, first))
	same(other, take(other, t0))
	must(db.DeleteUser(ctx, "anna"))
}
