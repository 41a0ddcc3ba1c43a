package tui_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var now = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// desk drives a studio as the event loop does, but in order: after each message all its
// commands run. Its clock stands still.
type desk struct {
	t *testing.T
	m *tui.Studio
	s *script
	w int
	h int

	quit bool // the studio ended
	now  time.Time
	seq  int64 // of the newest event told
}

func newDesk(t *testing.T, s *script, o theme.Options, cfg tui.Config) *desk {
	t.Helper()
	d := &desk{t: t, s: s, now: now}
	if cfg.Session == nil {
		cfg.Session = s
	}
	cfg.Theme, cfg.Now = theme.New(o), func() time.Time { return d.now }
	d.m = tui.New(t.Context(), cfg)
	d.m.Stop()
	d.run(d.m.Init())
	d.size(100, 30)
	return d
}

func (d *desk) size(w, h int) {
	d.w, d.h = w, h
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
}

func (d *desk) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.run(cmd)
}

// run runs a command and what follows from it.
func (d *desk) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case nil:
	case tea.QuitMsg:
		d.quit = true
	default:
		d.send(msg)
	}
}

func (d *desk) keys(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.send(keyOf(name))
	}
}

func keyOf(name string) tea.KeyMsg {
	if k, ok := tui.KeyNamed(name); ok {
		return k
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// sees checks that the screen has texts, and that it has the size of the terminal.
func (d *desk) sees(texts ...string) {
	d.t.Helper()
	view := ansi.Strip(d.m.View())
	lines := strings.Split(view, "\n")
	if len(lines) > d.h {
		d.t.Errorf("%d lines on a screen of %d:\n%s", len(lines), d.h, view)
	}
	for _, l := range lines {
		if got := ansi.StringWidth(l); got > d.w {
			d.t.Errorf("a line of %d columns on a screen of %d: %q", got, d.w, l)
		}
	}
	for _, text := range texts {
		if !strings.Contains(view, text) {
			d.t.Errorf("the screen does not show %q:\n%s", text, view)
		}
	}
}

// called takes the calls made since the last time.
func (d *desk) called(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.s.calls); diff != "" {
		d.t.Errorf("calls (-want +got):\n%s", diff)
	}
	d.s.calls = nil
}

var (
	project  = koda.Project{ID: "p1", Name: "bouncing-ball", Dir: "/home/ada/bouncing-ball", Phase: koda.PhasePreview, Prompt: "bouncing ball, 5 seconds", UpdatedAt: now.Add(-3 * time.Hour)}
	question = koda.Question{Text: "Which style should it have?", CustomInput: true, Options: []koda.Option{
		{ID: "playful", Label: "Playful & bouncy", Description: "overshoot, squash and stretch; fast and snappy"},
		{ID: "smooth", Label: "Smooth & minimal", Description: "subtle and flowing; slow and deliberate"},
		{ID: "cinematic", Label: "Cinematic & dramatic", Description: "camera moves and depth; building tension"},
	}}
	plan = koda.Plan{TotalDuration: 5, Style: "playful", FPS: koda.FPS{Num: 60, Den: 1}, Scenes: []koda.Scene{
		{Number: 1, Title: "Drop", Duration: 1.5, Description: "The ball falls in from above, its shadow gathers on the floor"},
		{Number: 2, Title: "Bounce, bounce and then bounce again", Duration: 2, Description: "Three bounces, each lower than the one before"},
		{Number: 3, Title: "落ち着く", Duration: 1.5, Description: "それからボールは静かに止まり、影が薄くなっていく。"},
	}, Notes: []string{"The ball is red \x1b[31m#e5343d\x1b[0m."}}
	todos = []koda.Todo{
		{ID: "1", Label: "Set up the project", Status: koda.TodoDone},
		{ID: "2", Label: "Create Scene 1 (Drop) keyframes", Status: koda.TodoActive},
		{ID: "3", Label: "Render preview", Status: koda.TodoPending},
	}
)

var presets = []tui.Preset{
	{Name: "final", About: "size and frame rate of koda.json", Facts: "1920x1080, 60 fps, mp4"},
	{Name: "reels", About: "Instagram Reels, portrait, up to 90 s", Facts: "1080x1920, 30 fps, mp4"},
	{Name: "tiktok", About: "TikTok", Facts: "1080x1920, 30 fps, mp4", Wrong: "the video has 200 s, and TikTok takes 180 at most"},
	{Name: "gif", About: "animated picture for pages and messages, 480 pixels at most", Facts: "480x270, 20 fps, gif"},
}

func asking() tui.Standing {
	return tui.Standing{Project: project, Waiting: tui.ForAnswer, State: koda.NodeState{Phase: koda.PhaseQuestion, Question: &koda.Asked{Question: question}}}
}

func planned() tui.Standing {
	p := plan
	return tui.Standing{Project: project, Waiting: tui.ForPlan, State: koda.NodeState{Phase: koda.PhasePlan, Plan: &p}}
}

func previewed() tui.Standing {
	s := planned()
	s.Version, s.Waiting = 1, tui.ForPreview
	s.State.Phase, s.State.Preview = koda.PhasePreview, &koda.Preview{VideoURL: "/home/ada/bouncing-ball/previews/bouncing-ball-v1.mp4"}
	return s
}

func complete() tui.Standing {
	s := previewed()
	s.Waiting = tui.ForNothing
	s.State.Phase, s.State.Output = koda.PhaseComplete, &koda.Output{VideoURL: "/home/ada/bouncing-ball/renders/bouncing-ball-v1.mp4"}
	s.Videos = []tui.Video{{
		Path: "/home/ada/bouncing-ball/renders/bouncing-ball-v1.mp4", Version: 1, Format: "mp4", Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}, Seconds: 5, Size: 351_700, Took: 3210 * time.Millisecond,
	}}
	return s
}

