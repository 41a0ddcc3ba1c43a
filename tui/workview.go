package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// Sizes of the picture of a render.
const (
	besideFrom   = 90 // columns of a screen on which the picture stands beside the todos
	widestBeside = 56
	leastGlimpse = 4 // lines
)

func (s workScreen) view(c canvas) string {
	picture, columns := s.picture(c)
	left := c
	if picture != nil {
		left.width = c.width - columns - 3
	}
	rows, last := s.top(left), s.bottom(c)
	if picture == nil {
		if below := s.below(c, len(rows)); below != nil {
			rows = append(append(rows, ""), below...)
		}
	}
	if room := c.height - len(rows) - len(last) - 2; room > 0 {
		if told := s.history(left, room); len(told) > 0 {
			rows = append(append(rows, ""), told...)
		}
	}
	rows = aside(rows, picture, left.width+3)
	if len(last) > 0 {
		rows = append(append(rows, ""), last...)
	}
	return fit(strings.Join(rows, "\n"), c.height, true)
}

// top are the todos and the render.
func (s workScreen) top(c canvas) []string {
	var parts []string
	if s.watching {
		parts = append(parts, c.th.Warn.Render(strings.Join(widget.Wrap("Another koda works on this project; this is what it does.", c.width), "\n")), "")
	}
	if !s.hasSteps() || s.folded {
		parts = append(parts, c.th.Accent.Render(c.th.Spin(c.tick))+" "+c.th.Text.Render(widget.Cut(cmp.Or(widget.Line(s.thinking), s.what), c.width-2, c.th.Glyphs.Ellipsis)))
	} else {
		parts = append(parts, s.steps(c))
		if s.building != "" {
			parts = append(parts, "", c.th.Accent.Render(c.th.Spin(c.tick))+" "+c.th.Text.Render(strings.Join(widget.Wrap(s.building, c.width-2), "\n  ")))
		}
	}
	if s.render != nil {
		parts = append(parts, "", widget.Progress(c.th, string(s.render.Kind), *s.render, c.width))
		if text := s.stall(); text != "" {
			parts = append(parts, c.th.Warn.Render(strings.Join(widget.Wrap(text, c.width), "\n")))
		}
		if s.workers {
			parts = append(parts, s.crew(c)...)
		}
	}
	return strings.Split(strings.Join(parts, "\n"), "\n")
}

// hasSteps reports whether a todo is left to do.
func (s workScreen) hasSteps() bool {
	return slices.ContainsFunc(s.todos, func(t koda.Todo) bool { return t.Status != koda.TodoDone })
}

// steps are the todos; where there are more than half the screen holds, those around the
// active todo.
func (s workScreen) steps(c canvas) string {
	todos := s.todos
	if room := max(c.height/2, 3); len(todos) > room {
		active := 0
		for i, t := range todos {
			if t.Status != koda.TodoPending {
				active = i
			}
		}
		from := min(max(active-room/2, 0), len(todos)-room)
		todos = todos[from : from+room]
	}
	thinking := s.thinking
	if s.using != "" {
		thinking = "using " + s.using
	}
	return widget.Todos(c.th, todos, thinking, c.tick, c.width)
}

// crew says which worker does what.
func (s workScreen) crew(c canvas) []string {
	p := s.render
	facts := []string{}
	for _, f := range [][2]string{{"capture by ", p.Capture}, {"encoder ", p.Encoder}} {
		if f[1] != "" {
			facts = append(facts, f[0]+f[1])
		}
	}
	rows := []string{}
	for i, w := range p.Workers {
		doing := map[koda.Doing]string{
			koda.DoingStart: "starts a browser", koda.DoingForward: fmt.Sprintf("plays the page on to there, frame %d", w.Passed),
			koda.DoingDraw: fmt.Sprintf("draws, %d of %d done", w.Drawn, w.Last-w.First+1), koda.DoingEncode: "ends the file",
		}[w.Doing]
		text := fmt.Sprintf("worker %d  frames %d%s%d  %s", i+1, w.First, c.th.Glyphs.Range, w.Last, doing)
		if w.Try > 1 {
			text += fmt.Sprintf(", browser %d", w.Try)
		}
		rows = append(rows, text)
	}
	if len(rows) == 0 {
		rows = append(rows, "no browser at work")
	}
	if len(facts) > 0 {
		rows = append(rows, strings.Join(facts, ", "))
	}
	for i := range rows {
		rows[i] = c.th.Muted.Render(widget.Cut("  "+rows[i], c.width, c.th.Glyphs.Ellipsis))
	}
	return rows
}

// bottom is what the person said and says, and what the work costs.
func (s workScreen) bottom(c canvas) []string {
	var rows []string
	for _, id := range s.asked {
		for _, t := range s.todos {
			if t.ID == id {
				rows = append(rows, c.th.Accent.Render(widget.Cut("queued: "+widget.Line(asking(t.Label)), c.width, c.th.Glyphs.Ellipsis)))
			}
		}
	}
	for _, text := range s.later {
		rows = append(rows, c.th.Accent.Render(widget.Cut("queued: "+widget.Line(text), c.width, c.th.Glyphs.Ellipsis)))
	}
	if s.spent != (koda.Cost{}) {
		rows = append(rows, c.th.Muted.Render(widget.Cut(s.spent.String(), c.width, c.th.Glyphs.Ellipsis)))
	}
	return rows
}

// asking is what the person said, of the label of the todo that it became.
func asking(label string) string {
	_, text, found := strings.Cut(label, "Change: ")
	if !found {
		return label
	}
	return text
}

