package tui_test

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// BenchmarkStudio is an event and the view after it, on a screen of 200 by 50 with 10,000
// events behind it.
func BenchmarkStudio(b *testing.B) {
	busy := planned()
	busy.Busy, busy.Waiting = true, tui.ForRetry
	busy.State.Execution = &koda.Execution{Todos: todos}
	m := tui.New(b.Context(), tui.Config{
		Session: &script{next: busy}, Theme: theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true}), Project: "p1", Now: func() time.Time { return now },
	})
	m.Stop()
	settle(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 50})
	event := func(i int) tea.Msg {
		return tui.Event(koda.Event{Project: "p1", Type: koda.EventMessage, Payload: koda.MessageAdded{Role: "assistant", Content: fmt.Sprintf("Step %d: the ball is placed, and its shadow follows it to the floor.", i)}})
	}
	for i := range 10_000 {
		m.Update(event(i))
	}
	for i := 0; b.Loop(); i++ {
		m.Update(event(i))
		m.View()
	}
}

// BenchmarkStudio_Picture is the view of a preview whose frame changes each time.
func BenchmarkStudio_Picture(b *testing.B) {
	th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true})
	m := tui.New(b.Context(), tui.Config{Session: &script{next: previewed(), clip: &clip{}}, Theme: th, Project: "p1", Now: func() time.Time { return now }})
	m.Stop()
	settle(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 50})
	m.Update(keyOf(" "))
	for b.Loop() {
		_, cmd := m.Update(keyOf("right"))
		if cmd != nil {
			m.Update(cmd())
		}
		m.View()
	}
}

// settle runs a command and all that follow from it.
func settle(m *tui.Studio, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			settle(m, c)
		}
		return
	}
	_, next := m.Update(msg)
	settle(m, next)
}
