package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// What the person brought is indexed with the project's first step, and for a
// fork with its own.
func TestAssets_Journaled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	data := filepath.Join(t.TempDir(), "points.json")
	if err := os.WriteFile(data, []byte(`[1, 2]`), 0o600); err != nil {
		t.Fatal(err)
	}
	req := b.request("bouncing ball", true)
	req.Assets = []string{data}
	out := b.must(b.engine.New(t.Context(), req))
	copied := b.must(b.engine.Fork(t.Context(), out.Project.ID, engine.ForkRequest{Version: 1, Name: "other"}))
	for _, o := range []koda.Project{out.Project, copied.Project} {
		got, err := b.db.Assets(t.Context(), o.ID)
		if err != nil || len(got) != 1 || got[0].Name != "points.json" || got[0].Path != "public/data/points.json" || got[0].Size != 6 {
			t.Errorf("assets of %s: %s, %v", o.Name, cmp.Diff([]koda.Asset(nil), got), err)
		}
	}
}

// Projects begun at the same moment with the same words each get a directory,
// beside one that a killed koda left empty, and that one is taken.
func TestNew_AtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	left := filepath.Join(b.parent, "bouncing-ball")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	const n = 8
	dirs := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			req := b.request("bouncing ball", false)
			req.PlanOnly = true
			out, err := b.engine.New(t.Context(), req)
			if err != nil {
				t.Error(err)
			}
			dirs[i] = out.Project.Dir
		})
	}
	wg.Wait()
	slices.Sort(dirs)
	if got := slices.Compact(dirs); len(got) != n || got[0] != left {
		t.Errorf("projects in %v", got)
	}
}
