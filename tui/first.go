package tui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// firstScreen says what this machine lacks, what it is for, and how to get it. It lies over
// the screen where the studio is, so that the person can go on without.
type firstScreen struct {
	lacks Machine
	again bool // the machine is being checked again
	text  scroll
}

type (
	// install runs commands that get what is missing.
	install      struct{ commands []string }
	installedMsg struct{ err error }
	machineQuery struct{ again bool }
	machineMsg   struct {
		machine Machine
		err     error
		again   bool
	}
)

func (q machineQuery) ask(ctx context.Context, s Session) tea.Msg {
	machine, err := s.Machine(ctx)
	return machineMsg{machine, err, q.again}
}

func (s firstScreen) key(k tea.KeyMsg) (screen, intent) {
	return pressed(s, k)
}

func (s firstScreen) view(c canvas) string {
	lines := []string{c.th.Title.Render(widget.Cut("Something is missing here", c.width, c.th.Glyphs.Ellipsis)), ""}
	hang := func(head, text string) {
		indent := ansi.StringWidth(head)
		for i, l := range widget.Wrap(text, c.width-indent) {
			if i > 0 {
				head = strings.Repeat(" ", indent)
			}
			lines = append(lines, head+l)
		}
	}
	for _, n := range s.lacks.Needs {
		hang(c.th.Bad.Render(strings.TrimSpace(c.th.Glyphs.Bad))+" "+c.th.Title.Render(widget.Line(n.Name))+"  ", widget.Line(n.For))
		hang("  ", widget.Line(n.Why))
		for _, fix := range n.Fix {
			hang("  "+c.th.Accent.Render(c.th.Glyphs.Arrow)+" ", fix)
		}
		lines = append(lines, "")
	}
	how := "Type the commands in another terminal, then press enter."
	if len(s.commands()) > 0 {
		how = "i runs the commands here; or type them in another terminal, then press enter."
	}
	for _, l := range widget.Wrap("Until it is there koda makes plans, but no videos. "+how+" "+s.lacks.Note, c.width) {
		lines = append(lines, c.th.Muted.Render(l))
	}
	if s.again {
		lines = append(lines, "", c.th.Accent.Render(c.th.Spin(c.tick))+" "+c.th.Text.Render("Looking again"))
	}
	return strings.Join(s.text.view(c, lines, c.height), "\n")
}

// commands are those that the studio may run for the person.
func (s firstScreen) commands() (all []string) {
	for _, n := range s.lacks.Needs {
		if n.Runs {
			all = append(all, n.Fix...)
		}
	}
	return all
}

func (s firstScreen) help() []hint {
	again := s
	again.again = true
	hints := []hint{
		{key: "enter", what: "check again", also: "r", do: wants(again, machineQuery{again: true})},
	}
	if commands := s.commands(); len(commands) > 0 {
		hints = append(hints, hint{key: "i", what: "install", do: wants(s, install{commands})})
	}
	if s.text.more() {
		hints = append(hints, s.text.hint(func(t scroll) screen { s.text = t; return s }))
	}
	return append(hints, hint{key: "esc", what: "go on without", also: "q", do: wants(nil, nil)})
}

// install leaves the terminal to commands that get what is missing.
func (m *Studio) install(commands []string) tea.Cmd {
	run := m.cfg.Session.Install(commands)
	return tea.Exec(&editing{run: func() (string, error) { return "", run() }}, func(err error) tea.Msg { return installedMsg{err} })
}

// installed looks again at what is missing.
func (m *Studio) installed(msg installedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	if m.first != nil {
		m.first.again = true
	}
	return m.act(machineQuery{again: true})
}

// machine takes in what this machine lacks. Only what is missing is said, and the person is
// asked once; when they checked again and all is there, they go on.
func (m *Studio) machine(msg machineMsg) {
	switch {
	case msg.again && m.first == nil: // they went on meanwhile
	case msg.err != nil:
		m.first = nil
		m.notice = koda.Sentence(msg.err)
	case len(msg.machine.Needs) > 0:
		m.first = &firstScreen{lacks: msg.machine, text: newScroll()}
		if msg.again {
			m.notice = "It is still missing."
		}
	default:
		m.first = nil
		if msg.again {
			m.notice = "Everything is there now."
		}
	}
}

// passed takes what the screen over the others became: nothing, if the person goes on.
func (m *Studio) passed(next screen) {
	m.first = nil
	if s, ok := next.(firstScreen); ok {
		m.first = &s
	}
}
