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
	if s.typing {
		next, sent, back := s.in.typing(k)
		s.in, s.typing = next, !back && sent == ""
		if sent != "" {
			return s, say{sent}
		}
		return s, nil
	}
	if printable(k) && len(s.todos) > 0 {
		s.typing, s.in = true, newLine("say what should be different; koda takes it in at the next step").key(k)
		return s, nil
	}
	if k.String() == "esc" && s.watching {
		return s, browse{}
	}
	return s, nil
}

func (s workScreen) view(c canvas) string {
	var parts []string
	if s.watching {
		parts = append(parts, c.th.Warn.Render("Another koda works on this project; this is what it does."))
	}
	if len(s.todos) == 0 {
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

func (s workScreen) help() []hint {
	switch {
	case s.typing:
		return []hint{{"enter", "send"}, {"esc", "back"}}
	case s.watching:
		return []hint{{"type", "to say something"}, {"esc", "projects"}}
	case len(s.todos) > 0:
		return []hint{{"type", "to say something"}, {"ctrl+c", "interrupt; the work is saved"}}
	}
	return []hint{{"ctrl+c", "interrupt; the work is saved"}}
}

// doneScreen shows a finished video, or why there is none.
type doneScreen struct {
	title  string
	good   bool
	facts  []widget.Fact
	detail string
	retry  bool // trying again may help
	typing bool
	in     line
	edit   bool // the video can be changed
}

func (s doneScreen) key(k tea.KeyMsg) (screen, intent) {
	if s.typing {
		next, sent, back := s.in.typing(k)
		s.in, s.typing = next, !back
		if sent != "" {
			return s, change{sent}
		}
		return s, nil
	}
	switch k.String() {
	case "enter":
		if s.retry {
			return s, retry{}
		}
		return s, browse{}
	case "c":
		if s.edit {
			s.typing, s.in = true, newLine("what should be different?")
		}
	case "u":
		if s.edit {
			return s, undo{}
		}
	case "n":
		return s, begin{}
	case "esc":
		return s, browse{}
	case "q":
		return s, leave{}
	}
	return s, nil
}

func (s doneScreen) view(c canvas) string {
	mark := c.th.Bad.Render(c.th.Glyphs.Bad)
	if s.good {
		mark = c.th.Good.Render(c.th.Glyphs.OK)
	}
	var head []string
	for i, l := range widget.Wrap(s.title, c.width-2) {
		if i == 0 {
			l = mark + " " + c.th.Title.Render(l)
		} else {
			l = "  " + c.th.Title.Render(l)
		}
		head = append(head, l)
	}
	parts := []string{strings.Join(head, "\n")}
	if len(s.facts) > 0 {
		parts = append(parts, widget.Facts(c.th, s.facts, c.width))
	}
	if s.typing {
		parts = append(parts, s.in.view(c, 3))
	}
	if s.detail != "" {
		parts = append(parts, c.th.Muted.Render(strings.Join(widget.Wrap(s.detail, c.width), "\n")))
	}
	return fit(strings.Join(parts, "\n\n"), c.height, false)
}

func (s doneScreen) help() []hint {
	if s.typing {
		return []hint{{"enter", "send"}, {"esc", "back"}}
	}
	var hints []hint
	if s.retry {
		hints = append(hints, hint{"enter", "try again"})
	}
	if s.edit {
		hints = append(hints, hint{"c", "change"}, hint{"u", "undo"})
	}
	return append(hints, hint{"n", "new video"}, hint{"esc", "projects"}, hint{"q", "leave"})
}
