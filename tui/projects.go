package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// projectsScreen lists the projects, with a picture of the marked one.
type projectsScreen struct {
	all    []koda.Project
	filter string
	at     int
	now    time.Time
	album  album
	mode   string // "", "fork", "delete"
	in     line   // the name of a fork
}

// remove deletes a project.
type remove struct{ p koda.Project }

// learn takes the projects in, and leaves the rest as it was.
func (s projectsScreen) learn(all []koda.Project, now time.Time) projectsScreen {
	s.all, s.now, s.mode = all, now, ""
	s.at = min(s.at, max(len(s.shown())-1, 0))
	return s
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
	if s.mode == "fork" {
		return s.name(k)
	}
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	switch {
	case s.mode == "delete":
		s.mode = ""
	case k.Type == tea.KeyEnter && s.filter != "":
		return s, tell{"No project matches " + koda.Quote(s.filter) + ", so there is none to open. ctrl+n begins a new video."}
	case printable(k) && len(s.all) > 0:
		s.filter, s.at = s.filter+string(k.Runes), 0
	case printable(k): // the first words of the first video
		return s, begin{k}
	}
	return s, nil
}

// move marks another project.
func (s projectsScreen) move(name string) (screen, intent) {
	s.at = moved(name, s.at, len(s.shown()))
	return s, nil
}

