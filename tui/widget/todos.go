package widget

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// LeftOut says of a todo that the author did not do it.
const LeftOut = "left out"

// Todos is the list of steps, one line each. The note says what the active step is
// doing; tick turns its spinner.
//
//	✓ Set up the project
//	◐ Scene 1: Drop — writing src/scenes/Drop.tsx
//	○ Scene 2: Bounce
//	– Change: a spaceship (left out)
func Todos(th theme.Theme, todos []koda.Todo, note string, tick, width int) string {
	lines := make([]string, len(todos))
	for i, todo := range todos {
		lines[i] = Todo(th, todo, note, tick, width)
	}
	return join(lines)
}

// Todo is one line of Todos.
func Todo(th theme.Theme, todo koda.Todo, note string, tick, width int) string {
	mark, label := th.Muted.Render(th.Glyphs.Pending), th.Muted
	switch todo.Status {
	case koda.TodoActive:
		mark, label = th.Accent.Render(th.Spin(tick)), th.Text
	case koda.TodoDone:
		mark, label = th.Good.Render(th.Glyphs.Done), th.Text
	case koda.TodoPending:
	}
	left := ""
	if todo.LeftOut != "" {
		mark, label, left = th.Warn.Render(th.Glyphs.LeftOut), th.Muted, " ("+LeftOut+")"
	}
	room := width - ansi.StringWidth(mark) - 1
	text := Cut(Line(todo.Label), room-len(left), th.Glyphs.Ellipsis)
	line := mark + " " + label.Render(text) + th.Warn.Render(left)
	if note = Line(note); note == "" || todo.Status != koda.TodoActive {
		return line
	}
	note = " " + th.Glyphs.Dash + " " + note
	if room -= ansi.StringWidth(text); room < 12 && room < ansi.StringWidth(note) {
		return line // a note of a few letters tells nothing
	}
	return line + th.Muted.Render(Cut(note, room, th.Glyphs.Ellipsis))
}
