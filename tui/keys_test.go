package tui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// places are all screens, each so that every key of it has something to do.
func places() map[string]func(*testing.T) *desk {
	var looks theme.Options
	at := func(next tui.Standing, cfg tui.Config, keys ...string) func(*testing.T) *desk {
		looks := looks
		next.Redo = true
		return func(t *testing.T) *desk {
			all := []koda.Project{project, {ID: "p2", Name: "two", Prompt: "ball"}, {ID: "p3", Name: "three", Prompt: "ball"}}
			s := &script{all: all, next: next, clip: &clip{}, typed: []string{"first", "before", "last"}, own: errors.New("no editor is set"), past: past, differs: differs, fields: form().fields, files: form().files}
			for range 3 {
				s.differs.Files = append(s.differs.Files, differs.Files...)
			}
			d := newDesk(t, s, looks, cfg)
			d.size(40, 16)
			d.sees()
			d.keys(keys...)
			s.calls = nil
			return d
		}
	}
	busy := planned()
	busy.Busy, busy.State.Execution = true, &koda.Execution{Todos: todos}
	long := failed()
	long.State.Error.Details = strings.Repeat("at a place\n", 50)
	p1 := tui.Config{Project: "p1"}
	looks = theme.Options{UTF8: true, Colors: theme.TrueColor}
	compare := at(fourth(), p1, "alt+v", "down", "p", "right", "right", "right", "shift+right")
	looks = theme.Options{UTF8: true}
	return map[string]func(*testing.T) *desk{
		"compare":   compare,
		"projects":  at(tui.Standing{}, tui.Config{}, "down"),
		"filter":    at(tui.Standing{}, tui.Config{}, "b", "down"),
		"brief":     at(tui.Standing{}, tui.Config{Begin: true}, "a", "ctrl+j", "b", "up", "up", "up"),
		"form":      at(tui.Standing{}, tui.Config{Begin: true}, "a", "tab", "tab", "right"),
		"file":      at(tui.Standing{}, tui.Config{Begin: true}, "a", "shift+tab", "shift+tab", "sales", "enter"),
		"button":    at(tui.Standing{}, tui.Config{Begin: true}, "a", "shift+tab"),
		"list":      at(tui.Standing{}, tui.Config{Begin: true}, "a", "tab", "tab", "enter", "down"),
		"long plan": at(longPlan(), p1, "down", "down"),
		"question":  at(asking(), p1),
		"own words": at(asking(), p1, "w", "up", "up"),
		"plan":      at(planned(), p1, "down"),
		"change":    at(planned(), p1, "w", "up", "up"),
		"preview":   at(previewed(), p1, "right", "right", "right", "shift+right"),
		"remark":    at(previewed(), p1, "up", "up"),
		"work":      at(busy, p1),
		"say":       at(busy, p1, "w", "up", "up"),
		"complete":  at(complete(), p1),
		"error":     at(failed(), p1),
		"presets":   at(complete(), p1, "alt+p", "down"),
		"details":   at(long, p1, "alt+d", "down"),
		"told": func(t *testing.T) *desk {
			d := at(busy, p1)(t)
			d.tell(told...)
			d.tell(koda.Progress{Kind: koda.RenderPreview, Frame: 1, Frames: 2})
			d.size(80, 40)
			d.keys("up", "up", "up", "up", "up", "up", "up", "up")
			return d
		},
		"one project": func(t *testing.T) *desk {
			d := at(tui.Standing{}, tui.Config{})(t)
			d.keys("thr")
			return d
		},
		"no project":   at(tui.Standing{}, tui.Config{}, "zzz"),
		"nothing":      at(previewed(), p1, "ctrl+p", "zzz"),
		"no option":    at(tui.Standing{}, tui.Config{Begin: true}, "tab", "tab", "zzz"),
		"one option":   at(tui.Standing{}, tui.Config{Begin: true}, "tab", "tab", "story"),
		"author":       at(tui.Standing{}, tui.Config{Begin: true}, "a", "tab"),
		"no file":      at(tui.Standing{}, tui.Config{Begin: true}, "a", "shift+tab", "shift+tab"),
		"short error":  at(failed(), p1, "alt+d"),
		"wide keys":    large(at(previewed(), p1, "?")),
		"wide project": large(at(previewed(), p1, "ctrl+p", "about", "enter")),
		"bare work": func(t *testing.T) *desk {
			d := at(busy, p1)(t)
			d.tell(koda.MessageAdded{Role: koda.RoleUser, Content: "make it blue"}, koda.MessageAdded{Role: koda.RoleUser, Content: "and red"})
			d.keys("up", "up")
			d.sees()
			d.keys("down")
			return d
		},
		"versions": at(fourth(), p1, "alt+v", "down"),
		"fork":     at(fourth(), p1, "alt+v", "f", "w", "up", "up"),
		"diff":     at(fourth(), p1, "alt+v", "down", "d", "]", "]", "right"),
		"delete":   at(tui.Standing{}, tui.Config{}, "ctrl+d"),
		"name":     at(tui.Standing{}, tui.Config{}, "ctrl+f", "w", "up", "up"),
		"keys":     at(previewed(), p1, "?", "down"),
		"palette":  at(previewed(), p1, "ctrl+p", "down"),
		"project":  at(previewed(), p1, "ctrl+p", "about", "enter"),
	}
}

