package patch

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// How alike two pieces must be.
const (
	alike    = 0.9 // the only place that is similar
	runnerUp = 0.8 // any other place, at most
	between  = 0.7 // what is between two anchors
	near     = 0.5 // a line that is shown as the nearest
	effort   = 60_000_000
)

// page is a text in lines.
type page struct {
	lines []string // with their ends
	full  []int    // the lines that are not blank
}

func pageOf(text string) page {
	var p page
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			p.full = append(p.full, len(p.lines))
		}
		p.lines = append(p.lines, l)
	}
	return p
}

// row is a full line without the blanks around it.
type row struct {
	text    string
	number  int // equal lines have equal numbers
	letters int
}

// matcher looks for the lines of old in text. A window is a run of as many full lines of
// text as old has, named by the first of them.
type matcher struct {
	text, old  page
	have, want []row          // the full lines of both
	known      map[[2]int]int // slips between two lines, by their numbers
	left       int            // letters that may still be compared with each other
}

func newMatcher(text, old string) *matcher {
	m := &matcher{text: pageOf(text), old: pageOf(old), known: map[[2]int]int{}, left: effort}
	numbers := map[string]int{}
	m.have, m.want = m.text.rows(strings.TrimSpace, numbers), m.old.rows(strings.TrimSpace, numbers)
	return m
}

// rows are the full lines, trimmed.
func (p page) rows(trim func(string) string, numbers map[string]int) []row {
	rows := make([]row, len(p.full))
	for k, i := range p.full {
		l := trim(p.lines[i])
		n, ok := numbers[l]
		if !ok {
			n = len(numbers)
			numbers[l] = n
		}
		rows[k] = row{l, n, utf8.RuneCountInString(l)}
	}
	return rows
}

func trimEnd(line string) string { return strings.TrimRightFunc(line, unicode.IsSpace) }

// windows is the number of windows.
func (m *matcher) windows() int { return max(0, len(m.have)-len(m.want)+1) }

// find finds the window that is meant. If there is none, the strategy is empty.
func (m *matcher) find() (first int, s Strategy, err error) {
	if len(m.want) == 0 {
		return 0, "", nil
	}
	numbers := map[string]int{}
	have, want := m.text.rows(trimEnd, numbers), m.old.rows(trimEnd, numbers)
	for _, try := range []struct {
		s     Strategy
		found []int
	}{{Trimmed, same(have, want)}, {Indented, same(m.have, m.want)}} {
		switch len(try.found) {
		case 0:
		case 1:
			return try.found[0], try.s, nil
		default:
			return 0, "", ambiguous("occurs, but for blanks,", m.linesOf(try.found))
		}
	}
	if found := m.anchored(); len(found) == 1 {
		return found[0], Anchored, nil
	}
	found, best := m.similar()
	switch {
	case m.left < 0 || best < alike:
		return 0, "", nil
	case len(found) > 1:
		return 0, "", ambiguous("is similar to the text", m.linesOf(found))
	}
	return found[0], Similarity, nil
}

func (m *matcher) linesOf(windows []int) []int {
	var lines []int
	for _, w := range windows {
		lines = append(lines, 1+m.text.full[w])
	}
	return lines
}

// same are the places of want in have.
func same(have, want []row) []int {
	var found []int
	for i := 0; i+len(want) <= len(have); i++ {
		k := 0
		for k < len(want) && have[i+k].number == want[k].number {
			k++
		}
		if k == len(want) {
			found = append(found, i)
		}
	}
	return found
}

// anchored are the windows whose first and last line are those of old, and whose lines
// between are alike. A line without letters is no anchor at the beginning.
func (m *matcher) anchored() []int {
	var found []int
	last := len(m.want) - 1
	if last < 2 || !strings.ContainsFunc(m.want[0].text, unicode.IsLetter) {
		return nil
	}
	for w := range m.windows() {
		if m.have[w].number == m.want[0].number && m.have[w+last].number == m.want[last].number && m.alike(w, 1, last, between) >= between {
			found = append(found, w)
		}
	}
	return found
}

// similar are the first windows that are more alike than a runner-up may be, two at most,
// and how alike the better of them is.
func (m *matcher) similar() (found []int, best float64) {
	for w := range m.windows() {
		if a := m.alike(w, 0, len(m.want), runnerUp); a > runnerUp {
			found, best = append(found, w), max(best, a)
		}
		if len(found) > 1 || m.left < 0 {
			break
		}
	}
	return found, best
}

// alike is how alike the lines from one to another of a window are to those of old, from 0
// to 1. It is 0 if it would be less than least.
func (m *matcher) alike(w, from, to int, least float64) float64 {
	letters, slips := 0, 0
	for k := from; k < to; k++ {
		letters += max(m.have[w+k].letters, m.want[k].letters)
	}
	most := int(float64(letters) * (1 - least))
	for k := from; k < to && slips <= most; k++ {
		slips += m.slips(m.have[w+k], m.want[k], most-slips)
	}
	if slips > most {
		return 0
	}
	return 1 - float64(slips)/float64(letters)
}

// slips counts the slips between two lines; if there are more than most, any such number.
func (m *matcher) slips(a, b row, most int) int {
	n, long := [2]int{a.number, b.number}, max(a.letters, b.letters)
	switch slips, ok := m.known[n]; {
	case a.number == b.number:
		return 0
	case ok:
		return slips
	case long-min(a.letters, b.letters) > most:
		return most + 1
	}
	if m.left -= a.letters * b.letters; m.left < 0 {
		return long
	}
	m.known[n] = koda.Slips(a.text, b.text)
	return m.known[n]
}
