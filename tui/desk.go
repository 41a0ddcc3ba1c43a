package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// everywhere are the keys that mean the same on all screens.
func (m *Studio) everywhere() []hint {
	list := []hint{
		{key: "f1", what: "keys", more: "show all keys", do: wants(m.at, showKeys{})},
		{key: "ctrl+p", what: "do", more: "find what can be done, and do it", do: wants(m.at, showPalette{})},
	}
	_, _, on := typing(m.at)
	if on {
		h := hint{key: "ctrl+o", what: "editor", more: "write it in your own editor", do: wants(m.at, compose{})}
		if s, ok := m.at.(planScreen); ok && s.edits() {
			h.more = "change the plan in your own editor"
		}
		list = append(list, h)
	}
	list = append(list, hint{key: "ctrl+z", what: "suspend", more: "back to the shell; fg comes back", do: wants(m.at, suspend{})})
	if m.work != nil {
		list = append(list, hint{key: "ctrl+s", what: "projects", more: "show all projects, when the work is done", do: wants(m.at, tell{"Koda is at work: ctrl+c interrupts, and the work is saved; then ctrl+s shows the projects."})})
		return append(list, hint{key: "ctrl+c", what: "interrupt; the work is saved", more: "interrupt the work, which is saved; twice: leave"})
	}
	return append(list, hint{key: "ctrl+s", what: "projects", more: "show all projects", do: wants(m.at, browse{})},
		hint{key: "ctrl+c", what: "leave", more: "leave koda (quit)"})
}

// commands are all that can be done now: by the keys of the screen, and without a key.
func (m *Studio) commands() []command {
	var more []hint
	if m.work == nil {
		more = append(more, hint{what: "new video", more: "begin a new video", do: wants(m.at, begin{})})
		if m.stand.Project.ID != "" && !m.stand.Busy && m.stand.Waiting != ForRetry {
			before := "go back to the version before"
			if m.stand.Waiting == ForAnswer {
				before = "go back to the plan before"
			}
			more = append(more, hint{what: "undo", more: before, do: wants(m.at, undo{})})
			if m.stand.Redo {
				more = append(more, hint{what: "redo", more: "come back to the version after", do: wants(m.at, redo{})})
			}
		}
	}
	if videoOf(m.stand.State) != "" {
		more = append(more, hint{what: "copy path", more: "copy the path of the video", do: wants(m.at, copyPath{})})
	}
	if m.stand.Project.ID != "" {
		more = append(more, hint{what: "about", more: "show what is known of the project", do: wants(m.at, showProject{})},
			hint{what: "open folder", more: "open the folder of the project", do: wants(m.at, folder{})})
	}
	more = append(more, m.everywhere()...)
	more = append(more, hint{what: "leave", more: "leave koda (quit); the work is saved", do: wants(m.at, leave{})})
	out := slices.DeleteFunc(commands(m.at.help()), func(c command) bool { return c.key == "/" })
	for _, c := range commands(more) {
		if c.key != "ctrl+p" && !slices.ContainsFunc(out, func(o command) bool { return o.word == c.word }) {
			out = append(out, c)
		}
	}
	return out
}

// serve does the intents that are no call of the session.
func (m *Studio) serve(want intent) tea.Cmd {
	switch w := want.(type) {
	case showKeys:
		m.over = keysScreen{here: spelled(m.cfg.Theme, m.at.help()), everywhere: m.everywhere(), text: newScroll()}
	case showPalette:
		m.over = paletteScreen{all: m.commands()}
	case showProject:
		m.over = projectScreen{aboutProject(m.stand), newScroll()}
	case press:
		if k, ok := keyNamed(w.key); ok {
			return m.key(k)
		}
	case copyPath:
		return m.copy(videoOf(m.stand.State))
	case compose:
		return m.compose()
	case install:
		return m.install(w.commands)
	case suspend:
		return tea.Suspend
	}
	return m.doVersions(want)
}

// copy puts a path on the person's clipboard.
func (m *Studio) copy(path string) tea.Cmd {
	if path == "" {
		m.notice = "There is no video yet."
		return nil
	}
	m.notice = "Copied, if the terminal allows it: " + path
	return m.aside(theme.Open(theme.Clipboard(path, m.cfg.Terminal.Tmux)))
}

// mouse presses keys of the foot, marks rows, moves through lists, and moves the playhead.
func (m *Studio) mouse(e tea.MouseMsg) tea.Cmd {
	front := m.front()
	switch {
	case m.hidden():
		return nil
	case e.Button == tea.MouseButtonWheelUp:
		return m.wheel(tea.KeyMsg{Type: tea.KeyUp})
	case e.Button == tea.MouseButtonWheelDown:
		return m.wheel(tea.KeyMsg{Type: tea.KeyDown})
	case e.Button != tea.MouseButtonLeft || e.Action == tea.MouseActionRelease:
		return nil
	case e.Y == m.height-1 && e.Action == tea.MouseActionPress:
		return m.act(press{clicked(spelled(m.cfg.Theme, front.help()), m.canvas().width, e.X-margin)})
	}
	row := -1
	if body, y := m.body(m.canvas()), e.Y-1-m.gap(); y >= 0 && y < len(body) {
		row = widget.RowOf(body[y])
	}
	s, preview := front.(previewScreen)
	list, rows := front.(lister)
	switch {
	case preview && row >= 0:
		s.playing = false
		next, want := s.to(widget.RulerTime(s.duration, e.X-margin, m.width-2*margin))
		m.at = next
		return m.do(want)
	case preview && s.against.how != "":
		m.at = s.grab(e.X-margin, m.canvas().width)
	case rows && e.Action == tea.MouseActionPress && row >= 0:
		m.notice = ""
		return m.became(list.point(row))
	}
	return nil
}

// wheel moves what is long, also while a text is typed below it.
func (m *Studio) wheel(k tea.KeyMsg) tea.Cmd {
	r, ok := m.front().(remarker)
	if !ok {
		return m.give(k)
	}
	if h, ok := hit(r.bare(), k); ok {
		return m.became(h.do(k.String()))
	}
	return nil
}

// lister is a screen with rows to point at, marked by [widget.Row].
type lister interface {
	// point marks a row; if the row is marked already, it does what enter does.
	point(row int) (screen, intent)
}
