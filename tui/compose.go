package tui

import (
	"io"
	"regexp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// editing is a run of a program of the person, such as the editor, for which the studio leaves the terminal.
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
	if s, ok := m.at.(planScreen); ok && s.edits() {
		text, m.written = planText(s.p), s.p
	} else if _, l, on := typing(m.at); on {
		text = l.unfolded(l.area.Value())
	}
	run, err := m.cfg.Session.Compose(text)
	if err != nil {
		m.fail(err)
		return nil
	}
	e := &editing{run: run}
	return tea.Exec(e, func(err error) tea.Msg { return composedMsg{e.text, err} })
}

// edits reports whether the plan, and no text, goes to the editor.
func (s planScreen) edits() bool { return s.mode == "" && s.in.empty() }

// composed takes what came out of the editor.
func (m *Studio) composed(msg composedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	s, ok := m.at.(planScreen)
	if t, l, on := typing(m.at); on && (!ok || !s.edits()) {
		m.at = t.retype(l.with(theme.Clean(msg.text)))
	} else if ok {
		wish := planChange(m.written, msg.text)
		switch {
		case wish == "":
			m.notice = "Nothing was changed."
		case planText(s.p) != planText(m.written): // another process changed it meanwhile: the person looks first
			s.in = s.in.with(wish)
			m.at = s
		default:
			return m.do(change{what: wish})
		}
	}
	return nil
}

// fail shows an error in one line.
func (m *Studio) fail(err error) {
	m.notice = koda.Sentence(err)
	if hint := koda.HintOf(err); hint != "" {
		m.notice += " " + theme.Clean("("+keyed(hint, m.stand.Project.Name, free(m.at))+")")
	}
}

// doneBy is what the hints of keys say that do in the studio what a command does.
var doneBy = map[string][]string{
	"accept": {"accept"}, "reject": {"reject"}, "undo": {"undo"}, "redo": {"redo"}, "history": {"versions"},
	"resume": {"go on", "try again"}, "list": {"projects"}, "new": {"new video"},
}

var commandNamed = regexp.MustCompile("`koda ([a-z]+)(?: ([^` ]+))?`|\\bkoda (accept|undo|redo|history|resume)\\b(?: ([\\w-]+))?")

// keyed is a hint with keys of a screen in place of the commands about a project that they are for.
func keyed(text, project string, keys []hint) string {
	return commandNamed.ReplaceAllStringFunc(text, func(text string) string {
		words := strings.Fields(strings.Trim(text, "`"))
		at := slices.IndexFunc(keys, func(h hint) bool { return h.key != "" && slices.Contains(doneBy[words[1]], h.what) })
		switch {
		case at < 0:
			return text
		case len(words) == 3 && words[2] != project && text[0] != '`':
			return keys[at].key + " " + words[2] // the sentence goes on
		case len(words) == 3 && words[2] != project:
			return text
		}
		return keys[at].key
	})
}

// free are the hints of a screen whose line is empty.
func free(s screen) []hint {
	if r, ok := s.(remarker); ok {
		return r.bare()
	}
	return s.help()
}
