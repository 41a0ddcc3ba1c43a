package tui

import (
	"context"
	"strings"
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
	looks  bool   // it only looks where a project stands
	making bool   // a new project
	again  intent // what makes the call again, if its failure has a screen of its own
	text   string // that the person typed for it
}

// do makes of an intent what it means, and remembers what the person typed.
func (m *Studio) do(want intent) tea.Cmd {
	was, text := m.work, said(want)
	cmd := tea.Batch(m.keep(text), m.act(want))
	if m.work != nil && m.work != was {
		m.work.text = text
	}
	return cmd
}

// keep remembers a text that the person typed.
func (m *Studio) keep(text string) tea.Cmd {
	if n := len(m.past.lines); text == "" || n > 0 && m.past.lines[n-1] == text {
		return nil
	}
	m.past = m.past.add(text)
	return func() tea.Msg {
		m.cfg.Session.Keep(text)
		return nil
	}
}

func (m *Studio) act(want intent) tea.Cmd {
	id, seen := m.stand.Project.ID, m.stand.Seen
	if s, ok := m.at.(briefScreen); ok {
		m.draft = s
	}
	switch w := want.(type) {
	case leave:
		return m.leave()
	case browse:
		m.rest()
		m.stand, m.later = Standing{}, nil
		m.close()
		if s, ok := m.at.(projectsScreen); ok && !w.filtered {
			s.filter, s.at = "", 0
			m.at = s
		}
		return func() tea.Msg {
			all, err := m.cfg.Session.Projects(m.ctx)
			return projectsMsg{all, err}
		}
	case begin:
		m.rest()
		m.stand, m.later = Standing{}, nil
		m.close()
		cmd := m.brief(m.draft)
		if printable(w.k) {
			cmd = tea.Batch(cmd, m.key(w.k))
		}
		return cmd
	case open:
		m.at = newWork(opening, story{}, m.cfg.Now())
		return m.call("", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Stand(ctx, w.id) })
	case create:
		m.stand, m.story = Standing{}, story{}
		cmd := m.call("Thinking of what is asked", func(ctx context.Context) (Standing, error) { return m.cfg.Session.New(ctx, w.b) })
		m.work.making = true
		return cmd
	case choose:
		return m.call("Thinking of a plan", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Answer(ctx, id, seen, w.a) })
	case accept:
		return m.call("Beginning", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Accept(ctx, id, seen, w.names()...) })
	case reject:
		return m.call("Thinking of another plan", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Reject(ctx, id, seen, w.why) })
	case change:
		m.criticise(w.what)
		return m.call("Changing it", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Edit(ctx, id, seen, w.what) })
	case retry:
		return m.call("Going on", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Resume(ctx, id) })
	case goOnWith:
		m.later = append(m.later, w.what)
		cmd := m.do(retry{})
		m.show()
		return cmd
	case undo:
		return m.call("Going back", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Undo(ctx, id) })
	case redo:
		return m.call("Coming back", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Redo(ctx, id) })
	case render:
		cmd := m.call("Rendering "+w.preset, func(ctx context.Context) (Standing, error) { return m.cfg.Session.Render(ctx, id, w.preset) })
		if cmd != nil {
			m.work.again = w
		}
		return cmd
	case query:
		return func() tea.Msg { return w.ask(m.ctx, m.cfg.Session) }
	case say:
		if s, ok := m.at.(workScreen); ok && !s.hasSteps() { // nobody hears it now
			m.later = append(m.later, w.what)
			m.show()
			return nil
		}
		return func() tea.Msg { return saidMsg{w.what, m.cfg.Session.Say(m.ctx, id, w.what)} }
	case choice, folder, record:
		return m.ask(w)
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
	kept, before := m.shelve(), m.rest()
	ctx, stop := context.WithCancel(m.ctx)
	w := &work{stop: stop, began: m.cfg.Now(), looks: what == ""}
	m.work, m.over = w, nil
	if what != "" {
		m.story.thinking = "" // of the work before
		m.at = newWork(what, m.story, m.cfg.Now())
	}
	return tea.Batch(kept, func() tea.Msg {
		defer stop()
		before.wait()
		stand, err := f(ctx)
		return stoodMsg{stand: stand, err: err, work: w}
	})
}

