package tui

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// work is a call of the session.
type work struct {
	stop   context.CancelFunc
	from   screen // to show again if nothing came of the call, and
	stand  Standing
	began  time.Time
	looks  bool // it only looks where a project stands
	making bool // a new project
}

// do makes of an intent what it means, and remembers what the person typed.
func (m *Studio) do(want intent) tea.Cmd { return tea.Batch(m.keep(said(want)), m.act(want)) }

// keep remembers a text that the person typed.
func (m *Studio) keep(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	m.past = m.past.add(text)
	return func() tea.Msg {
		m.cfg.Session.Keep(text)
		return nil
	}
}

func (m *Studio) act(want intent) tea.Cmd {
	id := m.stand.Project.ID
	if s, ok := m.at.(briefScreen); ok {
		m.draft = s
	}
	switch w := want.(type) {
	case leave:
		return m.leave()
	case browse:
		m.stand = Standing{}
		m.close()
		return func() tea.Msg {
			all, err := m.cfg.Session.Projects(m.ctx)
			return projectsMsg{all, err}
		}
	case begin:
		m.stand = Standing{}
		m.close()
		return m.brief(m.draft)
	case open:
		m.at = workScreen{what: "Opening"}
		return m.call("", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Stand(ctx, w.id) })
	case create:
		m.stand = Standing{}
		cmd := m.call("Thinking of what is asked", func(ctx context.Context) (Standing, error) { return m.cfg.Session.New(ctx, w.b) })
		m.work.making = true
		return cmd
	case choose:
		return m.call("Thinking of a plan", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Answer(ctx, id, w.a) })
	case accept:
		return m.call("Beginning", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Accept(ctx, id) })
	case reject:
		return m.call("Thinking of another plan", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Reject(ctx, id, w.why) })
	case change:
		return m.call("Changing it", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Edit(ctx, id, w.what) })
	case retry:
		return m.call("Going on", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Resume(ctx, id) })
	case undo:
		return m.call("Going back", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Undo(ctx, id) })
	case redo:
		return m.call("Coming back", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Redo(ctx, id) })
	case say:
		return func() tea.Msg {
			if err := m.cfg.Session.Say(m.ctx, id, w.what); err != nil {
				return noticeMsg{koda.Sentence(err)}
			}
			return noticeMsg{"Heard: it is taken in at the next step."}
		}
	case query:
		return func() tea.Msg { return w.ask(m.ctx, m.cfg.Session) }
	case look:
		return m.picture()
	}
	return m.serve(want)
}

// call makes a call of the session, and shows that koda works.
func (m *Studio) call(what string, f func(context.Context) (Standing, error)) tea.Cmd {
	if m.work != nil {
		return nil
	}
	m.rest()
	ctx, stop := context.WithCancel(m.ctx)
	w := &work{stop: stop, began: m.cfg.Now(), looks: what == ""}
	m.work, m.over = w, nil
	if what != "" {
		s := workScreen{what: what}
		if x := m.stand.State.Execution; x != nil && m.stand.Waiting == ForRetry {
			s.todos = x.Todos
		}
		m.at = s
	}
	return func() tea.Msg {
		defer stop()
		stand, err := f(ctx)
		return stoodMsg{stand, err, w}
	}
}

// stood shows the screen of where the project stands.
func (m *Studio) stood(msg stoodMsg) tea.Cmd {
	if m.work == msg.work {
		m.work, m.armed = nil, false
	}
	if msg.stand.Project.ID != "" {
		m.stand, m.ended = msg.stand, msg.stand
	}
	interrupted := errors.Is(msg.err, context.Canceled) || koda.CodeOf(msg.err) == koda.CodeInterrupted
	if msg.err != nil {
		m.fail(msg.err)
		if interrupted {
			m.notice = "Interrupted; the work is saved."
		}
	}
	if w := msg.work; w.from != nil && msg.err != nil && msg.stand.Project.ID == "" {
		m.at, m.stand = w.from, w.stand
		return m.idle()
	}
	m.close()
	m.over = nil
	if m.stand.Project.ID == "" {
		if m.draft.problem = msg.err; interrupted {
			m.draft.problem = nil
		} else {
			m.notice = ""
		}
		return m.brief(m.draft)
	}
	if msg.work.making {
		m.draft = newBrief("")
	}
	m.at = m.screenOf(m.stand)
	cmds := []tea.Cmd{m.idle()}
	if _, ok := m.at.(previewScreen); ok {
		id := m.stand.Project.ID
		cmds = append(cmds, func() tea.Msg {
			frames, err := m.cfg.Session.Frames(m.ctx, id, 0)
			return framesMsg{id, frames, err}
		})
	}
	return tea.Batch(cmds...)
}

// brief shows the screen of a new video, as it was left.
func (m *Studio) brief(s briefScreen) tea.Cmd {
	m.at = s
	if len(s.fields) > 0 {
		return nil
	}
	return m.act(fieldsQuery{})
}

// idle tells the session that the project waits for the person.
func (m *Studio) idle() tea.Cmd {
	if m.stand.Waiting == ForNothing || m.stand.Waiting == ForRetry || m.stand.Busy {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.away = stop
	id := m.stand.Project.ID
	return func() tea.Msg {
		if err := m.cfg.Session.Away(ctx, id); err != nil {
			return noticeMsg{koda.Sentence(err)}
		}
		return nil
	}
}

// rest ends the waiting for the person.
func (m *Studio) rest() {
	if m.away != nil {
		m.away()
		m.away = nil
	}
}

func (m *Studio) leave() tea.Cmd {
	m.rest()
	m.close()
	if m.work != nil {
		m.work.stop()
	}
	return tea.Quit
}
