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
	// ahead says that a redo comes back to a later plan.
	ahead bool
	mode  string // what is typed: "" a change, "reject" why the plan is rejected
	in    line
}

func newPlan(p koda.Plan) planScreen {
	return planScreen{p: p, text: newScroll(), in: newLine(differently + " bigger, a blue ball, 4 bounces")}
}

func (s planScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

func (s planScreen) send(text string) (screen, intent) {
	s.in = s.in.cleared()
	if s.mode == "reject" {
		return s, reject{text}
	}
	return s, change{what: text}
}

// note says what the text is.
func (s planScreen) note() string {
	return map[string]string{"reject": "rejects the plan: koda thinks up another one"}[s.mode]
}

// write says what the text of the line is: a change, or the reason why the plan is rejected.
func (s planScreen) write(mode string) func(string) (screen, intent) {
	placeholder := map[string]string{"": newPlan(s.p).in.area.Placeholder, "reject": "why? koda thinks up another plan"}[mode]
	return func(string) (screen, intent) {
		s.mode, s.in.area.Placeholder = mode, placeholder
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

func (s planScreen) help() []hint { return table(s) }

func (s planScreen) bare() []hint {
	if s.mode == "reject" {
		return append([]hint{{key: "enter", what: "send"}, {key: "esc", what: "back to the plan", do: s.write("")}}, closing(s)...)
	}
	hints := []hint{{key: "enter", what: "accept", more: "accept the plan: the work begins", do: wants(s, accept{})}, toChange}
	if s.ahead {
		hints = append(hints, hint{key: "ctrl+y", what: "redo", more: "come back to the plan after", do: wants(s, redo{})})
	}
	if s.text.more() {
		h := s.text.hint(func(t scroll) screen { s.text = t; return s })
		h.also = "pgup pgdown home end"
		hints = append(hints, h)
	}
	hints = append(hints,
		hint{key: "alt+r", what: "reject", more: "have another plan thought up", do: s.write("reject")},
		hint{key: "alt+u", what: "undo", more: "go back to the plan or the question before", do: wants(s, undo{})},
		hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})})
	return append(hints, closing(s)...)
}
