package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/workdir"
)

// tree reads the project's files as they are.
func (b *bench) tree(dir string) map[string]string {
	b.t.Helper()
	files, err := (&workdir.Storage{}).Tree(dir)
	if err != nil {
		b.t.Fatal(err)
	}
	texts := map[string]string{}
	for path, data := range files {
		texts[path] = string(data)
	}
	return texts
}

// version reads the files of a version.
func version(t interface{ Fatalf(string, ...any) }, dir string, n int) map[string]string {
	fsys, err := (&workdir.Storage{}).Version(dir, n)
	if err != nil {
		t.Fatalf("version %d: %v", n, err)
	}
	texts := map[string]string{}
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, path)
		texts[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatalf("version %d: %v", n, err)
	}
	return texts
}

// at fails the test unless version n is the current version and its files are in
// place.
func (b *bench) at(m engine.Moved, n int) {
	b.t.Helper()
	if m.To != n {
		b.t.Errorf("went to v%d, want v%d", m.To, n)
	}
	if diff := cmp.Diff(version(b.t, m.Project.Dir, n), b.tree(m.Project.Dir)); diff != "" {
		b.t.Errorf("the files in place are not the files of v%d: %s", n, diff)
	}
}

// moved fails the test unless err is nil.
func (b *bench) moved(m engine.Moved, err error) engine.Moved {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%v (hint: %s)", err, koda.HintOf(err))
	}
	return m
}

func (b *bench) versions(id string) []koda.Version {
	b.t.Helper()
	view, err := b.engine.Show(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return view.Versions
}

// TestDeletedStays: a file of the starter that was deleted does not come back
// with the next sandbox.
func TestDeletedStays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	if err := os.Remove(filepath.Join(out.Project.Dir, "index.html")); err != nil {
		t.Fatal(err)
	}
	b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it blue"))
	b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it red"))
	if _, back := b.versions(out.Project.ID)[2].Files["index.html"]; back {
		t.Error("index.html came back")
	}
}

// three makes a complete project with three versions.
func (b *bench) three() engine.Outcome {
	b.t.Helper()
	ctx := b.t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it blue"))
	return b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it red"))
}

func TestUndoRedo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id := out.Project.ID
	first := out.State.Output.VideoURL
	for _, want := range []int{2, 1} {
		m := b.moved(b.engine.Undo(ctx, id))
		b.at(m, want)
		if m.From != want+1 || m.Kept != 0 || m.State.Phase != koda.PhaseComplete || m.State.Output.Version != want || m.State.Output.VideoURL == first {
			t.Errorf("undo gave %+v", m)
		}
	}
	_, err := b.engine.Undo(ctx, id)
	if koda.CodeOf(err) != koda.CodeWrongPhase || err.Error() != "there is nothing before v1" {
		t.Errorf("undo at v1 gave %v", err)
	}
	b.open() // a new process remembers what was undone
	b.at(b.moved(b.engine.Redo(ctx, id)), 2)
	b.at(b.moved(b.engine.Redo(ctx, id)), 3)
	_, err = b.engine.Redo(ctx, id)
	if koda.CodeOf(err) != koda.CodeWrongPhase || err.Error() != "there is nothing to redo" {
		t.Errorf("redo at the end gave %v", err)
	}

	// An edit branches from the current version and builds on its files.
	b.at(b.moved(b.engine.Checkout(ctx, id, 1)), 1)
	out = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it green"))
	all := b.versions(id)
	if len(all) != 4 || all[3].Parent != 1 || out.State.Output.Version != 4 || all[3].Prompt != "make it green" {
		t.Fatalf("the branch is %+v", all)
	}
	for path, digest := range all[0].Files {
		if all[3].Files[path] != digest {
			t.Errorf("%s is not the file of v1", path)
		}
	}
	if _, theirs := all[3].Files[slices.Sorted(maps.Keys(diff(all[1].Files, all[0].Files)))[0]]; theirs {
		t.Error("a file of v2 is in a version made of v1")
	}
	if _, err = b.engine.Redo(ctx, id); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("redo after a change gave %v", err)
	}
	b.at(b.moved(b.engine.Checkout(ctx, id, 3)), 3)
	// A render draws the current version.
	spec := b.video.specs[len(b.video.specs)-1]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	if _, err := b.engine.Render(ctx, id, spec); err != nil || b.video.specs[len(b.video.specs)-1].Version != 3 {
		t.Errorf("a render drew v%d, %v", b.video.specs[len(b.video.specs)-1].Version, err)
	}
	// Repeating the call changes nothing.
	turns := len(b.events())
	if m := b.moved(b.engine.Checkout(ctx, id, 3)); m.From != 3 || m.To != 3 || len(b.events()) != turns {
		t.Errorf("the same checkout again: %+v, %d events", m, len(b.events())-turns)
	}
}

