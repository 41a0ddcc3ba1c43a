package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/workdir"
)

// checkoutPoints are the failpoints at which the short form of TestCrash_Checkout
// kills koda. KODA_CRASH=all kills it at every hit of every failpoint.
var checkoutPoints = []string{
	"workdir.checkpoint.pending", "workdir.checkpoint.version", "engine.kept", "store.commit.before:2", "store.commit.after:2",
	"engine.place", "workdir.checkpoint.pending:2", "workdir.checkpoint.write", "workdir.checkpoint.remove", "workdir.checkpoint.done:2", "store.commit.after:3",
}

// TestCrash_Checkout kills, at failpoints, a checkout that first has to keep an
// edit by hand. Then it repeats the checkout, with or without a resume before it.
// Versions and files must equal those of an undisturbed run.
func TestCrash_Checkout(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	base := newCrashRun(t)
	for _, args := range [][]string{
		{"new", "red bouncing ball, 1.5 seconds", "--yes", "--style", "playful", "--preset", "gif", "--name", "ball"},
		{"edit", "ball", "make it blue"},
	} {
		if out, killed := base.koda("", args...); killed {
			t.Fatal(out)
		}
	}
	edited := filepath.Join(base.dir, "ball", "src", "mine.ts")
	if err := os.WriteFile(edited, []byte("export const mine = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := copyOf(t, base)
	if out, killed := want.koda("", "checkout", want.project(), "v1"); killed {
		t.Fatal(out)
	}
	end := want.history()
	if len(end.Versions) != 3 || end.Current != 1 || end.Versions[2].Author != koda.AuthorPerson {
		t.Fatalf("the undisturbed checkout ends at %+v", end)
	}
	points := needs.Some(checkoutPoints)
	if os.Getenv("KODA_CRASH") == "all" {
		points = nil
		for n := range want.hits() {
			points = append(points, "#"+strconv.Itoa(n+1))
		}
	}
	for i, point := range points {
		r := copyOf(t, base)
		out, killed := r.koda("KODA_FAILPOINT="+point, "checkout", r.project(), "v1")
		if !killed {
			t.Fatalf("koda did not reach %s: %s", point, out)
		}
		if i%2 == 1 {
			out, _ = r.koda("", "resume", r.project())
		}
		again, _ := r.koda("", "checkout", r.project(), "v1")
		if diff := cmp.Diff(end, r.history()); diff != "" {
			t.Errorf("killed at %s, the outcome differs: %s\n%s%s", point, diff, out, again)
		}
		r.noTempLeft()
	}
	t.Logf("killed at %d points, all ended at the same versions and files", len(points))

	// koda resume finishes an interrupted fork.
	r := copyOf(t, base)
	if out, killed := r.koda("KODA_FAILPOINT=engine.fork", "fork", r.project(), "v1", "other"); !killed {
		t.Fatalf("koda did not reach the fork: %s", out)
	}
	r.koda("", "resume", "other")
	if got := (&versionRun{r.crashRun, "other"}).history(); got.Current != 1 || len(got.Versions) != 1 || got.Versions[0].Origin == nil {
		t.Errorf("the fork ends at %+v", got)
	}
}

// TestCrash_UndoPlan kills an undo of a plan at every failpoint. Then the project has
// the plan of before or of after, in the database and in the directory, and undo and
// redo go on from there.
func TestCrash_UndoPlan(t *testing.T) {
	t.Parallel()
	base := newCrashRun(t)
	for _, args := range [][]string{
		{"new", "red bouncing ball", "--style", "playful", "--name", "ball"}, {"edit", "ball", "make it blue"}, {"edit", "ball", "make it green"},
	} {
		if out, killed := base.koda("", args...); killed {
			t.Fatal(out)
		}
	}
	const red, blue, green = "#e5343d", "#2463eb", "#1fa34a"
	whole := copyOf(t, base)
	if out, killed := whole.koda("", "undo", whole.project()); killed {
		t.Fatal(out)
	}
	undone := map[bool]int{}
	for n := range whole.hits() {
		point := "#" + strconv.Itoa(n+1)
		r := copyOf(t, base)
		if out, killed := r.koda("KODA_FAILPOINT="+point, "undo", r.project()); !killed {
			t.Fatalf("koda did not reach %s: %s", point, out)
		}
		now := r.color("resume")
		undone[now == blue]++
		if elsewhere := copyOf(t, r.crashRun); now != blue && now != green || elsewhere.color("show") != now {
			t.Fatalf("killed at %s: the plan is %s, and in the directory %s", point, now, elsewhere.color("show"))
		}
		if now == green {
			r.koda("", "undo", r.project())
		}
		if back, on := r.color("undo"), r.color("redo"); back != red || on != blue {
			t.Errorf("killed at %s: undo goes to %s, and redo to %s", point, back, on)
		}
		r.noTempLeft()
	}
	if undone[true] == 0 || undone[false] == 0 {
		t.Errorf("killed %d times after the undo, and %d times before", undone[true], undone[false])
	}
	t.Logf("killed at %d points", undone[true]+undone[false])
}

// color is the colour of the plan with which a command ends.
func (r *versionRun) color(command string) string {
	r.t.Helper()
	out, _ := r.koda("", command, r.project(), "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var result struct {
		Payload struct {
			Plan  *koda.Plan
			State koda.NodeState
		}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &result); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	plan := result.Payload.Plan
	if command == "show" {
		plan = result.Payload.State.Plan
	}
	if plan == nil {
		r.t.Fatalf("%s ends without a plan: %s", command, out)
	}
	return plan.Data["color"]
}

// versionRun is a run with one project.
type versionRun struct {
	*crashRun
	name string
}

func (r *versionRun) project() string { return filepath.Join(r.dir, r.name) }

// copyOf is a copy of a run's project, in a home of its own that knows the project.
func copyOf(t *testing.T, base *crashRun) *versionRun {
	t.Helper()
	c := &versionRun{newCrashRun(t), "ball"}
	if err := os.CopyFS(c.project(), os.DirFS(filepath.Join(base.dir, "ball"))); err != nil {
		t.Fatal(err)
	}
	if out, _ := c.koda("", "show", c.project()); !strings.Contains(out, c.name) {
		t.Fatal(out)
	}
	c.logs = nil
	return c
}

// standing is the project's versions, without what differs from run to run, and the
// files in place.
type standing struct {
	Current  int
	Versions []koda.Version
	Files    map[string]string
}

func (r *versionRun) history() (s standing) {
	r.t.Helper()
	out, _ := r.koda("", "show", r.project(), "--json")
	var result struct {
		Payload struct{ Versions []koda.Version }
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	for _, v := range result.Payload.Versions {
		s.Versions = append(s.Versions, koda.Version{Number: v.Number, Parent: v.Parent, Prompt: v.Prompt, Author: v.Author, Files: v.Files, Origin: v.Origin})
	}
	storage := &workdir.Storage{}
	state, err := storage.ReadState(r.project())
	if err != nil {
		r.t.Fatal(err)
	}
	tree, err := storage.Tree(r.project())
	if err != nil {
		r.t.Fatal(err)
	}
	s.Current, s.Files = state.Version, map[string]string{}
	for path, data := range tree {
		s.Files[path] = string(data)
	}
	return s
}
