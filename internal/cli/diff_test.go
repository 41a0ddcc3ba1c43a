package cli_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

var differs = engine.Comparison{Project: ball, From: 2, To: 3, Files: []engine.FileDiff{
	{Path: "public/logo.png", Status: "changed", Binary: true, OldSize: 1200, NewSize: 2400},
	{Path: "src/a.ts", Status: "changed", Added: 1, Deleted: 1, Diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-red\r\n+\x1b[2Jblue\n"},
}}

func TestDiff_Video(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects, f.engine.differs = []koda.Project{ball}, engine.Comparison{Project: ball, From: 2, To: 3, Edited: true}
	if got := f.run("diff", "ball", "v2", "--video", "difference", "--preset", "reels", "--timeout", "90s"); got != 0 || f.out.String() != "/both.mp4\n" {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	if text := f.err.String(); !strings.HasPrefix(text, "v2 and v3\nwarning: the files as they are differ from v3") {
		t.Errorf("standard error %q", text)
	}
	f.run("diff", "ball", "--video", "side", "--json")
	if r := f.result(); r["to"] != 3.0 || r["render"].(map[string]any)["video"] != "/both.mp4" {
		t.Errorf("result %v", r)
	}
	if diff := cmp.Diff([]string{"limit 1m30s", "video " + ball.ID + " v2 v0 difference=true reels ", "video " + ball.ID + " v0 v0 difference=false  "}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects, f.engine.differs = []koda.Project{ball}, differs
	if got := f.run("diff", "ball", "v2", "v3"); got != 0 || f.err.String() != "v2 to v3: 2 files differ, 1 line added, 1 deleted\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	// A program gets every byte.
	if want := "public/logo.png changed, 1.2 kB to 2.4 kB\n" + differs.Files[1].Diff; f.out.String() != want {
		t.Errorf("standard output %q, want %q", f.out.String(), want)
	}
	if diff := cmp.Diff([]string{"diff " + ball.ID + " v2 v3"}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
	// A person gets colours, and nothing that moves the cursor.
	f = newFace(t)
	f.io.OutTTY = true
	f.engine.projects, f.engine.differs = []koda.Project{ball}, differs
	f.run("diff", "ball")
	if text := f.out.String(); !strings.Contains(text, "\x1b[38;5;") || strings.Contains(text, "\x1b[2J") || !strings.Contains(ansi.Strip(text), "\n-red\n+blue\n") {
		t.Errorf("at a terminal %q", text)
	}
	f = newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.differs = engine.Comparison{Project: ball, From: 3, To: 3, Edited: true, Files: []engine.FileDiff{}}
	f.run("diff", "ball", "--json")
	if r := f.result(); r["from"] != 3.0 || r["edited"] != true || len(r["files"].([]any)) != 0 {
		t.Errorf("result %v", r)
	}
	f.run("diff", "ball")
	if !strings.HasSuffix(f.err.String(), "v3 to the files as they are: the files are the same\n") {
		t.Errorf("standard error %q", f.err.String())
	}
}
