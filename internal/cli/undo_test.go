package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestMove_Tells: one line says where the files are now, another line says what was
// kept.
func TestMove_Tells(t *testing.T) {
	t.Parallel()
	at := func(version int) koda.NodeState {
		return koda.NodeState{Phase: koda.PhaseComplete, Output: &koda.Output{Version: version}}
	}
	for name, tt := range map[string]struct {
		moved engine.Moved
		state koda.NodeState
		want  string
	}{
		"back":              {engine.Moved{From: 3, To: 2}, at(2), "ball is at v2, was at v3\n"},
		"no video":          {engine.Moved{From: 3, To: 2}, at(3), "ball is at v2, was at v3\nthere is no final video of it yet: koda render ball\n"},
		"kept":              {engine.Moved{From: 3, To: 1, Kept: 4, KeptAs: "edited by hand"}, at(1), "kept as v4: edited by hand\nball is at v1, was at v4\n"},
		"kept, back to it":  {engine.Moved{From: 3, To: 3, Kept: 4, KeptAs: "edited\x1b[2J by hand"}, at(3), "kept as v4: edited by hand\nball is at v3 again, without that\n"},
		"given up":          {engine.Moved{From: 3, To: 3, GaveUp: "make it\x1b[2J blue"}, at(3), "given up: make it blue\nball is at v3 again, without that\n"},
		"there already":     {engine.Moved{From: 3, To: 3}, at(3), "ball is at v3 already\n"},
		"finished only now": {engine.Moved{To: 3, Resumed: true}, at(3), "ball is at v3; an interrupted call was finished\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.engine.projects, f.engine.moved = []koda.Project{ball}, tt.moved
			f.engine.replies = []reply{{out: engine.Outcome{Project: ball, State: tt.state}}}
			if got := f.run("checkout", "ball", "v3"); got != 0 || f.err.String() != tt.want {
				t.Errorf("status %d: %s", got, f.err.String())
			}
			if diff := cmp.Diff([]string{"checkout " + ball.ID + " v3"}, f.engine.calls); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMove_Plan: before the first version an undo ends with what the project waits for.
func TestMove_Plan(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects, f.engine.moved = []koda.Project{ball}, engine.Moved{GaveUp: "make it\x1b[2J blue"}
	f.engine.replies = []reply{{out: planned()}, {out: asking()}}
	if got := f.run("undo", "ball"); got != 3 || !strings.HasPrefix(f.out.String(), "Plan: 5 s") || !strings.HasPrefix(f.err.String(), "given up: make it blue\ngo on with:\n  koda accept ball\n") {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	if got := f.run("redo", "ball", "--json"); got != 3 || f.err.Len() > 0 {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if r := f.result(); r["waiting"] != "answer" || r["question"] == nil || r["version"] != nil {
		t.Errorf("result %v", r)
	}
	f.types("undo", "quit")
	f.engine.replies = []reply{{out: planned()}, {out: asking()}}
	if got := f.run("undo", "ball", "--plain"); got != 3 || !strings.Contains(f.err.String(), "own words?") {
		t.Errorf("at a terminal: status %d: %s", got, f.err.String())
	}
	if diff := cmp.Diff([]string{"undo " + ball.ID, "redo " + ball.ID, "undo " + ball.ID, "undo " + ball.ID}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

func TestMove_JSON(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects, f.engine.moved = []koda.Project{ball}, engine.Moved{From: 2, To: 1, Kept: 3, GaveUp: "blue"}
	state := koda.NodeState{Phase: koda.PhasePreview, Preview: &koda.Preview{VideoURL: "/p.mp4", Version: 1}, Output: &koda.Output{Version: 2}}
	f.engine.replies = []reply{{out: engine.Outcome{Project: ball, State: state, Waiting: engine.WaitingPreview}}}
	if got := f.run("undo", "ball", "--json"); got != 0 || f.err.Len() > 0 {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	r := f.result()
	if r["from"] != 2.0 || r["version"] != 1.0 || r["kept"] != 3.0 || r["gaveUp"] != "blue" || r["waiting"] != "preview" || r["preview"] == nil || r["output"] != nil {
		t.Errorf("result %v", r)
	}
}

func TestFork_Face(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	other := koda.Project{ID: "f00", Name: "other", Dir: "/animations/other"}
	f.engine.replies = []reply{{out: engine.Outcome{
		Project: other, Waiting: engine.WaitingPreview, State: koda.NodeState{Phase: koda.PhasePreview, Preview: &koda.Preview{VideoURL: "/p.mp4"}},
	}}}
	if got := f.run("fork", "ball", "v2", "other"); got != 3 || !strings.HasPrefix(f.err.String(), "other begins with v2 of ball, in /animations/other\n") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if f.out.String() != "/p.mp4\n" {
		t.Errorf("standard output %q", f.out.String())
	}
}
