package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// The table fits 80 columns, whatever the names and the numbers are.
func TestStats(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	if got := f.run("stats"); got != 0 || f.out.Len() > 0 || !strings.HasPrefix(f.err.String(), "no projects yet") {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	f = newFace(t)
	long := ball
	long.ID, long.Name = "77aa", "a-name-that-is-much-longer-than-a-column-may-be"
	f.engine.projects = []koda.Project{ball, long}
	f.engine.stats = koda.Stats{Turns: 12, ModelCalls: 120_000, ToolCalls: 34, Cost: koda.Cost{USD: 12.345, InputTokens: 123_456_789, OutputTokens: 5, Unpriced: 1}, Frames: 123_456, ReusedFrames: 60}
	f.engine.stats.AddRender("done", &koda.RenderResult{Frames: 600, ElapsedMS: 12_345})
	if got := f.run("stats"); got != 0 {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	want := `PROJECT                 TURNS  CALLS  TOKENS     COST VIDEOS FRAMES REUSED  TIME
ball                       12   120k    123M $12.35+?      1   124k     60 12.3s
a-name-that-is-much-l…     12   120k    123M $12.35+?      1   124k     60 12.3s
in all                     24   240k    246M $24.69+?      2   248k    120 24.7s
`
	if diff := cmp.Diff(want, f.out.String()); diff != "" {
		t.Error(diff)
	}
	for l := range strings.Lines(f.out.String()) {
		if n := len([]rune(l)) - 1; n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	f = newFace(t)
	f.engine.projects = []koda.Project{ball}
	if got := f.run("stats", "nothing"); got != 10 {
		t.Errorf("an unknown project: status %d", got)
	}
	f.run("stats", "ball", "--json")
	if r := f.result(); len(r["projects"].([]any)) != 1 || r["total"].(map[string]any)["turns"] != 0.0 {
		t.Errorf("result %v", r)
	}
}
