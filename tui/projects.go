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
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	if printable(k) {
		s.filter, s.at = s.filter+string(k.Runes), 0
	}
	return s, nil
}

// move marks another project.
func (s projectsScreen) move(name string) (screen, intent) {
	last := max(len(s.shown())-1, 0)
	by := map[string]int{"up": -1, "shift+tab": -1, "down": 1, "tab": 1, "pgup": -10, "pgdown": 10, "home": -s.at, "end": last}
	s.at = min(max(s.at+by[name], 0), last)
	return s, nil
}

func (s projectsScreen) open(string) (screen, intent) {
	if list := s.shown(); s.at < len(list) {
		return s, open{list[s.at].ID}
	}
	return s, begin{}
}

// point marks the project of a row, or opens the marked one.
func (s projectsScreen) point(row int) (screen, intent) {
	if row == s.at {
		return s.open("")
	}
	s.at = row
	return s, nil
}

// search changes the filter.
func (s projectsScreen) search(filter string) func(string) (screen, intent) {
	return func(string) (screen, intent) {
		s.filter, s.at = filter, 0
		return s, nil
	}
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
		rows = append(rows, widget.Row(top+i, mark+" "+look.Render(name)+c.th.Muted.Render(text)))
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
	hints := []hint{
		{key: "↑↓", what: "choose", more: "the project before, the project after", also: "tab shift+tab pgup pgdown home end", do: s.move},
		{key: "enter", what: "open", do: s.open},
		{key: "ctrl+n", what: "new video", do: wants(s, begin{})},
		{key: "type", what: "to filter", more: "show only projects whose name or prompt has the text"},
	}
	if r := []rune(s.filter); len(r) > 0 {
		return append(hints,
			hint{key: "backspace", what: "filter less", do: s.search(string(r[:len(r)-1]))},
			hint{key: "esc", what: "all projects", do: s.search("")},
			hint{key: "f1", what: "keys", more: "show all keys"})
	}
	return append(hints, hint{key: "esc", what: "leave", do: wants(s, leave{})}, askKeys(s))
}
