package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// hint is what a key does. A screen has one table of hints: its reducer does what the
// table says, and the foot, the overlay of keys and the palette show it, so they cannot
// disagree.
type hint struct {
	key  string // as people read it: "enter", "space", "↑↓", "[ ]"; "": only in the palette
	what string // in a word or two
	more string // in full, if what says too little; of several keys one text each, after commas
	also string // further keys that do the same, with blanks between
	// do does it; it gets the name of the key. Nil: the screen reads the key itself.
	do    func(name string) (screen, intent)
	stays bool // it has its place in the foot before others
}

// arrows are the keys that a hint draws.
var arrows = map[rune]string{'↑': "up", '↓': "down", '←': "left", '→': "right"}

// names are the keys that a hint shows, as the reducers name them.
func (h hint) names() []string {
	var out []string
	for _, word := range strings.Fields(h.key) {
		name := strings.TrimRight(word, "↑↓←→")
		for _, r := range strings.TrimPrefix(word, name) {
			out = append(out, name+arrows[r])
		}
		switch {
		case name != word:
		case name == "space":
			out = append(out, " ")
		default:
			out = append(out, name)
		}
	}
	return out
}

// spelled are hints with words instead of arrows, where the terminal has none.
func spelled(th theme.Theme, hints []hint) []hint {
	if !th.ASCII() {
		return hints
	}
	out := slices.Clone(hints)
	for i, h := range out {
		if strings.ContainsAny(h.key, "↑↓←→") {
			out[i].key = strings.Join(h.names(), " ")
		}
	}
	return out
}

// full says in full what a hint does.
func (h hint) full() string {
	if h.more != "" {
		return h.more
	}
	return h.what
}

// hit finds the hint that a key means, if its table says what to do.
func hit(list []hint, k tea.KeyMsg) (hint, bool) {
	name := k.String()
	for _, h := range list {
		if h.do == nil {
			continue
		}
		for _, other := range append(h.names(), strings.Fields(h.also)...) {
			if other == name {
				return h, true
			}
		}
	}
	return hint{}, false
}

// wants is what a hint does that leaves the screen as it is.
func wants(s screen, w intent) func(string) (screen, intent) {
	return func(string) (screen, intent) { return s, w }
}

// keyTypes are the keys that type no character, by name.
var keyTypes = func() map[string]tea.KeyType {
	types := map[string]tea.KeyType{}
	for t := tea.KeyType(-128); t < 128; t++ {
		if name := t.String(); t != tea.KeyRunes && t != tea.KeySpace && name != "" {
			types[name] = t
		}
	}
	return types
}()

// keyNamed is the press of a key; false if no key has the name.
func keyNamed(name string) (tea.KeyMsg, bool) {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, true
	}
	if rest, alt := strings.CutPrefix(name, "alt+"); alt {
		k, ok := keyNamed(rest)
		k.Alt = true
		return k, ok
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: r}, true
	}
	t, ok := keyTypes[name]
	return tea.KeyMsg{Type: t}, ok
}

// askKeys is the hint of screens on which ? is no text.
func askKeys(s screen) hint {
	return hint{key: "?", what: "keys", more: "show all keys", do: wants(s, showKeys{})}
}

// span is where a hint stands in the foot, in columns.
type span struct {
	from, to int
	hint     hint
}

// brief is what a hint does in as few words as say it.
func (h hint) brief() string {
	word, _, _ := strings.Cut(h.what, ";")
	word, _, _ = strings.Cut(word, ":")
	return word
}

// spans places as many hints as have room, in one line. Before the others, the first hint has its
// place, for it goes on, then the last one, which tells how to see them all, and then those that stay.
func spans(hints []hint, width int) []span {
	const between = 3
	if len(hints) == 0 {
		return nil
	}
	wide := func(h hint) int { return ansi.StringWidth(h.key) + 1 + ansi.StringWidth(h.what) }
	hints = slices.Clone(hints)
	last := len(hints) - 1
	order := []int{0, last}
	for _, stay := range []bool{true, false} {
		for i := range hints {
			if hints[i].stays == stay {
				order = append(order, i)
			}
		}
	}
	has, rest := map[int]bool{}, width+between
	for n, i := range order {
		if has[i] {
			continue
		}
		room := rest
		if n == 0 && last > 0 {
			room -= wide(hints[last]) + between
		}
		if wide(hints[i])+between > room {
			hints[i].what = hints[i].brief()
		}
		if need := wide(hints[i]) + between; need <= rest {
			has[i], rest = true, rest-need
		}
	}
	var out []span
	at := 0
	for i, h := range hints {
		if has[i] {
			out = append(out, span{at, at + wide(h), h})
			at += wide(h) + between
		}
	}
	return out
}

// foot is one line of hints.
func foot(c canvas, hints []hint) string {
	var b strings.Builder
	for i, s := range spans(hints, c.width) {
		if i > 0 {
			b.WriteString(c.th.Muted.Render(" " + c.th.Glyphs.Dot + " "))
		}
		b.WriteString(c.th.Accent.Render(s.hint.key) + c.th.Muted.Render(" "+s.hint.what))
	}
	return b.String()
}

// clicked is the key of the foot at a column; "" if there is none. Of several keys it is
// the one at the column.
func clicked(hints []hint, width, x int) string {
	for _, s := range spans(hints, width) {
		names := s.hint.names()
		if x < s.from || x >= s.to || len(names) == 0 {
			continue
		}
		at := (x - s.from) * len(names) / max(ansi.StringWidth(s.hint.key), 1)
		return names[min(at, len(names)-1)]
	}
	return ""
}

// pressed does what the table of a screen says of a key; nothing if it says nothing.
func pressed(s screen, k tea.KeyMsg) (screen, intent) {
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	return s, nil
}
