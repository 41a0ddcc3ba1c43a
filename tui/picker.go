package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// picker is a list that typing narrows. It takes one of its items.
type picker struct {
	typed string
	items []item
	found bool // the items are found by what was typed: the list narrows nothing
	own   bool // what was typed can be taken as it is
	at    int
}

// item is a line of a picker.
type item struct {
	value, label, about string
	open                bool // taking it leads to further items
}

// shown are the items that what was typed leaves: first those that begin with it.
func (p picker) shown() []item {
	var begin, hold []item
	same := false
	want := strings.ToLower(p.typed)
	for _, it := range p.items {
		label := strings.ToLower(it.label)
		same = same || strings.EqualFold(it.value, p.typed)
		switch {
		case p.found || strings.HasPrefix(label, want):
			begin = append(begin, it)
		case strings.Contains(label+" "+strings.ToLower(it.about), want):
			hold = append(hold, it)
		}
	}
	out := append(begin, hold...)
	if p.own && !same && strings.TrimSpace(p.typed) != "" {
		out = append(out, item{value: strings.TrimSpace(p.typed), label: p.typed, about: "as it is typed"})
	}
	return out
}

// marked is the item that enter takes; false if there is none.
func (p picker) marked() (item, bool) {
	if list := p.shown(); len(list) > 0 {
		return list[min(p.at, len(list)-1)], true
	}
	return item{}, false
}

// move moves the mark; false: the key does not move it.
func (p picker) move(k tea.KeyMsg) (picker, bool) {
	last := max(len(p.shown())-1, 0)
	switch k.String() {
	case "up", "shift+tab":
		p.at = max(min(p.at, last)-1, 0)
	case "down":
		p.at = min(p.at+1, last)
	case "pgup":
		p.at = max(min(p.at, last)-10, 0)
	case "pgdown":
		p.at = min(p.at+10, last)
	case "home":
		p.at = 0
	case "end":
		p.at = last
	default:
		return p, false
	}
	return p, true
}

// edit types into the list; false: the key does not type.
func (p picker) edit(k tea.KeyMsg) (picker, bool) {
	switch {
	case k.String() == "backspace":
		r := []rune(p.typed)
		p.typed = string(r[:max(len(r)-1, 0)])
	case k.String() == "ctrl+u":
		p.typed = ""
	case printable(k):
		p.typed += strings.Map(oneLine, theme.Clean(string(k.Runes)))
	default:
		return p, false
	}
	p.at = 0
	return p, true
}

// oneLine makes of a newline a blank.
func oneLine(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}

// view is the part of the list around the mark, of at most height lines.
func (p picker) view(c canvas, height int) []string {
	list := p.shown()
	if len(list) == 0 {
		return []string{c.th.Muted.Render(widget.Cut("  nothing matches", c.width, c.th.Glyphs.Ellipsis))}
	}
	names := 4
	for _, it := range list {
		names = max(names, ansi.StringWidth(widget.Line(it.label)))
	}
	names = min(names, max(c.width-6, 4), 36)
	arrow := ansi.StringWidth(c.th.Glyphs.Arrow)
	at := min(p.at, len(list)-1)
	rows := make([]string, len(list))
	for i, it := range list {
		mark, look := strings.Repeat(" ", arrow), c.th.Text
		if i == at {
			mark, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Accent
		}
		label := widget.Cut(widget.Line(it.label), names, c.th.Glyphs.Ellipsis)
		rows[i] = "  " + mark + " " + look.Render(label)
		if room := c.width - names - arrow - 5; room > 12 && it.about != "" {
			rows[i] += strings.Repeat(" ", names-ansi.StringWidth(label)+2) + c.th.Muted.Render(widget.Cut(widget.Line(it.about), room, c.th.Glyphs.Ellipsis))
		}
		rows[i] = widget.Row(i, rows[i])
	}
	return window(c, rows, at-height/2, height)
}
