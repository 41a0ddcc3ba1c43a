package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

// TestReconcile: if database or directory was set back, it is brought to the higher
// sequence of the other.
func TestReconcile(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]func(*bench, koda.Project) string{
		"database":  func(b *bench, _ koda.Project) string { return filepath.Join(b.home, "koda.db") },
		"directory": func(_ *bench, p koda.Project) string { return filepath.Join(p.Dir, ".koda", "state.json") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ctx := t.Context()
			p := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project
			path := file(b, p)
			if err := b.db.Close(); err != nil {
				t.Fatal(err)
			}
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b.db = nil
			b.open()
			want := b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it blue"))
			if err := b.db.Close(); err != nil {
				t.Fatal(err)
			}
			b.db = nil
			if err := os.WriteFile(path, old, 0o644); err != nil {
				t.Fatal(err)
			}
			b.open()
			got := b.must(b.engine.Resume(ctx, p.ID, false))
			if diff := cmp.Diff(want.State, got.State); diff != "" || got.Project.Seq != want.Project.Seq {
				t.Errorf("after the resume it stands at event %d, want %d:\n%s", got.Project.Seq, want.Project.Seq, diff)
			}
			if s, err := new(workdir.Storage).ReadState(p.Dir); err != nil || s.Seq != want.Project.Seq {
				t.Errorf("state.json stands at event %d, %v, want %d", s.Seq, err, want.Project.Seq)
			}
			if next := b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it red")); next.State.Preview.Version != want.State.Preview.Version+1 {
				t.Errorf("the next change makes version %d", next.State.Preview.Version)
			}
		})
	}
}

// TestReconcile_NoState: a directory that lost its state files is still known, and
// going to another version still puts its files in place.
func TestReconcile_NoState(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]string{"the last": {"state.json"}, "both": {"state.json", "state.prev.json"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ctx := t.Context()
			out := b.three()
			for _, file := range files {
				if err := os.Remove(filepath.Join(out.Project.Dir, ".koda", file)); err != nil {
					t.Fatal(err)
				}
			}
			m := b.moved(b.engine.Undo(ctx, out.Project.ID))
			b.at(m, 2)
			if m.Kept != 0 {
				t.Errorf("files that nobody edited were kept as v%d", m.Kept)
			}
			if changes, err := new(workdir.Storage).Changes(out.Project.Dir); err != nil || len(changes) != 0 {
				t.Errorf("%d files are taken for the person's, %v", len(changes), err)
			}
		})
	}
}
