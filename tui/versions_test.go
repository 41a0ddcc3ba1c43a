package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

func (s *script) History(context.Context, string) (tui.History, error) { return s.past, nil }

func (s *script) Diff(_ context.Context, id string, from, to int) (tui.Diff, error) {
	_, err := s.call("diff %s v%d v%d", id, from, to)
	return s.differs, err
}

func (s *script) Checkout(_ context.Context, id string, version int) (tui.Standing, error) {
	return s.call("checkout %s v%d", id, version)
}

func (s *script) Fork(_ context.Context, id string, version int, name string) (tui.Standing, error) {
	return s.call("fork %s v%d %s", id, version, name)
}

func (s *script) Delete(_ context.Context, id string) ([]string, error) {
	_, err := s.call("delete %s", id)
	return s.left, err
}

var (
	past = tui.History{Rows: []widget.VersionRow{
		{Number: 1, Title: "bouncing ball, 5 seconds", Facts: []string{"3 days ago", "36 files", "recipe", "free"}},
		{Number: 2, Parent: 1, Title: "make the ball \x1b[2Jblue, and \u202eslower", Facts: []string{"2 days ago", "1 file changed", "recipe", "free"}},
		{Number: 3, Parent: 2, Title: "それからボールは静かに止まり、影が薄くなっていく", Facts: []string{"5 hours ago", "3 files changed", "model claude-opus", "$0.12"}},
		{Number: 4, Parent: 2, Title: "make the ball green", Facts: []string{"just now", "2 files changed", "recipe", "free"}, Current: true},
	}}
	differs = tui.Diff{Title: "v3 to v4: 2 files differ, 1 line added, 1 deleted", Files: []tui.FileDiff{
		{Path: "public/logo.png", Status: "changed", Size: "1.2 kB to 2.4 kB"},
		{Path: "src/a.ts", Status: "changed", Size: "120 B to 121 B", Added: 1, Deleted: 1, Text: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-\tred\r\n+\t\x1b[2Jblue" + strings.Repeat(" and more", 30) + "\n"},
	}}
)

// fourth is a preview of v4.
func fourth() tui.Standing {
	s := previewed()
	s.Version = 4
	return s
}

func versionsDesk(t *testing.T, s *script) *desk {
	t.Helper()
	s.next, s.past, s.differs, s.all = fourth(), past, differs, []koda.Project{project}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.keys("alt+v")
	d.called("stand p1")
	return d
}

// TestVersions_Keys: what keys of the versions screen ask of the session.
func TestVersions_Keys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		keys  []string
		calls []string
		sees  string
	}{
		{name: "the current version is marked", sees: "→ ● "},
		{name: "down and check out", keys: []string{"down", "enter"}, calls: []string{"checkout p1 v3"}},
		{name: "the first version", keys: []string{"end", "enter"}, calls: []string{"checkout p1 v1"}},
		{name: "no further than the ends", keys: []string{"pgdown", "down", "pgup", "up", "enter"}, calls: []string{"checkout p1 v4"}},
		{name: "undo", keys: []string{"u"}, calls: []string{"undo p1"}},
		{name: "nothing to redo", keys: []string{"ctrl+y"}},
		{name: "fork", keys: []string{"end", "f", "green one", "enter"}, calls: []string{"fork p1 v1 green one"}},
		{name: "no fork", keys: []string{"f", "green", "esc"}, sees: "Versions (4)"},
		{name: "the current one with the one before", keys: []string{"d"}, calls: []string{"diff p1 v2 v4"}, sees: "v3 to v4: 2 files differ"},
		{name: "another with the current one", keys: []string{"down", "d"}, calls: []string{"diff p1 v3 v4"}, sees: "-    red"},
		{name: "back from a diff", keys: []string{"down", "d", "esc", "enter"}, calls: []string{"diff p1 v3 v4", "checkout p1 v3"}},
		{name: "pictures of a diff", keys: []string{"down", "d", "p"}, calls: []string{"diff p1 v3 v4"}, sees: "v1 ───"},
		{name: "back from the pictures", keys: []string{"end", "p", "enter", "u", "esc", "enter"}, calls: []string{"checkout p1 v1"}},
		{name: "back", keys: []string{"esc"}, calls: []string{"stand p1"}, sees: "enter accept"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := versionsDesk(t, &script{clip: &clip{}})
			d.keys(test.keys...)
			d.called(test.calls...)
			d.sees(test.sees)
		})
	}
	s := &script{next: fourth(), past: past}
	s.next.Redo = true
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.keys("alt+v", "ctrl+y")
	d.called("redo p1")
}

