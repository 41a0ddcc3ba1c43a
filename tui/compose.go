package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// editing is a run of the person's editor, for which the studio leaves the terminal.
type editing struct {
	run  func() (string, error)
	text string
}

// Run implements [tea.ExecCommand].
func (e *editing) Run() (err error) {
	e.text, err = e.run()
	return err
}

// SetStdin implements [tea.ExecCommand]: the session knows the terminal.
func (e *editing) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (e *editing) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (e *editing) SetStderr(io.Writer) {}

type composedMsg struct {
	text string
	err  error
}

// compose opens the line that is typed, or the plan, in the person's editor.
func (m *Studio) compose() tea.Cmd {
	text := ""
	if _, l, on := typing(m.at); on {
		text = l.unfolded(l.area.Value())
	} else if s, ok := m.at.(planScreen); ok {
		text, m.written = planText(s.p), s.p
	}
	run, err := m.cfg.Session.Compose(text)
	if err != nil {
		m.fail(err)
		return nil
	}
	e := &editing{run: run}
	return tea.Exec(e, func(err error) tea.Msg { return composedMsg{e.text, err} })
}

// composed takes what came out of the editor.
func (m *Studio) composed(msg composedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	if s, l, on := typing(m.at); on {
		m.at = s.retype(l.with(theme.Clean(msg.text)))
	} else if s, ok := m.at.(planScreen); ok {
		wish := planChange(m.written, msg.text)
		switch {
		case wish == "":
			m.notice = "Nothing was changed."
		case planText(s.p) != planText(m.written): // another process changed it meanwhile: the person looks first
			s.mode, s.in = "change", newLine("").with(wish)
			m.at = s
		default:
			return m.do(change{wish})
		}
	}
	return nil
}

// fail shows an error in one line.
func (m *Studio) fail(err error) {
	m.notice = koda.Sentence(err)
	if hint := koda.HintOf(err); hint != "" {
		m.notice += " " + theme.Clean("("+hint+")")
	}
}
