package tui

import (
	"context"
	"encoding/json"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// changedMsg says that another process changed the project that is shown.
type changedMsg struct {
	of    *away
	stand Standing
	err   error
}

// watch looks from now on for what other processes make of the project that is shown. It
// serves where no process works on the project, or where that process cannot be followed.
func (m *Studio) watch() tea.Cmd {
	if m.eye != nil {
		m.eye.stop()
		m.eye = nil
	}
	saw := m.stand
	if saw.Project.ID == "" || m.work != nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	eye := &away{stop: stop}
	m.eye = eye
	return func() tea.Msg {
		defer stop()
		stand, err := m.cfg.Session.Changed(ctx, saw)
		if ctx.Err() != nil || err == nil && stand.Project.ID == "" {
			return nil
		}
		return changedMsg{eye, stand, err}
	}
}

// changed shows what another process made of the project. A screen that was called up over it
// stays: whoever leaves that screen is shown how the project stands then.
func (m *Studio) changed(msg changedMsg) tea.Cmd {
	if msg.of != m.eye {
		return nil
	}
	m.eye = nil
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	own := false // the screen shows how the project stands
	switch s := m.at.(type) {
	case questionScreen, planScreen, doneScreen, errorScreen, workScreen:
		own = true
	case previewScreen:
		own = !s.looking
	}
	switch {
	case !own:
		if msg.stand.Busy && !m.stand.Busy {
			m.notice = "Another koda works on this project now: esc leads to what it does."
		}
		m.stand = msg.stand
		return m.watch()
	case m.over != nil: // it has the keys: the change is shown when it is closed
		return m.watch()
	case alike(m.stand, msg.stand): // what was asked for was refused
		m.stand = msg.stand
		return m.watch()
	}
	m.story = story{}
	cmd := m.stood(stoodMsg{stand: msg.stand, elsewhere: true})
	m.notice = ""
	if !m.stand.Busy { // a screen of work speaks for itself
		m.notice, m.swapped = "Changed elsewhere: this is how it stands now.", m.cfg.Now()
		if draft(m.at) != "" {
			m.notice += " Your text stays below: enter sends it."
		}
	}
	return cmd
}

// alike reports whether a project shows the same in two standings.
func alike(a, b Standing) bool {
	shown := func(s Standing) string {
		text, err := json.Marshal([]any{s.Waiting, s.Busy, s.Version, s.State.Question, s.State.Plan, s.State.Preview, s.State.Output, s.Videos})
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	return shown(a) == shown(b)
}

// glance is how long a person needs to see that the screen is another one.
const glance = time.Second

// tooSoon reports whether a key was meant for what another process changed just now. Keys
// of a text that is typed go on, and letters begin one.
func (m *Studio) tooSoon(k tea.KeyMsg) bool {
	_, l, on := typing(m.at)
	return !(on && !l.empty()) && !m.begins(k) && m.cfg.Now().Sub(m.swapped) < glance
}

// begins reports whether a key is a letter of a text, whatever the screen is.
func (m *Studio) begins(k tea.KeyMsg) bool {
	_, _, on := typing(m.at)
	return on && k.Type == tea.KeyRunes && !k.Alt
}
