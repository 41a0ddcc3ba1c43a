package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/widget"
)

// command is one thing that the palette can do.
type command struct {
	word string // what the foot says of it: "undo"
	text string // in full
	key  string // as people read it; "": there is no key for it
	want intent
}

// commands are what hints can do, each key for itself. A hint that explains and does
// nothing is left out.
func commands(hints []hint) []command {
	var out []command
	for _, h := range hints {
		names, texts := h.names(), []string{h.full()}
		if len(names) > 1 {
			if texts = strings.Split(h.more, ", "); len(texts) < len(names) {
				continue
			}
		}
		for i, name := range names {
			c := command{word: h.what, text: texts[i], key: h.key, want: press{name}}
			if len(names) > 1 {
				c.key = strings.ReplaceAll(name, " ", "space")
			}
			if _, ok := keyNamed(name); ok {
				out = append(out, c)
			}
		}
		if len(names) == 0 && h.do != nil {
			_, want := h.do("")
			out = append(out, command{word: h.what, text: h.full(), want: want})
		}
	}
	return out
}

// paletteScreen finds what can be done by some letters of it.
type paletteScreen struct {
	all    []command
	filter string
	at     int
}

// shown are the commands that match the filter, the best first.
func (s paletteScreen) shown() []command {
	type ranked struct {
		command
		rank int
	}
	var list []ranked
	for _, c := range s.all {
		if r := match(c.word, c.text, s.filter); r >= 0 {
			list = append(list, ranked{c, r})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return a.rank - b.rank })
	out := make([]command, len(list))
	for i, c := range list {
		out[i] = c.command
	}
	return out
}

// match says how well a name and its description fit what was typed of them; the best is 0, and -1
// is not at all. Of the name: the start, the start of a word, some part, all letters in order. Of
// the description: a word that begins so.
func match(name, about, typed string) int {
	name, typed = strings.ToLower(name), strings.ToLower(strings.TrimSpace(typed))
	switch {
	case strings.HasPrefix(name, typed):
		return 0
	case strings.Contains(name, " "+typed):
		return 1
	case strings.Contains(name, typed):
		return 2
	}
	rest, ok := name, true
	for _, r := range strings.ReplaceAll(typed, " ", "") {
		i := strings.IndexRune(rest, r)
		if ok = i >= 0; !ok {
			break
		}
		rest = rest[i+len(string(r)):]
	}
	switch {
	case ok:
		return 3 + len(name) - len(rest)
	case strings.Contains(strings.NewReplacer("(", " ", ",", " ").Replace(" "+strings.ToLower(about)), " "+typed):
		return 3 + len(name)
	}
	return -1
}

func (s paletteScreen) key(k tea.KeyMsg) (screen, intent) {
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	if r := []rune(s.filter); k.String() == "backspace" && len(r) > 0 {
		s.filter, s.at = string(r[:len(r)-1]), 0
	}
	if printable(k) {
		s.filter, s.at = s.filter+string(k.Runes), 0
	}
	return s, nil
}

func (s paletteScreen) move(name string) (screen, intent) {
	last := max(len(s.shown())-1, 0)
	by := map[string]int{"up": -1, "shift+tab": -1, "pgup": -10, "down": 1, "tab": 1, "pgdown": 10, "ctrl+n": 1, "ctrl+p": -1}
	s.at = min(max(s.at+by[name], 0), last)
	return s, nil
}

// choose closes the palette and does what is marked.
func (s paletteScreen) choose(string) (screen, intent) {
	if list := s.shown(); s.at < len(list) {
		return nil, list[s.at].want
	}
	return s, nil
}

// point marks a row, or does what is marked.
func (s paletteScreen) point(row int) (screen, intent) {
	if row == s.at {
		return s.choose("")
	}
	s.at = row
	return s, nil
}

func (s paletteScreen) help() []hint {
	var hints []hint
	if list := s.shown(); len(list) > 0 {
		hints = []hint{
			{key: "enter", what: "do it", do: s.choose},
			{key: "↑↓", what: "choose", also: "tab shift+tab pgup pgdown ctrl+n ctrl+p", do: s.move},
		}
	}
	return append(hints, hint{key: "type", what: "to find"}, hint{key: "esc", what: "back", do: wants(nil, nil)})
}

// mostCommands is how many commands are shown at once.
const mostCommands = 10

func (s paletteScreen) view(c canvas) string {
	list := s.shown()
	rows := []string{c.th.Accent.Render("> ") + widget.Line(s.filter) + c.th.Muted.Render("_")}
	room := max(min(mostCommands, c.height-3), 1)
	top := max(min(s.at-room/2, len(list)-room), 0)
	for i, cmd := range list[top:min(top+room, len(list))] {
		rows = append(rows, widget.Row(top+i, cmd.view(c, top+i == s.at)))
	}
	if len(list) == 0 {
		rows = append(rows, c.th.Muted.Render("  Nothing of that name: backspace, or esc."))
	}
	title := "What to do"
	if len(list) > room {
		title += fmt.Sprintf(" (%d of %d)", s.at+1, len(list))
	}
	return panel(c, title, rows, newScroll())
}

// wordColumns is the width of the column with the words of commands.
const wordColumns = 14

func (cmd command) view(c canvas, marked bool) string {
	arrow, look := strings.Repeat(" ", ansi.StringWidth(c.th.Glyphs.Arrow)), c.th.Text
	if marked {
		arrow, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Accent
	}
	fill := func(text string, width int) string {
		text = widget.Cut(text, width, c.th.Glyphs.Ellipsis)
		return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
	}
	word, about := hint{what: cmd.word}.brief(), cmd.text
	if about == cmd.word {
		about = "" // nothing is said twice
	}
	room := min(c.width, twoColumns) - ansi.StringWidth(arrow) - wordColumns - 4 - ansi.StringWidth(cmd.key)
	return arrow + " " + look.Render(fill(word, wordColumns)) + "  " + c.th.Muted.Render(fill(about, room)+" "+cmd.key)
}
