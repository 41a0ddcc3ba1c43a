package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// newVisitBench is a bench whose projects live in sandboxes of their own.
func newVisitBench(t *testing.T) (*bench, koda.Project) {
	t.Helper()
	b, p := newCommandBench(t)
	before := b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		cfg.Sandboxes = map[sandbox.Kind]sandbox.Provider{sandbox.Docker: listing{p}}
	}
	b.open()
	req := b.request("bouncing ball", true)
	req.Sandbox = string(sandbox.Docker)
	return b, b.must(b.engine.New(t.Context(), req)).Project
}

func (b *bench) visit(id, line string) {
	b.t.Helper()
	warn := func(text string) { b.t.Errorf("warned: %s", text) }
	err := b.other.Visit(b.t.Context(), id, warn, func(ctx context.Context, sb sandbox.Sandbox) error {
		res, err := sb.Run(ctx, sandbox.Command{Line: line})
		if res.ExitCode != 0 {
			b.t.Errorf("%s: %+v", line, res)
		}
		return err
	})
	if err != nil {
		b.t.Errorf("visit: %v", err)
	}
}

// TestVisit: what a person changes in a sandbox counts as edited in the project's
// directory, and the author hears of it. A sandbox that was made for the visit is removed.
func TestVisit(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.lose()
	b.visit(p.ID, "cat src/todo1-0.ts && echo mine >src/todo1-0.ts && rm src/todo2-0.ts && mkdir -p src/deep dist && echo new >src/deep/a.ts && echo x >dist/x.js")
	if left := b.sandboxes(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if got := b.read(p.Dir, "src/todo1-0.ts") + b.read(p.Dir, "src/deep/a.ts"); got != "mine\nnew\n" {
		t.Errorf("saved: %q", got)
	}
	for _, gone := range []string{"src/todo2-0.ts", "dist"} {
		if _, err := os.Stat(filepath.Join(p.Dir, gone)); err == nil {
			t.Errorf("%s is there", gone)
		}
	}
	want := []string{"src/deep/a.ts", "src/todo1-0.ts", "src/todo2-0.ts"}
	b.author.works = nil
	b.must(b.engine.Edit(t.Context(), p.ID, koda.Seen{}, "make it blue"))
	if got := slices.Sorted(slices.Values(b.author.works[0].HandEdited)); !slices.Equal(got, want) {
		t.Errorf("the author hears of %v, want %v", got, want)
	}
	if got := b.read(p.Dir, "src/todo1-0.ts"); got != "mine\n" {
		t.Errorf("after the change: %q", got)
	}
}

// TestVisit_atWork: a person is in the sandbox in which an author works. Nobody is held
// up, and the author's own files are not taken for the person's.
func TestVisit_atWork(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	todo := 0
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		if todo++; todo == 2 && !slices.Equal(task.HandEdited, []string{"src/mine.ts"}) {
			t.Errorf("the author hears of %v", task.HandEdited)
		}
		if todo > 1 {
			return nil
		}
		if err := tool.WriteFile(ctx, box, "src/before.ts", "author"); err != nil {
			return err
		}
		err := b.other.Visit(ctx, p.ID, func(string) {}, func(ctx context.Context, sb sandbox.Sandbox) error {
			if res, err := sb.Run(ctx, sandbox.Command{Line: "cat src/before.ts && echo mine >src/mine.ts"}); err != nil || res.Stdout != "author" {
				t.Errorf("%+v, %v", res, err)
			}
			return tool.WriteFile(ctx, box, "src/during.ts", "author")
		})
		if err != nil {
			t.Error(err)
		}
		if got := b.read(p.Dir, "src/mine.ts"); got != "mine\n" {
			t.Errorf("saved: %q", got)
		}
		if len(task.HandEdited) == 0 {
			_, err = b.engine.Say(ctx, p.ID, "bigger") // one more todo
		}
		if err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "src/during.ts")); err == nil {
			t.Error("the author's file was saved as the person's")
		}
		return nil
	}
	b.must(b.engine.Edit(t.Context(), p.ID, koda.Seen{}, "make it blue"))
	if got := b.read(p.Dir, "src/mine.ts") + b.read(p.Dir, "src/during.ts"); got != "mine\nauthor" {
		t.Errorf("at the end: %q", got)
	}
}

