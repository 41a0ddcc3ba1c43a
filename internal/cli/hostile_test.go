package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// evil is a text such as a cloned project, a page or a model may give koda to print.
const evil = "\x1b[35;7mevil\x1b]0;owned\x07\x1b[2J\x1b]8;;http://x\x1b\\\u009b31m\x9d\u202e\x7f\r"

// poisoned is a copy of v with evil behind every text in it. Names of states stay
// as they are.
func poisoned[T any](v T) T {
	return poison(reflect.ValueOf(&v).Elem()).Interface().(T)
}

func poison(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			out.SetString(v.String() + evil)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; out.Field(i).CanSet() && name != "Role" && name != "Status" {
				out.Field(i).Set(poison(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				out.Index(i).Set(poison(v.Index(i)))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out = reflect.New(v.Type().Elem())
			out.Elem().Set(poison(v.Elem()))
		}
	}
	return out
}

// own are the control sequences that koda composes.
var own = regexp.MustCompile(`\x1b\[(0|1|38;5;[0-9]+)m|\r\x1b\[2K`)

// actsOnTerminal finds the characters of a text that would act on a terminal.
func actsOnTerminal(text string) string {
	for _, r := range own.ReplaceAllString(text, "") {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

// TestHostileTexts: no foreign text that a command prints acts on a terminal,
// neither plain nor in JSON.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	failure := poisoned(koda.Failure{Code: koda.CodePageFailed, Message: "the page threw", Hint: "mend it", Details: "main.tsx:3\nboom"})
	thrown := func() error {
		return &koda.Error{Code: failure.Code, Op: failure.Message, Err: fmt.Errorf("ffmpeg: %s", evil), Hint: failure.Hint, Details: failure.Details}
	}
	events := []koda.Event{
		{Type: koda.EventStateChange, Payload: koda.StateChange{State: poisoned(planned().State)}},
		{Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: "1", Label: "Scene" + evil, Status: koda.TodoActive}},
		{Type: koda.EventThinking, Payload: koda.Thinking{Message: "Reading" + evil}},
		{Type: koda.EventFileWritten, Payload: koda.FileWritten{Path: "src/a.ts" + evil}},
		{Type: koda.EventMessage, Payload: koda.MessageAdded{Role: koda.RoleAssistant, Content: "It is red." + evil}},
		{Type: koda.EventWarning, Payload: koda.Warned{Message: "console: " + evil}},
		{Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: "1", Label: "Scene" + evil, Status: koda.TodoDone}},
	}
	works := func(outs ...engine.Outcome) func(f *face, json bool) {
		return func(f *face, json bool) {
			for i, out := range outs {
				if json && i > 0 {
					break // nobody is asked, so the first stop is the end
				}
				f.engine.replies = append(f.engine.replies, reply{events: events, out: poisoned(out)})
			}
		}
	}
	moves := func(f *face, json bool) {
		f.engine.moved = poisoned(engine.Moved{From: 2, To: 1, Kept: 3, KeptAs: "edited by hand", GaveUp: "make it blue"})
		works(complete())(f, json)
	}
	fails := func(f *face, _ bool) {
		f.engine.replies = []reply{{events: events, out: poisoned(failed(failure)), err: thrown()}}
	}
	several := func(f *face, json bool) {
		f.engine.projects = poisoned([]koda.Project{ball, ball})
		if json { // nobody can choose
			works(planned())(f, json)
		}
	}
	tests := []struct {
		args  []string
		set   func(f *face, json bool)
		types []string
	}{
		{[]string{"new", "ball"}, works(asking()), nil},
		{[]string{"new", "ball"}, works(asking(), planned(), smaller(), complete()), []string{"1", "accept", "accept"}},
		{[]string{"new", "ball"}, fails, nil},
		{[]string{"accept"}, works(smaller()), nil},
		{[]string{"answer", "", "1"}, works(planned()), nil},
		{[]string{"resume"}, works(complete()), nil},
		{[]string{"resume"}, fails, nil},
		{[]string{"resume"}, several, []string{"q"}},
		{[]string{"list"}, nil, nil},
		{[]string{"show"}, nil, nil},
		{[]string{"history"}, nil, nil},
		{[]string{"messages"}, nil, nil},
		{[]string{"messages", "--told"}, nil, nil},
		{[]string{"diff"}, nil, nil},
		{[]string{"diff", "--video", "side"}, nil, nil},
		{[]string{"undo"}, moves, nil},
		{[]string{"checkout", "", "1"}, moves, nil},
		{[]string{"fork", ball.Name + evil, "v1", "copy"}, works(complete()), nil},
		{[]string{"render"}, nil, nil},
		{[]string{"render", "PAGE"}, nil, nil},
		{[]string{"render", "PAGE", "--preset", "reels" + evil}, nil, nil},
		{[]string{"render", "PAGE", "--output", "/nowhere" + evil + "/a.mp4"}, nil, nil},
		{[]string{"still", "PAGE", "--output", "PAGE/.."}, nil, nil},
		{[]string{"sheet", "PAGE", "--output", "PAGE/.."}, nil, nil},
		{[]string{"delete", ball.Name + evil}, nil, []string{"y"}},
		{[]string{"delete", ball.Name + evil, "--render", "r1" + evil, "--yes"}, nil, nil},
		{[]string{"gc"}, nil, nil},
		{[]string{"doctor"}, nil, nil},
		{[]string{"doctor", ball.Name + evil}, nil, nil},
		{[]string{"config", "show"}, nil, nil},
		{[]string{"config", "get", "storage-path"}, nil, nil},
		{[]string{"config", "get", evil}, nil, nil},
		{[]string{"version"}, nil, nil},
		{[]string{evil}, nil, nil},
		{[]string{"help", evil}, nil, nil},
		{[]string{"list", "--" + evil}, nil, nil},
		{[]string{"list", evil}, nil, nil},
		{[]string{"render", "--fps", evil}, nil, nil},
		{[]string{"show", evil}, nil, nil},
	}
	for _, tt := range tests {
		for _, kind := range []string{"pipe", "terminal", "json"} {
			t.Run(fmt.Sprintf("%q %s", strings.Join(tt.args, " "), kind), func(t *testing.T) {
				t.Parallel()
				f := newFace(t)
				page := hostileWorld(t, f, failure)
				if tt.set != nil {
					tt.set(f, kind == "json")
				}
				args := append([]string{}, tt.args...)
				for i, arg := range args {
					args[i] = strings.ReplaceAll(arg, "PAGE", page)
				}
				switch {
				case kind == "json":
					args = append([]string{"--json"}, args...)
				case kind == "terminal" || tt.types != nil:
					f.types(tt.types...)
				case args[0] == "diff": // bytes for a program, as git diff gives them
					return
				}
				f.run(args...)
				for _, text := range []string{f.out.String(), f.err.String()} {
					if found := actsOnTerminal(text); found != "" {
						t.Errorf("%s reaches the terminal: %q", found, text)
					}
				}
				if !strings.Contains(f.out.String()+f.err.String(), "evil") {
					t.Errorf("it was not printed at all:\n%s%s", f.out.String(), f.err.String())
				}
				if kind == "json" {
					f.result()
				}
			})
		}
	}
}

