package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestDB_Tokens: a secret proves its token until the token expires, is revoked, or its
// session, project or user ends; nothing else proves it.
func TestDB_Tokens(t *testing.T) {
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
	if err := db.AddUser(ctx, koda.User{ID: "anna", Name: "anna"}); koda.CodeOf(err) != koda.CodeExists {
		t.Errorf("a second anna: %v", err)
	}
	p := koda.Project{ID: "p1", UserID: "anna", Name: "ball", Dir: t.TempDir(), Phase: koda.PhaseIdle, Author: "recipe", SandboxType: "local", CreatedAt: t0, UpdatedAt: t0}
	must(db.Create(ctx, koda.Commit{Project: p, At: t0, State: []byte(`{}`)}))
	must(db.SaveSession(ctx, koda.Session{ID: "s1", ProjectID: "p1", UserID: "anna", Status: koda.SessionActive, SandboxType: "local", CreatedAt: t0, UpdatedAt: t0, LastActivity: t0}))
	token := func(id string) koda.Token {
		return koda.Token{ID: id, UserID: "anna", Write: true, Note: "of " + id, CreatedAt: t0, ExpiresAt: t0.Add(time.Hour)}
	}
	all, ofProject, ofSession := token("a"), token("b"), token("c")
	ofProject.ProjectID, ofSession.ProjectID, ofSession.SessionID = "p1", "p1", "s1"
	for _, tk := range []koda.Token{all, ofProject, ofSession} {
		must(db.SaveToken(ctx, tk, "secret of "+tk.ID))
	}
	for name, wrong := range map[string]koda.Token{
		"unknown user":             {ID: "x", UserID: "nobody", CreatedAt: t0, ExpiresAt: t0},
		"project of another":       {ID: "x", UserID: koda.LocalUser, ProjectID: "p1", CreatedAt: t0, ExpiresAt: t0},
		"session of no project":    {ID: "x", UserID: "anna", SessionID: "s1", CreatedAt: t0, ExpiresAt: t0},
		"session that never began": {ID: "x", UserID: "anna", ProjectID: "p1", SessionID: "s2", CreatedAt: t0, ExpiresAt: t0},
	} {
		if err := db.SaveToken(ctx, wrong, "x"); koda.CodeOf(err) != koda.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := db.TokenOf(ctx, "secret of b", t0.Add(59*time.Minute))
	if diff := cmp.Diff(ofProject, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	proves := func(want string, at time.Time) {
		t.Helper()
		valid := ""
		for _, id := range []string{"a", "b", "c"} {
			if _, err := db.TokenOf(ctx, "secret of "+id, at); err == nil {
				valid += id
			} else if koda.CodeOf(err) != koda.CodeNotFound {
				t.Error(err)
			}
		}
		listed := ""
		tokens, err := db.Tokens(ctx, at)
		must(err)
		for _, tk := range tokens {
			listed += tk.ID
		}
		if valid != want || listed != want {
			t.Errorf("valid are %q and listed %q, want %q", valid, listed, want)
		}
	}
	proves("abc", t0)
	proves("", t0.Add(time.Hour))
	if _, err := db.TokenOf(ctx, "", t0); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("no secret: %v", err)
	}
	must(db.SaveSession(ctx, koda.Session{ID: "s1", ProjectID: "p1", UserID: "anna", Status: koda.SessionClosed, SandboxType: "local", CreatedAt: t0, UpdatedAt: t0, LastActivity: t0}))
	proves("ab", t0)
	must(db.DeleteToken(ctx, "a", t0))
	proves("b", t0)
	if err := db.DeleteUser(ctx, "anna"); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("a user with a project: %v", err)
	}
	must(db.Delete(ctx, "p1"))
	proves("", t0)
	must(db.SaveToken(ctx, all, "secret of a"))
	must(db.DeleteUser(ctx, "anna"))
	proves("", t0)
	if err := db.DeleteUser(ctx, koda.LocalUser); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("the local user: %v", err)
	}
}
