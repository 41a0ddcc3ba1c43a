package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// TestThinking: while work is done the state shows a line about it, also to another
// process; afterwards the line is empty. No file ever holds the line.
func TestThinking(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const line = "Sharpening pencils"
	thinking := func(e *engine.Engine, ref string) string {
		t.Helper()
		p, err := e.Find(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		view, err := e.Show(t.Context(), p.ID)
		if err != nil || view.State.Execution == nil {
			t.Fatalf("%+v, %v", view.State, err)
		}
		return view.State.Execution.Thinking
	}
	works := 0
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		works++
		for i, e := range []*engine.Engine{b.engine, b.other} {
			if got := thinking(e, "bouncing-ball"); got != "" {
				t.Errorf("process %d shows %q before todo %d", i, got, works)
			}
		}
		if err := tool.Think(ctx, box, line); err != nil {
			return err
		}
		for i, e := range []*engine.Engine{b.engine, b.other} {
			if got := thinking(e, "bouncing-ball"); got != line {
				t.Errorf("process %d shows %q at todo %d", i, got, works)
			}
		}
		return tool.WriteFile(ctx, box, "src/todo"+task.Todo.ID+".ts", "// it is")
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Execution.Thinking != "" || thinking(b.engine, "bouncing-ball") != "" || thinking(b.other, "bouncing-ball") != "" || works < 3 {
		t.Errorf("after %d todos: %+v", works, out.State.Execution)
	}
	for _, root := range []string{b.home, out.Project.Dir} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if strings.Contains(b.read(path), line) {
				t.Errorf("%s holds the line", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