// diff holds the files of a that are missing or different in b.
func diff(a, b map[string]string) map[string]string {
	only := maps.Clone(a)
	maps.DeleteFunc(only, func(path, digest string) bool { return b[path] == digest })
	return only
}

// TestUndo_Preview: a project waits with the preview of its current version.
func TestUndo_Preview(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	id := out.Project.ID
	b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	out = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	second := out.State.Preview.VideoURL
	m := b.moved(b.engine.Undo(ctx, id))
	b.at(m, 1)
	if m.State.Phase != koda.PhasePreview || m.State.Preview.Version != 1 || m.State.SandboxID != "" {
		t.Errorf("undo shows %+v", m.State.Preview)
	}
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	drawn := len(b.video.specs)
	m = b.moved(b.engine.Redo(ctx, id))
	if m.State.Preview == nil || m.State.Preview.VideoURL != second || len(b.video.specs) != drawn+1 || b.read(second) != "video" {
		t.Errorf("a preview that is gone: %+v", m.State.Preview)
	}
	b.moved(b.engine.Undo(ctx, id))
	out = b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	if out.State.Output.Version != 1 {
		t.Errorf("the final video is of v%d, want 1", out.State.Output.Version)
	}
}

func TestUndo_KeepsHandEdits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id, mine := out.Project.ID, filepath.Join(out.Project.Dir, "src", "mine.ts")
	edit := func(text string) {
		t.Helper()
		if err := os.WriteFile(mine, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("// once")
	m := b.moved(b.engine.Undo(ctx, id)) // takes back the edit
	b.at(m, 3)
	if m.Kept != 4 || m.KeptAs != "edited by hand" {
		t.Errorf("undo kept v%d as %q", m.Kept, m.KeptAs)
	}
	v := b.versions(id)[3]
	if v.Author != koda.AuthorPerson || v.Parent != 3 || v.PromptDigest != "" || v.Cost != (koda.Cost{}) {
		t.Errorf("the edit was kept as %+v", v)
	}
	m = b.moved(b.engine.Redo(ctx, id))
	b.at(m, 4)
	if b.read(mine) != "// once" {
		t.Error("redo did not bring the edit back")
	}
	edit("// twice")
	m = b.moved(b.engine.Checkout(ctx, id, 1))
	b.at(m, 1)
	if m.Kept != 5 {
		t.Errorf("checkout kept v%d", m.Kept)
	}
	if _, err := os.Stat(mine); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file that is not in v1: %v", err)
	}
	// A checkout of the current version gives its files back.
	edit("// thrice")
	m = b.moved(b.engine.Checkout(ctx, id, 1))
	b.at(m, 1)
	if got := version(t, out.Project.Dir, m.Kept)["src/mine.ts"]; m.Kept != 6 || got != "// thrice" {
		t.Errorf("kept v%d with %q", m.Kept, got)
	}
	if s, err := b.engine.Find(ctx, out.Project.Dir); err != nil || s.ID != id {
		t.Errorf("the project is %v, %v", s.ID, err)
	}
}

// TestUndo_Failure: undo works after a failure; a retry uses the files in place.
func TestUndo_Failure(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id := out.Project.ID
	b.author.before = func(int, koda.Task) error { return &koda.Error{Code: koda.CodeWriteFailed, Op: "write"} }
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "make it yellow"); koda.CodeOf(err) != koda.CodeWriteFailed {
		t.Fatalf("err = %v", err)
	}
	m := b.moved(b.engine.Checkout(ctx, id, 1))
	b.at(m, 1)
	if m.State.Phase != koda.PhaseError {
		t.Errorf("phase %s", m.State.Phase)
	}
	b.author.before = nil
	b.open()
	out = b.must(b.engine.Resume(ctx, id, false))
	last := b.versions(id)[len(b.versions(id))-1]
	if out.State.Phase != koda.PhaseComplete || last.Parent != 1 || out.Saved.Calls != 0 {
		t.Errorf("phase %s, v%d from v%d, %d calls from the journal", out.State.Phase, last.Number, last.Parent, out.Saved.Calls)
	}
}