// stood shows the screen of where the project stands.
func (m *Studio) stood(msg stoodMsg) tea.Cmd {
	if m.work == msg.work {
		m.work, m.armed = nil, false
	}
	if msg.work == nil && msg.stand.Project.ID != "" && !msg.stand.Busy { // a key may be meant for the screen of work
		m.swapped = m.cfg.Now()
	}
	before := leftOut(m.stand.State)
	if msg.stand.Project.ID != "" {
		m.stand, m.ended = msg.stand, msg.stand
	}
	stopped := interrupted(msg.err)
	if msg.err != nil {
		m.fail(msg.err)
		if stopped {
			m.notice = "Interrupted; the work is saved."
		}
	}
	if w := msg.work; w != nil && w.from != nil && msg.err != nil && msg.stand.Project.ID == "" {
		m.at, m.stand = w.from, w.stand
		return m.idle()
	}
	if w := msg.work; w != nil && !w.looks && msg.err == nil {
		if m.notice = leftOut(msg.stand.State); m.notice == before {
			m.notice = "" // it was said
		}
	}
	m.close()
	m.over = nil
	if m.stand.Project.ID == "" {
		if m.draft.problem = msg.err; stopped {
			m.draft.problem = nil
		} else {
			m.notice = ""
		}
		return m.brief(m.draft)
	}
	if msg.work != nil && msg.work.making {
		m.draft = newBrief("")
	}
	m.seed()
	was := m.at
	m.at = m.screenOf(m.stand)
	if again := msg.againAfter(); again != nil && m.stand.Waiting == ForNothing {
		m.at = fallen(m.stand, msg.err, again)
	}
	if msg.err != nil && !stopped { // with the keys of this screen
		m.fail(msg.err)
	}
	if e, ok := m.at.(errorScreen); ok {
		if e.tells(msg.err) {
			m.notice = ""
		}
		if msg.err != nil && !stopped && !e.broken { // nobody interrupted it, and saving may be what failed
			e.what = "The work stopped; what was saved before is there"
			m.at = e
		}
	}
	waits := unsent(was, msg)
	if koda.CodeOf(msg.err) == koda.CodeInUse && draft(waits) != "" {
		m.notice = koda.Sentence(msg.err) + "; your text stays below, and enter sends it when that is done"
	}
	m.goOn(waits)
	cmds := []tea.Cmd{m.retell()}
	follows := m.stand.Busy && (msg.work != nil || msg.elsewhere) // else the process at work cannot be followed, or was
	if follows || !m.stand.Busy {
		cmds = append(cmds, m.idle())
	}
	if !follows {
		cmds = append(cmds, m.watch())
	}
	if _, ok := m.at.(previewScreen); ok {
		id := m.stand.Project.ID
		cmds = append(cmds, func() tea.Msg {
			frames, err := m.cfg.Session.Frames(m.ctx, id, 0)
			return framesMsg{id, frames, err}
		})
	}
	return tea.Batch(append(cmds, m.takeIn(msg.err))...)
}

// unsent is the screen before, with the text of a call in its line that another process kept koda
// from hearing.
func unsent(was screen, msg stoodMsg) screen {
	code := koda.CodeOf(msg.err)
	if msg.work == nil || msg.work.text == "" || code != koda.CodeInUse && code != koda.CodeWrongPhase {
		return was
	}
	text := msg.work.text
	if _, in, on := typing(was); on && in.text() != "" {
		text += "\n" + in.text()
	}
	return workScreen{}.again(text)
}

// takeIn sends what waited for the end of work, the first text first. Where no change can be
// made, the texts come into the line.
func (m *Studio) takeIn(failed error) tea.Cmd {
	m.show()
	if len(m.later) == 0 || m.stand.Busy {
		return nil
	}
	was := m.at
	if failed == nil && draft(was) == "" && (m.stand.Waiting == ForPreview || m.stand.Waiting == ForNothing) {
		text := m.later[0]
		m.later = m.later[1:]
		cmd := m.do(change{what: text})
		m.show()
		return cmd
	}
	if t, l, on := typing(was); on {
		m.at = t.retype(l.with(strings.TrimSpace(strings.Join(m.later, "\n") + "\n" + l.text())))
		m.later = nil
		if m.notice != "" && !strings.HasSuffix(m.notice, ".") {
			m.notice += "."
		}
		m.notice = strings.TrimSpace(m.notice + " What you typed meanwhile stands below: enter sends it.")
	}
	return nil
}

// brief shows the screen of a new video, as it was left.
func (m *Studio) brief(s briefScreen) tea.Cmd {
	m.at = s
	if len(s.fields) > 0 {
		return nil
	}
	return m.act(fieldsQuery{})
}

func (m *Studio) leave() tea.Cmd {
	m.rest()
	m.close()
	if m.work != nil {
		m.work.stop()
	}
	if _, l, on := typing(m.at); on && l.text() != "" { // it comes back by the arrow up
		text := l.text()
		return func() tea.Msg {
			m.cfg.Session.Keep(text)
			return tea.Quit()
		}
	}
	return tea.Quit
}
