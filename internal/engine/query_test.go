package engine_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

func TestFind(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	p := out.Project
	for _, ref := range []string{"bouncing-ball", p.ID, p.ID[:6], p.Dir} {
		if got, err := b.engine.Find(ctx, ref); err != nil || got.ID != p.ID {
			t.Errorf("Find(%q) = %v, %v", ref, got.ID, err)
		}
	}
	if _, err := b.engine.Find(ctx, "bouncing-bull"); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("Find of an unknown name: %v", err)
	}
	// A directory that is no project is not taken for a misspelt project name.
	if err := os.Mkdir(filepath.Join(b.parent, "bouncing-bell"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{filepath.Join(b.parent, "bouncing-bell"), b.parent, "."} {
		if _, err := b.engine.Find(ctx, ref); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), "is not a koda project") {
			t.Errorf("Find(%q): %v (hint: %s)", ref, err, koda.HintOf(err))
		}
	}
	// A directory that moved keeps its identity.
	moved := filepath.Join(b.parent, "moved")
	if err := os.Rename(p.Dir, moved); err != nil {
		t.Fatal(err)
	}
	got, err := b.engine.Find(ctx, moved)
	if err != nil || got.ID != p.ID || got.Dir != moved || got.Name != "moved" {
		t.Errorf("a moved directory gave %+v, %v", got, err)
	}
	// A copy becomes a project of its own and can be worked on.
	fork := filepath.Join(b.parent, "fork")
	if err := os.CopyFS(fork, os.DirFS(moved)); err != nil {
		t.Fatal(err)
	}
	forked, err := b.engine.Find(ctx, fork)
	if err != nil || forked.ID == p.ID {
		t.Fatalf("a copy gave %+v, %v", forked, err)
	}
	b.must(b.engine.Edit(ctx, forked.ID, koda.Seen{}, "make it blue"))
	// A lost database is rebuilt from the directory.
	if err := errors.Join(b.db.Close(), os.Remove(filepath.Join(b.home, "koda.db"))); err != nil {
		t.Fatal(err)
	}
	b.db = nil
	b.open()
	got, err = b.engine.Find(ctx, moved)
	if err != nil || got.ID != p.ID {
		t.Fatalf("with a lost database: %+v, %v", got, err)
	}
	out = b.must(b.engine.Edit(ctx, got.ID, koda.Seen{}, "make it red"))
	if out.State.Preview.Version != 2 {
		t.Errorf("version %d, want 2", out.State.Preview.Version)
	}
}

// TestFind_Link: a link to a project's directory names that project, and makes no
// copy of it.
func TestFind_Link(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	p := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project
	link := filepath.Join(b.parent, "link")
	if err := os.Symlink(p.Dir, link); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{link, p.Dir, link} {
		if got, err := b.engine.Find(ctx, ref); err != nil || got.ID != p.ID || got.Dir != p.Dir || got.Name != p.Name {
			t.Errorf("Find(%q) = %+v, %v, want %+v", ref, got, err, p)
		}
	}
	if list, err := b.engine.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("%d projects, %v, want 1", len(list), err)
	}
	if s, err := new(workdir.Storage).ReadState(p.Dir); err != nil || s.Project.ID != p.ID {
		t.Errorf("the directory belongs to %s, %v, want %s", s.Project.ID, err, p.ID)
	}
}

// meeting is a storage that makes the first two readers of a directory wait for
// each other after reading.
type meeting struct {
	engine.Storage
	dir  string
	mu   sync.Mutex
	came int
	both sync.WaitGroup
}

func (m *meeting) ReadState(dir string) (koda.StateFile, error) {
	s, err := m.Storage.ReadState(dir)
	if dir != m.dir {
		return s, err
	}
	m.mu.Lock()
	m.came++
	first := m.came <= 2
	m.mu.Unlock()
	if first {
		m.both.Done()
		m.both.Wait()
	}
	return s, err
}

