package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/workdir"
)

// sandboxes lists the ids of the living sandboxes.
func (b *bench) sandboxes() []string {
	b.t.Helper()
	entries, err := os.ReadDir(filepath.Join(b.home, "sandboxes"))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// count counts the events of a type so far. It may be called while events come.
func (b *bench) count(t koda.EventType) int {
	n := 0
	for _, ev := range b.events() {
		if ev.Type == t {
			n++
		}
	}
	return n
}

// untilPreview makes a project and runs it until it waits with its preview.
func (b *bench) untilPreview() engine.Outcome {
	b.t.Helper()
	ctx := b.t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	out = b.must(b.engine.Answer(ctx, out.Project.ID, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	out = b.must(b.engine.Accept(ctx, out.Project.ID, koda.Seen{}))
	if out.State.Phase != koda.PhasePreview || len(b.sandboxes()) != 1 || out.State.SandboxID != b.sandboxes()[0] {
		b.t.Fatalf("phase %s in %q, there are %v", out.State.Phase, out.State.SandboxID, b.sandboxes())
	}
	if v := b.versions(out.Project.ID); out.Version != 1 || v[0].Prompt != "bouncing ball" {
		b.t.Errorf("at v%d, made of %q", out.Version, v[0].Prompt)
	}
	return out
}

// TestCheckpoint_Settled: five seconds after the last write all written files are
// in the project directory, although the todo is not done.
func TestCheckpoint_Settled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	checked := false
	b.author.before = func(n int, _ koda.Task) error {
		if n != 2 {
			return nil
		}
		file := filepath.Join(b.parent, "bouncing-ball", "src", "todo2-0.ts")
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("saved before it settled: %v", err)
		}
		before := b.count(koda.EventCheckpoint)
		saved := b.next(koda.EventCheckpoint)
		b.clock.ring(5 * time.Second)
		<-saved
		if got := b.read(file); !strings.HasPrefix(got, "// ") || b.count(koda.EventCheckpoint) != before+1 {
			t.Errorf("saved %q", got)
		}
		checked = true
		return nil
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete || !checked {
		t.Errorf("phase %s", out.State.Phase)
	}
}

// TestCheckpoint_Heartbeat: at every interval the sandbox is touched and changed files are saved. When no file
// changed, nothing is written.
func TestCheckpoint_Heartbeat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Checkpoint = 30 * time.Second
	var touches atomic.Int32
	b.tweak = func(cfg *engine.Config) {
		cfg.Sandboxes[sandbox.Local] = touching{cfg.Sandboxes[sandbox.Local], &touches}
	}
	b.open()
	b.author.before = func(n int, _ koda.Task) error {
		if n != 3 {
			return nil
		}
		before := b.count(koda.EventCheckpoint)
		for range 3 { // the next alarm is set when the alarm before it is over
			b.clock.ring(30 * time.Second)
		}
		b.clock.waiting(30 * time.Second)
		if got := b.count(koda.EventCheckpoint) - before; got != 1 {
			t.Errorf("%d checkpoints of one change", got)
		}
		if n := touches.Load(); n != 3 {
			t.Errorf("the sandbox was touched %d times", n)
		}
		b.read(b.parent, "bouncing-ball", "src", "todo3-0.ts")
		return nil
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete || len(b.clock.alarms) != 0 {
		t.Errorf("phase %s, %d alarms left", out.State.Phase, len(b.clock.alarms))
	}
}

// touching counts how often its sandboxes are touched.
type touching struct {
	sandbox.Provider
	touches *atomic.Int32
}

func (p touching) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	sb, err := p.Provider.Create(ctx, o)
	return touched{sb, p.touches}, err
}

type touched struct {
	sandbox.Sandbox
	touches *atomic.Int32
}

func (s touched) Touch(ctx context.Context) error {
	s.touches.Add(1)
	return s.Sandbox.Touch(ctx)
}

// TestIdle: while a person is away, everything is saved and the sandbox is put
// away. Their next change is made in a new sandbox.
func TestIdle(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Idle = 5 * time.Minute
	b.open()
	out := b.untilPreview()
	id := out.Project.ID

	ctx, back := context.WithCancel(t.Context())
	back() // before the time is up
	if err := b.engine.Idle(ctx, id); err != nil || len(b.sandboxes()) != 1 {
		t.Fatalf("%v, sandboxes %v", err, b.sandboxes())
	}
	ended := make(chan error)
	// Another process works on the project: it owns the project now.
	release, err := (&workdir.Storage{Now: b.clock.now}).Lock(out.Project.Dir)
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- b.engine.Idle(t.Context(), id) }()
	b.clock.ring(5 * time.Minute)
	if err := errors.Join(<-ended, release()); err != nil || len(b.sandboxes()) != 1 {
		t.Fatalf("%v, sandboxes %v", err, b.sandboxes())
	}
	go func() { ended <- b.engine.Idle(t.Context(), id) }()
	b.clock.ring(5 * time.Minute)
	if err := <-ended; err != nil || len(b.sandboxes()) != 0 {
		t.Fatalf("%v, sandboxes %v", err, b.sandboxes())
	}
	view, err := b.engine.Show(t.Context(), id)
	if err != nil || view.State.SandboxStatus != koda.SandboxDestroyed || view.State.SandboxID != "" || view.Waiting != engine.WaitingPreview {
		t.Errorf("after the idle time %+v, %v", view.State, err)
	}
	session, known, err := b.db.Session(t.Context(), id)
	if err != nil || !known || session.Status != "suspended" || session.SandboxID != "" {
		t.Errorf("session %+v, %v", session, err)
	}

	out = b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it blue"))
	if out.State.Phase != koda.PhasePreview || len(b.sandboxes()) != 1 || out.State.SandboxID != b.sandboxes()[0] {
		t.Errorf("phase %s in %q", out.State.Phase, out.State.SandboxID)
	}
	if notes := notes(out); len(notes) != 0 {
		t.Errorf("nothing was lost, yet: %v", notes)
	}
	b.read(out.Project.Dir, "src", "todo6-0.ts")

	// A second idle time passes, with nothing to put away.
	for range 2 {
		go func() { ended <- b.engine.Idle(t.Context(), id) }()
		b.clock.ring(5 * time.Minute)
		if err := <-ended; err != nil || len(b.sandboxes()) != 0 {
			t.Fatalf("%v, sandboxes %v", err, b.sandboxes())
		}
	}
	out = b.must(b.engine.Accept(t.Context(), id, koda.Seen{}))
	if out.State.Phase != koda.PhaseComplete || len(b.sandboxes()) != 0 {
		t.Errorf("phase %s, sandboxes %v", out.State.Phase, b.sandboxes())
	}
}