// large is a place in a window that has room for all of it.
func large(at func(*testing.T) *desk) func(*testing.T) *desk {
	return func(t *testing.T) *desk {
		d := at(t)
		d.size(160, 60)
		d.sees()
		return d
	}
}

// TestKeys: each key that a screen explains does something there.
func TestKeys(t *testing.T) {
	t.Parallel()
	for name, at := range places() {
		for _, key := range at(t).m.Hinted() {
			// A key that only moves the cursor shows where the next letter goes.
			d, other := at(t), at(t)
			d.keys(key)
			same := d.m.View() == other.m.View()
			d.keys("x")
			other.keys("x")
			if same && d.m.View() == other.m.View() && len(d.s.calls) == 0 && !d.quit {
				t.Errorf("%s: %s does nothing", name, key)
			}
		}
	}
}

// TestKeys_Overlay: F1 shows all keys of the screen everywhere, ? where no text is typed,
// and both are closed by esc; what lies under them stays as it was.
func TestKeys_Overlay(t *testing.T) {
	t.Parallel()
	for name, at := range places() {
		d := at(t)
		if slices.Contains([]string{"keys", "palette", "project", "nothing", "wide keys", "wide project"}, name) {
			continue
		}
		before, asks := d.m.View(), strings.Contains(ansi.Strip(d.m.View()), "? keys")
		d.keys("f1")
		d.sees("── Keys", "On this screen")
		d.keys("esc")
		if d.m.View() != before {
			t.Errorf("%s: the screen changed under the keys", name)
		}
		d.keys("?")
		if got := strings.Contains(d.m.View(), "── Keys"); got != asks {
			t.Errorf("%s: ? shows the keys: %v; the foot says %v", name, got, asks)
		}
	}
}

// TestPalette: what the palette finds, it does.
func TestPalette(t *testing.T) {
	t.Parallel()
	tests := []struct {
		at, find string
		calls    []string
		sees     string
	}{
		{"plan", "accept", []string{"accept p1"}, ""},
		{"plan", "undo", []string{"undo p1"}, ""},
		{"plan", "redo", []string{"redo p1"}, ""},
		{"plan", "projects", nil, "Projects (3)"},
		{"plan", "new video", nil, "A new video"},
		{"plan", "reject", nil, "why? koda thinks up another plan"},
		{"preview", "copy", nil, "Copied"},
		{"preview", "scene after", nil, "0:02"},
		{"complete", "copath", nil, "Copied"},
		{"complete", "about", nil, "/home/ada/bouncing-ball"},
		{"error", "try again", []string{"resume p1"}, ""},
		{"say", "todos", nil, "Another koda"},
		{"brief", "make it", []string{`new before author=["recipe"]`}, ""},
		{"brief", "all keys", nil, "On this screen"},
		{"question", "take it", []string{"answer p1 playful"}, ""},
		{"question", "undo", []string{"undo p1"}, ""},
		{"question", "redo", []string{"redo p1"}, ""},
		{"projects", "open", []string{"stand p2"}, ""},
		{"projects", "dele", nil, "Delete two?"},
		{"versions", "check", []string{"checkout p1 v3"}, ""},
		{"versions", "fork", nil, "a name for the new project"},
		{"compare", "edge to the left", nil, ""},
	}
	for _, tt := range tests {
		d := places()[tt.at](t)
		d.keys("ctrl+p", tt.find, "enter")
		if diff := cmp.Diff(tt.calls, d.s.calls); diff != "" {
			t.Errorf("%s, %q (-want +got):\n%s", tt.at, tt.find, diff)
		}
		d.sees(tt.sees)
	}
	d := places()["preview"](t)
	if d.keys("ctrl+p", "quit", "enter"); !d.quit {
		t.Error("quit does not leave")
	}
}

