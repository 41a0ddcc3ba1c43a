package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// TestResume_SameTodo interrupts the author in a todo: on resume its earlier calls
// are answered from the journal.
func TestResume_SameTodo(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("sandboxLost=%v", lost), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ctx, cancel := context.WithCancel(t.Context())
			b.author.before = func(n int, task koda.Task) error {
				if n == 2 {
					cancel()
					return ctx.Err()
				}
				return nil
			}
			out, err := b.engine.New(ctx, b.request("bouncing ball", true))
			if koda.CodeOf(err) != koda.CodeInterrupted || !strings.Contains(koda.HintOf(err), "koda resume bouncing-ball") {
				t.Fatalf("err = %v, hint %q", err, koda.HintOf(err))
			}
			if out.State.Phase != koda.PhaseExecuting || out.Waiting != engine.WaitingRetry {
				t.Fatalf("phase %s, waiting for %q", out.State.Phase, out.Waiting)
			}
			written := countFiles(b.events())
			if lost {
				if err := os.RemoveAll(filepath.Join(b.home, "sandboxes")); err != nil {
					t.Fatal(err)
				}
			}
			b.open()
			b.author.before = nil
			out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
			if out.State.Phase != koda.PhaseComplete {
				t.Fatalf("phase %s", out.State.Phase)
			}
			if out.Saved.Calls != 1 { // a file of the second todo; a thought is no answer
				t.Errorf("%d calls were answered from the journal, want 1", out.Saved.Calls)
			}
			if got := countFiles(b.events()) - written; got != 8-3 {
				t.Errorf("%d files were written after the resume, want 5", got)
			}
			for i := 1; i <= 4; i++ {
				b.read(out.Project.Dir, "src", fmt.Sprintf("todo%d-0.ts", i))
				b.read(out.Project.Dir, "src", fmt.Sprintf("todo%d-1.ts", i))
			}
		})
	}
}

// TestResume_MarkedTodo: an author marks its todo done or pending too early and is
// then cut short. On resume it goes on with that todo and finishes the work.
func TestResume_MarkedTodo(t *testing.T) {
	t.Parallel()
	for _, status := range []koda.TodoStatus{koda.TodoDone, koda.TodoPending} {
		for _, failed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s failed=%v", status, failed), func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
					if err := tool.Todo(ctx, box, task.Todo.ID, status); err != nil {
						return err
					}
					if failed {
						return &koda.Error{Code: koda.CodeNetwork, Op: "the model is far away"}
					}
					cancel()
					return ctx.Err()
				}
				out, err := b.engine.New(ctx, b.request("bouncing ball", true))
				if err == nil || out.Waiting != engine.WaitingRetry {
					t.Fatalf("%v, waiting for %q", err, out.Waiting)
				}
				b.open()
				b.author.work = nil
				out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
				if out.State.Phase != koda.PhaseComplete || len(b.author.works) != 5 || b.author.works[1].Todo.ID != "1" {
					t.Errorf("phase %s after %d todos", out.State.Phase, len(b.author.works)-1)
				}
				b.read(out.Project.Dir, "src", "todo1-1.ts")
			})
		}
	}
}

func countFiles(events []koda.Event) int {
	n := 0
	for _, ev := range events {
		if ev.Type == koda.EventFileWritten {
			n++
		}
	}
	return n
}

func TestResume_FailedRender(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.fail = &koda.Error{Code: koda.CodeRenderFailed, Op: "browser died", Hint: "try again"}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeRenderFailed || out.State.Phase != koda.PhaseError || out.State.Error.From != koda.PhaseExecuting {
		t.Fatalf("err = %v, phase %s", err, out.State.Phase)
	}
	b.open()
	b.video.fail = nil
	works := len(b.author.works)
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || len(b.author.works) != works {
		t.Errorf("phase %s after %d more todos: a failed render is retried as a render", out.State.Phase, len(b.author.works)-works)
	}
}

// TestResume_TimeUp: a render that takes too long fails, and the work is saved.
// With more time the render goes on.
func TestResume_TimeUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.fail = &koda.Error{Code: koda.CodeTimeout, Op: "the video took longer than 2s", Hint: "the same command"}
	b.engine.Limit(2 * time.Second)
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeTimeout || !strings.HasPrefix(koda.HintOf(err), "`koda resume bouncing-ball` goes on") {
		t.Fatalf("%v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
	}
	if out.State.Phase != koda.PhaseError || !out.State.Error.CanRetry || len(b.sandboxes()) != 0 {
		t.Errorf("%+v", out.State.Error)
	}
	b.open()
	b.video.fail = nil
	works := len(b.author.works)
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || len(b.author.works) != works {
		t.Errorf("phase %s", out.State.Phase)
	}
	if got := [2]int64{b.video.specs[0].LimitMS, b.video.specs[1].LimitMS}; got != [2]int64{2000, 0} {
		t.Errorf("limits %v", got)
	}
}

