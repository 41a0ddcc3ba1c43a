package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// away is a wait: of a project for the person, or of the person for another process.
type away struct {
	stop context.CancelFunc
	done chan struct{}
}

// awayMsg says that a project was put to rest while the person was away.
type awayMsg struct{ of *away }

// idle tells the session that the project waits for the person, from now on. Where
// another process works on the project, it shows what that does.
func (m *Studio) idle() tea.Cmd {
	before := m.up()
	id, watch := m.stand.Project.ID, m.stand.Busy
	if id == "" || m.work != nil || !watch && (m.stand.Waiting == ForNothing || m.stand.Waiting == ForRetry) {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	a := &away{stop, make(chan struct{})}
	m.away = a
	return func() tea.Msg {
		defer close(a.done)
		defer stop()
		before.wait()
		if ctx.Err() != nil {
			return nil
		}
		if watch {
			stand, err := m.cfg.Session.Watch(ctx, id)
			if ctx.Err() != nil {
				return nil
			}
			return stoodMsg{stand: stand, err: err}
		}
		suspended, err := m.cfg.Session.Away(ctx, id)
		switch {
		case err != nil:
			return noticeMsg{koda.Sentence(err)}
		case suspended && ctx.Err() == nil:
			return awayMsg{a}
		}
		return nil
	}
}

// rest ends all waits, and returns the last one for the person that was ended.
func (m *Studio) rest() *away {
	if m.eye != nil {
		m.eye.stop()
		m.eye = nil
	}
	return m.up()
}

// up ends the wait for the person.
func (m *Studio) up() *away {
	if m.away != nil {
		m.away.stop()
		m.rested = m.away
	}
	m.away, m.asleep = nil, false
	return m.rested
}

// wait waits until a wait that was ended is over, so that nobody holds the project.
func (a *away) wait() {
	if a != nil {
		<-a.done
	}
}

// alive takes a sign of life of the person: the time until the project is put to rest
// begins anew. If it is at rest already, the sign wakes it, and does nothing else, unless it is a letter.
func (m *Studio) alive() (woke bool, cmd tea.Cmd) {
	if m.away == nil || m.stand.Busy {
		return false, nil
	}
	woke = m.asleep
	if woke {
		m.notice = ""
	}
	return woke, m.idle()
}

// asleepText is what a suspended project says.
const asleepText = "You were away: the project is saved and at rest. Any key wakes it."

// slept shows that the project was put to rest.
func (m *Studio) slept(msg awayMsg) {
	if msg.of == m.away {
		m.asleep, m.notice = true, asleepText
	}
}
