package cli_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// TestUpdate: nothing is asked of the engine if there is nothing to update, or if files
// that the person changed would be lost.
func TestUpdate(t *testing.T) {
	t.Parallel()
	none := &koda.Error{Code: koda.CodeUsage, Op: "the project carries no recipe", Hint: "koda edit"}
	for name, tt := range map[string]struct {
		args   string
		update recipe.Update
		err    error
		status int
		calls  string
		told   string
	}{
		"newest":        {"recipes update ball", recipe.Update{Recipe: "kite", Newest: true, Edited: []string{"a.ts"}}, nil, 0, "", "ball carries the recipe kite of this koda already\n"},
		"older":         {"recipes update ball", recipe.Update{Recipe: "kite"}, nil, 0, "update " + ball.ID, ""},
		"edited":        {"recipes update ball", recipe.Update{Recipe: "kite", Edited: []string{"a.ts", "b.ts"}}, nil, 2, "", "koda: you changed a.ts, b.ts\n  hint: --force overwrites them, and koda undo brings them back\n"},
		"forced":        {"recipes update ball --force", recipe.Update{Recipe: "kite", Edited: []string{"a.ts"}}, nil, 0, "update " + ball.ID, ""},
		"newest forced": {"recipes update ball --force", recipe.Update{Recipe: "kite", Newest: true, Edited: []string{"a.ts"}}, nil, 0, "update " + ball.ID, ""},
		"no recipe":     {"recipes update ball --force", recipe.Update{}, none, 2, "", "koda: the project carries no recipe\n  hint: koda edit\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			at := ball
			at.Dir = t.TempDir()
			f.engine.projects, f.engine.view = []koda.Project{at}, engine.View{Project: at, Version: 1}
			f.deps.CheckUpdate = func(fs.FS) (recipe.Update, error) { return tt.update, tt.err }
			if tt.calls != "" {
				f.engine.replies = []reply{{out: complete()}}
			}
			got := f.run(strings.Fields(tt.args)...)
			if calls := strings.Join(f.engine.calls, "; "); got != tt.status || calls != tt.calls || !strings.Contains(f.err.String(), tt.told) {
				t.Errorf("status %d, calls %q: %s", got, calls, f.err.String())
			}
		})
	}
	f := newFace(t)
	f.engine.projects, f.engine.view = []koda.Project{ball}, engine.View{Project: ball, Waiting: engine.WaitingPlan}
	if got := f.run("recipes", "update", "ball"); got != 2 || !strings.Contains(f.err.String(), "koda: ball cannot be updated: nothing is made yet\n  hint: its plan waits") {
		t.Errorf("a plan: status %d: %s", got, f.err.String())
	}
	f = newFace(t)
	f.engine.projects, f.engine.view = []koda.Project{ball}, engine.View{Project: ball, Version: 1}
	f.engine.projects[0].Dir = t.TempDir()
	f.deps.CheckUpdate = func(fs.FS) (recipe.Update, error) { return recipe.Update{Recipe: "kite", Newest: true}, nil }
	if got := f.run("recipes", "update", "ball", "--json"); got != 0 || f.result()["upToDate"] != true || f.result()["recipe"] != "kite" {
		t.Errorf("--json: status %d: %v", got, f.result())
	}
}
