package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// TestMoved_Videos: a project knows where its own videos are after it was moved or
// copied, and after its database was lost.
func TestMoved_Videos(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash = true
	ctx := t.Context()
	out := b.untilPreview()
	at := func(dir string) string { return filepath.Join(dir, "previews", "bouncing-ball-v1.mp4") }
	check := func(dir string) string {
		t.Helper()
		b.open()
		p, err := b.engine.Find(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		view, err := b.engine.Show(ctx, p.ID)
		if err != nil || view.State.Preview.VideoURL != at(dir) {
			t.Errorf("show in %s: %+v, %v", dir, view.State.Preview, err)
		}
		out := b.must(b.engine.Resume(ctx, p.ID, false))
		if out.State.Preview.VideoURL != at(dir) {
			t.Errorf("resume in %s: %+v", dir, out.State.Preview)
		}
		return p.ID
	}
	moved := filepath.Join(b.parent, "moved")
	if err := os.Rename(out.Project.Dir, moved); err != nil {
		t.Fatal(err)
	}
	id := check(moved)
	// It is still the preview that the project waits with.
	view, err := b.engine.Show(ctx, id)
	if err != nil || view.Renders[0].Spec.Output != at(moved) {
		t.Fatalf("%+v, %v", view.Renders, err)
	}
	if _, err := b.engine.DeleteRender(ctx, id, view.Renders[0].ID); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("the preview it waits with: %v", err)
	}
	copied := filepath.Join(b.parent, "copied")
	if err := os.CopyFS(copied, os.DirFS(moved)); err != nil {
		t.Fatal(err)
	}
	check(copied)
	check(moved)
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	b.db = nil
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(b.home, "koda.db"+end)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	id = check(copied)
	out = b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	if filepath.Dir(filepath.Dir(out.State.Output.VideoURL)) != copied {
		t.Errorf("output %s", out.State.Output.VideoURL)
	}
}
