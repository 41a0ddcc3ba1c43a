package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// TestUpdate: an update of the recipe is a change of its own kind. It makes a version,
// can be undone, and if the author refuses it all stays as it was.
func TestUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true))).Project.ID
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		if task.Kind != koda.TaskUpdate || task.Todo.Label != "Update the recipe" {
			t.Errorf("asked for %+v", task)
		}
		return tool.WriteFile(ctx, box, "src/recipe/recipe.json", "{}")
	}
	out := b.must(b.engine.Update(t.Context(), id))
	if v := b.versions(id); out.Version != 2 || v[1].Prompt != "update the recipe" || out.State.Phase != koda.PhaseComplete {
		t.Errorf("at v%d %s", out.Version, out.State.Phase)
	}
	b.moved(b.engine.Undo(t.Context(), id))
	// An edit that the update overwrites is a version of its own, to which undo goes back.
	b.author.work = func(ctx context.Context, _ koda.Task, box tool.Desk) error {
		return tool.WriteFile(ctx, box, "src/mine.ts", "// of the recipe")
	}
	mine := filepath.Join(out.Project.Dir, "src", "mine.ts")
	if err := os.WriteFile(mine, []byte("// by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out = b.must(b.engine.Update(t.Context(), id)); out.Version != 4 || b.versions(id)[2].Author != koda.AuthorPerson || b.read(mine) != "// of the recipe" {
		t.Errorf("at v%d: %s", out.Version, b.read(mine))
	}
	b.moved(b.engine.Undo(t.Context(), id))
	if b.read(mine) != "// by hand" {
		t.Errorf("undo brought back %q", b.read(mine))
	}
	b.author.work = func(context.Context, koda.Task, tool.Desk) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "no", Hint: "why"}
	}
	if out, err := b.engine.Update(t.Context(), id); koda.CodeOf(err) != koda.CodeInvalidInput || out.Version != 3 || out.State.Phase != koda.PhaseComplete {
		t.Errorf("refused: at v%d %s, %v", out.Version, out.State.Phase, err)
	}
}

// TestNew_NoFinal: without the final video the run stops at the preview, whatever was
// approved, and a resume goes on.
func TestNew_NoFinal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	req := b.request("bouncing ball", true)
	req.NoFinal = true
	out := b.must(b.engine.New(t.Context(), req))
	if out.State.Phase != koda.PhasePreview || out.State.Output != nil {
		t.Errorf("phase %s", out.State.Phase)
	}
	if out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false)); out.State.Phase != koda.PhaseComplete {
		t.Errorf("resumed: phase %s", out.State.Phase)
	}
}
