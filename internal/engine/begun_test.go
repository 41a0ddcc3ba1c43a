package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestWhenBegun: who asks for work learns once that the work is journaled, and what a
// refused call would have begun is told to nobody. A project belongs to who asked for it.
func TestWhenBegun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := b.db.AddUser(t.Context(), koda.User{ID: "anna", Name: "anna"}); err != nil {
		t.Fatal(err)
	}
	var begun []string
	ctx := engine.WhenBegun(t.Context(), func(p koda.Project) {
		if _, err := b.db.FindProject(t.Context(), p.ID); err != nil {
			t.Errorf("told before it was journaled: %v", err)
		}
		begun = append(begun, p.UserID+" "+string(p.Phase))
	})
	req := b.request("bouncing ball", true)
	req.User, req.PlanOnly = "anna", true
	out := b.must(b.engine.New(ctx, req))
	if diff := cmp.Diff([]string{"anna idle"}, begun); diff != "" {
		t.Error(diff)
	}
	if out.Project.UserID != "anna" || out.State.UserID != "anna" {
		t.Errorf("the project is that of %q, its state of %q", out.Project.UserID, out.State.UserID)
	}
	refused := engine.WhenBegun(t.Context(), func(koda.Project) { t.Error("a refused call was told as begun") })
	if _, err := b.engine.Answer(refused, out.Project.ID, out.Seen, koda.Answer{Text: "red"}); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("an answer to a plan: %v", err)
	}
	resumed := false
	if _, err := b.engine.Resume(engine.WhenBegun(t.Context(), func(koda.Project) { resumed = true }), out.Project.ID, false); err != nil || !resumed {
		t.Errorf("resumed: %v, %v", resumed, err)
	}
}
