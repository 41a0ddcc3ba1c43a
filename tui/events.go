package tui

import (
	"bytes"
	"context"
	"errors"
	"image/jpeg"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// The messages of what the screens ask of the session beside its work.
type (
	storyMsg struct {
		project string
		events  []koda.Event
		err     error
	}
	saidMsg struct {
		text string
		err  error
	}
	choiceMsg struct {
		all []Preset
		at  int // the marked one
		err error
	}
	recordMsg struct {
		log string
		err error
	}
)

// Event is the message of an event, for [tea.Program.Send]. The picture of a glimpse is
// read here, outside of the event loop; a picture that cannot be read is left out.
func Event(ev koda.Event) tea.Msg {
	msg := eventMsg{ev: ev}
	if g, ok := ev.Payload.(koda.Glimpse); ok {
		if head, err := jpeg.DecodeConfig(bytes.NewReader(g.JPEG)); err == nil && max(head.Width, head.Height) <= koda.GlimpseSide {
			msg.picture, _ = jpeg.Decode(bytes.NewReader(g.JPEG)) //nolint:errcheck // see above
		}
	}
	return msg
}

// learn takes an event of the open project into its story. The first event of a new
// project says which project is open.
func (m *Studio) learn(msg eventMsg) {
	if m.stand.Project.ID == "" && m.work != nil {
		m.stand.Project.ID = msg.ev.Project
	}
	if msg.ev.Project != m.stand.Project.ID || msg.ev.Project == "" {
		return
	}
	if m.story.project != msg.ev.Project {
		m.story = story{project: msg.ev.Project}
	}
	m.story = m.story.learn(msg.ev, msg.picture)
	m.show()
}

// seed begins the story of the open project with where it stands, until its events are
// there.
func (m *Studio) seed() {
	if m.story.project != m.stand.Project.ID {
		m.story = story{project: m.stand.Project.ID}
	}
	if x := m.stand.State.Execution; x != nil && m.story.seq == 0 {
		m.story.todos, m.story.thinking = x.Todos, x.Thinking
	}
	m.story.spent = m.stand.Spent
}

// show brings the story to the screen.
func (m *Studio) show() {
	if s, ok := m.at.(workScreen); ok {
		s.story, s.later = m.story, m.later
		m.at = s
	}
}

// retell asks for the events of the open project, unless its story is known.
func (m *Studio) retell() tea.Cmd {
	id := m.stand.Project.ID
	if id == "" || m.story.project == id && m.story.seq > 0 {
		return nil
	}
	return func() tea.Msg {
		events, err := m.cfg.Session.Events(m.ctx, id)
		return storyMsg{id, events, err}
	}
}

// retold makes the story of the events that the journal has. If more were published
// meanwhile, the journal is read again.
func (m *Studio) retold(msg storyMsg) tea.Cmd {
	if msg.err != nil || msg.project != m.stand.Project.ID || len(msg.events) == 0 {
		return nil
	}
	next, was := retell(msg.project, msg.events), m.story
	if was.project == msg.project {
		if was.seq > next.seq {
			m.story = story{}
			return m.retell()
		}
		next.render, next.moved, next.glimpse, next.thinking, next.building, next.spent = was.render, was.moved, was.glimpse, was.thinking, was.building, was.spent
	}
	m.story = next
	m.show()
	return nil
}

// said says that the author heard the person, or gives the person their words back.
func (m *Studio) said(msg saidMsg) {
	if msg.err == nil {
		m.notice = "Heard: it is taken in at the next step."
		return
	}
	m.notice = koda.Sentence(msg.err)
	if s, ok := m.at.(workScreen); ok && s.in.empty() {
		m.at = s.again(msg.text)
	}
}

// ask asks the session for what a finished or a failed project can show.
func (m *Studio) ask(want intent) tea.Cmd {
	id, dir := m.stand.Project.ID, m.stand.Project.Dir
	return func() tea.Msg {
		switch w := want.(type) {
		case choice:
			all, err := m.cfg.Session.Presets(m.ctx, id)
			at := slices.IndexFunc(all, func(p Preset) bool { return p.Name == w.preset })
			return choiceMsg{all, max(at, 0), err}
		case record:
			log, err := m.cfg.Session.Log(m.ctx, id)
			return recordMsg{log, err}
		}
		if err := m.cfg.Session.OpenFolder(m.ctx, dir); err != nil {
			return noticeMsg{"The folder is " + dir}
		}
		return nil
	}
}

// answered shows what the session answered.
func (m *Studio) answered(msg tea.Msg) {
	switch msg := msg.(type) {
	case choiceMsg:
		if s, ok := m.at.(doneScreen); ok && len(msg.all) > 0 {
			s.presets, s.at = msg.all, msg.at
			m.at = s
		}
		if msg.err != nil {
			m.notice = koda.Sentence(msg.err)
		}
	case recordMsg:
		if s, ok := m.at.(errorScreen); ok {
			if s.log = msg.log; msg.err != nil {
				s.log = koda.Sentence(msg.err)
			}
			m.at = s
		}
	}
}

// againAfter is what makes a failed call again, if the call failed by itself.
func (msg stoodMsg) againAfter() intent {
	if msg.err == nil || msg.work == nil || interrupted(msg.err) {
		return nil
	}
	return msg.work.again
}

// interrupted reports whether the person ended a call.
func interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || koda.CodeOf(err) == koda.CodeInterrupted
}
