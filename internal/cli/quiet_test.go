package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestVersionFlag: --version prints what the command version prints.
func TestVersionFlag(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.run("version")
	want := f.out.String()
	for _, flag := range []string{"-v", "--version"} {
		if got := f.run(flag); got != 0 || f.out.String() != want || f.err.Len() > 0 {
			t.Errorf("%s: status %d, %q, %q", flag, got, f.out.String(), f.err.String())
		}
	}
	if got := f.run("-v", "--json"); got != 0 || f.result()["version"] != "v1.2.3" {
		t.Errorf("status %d: %s", got, f.out.String())
	}
	if got := f.run("--version", "nonsense"); got != 2 || !strings.Contains(f.err.String(), "hint: ") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

// accepted is an outcome whose plan was accepted without asking the person.
func accepted() []koda.Event {
	return []koda.Event{
		{Type: koda.EventStateChange, Payload: koda.StateChange{Phase: koda.PhasePlan, State: planned().State}},
		{Type: koda.EventStateChange, Payload: koda.StateChange{Phase: koda.PhaseExecuting, State: func() koda.NodeState {
			s := planned().State
			s.Phase = koda.PhaseExecuting
			return s
		}()}},
	}
}

// TestNotes: if the plan is not shown, koda says once what it did not understand.
// The result says it too.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"new", "ball", "--yes"}, {"resume", "ball", "--yes"}, {"answer", "ball", "1"}} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		f.engine.view = engine.View{Project: ball, State: asking().State, Waiting: engine.WaitingAnswer}
		f.engine.replies = []reply{{events: accepted(), out: complete()}}
		if got := f.run(args...); got != 0 || strings.Count(f.err.String(), "note: no sound\n") != 1 {
			t.Errorf("%v: status %d: %s", args, got, f.err.String())
		}
		f.engine.replies = []reply{{events: accepted(), out: complete()}}
		f.run(append(args, "--json")...)
		if diff := cmp.Diff([]any{"no sound"}, f.result()["notes"]); diff != "" || f.err.Len() > 0 {
			t.Errorf("%v: %s%s", args, diff, f.err.String())
		}
	}

	// Notes that were shown with the plan are not told again.
	f := newFace(t)
	f.types("accept")
	f.engine.replies = []reply{{events: accepted()[:1], out: planned()}, {events: accepted()[1:], out: complete()}}
	if f.run("new", "ball"); strings.Contains(f.err.String(), "note: ") || !strings.Contains(f.err.String(), "no sound") {
		t.Errorf("%s", f.err.String())
	}
}

// TestPlanOnlyWithYes: --plan-only with --yes takes the defaults and stops at the
// plan.
func TestPlanOnlyWithYes(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.replies = []reply{{events: accepted()[:1], out: planned()}}
	if got := f.run("new", "ball", "--yes", "--plan-only"); got != 0 || !strings.Contains(f.out.String(), "Plan: 5 s") {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	if r := f.engine.requests[0]; !r.Brief.Yes || !r.PlanOnly {
		t.Errorf("request %+v", r)
	}
}

// TestQuiet: koda prints only results on standard output and errors on standard
// error, and asks nothing even at a terminal.
func TestQuiet(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.replies = []reply{{events: accepted(), out: complete()}}
	if got := f.run("new", "ball", "--yes", "-q"); got != 0 || f.err.Len() > 0 || f.out.String() != output.VideoURL+"\n" {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	f.types("accept")
	f.engine.replies = []reply{{events: accepted()[:1], out: planned()}}
	want := "koda: the plan waits for approval\n  hint: koda accept 0a1b2c3d4e5f\n"
	if got := f.run("new", "ball", "--quiet"); got != 3 || f.err.String() != want || !strings.Contains(f.out.String(), "Plan: 5 s") {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	f.engine.replies = []reply{{events: accepted(), out: complete()}}
	if got := f.run("new", "ball", "--yes", "-q", "--json"); got != 0 || len(f.envelopes()) != 1 {
		t.Errorf("status %d: %s", got, f.out.String())
	}
	if got := f.run("new", "-q"); got != 2 || !strings.HasPrefix(f.err.String(), "koda: the prompt is empty\n  hint: ") {
		t.Errorf("status %d: %q", got, f.err.String())
	}
}

// TestOutputs: every result names its files in the same shape.
func TestOutputs(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	dir := page(t)
	f.engine.replies = []reply{{out: complete()}}
	f.run("new", "ball", "--yes", "--json")
	video := map[string]any{"kind": "video", "path": output.VideoURL, "version": 1.0, "size": 1234567.0, "sha256": "feed"}
	thumbnail := map[string]any{"kind": "thumbnail", "path": output.ThumbnailURL, "version": 1.0}
	preview := map[string]any{"kind": "preview", "path": "/animations/ball/previews/ball-v1.mp4", "version": 1.0}
	if diff := cmp.Diff([]any{video, thumbnail, preview}, f.result()["outputs"]); diff != "" {
		t.Error(diff)
	}
	out := t.TempDir()
	for _, tt := range []struct{ kind, name, command string }{
		{"video", "a.mp4", "render"}, {"frames", "frames", "render --format png"}, {"still", "a.png", "still"}, {"sheet", "b.png", "sheet"},
	} {
		args := append(strings.Fields(tt.command), dir, "--json", "--output", out+"/"+tt.name)
		if got := f.run(args...); got != 0 {
			t.Fatalf("%v: status %d: %s", args, got, f.out.String())
		}
		first, _ := f.result()["outputs"].([]any)
		if len(first) == 0 {
			t.Fatalf("%v: no outputs in %s", args, f.out.String())
		}
		if m, _ := first[0].(map[string]any); m["kind"] != tt.kind || m["path"] != out+"/"+tt.name {
			t.Errorf("%v: %v", args, m)
		}
	}
}
