package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/workdir"
)

// sweeps sweeps after a dry run, which must report the same.
func (b *bench) sweeps() engine.Swept {
	b.t.Helper()
	would, err := b.engine.Sweep(b.t.Context(), true)
	if err != nil {
		b.t.Fatal(err)
	}
	if again, err := b.engine.Sweep(b.t.Context(), true); err != nil {
		b.t.Fatal(err)
	} else if diff := cmp.Diff(would, again); diff != "" {
		b.t.Errorf("a dry run changed something (-first +second):\n%s", diff)
	}
	did, err := b.engine.Sweep(b.t.Context(), false)
	if err != nil {
		b.t.Fatal(err)
	}
	if diff := cmp.Diff(would, did); diff != "" {
		b.t.Errorf("a dry run told otherwise (-would +did):\n%s", diff)
	}
	if left, err := b.engine.Sweep(b.t.Context(), false); err != nil || len(left.Sandboxes)+len(left.Previews)+len(left.Contents)+left.Sessions != 0 {
		b.t.Errorf("swept again: %+v, %v", left, err)
	}
	return did
}

// provider is the provider of the bench's engine.
func (b *bench) provider() *local.Provider {
	return local.New(local.Config{Root: b.home, Now: b.clock.now})
}

// TestSweep_Away: a sweep saves the work of a person who is away for long, unless
// somebody works on the project.
func TestSweep_Away(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Idle = 5 * time.Minute
	b.open()
	out := b.untilPreview()
	sb, err := b.provider().Connect(t.Context(), out.State.SandboxID)
	if err != nil {
		t.Fatal(err)
	}
	if err := sb.WriteFile(t.Context(), "src/unsaved.ts", []byte("// precious")); err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); len(s.Sandboxes) != 0 {
		t.Errorf("at once: %+v", s)
	}
	b.clock.jump(-time.Hour)
	if s := b.sweeps(); len(s.Sandboxes) != 0 {
		t.Errorf("after the clock jumped back: %+v", s)
	}
	b.clock.jump(time.Hour + 10*time.Minute)
	release, err := (&workdir.Storage{Now: b.clock.now}).Lock(out.Project.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); len(s.Sandboxes) != 0 {
		t.Errorf("while somebody works on it: %+v", s)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	want := []engine.SweptSandbox{{ID: sb.ID(), Project: "bouncing-ball", Why: "nobody came back to it"}}
	if diff := cmp.Diff(want, b.sweeps().Sandboxes); diff != "" || len(b.sandboxes()) != 0 {
		t.Errorf("(-want +got):\n%s%v", diff, b.sandboxes())
	}
	if got := b.read(out.Project.Dir, "src", "unsaved.ts"); got != "// precious" {
		t.Errorf("saved %q", got)
	}
	out = b.must(b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{}))
	if out.State.Phase != koda.PhaseComplete {
		t.Errorf("phase %s", out.State.Phase)
	}
}

