package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// visit runs a line in the sandbox of a project, as a person, and returns the warnings.
func (b *bench) visit(id, line string) (warned string) {
	b.t.Helper()
	err := b.other.Visit(b.t.Context(), id, func(text string) { warned += text + "\n" }, func(ctx context.Context, sb sandbox.Sandbox) error {
		res, err := sb.Run(ctx, sandbox.Command{Line: line})
		if res.ExitCode != 0 {
			b.t.Errorf("%s: %+v", line, res)
		}
		return err
	})
	if err != nil {
		b.t.Errorf("visit: %v", err)
	}
	return warned
}

// quiet is visit without a warning.
func (b *bench) quiet(id, line string) {
	b.t.Helper()
	if warned := b.visit(id, line); warned != "" {
		b.t.Errorf("%s: warned: %s", line, warned)
	}
}

// TestVisit_ended: that the sandbox ended is said once, with what to do.
func TestVisit_ended(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	err := b.other.Visit(t.Context(), p.ID, func(string) {}, func(ctx context.Context, sb sandbox.Sandbox) error {
		if err := sb.Destroy(ctx); err != nil {
			t.Error(err)
		}
		_, err := sb.ReadFile(ctx, "koda.json")
		return err
	})
	if koda.CodeOf(err) != koda.CodeSandboxNotFound || strings.Count(err.Error(), "is gone") != 1 || !strings.Contains(koda.HintOf(err), "koda shell") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}

// slowly makes sandboxes when it is told to.
type slowly struct {
	sandbox.Provider
	begun, allowed chan struct{}
}

func (s slowly) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	s.begun <- struct{}{}
	<-s.allowed
	return s.Provider.Create(ctx, o)
}

