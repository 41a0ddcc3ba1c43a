package engine_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/workdir"
)

// The files that the person brought are in the project's brief, and in the brief of
// a fork.
func TestAssets(t *testing.T) {
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
		_, machine, err := b.db.Load(t.Context(), o.ID)
		var s phase.State
		err = errors.Join(err, json.Unmarshal(machine, &s))
		got := s.Brief.Assets
		if err != nil || len(got) != 1 || got[0].Name != "points.json" || got[0].Path != "public/data/points.json" || got[0].Size != 6 {
			t.Errorf("assets of %s: %s, %v", o.Name, cmp.Diff([]koda.Asset(nil), got), err)
		}
	}
}

// Projects that are begun at the same moment with the same words get a directory
// each. One of them takes the empty directory that a killed koda left.
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

// A process that is killed just before its project's first step leaves a directory.
// The next project takes that directory, without the files that were brought for
// the first project. A process that is killed just after the first step leaves a
// project.
func TestNew_Killed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	song := filepath.Join(t.TempDir(), "points.json")
	if err := os.WriteFile(song, []byte("[1]"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := &workdir.Storage{Now: b.clock.now}
	left, err := files.Create(b.parent, "bouncing-ball", false, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	release, err := files.Lock(left)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.AddAsset(left, song); err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	if out.Project.Dir != left {
		t.Errorf("the project is in %s, want %s", out.Project.Dir, left)
	}
	if _, err := os.Stat(filepath.Join(left, "public")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that was brought for the first project is in the second: %v", err)
	}
	for _, name := range []string{"state.json", "state.prev.json", "log"} { // killed before they were written
		if err := os.Remove(filepath.Join(left, ".koda", name)); err != nil {
			t.Fatal(err)
		}
	}
	next := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	if next.Project.Dir != left+"-2" {
		t.Errorf("the next project is in %s", next.Project.Dir)
	}
	if again := b.must(b.engine.Resume(ctx, out.Project.ID, false)); again.State.Phase != koda.PhaseQuestion {
		t.Errorf("the project stands in phase %s", again.State.Phase)
	}
}

// A project that is approved in advance and stopped at the plan has taken the
// defaults so far. Its turn is over, and the next step needs no more input.
func TestNew_PlanOnlyApproved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	req := b.request("bouncing ball", true)
	req.PlanOnly = true
	out := b.must(b.engine.New(t.Context(), req))
	if out.Waiting != engine.WaitingPlan || out.State.Plan == nil || out.State.Plan.Style != "playful" {
		t.Fatalf("waiting for %q with %+v", out.Waiting, out.State.Plan)
	}
	view, err := b.engine.Show(t.Context(), out.Project.ID)
	if err != nil || len(view.Turns) != 1 || view.Turns[0].Status != "completed" {
		t.Errorf("%v, turns %+v", err, view.Turns)
	}
	if out = b.must(b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{})); out.State.Phase != koda.PhaseComplete {
		t.Errorf("accepted, it is in phase %s", out.State.Phase)
	}
}

// Warnings about a video are told, and stay with the video.
func TestNew_WarningsOfVideos(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.warnings = []string{"frames 0-9 were drawn by screenshots"}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if diff := cmp.Diff(b.video.warnings, out.State.Output.Warnings); diff != "" {
		t.Errorf("of the final video: %s", diff)
	}
	if diff := cmp.Diff(b.video.warnings, out.State.Preview.Warnings); diff != "" {
		t.Errorf("of the preview: %s", diff)
	}
	told := 0
	for _, ev := range b.events() {
		if w, ok := ev.Payload.(koda.Warned); ok && w.Message == b.video.warnings[0] {
			told++
		}
	}
	if told != 2 {
		t.Errorf("told %d times, not once for each video", told)
	}
}