// notes are the messages of koda itself in the conversation.
func notes(out engine.Outcome) []string {
	var all []string
	for _, m := range out.State.Execution.Messages {
		if m.Role == "system" {
			all = append(all, m.Content)
		}
	}
	return all
}

// TestKept: after a video is complete its sandbox is kept for five minutes. A change
// in that time, also by another process, uses the same sandbox. Afterwards a sweep
// ends the sandbox and leaves the project's time of last change as it was.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, idle := range []time.Duration{5 * time.Minute, 0} {
		t.Run(fmt.Sprint(idle), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.limits.Idle = idle
			b.open()
			out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
			id, first := out.Project.ID, b.sandboxes()
			if out.State.Phase != koda.PhaseComplete || len(first) != 1 || out.State.SandboxID != first[0] {
				t.Fatalf("phase %s in %q, there are %v", out.State.Phase, out.State.SandboxID, first)
			}
			b.clock.jump(4 * time.Minute)
			if s := b.sweeps(); len(s.Sandboxes) != 0 {
				t.Errorf("swept after four minutes: %+v", s.Sandboxes)
			}
			b.open()
			if _, err := b.engine.Edit(t.Context(), id, koda.Seen{}, "add a spaceship"); koda.CodeOf(err) != koda.CodeInvalidInput || !slices.Equal(b.sandboxes(), first) {
				t.Errorf("%v, sandboxes %v, want %v", err, b.sandboxes(), first)
			}
			out = b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it blue"))
			if out.State.Phase != koda.PhaseComplete || !slices.Equal(b.sandboxes(), first) {
				t.Errorf("phase %s, sandboxes %v, want %v", out.State.Phase, b.sandboxes(), first)
			}
			changed := out.Project.UpdatedAt
			b.clock.jump(6 * time.Minute)
			want := []engine.SweptSandbox{{ID: first[0], Project: "bouncing-ball", Why: "nobody came back to it"}}
			if diff := cmp.Diff(want, b.sweeps().Sandboxes); diff != "" || len(b.sandboxes()) != 0 {
				t.Errorf("(-want +got):\n%s%v", diff, b.sandboxes())
			}
			view, err := b.engine.Show(t.Context(), id)
			if err != nil || view.State.SandboxID != "" || view.State.Phase != koda.PhaseComplete || !view.Project.UpdatedAt.Equal(changed) {
				t.Errorf("%+v, %v, changed at %v", view.Project, err, changed)
			}
			out = b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it red"))
			if notes := notes(out); len(notes) != 0 || len(b.sandboxes()) != 1 {
				t.Errorf("nothing was lost, yet: %v; sandboxes %v", notes, b.sandboxes())
			}
		})
	}
}