// TestMatch: the better a text fits, the smaller its rank.
func TestMatch(t *testing.T) {
	t.Parallel()
	ranks := []string{"un", "it", "do", "uit", "plan"}
	last := -1
	for _, typed := range ranks {
		got := tui.Match("undo it all", "go back to the plan (before)", typed)
		if got <= last {
			t.Errorf("%q has rank %d, after %d", typed, got, last)
		}
		last = got
	}
	for typed, want := range map[string]int{"": 0, "UNDO ": 0, "x": -1, "odnu!": -1, "円": -1, "gb": -1, "lan": -1} {
		if got := tui.Match("undo it", "go back to the plan", typed); got != want {
			t.Errorf("%q has rank %d, not %d", typed, got, want)
		}
	}
}

// TestFilm: a text that asks for a kind of video file alone is no change of the video.
func TestFilm(t *testing.T) {
	t.Parallel()
	asked := func(text string) tui.Asked {
		return map[string]tui.Asked{
			"render it as gif": {Presets: []string{"gif"}, Now: true}, "gif please": {Presets: []string{"gif"}}, "gif and reels": {Presets: []string{"reels", "gif"}},
			"export avi": {Unknown: "avi", Now: true},
		}[text]
	}
	for _, tt := range []struct {
		at    tui.Standing
		text  string
		calls []string
		sees  []string
	}{
		{complete(), "render it as gif", []string{"render p1 gif"}, nil},
		{complete(), "gif and reels", nil, []string{"Which video next?", "→ reels", "One video at a time"}},
		{complete(), "export avi", nil, []string{"Which video next?", "→ final", `There is no preset "avi"`}},
		{complete(), `"gif please"`, []string{"edit p1 gif please"}, nil},
		{previewed(), "render it as gif", []string{"accept p1 gif"}, nil},
		{previewed(), "gif and reels", []string{"accept p1 reels gif"}, nil},
		{previewed(), "export avi", nil, []string{`There is no preset "avi"`}},
		{planned(), "render it as gif", []string{"accept p1 gif"}, nil},
		{planned(), "gif please", nil, []string{`"render as gif" accepts the plan and makes that file`}},
		{planned(), "a gif of it", []string{"edit p1 a gif of it"}, nil},
	} {
		d := newDesk(t, &script{next: tt.at, clip: &clip{}}, theme.Options{UTF8: true}, tui.Config{Project: "p1", Asked: asked})
		d.s.calls = nil
		d.keys(tt.text, "enter")
		if diff := cmp.Diff(tt.calls, d.s.calls); diff != "" {
			t.Errorf("%s, %q (-want +got):\n%s", tt.at.Waiting, tt.text, diff)
		}
		d.sees(tt.sees...)
	}
	d := newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1", Asked: asked})
	d.s.calls = nil
	d.keys("alt+r", "render it as gif", "enter")
	d.called("reject p1 render it as gif")
}

