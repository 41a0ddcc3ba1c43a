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
	Lines [2][]Pair // what is said of each side by itself, in the first half of each pair; nil where there are pairs
	About Span      // what the text says it is about, empty if it does not say
}

// Pair is one thing of each side. A figure is the number with its unit, if there is one; the other words are in Rest.
type Pair struct {
	Label        Span // what both are, empty if the text does not say
	Figure, Rest [2]Span
}

// Whole is the quotation that a place is inside of; the place itself without one.
func (r *Reading) Whole(s Span) Span {
	for i := range r.r.p {
		if p := r.r.p[i]; p.form == quoted && s.In(p.span) {
			return p.span
		}
	}
	return s
}

// longestContrast is how many words and marks a text has at most that is searched for two columns: the search takes time with their square.
const longestContrast = 600

// Contrast finds the two columns of a text; ok is false if there are none.
func (r *Reading) Contrast() (c Contrast, ok bool) {
	if len(r.r.p) > longestContrast {
		return c, false
	}
	for _, find := range []func() (Contrast, bool){r.r.opposed, r.r.changed, r.r.sections} {
		if c, ok = find(); ok {
			return c, true
		}
	}
	return c, false
}

// closes reports whether a clause ends before piece i.
func (r *reader) closes(i int) bool {
	return i >= len(r.p) || r.form(i, line) || r.punct(i, ",;.、，；。!?") && !(i > 0 && r.punct(i, ".,") && r.touch(i-1) && r.touch(i))
}

// opposed reads "A vs B: a vs b, c vs d". Between the names may be another word that joins them: "A and B".
func (r *reader) opposed() (c Contrast, ok bool) {
	colon := slices.IndexFunc(r.p, func(p piece) bool { return p.form == mark && (p.text == ":" || p.text == "：") })
	if colon < 0 {
		colon = r.beforeFigures()
	}
	if colon < 0 {
		return c, false
	}
	heads := r.halves(0, colon)
	if heads == nil {
		heads = r.split(0, colon, and)
	}
	if heads == nil {
		return c, false
	}
	for r.punct(colon, ",") && r.hasRole(heads[0], Name) && r.phraseRole(heads[0].From) != Name { // "comparision of tap water"
		heads[0].From++
	}
	for end := heads[1].To; r.punct(colon, ",") && c.About.To == 0 && r.hasRole(heads[1], Name) && r.phraseRole(heads[1].To-1) != Name; { // "Instagram vs TikTok engagement"
		if heads[1].To--; r.phraseRole(heads[1].To-1) == Name {
			c.About = r.place(Span{heads[1].To, end})
		}
	}
	for heads[0].From < heads[0].To && (r.meant(heads[0].From, makes, of, medium, between, set) || r.meant(heads[0].From, article) && heads[0].To-heads[0].From > 1 || r.topical(heads[0].From)) {
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
			label, rest := r.labelled(h[0], r.trim(h[1].From, h[1].To), len(c.Pairs) > 0 && c.Pairs[0].Label.To > 0)
			for label.From < label.To && r.meant(label.From, makes) { // "show calories 150 vs 40"
				label.From++
			}
			if r.punct(colon, ",") && label.From < label.To && r.phraseRole(label.From) != Headline {
				c.About, label = r.place(label), Span{}
			}
			c.Pairs = append(c.Pairs, r.pair(label, rest, h[1]))
		} else if to > from {
			break
		}
		from = to + 1
	}
	if h := r.halves(colon+1, len(r.p)); len(c.Pairs) == 0 && h != nil { // "A vs B: 1962, no lift vs 2025, two lifts"
		c.Lines = [2][]Pair{r.lines(h[0].From, h[0].To), r.lines(h[1].From, h[1].To)}
		return c, len(c.Lines[0]) > 1 && len(c.Lines[1]) > 0
	}
	return c, len(c.Pairs) > 0
}

// Opposes reports whether a word in a place sets what stands around it against each other: "against".
func (r *Reading) Opposes(s Span) bool {
	for i := r.r.pieceAt(s.From); i < len(r.r.p) && r.r.p[i].span.From < s.To; i++ {
		if r.r.meant(i, versus) {
			return true
		}
	}
	return false
}

// Versus are the two halves of a place that a word sets against each other, or joins: "187g vs 199g"; ok is false if it has no two.
func (r *Reading) Versus(s Span) (halves [2]Span, ok bool) {
	i, j := r.r.at(s)
	h := r.r.halves(i, j)
	if h == nil {
		h = r.r.split(i, j, and)
	}
	if h == nil {
		return halves, false
	}
	return [2]Span{r.r.place(h[0]), r.r.place(h[1])}, true
}

