package tui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// opened begins to play the frames of a preview.
func (m *Studio) opened(msg framesMsg) tea.Cmd {
	s, ok := m.at.(previewScreen)
	if ok && msg.err != nil && s.looking {
		s.facts = []widget.Fact{{Name: "no pictures", Value: koda.Sentence(msg.err)}, {Name: "hint", Value: koda.HintOf(msg.err)}}
		m.at = s
	}
	if !ok || msg.err != nil || msg.id != m.stand.Project.ID {
		if msg.frames != nil {
			_ = msg.frames.Close() //nolint:errcheck // read only
		}
		return nil
	}
	if m.frames != nil {
		_ = m.frames.Close() //nolint:errcheck // read only
	}
	m.frames = msg.frames
	m.opening++
	s.version, s.own, s.step, s.playing = m.frames.Version(), m.frames.Duration(), m.frames.Step(), true
	s.playing = s.in.empty()
	if c := m.criticised; !s.looking && c.project == s.project && c.version > 0 && c.version < s.version {
		s.at, m.criticised = s.after(c), previewScreen{}
	} else if l := m.left; !s.looking && l.project == s.project && l.version == s.version {
		s.at, s.playing, s.speed, s.loop = l.at, l.playing, l.speed, l.loop
	}
	s.asked = false
	m.at = s.lasting()
	return m.picture()
}

// criticise notes which moment of a preview a change is about: the scene that it names, or the
// playhead. A video that was seen to its end is criticised as a whole.
func (m *Studio) criticise(what string) {
	s, ok := m.at.(previewScreen)
	if !ok {
		return
	}
	n := 0
	if named := numbered.FindStringSubmatch(what); named != nil {
		n, _ = strconv.Atoi(named[1]) //nolint:errcheck // of digits; 0 if there are too many
	}
	switch {
	case n > 0 && n <= len(s.scenes):
		s.at = s.scenes[n-1].Start
	case s.at >= s.duration:
		s.at = 0
	}
	m.criticised = s
}

// after is where a preview begins that was made because another one was criticised: where the scene
// begins, or at the same moment.
func (s previewScreen) after(c previewScreen) float64 {
	n := c.number()
	switch {
	case c.at <= 0:
		return 0
	case len(c.scenes) > 1 && n > 0 && n <= len(s.scenes):
		return s.scenes[n-1].Start
	case c.at < s.own:
		return c.at
	}
	return 0
}

// picture asks for the picture at the playhead, unless one is on its way, or the terminal
// has enough to do with the one before: so frames are dropped, and keys are not.
func (m *Studio) picture() tea.Cmd {
	s, ok := m.at.(previewScreen)
	both := ok && s.against.how != "" && m.rival != nil
	if !ok || m.frames == nil || s.asked || s.frame != nil && s.shown == s.at && (!both || s.against.shown == s.at) || s.playing && m.out != nil && m.out.busy() {
		return nil
	}
	s.asked = true
	m.at = s
	msg, frames, rival := frameMsg{of: m.opening, at: s.at, both: both}, m.frames, m.rival
	return func() tea.Msg {
		msg.img, _ = frames.At(msg.at) //nolint:errcheck // a picture that cannot be read is left out
		if both {
			msg.other, _ = rival.At(msg.at) //nolint:errcheck // likewise
		}
		return msg
	}
}

// framed shows a picture that was asked for.
func (m *Studio) framed(msg frameMsg) {
	s, ok := m.at.(previewScreen)
	if !ok || msg.of != m.opening {
		return
	}
	s.asked = false
	if msg.img != nil {
		s.frame, s.shown = msg.img, msg.at
	}
	if msg.both {
		s.against.frame, s.against.shown = msg.other, msg.at
	}
	m.at = s
}

// close gives the frames back.
func (m *Studio) close() {
	for _, f := range []*Frames{&m.frames, &m.rival} {
		if *f != nil {
			_ = (*f).Close() //nolint:errcheck // read only
			*f = nil
		}
	}
}
