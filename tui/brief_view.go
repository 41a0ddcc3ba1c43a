package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// The widths at which a picture stands beside the form, and below it.
const (
	besideForm  = 100
	pictureWide = 34
)

func (s briefScreen) view(c canvas) string {
	below := s.below(c)
	if c.height < airyLines {
		return s.small(c, below)
	}
	room := c.height - len(below) - 4
	typed := min(8, max(3, room))
	if s.at > 0 || s.offers() {
		typed = min(3, typed)
	}
	if s.at > 0 {
		s.in.area.Blur() // there is one cursor
	}
	rows := []string{c.th.Title.Render("A new video"), ""}
	rows = append(rows, strings.Split(s.in.view(c, typed), "\n")...)
	rows = append(rows, "")
	room = c.height - len(rows) - len(below)
	rows = append(rows, s.form(c, room)...)
	return strings.Join(append(rows, below...), "\n")
}

// small is the view in a small window: the prompt, or what the keys go to in the form.
func (s briefScreen) small(c canvas, below []string) string {
	below = slices.DeleteFunc(below, func(l string) bool { return l == "" })
	below = below[:min(len(below), c.height/2)]
	var rows []string
	room := c.height - len(below)
	switch {
	case s.at > 0:
		rows = s.lines(c, room)
	case s.offers():
		rows = append(strings.Split(s.in.view(c, 1), "\n"), s.lines(c, room-1)...)
	default:
		rows = strings.Split(s.in.view(c, room), "\n")
	}
	return strings.Join(append(rows, below...), "\n")
}

// below are the lines that always stay: what was chosen, and what went wrong.
func (s briefScreen) below(c canvas) []string {
	var out []string
	if text := s.summary(c); text != "" {
		out = append(out, "", c.th.Good.Render(widget.Cut(text, c.width, c.th.Glyphs.Ellipsis)))
	}
	if s.problem != nil {
		text := koda.Sentence(s.problem)
		if hint := koda.HintOf(s.problem); hint != "" {
			text += " (" + hint + ")"
		}
		out = append(out, "")
		lines := widget.Wrap(theme.Clean(text), c.width-2)
		for i, l := range lines[:min(len(lines), 4)] {
			head := "  "
			if i == 0 {
				head = c.th.Bad.Render(widget.Cut(c.th.Glyphs.Bad, 1, "")) + " "
			}
			out = append(out, head+c.th.Bad.Render(l))
		}
	}
	return out
}