// history is what happened: the end of it, or what is around the mark. Only what has room
// is laid out.
func (s workScreen) history(c canvas, room int) []string {
	at := slices.IndexFunc(s.told, func(e entry) bool { return e.number == s.mark })
	if at < 0 {
		var rows []string
		if s.streamed != "" {
			for _, l := range widget.Wrap(s.streamed, c.width-2) {
				rows = append(rows, "  "+c.th.Text.Render(l))
			}
		}
		rows = append(s.before(c, len(s.told), room-len(rows)), rows...)
		return rows[max(len(rows)-room, 0):]
	}
	marked := s.entry(c, s.told[at])
	if len(marked) >= room {
		return marked[:room]
	}
	room -= len(marked)
	above, below := s.before(c, at, room), []string(nil)
	for _, e := range s.told[at+1:] {
		if below = append(below, s.entry(c, e)...); len(below) >= room {
			break
		}
	}
	n := min(len(above), max(room/2, room-len(below)))
	below = below[:min(len(below), room-n)]
	return slices.Concat(above[len(above)-n:], marked, below)
}

// before are the lines of the entries before entry number at of the list, at least as many
// as have room where there are as many.
func (s workScreen) before(c canvas, at, room int) (rows []string) {
	var parts [][]string
	for ; at > 0 && room > 0; at-- {
		part := s.entry(c, s.told[at-1])
		parts, room = append(parts, part), room-len(part)
	}
	for _, part := range slices.Backward(parts) {
		rows = append(rows, part...)
	}
	return rows
}

// entry are the lines of an entry: what was said is shown in full, all else on one line,
// and the rest below it where the entry is open.
func (s workScreen) entry(c canvas, e entry) []string {
	look := map[entryKind]theme.Style{
		entrySaid: c.th.Text, entryAsked: c.th.Accent, entryNoted: c.th.Muted, entryFile: c.th.Muted, entryTool: c.th.Muted, entryMade: c.th.Good, entryWrong: c.th.Warn,
	}[e.kind]
	indent := strings.Repeat(" ", ansi.StringWidth(c.th.Glyphs.Arrow)+1)
	mark, width := indent, c.width-len(indent)
	if e.number == s.mark {
		mark = c.th.Accent.Render(c.th.Glyphs.Arrow) + " "
	}
	text := e.head
	if e.head == "" {
		text = e.body
		if e.kind == entryAsked {
			text = "you: " + text
		}
	}
	var lines []string
	switch {
	case e.kind == entryWrong:
		lines = widget.Wrap(c.th.Glyphs.Warn+" "+text, width)
	case e.head == "":
		lines = widget.Wrap(text, width)
	default:
		if e.opens() {
			text += map[bool]string{false: "  [+]", true: "  [-]"}[s.open[e.number]]
		}
		lines = []string{widget.Cut(widget.Line(text), width, c.th.Glyphs.Ellipsis)}
	}
	rows := make([]string, 0, len(lines))
	for i, l := range lines {
		rows = append(rows, map[bool]string{true: mark, false: indent}[i == 0]+look.Render(l))
	}
	if e.opens() && (s.open[e.number] || e.kind == entryWrong) {
		rows = append(rows, detail(c, e.body)...)
	}
	return rows
}

// detail is a text as it is, line by line, with the lines of a difference in their colours.
func detail(c canvas, text string) []string {
	var rows []string
	for l := range strings.Lines(theme.Clean(text)) {
		l = strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "  ")
		look := c.th.Muted
		switch {
		case strings.HasPrefix(l, "+"):
			look = c.th.Good
		case strings.HasPrefix(l, "-"):
			look = c.th.Bad
		}
		rows = append(rows, "    "+look.Render(widget.Cut(l, c.width-4, c.th.Glyphs.Ellipsis)))
	}
	return rows
}

// picture are the lines of the glimpse, for beside the todos; nil where it does not fit.
func (s workScreen) picture(c canvas) (lines []string, columns int) {
	if c.width < besideFrom {
		return nil, 0
	}
	return s.glimpsed(c, min(widestBeside, c.width*2/5), c.height*3/5)
}

// below are the lines of the glimpse, for below the todos, where half of what is left
// holds it.
func (s workScreen) below(c canvas, used int) []string {
	lines, columns := s.glimpsed(c, c.width, (c.height-used-1)/2)
	for i := range lines {
		lines[i] = strings.Repeat(" ", (c.width-columns)/2) + lines[i]
	}
	return lines
}

// glimpsed are the lines of the glimpse and of its time.
func (s workScreen) glimpsed(c canvas, width, height int) (lines []string, columns int) {
	if s.glimpse.img == nil || s.render == nil || !c.th.Pixels() || height < leastGlimpse {
		return nil, 0
	}
	size := s.glimpse.img.Bounds().Size()
	columns = min(width, (height-1)*2*size.X/max(size.Y, 1))
	if columns < 8 {
		return nil, 0
	}
	lines = append(lines, widget.Image(c.th, s.glimpse.img, columns)...)
	return append(lines, c.th.Muted.Render(widget.Cut("now at "+widget.Clock(s.glimpse.at), columns, ""))), columns
}

// aside puts rows of a picture at a column beside rows of text.
func aside(rows, picture []string, column int) []string {
	for len(rows) < len(picture) {
		rows = append(rows, "")
	}
	for i, l := range picture {
		gap := max(column-ansi.StringWidth(rows[i]), 0)
		rows[i] += strings.Repeat(" ", gap) + l
	}
	return rows
}
