package patch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// The bounds of what an error shows.
const (
	mostShown   = 40 // lines
	mostLetters = 3000
	commonplace = 50 // a line that occurs as often says nothing about a place
)

// missing is the error of a quote that was not found. It shows the nearest lines.
func (m *matcher) missing(text, replacement string) error {
	err := refuse("nothing in the file is like it; read the file again", "old_string is not in the file")
	if piece := strings.TrimSpace(replacement); len(piece) > 8 && strings.Count(text, piece) == 1 {
		line := 1 + strings.Count(text[:strings.Index(text, piece)], "\n")
		err.Hint = fmt.Sprintf("new_string is in the file already, at line %d; was this edit made before?", line)
		return err
	}
	w, ok := m.nearest()
	if !ok {
		return err
	}
	lines := m.text.full[w : w+min(len(m.want), mostShown, len(m.have)-w)]
	from, to := max(0, lines[0]-1), min(len(m.text.lines)-1, lines[len(lines)-1]+1) // and what is around them
	shown := strings.Join(m.text.lines[from:to+1], "")
	if len(shown) > mostLetters {
		shown = strings.ToValidUTF8(shown[:mostLetters], "") + "…"
	}
	err.Details = fmt.Sprintf("Nearest are lines %d–%d:\n%s", from+1, to+1, strings.TrimRight(shown, "\r\n"))
	err.Hint = "the nearest lines are shown as they are in the file; quote what is meant exactly"
	return err
}

// nearest is the window that has the most lines of old where old has them; or else the one
// around the line that is most like the longest line of old.
func (m *matcher) nearest() (w int, ok bool) {
	at := map[int][]int{}
	for i, r := range m.have {
		at[r.number] = append(at[r.number], i)
	}
	votes := map[int]int{}
	for k, r := range m.want {
		if len(at[r.number]) > commonplace {
			continue
		}
		for _, i := range at[r.number] {
			votes[max(0, i-k)] += r.letters
		}
	}
	best := 0
	for v, n := range votes {
		if n > best || n == best && v < w {
			best, w = n, v
		}
	}
	if best > 0 || len(m.want) == 0 {
		return w, best > 0
	}
	long := slices.MaxFunc(m.want, func(a, b row) int { return cmp.Compare(a.letters, b.letters) })
	k, most, left := slices.Index(m.want, long), near, effort/2
	for i, have := range m.have {
		size := max(have.letters, long.letters)
		if float64(min(have.letters, long.letters)) < most*float64(size) {
			continue
		}
		if left -= have.letters * long.letters; left < 0 {
			break
		}
		if a := 1 - float64(koda.Slips(have.text, long.text))/float64(size); a > most {
			most, w, ok = a, max(0, i-k), true
		}
	}
	return w, ok
}
