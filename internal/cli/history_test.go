package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	if got := f.run("history", "ball"); got != 0 || f.out.Len() > 0 || f.err.String() != "ball has no version yet; `koda resume ball` goes on with it\n" {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	f = newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.past = engine.History{Project: ball, Current: 2, Loose: true, Versions: []engine.Past{
		{Version: koda.Version{Number: 1, Prompt: "bouncing\nball", Author: "recipe", Files: map[string]string{"a": "1", "b": "2"}, CreatedAt: now.Add(-2 * time.Hour)}, Added: []string{"a", "b"}, Thumbnail: "/animations/ball/renders/ball-v1.jpg"},
		{Version: koda.Version{Number: 2, Parent: 1, Prompt: "make it blue", Author: "model", Model: "m1", Cost: koda.Cost{USD: 0.123}, CreatedAt: now}, Added: []string{"c"}, Changed: []string{"a"}, Deleted: []string{"b"}, Thumbnail: "/elsewhere/x.jpg"},
		{Version: koda.Version{Number: 3, Parent: 1, Prompt: "edited by hand", Author: koda.AuthorPerson, CreatedAt: now}},
	}}
	if got := f.run("history", "ball"); got != 0 {
		t.Errorf("status %d", got)
	}
	want := `○ v3  edited by hand
│     just now · no file changed · from v1 · you
│ ● v2  make it blue (current)
│ │     just now · 1 file added, 1 changed, 1 deleted · model m1 · $0.12
│ │     /elsewhere/x.jpg
○─╯ v1  bouncing ball
        2 hours ago · 2 files · recipe · free
        renders/ball-v1.jpg
`
	if diff := cmp.Diff(want, f.out.String()); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(f.err.String(), "files differ from v2; ") {
		t.Errorf("standard error %q", f.err.String())
	}
	f.run("log", "ball", "--json")
	r := f.result()
	last, _ := r["versions"].([]any)[1].(map[string]any)
	if r["current"] != 2.0 || r["edited"] != true || last["current"] != true || last["parent"] != 1.0 || last["cost"].(map[string]any)["usd"] != 0.123 || last["added"].([]any)[0] != "c" || last["thumbnail"] != "/elsewhere/x.jpg" {
		t.Errorf("result %v", r)
	}
}
