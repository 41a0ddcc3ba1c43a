package tui

import (
	"regexp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// planScreen shows a plan for the person to accept.
type planScreen struct {
	p    koda.Plan
	text scroll
	mode string // what is typed: "", "change", "reject"
	in   line
}

func newPlan(p koda.Plan) planScreen { return planScreen{p: p, text: newScroll()} }

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
	return pressed(s, k)
}

// write begins a line: a change, or the reason why the plan is rejected.
func (s planScreen) write(mode, placeholder string) func(string) (screen, intent) {
	return func(string) (screen, intent) {
		s.mode, s.in = mode, newLine(placeholder)
		return s, nil
	}
}

func (s planScreen) view(c canvas) string {
	head := s.ruler(c)
	if len(head) > 0 {
		head = append(head, "")
	}
	foot := s.unused(c)
	if len(foot) > c.height/2 {
		foot = foot[1:max(c.height/2, 1)]
	}
	if s.mode != "" {
		typed := strings.Split(s.in.view(c, min(3, max(c.height-8, 1))), "\n")
		if foot = slices.Concat(foot, []string{""}, typed); len(foot)+1 > c.height {
			foot = typed
		}
	}
	if len(head)+len(foot)+4 > c.height {
		head = nil
	}
	lines := s.lines(c)
	room := max(c.height-len(head)-len(foot), 1)
	return strings.Join(slices.Concat(head, s.text.view(c, lines, room), foot), "\n")
}

// ruler are the scenes on the line of time, each with the colours that it alone has.
func (s planScreen) ruler(c canvas) []string {
	if len(s.p.Scenes) < 2 {
		return nil
	}
	starts := s.p.Starts()
	rows := strings.Split(widget.Ruler(c.th, starts, s.p.TotalDuration, -1, c.width), "\n")
	colors, used := "", 0
	for i, scene := range s.p.Scenes {
		at := widget.RulerColumn(s.p.TotalDuration, starts[i].Start, c.width)
		text := c.th.Squares(strings.Join(scene.Colors, " "))
		if width := ansi.StringWidth(text); width > 0 && at >= used && at+width <= c.width {
			colors += strings.Repeat(" ", at-used) + text
			used = at + width
		}
	}
	if colors != "" {
		rows = append(rows, c.th.Swatches(colors))
	}
	return rows
}

// lines are the scenes and the notes, but for the note about what was not understood.
func (s planScreen) lines(c canvas) []string {
	p := s.p
	p.Scenes, p.Notes = slices.Clone(p.Scenes), nil
	for i := range p.Scenes {
		p.Scenes[i].Description, p.Scenes[i].AnimationNotes = c.th.Squares(p.Scenes[i].Description), c.th.Squares(p.Scenes[i].AnimationNotes)
	}
	var pages []string
	for _, note := range s.p.Notes {
		switch {
		case note == p.Unused: // it stays in sight, see unused
		case isMarkdown(note):
			pages = append(pages, note)
		default:
			p.Notes = append(p.Notes, c.th.Squares(note))
		}
	}
	lines := strings.Split(widget.Plan(c.th, p, c.width), "\n")
	for _, page := range pages {
		lines = append(lines, "")
		for _, l := range c.th.Markdown(c.th.Squares(page), c.width-1) {
			lines = append(lines, " "+l)
		}
	}
	for i := range lines {
		lines[i] = c.th.Swatches(lines[i])
	}
	return lines
}

// unused are the lines about what was not understood. They stay in sight.
func (s planScreen) unused(c canvas) (lines []string) {
	mark := strings.TrimSpace(c.th.Glyphs.Warn)
	for i, l := range widget.Wrap(widget.Line(s.p.Unused), c.width-ansi.StringWidth(mark)-2) {
		head := strings.Repeat(" ", ansi.StringWidth(mark)+2)
		if i == 0 {
			head = " " + c.th.Warn.Render(mark) + " "
			lines = append(lines, "")
		}
		lines = append(lines, head+c.th.Warn.Render(l))
	}
	return lines
}

// markdown finds the start of a line that only Markdown has.
var markdown = regexp.MustCompile("(?m)^\\s*(#{1,6} |[-*+] |\\d+\\. |> |```|\\|.*\\|)")

// isMarkdown reports whether a note is a page of Markdown. A note of one line is a sentence,
// which may quote what people typed, letter by letter.
func isMarkdown(note string) bool {
	return strings.Contains(strings.TrimSpace(note), "\n") && markdown.MatchString(theme.Clean(note))
}

func (s planScreen) help() []hint {
	if s.mode != "" {
		return s.in.help("send", "back to the plan")
	}
	hints := []hint{
		{key: "enter", what: "accept", more: "accept the plan: the work begins", do: wants(s, accept{})},
		{key: "c", what: "change", more: "say what should be different, or just type", also: "e", do: s.write("change", "what should be different? bigger, a blue ball, 4 bounces"), begins: true},
		{key: "r", what: "reject", more: "have another plan thought up", also: "n", do: s.write("reject", "why? koda thinks up another plan")},
		{key: "u", what: "undo", more: "go back to the plan or the question before", do: wants(s, undo{})},
	}
	if s.text.more() {
		hints = append(hints, s.text.hint(func(t scroll) screen { s.text = t; return s }))
	}
	return append(hints, hint{key: "esc", what: "projects", more: "show all projects", also: "q", do: wants(s, browse{})},
		hint{key: "ctrl+y", what: "redo", more: "come back to the plan after", do: wants(s, redo{})}, askKeys(s))
}