// TestVisit_rival: a file that was changed in both places stays as it is in the directory,
// and nothing is lost.
func TestVisit_rival(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	var warned []string
	err := b.other.Visit(t.Context(), p.ID, func(text string) { warned = append(warned, text) }, func(ctx context.Context, sb sandbox.Sandbox) error {
		if err := os.WriteFile(filepath.Join(p.Dir, "src/todo1-0.ts"), []byte("editor"), 0o644); err != nil {
			return err
		}
		return sb.WriteFile(ctx, "src/todo1-0.ts", []byte("shell"))
	})
	if err != nil || len(warned) != 1 || !strings.Contains(warned[0], "src/todo1-0.ts") {
		t.Errorf("%v, warned %q", err, warned)
	}
	if got := b.read(p.Dir, "src/todo1-0.ts") + b.read(p.Dir, ".koda/conflicts/src/todo1-0.ts.1"); got != "editorshell" {
		t.Errorf("%q", got)
	}
}

// TestVisit_again: what one visit changed, the next visit changes further; nothing counts
// as changed in both places. What a person edits in the directory meanwhile is in the
// sandbox, and what a killed visit left in the sandbox is saved.
func TestVisit_again(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.visit(p.ID, "echo one >src/todo1-0.ts && echo new >src/new.ts")
	if err := os.WriteFile(filepath.Join(p.Dir, "src/beside.ts"), []byte("beside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.visit(p.ID, "cat src/beside.ts && echo two >src/todo1-0.ts && rm src/new.ts")
	if got := b.read(p.Dir, "src/todo1-0.ts"); got != "two\n" {
		t.Errorf("after the second visit: %q", got)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "src/new.ts")); err == nil {
		t.Error("src/new.ts is there again")
	}
	all := b.sandboxes()
	if len(all) != 1 {
		t.Fatalf("sandboxes %v", all)
	}
	left := filepath.Join(b.home, "sandboxes", all[0], "project", "src")
	for name, text := range map[string]string{"todo2-0.ts": "three\n", "left.ts": "left\n"} {
		if err := os.WriteFile(filepath.Join(left, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.visit(p.ID, "true")
	if got := b.read(p.Dir, "src/todo2-0.ts") + b.read(p.Dir, "src/left.ts") + b.read(p.Dir, "src/beside.ts"); got != "three\nleft\nbeside\n" {
		t.Errorf("after a visit that was killed: %q", got)
	}
}

// TestVisit_left: what a project cannot have is named, and all else is saved.
func TestVisit_left(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	var warned []string
	err := b.other.Visit(t.Context(), p.ID, func(text string) { warned = append(warned, text) }, func(ctx context.Context, sb sandbox.Sandbox) error {
		_, err := sb.Run(ctx, sandbox.Command{Line: "truncate -s 300M src/big.bin; echo mine >src/mine.ts; mkdir lib dist; echo x >lib/a.py; echo x >main.py; echo x >dist/a.js"})
		return err
	})
	want := []string{"src/big.bin is too large or too many for a project, and not saved", "lib/a.py and 1 more are not saved: "}
	if err != nil || len(warned) != 2 || warned[0] != want[0] || !strings.HasPrefix(warned[1], want[1]) {
		t.Errorf("%v, warned %q, want %q", err, warned, want)
	}
	if got := b.read(p.Dir, "src/mine.ts"); got != "mine\n" {
		t.Errorf("saved %q", got)
	}
	b.visit(p.ID, "rm src/big.bin") // what was there before is not told again
}

// TestVisit_local: a project that lives on this machine says where its files are.
func TestVisit_local(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true))).Project
	err := b.engine.Visit(t.Context(), p.ID, nil, nil)
	if koda.CodeOf(err) != koda.CodeCommandBlocked || !strings.Contains(koda.HintOf(err), p.Dir) {
		t.Errorf("%v", err)
	}
}