// hostileWorld puts evil wherever a command finds a text, and returns a directory
// with a page.
func hostileWorld(t *testing.T, f *face, failure koda.Failure) string {
	state := complete().State
	state.Error = &failure
	state.Execution = &koda.Execution{Todos: []koda.Todo{{ID: "1", Label: "Scene", Status: koda.TodoActive}}, Thinking: "thinking"}
	version := koda.Version{Number: 1, Prompt: "bouncing ball", Author: "recipe", CreatedAt: now}
	render := koda.RenderRecord{ID: ball.ID + "-r1", ProjectID: ball.ID, Version: 1, Kind: koda.RenderFinal, Status: "done", Spec: koda.RenderSpec{Output: "/animations/ball.mp4"}}
	check := koda.Message{Role: koda.RoleUser, Content: "hello\nyou", Timestamp: now}

	e := f.engine
	e.projects = poisoned([]koda.Project{ball})
	e.view = poisoned(engine.View{
		Project: ball, State: state, Version: 1, Waiting: engine.WaitingAnswer, Versions: []koda.Version{version}, Renders: []koda.RenderRecord{render},
	})
	e.view.State.Question = &koda.Asked{Question: poisoned(question)}
	e.said = poisoned(engine.Conversation{Messages: []koda.Message{check, {Role: "other" + evil, Content: "x"}}, Told: []koda.Message{check}, Warning: "some of it is lost"})
	e.findings = poisoned([]engine.Finding{{Name: "journal", Bad: true, Detail: "broken", Fix: "mend"}})
	e.past = poisoned(engine.History{Project: ball, Current: 1, Versions: []engine.Past{{Version: version, Thumbnail: "renders/a.jpg"}}})
	e.differs = poisoned(engine.Comparison{Project: ball, From: 1, To: 2, Files: []engine.FileDiff{
		{Path: "src/a.ts", Status: "changed", Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y"}, {Path: "logo.png", Status: "added"},
	}})
	e.left = []string{"notes" + evil}
	e.deleted = poisoned(engine.DeletedRender{Render: render, Removed: []string{"a.mp4"}, Left: []string{"b.mp4"}})
	result := poisoned(koda.RenderResult{
		Video: "/a.mp4", Note: "smaller", Warnings: []string{"console"}, Sound: &koda.Sound{Path: "a.wav"}, Ranges: []koda.Range{{Why: "same"}},
	})
	e.render = func(koda.RenderSpec) (koda.RenderResult, error) { return result, nil }
	f.render.warnings = []string{"console" + evil}
	f.deps.Notices = func() []string { return []string{"mended" + evil} }
	f.deps.Checks = func(context.Context) []cli.Check {
		return poisoned([]cli.Check{{Name: "browser", Status: cli.CheckOK, Detail: "chromium", Fix: "install"}})
	}
	f.deps.Collect = func(context.Context, bool) (cli.Collected, error) {
		return poisoned(cli.Collected{Cache: "/cache", Leftovers: []string{"/cache/tmp/a"}, Temps: []string{"b"}}), nil
	}
	f.deps.Build = poisoned(f.deps.Build)
	f.env["STORAGE_PATH"] = "/videos" + evil

	page := filepath.Join(t.TempDir(), "page"+strings.ReplaceAll(evil, "/", ""))
	if err := os.Mkdir(page, 0o755); err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(koda.Manifest{Schema: 1, Name: "page", Width: 320, Height: 180, FPS: koda.FPS{Num: 30, Den: 1}, Duration: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"koda.json": manifest, "index.html": []byte("<html>")} {
		if err := os.WriteFile(filepath.Join(page, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return page
}