// TestVisit_beside: a shell that is opened while another one is just being opened waits for
// it, and both are in the same sandbox.
func TestVisit_beside(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.lose()
	slow := slowly{begun: make(chan struct{}), allowed: make(chan struct{})}
	before := b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		slow.Provider = cfg.Sandboxes[sandbox.Docker]
		cfg.Sandboxes[sandbox.Docker] = slow
		cfg.After = b.clock.after
	}
	b.open()
	in, errs := make(chan string), make(chan error)
	maker, other := make(chan struct{}), make(chan struct{})
	visit := func(e *engine.Engine, end chan struct{}) {
		errs <- e.Visit(t.Context(), p.ID, func(string) {}, func(_ context.Context, sb sandbox.Sandbox) error {
			in <- sb.ID()
			<-end
			return nil
		})
	}
	go visit(b.engine, maker)
	<-slow.begun
	go visit(b.other, other)
	b.clock.waiting(200 * time.Millisecond)
	close(slow.allowed)
	first := <-in
	b.clock.ring(200 * time.Millisecond)
	select {
	case second := <-in:
		if first != second {
			t.Errorf("in %s and %s", first, second)
		}
	case err := <-errs:
		t.Fatal(err)
	}
	for _, end := range []chan struct{}{other, maker} { // in one process they count as one visitor, so whoever made the sandbox leaves last
		close(end)
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// TestVisit: what a person changes in a sandbox counts as edited in the project's
// directory, and the author hears of it. A sandbox that was made for the visit is removed.
func TestVisit(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.lose()
	warned := b.visit(p.ID, `cat src/todo1-0.ts && echo mine >src/todo1-0.ts && rm src/todo2-0.ts && mkdir -p src/deep dist lib docs && echo new >src/deep/a.ts &&
		echo x >dist/x.js && echo x >lib/x.js && echo x >lib/y.js && echo y >y.sh && ln -s /etc src/etc && mkfifo src/pipe && echo >'docs/a
b'`)
	if want := "not kept in the project: \"docs/a\\nb\" (a hidden name, or one that no file of a project can have); src/etc, src/pipe (a link, a pipe or a name that cannot be told); " +
		"lib/ with 2 files, y.sh (outside src/, public/, scripts/ and the configuration files)\n"; warned != want {
		t.Errorf("warned %q", warned)
	}
	if left := b.sandboxes(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if got := b.read(p.Dir, "src/todo1-0.ts") + b.read(p.Dir, "src/deep/a.ts"); got != "mine\nnew\n" {
		t.Errorf("saved: %q", got)
	}
	for _, gone := range []string{"src/todo2-0.ts", "dist", "y.sh"} {
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

// TestVisit_unmarked: what a shell left in the sandbox is saved although nobody says that
// the shell was killed.
func TestVisit_unmarked(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.quiet(p.ID, "echo one >src/todo1-0.ts")
	left := filepath.Join(b.home, "sandboxes", b.sandboxes()[0], "project", "src")
	for name, text := range map[string]string{"todo2-0.ts": "three\n", "left.ts": "left\n"} {
		if err := os.WriteFile(filepath.Join(left, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.quiet(p.ID, "true")
	if got := b.read(p.Dir, "src/todo2-0.ts") + b.read(p.Dir, "src/left.ts"); got != "three\nleft\n" {
		t.Errorf("saved: %q", got)
	}
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

// TestVisit_again: a sandbox that lives on is the person's in every visit alike: what they
// change in one shell, in their editor and in the next shell is no conflict.
func TestVisit_again(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	if len(b.sandboxes()) != 1 {
		t.Fatal("there is no sandbox to use again")
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(p.Dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was := b.read(p.Dir, "src/todo1-0.ts")
	b.quiet(p.ID, "echo one >src/a.ts; echo one >src/todo1-0.ts; echo new >src/b.ts")
	b.quiet(p.ID, "echo two >src/a.ts; echo two >src/todo1-0.ts; rm src/b.ts")
	if got := b.read(p.Dir, "src/a.ts") + b.read(p.Dir, "src/todo1-0.ts"); got != "two\ntwo\n" {
		t.Errorf("saved: %q", got)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "src/b.ts")); err == nil {
		t.Error("a file that was removed is there")
	}
	write("src/a.ts", "editor")
	write("src/todo1-0.ts", was) // taken back
	write("src/c.txt", "new")
	if err := os.Remove(filepath.Join(p.Dir, "src/todo2-0.ts")); err != nil {
		t.Fatal(err)
	}
	b.quiet(p.ID, `[ "$(cat src/a.ts)" = editor ] && [ "$(cat src/todo1-0.ts)" != two ] && [ "$(cat src/c.txt)" = new ] && [ ! -e src/todo2-0.ts ] && echo more >>src/a.ts`)
	if got := b.read(p.Dir, "src/a.ts") + b.read(p.Dir, "src/todo1-0.ts"); got != "editormore\n"+was {
		t.Errorf("saved: %q", got)
	}
	// What is taken back after the last visit does not come again with the next change.
	b.quiet(p.ID, "echo again >src/todo1-0.ts; echo again >src/d.ts")
	write("src/todo1-0.ts", was)
	if err := os.Remove(filepath.Join(p.Dir, "src/d.ts")); err != nil {
		t.Fatal(err)
	}
	b.author.work = func(context.Context, koda.Task, tool.Desk) error { return nil }
	_, _ = b.engine.Edit(t.Context(), p.ID, koda.Seen{}, "make it blue")
	if _, err := os.Stat(filepath.Join(p.Dir, "src/d.ts")); err == nil || b.read(p.Dir, "src/todo1-0.ts") != was {
		t.Error("what was taken back came again")
	}
}

// TestVisit_tooMuch: what a project cannot have costs nothing else.
func TestVisit_tooMuch(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	b.lose()
	warned := b.visit(p.ID, "echo mine >src/a.ts; truncate -s 201M src/big.bin; truncate -s 33M src/z.ts; mkdir lib; cd lib; seq 21000 | xargs touch")
	if got := b.read(p.Dir, "src/a.ts"); got != "mine\n" {
		t.Errorf("saved: %q", got)
	}
	if !strings.Contains(warned, "lib/ with 21000 files (outside") || !strings.Contains(warned, "src/big.bin, 201 MB (too large: at most 200 MB); src/z.ts, 33 MB (too large: at most 32 MB)") ||
		!strings.Contains(warned, "the sandbox stays for a while with what could not be saved: koda shell "+p.Name) {
		t.Errorf("warned %q", warned)
	}
	if len(b.sandboxes()) != 1 {
		t.Error("what could not be saved is gone")
	}
	if warned := b.visit(p.ID, "rm -r lib src/z.ts; head -c 1000 /dev/zero >src/big.bin; for i in $(seq 5100); do echo $i >src/$i.txt; done"); !strings.Contains(warned, "(more than a project can have)") {
		t.Errorf("warned %q", warned)
	}
	if got := b.read(p.Dir, "src/a.ts") + b.read(p.Dir, "src/1.txt"); got != "mine\n1\n" {
		t.Errorf("saved: %q", got)
	}
	b.quiet(p.ID, "rm src/*.txt")
	if left, _ := filepath.Glob(filepath.Join(p.Dir, "src/*.txt")); len(left) != 0 {
		t.Errorf("left: %d files", len(left))
	}
}

// TestVisit_killed: what a shell changed before its process was killed is in the directory
// when the project is looked for, and the author's files are not taken for the person's.
func TestVisit_killed(t *testing.T) {
	t.Parallel()
	b, p := newVisitBench(t)
	mark := filepath.Join(b.home, "run", p.ID+".999999999.1.visit") // of a process that is gone
	err := b.other.Visit(t.Context(), p.ID, func(string) {}, func(ctx context.Context, sb sandbox.Sandbox) error {
		return sb.WriteFile(ctx, "src/a.ts", []byte("saved"))
	})
	if err != nil {
		t.Fatal(err)
	}
	all := b.sandboxes()
	if len(all) != 1 {
		t.Fatalf("sandboxes: %v", all)
	}
	inside := filepath.Join(b.home, "sandboxes", all[0], "project")
	for path, data := range map[string]string{filepath.Join(inside, "src/a.ts"): "late", filepath.Join(inside, "src/b.ts"): "late", mark: ""} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.other.Find(t.Context(), p.Dir); err != nil {
		t.Fatal(err)
	}
	if got := b.read(p.Dir, "src/a.ts") + b.read(p.Dir, "src/b.ts"); got != "latelate" {
		t.Errorf("saved: %q", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the mark is still there")
	}
	b.author.works = nil
	b.must(b.engine.Edit(t.Context(), p.ID, koda.Seen{}, "make it blue"))
	if got := slices.Sorted(slices.Values(b.author.works[0].HandEdited)); !slices.Equal(got, []string{"src/a.ts", "src/b.ts"}) {
		t.Errorf("the author hears of %v", got)
	}
}
