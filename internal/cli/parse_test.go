package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// parsed returns the options of a parse that must work.
func parsed[O any](t *testing.T) func(O, error) O {
	return func(o O, err error) O {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	crf, from, to := 0, 1.0, 90.0
	tests := map[string]struct{ got, want any }{
		"new, words": {
			parsed[cli.NewOptions](t)(cli.ParseNew("bouncing", "ball", "-y")),
			cli.NewOptions{Prompt: "bouncing ball", Yes: true},
		},
		"new, everything": {
			parsed[cli.NewOptions](t)(cli.ParseNew("-", "--style", "minimal", "--duration", "1m30s", "--preset", "reels,square", "--recipe", "title",
				"--author", "recipe", "-o", "x.mp4", "--no-clobber", "--set", "a=1,2", "--set", "b=", "--asset", "x,y.png", "--dir", "d", "--name", "n", "--plan-only")),
			cli.NewOptions{
				Prompt: "-", Style: "minimal", Duration: 90, Finals: cli.FinalOptions{Presets: []string{"reels", "square"}, Output: "x.mp4", NoClobber: true}, Recipe: "title", Author: "recipe",
				Set: []string{"a=1,2", "b="}, Assets: []string{"x,y.png"}, Dir: "d", Name: "n", PlanOnly: true,
			},
		},
		"answer":          {parsed[cli.AnswerOptions](t)(cli.ParseAnswer("ball", "like", "honey")), cli.AnswerOptions{Project: "ball", Text: "like honey"}},
		"answer, here":    {parsed[cli.AnswerOptions](t)(cli.ParseAnswer("playful")), cli.AnswerOptions{Text: "playful"}},
		"accept":          {parsed[cli.AcceptOptions](t)(cli.ParseAccept("ball", "--preset", "reels,gif")), cli.AcceptOptions{Project: "ball", Finals: cli.FinalOptions{Presets: []string{"reels", "gif"}}}},
		"accept, here":    {parsed[cli.AcceptOptions](t)(cli.ParseAccept()), cli.AcceptOptions{}},
		"reject":          {parsed[cli.RejectOptions](t)(cli.ParseReject("ball", "-m", "too long")), cli.RejectOptions{Project: "ball", Feedback: "too long"}},
		"edit":            {parsed[cli.EditOptions](t)(cli.ParseEdit("ball", "higher", "-o", "x")), cli.EditOptions{Project: "ball", Text: "higher", Finals: cli.FinalOptions{Output: "x"}}},
		"resume":          {parsed[cli.ResumeOptions](t)(cli.ParseResume("ball", "--yes", "--preset", "gif")), cli.ResumeOptions{Project: "ball", Yes: true, Finals: cli.FinalOptions{Presets: []string{"gif"}}}},
		"render, nothing": {parsed[cli.RenderOptions](t)(cli.ParseRender()), cli.RenderOptions{}},
		"render, everything": {
			parsed[cli.RenderOptions](t)(cli.ParseRender("ball", "--preset", "square", "--resolution", "720p", "--fps", "29.97", "--crf", "0",
				"--format", "mp4", "-o", "x.mp4", "--no-clobber", "--no-cache", "--explain", "--workers", "3", "--preset", "reels", "--from", "1", "--to", "1:30",
				"--encoder", "auto", "--encoder-preset", "slow")),
			cli.RenderOptions{
				Target: "ball", Presets: []string{"square", "reels"}, Output: "x.mp4", NoClobber: true, NoCache: true, Explain: true, Workers: 3,
				Overrides: preset.Overrides{Resolution: "720p", FPS: "29.97", Format: "mp4", CRF: &crf, From: &from, To: &to, EncoderPreset: "slow", Encoder: "auto"},
			},
		},
		"init": {
			parsed[cli.InitOptions](t)(cli.ParseInit("page", "--name", "A page", "--width", "640", "--height", "360", "--fps", "29.97", "--duration", "1:30", "--play", "--force", "--dry-run")),
			cli.InitOptions{Target: "page", Name: "A page", Width: 640, Height: 360, FPS: "29.97", Duration: 90, Play: true, Force: true, DryRun: true},
		},
		"preview":       {parsed[cli.PreviewOptions](t)(cli.ParsePreview("ball", "--host", "0.0.0.0", "--open")), cli.PreviewOptions{Target: "ball", Host: "0.0.0.0", Port: 5173, Open: true}},
		"preview, here": {parsed[cli.PreviewOptions](t)(cli.ParsePreview()), cli.PreviewOptions{Port: 5173}},
		"still":         {parsed[cli.StillOptions](t)(cli.ParseStill("ball", "--at", "1:30")), cli.StillOptions{Target: "ball", At: 90}},
		"sheet": {
			parsed[cli.SheetOptions](t)(cli.ParseSheet("ball", "--count", "11", "--columns", "6", "--width", "240", "-o", "x.png", "--no-clobber")),
			cli.SheetOptions{Target: "ball", Count: 11, Columns: 6, Wide: 240, Output: "x.png", NoClobber: true},
		},
		"show":       {parsed[cli.ShowOptions](t)(cli.ParseShow("ball")), cli.ShowOptions{Project: "ball"}},
		"frame":      {parsed[cli.ShowOptions](t)(cli.ParseShow("ball", "--frame", "1:02")), cli.ShowOptions{Project: "ball", Frame: 62}},
		"play":       {parsed[cli.PlayOptions](t)(cli.ParsePlay("ball")), cli.PlayOptions{Project: "ball"}},
		"history":    {parsed[cli.HistoryOptions](t)(cli.ParseHistory("ball")), cli.HistoryOptions{Project: "ball"}},
		"diff, here": {parsed[cli.DiffOptions](t)(cli.ParseDiff()), cli.DiffOptions{}},
		"diff":       {parsed[cli.DiffOptions](t)(cli.ParseDiff("ball")), cli.DiffOptions{Project: "ball"}},
		"diff 1":     {parsed[cli.DiffOptions](t)(cli.ParseDiff("v2")), cli.DiffOptions{From: 2}},
		"diff 2":     {parsed[cli.DiffOptions](t)(cli.ParseDiff("v3", "2")), cli.DiffOptions{From: 3, To: 2}},
		"diff video": {
			parsed[cli.DiffOptions](t)(cli.ParseDiff("--video", "side", "--preset", "final", "-o", "x.mp4", "--no-clobber")),
			cli.DiffOptions{Video: "side", Preset: "final", Output: "x.mp4", NoClobber: true},
		},
		"diff all":   {parsed[cli.DiffOptions](t)(cli.ParseDiff("v1", "v3", "2")), cli.DiffOptions{Project: "v1", From: 3, To: 2}},
		"undo":       {parsed[cli.UndoOptions](t)(cli.ParseUndo("ball")), cli.UndoOptions{Project: "ball"}},
		"redo, here": {parsed[cli.RedoOptions](t)(cli.ParseRedo()), cli.RedoOptions{}},
		"checkout":   {parsed[cli.CheckoutOptions](t)(cli.ParseCheckout("ball", "v12")), cli.CheckoutOptions{Project: "ball", Version: 12}},
		"checkout 2": {parsed[cli.CheckoutOptions](t)(cli.ParseCheckout("2")), cli.CheckoutOptions{Version: 2}},
		"fork":       {parsed[cli.ForkOptions](t)(cli.ParseFork("ball", "V2", "b", "--dir", "d")), cli.ForkOptions{Project: "ball", Version: 2, Name: "b", Dir: "d"}},
		"fork, here": {parsed[cli.ForkOptions](t)(cli.ParseFork("2", "b")), cli.ForkOptions{Version: 2, Name: "b"}},
		"doctor":     {parsed[cli.DoctorOptions](t)(cli.ParseDoctor("ball")), cli.DoctorOptions{Project: "ball"}},
		"messages":   {parsed[cli.MessagesOptions](t)(cli.ParseMessages("ball", "--told")), cli.MessagesOptions{Project: "ball", Told: true}},
		"delete":     {parsed[cli.DeleteOptions](t)(cli.ParseDelete("ball", "-y")), cli.DeleteOptions{Project: "ball", Yes: true}},
		"config set": {parsed[cli.ConfigSetOptions](t)(cli.ParseConfigSet("author", "recipe")), cli.ConfigSetOptions{Name: "author", Value: "recipe"}},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.got, cmpopts.IgnoreUnexported(cli.PreviewOptions{}, cli.NewOptions{}, cli.StillOptions{}, cli.ShowOptions{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args          string
		message, hint string
	}{
		{"vesrion", `unknown command "vesrion"`, "did you mean `koda version`?"},
		{"a ball that bounces", `unknown command "a ball that bounces"`, `to make a video: koda new "a ball that bounces"`},
		{"nwe x --yes", `unknown command "nwe"`, "did you mean `koda new`?"},
		{"project", `unknown command "project"`, "did you mean `koda projects`?"},
		{"hepl", `unknown command "hepl"`, "did you mean `koda help`?"},
		{"config get", "koda config get needs NAME", "usage: koda config get NAME [flags]"},
		{"config set", "koda config set needs NAME VALUE", "usage: koda config set NAME VALUE [flags]"},
		{"config set cache-max", "koda config set needs VALUE", "usage: koda config set NAME VALUE [flags]"},
		{"config set cache-max -5", "-5 was read as a flag", "write -- before a value that begins with -: koda config set -- cache-max -5"},
		{"new ball --prest reels", "unknown flag --prest", "did you mean --preset?"},
		{"new ball -z", "unknown flag -z", "see `koda new --help`"},
		{"new ball --duration", "--duration needs a value", "see `koda new --help`"},
		{"new ball --duration soon", `--duration: "soon" is not a time`, "give seconds, such as 5, 2.5s, 90 or 1m30s"},
		{"render ball --crf good", `--crf: "good" is not a whole number`, "see `koda render --help`"},
		{"accept one two", `unexpected argument "two"`, "usage: koda accept [PROJECT] [flags]"},
		{"answer", "koda answer needs OPTION|TEXT", "usage: koda answer [PROJECT] OPTION|TEXT [flags]"},
		{"delete", "koda delete needs PROJECT", "usage: koda delete PROJECT [flags]"},
		{"diff --video sid", `unknown kind of video "sid"`, `did you mean "side"?`},
		{"diff ball --video -o x.mp4", `unknown kind of video "-o"`, "use one of side, difference"},
		{"diff ball v1 v2 --video -o x.mp4", `unknown kind of video "-o"`, "use one of side, difference"},
		{"diff -o x.mp4", "--preset, --output, --no-clobber and --timeout are for videos", "add --video side"},
		{"diff v0", "there is no v0: versions count from v1", "give one such as v2; koda history lists them"},
		{"diff ball two", `"two" is not a version`, "give one such as v2; koda history lists them"},
		{"diff ball v2 2", "v2 twice: there is nothing to compare", "give two versions; koda history lists them"},
		{"checkout ball v0", "there is no v0: versions count from v1", "give one such as v2; koda history lists them"},
		{"checkout two", `"two" is not a version`, "give one such as v2; koda history lists them"},
		{"checkout ball -- -2", `"-2" is not a version`, "give one such as v2; koda history lists them"},
		{"fork v2", "koda fork needs NAME", "usage: koda fork [PROJECT] VERSION NAME [flags]"},
		{"help vrsion", `unknown help topic "vrsion"`, "did you mean `koda help version`?"},
		{"help json more", `unknown help topic "json more"`, "did you mean `koda help json`?"},
		{"config shwo", `unknown command "shwo"`, "did you mean `koda config show`?"},
		{"config get sandbx-image", `unknown setting "sandbx-image"`, "did you mean sandbox-image?"},
		{"completion bsh", `unknown shell "bsh"`, `did you mean "bash"?`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			if got := f.run(strings.Fields(tt.args)...); got != 2 {
				t.Errorf("exit status %d, want 2", got)
			}
			if got, want := f.err.String(), "koda: "+tt.message+"\n  hint: "+tt.hint+"\n"; got != want {
				t.Errorf("standard error:\n%s\nwant:\n%s", got, want)
			}
			if f.out.Len() > 0 {
				t.Errorf("standard output: %q", f.out.String())
			}
			f.run(append([]string{"--json"}, strings.Fields(tt.args)...)...)
			r := f.result()
			if e, _ := r["error"].(map[string]any); r["ok"] != false || r["exitCode"] != 2.0 || e["code"] != "USAGE" || e["message"] != tt.message || e["hint"] != tt.hint {
				t.Errorf("result %v", r)
			}
			if f.err.Len() > 0 {
				t.Errorf("standard error under --json: %q", f.err.String())
			}
		})
	}
}

func TestParseSeconds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"5": 5, "2.5": 2.5, "2.5s": 2.5, "1m30s": 90, "1:30": 90, "0:01.5": 1.5, " 7 ": 7, "500ms": 0.5} {
		if got, err := cli.ParseSeconds(in); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "soon", "NaN", "inf", "1:90", "1:-3", "5 parsecs", "1:2:3"} {
		if got, err := cli.ParseSeconds(in); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("%q: %v, %v, want a usage error", in, got, err)
		}
	}
}

// TestExitTable: every error code has exactly one exit status.
func TestExitTable(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../koda/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := cli.Codes()
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		typ, ok := spec.Type.(*ast.Ident)
		if !ok || typ.Name != "Code" {
			return true
		}
		found++
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.Collect(func(yield func(int) bool) {
			for i, k := range known {
				if k == code && !yield(i) {
					return
				}
			}
		})); n != 1 {
			t.Errorf("%s stands %d times in the exit table, want once", code, n)
		}
		return true
	})
	if found < 30 || found != len(known) {
		t.Errorf("%d codes declared, %d in the table", found, len(known))
	}
	for code, want := range map[koda.Code]int{"": 0, "NO_SUCH_CODE": 1, koda.CodeUsage: 2, koda.CodeNeedsPerson: 3, koda.CodePageFailed: 8, koda.CodeTimeout: 124, koda.CodeInterrupted: 130} {
		if got := cli.ExitStatus(code); got != want {
			t.Errorf("%q: %d, want %d", code, got, want)
		}
	}
}
