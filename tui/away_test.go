package tui_test

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// sleeper is a session that notes who is away. While asleep is set, everybody is away for
// too long at once.
type sleeper struct {
	*script
	away int
}

func (s *sleeper) Away(ctx context.Context, id string) (bool, error) {
	if ctx.Err() == nil {
		s.away++
	}
	return s.script.Away(ctx, id)
}

// TestAway: keys and the mouse begin the time anew after which a project is put to rest. A
// project at rest says so; a key wakes it, and does nothing else.
func TestAway(t *testing.T) {
	t.Parallel()
	s := &sleeper{script: &script{next: planned()}}
	d := newDesk(t, s.script, theme.Options{UTF8: true}, tui.Config{Session: s, Project: "p1"})
	click := tea.MouseMsg{X: 3, Y: 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d.keys("down", "up")
	d.send(click)
	if s.away != 4 {
		t.Errorf("the time began %d times, not once at first and with each sign of life", s.away)
	}
	d.send(tui.Beat())
	if s.away != 4 {
		t.Error("a beat is no sign of life")
	}
	s.asleep = true
	d.keys("down")
	d.sees("You were away: the project is saved and at rest. Any key wakes it.")
	s.calls, s.asleep = nil, false
	d.keys("enter") // wakes it, and accepts nothing
	d.called()
	d.sees("accept")
	s.asleep = true
	d.keys("down")
	s.asleep = false
	d.keys("b") // no letter of a text is lost
	d.sees("│ b")
	d.keys("esc")
	s.asleep = true
	d.keys("down")
	s.asleep = false
	d.send(click)
	d.keys("enter")
	d.called("accept p1")
	s.away, s.next = 0, complete()
	d.keys("alt+u", "x")
	if s.away != 0 {
		t.Errorf("a finished project waits for nobody: %d", s.away)
	}
}