// TestSweep_Orphans: a sweep destroys sandboxes that no project uses, once the koda
// process that made them is gone.
func TestSweep_Orphans(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.untilPreview()
	p := b.provider()
	made := func(project string, orphan bool) string {
		t.Helper()
		sb, err := p.Create(t.Context(), sandbox.Options{ProjectID: project})
		if err != nil {
			t.Fatal(err)
		}
		if orphan { // made by an earlier process with the id of this process
			file := filepath.Join(b.home, "sandboxes", sb.ID(), "meta.json")
			host, err := os.Hostname()
			meta := `{"id": "` + sb.ID() + `", "projectId": "` + project + `", "pid": 2147483646, "host": "` + host + `", "created": "` + b.clock.now().Format(time.RFC3339) + `"}`
			if err := errors.Join(err, os.WriteFile(file, []byte(meta), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		return sb.ID()
	}
	orphan, young, stranger := made(out.Project.ID, true), made(out.Project.ID, false), made("nobody", true)
	if diff := cmp.Diff([]engine.SweptSandbox{{ID: orphan, Project: "bouncing-ball", Why: "no project uses it"}}, b.sweeps().Sandboxes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The sandbox may belong to another database: a sweep waits for a day.
	b.clock.jump(25 * time.Hour)
	if diff := cmp.Diff([]engine.SweptSandbox{{ID: stranger, Why: "no project uses it"}}, b.sweeps().Sandboxes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, id := range []string{young, out.State.SandboxID} {
		if _, err := p.Connect(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestSweep_Previews: a sweep removes old previews that koda made, and none of
// people's files.
func TestSweep_Previews(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash = true
	out := b.untilPreview()
	id, dir := out.Project.ID, filepath.Join(out.Project.Dir, "previews")
	for range 3 {
		out = b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it blue"))
	}
	first, second, third, waits := "bouncing-ball-v1.mp4", "bouncing-ball-v2.mp4", "bouncing-ball-v3.mp4", "bouncing-ball-v4.mp4"
	write := func(name, text string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	long := b.clock.now()
	write(first, "", long)
	write(second, "my own video", long)        // the person replaced it
	write(third, "", long.Add(1000*time.Hour)) // a clock jumped back since
	write(waits, "", long)
	write("holiday.mp4", "mine", long)
	if s := b.sweeps(); len(s.Previews) != 0 {
		t.Errorf("at once: %+v", s)
	}
	b.clock.jump(25 * time.Hour)
	if diff := cmp.Diff([]engine.SweptPreview{{Path: filepath.Join(dir, "bouncing-ball-v1.strip"), Size: 5}, {Path: filepath.Join(dir, first), Size: 5}}, b.sweeps().Previews); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{second, third, waits, "holiday.mp4"} {
		b.read(dir, name)
	}
	// Files behind a link never count as the project's.
	elsewhere := filepath.Join(out.Project.Dir, "elsewhere")
	if err := errors.Join(os.Rename(dir, elsewhere), os.Symlink(elsewhere, dir)); err != nil {
		t.Fatal(err)
	}
	write(third, "", long)
	if s := b.sweeps(); len(s.Previews) != 0 {
		t.Errorf("through a link: %+v", s.Previews)
	}
	b.read(elsewhere, third)
	if err := errors.Join(os.Remove(dir), os.Rename(elsewhere, dir)); err != nil {
		t.Fatal(err)
	}
	write(third, "", long.Add(1000*time.Hour))
	// When the project no longer waits with its preview, the last preview is removed
	// too.
	b.must(b.engine.Accept(t.Context(), id, koda.Seen{}))
	if diff := cmp.Diff([]engine.SweptPreview{{Path: filepath.Join(dir, "bouncing-ball-v4.strip"), Size: 5}, {Path: filepath.Join(dir, waits), Size: 5}}, b.sweeps().Previews); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A project whose directory is gone does not stop the sweep.
	if err := os.RemoveAll(out.Project.Dir); err != nil {
		t.Fatal(err)
	}
	b.clock.jump(25 * time.Hour)
	b.sweeps()
}

// TestSweep_Contents: a sweep removes stored contents of drafts, and none of
// versions.
func TestSweep_Contents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.untilPreview()
	if s := b.sweeps(); len(s.Contents) != 0 {
		t.Errorf("after a version: %+v", s.Contents)
	}
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		ill := &koda.Error{Code: koda.CodeProviderError, Op: "the model is ill"}
		return errors.Join(tool.WriteFile(ctx, box, "src/draft.ts", task.Message), ill)
	}
	for _, change := range []string{"blue", "red"} { // each leaves a draft that the next replaces
		if _, err := b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, change); koda.CodeOf(err) != koda.CodeProviderError {
			t.Fatal(err)
		}
	}
	release, err := (&workdir.Storage{Now: b.clock.now}).Lock(out.Project.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); len(s.Contents) != 0 {
		t.Errorf("while somebody works on it: %+v", s)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]engine.SweptContents{{Project: "bouncing-ball", Files: 1, Size: 4}}, b.sweeps().Contents); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := b.engine.Checkout(t.Context(), out.Project.ID, 1); err != nil {
		t.Error(err)
	}
}

// TestSweep_Sessions: a sweep closes sessions after a month and forgets them after
// another month.
func TestSweep_Sessions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Idle = 5 * time.Minute
	b.open()
	out := b.untilPreview()
	month := 31 * 24 * time.Hour
	status := func() []koda.SessionStatus {
		t.Helper()
		all, err := b.db.AllSessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []koda.SessionStatus
		for _, s := range all {
			got = append(got, s.Status)
		}
		return got
	}
	for _, step := range []struct {
		after    time.Duration
		sessions int
		want     []koda.SessionStatus
	}{
		{time.Hour, 0, []koda.SessionStatus{koda.SessionSuspended}}, // its sandbox is put away
		{month, 1, []koda.SessionStatus{koda.SessionClosed}},
		{time.Hour, 0, []koda.SessionStatus{koda.SessionClosed}},
		{month, 1, nil},
	} {
		b.clock.jump(step.after)
		if s := b.sweeps(); s.Sessions != step.sessions {
			t.Errorf("%d sessions after %v", s.Sessions, step.after)
		}
		if diff := cmp.Diff(step.want, status()); diff != "" {
			t.Errorf("after %v (-want +got):\n%s", step.after, diff)
		}
	}
	// The project itself is kept, and goes on in a new session.
	out = b.must(b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "make it blue"))
	if diff := cmp.Diff([]koda.SessionStatus{koda.SessionActive}, status()); diff != "" || out.State.Phase != koda.PhasePreview {
		t.Errorf("phase %s: %s", out.State.Phase, diff)
	}
}

// TestSweep_OrphanedSessions: a session whose sandbox died by itself is closed at
// once, unless somebody works on the project. A session whose project's directory is
// gone is closed after a month, together with its sandbox, even if sandboxes have no
// idle limit.
func TestSweep_OrphanedSessions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.untilPreview()
	status := func() koda.SessionStatus {
		t.Helper()
		all, err := b.db.AllSessions(t.Context())
		if err != nil || len(all) == 0 {
			t.Fatalf("%v, %v", all, err)
		}
		return all[len(all)-1].Status
	}
	if s := b.sweeps(); s.Sessions != 0 || status() != koda.SessionActive {
		t.Errorf("%+v, %s", s, status())
	}
	if err := os.RemoveAll(filepath.Join(b.home, "sandboxes", out.State.SandboxID)); err != nil {
		t.Fatal(err)
	}
	release, err := (&workdir.Storage{Now: b.clock.now}).Lock(out.Project.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); s.Sessions != 0 {
		t.Errorf("while somebody works on it: %+v", s)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); s.Sessions != 1 || status() != koda.SessionClosed {
		t.Errorf("%+v, %s", s, status())
	}
	// The project goes on in another session, and says what was lost.
	out = b.must(b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "make it blue"))
	if status() != koda.SessionActive || len(notes(out)) != 1 || len(b.sandboxes()) != 1 {
		t.Errorf("%s, %v, %v", status(), notes(out), b.sandboxes())
	}
	month := 31 * 24 * time.Hour
	b.clock.jump(month) // sandboxes have no idle limit
	if s := b.sweeps(); len(s.Sandboxes) != 1 || len(b.sandboxes()) != 0 || status() != koda.SessionSuspended {
		t.Errorf("%+v, %s", s, status())
	}
	b.must(b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "make it red"))
	if err := os.RemoveAll(out.Project.Dir); err != nil {
		t.Fatal(err)
	}
	if s := b.sweeps(); s.Sessions != 0 || status() != koda.SessionActive {
		t.Errorf("a directory may come back: %+v, %s", s, status())
	}
	b.clock.jump(month)
	if s, err := b.engine.Sweep(t.Context(), false); err != nil || s.Sessions < 1 || status() != koda.SessionClosed {
		t.Errorf("%+v, %v, %s", s, err, status())
	}
}