// TestVersions_Alone: with one version there is nothing to compare, and the screen says so;
// edits by hand are compared with it.
func TestVersions_Alone(t *testing.T) {
	t.Parallel()
	s := &script{clip: &clip{version: 1}, next: previewed(), differs: differs, past: tui.History{Rows: []widget.VersionRow{{Number: 1, Title: "ball", Current: true}}}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("alt+v", "d")
	d.sees("v1 was made from no other version")
	d.keys("esc", "alt+x")
	d.sees("v1 was made from no other version: there is nothing to compare it with")
	d.keys("alt+x")
	d.called("stand p1", "stand p1")
	s.past.Loose = true
	d.keys("alt+v", "d")
	d.called("diff p1 v1 v0")
	d.keys("p")
	d.sees("have no pictures yet")
}

// TestVersions_Fails: what a person typed stays when a fork fails, and a diff that fails
// leaves the versions.
func TestVersions_Fails(t *testing.T) {
	t.Parallel()
	s := &script{clip: &clip{}}
	d := versionsDesk(t, s)
	s.next, s.err = tui.Standing{}, &koda.Error{Code: koda.CodeExists, Op: "green is taken", Hint: "choose another name"}
	d.keys("f", "green", "enter")
	d.sees("green is taken (choose another name)", "│ green", "bouncing-ball v4")
	d.keys("2", "enter")
	d.called("fork p1 v4 green", "fork p1 v4 green2")
	d.keys("esc", "d")
	d.sees("green is taken", "Versions (4)")
}

// TestDiff_Scrolls: a long diff is scrolled line by line, by files and sideways, and never
// past its ends.
func TestDiff_Scrolls(t *testing.T) {
	t.Parallel()
	s := &script{}
	d := versionsDesk(t, s)
	for range 3 {
		s.differs.Files = append(s.differs.Files, tui.FileDiff{Path: "src/b.ts", Status: "added", Added: 40, Text: "--- /dev/null\n+++ b/src/b.ts\n@@ -0,0 +1,40 @@\n" + strings.Repeat("+new\n", 40) + "+last\n"})
	}
	d.keys("d", "]", "]")
	d.sees("--- a/src/a.ts")
	d.keys("[", "[", "right")
	d.sees("3 to v4: 2 files", "~ public/logo.png", " c/a.ts")
	d.keys("left", "end")
	d.sees("last")
	d.keys("down", "down", "up")
	if strings.Contains(d.m.View(), "last") {
		t.Error("one line up, the last line is still there")
	}
	d.keys("home")
	d.sees("--- a/src/a.ts")
}

// TestCompare: two videos at one playhead, as a wipe and as a difference, whatever their
// lengths and sizes; each side says which version it is.
func TestCompare(t *testing.T) {
	t.Parallel()
	s := &script{next: fourth(), past: past, clip: &clip{version: 4}, clips: map[int]*clip{2: {version: 2, high: 16, long: 3}}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.size(160, 30)
	d.keys("alt+x")
	d.sees("v2 ──", "── v4", "0:00 / 0:03", "x difference")
	if s.clip.asked != s.clips[2].asked || s.clip.asked != 0 {
		t.Errorf("v4 shows %v, v2 shows %v", s.clip.asked, s.clips[2].asked)
	}
	for range 30 {
		d.send(tui.Beat())
	}
	d.sees("(ended)", "playing")
	if s.clip.asked != s.clips[2].asked || s.clip.asked < 2 {
		t.Errorf("v4 shows %v, v2 shows %v", s.clip.asked, s.clips[2].asked)
	}
	for range 30 {
		d.keys("<")
	}
	d.sees("v2 ┼")
	d.send(tea.MouseMsg{X: 200, Y: 8, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.sees("┼ v4 (ended)")
	d.keys("alt+x")
	d.sees("v2 → v4 (ended): what differs is lit")
	d.keys("alt+x")
	d.sees("0:02 / 0:02", "x compare")
	d.keys("alt+x")
	d.sees("v2 ──", "0:02 / 0:03")
	if got := s.clips[2].opened; got != 1 {
		t.Errorf("v2 was opened %d times", got)
	}
	d.keys("ctrl+s")
	if s.clip.closed == 0 || s.clips[2].closed != 1 {
		t.Error("the frames stay open")
	}
}

// TestCompare_NoPictures: a version without pictures is one clear line.
func TestCompare_NoPictures(t *testing.T) {
	t.Parallel()
	s := &script{clip: &clip{version: 4}, clips: map[int]*clip{3: nil}}
	d := versionsDesk(t, s)
	d.keys("down", "p")
	d.sees("there are no frames", "0:00 / 0:02")
	d.keys("esc")
	d.sees("Versions (4)")
	s.clips = map[int]*clip{4: nil}
	d.keys("p")
	d.sees("no pictures", "there are no frames")
	s = &script{next: fourth(), past: past, clip: &clip{version: 4}}
	d = newDesk(t, s, theme.Options{}, tui.Config{Project: "p1"})
	d.keys("alt+x")
	d.sees("This terminal shows no pictures")
}

// TestProjects_Thumbnails: the picture of the marked project comes by itself; one that comes
// late is dropped, and the next is the one that is marked then.
func TestProjects_Thumbnails(t *testing.T) {
	t.Parallel()
	s := &script{clip: &clip{}}
	for _, id := range strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", "") {
		s.all = append(s.all, koda.Project{ID: id, Name: "ball " + id, UpdatedAt: now})
	}
	m := tui.New(t.Context(), tui.Config{Session: s, Theme: theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true}), Now: clock})
	m.Stop()
	var late tea.Cmd
	var begin func(tea.Cmd)
	begin = func(cmd tea.Cmd) {
		msg := cmd()
		for _, c := range asBatch(msg) {
			begin(c)
		}
		if _, next := m.Update(msg); next != nil {
			late = next
		}
	}
	begin(m.Init())
	m.Update(keyOf("end"))
	if got := len(s.asked); got != 0 {
		t.Fatalf("%d thumbnails were read in the event loop", got)
	}
	_, next := m.Update(late())
	if strings.Contains(m.View(), "▀▀▀▀") {
		t.Error("the picture of a project is shown that is not marked any more")
	}
	m.Update(next())
	if diff := cmp.Diff([]string{"a v0", "9 v0"}, s.asked); diff != "" {
		t.Error(diff)
	}
	if view := m.View(); !strings.Contains(view, "▀▀▀▀") || !strings.Contains(view, "0:02") {
		t.Errorf("no picture and no length of the marked project:\n%s", view)
	}
}

func asBatch(msg tea.Msg) tea.BatchMsg {
	all, _ := msg.(tea.BatchMsg)
	return all
}

// TestProjects_Delete: koda asks before it deletes, and says what stays.
func TestProjects_Delete(t *testing.T) {
	t.Parallel()
	s := &script{all: []koda.Project{{ID: "p0", Name: "another", Phase: koda.PhasePlan, UpdatedAt: now}, project}, left: []string{"notes.txt"}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	d.keys("ball", "ctrl+d")
	d.sees("Delete bouncing-ball?", "/home/ada/bouncing-ball", "stays")
	d.keys("enter")
	d.sees("Projects (1)", "/ball")
	d.called()
	d.keys("ctrl+d", "y")
	d.called("delete p1")
	d.sees("Deleted bouncing-ball. These files of yours stay: notes.txt", "/ball")
	s.err = errors.New("another koda works on it")
	d.keys("ctrl+d", "y")
	d.called("delete p1")
	d.sees("another koda works on it", "→ bouncing-ball")
	d.keys("ctrl+s")
	d.sees("Projects (2)", "→ another")
	d.keys("ctrl+f")
	d.sees("another has no version yet")
	d.keys("ball")
	s.next, s.err = previewed(), nil
	d.keys("ctrl+f", "two", "enter")
	d.called("fork p1 v0 two")
	d.sees("previews/bouncing-ball-v1.mp4")
}
