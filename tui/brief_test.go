package tui_test

import (
	"image"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// form is a session with every kind of field, and some files.
func form() *script {
	return &script{
		still: image.NewRGBA(image.Rect(0, 0, 48, 27)),
		fields: []tui.Field{
			{Name: "author", Value: []string{"recipe"}, Options: []tui.Option{{Value: "recipe", About: "offline, without a key"}}},
			{Name: "recipe", None: "koda chooses", About: "by the words of the prompt", Options: []tui.Option{
				{Value: "bars", About: "Bars grow to their values.", Example: "Apples 30, Pears 45 as bar chart", Recipe: "bars"},
				{Value: "story", About: "Any sequence of scenes.", Example: "title \"Our year\", then the logo", Recipe: "story"},
			}},
			{Name: "style", None: "koda asks", Own: true, Options: []tui.Option{{Value: "playful"}, {Value: "smooth", About: "subtle and flowing"}}},
			{Name: "preset", None: "as the prompt says", Options: []tui.Option{{Value: "reels", Label: "reels 1080×1920", About: "30 fps"}}},
			{Name: "data", None: "none", About: "CSV, JSON, YAML or Markdown to show", Files: 1},
			{Name: "assets", None: "none", About: "pictures and sound", Files: 99},
		},
		files: []tui.File{
			{Path: "sales.csv", Field: "data"}, {Path: "my sales.csv", Field: "data"}, {Path: "pictures/", Dir: true},
			{Path: "pictures/logo.png", Field: "assets"}, {Path: "pictures/円 \x1b[31m.png", Field: "assets"},
		},
	}
}

// TestBrief: what the form holds comes to the session, by name.
func TestBrief(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		keys  []string
		sees  []string
		calls []string
	}{
		{"the prompt alone", []string{"a ball", "enter"}, nil, []string{`new a ball author=["recipe"]`}},
		{"choices", []string{"x", "tab", "tab", "right", "right", "tab", "s", "enter", "tab", "left"}, []string{"story · smooth · reels 1080×1920", "< reels 1080×1920 >"}, nil},
		{"choices, made", []string{"x", "tab", "tab", "right", "right", "tab", "s", "enter", "tab", "left", "esc", "enter"}, nil, []string{`new x author=["recipe"] preset=["reels"] recipe=["story"] style=["smooth"]`}},
		{"the button", []string{"x", "shift+tab", "enter"}, nil, []string{`new x author=["recipe"]`}},
		{"a list, with the example", []string{"tab", "tab", "enter", "down"}, []string{"→ bars", "For example: Apples 30", "▀▀▀▀"}, nil},
		{"a choice taken back", []string{"x", "tab", "tab", "right", "backspace"}, []string{"< koda chooses >"}, nil},
		{"words of one's own", []string{"x", "tab", "tab", "tab", "like Bauhaus", "enter"}, []string{"like Bauhaus"}, nil},
		{"nothing matches", []string{"x", "tab", "tab", "qqq", "enter"}, []string{"nothing matches"}, nil},
		{"a file of a directory", []string{"x", "shift+tab", "shift+tab", "enter", "pi", "enter", "enter"}, []string{"assets logo.png"}, nil},
		{"several files, one taken out", []string{
			"x", "shift+tab", "shift+tab", "pictures/", "enter", "pictures/円", "enter", "backspace", "esc", "enter",
		}, nil, []string{`new x assets=["pictures/logo.png"] author=["recipe"]`}},
		{"data without a prompt", []string{"tab", "tab", "tab", "tab", "tab", "sa", "enter", "esc", "enter"}, nil, []string{`new  author=["recipe"] data=["sales.csv"]`}},
		{"a file that is not there", []string{"x", "shift+tab", "shift+tab", "shift+tab", "nope.csv", "enter"}, []string{"nope.csv does not exist (check the path)", "→ data    nope.csv_"}, nil},
		{"a path put right", []string{"x", "shift+tab", "shift+tab", "shift+tab", "sales.csvx", "enter", "backspace", "enter", "esc", "enter"}, nil, []string{`new x author=["recipe"] data=["sales.csv"]`}},
		{"a path given up", []string{"x", "shift+tab", "shift+tab", "nope.png", "enter", "esc", "esc", "enter"}, nil, []string{`new x author=["recipe"]`}},
		{"nothing", []string{"enter"}, []string{"the prompt is empty"}, nil},
		{"a file in the prompt", []string{"bars of @", "s"}, []string{"→ sales.csv", "data"}, nil},
		{"a file in the prompt, taken", []string{"bars of @", "s", "tab", "now", "enter"}, nil, []string{`new bars of @sales.csv now author=["recipe"]`}},
		{"a file with blanks", []string{"bars of @", "my", "enter", "enter"}, nil, []string{`new bars of @"my sales.csv" author=["recipe"]`}},
		{"a directory in the prompt", []string{"@", "pi", "enter", "enter", "enter"}, nil, []string{`new @pictures/logo.png author=["recipe"]`}},
		{"a whole name", []string{"@sales.csv", "enter"}, nil, []string{`new @sales.csv author=["recipe"]`}},
		{"no file", []string{"say @koda", "enter"}, nil, []string{`new say @koda author=["recipe"]`}},
		{"a closed list", []string{"bars of @", "s", "esc", "enter"}, nil, []string{`new bars of @s author=["recipe"]`}},
		{"an address", []string{"a@sal", "enter"}, nil, []string{`new a@sal author=["recipe"]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := form()
			s.next = planned()
			d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Begin: true})
			d.keys(tt.keys...)
			d.sees(tt.sees...)
			d.called(tt.calls...)
		})
	}
}

// TestBrief_Kept: what was typed and chosen is there again after an error, after a look at the
// projects, and gone when the project is made.
func TestBrief_Kept(t *testing.T) {
	t.Parallel()
	s := form()
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Begin: true})
	d.keys("a dragon", "tab", "tab", "right", "esc")
	s.err = &koda.Error{Code: koda.CodeUsage, Op: "--data: \x1b[31mnope.csv does not exist", Hint: "check the path"}
	d.keys("enter")
	d.sees("a dragon", "✗ --data: nope.csv does not exist (check the path)", "bars")
	d.keys("s")
	if strings.Contains(d.m.View(), "does not exist") {
		t.Error("the error stays when the person types on")
	}
	d.keys("esc", "ctrl+n")
	d.sees("a dragons", "bars")
	s.next, s.err = planned(), nil
	d.keys("enter")
	d.sees("Plan: 5 s")
	d.keys("esc", "ctrl+n")
	if strings.Contains(d.m.View(), "a dragon") {
		t.Error("the brief of a made project is there again")
	}
}

// TestBrief_Dropped: files that are dropped on the form go to the fields that take them.
func TestBrief_Dropped(t *testing.T) {
	t.Parallel()
	s := form()
	s.files = []tui.File{{Path: "/a/logo.png", Field: "assets"}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Begin: true})
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/a/logo.png '/a/not there.png'"), Paste: true})
	d.sees("assets logo.png", "/a/not there.png is no file that a video can take")

	s.files = []tui.File{{Path: "/a/my sales.csv", Field: "data"}}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("'/a/my sales.csv'"), Paste: true})
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/users.json"), Paste: true})
	d.sees("data my sales.csv", "/users.json")
	d.keys("enter")
	d.called(`new /users.json assets=["/a/logo.png"] author=["recipe"] data=["/a/my sales.csv"]`)
}

// TestBrief_Mouse: a click marks a field, a click on the marked one opens it, and a click on
// the marked item takes it.
func TestBrief_Mouse(t *testing.T) {
	t.Parallel()
	d := newDesk(t, form(), theme.Options{UTF8: true}, tui.Config{Begin: true})
	click := func(text string) {
		t.Helper()
		for y, l := range strings.Split(ansi.Strip(d.m.View()), "\n") {
			if strings.Contains(l, text) {
				d.send(tea.MouseMsg{X: 6, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				return
			}
		}
		t.Errorf("the screen does not show %q", text)
	}
	click("koda chooses")
	d.sees("< koda chooses >")
	click("koda chooses")
	click("story")
	d.sees("→ story")
	click("story")
	d.sees("< story >")
}

// lacks is a machine without what koda needs.
var lacks = tui.Machine{Note: "No model key is needed.", Needs: []tui.Need{
	{Name: "browser", For: "Chromium draws the pictures of the video.", Why: "no Chromium was found", Fix: []string{"npx -y @puppeteer/browsers install chrome-headless-shell@stable", "koda config set chrome PATH"}},
	{Name: "ffmpeg", For: "It makes a video of the pictures.", Why: "ffmpeg is not installed", Fix: []string{"sudo apt-get install ffmpeg"}, Runs: true},
}}

// TestFirst: what is missing lies over the screen until all is there or the person goes on.
func TestFirst(t *testing.T) {
	t.Parallel()
	s := &script{all: []koda.Project{project}, machine: lacks}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	d.sees("Something is missing", "→ sudo apt-get install ffmpeg", "No model key")
	d.keys("enter")
	d.sees("Something is missing", "still missing")
	d.keys("i") // only what is nothing but commands
	if last := s.calls[len(s.calls)-1]; last != "install sudo apt-get install ffmpeg" {
		t.Errorf("the last call is %q", last)
	}
	d.keys("esc")
	d.sees("Projects (1)")

	d = newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	s.machine = tui.Machine{}
	d.keys("enter")
	d.sees("Projects (1)", "Everything is there now")
}

// TestBrief_Problem: a prompt that made no video is there with the reason.
func TestBrief_Problem(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Prompt: "a ball, 0 seconds", Problem: &koda.Error{Code: koda.CodeUsage, Op: "0 seconds are too few", Hint: "1 to 3600"}})
	d.called()
	d.sees("│ a ball, 0 seconds", "0 seconds are too few (1 to 3600)")
}
