package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

func TestDeleteRender(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash = true
	ctx := t.Context()
	out := b.untilPreview()
	id, dir := out.Project.ID, out.Project.Dir
	ref := func(output string) string {
		t.Helper()
		view, err := b.engine.Show(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range slices.Backward(view.Renders) {
			if r.Spec.Output == output {
				return strings.TrimPrefix(r.ID, id+"-")
			}
		}
		t.Fatalf("no render of %s in %+v", output, view.Renders)
		return ""
	}
	preview := filepath.Join(dir, "previews", "bouncing-ball-v1.mp4")
	if _, err := b.engine.DeleteRender(ctx, id, ref(preview)); koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) == "" {
		t.Errorf("the preview it waits with: %v", err)
	}
	out = b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	spec := b.video.specs[len(b.video.specs)-1]
	render := func(output string) string {
		t.Helper()
		spec.Output, spec.Thumbnail = output, ""
		if _, err := b.engine.Render(ctx, id, spec); err != nil {
			t.Fatal(err)
		}
		return ref(output)
	}

	// Deleting a render removes its file and its row, wherever the video was put.
	elsewhere := filepath.Join(t.TempDir(), "out.mp4")
	got, err := b.engine.DeleteRender(ctx, id, render(elsewhere))
	if diff := cmp.Diff([]string{elsewhere}, got.Removed); diff != "" || len(got.Left) != 0 || err != nil {
		t.Errorf("removed (-want +got):\n%sleft %v, %v", diff, got.Left, err)
	}
	if _, err := os.Stat(elsewhere); !os.IsNotExist(err) {
		t.Errorf("%s: %v", elsewhere, err)
	}
	// A file that two renders made stays until the second of them is deleted.
	twice := filepath.Join(dir, "renders", "twice.mp4")
	first := render(twice)
	second := render(twice)
	if got, err := b.engine.DeleteRender(ctx, id, first); err != nil || len(got.Removed) != 0 || !slices.Equal(got.Left, []string{twice}) {
		t.Errorf("%+v, %v", got, err)
	}
	b.read(twice)
	if got, err := b.engine.DeleteRender(ctx, id, id+"-"+second); err != nil || !slices.Equal(got.Removed, []string{twice}) {
		t.Errorf("%+v, %v", got, err)
	}
	// A file that the person put in its place stays.
	mine := filepath.Join(dir, "renders", "mine.mp4")
	changed := render(mine)
	if err := os.WriteFile(mine, []byte("my own"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := b.engine.DeleteRender(ctx, id, changed); err != nil || len(got.Removed) != 0 || b.read(mine) != "my own" {
		t.Errorf("%+v, %v", got, err)
	}
	// A file that is gone already.
	gone := filepath.Join(dir, "renders", "gone.mp4")
	lost := render(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if got, err := b.engine.DeleteRender(ctx, id, lost); err != nil || len(got.Removed)+len(got.Left) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := b.engine.DeleteRender(ctx, id, lost); koda.CodeOf(err) != koda.CodeNotFound || koda.HintOf(err) == "" {
		t.Errorf("twice: %v", err)
	}
	// All other files are as they were.
	b.read(out.State.Output.VideoURL)
	b.read(preview)

	release, err := (&workdir.Storage{Now: b.clock.now}).Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.DeleteRender(ctx, id, "e1"); koda.CodeOf(err) != koda.CodeInUse {
		t.Errorf("while somebody works on it: %v", err)
	}
	if _, err := b.engine.Delete(ctx, id); koda.CodeOf(err) != koda.CodeInUse {
		t.Errorf("while somebody works on it: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}
