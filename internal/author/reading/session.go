package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// commands gives several texts between backticks to the parameter for code, a line each, and
// returns the other texts.
func (f *filler) commands(texts []wish.Wish) (others []wish.Wish) {
	p := f.free("code")
	var lines []string
	var first wish.Wish
	for _, w := range texts {
		if p == nil || !w.IsCode() {
			others = append(others, w)
			continue
		}
		if len(lines) == 0 {
			first = w
		}
		lines = append(lines, w.Value)
		f.taken[w.Span] = true
		f.shown = append(f.shown, w.Span)
	}
	if len(lines) < 2 {
		return texts
	}
	f.put(p.Name, strings.Join(lines, "\n"), first)
	return others
}

// session gives commands and what they answer, where an answer stands before a further command, to the parameter for
// commands, as a terminal shows them.
func (f *filler) session() {
	p, output := f.free("commands"), taker(f.m, "output")
	if p == nil || output == nil {
		return
	}
	var lines []string
	var parts []wish.Wish
	mixed := false
	prompted := func(w wish.Wish) bool {
		return w.IsCode() && strings.HasSuffix(strings.TrimRight(f.read.Said(wish.Span{To: cmp.Or(w.Shown, w.Span).From}), " "), "$")
	}
	marked := slices.ContainsFunc(f.wishes, prompted) // "$ npm install, then "added 12 packages""
	for _, w := range f.wishes {
		answer := w.Kind == wish.Text && (w.Answers() || w.About == output.Name || marked && w.IsCode() && w.Quoted && !prompted(w))
		if !answer && !w.IsCode() || len(lines) == 0 && answer {
			continue
		}
		if parts = append(parts, w); answer {
			lines = append(lines, strings.Split(w.Value, "\n")...)
			continue
		}
		mixed = mixed || len(lines) > 0 && !strings.HasPrefix(lines[len(lines)-1], "$ ")
		for _, line := range f.read.Lines(cmp.Or(w.Shown, w.Span)) {
			lines = append(lines, "$ "+strings.TrimPrefix(trimmed(strings.Trim(line, "`")), "$ "))
		}
	}
	if !mixed {
		return
	}
	f.put(p.Name, strings.Join(lines, "\n"), parts[0])
	for _, w := range parts {
		f.taken[w.Span] = true
		f.shown = append(f.shown, cmp.Or(w.Shown, w.Span))
	}
}
