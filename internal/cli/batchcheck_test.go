package cli_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// TestBatch_hopeless: rows of which none can be drawn are refused before anything is made.
func TestBatch_hopeless(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.deps.CheckRow = func(context.Context, fs.FS, json.RawMessage, []string) (json.RawMessage, error) {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: `"n" is no parameter`, Hint: "there are m"}
	}
	f.types(`{"n": 1} {"n": 2}`)
	if got := f.run("render", page(t), "--batch", "-", "--output", t.TempDir()); got != 2 || len(f.render.specs) > 0 || !strings.Contains(f.err.String(), `none of the 2 rows can be drawn: "n" is no parameter`) {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	f = newFace(t)
	f.deps.CheckBrief = func(_ context.Context, b koda.Brief) (recipe.Wanted, error) {
		if b.Params["text"] != "" {
			return recipe.Wanted{Seconds: 7}, nil
		}
		return recipe.Wanted{Seconds: 5}, nil
	}
	rows := filepath.Join(t.TempDir(), "rows.json")
	if err := os.WriteFile(rows, []byte(`[{"text": "long"}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := f.run("new", "ball", "--yes", "--batch", rows); got != 2 || len(f.engine.requests) > 0 || !strings.Contains(f.err.String(), "the row cannot be drawn: the row makes a video of 7 s, and the project has 5 s") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

// TestNew_shape: the shape that a prompt asks for holds for a preset of no certain place, and is told for others.
func TestNew_shape(t *testing.T) {
	t.Parallel()
	for preset, want := range map[string]struct {
		width int
		said  string
	}{"gif": {1080, ""}, "final": {1080, ""}, "youtube": {1920, "the preset youtube makes 1920 × 1080, so the shape that the prompt asks for is not used"}, "reels": {1080, ""}} {
		f := newFace(t)
		f.engine.replies = []reply{{}}
		f.deps.CheckBrief = func(context.Context, koda.Brief) (recipe.Wanted, error) {
			return recipe.Wanted{Width: 1080, Height: 1920}, nil
		}
		f.run("new", "a vertical ball", "--yes", "--preset", preset)
		if len(f.engine.requests) != 1 || f.engine.requests[0].Brief.Width != want.width || !strings.Contains(f.err.String(), want.said) {
			t.Errorf("%s: %+v: %s", preset, f.engine.requests, f.err.String())
		}
	}
}
