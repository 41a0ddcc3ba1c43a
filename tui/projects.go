package tui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// projectsScreen lists the projects.
type projectsScreen struct {
	all    []koda.Project
	filter string
	at     int
	now    time.Time
}

// shown are the projects that match the filter.
func (s projectsScreen) shown() []koda.Project {
	if s.filter == "" {
		return s.all
	}
	var out []koda.Project
	for _, p := range s.all {
		if strings.Contains(strings.ToLower(p.Name+" "+p.Prompt), strings.ToLower(s.filter)) {
			out = append(out, p)
		}
	}
	return out
}

func (s projectsScreen) key(k tea.KeyMsg) (screen, intent) {
	list := s.shown()
	switch k.String() {
	case "up", "shift+tab":
		s.at = max(s.at-1, 0)
	case "down", "tab":
		s.at = min(s.at+1, max(len(list)-1, 0))
	case "pgup":
		s.at = max(s.at-10, 0)
	case "pgdown":
		s.at = min(s.at+10, max(len(list)-1, 0))
	case "home":
		s.at = 0
	case "end":
		s.at = max(len(list)-1, 0)
	case "enter":
		if s.at < len(list) {
			return s, open{list[s.at].ID}
		}
		return s, begin{}
	case "ctrl+n":
		return s, begin{}
	case "backspace":
		if r := []rune(s.filter); len(r) > 0 {
			s.filter, s.at = string(r[:len(r)-1]), 0
		}
	case "esc":
		if s.filter != "" {
			s.filter, s.at = "", 0
			return s, nil
		}
		return s, leave{}
	default:
		if printable(k) {
			s.filter, s.at = s.filter+string(k.Runes), 0
		}
	}
	return s, nil
}

func (s projectsScreen) view(c canvas) string {
	list := s.shown()
	head := c.th.Title.Render(fmt.Sprintf("Projects (%d)", len(list)))
	if s.filter != "" {
		head += "  " + c.th.Accent.Render("/"+widget.Line(s.filter))
	}
	if len(list) == 0 {
		text := "There is no project yet: enter begins the first."
		if s.filter != "" {
			text = "No project matches: backspace, or esc to see all."
		}
		return head + "\n\n" + c.th.Muted.Render(text)
	}
	room := max(c.height-2, 1)
	top := max(min(s.at-room/2, len(list)-room), 0)
	rows := []string{head, ""}
	names := 8
	for _, p := range list {
		names = max(names, ansi.StringWidth(widget.Line(p.Name)))
	}
	names = min(names, max(c.width/2, 8))
	for i, p := range list[top:min(top+room, len(list))] {
		mark, look := " ", c.th.Text
		if top+i == s.at {
			mark, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Accent
		}
		name := widget.Cut(widget.Line(p.Name), names, c.th.Glyphs.Ellipsis)
		name += strings.Repeat(" ", names-ansi.StringWidth(name))
		rest := fmt.Sprintf("%-9s %s", p.Phase, age(s.now.Sub(p.UpdatedAt)))
		text := widget.Cut("  "+rest+"  "+widget.Line(p.Prompt), max(c.width-names-2, 1), c.th.Glyphs.Ellipsis)
		rows = append(rows, mark+" "+look.Render(name)+c.th.Muted.Render(text))
	}
	return strings.Join(rows, "\n")
}

// age is how long ago something was, in six columns.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now   "
	case d < time.Hour:
		return fmt.Sprintf("%2d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%3d h ", int(d.Hours()))
	}
	return fmt.Sprintf("%3d d ", int(d.Hours()/24))
}

func (s projectsScreen) help() []hint {
	return []hint{{"↑↓", "choose"}, {"enter", "open"}, {"ctrl+n", "new video"}, {"type", "to filter"}, {"esc", "leave"}}
}