// Spoken are the first words of a text that mean a subject and are shown by it, such as "thank you"; empty if there are none.
func (r *Reading) Spoken() Span {
	for i := range r.r.p {
		if r.r.term(i, Spoken) != nil {
			return r.r.p[i].span
		}
	}
	return Span{}
}

// Lists reports whether a place says nothing but that what stands around it belongs together: "," or "and".
func (r *Reading) Lists(s Span) bool {
	i, to := r.r.at(s)
	for k := i; k < to; k++ {
		if !r.r.is(k, and) && !r.r.punct(k, ",") {
			return false
		}
	}
	return strings.TrimSpace(r.Said(s)) != ""
}

// split are the pieces on both sides of the one word of a class in pieces [i, j); nil if there are none or more.
func (r *reader) split(i, j int, by class) (out []Span) {
	for k := i + 1; k+1 < j; k++ {
		if r.meant(k, by) {
			if out != nil {
				return nil
			}
			out = []Span{{i, k}, {k + 1, j}}
		}
	}
	return out
}

// halves are the pieces on both sides of the one word in pieces [i, j) that sets two things against each other.
func (r *reader) halves(i, j int) []Span {
	at := -1
	for k := i; k < j; k++ {
		if r.meant(k, versus) || k > i && k+1 < j && r.main != "en" && r.meant(k, to) && r.quantityAt(k+1).n > 0 && slices.ContainsFunc(r.p[i:k], func(p piece) bool { return p.form == number }) { // "61 % zu 83 %"
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

// atNumber parts pieces at their first number: "price $18" has a label before it. Without a number, all of them are the rest.
func (r *reader) atNumber(s Span) (label, rest Span) {
	for k := s.From; k < s.To; k++ {
		if r.quantityAt(k).n > 0 {
			return r.trim(s.From, k), Span{k, s.To}
		}
	}
	return Span{}, s
}

// topical reports whether piece i names a subject, or speaks for one in a language whose hints are nouns: "Vergleich".
func (r *reader) topical(i int) bool {
	return r.about(r.p[i]) || slices.ContainsFunc(r.v.of(r.p[i].text), func(s sense) bool {
		return s.term != nil && s.term.Role == Hint && (s.lang != "en" || r.known && r.p[i].phrase == 0)
	})
}

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
	numbered := slices.ContainsFunc(r.p[start:marks[0]], func(p piece) bool { return p.form == number })
	if len(marks) == 2 && !numbered { // "before: 42 open tickets, after: 6", "heating bill before £2,340, after £1,190"
		c.Lines = [2][]Pair{r.lines(marks[0]+1, marks[1]), r.lines(marks[1]+1, len(r.p))}
		if label := r.trim(start, marks[0]); label.From < label.To && len(c.Lines[0]) == 1 && len(c.Lines[1]) == 1 {
			c.Lines[0][0].Label = r.place(label)
		}
		return c, len(c.Lines[0]) > 0 && len(c.Lines[1]) > 0
	}
	from := start
	for k := 0; k < len(marks); k += 2 {
		was, is := r.trim(from, marks[k]), r.trim(marks[k]+1, marks[k+1])
		label, rest := r.atNumber(was)
		if rest.From >= rest.To || is.From >= is.To {
			return c, false
		}
		c.Pairs = append(c.Pairs, r.pair(label, rest, is))
		from = marks[k+1] + 1
	}
	return c, true
}

// lines are the clauses of pieces [i, j), up to the end of the sentence or to a clause that only asks for something.
func (r *reader) lines(i, j int) (out []Pair) {
	for from := i; from < j; {
		for from < j && (r.punct(from, ":：=") || r.punct(from, "-–—") && !r.touch(from)) {
			from++
		}
		if r.form(from, quoted) { // "dull, brassy, split ends"
			return append(out, r.inner(from)...)
		}
		to := from
		for to < j && !r.closes(to) && !(r.punct(to, "/") && !r.touch(to)) {
			to++
		}
		if s := r.trim(from, to); s.From < s.To {
			if r.asks(s) {
				break
			}
			out = append(out, r.pair(Span{}, s, Span{}))
		}
		if to < j && (r.form(to, line) || r.punct(to, ".!?。")) {
			break
		}
		from = to + 1
	}
	return out
}

// inner are the parts of a quotation between its commas.
func (r *reader) inner(i int) (out []Pair) {
	at := r.p[i].span.From
	for part := range strings.SplitAfterSeq(r.said(i, i+1), ",") {
		said := strings.Trim(part, ", \"“”„«»「」'")
		if n := strings.Index(part, said); said != "" {
			out = append(out, Pair{Rest: [2]Span{{at + n, at + n + len(said)}}})
		}
		at += len(part)
	}
	return out
}

// asks reports whether a clause says nothing but what the video is to be like.
func (r *reader) asks(s Span) bool {
	if r.meant(s.From, makes, please, set) && !r.phrased(s) {
		return true
	}
	for k := s.From; k < s.To; k++ {
		if r.form(k, word) && r.p[k].wish == 0 && !r.is(k, filler, in, onto, article, medium) || r.form(k, number) && r.p[k].wish == 0 {
			return false
		}
	}
	return !r.phrased(s)
}

// phrased reports whether a phrase that is shown has one of some pieces.
func (r *reader) phrased(s Span) bool {
	for k := s.From; k < s.To; k++ {
		if r.p[k].phrase > 0 && r.phraseRole(k) != Aside {
			return true
		}
	}
	return false
}

// longestSide is how many words the name of a side has at most.
const longestSide = 4

// sections reads what is said of two things one after the other, which the text names together before: "renting vs buying: renting
// - no deposit, easy to move. buying - builds equity".
func (r *reader) sections() (c Contrast, ok bool) {
	for j := 1; j+1 < len(r.p); j++ {
		if !r.meant(j, versus, and, or) && !r.punct(j, "/") {
			continue
		}
		for n := longestSide; n > 0; n-- {
			width := n
			first := r.headOf(j-n, j, j+2, 0)
			if first < 0 && n > 1 && r.p[j-1].phrase == 0 { // "bici elettrica e scooter: bici 1.400 euro; scooter 2.900 euro"
				width = 1
				first = r.headOf(j-n, j-n+1, j+2, 0)
			}
			for m := longestSide; m > 0 && first > 0; m-- {
				second := r.headOf(j+1, j+1+m, first+width, first)
				if second < 0 || first < j+1+m {
					continue
				}
				c.Names = [2]Span{r.place(Span{first, first + width}), r.place(Span{second, second + m})}
				if width < n {
					c.Names[0] = r.place(Span{j - n, j})
				}
				c.Lines = [2][]Pair{r.lines(first+width, second), r.lines(second+m, len(r.p))}
				if len(c.Lines[0]) > 0 && len(c.Lines[1]) > 0 {
					return c, true
				}
			}
		}
	}
	return c, false
}

// headOf is where pieces [i, j), a name, stand again from piece at on as the head of a section: at the beginning of a clause and before a
// mark or a number; -1 if they do not. A section behind another, which begins at piece other, may have a plain name.
func (r *reader) headOf(i, j, at, other int) int {
	if i < 0 || j > len(r.p) {
		return -1
	}
	for k := i; k < j; k++ {
		if !r.form(k, word) && !r.form(k, number) {
			return -1
		}
	}
	for k := at; k+j-i < len(r.p); k++ {
		if !r.form(k-1, mark) && !r.form(k-1, line) && !(other > 0 && r.meant(k-1, and)) {
			continue
		}
		same := true
		for n := range j - i {
			same = same && strings.EqualFold(r.p[i+n].text, r.p[k+n].text)
		}
		end := k + j - i
		if same && (r.punct(end, ":：=") || r.punct(end, "-–—") && !r.touch(end) || r.quantityAt(end).n > 0 || r.is(end, currency) || r.form(end, clock) || r.form(end, word) && r.p[end].text[0] >= '0' && r.p[end].text[0] <= '9') {
			return k
		}
	}
	return -1
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
		apart := k-2 >= i && r.meant(k, later) && (r.punct(k-1, "/&") || r.meant(k-1, and)) && r.meant(k-2, earlier) // "Avant / Après"
		if apart || r.topical(k) && has(earlier) && has(later) {
			return k
		}
	}
	return -1
}

// trim takes from both ends of pieces [i, j) what only joins.
func (r *reader) trim(i, j int) Span {
	for i < j && (r.form(i, mark) && r.punct(i, ",;:/-–—→>=、：") || r.form(i, line) || r.meant(i, and, but, be, to) && !r.meant(i, article)) {
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
		if s = r.trim(s.From, s.To); s.From >= s.To {
			continue
		}
		n := r.quantityAt(s.From).n
		if end := s.From + n; n > 0 && end+1 < s.To && r.p[end].glued && r.punct(end, "/") && r.form(end+1, number) { // "24/7 chat"
			n = 0
		}
		if n > 0 {
			end := s.From + n
			if end < s.To && (r.p[end].glued || end+1 == s.To || r.meant(end, time) || r.v.base.units[r.p[end].text] || len(r.p[end].text) <= 2) && !r.meant(end, of, in, article) {
				end++
			}
			if end+1 < s.To && r.meant(end, article, every) && r.meant(end+1, time) { // "£28 a day"
				end += 2
			}
			p.Figure[k] = r.place(Span{s.From, end})
			if s = r.trim(end, s.To); s.From > end && r.meant(s.From-1, to) && r.quantityAt(s.From).n == 0 { // "4 hours to find a pallet"
				s.From--
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