func (s projectsScreen) open(string) (screen, intent) {
	if list := s.shown(); s.at < len(list) {
		return s, open{list[s.at].ID}
	}
	return s, nil
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

// ask begins to ask for the name of a fork, whether to delete, or for nothing.
func (s projectsScreen) ask(mode string) func(string) (screen, intent) {
	return func(string) (screen, intent) {
		if list := s.shown(); mode == "fork" && s.at < len(list) && slices.Contains([]koda.Phase{koda.PhaseIdle, koda.PhaseQuestion, koda.PhasePlan}, list[s.at].Phase) {
			return s, tell{list[s.at].Name + " has no version yet, from which another project could begin."}
		}
		s.mode, s.in = mode, newName("a name for the new project")
		return s, nil
	}
}

// name takes the name of a fork.
func (s projectsScreen) name(k tea.KeyMsg) (screen, intent) {
	next, sent, back := s.in.typing(k)
	s.in = next
	switch list := s.shown(); {
	case back:
		s.mode = ""
	case sent != "" && s.at < len(list):
		return s, fork{list[s.at].ID, 0, sent}
	}
	return s, nil
}

// Around the mark, projects have thumbnails loaded: for the lengths of their videos.
const nearProjects = 15

func (s projectsScreen) wants(canvas) (all []pick) {
	list := s.shown()
	if s.at < len(list) {
		all = append(all, pick{list[s.at].ID, 0})
	}
	for _, p := range list[min(max(s.at-nearProjects, 0), len(list)):min(s.at+nearProjects, len(list))] {
		all = append(all, pick{p.ID, 0})
	}
	return all
}

func (s projectsScreen) hung() album { return s.album }

func (s projectsScreen) hang(a album) screen {
	s.album = a
	return s
}

func (s projectsScreen) view(c canvas) string {
	list := s.shown()
	if s.mode != "" && s.at < len(list) {
		return s.asking(c, list[s.at])
	}
	if len(list) == 0 {
		text := "There is no project yet: enter begins the first, or just type what it should show."
		if s.filter != "" {
			text = "No project matches: backspace, or esc to see all."
		}
		return s.head(c, 0) + "\n\n" + c.th.Muted.Render(strings.Join(widget.Wrap(text, c.width), "\n"))
	}
	return withPanel(c, func(c canvas) string { return s.list(c, list) }, func(c canvas) string { return s.panel(c, list[s.at]) })
}

func (s projectsScreen) head(c canvas, n int) string {
	head := c.th.Title.Render(fmt.Sprintf("Projects (%d)", n))
	if s.filter != "" {
		head += "  " + c.th.Accent.Render("/"+widget.Line(s.filter))
	}
	return widget.Cut(head, c.width, c.th.Glyphs.Ellipsis)
}

func (s projectsScreen) list(c canvas, list []koda.Project) string {
	room := max(c.height-2, 1)
	top := max(min(s.at-room/2, len(list)-room), 0)
	rows := []string{s.head(c, len(list)), ""}
	names := 8
	for _, p := range list {
		names = max(names, ansi.StringWidth(widget.Line(p.Name)))
	}
	arrow := ansi.StringWidth(c.th.Glyphs.Arrow) + 1
	facts := arrow + 2 + 11 + 1 + 6 // the columns of mark, phase and age
	names = min(names, max(c.width-facts, 8), max(c.width/2, 8))
	narrow := c.width < facts+8
	if narrow {
		names = c.width - arrow
	}
	for i, p := range list[top:min(top+room, len(list))] {
		mark, look := " ", c.th.Text
		if top+i == s.at {
			mark, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Accent
		}
		text := fmt.Sprintf("  %-11s %s", phaseOf(p), age(s.now.Sub(p.UpdatedAt)))
		if narrow {
			text = ""
		}
		if left := c.width - names - facts; left >= 8 {
			text += "  " + pad(s.length(p), 6)
			if left >= 8+16 {
				text += " " + widget.Cut(widget.Line(p.Prompt), left-8, c.th.Glyphs.Ellipsis)
			}
		}
		name := pad(widget.Cut(widget.Line(p.Name), names, c.th.Glyphs.Ellipsis), names)
		rows = append(rows, widget.Row(top+i, pad(mark, arrow)+look.Render(name)+c.th.Muted.Render(text)))
	}
	return strings.Join(rows, "\n")
}

// length is how long the video of a project is; "" if that is not known.
func (s projectsScreen) length(p koda.Project) string {
	if t := s.album[pick{p.ID, 0}]; t.duration > 0 {
		return widget.Clock(t.duration)
	}
	return ""
}

// phaseOf is the phase of a project, or says that its folder is gone or its work interrupted.
func phaseOf(p koda.Project) string {
	switch {
	case p.Gone:
		return "gone"
	case p.Interrupted:
		return "interrupted"
	}
	return string(p.Phase)
}

// panel is what is known of the marked project.
func (s projectsScreen) panel(c canvas, p koda.Project) string {
	facts := []string{phaseOf(p), strings.TrimSpace(age(s.now.Sub(p.UpdatedAt)))}
	if length := s.length(p); length != "" {
		facts = append(facts, length)
	}
	words := widget.Wrap(p.Prompt, c.width)
	text := append([]string{c.th.Title.Render(widget.Cut(widget.Line(p.Name), c.width, c.th.Glyphs.Ellipsis))}, words[:min(len(words), 4)]...)
	text = append(text, c.th.Muted.Render(strings.Join(facts, " "+c.th.Glyphs.Dot+" ")))
	below := strings.Join(text, "\n")
	picture := shown(c, s.album[pick{p.ID, 0}].img, c.width, c.height-strings.Count(below, "\n")-2)
	if len(picture) > 2 {
		return strings.Join(picture, "\n") + "\n" + below
	}
	return below
}

// asking asks for the name of a fork, or whether to delete.
func (s projectsScreen) asking(c canvas, p koda.Project) string {
	if s.mode == "fork" {
		return forkView(c, p.Name, s.in)
	}
	head := c.th.Warn.Render(c.th.Glyphs.Warn) + " " + c.th.Title.Render(widget.Cut("Delete "+widget.Line(p.Name)+"?", c.width-ansi.StringWidth(c.th.Glyphs.Warn)-1, c.th.Glyphs.Ellipsis))
	facts := []widget.Fact{
		{Name: "goes", Value: "its versions, previews and videos, and the files that koda made in " + p.Dir},
		{Name: "stays", Value: "files there that koda did not make, or that you changed"},
	}
	return head + "\n\n" + widget.FactsWithin(c.th, facts, c.width) + "\n\n" + c.th.Muted.Render(strings.Join(widget.Wrap("y deletes it for good; any other key keeps it.", c.width), "\n"))
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
	list := s.shown()
	switch {
	case s.mode == "fork":
		return s.in.help("make it", "back")
	case s.mode == "delete" && s.at < len(list):
		p := list[s.at]
		s.mode = ""
		return []hint{{key: "y", what: "delete it", do: wants(s, remove{p})}, {key: "esc", what: "keep it", do: s.ask("")}}
	}
	create := hint{key: "ctrl+n", what: "new video", do: wants(s, begin{})}
	hints := []hint{create}
	if len(s.all) == 0 {
		create.key, create.also = "enter", "ctrl+n"
		hints = []hint{create}
	}
	if len(list) > 0 {
		hints = []hint{
			{key: "enter", what: "open", do: s.open},
			create,
		}
	}
	if len(list) > 1 {
		hints = slices.Insert(hints, 1, hint{key: "↑↓", what: "choose", more: "the project before, the project after", also: "tab shift+tab pgup pgdown home end", do: s.move})
	}
	if len(s.all) > 0 {
		hints = append(hints, hint{key: "type", what: "to filter", more: "show only projects whose name or prompt has the text"})
	}
	if len(list) > 0 {
		hints = append(hints,
			hint{key: "ctrl+f", what: "fork", more: "begin a new project with the marked one", do: s.ask("fork")},
			hint{key: "ctrl+d", what: "delete", more: "delete the marked project, after a question", do: s.ask("delete")})
	}
	if r := []rune(s.filter); len(r) > 0 {
		return append(hints,
			hint{key: "backspace", what: "filter less", do: s.search(string(r[:len(r)-1]))},
			hint{key: "esc", what: "all projects", do: s.search("")},
			hint{key: "f1", what: "keys", more: "show all keys"})
	}
	return append(hints, hint{key: "esc", what: "leave", do: wants(s, leave{})}, askKeys(s))
}