func TestCheckout_Refusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id, dir := out.Project.ID, out.Project.Dir
	for _, n := range []int{0, -1, 4, 99} {
		_, err := b.engine.Checkout(ctx, id, n)
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(koda.HintOf(err), "v1 to v3") {
			t.Errorf("checkout of v%d gave %v (hint: %s)", n, err, koda.HintOf(err))
		}
	}
	// A content of v2 is lost: no file is touched, and other versions are whole.
	all := b.versions(id)
	only := diff(all[1].Files, all[0].Files)
	path := slices.Sorted(maps.Keys(only))[0]
	digest := only[path]
	for same := range only {
		if err := os.Remove(filepath.Join(dir, same)); err != nil {
			t.Fatal(err)
		}
	}
	b.moved(b.engine.Undo(ctx, id)) // keeps a v4 without them
	object := filepath.Join(dir, ".koda", "versions", "objects", digest[:2], digest)
	b.at(b.moved(b.engine.Checkout(ctx, id, 1)), 1)
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	before, seq := b.tree(dir), len(b.events())
	_, err := b.engine.Checkout(ctx, id, 2)
	if koda.CodeOf(err) != koda.CodeStorageFailed || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), digest) || koda.HintOf(err) == "" {
		t.Errorf("a lost content gave %v", err)
	}
	if changed := cmp.Diff(before, b.tree(dir)); changed != "" || len(b.events()) != seq {
		t.Errorf("it changed something: %s, %d events", changed, len(b.events())-seq)
	}
	b.at(b.moved(b.engine.Checkout(ctx, id, 4)), 4)
}

func TestHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id := out.Project.ID
	b.moved(b.engine.Checkout(ctx, id, 2))
	if err := os.Remove(filepath.Join(out.Project.Dir, "src", "todo1-0.ts")); err != nil {
		t.Fatal(err)
	}
	if view, err := b.engine.Show(ctx, id); err != nil || view.Version != 2 {
		t.Errorf("the current version is v%d, %v", view.Version, err)
	}
	h, err := b.engine.History(ctx, id)
	if err != nil || h.Current != 2 || !h.Loose {
		t.Fatalf("%+v, %v", h, err)
	}
	b.moved(b.engine.Undo(ctx, id))
	if h, err = b.engine.History(ctx, id); err != nil || h.Loose || len(h.Versions) != 4 {
		t.Fatalf("%+v, %v", h, err)
	}
	first, second, mine := h.Versions[0], h.Versions[1], h.Versions[3]
	if len(first.Added) != len(first.Files) || len(first.Changed)+len(first.Deleted) != 0 {
		t.Errorf("v1 differs from nothing by %v, %v, %v", first.Added, first.Changed, first.Deleted)
	}
	if len(second.Added) != 2 || len(second.Changed)+len(second.Deleted) != 0 {
		t.Errorf("v2 differs from v1 by %v, %v, %v", second.Added, second.Changed, second.Deleted)
	}
	if changed := cmp.Diff([]string{"src/todo1-0.ts"}, mine.Deleted); changed != "" || mine.Parent != 2 {
		t.Errorf("the edit by hand, of v%d: %s", mine.Parent, changed)
	}
	if !strings.HasSuffix(second.Preview, "previews/bouncing-ball-v2.mp4") || !strings.HasSuffix(second.Video, "renders/bouncing-ball-v2.mp4") || mine.Video != "" {
		t.Errorf("videos %q, %q, %q", second.Preview, second.Video, mine.Video)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	id, dir := out.Project.ID, out.Project.Dir
	seen := func(from, to int) string {
		t.Helper()
		c, err := b.engine.Diff(ctx, id, from, to)
		if err != nil {
			return string(koda.CodeOf(err))
		}
		text := fmt.Sprintf("v%d v%d %v", c.From, c.To, c.Edited)
		for _, f := range c.Files {
			text += fmt.Sprintf(" %s:%s+%d-%d", filepath.Base(f.Path), f.Status, f.Added, f.Deleted)
		}
		return text
	}
	last, before := "v2 v3 false todo8-0.ts:added+1-0 todo8-1.ts:added+1-0", "v3 v2 false todo8-0.ts:deleted+0-1 todo8-1.ts:deleted+0-1"
	for _, tt := range []struct {
		from, to int
		want     string
	}{{0, 0, last}, {2, 3, last}, {2, 0, last}, {3, 2, before}, {3, 0, "v3 v3 false"}, {9, 1, "NOT_FOUND"}, {1, 9, "NOT_FOUND"}, {-1, 0, "NOT_FOUND"}} {
		if got := seen(tt.from, tt.to); got != tt.want {
			t.Errorf("v%d and v%d differ by %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
	for path, data := range map[string]string{"src/todo8-0.ts": "// one\n// two\n", "public/data/b.bin": "\x00"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755), os.WriteFile(filepath.Join(dir, path), []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := seen(0, 0), "v3 v3 true b.bin:added+0-0 todo8-0.ts:changed+2-1"; got != want {
		t.Errorf("edits by hand: %q, want %q", got, want)
	}
	c, err := b.engine.Diff(ctx, id, 3, 0)
	want := "--- a/src/todo8-0.ts\n+++ b/src/todo8-0.ts\n@@ -1,1 +1,2 @@\n-// Change: make it redmake it red\n\\ No newline at end of file\n+// one\n+// two\n"
	if err != nil || c.Files[1].Diff != want || !c.Files[0].Binary || c.Files[0].Diff != "" {
		t.Errorf("%v, %q, want %q", err, c.Files[1].Diff, want)
	}
	b.moved(b.engine.Checkout(ctx, id, 1))
	if got := seen(0, 0); got != "WRONG_PHASE" {
		t.Errorf("at v1: %q", got)
	}
}

func TestDiffVideo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, out := t.Context(), b.three()
	id, dir := out.Project.ID, out.Project.Dir
	b.engine.Limit(90 * time.Second)
	c, res, err := b.engine.DiffVideo(ctx, id, engine.VideoDiff{From: 1, Difference: true})
	want := filepath.Join(dir, "renders", "bouncing-ball-v1-v3-difference.mp4")
	if err != nil || c.From != 1 || c.To != 3 || res.Video != want || b.read(want) != "video" {
		t.Fatalf("%+v, %+v, %v", c, res, err)
	}
	if got := b.video.compared[0]; got.Labels != [2]string{"v1", "v3"} || got.From.Version != 1 || got.To.Version != 3 || got.From.Preset != "preview" || got.From.CRF != 0 || got.From.FPS != got.To.FPS || got.From.LimitMS != 90_000 || got.To.LimitMS != 90_000 {
		t.Errorf("asked for %+v", got)
	}
	if _, _, err := b.engine.DiffVideo(ctx, id, engine.VideoDiff{From: 3}); koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) == "" {
		t.Errorf("a version beside itself gave %v", err)
	}
	if _, _, err := b.engine.DiffVideo(ctx, id, engine.VideoDiff{From: 9}); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a missing version gave %v", err)
	}
}

func TestFork(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.three()
	from := out.Project
	before := b.tree(from.Dir)
	fork := b.must(b.engine.Fork(ctx, from.ID, engine.ForkRequest{Version: 2, Name: "other"}))
	p := fork.Project
	if p.ID == from.ID || p.Dir != filepath.Join(b.parent, "other") || fork.Waiting != engine.WaitingPreview || fork.State.Preview.Version != 1 {
		t.Errorf("the fork is %+v, waiting for %q", p, fork.Waiting)
	}
	if changed := cmp.Diff(version(t, from.Dir, 2), b.tree(p.Dir)); changed != "" {
		t.Errorf("the fork's files differ from v2: %s", changed)
	}
	v := b.versions(p.ID)[0]
	want := &koda.Origin{ProjectID: from.ID, Name: from.Name, Dir: from.Dir, Version: 2}
	if changed := cmp.Diff(want, v.Origin); changed != "" || v.Number != 1 || v.Parent != 0 {
		t.Errorf("its version 1 is %+v: %s", v, changed)
	}
	if _, err := b.engine.Undo(ctx, p.ID); koda.CodeOf(err) != koda.CodeWrongPhase || !strings.Contains(err.Error(), "v2 of bouncing-ball") {
		t.Errorf("undo at the beginning of a fork gave %v", err)
	}
	// The fork goes its own way, and the original is untouched.
	b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it green"))
	if len(b.versions(p.ID)) != 2 || len(b.versions(from.ID)) != 3 {
		t.Errorf("%d and %d versions", len(b.versions(p.ID)), len(b.versions(from.ID)))
	}
	if changed := cmp.Diff(before, b.tree(from.Dir)); changed != "" {
		t.Errorf("the original changed: %s", changed)
	}
	for _, req := range []engine.ForkRequest{{Version: 2, Name: "other"}, {Version: 9, Name: "new"}, {Version: 1, Name: "a/b"}, {Version: 1}} {
		if _, err := b.engine.Fork(ctx, from.ID, req); err == nil || koda.HintOf(err) == "" {
			t.Errorf("fork %+v gave %v", req, err)
		}
	}
	list, err := b.engine.List(ctx)
	if err != nil || len(list) != 2 {
		t.Errorf("%d projects, %v", len(list), err)
	}
}

// A change that leaves every file as it was makes no version, whoever asked for it
// and in whatever phase. The project stays as it was, and numbering goes on.
func TestEdit_changesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	id := out.Project.ID
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		text := "// Create Scene 1 (Intro) keyframes"
		if task.Message == "blue" {
			text += " blue"
		}
		return tool.WriteFile(ctx, box, "src/todo2-1.ts", text)
	}
	for range 2 {
		out, err := b.engine.Edit(t.Context(), id, koda.Seen{}, "the same again")
		if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" || out.State.Phase != koda.PhaseComplete || out.State.Output == nil {
			t.Fatalf("a change of nothing gave %v in phase %s", err, out.State.Phase)
		}
	}
	if n := len(b.versions(id)); n != 1 {
		t.Errorf("there are %d versions", n)
	}
	b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "blue"))
	if list := b.versions(id); len(list) != 2 || list[1].Number != 2 || list[1].Prompt != "blue" {
		t.Errorf("versions %+v", list)
	}
}
