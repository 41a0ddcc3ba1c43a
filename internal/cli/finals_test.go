package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestFinals: the presets of final videos are given at the start or later. The size
// of the page follows from the first preset.
func TestFinals(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	done := complete()
	done.State.Output.Others = []koda.Output{{VideoURL: "/animations/ball/renders/ball-v1-gif.gif", Resolution: "480x480", Version: 1}}
	f.engine.replies = []reply{{out: done}}
	if got := f.run("new", "ball", "--yes", "--preset", "square,gif", "--preset", "Instagram"); got != 0 {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	b := f.engine.requests[0].Brief
	if b.Preset != "square" || !cmp.Equal(b.Presets, []string{"gif", "reels"}) || b.Width != 1080 || b.Height != 1080 {
		t.Errorf("brief %+v", b)
	}
	if want := output.VideoURL + "\n/animations/ball/renders/ball-v1-gif.gif\n"; f.out.String() != want {
		t.Errorf("printed %q, want %q", f.out.String(), want)
	}
	f.engine.replies = []reply{{out: done}}
	f.run("new", "ball", "--yes", "--json")
	if list, _ := f.result()["outputs"].([]any); len(list) != 4 {
		t.Errorf("outputs %v", list)
	}

	f.engine.projects = []koda.Project{ball}
	for command, waiting := range map[string]engine.Waiting{"accept": engine.WaitingPreview, "resume": engine.WaitingRetry} {
		f.engine.calls = nil
		f.engine.view = engine.View{Project: ball, Waiting: waiting}
		f.engine.replies = []reply{{out: complete()}}
		if got := f.run(command, "ball", "--preset", "gif,square"); got != 0 || len(f.engine.calls) != 1 || !strings.HasSuffix(f.engine.calls[0], " [gif square]") {
			t.Errorf("%s: status %d, %v: %s", command, got, f.engine.calls, f.err.String())
		}
	}
}

// TestFinals_output: the project is told where else to put its final videos.
// Results name that place first.
func TestFinals_output(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		args string
		want string
	}{
		{"accept ball -o DIR/ball", "accept 0a1b2c3d4e5f [] {Path:DIR/ball Dir:false NoClobber:false}"},
		{"resume ball --no-clobber -o DIR/new/ball.gif", "resume 0a1b2c3d4e5f yes=false [] {Path:DIR/new/ball.gif Dir:false NoClobber:true}"},
		{"edit ball bigger -o DIR", "edit 0a1b2c3d4e5f \"bigger\" [] {Path:DIR Dir:true NoClobber:false}"},
		{"accept ball -o DIR/new/", "accept 0a1b2c3d4e5f [] {Path:DIR/new Dir:true NoClobber:false}"},
		{"accept ball -o DIR/new --preset gif,reels", "accept 0a1b2c3d4e5f [gif reels] {Path:DIR/new Dir:true NoClobber:false}"},
	} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		f.engine.view = engine.View{Project: ball, Waiting: engine.WaitingPreview}
		done := complete()
		done.State.Output.Copy = "/out/ball.mp4"
		f.engine.replies = []reply{{out: done}, {out: done}}
		got := f.run(strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
		if want := strings.ReplaceAll(tt.want, "DIR", dir); got != 0 || f.engine.calls[0] != want || f.out.String() != "/out/ball.mp4\n" {
			t.Errorf("%s: status %d, %v: %s%s", tt.args, got, f.engine.calls, f.out.String(), f.err.String())
		}
		f.run("resume", "ball", "--json")
		list, _ := f.result()["outputs"].([]any)
		var paths []any
		for _, o := range list {
			paths = append(paths, o.(map[string]any)["path"])
		}
		if len(paths) < 2 || paths[0] != "/out/ball.mp4" || paths[1] != output.VideoURL {
			t.Errorf("outputs %v", paths)
		}
	}
}

func TestFinalsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, op, hint string }{
		{"new ball --preset square,", `unknown preset ""`, "use one of"},
		{"new ball --preset square,nope", `unknown preset "nope"`, ""},
		{"new ball --preset square,preview", "preset preview is not for final videos", "every project gets one"},
		{"new ball --preset final,reels --duration 91", "reels takes at most 90 s", "make it shorter"},
		{"new ball --preset=", "--preset is empty", "give it a value"},
		{"accept ball --preset nope", `unknown preset "nope"`, ""},
		{"accept ball --preset=", "--preset is empty", "give it a value"},
		{"resume ball --preset preview", "preset preview is not for final videos", "every project gets one"},
		{"accept ball --preset", "--preset needs a value", "--help"},
	} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		f.engine.view = engine.View{Project: ball, Waiting: engine.WaitingPreview}
		got := f.run(strings.Fields(tt.args)...)
		if got != 2 || !strings.Contains(f.err.String(), tt.op) || !strings.Contains(f.err.String(), "hint: ") || !strings.Contains(f.err.String(), tt.hint) || len(f.engine.calls) > 0 {
			t.Errorf("%s: status %d, %v: %s", tt.args, got, f.engine.calls, f.err.String())
		}
	}
}