// TestWords: koda's words are obeyed where a text for the author is typed, and nowhere else.
func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		at, text string
		calls    []string
		sees     string
	}{
		{"plan", "undo", []string{"undo p1"}, ""},
		{"plan", "Redo.", []string{"redo p1"}, ""},
		{"plan", "ok", []string{"accept p1"}, ""},
		{"plan", "change", nil, "Type what should be different"},
		{"plan", "show", nil, "/home/ada/bouncing-ball"},
		{"plan", "projects", nil, "Projects (3)"},
		{"plan", `"undo"`, []string{"edit p1 undo"}, ""},
		{"plan", "undo the shadow", []string{"edit p1 undo the shadow"}, ""},
		{"complete", "versions", nil, "Versions (4)"},
		{"plan", "versions", nil, "Not possible here: versions"},
		{"work", "show", nil, "/home/ada/bouncing-ball"},
		{"work", "no shadow", []string{"say p1 no shadow"}, ""},
		{"question", "undo", []string{"undo p1"}, ""},
		{"question", "sure", []string{"answer p1 sure"}, ""},
		{"plan", "Yes, looks good!", []string{"accept p1"}, ""},
		{"plan", "cancel", nil, "Nothing is at work. In quotes"},
		{"plan", "play", []string{"edit p1 play"}, ""},
		{"complete", "ok", nil, "The video is made already"},
		{"complete", "render", nil, "Which video next?"},
		{"complete", "open it", nil, "The folder is /home/ada/bouncing-ball"},
		{"plan", "open folder", nil, "The folder is /home/ada/bouncing-ball"},
		{"complete", "go back", []string{"undo p1"}, ""},
		{"work", "stop", nil, "Another koda is at work"},
	}
	for _, tt := range tests {
		d := places()[tt.at](t)
		d.keys(tt.text, "enter")
		if diff := cmp.Diff(tt.calls, d.s.calls); diff != "" {
			t.Errorf("%s, %q (-want +got):\n%s", tt.at, tt.text, diff)
		}
		d.sees(tt.sees)
	}
	for text, sees := range map[string]string{"quit": "", "Exit": "", ":q": "", "help": "On this screen", "projects": "Projects (3)"} {
		for _, at := range []string{"brief", "question"} {
			d := places()[at](t)
			if d.keys("ctrl+u", text, "enter"); d.quit != (sees == "") || len(d.s.calls) > 0 {
				t.Errorf("%s, %q: left: %v, called: %v", at, text, d.quit, d.s.calls)
			}
			d.sees(sees)
		}
	}
	for _, text := range []string{"undo", "Redo"} {
		d := places()["brief"](t)
		d.keys("ctrl+u", text, "enter")
		d.called()
		d.sees("There is nothing to " + strings.ToLower(text) + " yet")
	}
	d := places()["brief"](t)
	d.keys("ctrl+u", `"quit"`, "enter")
	d.called(`new "quit" author=["recipe"]`)
	d = places()["plan"](t)
	d.keys("alt+r", " ", "enter")
	d.called()
	d.sees("Type it first, or go back with esc")
	d.keys("help", "enter")
	d.sees("On this screen")
	d = places()["plan"](t)
	d.keys("alt+r", "undo", "enter")
	d.called("undo p1")
	d = places()["work"](t)
	d.keys("undo", "enter")
	d.called()
	d.sees("Not possible here: undo", "│ say what")
	d.keys("up")
	d.sees("│ undo")
	d = places()["complete"](t)
	if d.keys("exit", "enter"); !d.quit {
		t.Error("exit does not leave")
	}
}

// TestPast: up and down walk through what was typed before, and come back to what the
// person was typing; within a text of some rows they move by rows.
func TestPast(t *testing.T) {
	t.Parallel()
	s := &script{typed: []string{"first", "second\nof two rows"}, next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Begin: true})
	d.keys("own", "up")
	d.sees("│ second", "│ of two rows")
	d.keys("up") // to the first row
	d.sees("│ of two rows")
	d.keys("up")
	d.sees("│ first")
	d.keys("up")
	d.sees("│ first")
	d.keys("down")
	d.sees("│ of two rows")
	d.keys("down")
	d.sees("│ own")
	d.keys("!", "enter")
	d.called("new own!")
	d.keys("up")
	d.sees("│ own!")
	d.keys("?", "enter", "alt+r", "why", "enter")
	if diff := cmp.Diff([]string{"own!", "own!?", "why"}, s.kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

// TestCompose: a text goes to the editor and comes back; of an edited plan its changes are
// sent; without an editor one line says so.
func TestCompose(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("4 bounces", "ctrl+o")
	d.called("stand p1", "compose 4 bounces")
	d.send(tui.Composed("5 bounces\nand blue\x1b[31m", nil))
	d.sees("│ 5 bounces", "│ and blue")
	d.send(tui.Composed("", errors.New("run the editor: sh: exit status 1")))
	d.sees("run the editor", "│ 5 bounces")
	d.keys("esc", "ctrl+o")
	d.called("compose " + tui.PlanText(plan))
	d.send(tui.Composed(tui.PlanText(plan), nil))
	d.called()
	d.sees("Nothing was changed.")
	d.send(tui.Composed("duration: 7 s\nblue", nil))
	d.called("edit p1 7 s\nblue")

	d = newDesk(t, &script{next: planned(), own: &koda.Error{Code: koda.CodeUsage, Op: "no editor is set", Hint: "export EDITOR=nano"}}, theme.Options{}, tui.Config{Project: "p1"})
	d.keys("ctrl+o")
	d.sees("no editor is set", "export EDITOR=nano")
}

// TestPlanChange: what an edited plan asks for.
func TestPlanChange(t *testing.T) {
	t.Parallel()
	p := plan
	p.Video = &koda.PlanVideo{Width: 1920, Height: 1080, FPS: p.FPS, Format: "mp4"}
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(tui.PlanText(p)) }
	for text, want := range map[string]string{
		edit():                                       "",
		edit("5 s\n", "7.5\n"):                       "7.5 s",
		edit("5 s\n", "7 seconds\n"):                 "7 seconds",
		edit("1920x1080", "vertical"):                "vertical",
		edit("60 fps", "30", "playful", "cinematic"): "30 fps\ncinematic",
		edit("\n\n\n", "\n\nblue\n\n"):               "blue",
		edit("style: playful\n", ""):                 "",
		edit("playful", ""):                          "",
		edit("\n\n\n", "\n\nscene 2: white text\n"):  "scene 2: white text",
		"":              "",
		"  # nothing\n": "",
	} {
		if got := tui.PlanChange(p, text); got != want {
			t.Errorf("%q instead of %q of:\n%s", got, want, text)
		}
	}
}

