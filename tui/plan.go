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
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	return s, nil
}

// write begins a line: a change, or the reason why the plan is rejected.
func (s planScreen) write(mode, placeholder string) func(string) (screen, intent) {
	return func(string) (screen, intent) {
		s.mode, s.in = mode, newLine(placeholder)
		return s, nil
	}
}

func (s planScreen) scroll(name string) (screen, intent) {
	if name == "up" || name == "k" {
		s.top = max(s.top-1, 0)
	} else {
		s.top++
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
		return s.in.help("send", "back to the plan")
	}
	return []hint{
		{key: "enter", what: "accept", more: "accept the plan: the work begins", also: "a", do: wants(s, accept{})},
		{key: "c", what: "change", more: "say what should be different", also: "e", do: s.write("change", "what should be different? bigger, a blue ball, 4 bounces")},
		{key: "r", what: "reject", more: "have another plan thought up", also: "n", do: s.write("reject", "why? koda thinks up another plan")},
		{key: "u", what: "undo", more: "go back to the plan before", do: wants(s, undo{})},
		{key: "↑↓", what: "scroll", more: "scroll up, scroll down", also: "k j", do: s.scroll},
		{key: "esc", what: "projects", more: "show all projects", also: "q", do: wants(s, browse{})},
		askKeys(s),
	}
}