// TestLife: a sandbox that has been idle for long enough in total is replaced by a
// new sandbox with the same files.
func TestLife(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Life = 30 * time.Minute
	b.open()
	out := b.untilPreview()
	id, first := out.Project.ID, b.sandboxes()
	for i, test := range []struct {
		away time.Duration
		same bool
	}{{20 * time.Minute, true}, {-2 * time.Hour, true}, {9 * time.Minute, true}, {2 * time.Minute, false}} {
		b.clock.jump(test.away)
		b.open()
		out = b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, fmt.Sprintf("change %d", i)))
		if same := slices.Equal(b.sandboxes(), first); same != test.same || len(b.sandboxes()) != 1 || out.State.SandboxID != b.sandboxes()[0] {
			t.Errorf("%d: after %v in %q, there are %v", i, test.away, out.State.SandboxID, b.sandboxes())
		}
	}
	if notes := notes(out); len(notes) != 0 {
		t.Errorf("nothing was lost, yet: %v", notes)
	}
}

// TestFailure_SavesAndDestroys: when a project fails, everything is saved and no
// sandbox is left. A retry goes on at the same todo.
func TestFailure_SavesAndDestroys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.author.before = func(n int, _ koda.Task) error {
		if n == 2 {
			return &koda.Error{Code: koda.CodeProviderError, Op: "the model is ill"}
		}
		return nil
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeProviderError || out.State.Phase != koda.PhaseError || len(b.sandboxes()) != 0 {
		t.Fatalf("%v, phase %s, sandboxes %v", err, out.State.Phase, b.sandboxes())
	}
	b.read(out.Project.Dir, "src", "todo2-0.ts")
	b.author.before = nil
	b.open()
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || out.Saved.Calls != 1 || len(b.sandboxes()) != 1 {
		t.Errorf("phase %s, saved %+v, sandboxes %v", out.State.Phase, out.Saved, b.sandboxes())
	}
}

// TestPanic_Saves: when koda panics, all written files are in the project
// directory, nobody owns the project, and a resume goes on.
func TestPanic_Saves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.author.before = func(n int, _ koda.Task) error {
		if n == 2 {
			panic("a mistake")
		}
		return nil
	}
	func() {
		defer func() {
			if p := recover(); p != "a mistake" {
				t.Errorf("recovered %v", p)
			}
		}()
		_, _ = b.engine.New(t.Context(), b.request("bouncing ball", true))
	}()
	b.read(b.parent, "bouncing-ball", "src", "todo2-0.ts")
	b.author.before = nil
	b.open()
	p, err := b.engine.Find(t.Context(), "bouncing-ball")
	if err != nil {
		t.Fatal(err)
	}
	out := b.must(b.engine.Resume(t.Context(), p.ID, false))
	if out.State.Phase != koda.PhaseComplete || out.Saved.Calls != 1 {
		t.Errorf("phase %s, saved %+v", out.State.Phase, out.Saved)
	}
}
