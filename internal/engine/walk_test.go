package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestMoved: versions of a project whose directory was moved still have their
// videos.
func TestMoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	p := b.three().Project
	dir := filepath.Join(b.parent, "moved")
	if err := os.Rename(p.Dir, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Find(ctx, dir); err != nil {
		t.Fatal(err)
	}
	m := b.moved(b.engine.Undo(ctx, p.ID))
	want := filepath.Join(dir, "renders", "bouncing-ball-v2.mp4")
	if m.State.Output == nil || m.State.Output.VideoURL != want {
		t.Errorf("undo shows %+v, want %s", m.State.Output, want)
	}
	h, err := b.engine.History(ctx, p.ID)
	if err != nil || h.Versions[1].Video != want || h.Versions[0].Preview != filepath.Join(dir, "previews", "bouncing-ball-v1.mp4") {
		t.Errorf("%+v, %v", h.Versions, err)
	}
}

// The steps of a walk.
const (
	walkUndo = iota
	walkRedo
	walkCheckout
	walkEdit
	walkHand
	walkReopen
	walkSteps
)

// TestVersionTree walks at random through undo, redo, checkout, edits of koda and
// of the person, and new processes. Every version ever made stays readable, and
// every file in place belongs to the current version or is a loose edit.
func TestVersionTree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.three().Project.Dir
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		cases++
		dir := filepath.Join(b.parent, fmt.Sprint("case", cases))
		if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
			rt.Fatal(err)
		}
		w := &walk{Fatalf: rt.Fatalf, b: b, dir: dir, parents: map[int]int{1: 0, 2: 1, 3: 2}, known: map[int]map[string]string{}, current: 3}
		p, err := b.engine.Find(context.Background(), dir)
		if err != nil {
			rt.Fatal(err)
		}
		w.id = p.ID
		for n := range w.parents {
			w.known[n] = version(rt, dir, n)
		}
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			w.step(rapid.IntRange(0, walkSteps-1).Draw(rt, "step"), rapid.IntRange(-1, len(w.parents)+2).Draw(rt, "version"))
			w.check(rt)
		}
	})
}

// walk is a project with the state that it should have.
type walk struct {
	Fatalf  func(string, ...any)
	b       *bench
	id, dir string
	parents map[int]int
	known   map[int]map[string]string // files of every version
	current int
	undone  []int
	loose   map[string]string // the person's files that are in no version
	edits   int
}

func (w *walk) made(files map[string]string) {
	n := len(w.parents) + 1
	w.parents[n], w.known[n], w.current, w.undone, w.loose = w.current, files, n, nil, nil
}

// goTo makes a move that must lead to version to, or with to 0 must fail.
func (w *walk) goTo(to int, undone []int, move func(context.Context, string) (engine.Moved, error)) {
	m, err := move(context.Background(), w.id)
	if to == 0 {
		if err == nil {
			w.Fatalf("went to v%d, there is nothing there", m.To)
		}
		return
	}
	if err != nil {
		w.Fatalf("%v", err)
	}
	kept := 0
	if w.loose != nil {
		w.made(w.loose)
		kept = w.current
	}
	if m.To != to || m.Kept != kept {
		w.Fatalf("went to v%d and kept v%d, want v%d and v%d", m.To, m.Kept, to, kept)
	}
	w.current, w.undone = to, undone
}

func (w *walk) step(kind, n int) {
	switch kind {
	case walkUndo:
		to, undone := w.parents[w.current], append(slices.Clone(w.undone), w.current)
		if w.loose != nil {
			to, undone = w.current, []int{len(w.parents) + 1}
		}
		w.goTo(to, undone, w.b.engine.Undo)
	case walkRedo:
		if len(w.undone) == 0 {
			w.goTo(0, nil, w.b.engine.Redo)
			return
		}
		last := len(w.undone) - 1
		w.goTo(w.undone[last], w.undone[:last], w.b.engine.Redo)
	case walkCheckout:
		_, known := w.parents[n]
		to, undone := n, []int(nil)
		if !known {
			to = 0
		} else if n == w.current && w.loose == nil {
			undone = w.undone // nothing happens
		}
		w.goTo(to, undone, func(ctx context.Context, id string) (engine.Moved, error) { return w.b.engine.Checkout(ctx, id, n) })
	case walkEdit:
		if _, err := w.b.engine.Edit(context.Background(), w.id, koda.Seen{}, fmt.Sprintf("make it %d", w.edits)); err != nil {
			w.Fatalf("%v", err)
		}
		w.edits++
		w.made(w.b.tree(w.dir))
	case walkHand:
		w.edits++
		file := filepath.Join(w.dir, "src", fmt.Sprintf("mine%d.ts", n))
		if err := os.WriteFile(file, []byte(fmt.Sprint(w.edits)), 0o644); err != nil {
			w.Fatalf("%v", err)
		}
		w.loose = w.b.tree(w.dir)
	case walkReopen:
		w.b.open()
	}
}

func (w *walk) check(t *rapid.T) {
	want := w.known[w.current]
	if w.loose != nil {
		want = w.loose
	}
	if changed := cmp.Diff(want, w.b.tree(w.dir)); changed != "" {
		t.Fatalf("the files in place are not the files of v%d: %s", w.current, changed)
	}
	view, err := w.b.engine.Show(context.Background(), w.id)
	if err != nil || len(view.Versions) != len(w.parents) {
		t.Fatalf("%d versions, %v, want %d", len(view.Versions), err, len(w.parents))
	}
	for _, v := range view.Versions {
		if v.Parent != w.parents[v.Number] {
			t.Fatalf("v%d follows v%d, want v%d", v.Number, v.Parent, w.parents[v.Number])
		}
		if changed := cmp.Diff(w.known[v.Number], version(t, w.dir, v.Number)); changed != "" {
			t.Fatalf("v%d changed: %s", v.Number, changed)
		}
	}
}