// TestPastedFiles: a paste that is nothing but paths of pictures and sounds names files.
func TestPastedFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/home/ada/logo.png":                        "/home/ada/logo.png",
		"  '/home/ada/my logo.PNG' \n":              "/home/ada/my logo.PNG",
		`/home/ada/my\ logo.png`:                    "/home/ada/my logo.png",
		`"/a/b.mp3" ~/c.wav ./d.svg ../e.jpg`:       "/a/b.mp3|~/c.wav|./d.svg|../e.jpg",
		"file:///home/ada/my%20data.csv":            "/home/ada/my data.csv",
		"file://localhost/a.png\r\nfile:///b.png\n": "/a.png|/b.png",
		"file://elsewhere/a.png":                    "",
		"file://%zz":                                "",
		`/home/ada/my\ sales.csv`:                   "/home/ada/my sales.csv",
		"'/home/ada/my sales.csv'":                  "/home/ada/my sales.csv",
		"logo.png":                                  "",
		"/etc/passwd":                               "",
		"/home/ada/logo.png spins":                  "",
		"a ball, like ./ball.png":                   "",
		"":                                          "",
		"'":                                         "",
	} {
		if got := strings.Join(tui.PastedFiles(text), "|"); got != want {
			t.Errorf("%q names %q, not %q", text, got, want)
		}
	}
}

// TestMouse: a click marks a row, a click on the marked row does what enter does, and a
// click on the foot presses the key there.
func TestMouse(t *testing.T) {
	t.Parallel()
	click := func(d *desk, text string) {
		t.Helper()
		for y, line := range strings.Split(ansi.Strip(d.m.View()), "\n") {
			if at := strings.Index(line, text); at >= 0 {
				d.send(tea.MouseMsg{X: ansi.StringWidth(line[:at]), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				d.send(tea.MouseMsg{X: ansi.StringWidth(line[:at]), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
				return
			}
		}
		t.Errorf("%q is not shown", text)
	}
	d := places()["projects"](t)
	click(d, "three")
	d.sees("→ three")
	d.called()
	click(d, "three")
	d.called("stand p3")

	d = places()["question"](t)
	d.size(100, 30)
	click(d, "subtle and flowing")
	d.sees("→ 2  Smooth")
	click(d, "Smooth")
	d.called("answer p1 smooth")

	d = places()["preview"](t)
	d.size(220, 30)
	for key, want := range map[string]string{"alt+u": "undo p1", "alt+y": "copy /home/ada/bouncing-ball/previews/bouncing-ball-v1.mp4"} {
		if x := d.m.FootColumn(key); x >= 0 {
			d.send(tea.MouseMsg{X: x, Y: 29, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			d.called(want)
		}
	}
	d.keys("home")
	x := d.m.FootColumn("[ ]")
	d.send(tea.MouseMsg{X: x + 2, Y: 29, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.sees("0:01.5 / 0:02")
	d.send(tea.MouseMsg{X: x, Y: 29, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.sees("0:00 / 0:02")

	d.keys("ctrl+p")
	click(d, "versions")
	d.sees("→ versions")
	click(d, "versions")
	d.sees("Versions (4)")
}