func failed() tui.Standing {
	s := planned()
	s.Waiting = tui.ForRetry
	s.State.Phase = koda.PhaseError
	s.State.Error = &koda.Failure{Code: koda.CodeRenderFailed, Message: "the page broke at 1.2 s", Hint: "koda doctor"}
	return s
}

// TestStudio goes the whole way: prompt, question, plan, work, preview, remark, done.
func TestStudio(t *testing.T) {
	t.Parallel()
	s := &script{all: []koda.Project{project}, clip: &clip{}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{})
	d.sees("Projects (1)", "bouncing-ball", "3 h")
	d.keys("ctrl+n")
	d.sees("A new video")
	d.keys("bouncing ball", "ctrl+j", "2 seconds")
	s.next = asking()
	d.keys("enter")
	d.called("new bouncing ball\n2 seconds")
	d.sees("Which style", "→ 1  Playful")
	d.keys("down")
	d.sees("→ 2  Smooth")
	s.next = planned()
	d.keys("enter")
	d.called("answer p1 smooth")
	d.sees("Plan: 5 s", "Drop", "0:00–0:01", "The ball is red ■#e5343d.")
	d.keys("4 bounces") // keys that come at once
	d.sees("4 bounces")
	d.keys("enter")
	d.called("edit p1 4 bounces")
	d.keys("alt+r", "too plain", "enter")
	d.called("reject p1 too plain")
	s.next = previewed()
	d.keys("enter")
	d.called("accept p1")
	d.sees("▀▀▀▀", "Drop", "0:00 / 0:02")
	d.keys(" ", "right", "right", "shift+right")
	d.sees("0:01.2 / 0:02")
	d.keys("]", "make it blue here", "enter")
	d.called("edit p1 scene 2: make it blue")
	d.keys("alt+u")
	d.called("undo p1")
	s.next = complete()
	d.keys("enter")
	d.called("accept p1")
	d.sees("The video is ready", "renders/bouncing-ball-v1.mp4")
	d.keys("green", "enter")
	d.called("edit p1 green")
	d.keys("esc")
	d.sees("Projects (1)")
	if s.clip.closed != s.clip.opened {
		t.Errorf("the frames were closed %d times of %d", s.clip.closed, s.clip.opened)
	}
}