// TestResume_Unpublished: when a video cannot be put in place, the storage has
// failed. A retry renders again, and no todo is worked on again.
func TestResume_Unpublished(t *testing.T) {
	t.Parallel()
	for name, inTheWay := range map[string]func(dir string) error{
		"renders/bouncing-ball-v1.mp4/mine": func(dir string) error { return os.MkdirAll(dir, 0o755) },
		"renders":                           func(dir string) error { return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o644)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			out := b.untilPreview()
			path := filepath.Join(out.Project.Dir, name)
			if err := inTheWay(path); err != nil {
				t.Fatal(err)
			}
			works := len(b.author.works)
			out, err := b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{})
			if koda.CodeOf(err) != koda.CodeStorageFailed || !strings.Contains(koda.HintOf(err), "koda resume bouncing-ball") {
				t.Fatalf("%v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
			}
			if out.State.Phase != koda.PhaseError || !out.State.Error.CanRetry || out.State.Preview == nil {
				t.Errorf("%+v", out.State)
			}
			if err := os.RemoveAll(filepath.Join(out.Project.Dir, "renders")); err != nil {
				t.Fatal(err)
			}
			b.open()
			out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
			if out.State.Phase != koda.PhaseComplete || len(b.author.works) != works {
				t.Errorf("phase %s after %d more todos", out.State.Phase, len(b.author.works)-works)
			}
		})
	}
}

// The error of a failed final names the command that draws a smaller video.
func TestRender_Failed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	b.video.fail = &koda.Error{Code: koda.CodeOutOfMemory, Op: "browser died", Hint: "close other programs"}
	_, err := b.engine.Render(t.Context(), out.Project.ID, koda.RenderSpec{
		Kind: koda.RenderFinal, Preset: "reels", Width: 1080, Height: 1920, FPS: koda.FPS{Num: 30, Den: 1}, Frames: 30, Duration: 1, Format: "mp4",
	})
	want := "close other programs; a smaller one asks less of the machine: koda render " + out.Project.Name + " --preset reels --resolution 540x960 --workers 1"
	if koda.CodeOf(err) != koda.CodeOutOfMemory || koda.HintOf(err) != want {
		t.Errorf("%v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
	}
}

// TestRender_Adopted: a project that lost its database, and with it its turns, can
// be rendered again and again.
func TestRender_Adopted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var dirs []string
	for range 2 {
		out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
		dirs = append(dirs, out.Project.Dir)
	}
	spec := b.video.specs[len(b.video.specs)-1]
	if err := errors.Join(b.db.Close(), os.Remove(filepath.Join(b.home, "koda.db"))); err != nil {
		t.Fatal(err)
	}
	b.db = nil
	b.open()
	for range 2 {
		for _, dir := range dirs {
			p, err := b.engine.Find(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			spec.Output = filepath.Join(t.TempDir(), "out.mp4")
			if _, err := b.engine.Render(t.Context(), p.ID, spec); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestHandEditsWin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	mine := filepath.Join(out.Project.Dir, "src", "mine.ts")
	theirs := filepath.Join(out.Project.Dir, "src", "todo2-0.ts")
	for _, file := range []string{mine, theirs} {
		if err := os.WriteFile(file, []byte("// by hand"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out = b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it blue"))
	last := b.author.works[len(b.author.works)-1]
	if diff := cmp.Diff([]string{"src/mine.ts", "src/todo2-0.ts"}, last.HandEdited); diff != "" {
		t.Errorf("the author was told of %v: %s", last.HandEdited, diff)
	}
	for _, file := range []string{mine, theirs} {
		if b.read(file) != "// by hand" {
			t.Errorf("%s was overwritten", file)
		}
	}
	// Rendering loose edits first makes a version of them.
	if err := os.WriteFile(mine, []byte("// again"), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := b.video.specs[len(b.video.specs)-1]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	if _, err := b.engine.Render(ctx, out.Project.ID, spec); err != nil {
		t.Fatal(err)
	}
	view, err := b.engine.Show(ctx, out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(view.Versions); n != 3 || view.Versions[2].Prompt != "edited by hand" {
		t.Errorf("%d versions: %v", n, view.Versions)
	}
}

// TestHandEdits_ToldAgain: when a todo is done again, its author is told again of
// the files that the person changed, although they were taken in before. After the
// preview the author is no longer told of them.
func TestHandEdits_ToldAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	out := b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	if err := os.WriteFile(filepath.Join(out.Project.Dir, "src", "mine.ts"), []byte("// by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	failed := false
	b.author.before = func(int, koda.Task) error {
		if !failed {
			failed = true
			return &koda.Error{Code: koda.CodeNetwork, Op: "the model does not answer"}
		}
		return nil
	}
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"); koda.CodeOf(err) != koda.CodeNetwork {
		t.Fatal(err)
	}
	b.open()
	b.must(b.engine.Resume(ctx, id, false))
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	var told [][]string
	for _, task := range b.author.works[len(b.author.works)-3:] {
		told = append(told, task.HandEdited)
	}
	if diff := cmp.Diff([][]string{{"src/mine.ts"}, {"src/mine.ts"}, nil}, told); diff != "" {
		t.Error(diff)
	}
}
