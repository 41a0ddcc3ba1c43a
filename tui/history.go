package tui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// The messages of the past.
type (
	historyMsg struct {
		id   string
		past History
		err  error
	}
	diffMsg struct {
		of  diff
		d   Diff
		err error
	}
	rivalMsg struct {
		id      string
		version int
		frames  Frames
		err     error
	}
	removedMsg struct {
		p    koda.Project
		left []string
		err  error
		work *work
		from projectsScreen
	}
)

// doVersions does what an intent of the past means.
func (m *Studio) doVersions(want intent) tea.Cmd {
	id := m.stand.Project.ID
	switch w := want.(type) {
	case recall:
		m.close()
		m.at = versionsScreen{id: id, mark: w.mark, ahead: m.stand.Redo}
		return func() tea.Msg {
			past, err := m.cfg.Session.History(m.ctx, id)
			return historyMsg{id, past, err}
		}
	case checkout:
		return m.call(fmt.Sprintf("Going to v%d", w.version), func(ctx context.Context) (Standing, error) { return m.cfg.Session.Checkout(ctx, id, w.version) })
	case fork:
		if m.work != nil {
			return nil
		}
		from, stand := m.at, m.stand
		m.stand = Standing{}
		cmd := m.call("Making "+widget.Line(w.name), func(ctx context.Context) (Standing, error) { return m.cfg.Session.Fork(ctx, w.id, w.version, w.name) })
		m.work.from, m.work.stand = from, stand
		return cmd
	case remove:
		return m.remove(w.p)
	case diff:
		return func() tea.Msg {
			d, err := m.cfg.Session.Diff(m.ctx, id, w.from, w.to)
			return diffMsg{w, d, err}
		}
	case compare:
		m.at = previewScreen{speed: 1, looking: true, version: w.to, mark: w.mark, against: comparing(w.from)}
		return tea.Batch(func() tea.Msg {
			frames, err := m.cfg.Session.Frames(m.ctx, id, w.to)
			return framesMsg{id, frames, err}
		}, m.meet(w.from))
	case meet:
		return m.meet(w.version)
	case tell:
		m.notice = w.text
	}
	return nil
}

// learnVersions takes in what came of it.
func (m *Studio) learnVersions(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		if s, ok := m.at.(versionsScreen); ok && s.id == msg.id {
			if m.at = s.learn(msg.past); msg.err != nil {
				m.notice = koda.Sentence(msg.err)
			}
		}
	case diffMsg:
		if s, ok := m.at.(versionsScreen); ok {
			if msg.err != nil {
				m.notice = koda.Sentence(msg.err)
				return nil
			}
			m.at = newDiff(msg.of, msg.d, s)
		}
	case rivalMsg:
		return m.met(msg)
	case removedMsg:
		return m.removed(msg)
	case thumbMsg:
		m.hang(msg)
	}
	return nil
}

// meet opens the frames to compare the preview with; version 0 is the version that the
// shown one was made from.
func (m *Studio) meet(version int) tea.Cmd {
	id, shown := m.stand.Project.ID, m.stand.Version
	if m.rival != nil {
		return m.picture()
	}
	if s, ok := m.at.(previewScreen); ok && s.version > 0 {
		shown = s.version
	}
	return func() tea.Msg {
		if version == 0 {
			past, err := m.cfg.Session.History(m.ctx, id)
			for _, r := range past.Rows {
				if r.Number == shown {
					version = r.Parent
				}
			}
			if version == 0 {
				if err == nil {
					err = &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("v%d was made from no other version: there is nothing to compare it with", shown)}
				}
				return rivalMsg{id: id, err: err}
			}
		}
		frames, err := m.cfg.Session.Frames(m.ctx, id, version)
		return rivalMsg{id, version, frames, err}
	}
}

// met begins to show the frames that a preview is compared with.
func (m *Studio) met(msg rivalMsg) tea.Cmd {
	s, ok := m.at.(previewScreen)
	if !ok || msg.id != m.stand.Project.ID || m.rival != nil || s.against.mixed == nil || s.against.version != 0 && s.against.version != msg.version {
		if msg.frames != nil {
			_ = msg.frames.Close() //nolint:errcheck // read only
		}
		return nil
	}
	if s.against.version = msg.version; msg.err != nil {
		s.against.why = koda.Sentence(msg.err)
		if hint := koda.HintOf(msg.err); hint != "" {
			s.against.why += " (" + hint + ")"
		}
		m.at = s
		return nil
	}
	m.rival = msg.frames
	s.against.duration = msg.frames.Duration()
	m.at = s.lasting()
	return m.picture()
}

// remove deletes a project, as the one call at work.
func (m *Studio) remove(p koda.Project) tea.Cmd {
	from, ok := m.at.(projectsScreen)
	if !ok || m.work != nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	w := &work{stop: stop}
	m.work, m.at = w, newWork("Deleting "+widget.Line(p.Name), story{}, m.cfg.Now())
	return func() tea.Msg {
		defer stop()
		left, err := m.cfg.Session.Delete(ctx, p.ID)
		return removedMsg{p, left, err, w, from}
	}
}

// removed shows the projects that are left.
func (m *Studio) removed(msg removedMsg) tea.Cmd {
	if m.work == msg.work {
		m.work, m.armed = nil, false
	}
	m.at = msg.from
	switch n := len(msg.left); {
	case msg.err != nil:
		m.notice = koda.Sentence(msg.err)
	case n > 0:
		m.notice = fmt.Sprintf("Deleted %s. These files of yours stay: %s", msg.p.Name, strings.Join(msg.left, ", "))
	default:
		m.notice = "Deleted " + msg.p.Name
	}
	return m.do(browse{filtered: true})
}