// summary is what was chosen, in one line: "story · smooth · data sales.csv".
func (s briefScreen) summary(c canvas) string {
	var parts []string
	for _, f := range s.fields {
		if len(f.Value) == 0 || f.None == "" {
			continue
		}
		text := f.text(c)
		if f.Files > 0 {
			text = f.Name + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " "+c.th.Glyphs.Dot+" ")
}

// text is the value of a field in a few words.
func (f Field) text(c canvas) string {
	var parts []string
	for _, v := range f.Value {
		text := v
		if f.Files > 0 {
			text = base(v)
		}
		for _, o := range f.Options {
			if o.Value == v {
				text = strings.ReplaceAll(o.label(), "×", c.th.Glyphs.Times)
			}
		}
		parts = append(parts, widget.Line(text))
	}
	return strings.Join(parts, ", ")
}

// form are the fields, as many as there is room for, with the open list below its field
// and a picture of what is chosen.
func (s briefScreen) form(c canvas, room int) []string {
	beside := s.shows(c.th, pictureWide)
	if c.width >= besideForm && len(beside) > 0 && len(beside) <= room {
		narrow := c
		narrow.width -= pictureWide + 2
		left := s.lines(narrow, room)
		for i := range max(len(left), len(beside)) {
			if i >= len(left) {
				left = append(left, "")
			}
			if i < len(beside) {
				left[i] += strings.Repeat(" ", max(narrow.width+2-ansi.StringWidth(left[i]), 0)) + beside[i]
			}
		}
		return left
	}
	rows := s.lines(c, room)
	if rest := room - len(rows) - 1; len(beside) > 0 && len(beside) <= rest && c.width > pictureWide+2 {
		rows = append(rows, "")
		for _, l := range beside {
			rows = append(rows, "  "+l)
		}
	}
	return rows
}

// shows is the picture of the option that the form is at; nil if there is none.
func (s briefScreen) shows(th theme.Theme, width int) []string {
	o, ok := s.pictured()
	if img := s.stills[o.Recipe]; ok && img != nil && th.Pixels() {
		return widget.Halves(th, img, width)
	}
	return nil
}

// leastListed is how many lines of a list there are room for before anything is said about it.
const leastListed = 4

// lines are the lines of the form without pictures.
func (s briefScreen) lines(c canvas, room int) []string {
	if room < 1 {
		return nil
	}
	if s.offers() {
		var head []string
		if f, ok := s.field(); ok {
			head = append(head, s.row(c, s.at, f.Name, c.th.Accent.Render(widget.Line(s.list.typed)+"_")))
		}
		about := s.about(c)
		if len(head)+len(about)+leastListed > room { // the list matters more
			about = nil
		}
		list := s.list.view(c, room-len(head)-len(about)-1)
		if head = append(head, list...); len(about) > 0 && len(head)+len(about) < room {
			head = append(append(head, ""), about...)
		}
		return head
	}
	var rows []string
	for i, f := range s.fields {
		rows = append(rows, widget.Row(i+1, s.row(c, i+1, f.Name, s.value(c, i+1, f))))
	}
	if len(s.fields) > 0 {
		look := c.th.Muted
		if s.at == len(s.fields)+1 {
			look = c.th.Accent
		}
		rows = append(rows, widget.Row(len(s.fields)+1, s.row(c, len(s.fields)+1, "", look.Render("[ make the video ]"))))
	}
	about := s.about(c)
	if len(rows) > 0 && len(about) > 0 {
		about = append([]string{""}, about...)
	}
	if len(rows)+len(about) > room {
		about = nil
	}
	return append(window(c, rows, s.at-1-room/2, room), about...)
}

// row is a line of the form: its name, and its value.
func (s briefScreen) row(c canvas, at int, name, value string) string {
	arrow := ansi.StringWidth(c.th.Glyphs.Arrow)
	mark, look := strings.Repeat(" ", arrow), c.th.Muted
	if s.at == at {
		mark, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Text
	}
	names := 0
	for _, f := range s.fields {
		names = max(names, ansi.StringWidth(f.Name))
	}
	row := mark + " " + look.Render(name) + strings.Repeat(" ", names-ansi.StringWidth(name)+2) + value
	return ansi.Truncate(row, c.width, "")
}

// value is how the form shows the value of a field: with what it means, where there is room.
func (s briefScreen) value(c canvas, at int, f Field) string {
	text, about, look := f.text(c), f.About, c.th.Accent
	if len(f.Value) == 0 {
		text, look = f.None, c.th.Muted
	}
	for _, o := range f.Options {
		if len(f.Value) == 1 && o.Value == f.Value[0] {
			about = o.About
		}
	}
	if s.at == at && f.Files == 0 && len(f.items()) > 1 {
		text = "< " + text + " >"
	}
	const values = 24 // columns
	text = widget.Cut(text, max(c.width-14, 4), c.th.Glyphs.Ellipsis)
	out := look.Render(text)
	blanks := 2 + max(values-ansi.StringWidth(text), 0)
	if rest := c.width - 12 - ansi.StringWidth(text) - blanks; rest > 16 && about != "" {
		out += strings.Repeat(" ", blanks) + c.th.Muted.Render(widget.Cut(widget.Line(about), rest, c.th.Glyphs.Ellipsis))
	}
	return out
}

// about are words about what the keys go to: an example of the recipe, or what a prompt is.
func (s briefScreen) about(c canvas) []string {
	text := ""
	if o, ok := s.pictured(); ok {
		text = "For example: " + o.Example
	} else if s.at == 0 && !s.offers() {
		text = "A sentence is enough: what is shown, which words, which colours, how long, which shape. koda asks what it needs to know, shows a plan, and draws nothing before you accept it."
	}
	if text == "" {
		return nil
	}
	var out []string
	for _, l := range widget.Wrap(text, c.width) {
		out = append(out, c.th.Muted.Render(l))
	}
	return out
}