// TestFind_CopyAtOnce: two processes that find a copy at the same moment get the same
// project.
func TestFind_CopyAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	p := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project
	m := &meeting{dir: filepath.Join(b.parent, "copy")}
	m.both.Add(2)
	if err := os.CopyFS(m.dir, os.DirFS(p.Dir)); err != nil {
		t.Fatal(err)
	}
	b.tweak = func(cfg *engine.Config) { m.Storage, cfg.Storage = cfg.Storage, m }
	b.open()
	var ids [2]string
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			found, err := b.engine.Find(ctx, m.dir)
			if err != nil {
				t.Error(err)
			}
			ids[i] = found.ID
		})
	}
	wg.Wait()
	if ids[0] != ids[1] || ids[0] == p.ID {
		t.Errorf("a copy of %s is %v", p.ID, ids)
	}
	if list, err := b.engine.List(ctx); err != nil || len(list) != 2 {
		t.Errorf("%d projects, %v", len(list), err)
	}
	b.must(b.engine.Edit(ctx, ids[0], koda.Seen{}, "make it blue"))
}

// TestFind_NoState: a state file with an impossible state is refused, and the
// journal stays as it was.
func TestFind_NoState(t *testing.T) {
	t.Parallel()
	for name, machine := range map[string]string{"no object": `"on"`, "something else": `{"on":1}`, "of another": `{"node":{"nodeId":"x","projectId":"x"}}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ctx := t.Context()
			p := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project
			path := filepath.Join(p.Dir, ".koda", "state.json")
			whole := b.read(path)
			var file map[string]any
			if err := json.Unmarshal([]byte(whole), &file); err != nil {
				t.Fatal(err)
			}
			file["seq"], file["machine"] = p.Seq+1, json.RawMessage(machine)
			data, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			damage(t, path, string(data))
			if got, err := b.engine.Find(ctx, p.Dir); err != nil || got.ID != p.ID {
				t.Errorf("Find = %v, %v", got.ID, err)
			}
			if _, err := b.engine.Resume(ctx, p.ID, false); koda.CodeOf(err) != koda.CodeStorageFailed || !strings.Contains(koda.HintOf(err), path) {
				t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
			}
			stranger := filepath.Join(b.parent, "copy")
			if err := os.CopyFS(stranger, os.DirFS(p.Dir)); err != nil {
				t.Fatal(err)
			}
			if _, err := b.engine.Find(ctx, stranger); koda.CodeOf(err) != koda.CodeStorageFailed {
				t.Errorf("a directory nobody knows gave %v", err)
			}
			if v, err := b.engine.Show(ctx, p.ID); err != nil || v.Version != 1 || v.State.Phase != koda.PhaseComplete {
				t.Errorf("the journal says version %d, %v", v.Version, err)
			}
			// The hint is right: without the file it goes on.
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if out := b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it blue")); out.State.Preview.Version != 2 {
				t.Errorf("version %d", out.State.Preview.Version)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	notes := filepath.Join(out.Project.Dir, "notes.txt")
	if err := os.WriteFile(notes, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	left, err := b.engine.Delete(ctx, out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	if b.read(notes) != "mine" || len(left) != 1 {
		t.Errorf("left %v", left)
	}
	if _, err := b.engine.Show(ctx, out.Project.ID); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a deleted project gave %v", err)
	}
	if _, err := os.Stat(filepath.Join(out.Project.Dir, ".koda")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf(".koda is still there: %v", err)
	}
}

// TestDelete_Silent: a sandbox that does not answer goes with its project.
func TestDelete_Silent(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	id := b.upToPlan()
	b.must(b.engine.Accept(t.Context(), id, koda.Seen{}))
	if have := b.sandboxes(); len(have) != 1 {
		t.Fatal(have)
	}
	p.connect = &koda.Error{Code: koda.CodeProviderError, Op: "the sandbox is paused"}
	if _, err := b.engine.Delete(t.Context(), id); err != nil {
		t.Error(err)
	}
	if left := b.sandboxes(); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestDeletedByHand: a project whose directory is gone is listed as gone, until a
// new project takes its place.
func TestDeletedByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	if err := os.RemoveAll(out.Project.Dir); err != nil {
		t.Fatal(err)
	}
	list, err := b.engine.List(ctx)
	if err != nil || len(list) != 1 || !list[0].Gone {
		t.Errorf("list gave %+v, %v, want a project that is gone", list, err)
	}
	if v, err := b.engine.Show(ctx, out.Project.ID); err != nil || !v.Project.Gone {
		t.Errorf("it is shown as %+v, %v", v.Project, err)
	}
	// A command that needs the files says so, and says what the person can do.
	_, undone := b.engine.Undo(ctx, out.Project.ID)
	_, resumed := b.engine.Resume(ctx, out.Project.ID, false)
	_, compared := b.engine.Diff(ctx, out.Project.ID, 0, 0)
	for _, err := range []error{undone, resumed, compared} {
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), out.Project.Dir+", is gone") || !strings.Contains(koda.HintOf(err), "koda delete bouncing-ball") {
			t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
		}
	}
	// So does work during which the directory disappears.
	other := b.must(b.engine.New(ctx, b.request("title", false)))
	b.must(b.engine.Answer(ctx, other.Project.ID, koda.Seen{}, koda.Answer{OptionID: "playful"}))
	b.author.before = func(int, koda.Task) error { return os.RemoveAll(other.Project.Dir) }
	if _, err := b.engine.Accept(ctx, other.Project.ID, koda.Seen{}); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), other.Project.Dir+", is gone") {
		t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
	}
	b.author.before = nil
	if _, err := b.engine.Delete(ctx, other.Project.ID); err != nil {
		t.Error(err)
	}
	// It can be deleted for good.
	if left, err := b.engine.Delete(ctx, out.Project.ID); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := b.engine.Show(ctx, out.Project.ID); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a deleted project gave %v", err)
	}
	out = b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	if err := os.RemoveAll(out.Project.Dir); err != nil {
		t.Fatal(err)
	}
	again := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	list, err = b.engine.List(ctx)
	if err != nil || len(list) != 1 || list[0].Gone || list[0].ID != again.Project.ID {
		t.Errorf("list gave %+v, %v, want the new project", list, err)
	}
}

// TestElsewhere: a project's directory was moved away, and another project is now
// in its place. No command for the first project touches the other project, not
// even delete.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	one, two := b.three().Project, b.must(b.engine.New(ctx, b.request("title", true))).Project
	away := filepath.Join(b.parent, "away")
	if err := errors.Join(os.Rename(one.Dir, away), os.Rename(two.Dir, one.Dir)); err != nil {
		t.Fatal(err)
	}
	whole := b.tree(one.Dir)
	_, edited := b.engine.Edit(ctx, one.ID, koda.Seen{}, "make it green")
	_, undone := b.engine.Undo(ctx, one.ID)
	_, compared := b.engine.Diff(ctx, one.ID, 1, 2)
	_, copied := b.engine.Fork(ctx, one.ID, engine.ForkRequest{Version: 1, Name: "copied"})
	for _, err := range []error{edited, undone, compared, copied} {
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), one.Dir+", is that of another project") {
			t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
		}
	}
	if got, err := b.engine.Find(ctx, one.Dir); err != nil || got.ID != two.ID {
		t.Errorf("%s holds %s, %v", one.Dir, got.ID, err)
	}
	list, err := b.engine.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Dir != one.Dir || p.Gone != (p.ID == one.ID) {
			t.Errorf("%s is listed in %s, gone %v", p.ID, p.Dir, p.Gone)
		}
	}
	if _, err := b.engine.Delete(ctx, one.ID); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(whole, b.tree(one.Dir)); diff != "" {
		t.Errorf("the other project changed: %s", diff)
	}
	for dir, id := range map[string]string{one.Dir: two.ID, away: one.ID} {
		p, err := b.engine.Find(ctx, dir)
		if err != nil || p.ID != id {
			t.Errorf("%s holds %s, %v, want %s", dir, p.ID, err, id)
		}
		b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it green"))
	}
}

// TestDelete_Damaged: a project whose rows cannot be read any more can be deleted.
// Files that are not certainly koda's stay.
func TestDelete_Damaged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	p := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project
	for _, name := range []string{"state.json", "state.prev.json"} {
		damage(t, filepath.Join(p.Dir, ".koda", name), "{")
	}
	if left, err := b.engine.Delete(ctx, p.ID); err != nil || len(left) == 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := b.engine.Show(ctx, p.ID); koda.CodeOf(err) != koda.CodeNotFound {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, ".koda")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
