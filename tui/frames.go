package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// opened begins to play the frames of a preview.
func (m *Studio) opened(msg framesMsg) tea.Cmd {
	s, ok := m.at.(previewScreen)
	if !ok || msg.err != nil || msg.id != m.stand.Project.ID {
		if msg.frames != nil {
			_ = msg.frames.Close() //nolint:errcheck // read only
		}
		return nil
	}
	m.close()
	m.frames = msg.frames
	m.opening++
	s.duration, s.step, s.playing = m.frames.Duration(), m.frames.Step(), true
	m.at = s
	return m.picture()
}

// picture asks for the picture at the playhead, unless one is on its way: so frames are
// dropped, and keys are not.
func (m *Studio) picture() tea.Cmd {
	s, ok := m.at.(previewScreen)
	if !ok || m.frames == nil || s.asked || s.frame != nil && s.shown == s.at {
		return nil
	}
	s.asked = true
	m.at = s
	frames, of, at := m.frames, m.opening, s.at
	return func() tea.Msg {
		img, _ := frames.At(at) //nolint:errcheck // a picture that cannot be read is left out
		return frameMsg{of, img, at}
	}
}

// close gives the frames back.
func (m *Studio) close() {
	if m.frames != nil {
		_ = m.frames.Close() //nolint:errcheck // read only
		m.frames = nil
	}
}
