package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// unbuilt fails the test unless a call failed with a build error that names the
// place, and made no version.
func (b *bench) unbuilt(id string, err error, versions int) {
	b.t.Helper()
	if koda.CodeOf(err) != koda.CodeBuildFailed || !strings.Contains(err.Error(), "src/App.tsx:1:1") || !strings.Contains(koda.HintOf(err), "an end is missing; mend it in ") {
		b.t.Fatalf("%v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
	}
	view, err := b.engine.Show(b.t.Context(), id)
	if err != nil || len(view.Versions) != versions {
		b.t.Errorf("%d versions, %v, want %d", len(view.Versions), err, versions)
	}
	if all, err := filepath.Glob(filepath.Join(view.Project.Dir, ".koda", "versions", "v*.json")); err != nil || len(all) != versions {
		b.t.Errorf("%v, %v", all, err)
	}
}

// TestVersion_Unbuilt: code of an author that does not build becomes no version. It
// is in the directory, a person who mends it there can resume, and the author is
// told at the next change.
func TestVersion_Unbuilt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	write := func(app string) func(context.Context, koda.Task, tool.Desk) error {
		return func(ctx context.Context, _ koda.Task, box tool.Desk) error {
			return tool.WriteFile(ctx, box, "src/App.tsx", app)
		}
	}
	b.author.work = write("<<< broken")
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	id, app := out.Project.ID, filepath.Join(out.Project.Dir, "src", "App.tsx")
	b.unbuilt(id, err, 0)
	if out.State.Phase != koda.PhaseError || out.Waiting != engine.WaitingRetry || b.read(app) != "<<< broken" || len(b.video.specs) != 0 {
		t.Errorf("phase %s, waiting for %q, drew %v", out.State.Phase, out.Waiting, b.video.specs)
	}
	if !strings.HasSuffix(koda.HintOf(err), "koda resume bouncing-ball") {
		t.Errorf("hint %q", koda.HintOf(err))
	}
	_, err = b.engine.Resume(ctx, id, false)
	b.unbuilt(id, err, 0)
	if err := os.WriteFile(app, []byte("mended"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.open()
	works := len(b.author.works)
	out = b.must(b.engine.Resume(ctx, id, false))
	if out.State.Phase != koda.PhaseComplete || out.State.Output.Version != 1 || b.read(app) != "mended" || len(b.author.works) != works {
		t.Errorf("phase %s, %+v", out.State.Phase, out.State.Output)
	}
	b.author.work = write("<<< again")
	_, err = b.engine.Edit(ctx, id, koda.Seen{}, "make it blue")
	b.unbuilt(id, err, 1)
	if !strings.Contains(koda.HintOf(err), "or go back to v1: koda undo bouncing-ball") {
		t.Errorf("hint %q", koda.HintOf(err))
	}
	b.author.work = write("whole")
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	told := b.author.works[len(b.author.works)-1].Messages
	if last := told[len(told)-1].Content; !strings.Contains(last, "src/App.tsx:1:1: Unexpected") || !strings.Contains(last, "1 | <<<") {
		t.Errorf("the author was told %q", last)
	}
}

// TestVersion_HandEditUnbuilt: a person's own edit that breaks the build stays as
// it is. Neither a change nor a render makes it a version. The person can mend or
// undo it.
func TestVersion_HandEditUnbuilt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.untilPreview()
	id, app := out.Project.ID, filepath.Join(out.Project.Dir, "src", "App.tsx")
	edit := func(text string) {
		t.Helper()
		if err := os.WriteFile(app, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("<<< mine")
	spec := b.video.specs[0]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	_, err := b.engine.Render(ctx, id, spec)
	b.unbuilt(id, err, 1)
	_, err = b.engine.Edit(ctx, id, koda.Seen{}, "make it blue")
	b.unbuilt(id, err, 1)
	if got := b.read(app); got != "<<< mine" {
		t.Errorf("the edit became %q", got)
	}
	edit("mended")
	b.open()
	out = b.must(b.engine.Resume(ctx, id, false))
	if out.State.Preview.Version != 2 || b.read(app) != "mended" {
		t.Errorf("%+v, %q", out.State.Preview, b.read(app))
	}
	// An undo keeps the edit, too.
	edit("<<< mine")
	_, err = b.engine.Edit(ctx, id, koda.Seen{}, "make it red")
	b.unbuilt(id, err, 2)
	m, err := b.engine.Undo(ctx, id)
	if err != nil || m.To != 2 || m.Kept != 3 || b.read(app) != "mended" {
		t.Errorf("%+v, %v, %q", m, err, b.read(app))
	}
}
