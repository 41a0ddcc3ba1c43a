package wish

import (
	"slices"
	"strings"
)

// Contrast is what a text sets against each other in two columns: "old office vs new office: 12 desks vs 40 desks, …", "load time
// 4.8 s before and 1.2 s after".
type Contrast struct {
	Names [2]Span // of the sides
	Pairs []Pair
	About Span // what the text says it is about, empty if it does not say
}

// Pair is one thing of each side. A figure is the number with its unit, if there is one; the other words are in Rest.
type Pair struct {
	Label        Span // what both are, empty if the text does not say
	Figure, Rest [2]Span
}

// Contrast finds the two columns of a text; ok is false if there are none.
func (r *Reading) Contrast() (c Contrast, ok bool) {
	if c, ok = r.r.opposed(); ok {
		return c, ok
	}
	return r.r.changed()
}

// closes reports whether a clause ends before piece i.
func (r *reader) closes(i int) bool {
	return i >= len(r.p) || r.form(i, line) || r.punct(i, ",;.、，；。!?") && !(r.punct(i, ".,") && r.touch(i-1) && r.touch(i))
}

// opposed reads "A vs B: a vs b, c vs d".
func (r *reader) opposed() (c Contrast, ok bool) {
	colon := slices.IndexFunc(r.p, func(p piece) bool { return p.form == mark && (p.text == ":" || p.text == "：") })
	if colon < 0 {
		return c, false
	}
	heads := r.halves(0, colon)
	if heads == nil {
		return c, false
	}
	for heads[0].From < heads[0].To && (r.meant(heads[0].From, makes, of, medium, article, between) || r.topical(heads[0].From)) {
		heads[0].From++
	}
	for heads[1].To > heads[1].From && r.topical(heads[1].To-1) {
		heads[1].To--
	}
	if heads[0].From >= heads[0].To || heads[1].From >= heads[1].To {
		return c, false
	}
	c.Names = [2]Span{r.place(heads[0]), r.place(heads[1])}
	for from := colon + 1; from < len(r.p); {
		to := from
		for !r.closes(to) {
			to++
		}
		if h := r.halves(from, to); h != nil {
			c.Pairs = append(c.Pairs, r.pair(Span{}, h[0], h[1]))
		} else if to > from {
			break
		}
		from = to + 1
	}
	return c, len(c.Pairs) > 0
}

// halves are the pieces on both sides of the one word in pieces [i, j) that sets two things against each other.
func (r *reader) halves(i, j int) []Span {
	at := -1
	for k := i; k < j; k++ {
		if r.meant(k, versus) {
			if at >= 0 {
				return nil
			}
			at = k
		}
	}
	if at <= i || at+1 >= j {
		return nil
	}
	return []Span{{i, at}, {at + 1, j}}
}

// topical reports whether piece i names a subject.
func (r *reader) topical(i int) bool { return slices.ContainsFunc(r.v.of(r.p[i].text), topic) }

// changed reads "load time 4.8 s before and 1.2 s after, …" and "before 42 open tickets, after 6".
func (r *reader) changed() (c Contrast, ok bool) {
	start := 0
	for i := range r.p { // the heading has both words: "before and after our move: …"
		if r.punct(i, ":：") && r.topicIn(0, i) >= 0 {
			start = i + 1
			break
		}
	}
	if start == 0 {
		return c, false
	}
	at := r.topicIn(0, start-1) + 1
	for at < start-1 && r.meant(at, article, mine, of, forWhom, in) {
		at++
	}
	if at < start-1 {
		c.About = r.place(Span{at, start - 1})
	}
	var marks []int // before, after, before, …
	for i := start; i < len(r.p); i++ {
		if want := []class{earlier, later}[len(marks)%2]; r.meant(i, want) {
			marks = append(marks, i)
		} else if r.meant(i, earlier, later) {
			return c, false
		}
	}
	if len(marks) == 0 || len(marks)%2 > 0 {
		return c, false
	}
	c.Names = [2]Span{r.p[marks[0]].span, r.p[marks[1]].span}
	if marks[0] == start {
		return c, len(marks) == 2 && r.ledBy(&c, marks[0], marks[1])
	}
	from := start
	for k := 0; k < len(marks); k += 2 {
		was, is := r.trim(from, marks[k]), r.trim(marks[k]+1, marks[k+1])
		label := Span{was.From, was.From}
		for label.To < was.To && r.quantityAt(label.To).n == 0 {
			label.To++
		}
		if label.To == was.To { // no number
			label.To = was.From
		}
		was.From = label.To
		if was.From >= was.To || is.From >= is.To {
			return c, false
		}
		c.Pairs = append(c.Pairs, r.pair(r.trim(label.From, label.To), was, is))
		from = marks[k+1] + 1
	}
	return c, true
}

// ledBy reads one pair whose words stand before what they are said of: "before: 42 open tickets, after: 6 open tickets".
func (r *reader) ledBy(c *Contrast, was, is int) bool {
	first, end := r.trim(was+1, is), is+1
	for r.punct(end, ":：") {
		end++
	}
	second := Span{end, end}
	for !r.closes(second.To) {
		second.To++
	}
	if first.From >= first.To || second.From >= second.To || r.quantityAt(first.From).n == 0 || r.quantityAt(second.From).n == 0 {
		return false
	}
	c.Pairs = []Pair{r.pair(Span{}, first, second)}
	return true
}

// topicIn is the last piece in [i, j) that names a subject with a word for earlier or later in it; -1 if there is none.
func (r *reader) topicIn(i, j int) int {
	for k := j - 1; k >= i; k-- {
		words := strings.FieldsFunc(r.p[k].text, func(c rune) bool { return c == ' ' || c == '/' || c == '&' })
		has := func(c class) bool {
			return slices.ContainsFunc(words, func(w string) bool {
				return slices.ContainsFunc(r.v.of(w), func(s sense) bool { return s.class == c })
			})
		}
		if r.topical(k) && has(earlier) && has(later) {
			return k
		}
	}
	return -1
}

// trim takes from both ends of pieces [i, j) what only joins.
func (r *reader) trim(i, j int) Span {
	for i < j && (r.form(i, mark) && r.punct(i, ",;:/-–—→>=、：") || r.form(i, line) || r.meant(i, and, but, be, to)) {
		i++
	}
	for j > i && (r.form(j-1, mark) && r.punct(j-1, ",;:/-–—→>=、：") || r.form(j-1, line) || r.meant(j-1, and, but, to)) {
		j--
	}
	return Span{i, j}
}

// pair takes the figures out of pieces a and b.
func (r *reader) pair(label, a, b Span) (p Pair) {
	if label.From < label.To {
		p.Label = r.place(label)
	}
	for k, s := range []Span{a, b} {
		s = r.trim(s.From, s.To)
		n := r.quantityAt(s.From).n
		if n > 0 {
			end := s.From + n
			if end < s.To && (r.p[end].glued || end+1 == s.To || r.meant(end, time) || r.v.base.units[r.p[end].text] || len(r.p[end].text) <= 2) && !r.meant(end, of, in, article) {
				end++
			}
			p.Figure[k] = r.place(Span{s.From, end})
			s = r.trim(end, s.To)
			for s.From < s.To && r.meant(s.From, of) {
				s.From++
			}
		}
		if s.From < s.To {
			p.Rest[k] = r.place(s)
		}
	}
	return p
}

// place is where pieces stand in the text.
func (r *reader) place(s Span) Span {
	return Span{r.p[s.From].span.From, r.p[s.To-1].span.To}
}