// TestStudio_Projects: enter begins a new video only where there is no project, and says so where the
// filter hides all of them.
func TestStudio_Projects(t *testing.T) {
	t.Parallel()
	s := &script{all: []koda.Project{project}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	d.keys("xyz", "enter")
	d.sees(`No project matches "xyz"`, "Projects (0)", "esc all projects")
	if view := d.m.View(); strings.Contains(view, "enter") {
		t.Errorf("the foot names a key that does nothing:\n%s", ansi.Strip(view))
	}
	d.keys("esc", "enter")
	d.called("stand p1")
	s.all = nil
	d = newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	d.sees("There is no project yet", "enter new video")
	d.keys("enter")
	d.sees("A new video")
}

// TestStudio_Work: events become todos, what koda does, and the render; what is typed goes
// to the author; ctrl+c interrupts once and leaves twice.
func TestStudio_Work(t *testing.T) {
	t.Parallel()
	busy := planned()
	busy.Busy, busy.Waiting = true, tui.ForRetry
	busy.State.Execution = &koda.Execution{Todos: todos}
	s := &script{next: busy}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.sees("Another koda works", "✓ Set up the project", "○ Render preview")
	event := func(typ koda.EventType, payload any) {
		d.send(tui.Event(koda.Event{Project: "p1", Type: typ, Payload: payload}))
	}
	event(koda.EventThinking, koda.Thinking{Message: "placing the ball"})
	d.sees("Create Scene 1 (Drop) keyframes — placing the ball")
	event(koda.EventTodoUpdate, koda.TodoUpdate{TodoID: "2", Status: koda.TodoDone})
	event(koda.EventTodoUpdate, koda.TodoUpdate{TodoID: "4", Status: koda.TodoPending, Label: "make it blue"})
	event(koda.EventMessage, koda.MessageAdded{Role: "assistant", Content: "The ball is \x1b]0;evil\a placed."})
	event(koda.EventRenderProgress, koda.Progress{Kind: "preview", Frame: 45, Frames: 75})
	d.sees("✓ Create Scene 1", "○ make it blue", "The ball is ]0;evil placed.", "45/75 frames")
	d.send(tui.Event(koda.Event{Project: "other", Type: koda.EventThinking, Payload: koda.Thinking{Message: "elsewhere"}}))
	if strings.Contains(d.m.View(), "elsewhere") {
		t.Error("an event of another project is shown")
	}
	d.keys("n", "o shadow", "enter")
	d.called("say p1 no shadow")
	d.sees("Heard")
}

// TestStudio_Fails: an error is shown with its hint, and the person goes on from where the
// project stands.
func TestStudio_Fails(t *testing.T) {
	t.Parallel()
	s := &script{err: &koda.Error{Code: koda.CodeNotAnimation, Op: `no recipe draws "a dragon"`, Hint: "take one with --recipe"}}
	d := newDesk(t, s, theme.Options{}, tui.Config{Prompt: "a dragon"})
	d.called("new a dragon")
	d.sees("no recipe draws", "a dragon", "A new video")
	s.next, s.err = failed(), nil
	d.keys("enter")
	d.sees("the page broke at 1.2 s", "koda doctor", "koda resume bouncing-ball")
	s.next = previewed()
	d.keys("enter")
	d.called("new a dragon", "resume p1")
	d.sees("previews/bouncing-ball-v1.mp4")
}

// TestStudio_Random: whatever keys, events and sizes come, nothing breaks, and the screen
// keeps to the terminal.
func TestStudio_Random(t *testing.T) {
	t.Parallel()
	names := []string{"enter", "esc", "up", "down", "left", "right", "ctrl+j", "ctrl+s", "ctrl+n", "tab", "shift+tab", "@", "s", "backspace", "home", "end", "pgup", "pgdown", "shift+right",
		"a", "c", "r", "u", "q", "n", "l", "+", "-", "[", "]", " ", "1", "9", "円", "\u202e", "🎉", "ctrl+y", "?", "f1", "ctrl+p", "ctrl+o", "ctrl+t", "y",
		"v", "d", "p", "f", "x", "<", ">", "ctrl+d", "ctrl+f", "/", "alt+r", "alt+u", "alt+v", "alt+x", "alt+f", "alt+l", "alt+y", "alt+p", "alt+o", "alt+n", "alt+d", "alt+w", "ctrl+c", "here"}
	standings := []func() tui.Standing{asking, planned, longPlan, previewed, complete, failed, func() tui.Standing { return tui.Standing{} }}
	rapid.Check(t, func(rt *rapid.T) {
		s := &script{all: []koda.Project{project}, clip: &clip{}, clips: map[int]*clip{2: nil, 3: {version: 3, high: 40, long: 3}}, past: past, differs: differs}
		of := form()
		if s.fields, s.files, s.still = of.fields, of.files, of.still; rapid.Bool().Draw(rt, "lacks") {
			s.machine = lacks
		}
		d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{})
		for range 40 {
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0:
				d.size(rapid.IntRange(1, 220).Draw(rt, "width"), rapid.IntRange(1, 60).Draw(rt, "height"))
			case 1:
				d.send(tui.Event(koda.Event{Project: "p1", Type: koda.EventRenderProgress, Payload: koda.Progress{Kind: "final", Frame: rapid.Int().Draw(rt, "frame"), Frames: 9}}))
			case 2:
				d.send(tea.MouseMsg{X: rapid.IntRange(0, 220).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			default:
				s.next = standings[rapid.IntRange(0, len(standings)-1).Draw(rt, "standing")]()
				d.keys(rapid.SampledFrom(names).Draw(rt, "key"))
			}
			d.sees()
		}
	})
}

// TestStudio_Plays: a preview plays by itself, ends at its end, and plays on in a loop.
func TestStudio_Plays(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed(), clip: &clip{}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	beats := func(n int) {
		for range n {
			d.send(tui.Beat())
		}
	}
	beats(12)
	d.sees("playing", "0:01 / 0:02", "Drop")
	beats(24)
	d.sees("paused", "0:02 / 0:02")
	d.keys(" ", "alt+l", "+")
	d.sees("playing", "speed 2", "loop", "0:00 / 0:02")
	beats(18)
	d.sees("playing", "0:01 / 0:02")
	ruler := slices.IndexFunc(strings.Split(d.m.View(), "\n"), func(l string) bool { return strings.Contains(l, "Drop") })
	d.send(tea.MouseMsg{X: 1, Y: ruler, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.sees("paused", "0:00 / 0:02")
}
