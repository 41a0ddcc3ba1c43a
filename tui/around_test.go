package tui_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
)

// TestDetectTerminal: what a terminal can do beside showing text follows from its
// environment.
func TestDetectTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env    string
		notify string
		want   tui.Terminal
	}{
		{"TERM=xterm-256color", "auto", tui.Terminal{Title: true, Calls: "bell"}},
		{"TERM=linux", "auto", tui.Terminal{Calls: "bell"}},
		{"TERM=xterm-kitty", "auto", tui.Terminal{Title: true, Progress: true, Calls: "99"}},
		{"TERM=xterm-kitty", "bell", tui.Terminal{Title: true, Progress: true, Calls: "bell"}},
		{"TERM=xterm-kitty", "off", tui.Terminal{Title: true, Progress: true}},
		{"TERM=xterm-kitty TMUX=/tmp/tmux", "auto", tui.Terminal{Title: true, Calls: "bell", Tmux: true}},
		{"TERM=xterm-ghostty SSH_TTY=/dev/pts/1", "auto", tui.Terminal{Title: true, Progress: true, Calls: "777", Remote: true}},
		{"TERM=xterm-256color TERM_PROGRAM=iTerm.app", "auto", tui.Terminal{Title: true, Calls: "9"}},
		{"TERM=xterm-256color VTE_VERSION=7600", "auto", tui.Terminal{Title: true, Progress: true, Calls: "bell"}},
		{"TERM=foot", "auto", tui.Terminal{Title: true, Calls: "777"}},
	} {
		env := func(name string) (string, bool) {
			for pair := range strings.FieldsSeq(tt.env) {
				if v, ok := strings.CutPrefix(pair, name+"="); ok {
					return v, true
				}
			}
			return "", false
		}
		if got := tui.DetectTerminal(env, tt.notify, graphics.Caps{}); got != tt.want {
			t.Errorf("%s, %s: %+v", tt.env, tt.notify, got)
		}
	}
}

// TestStudio_Rings: koda calls the person when work took long, or they look elsewhere; what
// it says cannot end the sequence.
func TestStudio_Rings(t *testing.T) {
	t.Parallel()
	const note = "\a\x1b]99;i=koda;a,b]0,evil: the plan is ready\x1b\\"
	for what, tt := range map[string]struct {
		took time.Duration
		blur bool
		err  error
		want string
	}{
		"quick":       {took: time.Second},
		"long":        {took: 10 * time.Second, want: note},
		"elsewhere":   {took: time.Second, blur: true, want: note},
		"interrupted": {took: time.Hour, blur: true, err: context.Canceled},
		"failed":      {took: time.Hour, err: &koda.Error{Code: koda.CodeFailed, Op: "no luck"}, want: "\a\x1b]99;i=koda;a,b]0,evil: no luck\x1b\\"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			clock := now
			s := &slowly{script{next: planned(), err: tt.err}, func() { clock = clock.Add(tt.took) }}
			s.next.Project.Name = "a;b\x1b]0;evil\a"
			m := tui.New(t.Context(), tui.Config{Session: s, Theme: theme.New(theme.Options{}), Now: func() time.Time { return clock }, Project: "p1", Terminal: tui.Terminal{Calls: "99"}})
			m.Stop()
			end := m.On(w)
			settle(m, m.Init())
			if tt.blur {
				m.Update(tea.BlurMsg{})
			}
			_, cmd := m.Update(keyOf("enter"))
			settle(m, cmd)
			end()
			w.Close() //nolint:errcheck // a pipe
			got, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("written: %q", got)
			}
		})
	}
}

// slowly is a session whose work takes time.
type slowly struct {
	script
	wait func()
}

func (s *slowly) Accept(context.Context, string, koda.Seen, ...string) (tui.Standing, error) {
	s.wait()
	return s.next, s.err
}

// TestStudio_Beats: the clock runs where something moves, and nowhere else.
func TestStudio_Beats(t *testing.T) {
	t.Parallel()
	s := &script{next: asking(), clip: &clip{}, all: []koda.Project{project}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	beats := func(want time.Duration) {
		t.Helper()
		if got := d.m.Moves(); got != want {
			t.Errorf("the screen moves every %s, not %s", got, want)
		}
	}
	const quick = time.Second / 12
	beats(time.Minute) // ages
	d.keys("enter")
	beats(0) // a question
	s.next = previewed()
	d.keys("enter")
	beats(quick) // a preview plays
	d.keys(" ")
	beats(0)
	d.keys(" ")
	beats(quick)
	s.next = complete()
	d.keys("enter")
	beats(0)
}

// TestStudio_NextBeat: while a slow beat is on its way, a quick one begins at once, and the
// slow one counts no more; two never run beside each other.
func TestStudio_NextBeat(t *testing.T) {
	t.Parallel()
	s := &script{all: []koda.Project{project}}
	m := tui.New(t.Context(), tui.Config{Session: s, Theme: theme.New(theme.Options{}), Now: func() time.Time { return now }})
	for _, cmd := range m.Init()().(tea.BatchMsg) {
		m.Update(cmd())
	}
	next := func(number int, due time.Duration) {
		t.Helper()
		if n, d := m.Next(); n != number || d != due {
			t.Errorf("beat %d comes after %s, not beat %d after %s", n, d, number, due)
		}
	}
	const quick = time.Second / 12
	next(1, quick) // while koda opened
	m.Update(tui.BeatOf(1))
	next(2, time.Minute)
	m.Update(keyOf("enter")) // the project opens
	next(3, quick)
	m.Update(keyOf("x"))
	next(3, quick)
	m.Update(tui.BeatOf(2))
	next(3, quick)
	m.Update(tui.BeatOf(3))
	next(4, quick)
}

// TestStudio_Slow: while the terminal takes nothing, keys are answered, and no frame is
// asked for; when it is ready again, the preview goes on where it is by then.
func TestStudio_Slow(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &script{next: previewed(), clip: &clip{}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1", Terminal: tui.Terminal{Title: true}})
	end := d.m.On(w)
	const most = 1 << 20 // more than a pipe holds
	d.m.Paint(strings.Repeat("x", most))
	asked := s.clip.count
	for range 6 {
		d.send(tui.Beat())
	}
	d.keys("alt+l")
	d.sees("playing", "0:00.5 / 0:02", "loop")
	if s.clip.count != asked {
		t.Errorf("%d frames were asked for", s.clip.count-asked)
	}
	got := make(chan string)
	go func() {
		all, _ := io.ReadAll(r) //nolint:errcheck // what was read is checked
		got <- string(all)
	}()
	end()
	d.keys("right")
	if s.clip.count != asked+1 {
		t.Errorf("%d frames were asked for, not one", s.clip.count-asked)
	}
	w.Close() //nolint:errcheck // a pipe
	all := <-got
	if n := strings.Count(all, "x"); n != most {
		t.Errorf("%d bytes of text of %d", n, most)
	}
}

// TestStudio_Copies: what is copied goes the way of all that the terminal gets.
func TestStudio_Copies(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, &script{next: previewed()}, theme.Options{}, tui.Config{Project: "p1"})
	end := d.m.On(w)
	d.keys("alt+y")
	d.sees("Copied")
	end()
	w.Close() //nolint:errcheck // a pipe
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := ansi.SetSystemClipboard("/home/ada/bouncing-ball/previews/bouncing-ball-v1.mp4"); !strings.Contains(string(got), want) {
		t.Errorf("written: %q", got)
	}
}
