package cli_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

func TestHelpPages(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	var all strings.Builder
	for _, page := range []string{
		"", "new", "answer", "accept", "reject", "edit", "resume", "render", "still", "sheet", "list", "show", "messages", "delete", "presets", "doctor", "gc",
		"config", "config show", "config get", "config set", "config unset", "version", "completion", "json", "exit-codes",
	} {
		args := append([]string{"help"}, strings.Fields(page)...)
		if got := f.run(args...); got != 0 || f.err.Len() > 0 {
			t.Errorf("%v: status %d: %s", args, got, f.err.String())
		}
		all.WriteString("== koda " + strings.Join(args, " ") + "\n" + f.out.String())
		for l := range strings.Lines(f.out.String()) {
			if n := len([]rune(strings.TrimRight(l, "\n"))); n > 120 {
				t.Errorf("%v: a line of %d columns: %s", args, n, l)
			}
		}
	}
	golden(t, "help.golden", all.String())
	// The three ways to a help page agree; none of them prints JSON.
	f.run("help", "new")
	want := f.out.String()
	for _, args := range [][]string{{"new", "--help"}, {"new", "-h"}, {"new", "--help", "--json"}, {"help", "new", "--json"}} {
		if f.run(args...); f.out.String() != want {
			t.Errorf("%v differs from koda help new", args)
		}
	}
	f.run("help")
	want = f.out.String()
	if f.run(); f.out.String() != want {
		t.Error("koda alone differs from koda help")
	}
}

// TestLazy: a command that needs no engine opens none.
func TestLazy(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.deps = cli.Deps{Build: f.deps.Build}
	for _, args := range []string{"version", "version --json", "help", "new --help", "help json", "completion bash", "completion zsh", "completion fish", "completion powershell"} {
		if got := f.run(strings.Fields(args)...); got != 0 || f.out.Len() == 0 {
			t.Errorf("%s: status %d: %s", args, got, f.err.String())
		}
	}
	f.run("version")
	if got := f.out.String(); !strings.HasPrefix(got, "koda v1.2.3 (0123456, 2026-03-14) go1.") {
		t.Errorf("version: %q", got)
	}
	f.run("version", "--json")
	if r := f.result(); r["version"] != "v1.2.3" || r["commit"] != "0123456" || r["platform"] == "" {
		t.Errorf("version: %v", r)
	}
}

func TestListAndShow(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	other := ball
	other.ID, other.Name, other.Dir, other.Phase = "ffff", "logo", "/animations/logo", koda.PhaseError
	other.Prompt, other.UpdatedAt = strings.Repeat("a logo that\nspins and ", 9), now.Add(-50*time.Hour)
	if got := f.run("list"); got != 0 || f.out.Len() > 0 || f.err.String() != "no projects yet; make one with: koda new \"bouncing ball\"\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if f.run("list", "--json"); len(f.result()["projects"].([]any)) != 0 {
		t.Errorf("no projects: %s", f.out.String())
	}
	f.engine.projects = []koda.Project{ball, other}
	var all strings.Builder
	f.run("list")
	all.WriteString("== list\n" + f.out.String())
	f.io.OutTTY, f.io.Width = true, 60
	f.run("list")
	all.WriteString("== list, 60 columns\n" + f.out.String())
	f.io.OutTTY, f.io.Width = false, 80
	if f.run("list", "--json"); len(f.result()["projects"].([]any)) != 2 {
		t.Errorf("two projects: %s", f.out.String())
	}

	v := engine.View{Project: ball, State: asking().State, Waiting: engine.WaitingAnswer}
	f.engine.view = v
	f.run("show", "ball")
	all.WriteString("== show, question\n" + f.out.String())

	f.engine.view = everything()
	f.run("show", "ball")
	all.WriteString("== show, complete\n" + f.out.String())
	f.run("show", "ball", "--json")
	r := f.result()
	if r["state"].(map[string]any)["phase"] != "complete" || len(r["versions"].([]any)) != 1 || len(r["renders"].([]any)) != 1 {
		t.Errorf("show: %v", r)
	}

	out := failed(koda.Failure{Message: "the page threw: boom", Code: koda.CodePageFailed, Hint: "see main.tsx"})
	f.engine.view = engine.View{Project: out.Project, State: out.State, Waiting: out.Waiting}
	f.run("show", "ball")
	all.WriteString("== show, failed\n" + f.out.String())
	golden(t, "show.golden", all.String())
}

