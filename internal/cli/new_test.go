package cli_test

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

func TestNewRequest(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	fps := func(n int) koda.FPS { return koda.FPS{Num: n, Den: 1} }
	tests := []struct {
		args  string
		stdin string
		want  engine.NewRequest
	}{
		{
			args: "new bouncing ball",
			want: engine.NewRequest{
				Brief: koda.Brief{Prompt: "bouncing ball", Author: "recipe", Width: 1920, Height: 1080, FPS: fps(60)},
				Dir:   "/somewhere", Sandbox: "",
			},
		},
		{
			args: "new - --yes --preset tik-tok --duration 4 --style playful", stdin: "  a red ball\n\n",
			want: engine.NewRequest{
				Brief: koda.Brief{Prompt: "a red ball", Author: "recipe", Yes: true, Style: "playful", Duration: 4, Preset: "tiktok", Width: 1080, Height: 1920, FPS: fps(30)},
				Dir:   "/somewhere", Sandbox: "",
			},
		},
		{
			args: "new ball --preset final --recipe bouncing-ball --set bounces=3 --set colors=#fff,#000 --asset a.png --dir out --name demo --plan-only",
			want: engine.NewRequest{
				Brief: koda.Brief{
					Prompt: "ball", Author: "recipe", Recipe: "bouncing-ball", Preset: "final", Width: 1920, Height: 1080, FPS: fps(60),
					Params: map[string]string{"bounces": "3", "colors": "#fff,#000"},
				},
				Dir: filepath.Join(here, "out"), Sandbox: "", Name: "demo", Exact: true, PlanOnly: true, Assets: []string{filepath.Join(here, "a.png")},
			},
		},
		{
			args: "new --recipe title --set text=Hello --yes", // which says all there is to say
			want: engine.NewRequest{
				Brief: koda.Brief{
					Prompt: "title", Author: "recipe", Recipe: "title", Yes: true, Width: 1920, Height: 1080, FPS: fps(60),
					Params: map[string]string{"text": "Hello"},
				},
				Dir: "/somewhere",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.io.In = strings.NewReader(tt.stdin)
			f.engine.replies = []reply{{out: complete()}}
			if got := f.run(strings.Fields(tt.args)...); got != 0 {
				t.Fatalf("exit status %d: %s", got, f.err.String())
			}
			if diff := cmp.Diff([]engine.NewRequest{tt.want}, f.engine.requests); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			if f.engine.closed != 1 {
				t.Errorf("the engine was closed %d times", f.engine.closed)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, args, stdin string
		message, hint     string
	}{
		{"nothing", "new", "", "the prompt is empty", `say what should move: koda new "bouncing ball"`},
		{"blank", "new -", " \n\t\n", "the prompt is empty", `say what should move`},
		{"a megabyte", "new -", strings.Repeat("ball ", 200_000), "the prompt is longer than 32 KiB", "--asset"},
		{"binary", "new -", "ball \xff\xfe", "the prompt is not text", "UTF-8"},
		{"zero byte", "new -", "ball \x00", "the prompt is not text", "UTF-8"},
		{"preset", "new ball --preset rels", "", `unknown preset "rels"`, `did you mean "reels"?`},
		{"preview preset", "new ball --preset draft", "", "preset preview is not for final videos", "koda render PROJECT --preset preview"},
		{"author", "new ball --author modle", "", `setting author (--author) cannot be "modle"`, "use recipe"},
		{"author of another version", "new ball --author model", "", `setting author (--author) is "model", which this version of koda cannot do`, "use recipe"},
		{"too short", "new ball --duration 1.4", "", "a duration of 1.4 s is out of range", "give 1.5 to 3600 seconds"},
		{"zero", "new ball --duration 0", "", "a duration of 0 s is out of range", "give 1.5 to 3600 seconds"},
		{"too long", "new ball --duration 1h1s", "", "a duration of 3601 s is out of range", "give 1.5 to 3600 seconds"},
		{"too long there", "new ball --duration 91 --preset reels", "", "reels takes at most 90 s", "make it shorter"},
		{"no value", "new ball --set bounces", "", `--set "bounces" is no NAME=VALUE`, "--set bounces=3"},
		{"data and prompt of standard input", "new - --data -", "ball", "only one of the prompt, --data and --batch can be read from standard input", "give the others as files"},
		{"batch with questions", "new ball --batch rows.csv", "", "new --batch asks nothing", "add --yes"},
		{"batch of two presets", "new ball --yes --batch rows.csv --preset reels,square", "", "--batch does not go with 2 presets", "give one preset"},
		{"batch that is not there", "new ball --yes --batch nowhere.csv", "", "nowhere.csv", "name a JSON or CSV file"},
		{"data that is not there", "new --data nowhere.csv", "", "nowhere.csv does not exist", "check the path"},
		{"data without rows", "new --data -", "name,value\n", "standard input: there is only a header in it", "give at least one row"},
		{"named data that is not there", "new bars of nowhere.csv", "", "there is no file nowhere.csv", "quotation marks"},
		{"twice", "new ball --set a=1 --set a=2", "", "--set a is given twice", "leave one of them out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.io.In = strings.NewReader(tt.stdin)
			if got := f.run(strings.Fields(tt.args)...); got != 2 {
				t.Errorf("exit status %d, want 2", got)
			}
			if got := f.err.String(); !strings.Contains(got, tt.message) || !strings.Contains(got, tt.hint) || strings.Count(got, "\n") != 2 {
				t.Errorf("standard error:\n%swant one line with %q and a hint with %q", got, tt.message, tt.hint)
			}
			if len(f.engine.calls) > 0 {
				t.Errorf("the engine was called: %v", f.engine.calls)
			}
		})
	}
}

// TestNewChecks: assets, name and brief are checked before a project is made.
func TestNewChecks(t *testing.T) {
	t.Parallel()
	no := func(what string) error {
		return &koda.Error{Code: koda.CodeUsage, Op: "bad " + what, Hint: "another"}
	}
	f := newFace(t)
	f.deps.CheckAsset = func(path string) (koda.Asset, error) { return koda.Asset{}, no("asset " + path) }
	f.deps.CheckName = func(name string) error { return no("name " + name) }
	f.deps.CheckBrief = func(_ context.Context, b koda.Brief) (recipe.Wanted, error) {
		return recipe.Wanted{}, no("recipe " + b.Recipe)
	}
	for args, want := range map[string]string{
		"new ball --asset logo.png": "koda: bad asset logo.png\n  hint: another\n",
		"new ball --name a/b":       "koda: bad name a/b\n  hint: another\n",
		"new ball --name=":          "koda: --name is empty\n  hint: give it a value, or leave it out\n",
		"new ball --recipe bal":     "koda: bad recipe bal\n  hint: another\n",
	} {
		if got := f.run(strings.Fields(args)...); got != 2 || f.err.String() != want {
			t.Errorf("%s: status %d\n%swant 2\n%s", args, got, f.err.String(), want)
		}
	}
	if len(f.engine.calls) > 0 {
		t.Errorf("the engine was called: %v", f.engine.calls)
	}
}

// TestNewSettings: settings fill in what the flags leave open.
func TestNewSettings(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	env := map[string]string{"HOME": t.TempDir(), "STORAGE_PATH": "/videos", "KODA_AUTHOR": "model", "SANDBOX_PROVIDER": "docker"}
	f.deps.Offers = nil // every choice is offered
	sources, err := f.deps.Settings()
	if err != nil {
		t.Fatal(err)
	}
	sources.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	f.deps.Settings = settings(sources)
	f.engine.replies = []reply{{out: complete()}, {out: complete()}}
	f.run("new", "ball")
	f.run("new", "ball", "--recipe", "title")
	got := f.engine.requests
	if len(got) != 2 || got[0].Dir != "/videos" || got[0].Sandbox != "docker" || got[0].Brief.Author != "model" || got[1].Brief.Author != "recipe" {
		t.Errorf("requests %+v", got)
	}
	f.deps.Offers = config.Offers{"author": {"recipe"}, "sandbox-provider": {"local"}}
	for args, want := range map[string]string{
		"new ball":                 `koda: setting author (KODA_AUTHOR) is "model", which this version of koda cannot do`,
		"new ball --author recipe": `koda: setting sandbox-provider (SANDBOX_PROVIDER) is "docker", which this version of koda cannot do`,
	} {
		if got := f.run(strings.Fields(args)...); got != 2 || !strings.HasPrefix(f.err.String(), want+"\n  hint: use ") || len(f.engine.requests) != 2 {
			t.Errorf("%s: status %d: %s", args, got, f.err.String())
		}
	}
	env["KODA_AUTHOR"] = "ghost"
	if got := f.run("new", "ball"); got != 2 || !strings.Contains(f.err.String(), `setting author (KODA_AUTHOR) cannot be "ghost"`) {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

// TestNewAsksForThePrompt: koda asks for the prompt only at a terminal.
func TestNewAsksForThePrompt(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.types("bouncing ball")
	f.engine.replies = []reply{{out: complete()}}
	if got := f.run("new"); got != 0 || !strings.HasPrefix(f.err.String(), "What should move? ") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if diff := cmp.Diff([]string{"new bouncing ball"}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

// TestNewPromptNeverEnds: a pipe that stays open does not hold up an interrupt.
func TestNewPromptNeverEnds(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	r, w := io.Pipe()
	defer w.Close()
	f.io.In = r
	f.interruptSoon()
	if got := f.run("new", "-"); got != 130 || f.err.String() != "koda: interrupted\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

// --timeout bounds the videos of every command that renders. A value that is not a
// time is refused before any work.
func TestTimeout(t *testing.T) {
	t.Parallel()
	commands := [][]string{{"new", "bouncing ball", "--yes"}, {"accept", "ball"}, {"edit", "ball", "blue"}, {"resume", "ball"}, {"render", "ball"}}
	for _, command := range commands {
		for text, want := range map[string]string{"90s": "limit 1m30s", "10m": "limit 10m0s", "none": "limit -1ms", "": ""} {
			if command[0] == "render" {
				continue // it says so with each video, see TestRenderPlain
			}
			f := newFace(t)
			f.engine.projects = []koda.Project{ball}
			f.engine.replies = []reply{{out: complete()}}
			args := command
			if text != "" {
				args = append(args[:len(args):len(args)], "--timeout", text)
			}
			if status := f.run(args...); status != 0 {
				t.Errorf("%v: status %d: %s", args, status, f.err.String())
			}
			if got := slices.Contains(f.engine.calls, want); got == (text == "") {
				t.Errorf("%v called %q", args, f.engine.calls)
			}
		}
		for _, text := range []string{"soon", "0", "-5m", "1e300"} {
			f := newFace(t)
			if status := f.run(append(command[:len(command):len(command)], "--timeout", text)...); status != 2 || len(f.engine.calls) != 0 {
				t.Errorf("%v %q: %d, %q", command, text, status, f.engine.calls)
			}
		}
	}
}
