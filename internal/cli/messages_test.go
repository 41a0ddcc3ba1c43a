package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{{ID: "abc123", Name: "ball"}}
	f.io.Width = 40
	if got := f.run("messages", "ball"); got != 0 || f.out.String() != "" || f.err.String() != "nothing was said yet\n" {
		t.Errorf("status %d, %q, %q", got, f.out.String(), f.err.String())
	}
	f.engine.said = engine.Conversation{
		Messages: []koda.Message{
			{ID: "m1", Role: koda.RoleUser, Content: "bouncing ball", Timestamp: now.Add(-time.Hour)},
			{ID: "m2", Role: koda.RoleAssistant, Content: "Done.\n\nThe ball \x1b[31mbounces three times before it rests.", Timestamp: now},
		},
		Told: []koda.Message{{ID: "before", Role: koda.RoleSystem, Content: "The files of the project:\n- src/a.ts: the ball"}},
	}
	want := `you, 1 hour ago
  bouncing ball

author, just now
  Done.

  The ball bounces three times before it
  rests.
`
	f.run("messages", "ball")
	if diff := cmp.Diff(want, f.out.String()); diff != "" {
		t.Error(diff)
	}
	f.run("messages", "--told")
	if diff := cmp.Diff("koda\n  The files of the project:\n  - src/a.ts: the ball\n", f.out.String()); diff != "" {
		t.Error(diff)
	}
	f.run("messages", "ball", "--json")
	r := f.result()
	if len(r["messages"].([]any)) != 2 || len(r["told"].([]any)) != 1 || r["warning"] != nil {
		t.Errorf("result %v", r)
	}
	f.engine.said = engine.Conversation{Warning: "what was said before could not be read"}
	if got := f.run("messages", "ball"); got != 0 || !strings.HasPrefix(f.err.String(), "warning: what was said") || f.out.String() != "" {
		t.Errorf("status %d, %q, %q", got, f.out.String(), f.err.String())
	}
	if got := f.run("messages", "nobody"); got != 10 {
		t.Errorf("no project: status %d", got)
	}
}
