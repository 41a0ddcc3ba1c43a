package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Times between two beats: of a playing preview and of the spinner, and of ages.
const (
	quick = time.Second / 12
	slow  = time.Minute
)

// mover is a screen that changes by itself.
type mover interface {
	// moves is the time between two changes; 0: the screen stands.
	moves() time.Duration
}

func (workScreen) moves() time.Duration { return quick }

func (projectsScreen) moves() time.Duration { return slow }

func (s previewScreen) moves() time.Duration {
	if s.playing {
		return quick
	}
	return 0
}

// pulse knows which beat comes next.
type pulse struct {
	stopped bool          // a test brings the beats
	next    int           // number of the beat that counts
	due     time.Duration // how long it takes; 0: none comes
}

// beatMsg says that something moves.
type beatMsg struct{ number int }

// moves is the time between two beats of the screen; 0: nothing moves.
func (m *Studio) moves() time.Duration {
	if s, ok := m.at.(mover); ok {
		return s.moves()
	}
	return 0
}

// beat is the next beat, if one is needed that does not come yet.
func (m *Studio) beat() tea.Cmd {
	p, wait := &m.pulse, m.moves()
	if p.stopped || wait == 0 || p.due > 0 && p.due <= wait {
		return nil
	}
	p.next, p.due = p.next+1, wait
	number := p.next
	return func() tea.Msg {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return beatMsg{number}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// moved moves what moves.
func (m *Studio) moved(msg beatMsg) tea.Cmd {
	if msg.number != m.pulse.next {
		return nil // a quicker one has begun
	}
	m.pulse.due = 0
	m.tick++
	switch s := m.at.(type) {
	case previewScreen:
		m.at = s.advance(quick.Seconds())
		return m.picture()
	case workScreen:
		s.now = m.cfg.Now()
		m.at = s
	case projectsScreen:
		s.now = m.cfg.Now()
		m.at = s
	}
	return nil
}
