package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// workScreen shows koda at work: todos, what it does at the moment, what it said, the
// render. What a person types becomes a todo.
type workScreen struct {
	what     string // "koda thinks", before there are todos
	todos    []koda.Todo
	thinking string
	said     []string // the last messages
	render   *koda.Progress
	typing   bool
	in       line
	watching bool // another process works
	folded   bool // the todos are hidden
}

const keptLines = 200 // messages that stay on the screen's mind

// learn takes an event in.
func (s workScreen) learn(ev koda.Event) workScreen {
	switch p := ev.Payload.(type) {
	case koda.StateChange:
		if x := p.State.Execution; x != nil {
			s.todos = append([]koda.Todo(nil), x.Todos...)
		}
	case koda.TodoUpdate:
		s = s.mark(p)
	case koda.Thinking:
		s.thinking = p.Message
	case koda.FileWritten:
		s.thinking = "writing " + p.Path
	case koda.MessageAdded:
		if p.Role != koda.RoleUser {
			s.said = keep(s.said, p.Content)
		}
	case koda.Warned:
		s.said = keep(s.said, "warning: "+p.Message)
	case koda.Progress:
		s.render = &p
	}
	return s
}

func (s workScreen) mark(u koda.TodoUpdate) workScreen {
	todos := append([]koda.Todo(nil), s.todos...)
	for i := range todos {
		if todos[i].ID == u.TodoID {
			todos[i].Status = u.Status
			s.todos = todos
			return s
		}
	}
	s.todos = append(todos, koda.Todo{ID: u.TodoID, Label: u.Label, Status: u.Status})
	return s
}

func keep(list []string, text string) []string {
	list = append(append([]string(nil), list...), text)
	return list[max(len(list)-keptLines, 0):]
}

func (s workScreen) key(k tea.KeyMsg) (screen, intent) {
	if s.typing && k.Type != tea.KeyCtrlT {
		next, sent, back := s.in.typing(k)
		s.in, s.typing = next, !back && sent == ""
		if sent != "" {
			return s, say{sent}
		}
		return s, nil
	}
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	if printable(k) && len(s.todos) > 0 {
		s.typing, s.in = true, newLine("say what should be different; koda takes it in at the next step").key(k)
		return s, nil
	}
	return s, nil
}

func (s workScreen) view(c canvas) string {
	var parts []string
	if s.watching {
		parts = append(parts, c.th.Warn.Render("Another koda works on this project; this is what it does."))
	}
	if len(s.todos) == 0 || s.folded {
		parts = append(parts, c.th.Accent.Render(c.th.Spin(c.tick))+" "+c.th.Text.Render(s.what)+note(c, s.thinking))
	} else {
		parts = append(parts, widget.Todos(c.th, s.todos, s.thinking, c.tick, c.width))
	}
	if s.render != nil && s.render.Frames > 0 {
		parts = append(parts, widget.Progress(c.th, string(s.render.Kind), *s.render, c.width))
	}
	if s.typing {
		parts = append(parts, s.in.view(c, 3))
	}
	used := 0
	for _, p := range parts {
		used += strings.Count(p, "\n") + 2
	}
	if room := c.height - used; room > 1 && len(s.said) > 0 {
		var lines []string
		for _, text := range s.said {
			for _, l := range widget.Wrap(theme.Clean(text), c.width) {
				lines = append(lines, c.th.Muted.Render(l))
			}
		}
		parts = append(parts, fit(strings.Join(lines, "\n"), room, true))
	}
	return fit(strings.Join(parts, "\n\n"), c.height, true)
}

func note(c canvas, text string) string {
	if text = widget.Line(text); text == "" {
		return ""
	}
	return c.th.Muted.Render(" " + c.th.Glyphs.Dash + " " + widget.Cut(text, max(c.width-24, 8), c.th.Glyphs.Ellipsis))
}

// fold hides the todos, or shows them again.
func (s workScreen) fold() hint {
	return hint{key: "ctrl+t", what: "todos", more: "hide the todos, or show them", do: func(string) (screen, intent) {
		s.folded = !s.folded
		return s, nil
	}}
}

func (s workScreen) help() []hint {
	if s.typing {
		return append([]hint{s.fold()}, s.in.help("send", "back")...)
	}
	var hints []hint
	if len(s.todos) > 0 {
		hints = append(hints, hint{key: "type", what: "to say something", more: "say what should be different: it becomes a todo"}, s.fold())
	}
	if s.watching {
		hints = append(hints, hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})})
	} else {
		hints = append(hints, hint{key: "ctrl+c", what: "interrupt; the work is saved"})
	}
	return append(hints, askKeys(s))
}