func everything() engine.View {
	out := complete()
	out.State.Question = &koda.Asked{Question: question, SelectedID: "playful"}
	out.State.Execution = &koda.Execution{Todos: []koda.Todo{
		{ID: "1", Label: "Set up the project", Status: koda.TodoDone}, {ID: "2", Label: "Render preview", Status: koda.TodoDone},
	}}
	spec := koda.RenderSpec{Kind: koda.RenderFinal, Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}, Output: output.VideoURL}
	return engine.View{
		Project: out.Project, State: out.State,
		Renders:  []koda.RenderRecord{{ID: "r1", Version: 1, Kind: koda.RenderFinal, Status: "done", Spec: spec}},
		Versions: []koda.Version{{Number: 1, Prompt: "bouncing ball", Files: map[string]string{"koda.json": "0", "index.html": "1"}}},
	}
}

// An empty word, as from an unset variable in a script, deletes nothing: neither
// the project of a render nor the project of the working directory.
func TestDelete_Nothing(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"ball", "--render", ""}, {""}} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		if got := f.run(append([]string{"delete", "--yes"}, args...)...); got != 2 || len(f.engine.calls) > 0 || !strings.Contains(f.err.String(), "is empty\n  hint: ") {
			t.Errorf("delete %q: status %d, calls %v: %s", args, got, f.engine.calls, f.err.String())
		}
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.left = []string{"notes.txt"}
	if got := f.run("delete", "ball"); got != 3 || f.err.String() != "koda: nobody is here to confirm it\n  hint: to do it without being asked: koda delete ball --yes\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	f.types("n")
	if got := f.run("delete", "ball"); got != 3 || !strings.Contains(f.err.String(), "Delete ball in /animations/ball?\n[y/N] ") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if len(f.engine.calls) > 0 {
		t.Fatalf("something was deleted: %v", f.engine.calls)
	}
	f = newFace(t)
	f.engine.projects, f.engine.left = []koda.Project{ball}, []string{"notes.txt"}
	f.types("yes")
	if got := f.run("delete", "ball"); got != 0 || !strings.HasSuffix(f.err.String(), "deleted ball\nleft in /animations/ball, as koda did not make it:\n  notes.txt\n") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	f.engine.deleted = engine.DeletedRender{
		Render: koda.RenderRecord{ID: ball.ID + "-r9", ProjectID: ball.ID}, Removed: []string{"/animations/ball/renders/ball.mp4"}, Left: []string{"/x.jpg"},
	}
	if got := f.run("delete", "ball", "--render", "r9", "--yes"); got != 0 || f.err.String() != "deleted render r9 of ball\n  /animations/ball/renders/ball.mp4\n"+
		"left, as it was changed or is another render's too:\n  /x.jpg\n" {
		t.Errorf("delete --render: %d, %q", got, f.err.String())
	}
	if f.run("delete", "ball", "--render", "r9", "--yes", "--json"); f.result()["render"].(map[string]any)["id"] != ball.ID+"-r9" {
		t.Errorf("delete --render --json: %v", f.result())
	}
	f.engine.view.Renders = []koda.RenderRecord{{ID: ball.ID + "-r9", ProjectID: ball.ID, Version: 2, Kind: koda.RenderFinal, Spec: koda.RenderSpec{Output: "/o/a.mp4"}}}
	if f.run("__complete", "delete", "ball", "--render", ""); !strings.HasPrefix(f.out.String(), "r9\tv2 final, a.mp4\n") {
		t.Errorf("completion: %q", f.out.String())
	}
	f.engine.calls = f.engine.calls[:1]
	if got := f.run("delete", "ball", "--yes", "--json"); got != 0 || f.result()["left"].([]any)[0] != "notes.txt" {
		t.Errorf("status %d: %s", got, f.out.String())
	}
	if diff := cmp.Diff([]string{"delete " + ball.ID, "delete " + ball.ID}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

func TestDoctor_Project(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{{ID: "abc123", Name: "ball"}}
	f.engine.findings = []engine.Finding{{Name: "journal", Detail: "12 steps lead to the state it is in"}}
	if got := f.run("doctor", "ball"); got != 0 || !strings.Contains(f.out.String(), "12 steps") {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	f.engine.findings = append(f.engine.findings, engine.Finding{Name: "versions", Bad: true, Detail: "version 2: src/App.tsx is damaged", Fix: "restore it"})
	if got := f.run("doctor", "ball"); got != 1 || !strings.Contains(f.out.String(), "restore it") || !strings.Contains(f.err.String(), "not as it should be: versions") {
		t.Errorf("status %d: %s%s", got, f.out.String(), f.err.String())
	}
	f.run("doctor", "ball", "--json")
	if checks := f.result()["checks"].([]any); len(checks) != 2 || checks[1].(map[string]any)["status"] != "warn" {
		t.Errorf("checks %v", checks)
	}
	if got := f.run("doctor", "nobody"); got != 10 {
		t.Errorf("no project: status %d", got)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	checks := []cli.Check{
		{Name: "browser", Status: cli.CheckOK, Detail: "Chromium 156, beginFrame", Required: true, Fix: "never shown"},
		{Name: "docker", Status: cli.CheckMissing, Detail: "no engine answers; only code of models needs one", Fix: "sudo systemctl start docker"},
		{Name: "disk", Status: cli.CheckWarn, Detail: "900 MB free", Fix: "make room"},
	}
	f.deps.Checks = func(context.Context) []cli.Check { return checks }
	if got := f.run("doctor"); got != 0 {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	text := "== able\n" + f.out.String()
	checks = append(checks, cli.Check{Name: "ffmpeg", Status: cli.CheckMissing, Detail: "not found", Fix: "sudo apt-get install ffmpeg", Required: true})
	if got := f.run("doctor"); got != 1 || f.err.String() != "koda: no video can be made here: ffmpeg missing\n  hint: do what stands beside it above, then run `koda doctor` again\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	golden(t, "doctor.golden", text+"== unable\n"+f.out.String())
	if got := f.run("doctor", "--json"); got != 1 {
		t.Errorf("--json: status %d", got)
	}
	r := f.result()
	if r["ok"] != false || len(r["checks"].([]any)) != 4 || r["error"].(map[string]any)["code"] != "MISSING_TOOL" {
		t.Errorf("result %v", r)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	if got := f.run("config", "set", "sandbox-image", "my/image"); got != 0 || !strings.Contains(f.err.String(), "/koda/config.json") {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	if f.run("config", "get", "sandbox-image"); f.out.String() != "my/image\n" {
		t.Errorf("get: %q", f.out.String())
	}
	f.io.In = strings.NewReader("sk-ant-hush\n")
	if got := f.run("config", "set", "anthropic-api-key", "-"); got != 0 {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	for _, args := range [][]string{{"config", "show"}, {"config", "show", "--json"}, {"config", "get", "anthropic-api-key"}} {
		f.run(args...)
		if text := f.out.String() + f.err.String(); strings.Contains(text, "hush") || !strings.Contains(text, "set") {
			t.Errorf("%v: %s", args, text)
		}
	}
	f.deps.Missing = func(context.Context) []cli.Check {
		return []cli.Check{{Name: "ffmpeg", Detail: "ffmpeg is not installed"}, {Name: "browser", Detail: "/no/such cannot be run"}}
	}
	for args, want := range map[string]string{"set chrome /no/such": "warning: /no/such cannot be run\n", "set recipe-path /no/such": "warning: /no/such is no directory\n", "set theme dark": "", "unset chrome": ""} {
		if got := f.run(append([]string{"config"}, strings.Fields(args)...)...); got != 0 || !strings.HasSuffix(f.err.String(), "config.json\n"+want) {
			t.Errorf("%s: status %d: %s", args, got, &f.err)
		}
	}
	if f.run("config", "set", "chrome", "/no/such", "--json"); !strings.Contains(f.out.String(), `"warnings":["/no/such cannot be run"]`) {
		t.Error(&f.out)
	}
	if got := f.run("config", "set", "author", "robot"); got != 2 || !strings.Contains(f.err.String(), `cannot be "robot"`) {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if got := f.run("config", "unset", "sandbox-image", "--json"); got != 0 {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	setting := f.result()["settings"].([]any)[0].(map[string]any)
	if setting["value"] != "koda/animation-sandbox" || setting["origin"] != "default" {
		t.Errorf("unset: %v", setting)
	}
}

// script returns the events of a project's work.
func script() []koda.Event {
	todos := []koda.Todo{{ID: "1", Label: "Set up the project", Status: koda.TodoPending}, {ID: "2", Label: "Scene 1: Drop", Status: koda.TodoPending}}
	state := planned().State
	state.Phase, state.Execution = koda.PhaseExecuting, &koda.Execution{Todos: todos}
	update := func(id string, s koda.TodoStatus) koda.Event {
		return koda.Event{Seq: 3, Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: id, Status: s}}
	}
	events := []koda.Event{
		{Seq: 2, Type: koda.EventStateChange, Payload: koda.StateChange{Phase: koda.PhaseExecuting, State: state}},
		update("1", koda.TodoActive),
		{Type: koda.EventThinking, Payload: koda.Thinking{Message: "Reading\x1b[2J the prompt"}},
		{Seq: 4, Type: koda.EventFileWritten, Payload: koda.FileWritten{Path: "src/Ball.tsx", Size: 12}},
		update("1", koda.TodoDone), update("1", koda.TodoDone),
		update("2", koda.TodoActive),
		{Seq: 5, Type: koda.EventMessage, Payload: koda.MessageAdded{Role: "user", Content: "bouncing ball"}},
		{Seq: 5, Type: koda.EventMessage, Payload: koda.MessageAdded{Role: "assistant", Content: "The ball is red."}},
		update("2", koda.TodoDone),
	}
	for _, n := range []int{0, 100, 200, 300, 300} {
		events = append(events, koda.Event{Type: koda.EventRenderProgress, Payload: koda.Progress{
			Kind: koda.RenderFinal, Stage: koda.StageCapturing, Frame: n, Frames: 300, Percent: float64(n) / 3, Rate: 30, Remaining: time.Duration(300-n) * time.Second / 30,
		}})
	}
	return append(events, koda.Event{Seq: 9, Type: koda.EventError, Payload: koda.ErrorRaised{Message: "told at the end"}})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	clock := now
	f.deps.Now = func() time.Time { clock = clock.Add(3 * time.Second); return clock }
	work := func(args ...string) string {
		f.engine.replies = []reply{{events: script(), out: complete()}}
		f.engine.subs = nil
		if got := f.run(append([]string{"resume", "ball"}, args...)...); got != 0 {
			t.Fatalf("status %d: %s", got, f.err.String())
		}
		return f.err.String()
	}
	text := "== no terminal\n" + work()
	f.types()
	text += "== a terminal\n" + strings.NewReplacer("\r", "\\r", "\x1b", "\\e").Replace(work())
	golden(t, "progress.golden", text)

	env := f.io.Env
	f.io.Env = func(name string) (string, bool) {
		if name == "TERM" {
			return "dumb", true
		}
		return env(name)
	}
	if got := work(); strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("escape sequences for a dumb terminal: %q", got)
	}
	f.io.Env = env
	sources, err := f.deps.Settings()
	if err != nil {
		t.Fatal(err)
	}
	sources.Env = func(name string) (string, bool) {
		if name == "NO_COLOR" {
			return "1", true
		}
		return env(name)
	}
	f.deps.Settings = settings(sources)
	if got := work(); strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("escape sequences with NO_COLOR: %q", got)
	}

	work("--json")
	var types []string
	for _, e := range f.envelopes() {
		types = append(types, e.Type)
	}
	if len(types) != len(script())+1 || types[0] != "STATE_CHANGE" {
		t.Errorf("envelopes %v", types)
	}
	if bytes.ContainsRune(f.out.Bytes(), '\x1b') {
		t.Error("a raw escape sequence in JSON")
	}
}

// While a process works on a project there is nothing to resume.
func TestShow_Busy(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.view = engine.View{Project: ball, State: asking().State, Waiting: engine.WaitingRetry, Busy: true}
	f.run("show", "ball")
	if got := f.out.String(); !strings.Contains(got, "go on with:\n  koda follow ball\n  koda cancel ball\n") {
		t.Errorf("show:\n%s", got)
	}
}

// A removed video is called removed.
func TestShow_Removed(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	dir := t.TempDir()
	out := complete()
	out.Project.Dir = dir
	preview, video := *out.State.Preview, *out.State.Output
	preview.VideoURL, video.VideoURL = filepath.Join(dir, "previews", "v1.mp4"), filepath.Join(dir, "renders", "v1.mp4")
	out.State.Preview, out.State.Output = &preview, &video
	if err := errors.Join(os.Mkdir(filepath.Dir(video.VideoURL), 0o755), os.WriteFile(video.VideoURL, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	f.io.Width = 400
	f.engine.projects = []koda.Project{out.Project}
	f.engine.view = engine.View{Project: out.Project, State: out.State}
	f.run("show", "ball")
	for _, want := range []string{preview.VideoURL + " (removed; `koda render` makes it again)\n", video.VideoURL + "\n"} {
		if !strings.Contains(f.out.String(), want) {
			t.Errorf("show lacks %q:\n%s", want, f.out.String())
		}
	}
}

// TestNoStudio: without a terminal koda prints its help, byte for byte, and says beside it why no
// studio opened, unless it was told to talk in lines.
func TestNoStudio(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.run("help")
	help := f.out.String()
	for _, tt := range []struct {
		tty  [3]bool // standard input, output, error
		term string
		args []string
		want string
	}{
		{[3]bool{}, "xterm", nil, "the studio needs a terminal: standard input is none\n"},
		{[3]bool{true, false, true}, "xterm", nil, "the studio needs a terminal: standard output is none\n"},
		{[3]bool{true, true, false}, "xterm", nil, "the studio needs a terminal: standard error is none\n"},
		{[3]bool{true, true, true}, "dumb", nil, "the studio needs a terminal: TERM=dumb is one that cannot be painted\n"},
		{[3]bool{true, true, true}, "", nil, "the studio needs a terminal: TERM is not set\n"},
		{[3]bool{}, "xterm", []string{"--plain"}, ""},
		{[3]bool{}, "xterm", []string{"--quiet"}, ""},
		{[3]bool{}, "xterm", []string{"--json"}, ""},
	} {
		f.io.InTTY, f.io.OutTTY, f.io.ErrTTY = tt.tty[0], tt.tty[1], tt.tty[2]
		f.io.Screen = func() (in, out *os.File) { return os.Stdin, os.Stdout }
		f.env["TERM"] = tt.term
		if got := f.run(tt.args...); got != 0 || f.err.String() != tt.want || !tt.tty[1] && f.out.String() != help {
			t.Errorf("%+v: status %d, %q\n%s", tt, got, &f.err, &f.out)
		}
	}
}
