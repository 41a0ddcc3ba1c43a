package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// planScreen shows a plan for the person to accept.
type planScreen struct {
	p    koda.Plan
	top  int    // the first line shown
	mode string // what is typed: "", "change", "reject"
	in   line
}

func (s planScreen) key(k tea.KeyMsg) (screen, intent) {
	name := k.String()
	if s.mode != "" {
		next, sent, back := s.in.typing(k)
		s.in = next
		switch {
		case back:
			s.mode = ""
		case sent != "" && s.mode == "reject":
			return s, reject{sent}
		case sent != "":
			return s, change{sent}
		}
		return s, nil
	}
	switch name {
	case "enter", "a", "y":
		return s, accept{}
	case "c", "e":
		s.mode, s.in = "change", newLine("what should be different? bigger, a blue ball, 4 bounces")
	case "r", "n":
		s.mode, s.in = "reject", newLine("why? koda thinks up another plan")
	case "u":
		return s, undo{}
	case "up", "k":
		s.top = max(s.top-1, 0)
	case "down", "j":
		s.top++
	case "esc", "q":
		return s, browse{}
	}
	return s, nil
}

func (s planScreen) view(c canvas) string {
	ruler := widget.Ruler(c.th, s.p.Starts(), s.p.TotalDuration, -1, c.width)
	if len(s.p.Scenes) < 2 {
		ruler = ""
	}
	text := widget.Plan(c.th, s.p, c.width)
	room := c.height
	if ruler != "" {
		room -= strings.Count(ruler, "\n") + 2
	}
	if s.mode != "" {
		room -= 5
	}
	lines := strings.Split(text, "\n")
	top := min(s.top, max(len(lines)-room, 0))
	parts := []string{fit(strings.Join(lines[top:], "\n"), max(room, 1), false)}
	if ruler != "" {
		parts = append([]string{ruler}, parts...)
	}
	if s.mode != "" {
		parts = append(parts, s.in.view(c, 3))
	}
	return strings.Join(parts, "\n\n")
}

func (s planScreen) help() []hint {
	if s.mode != "" {
		return []hint{{"enter", "send"}, {"esc", "back to the plan"}}
	}
	return []hint{{"enter", "accept"}, {"c", "change"}, {"r", "reject"}, {"u", "undo"}, {"↑↓", "scroll"}, {"esc", "projects"}}
}
