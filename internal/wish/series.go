package wish

import (
	"slices"
	"strings"
)

// group is a name and the numbers behind it, at pieces [from, end).
type group struct {
	from, nameTo, end int
	labels            []string // of the numbers; nil if they have none
	figures           []quantity
	colour            string
	marked            bool // a mark stands between the name and the numbers
	versus            bool // a word or a stroke sets the numbers against each other
	stroke            bool // a stroke does, as it does in fractions
}

// longestSeriesName is how many words the name of a series may have.
const longestSeriesName = 3

// several makes rows of several series: "revenue 10, 14, 19 and costs 8, 9, 12", "Q1 20 vs 25, Q2 30 vs 28", a table of
// lines with a name and several numbers each. Its pieces are in no phrase then.
func (r *reader) several(all []phrasePieces) []phrasePieces {
	against := r.against(all)
	for i := range r.p {
		groups := r.groups(i, against)
		if len(groups) < 2 {
			continue
		}
		w, taken := r.series(all, groups)
		if w == nil {
			continue
		}
		end := groups[len(groups)-1].end
		w.Span = Span{r.p[groups[0].from].span.From, r.p[end-1].span.To}
		r.wishes = append(r.wishes, *w)
		for _, s := range append(taken, Span{groups[0].from, end}) {
			for k := s.From; k < s.To; k++ {
				r.p[k].wish = len(r.wishes)
			}
			all = freeOf(all, s.From, s.To)
		}
		for k := range all { // "temperature in", of "temperature in Lisbon vs London"
			for p := &all[k]; p.role == Headline && p.to-p.from > 1 && slices.ContainsFunc(taken, func(s Span) bool { return s.From == p.to }) && r.meant(p.to-1, in, of, between, forWhom); {
				p.to--
			}
		}
		return all
	}
	return all
}

// groups are the groups from piece i on that stand side by side and have equally many numbers. against says that a heading sets two
// things against each other.
func (r *reader) groups(i int, against bool) []group {
	first, ok := r.group(i)
	if !ok {
		return nil
	}
	out := []group{first}
	table := r.startsLine(first.from)
	for at := first.end; ; {
		k := at
		for r.punct(k, ",;|/、，；-–—•*") || r.form(k, line) || r.meant(k, and, versus) {
			k++
		}
		g, ok := r.group(k)
		if !ok || g.from != k || len(g.figures) != len(first.figures) || (g.labels == nil) != (first.labels == nil) {
			break
		}
		table = table && r.startsLine(k)
		out = append(out, g)
		at = g.end
	}
	least := 3
	if table || first.versus || first.marked || against && len(out) > 2 {
		least = 2
	}
	if len(out) < 2 || len(first.figures) < least {
		return nil
	}
	longest := 0
	for _, g := range out[1:] {
		longest = max(longest, g.nameTo-g.from)
	}
	from, to := out[0].from, out[0].nameTo
	whole := from > 0 && r.form(from-1, mark) || r.p[from].phrase > 0 && r.p[from].phrase == r.p[to-1].phrase // "ice cream 20, 25, 48 and soup 14, 13, 9"
	if !whole {
		out[0].from = max(from, to-longest) // "sales of tea 10, 12, 14 and coffee 8, 9, 9"
	}
	return out
}

// startsLine reports whether piece i begins a line.
func (r *reader) startsLine(i int) bool {
	for i > 0 && r.punct(i-1, "|-–•*") {
		i--
	}
	return i == 0 || r.form(i-1, line)
}

// group reads a group that begins at piece i.
func (r *reader) group(i int) (g group, ok bool) {
	g.from, g.nameTo = i, i
	if r.year(i) || r.form(i, quoted) {
		g.nameTo = i + 1
	} else {
		for g.nameTo-i < longestSeriesName && (r.naming(g.nameTo) || g.nameTo == i && r.form(i, word) && r.meant(i, article) && r.naming(i+1)) {
			g.nameTo++
		}
	}
	if g.nameTo == i {
		return g, false
	}
	if g.nameTo > i+1 && r.period(g.nameTo-1) && r.form(g.nameTo, number) { // "Berlin Jan 2, Feb 4"
		g.nameTo--
		g.marked = true
	}
	k := g.nameTo
	marks := ":：(（="
	if r.startsLine(i) {
		marks += ",;|-–—"
	}
	for r.punct(k, marks) {
		g.marked = true
		k++
	}
	open := r.punct(k-1, "(（")
	if r.year(i) && !g.marked && !r.startsLine(i) { // a year by itself is the label of one number
		return g, false
	}
	for {
		label := k
		for g.marked && label-k < 2 && (r.naming(label) || r.year(label) && r.form(label+1, number)) {
			label++
		}
		q := r.quantityAt(label)
		next := label + q.n
		if label == k+2 && r.period(label-1) && !r.period(k) { // the next name, with its first label
			break
		}
		if q.n == 0 || r.punct(next, ":：=") || r.year(label) && r.punct(next, "(（") || len(g.figures) > 0 && (label > k) != (g.labels != nil) {
			break
		}
		if r.form(next, word) && r.p[next].glued && q.unit == "" { // "12kg"
			q.unit, q.sign, next = r.said(next, next+1), r.said(next, next+1), next+1
		}
		if r.form(next, word) && q.unit == "" && !r.meant(next, versus, and) && (g.versus || r.meant(next+1, versus)) { // "storage 5 GB vs 100 GB"
			q.unit, q.sign, next = r.said(next, next+1), r.said(next, next+1), next+1
		}
		if label > k {
			g.labels = append(g.labels, r.said(k, label))
		}
		g.figures = append(g.figures, q)
		g.end = next
		k = next
		for r.punct(k, ",;|/、，；") || r.meant(k, and, versus) {
			g.stroke = g.stroke || r.punct(k, "/")
			g.versus = g.versus || r.punct(k, "/|") || r.meant(k, versus)
			k++
		}
	}
	if open && r.punct(g.end, ")）") {
		g.end++
	}
	from := r.skip(g.end, 1, in)
	if r.punct(from, "(（") {
		from++
	}
	if hex, n := r.colourAt(from); n > 0 {
		g.colour, g.end = hex, from+n
		if r.punct(g.end, ")）") {
			g.end++
		}
	}
	years := true // that are the labels of other numbers
	for k := g.nameTo; k < g.end; k++ {
		years = years && (!r.form(k, number) || r.year(k))
	}
	return g, len(g.figures) >= 2 && !years
}

// phraseRole is the role of the phrase of piece i, "" if it has none.
func (r *reader) phraseRole(i int) PhraseRole {
	if n := r.p[i].phrase; n > 0 {
		return r.phrases[n-1].Role
	}
	return ""
}

// naming reports whether piece i may be a word of a name.
func (r *reader) naming(i int) bool {
	if r.form(i, word) && r.p[i].text == "a" && r.capital(i) && r.form(i+1, number) && r.phraseRole(i) == Name { // "A 10 20, B 15 18"
		return true
	}
	return r.form(i, word) && r.p[i].wish == 0 && r.term(i, Topic) == nil && !r.is(i, numeral, percent, currency) &&
		!r.meant(i, and, or, versus, makes, article, in, of, forWhom, from, to, by, says, medium, between, without, not, be, set, ask)
}

// series makes rows of groups. Each group is a series, or, where the numbers are set against each other or the groups are days,
// months or many, what the series have at one point. It returns the pieces that it took of the rest.
func (r *reader) series(all []phrasePieces, groups []group) (*Wish, []Span) {
	n, first := len(groups[0].figures), groups[0]
	points := n < len(groups) || n == 2 && first.versus || r.period(first.from)
	if first.labels != nil || r.year(first.from) && n >= len(groups) {
		points = false
	}
	var taken []Span
	outer := make([]string, len(groups)) // the names of the groups
	for k, g := range groups {
		outer[k] = strings.Trim(r.said(g.from, g.nameTo), `"“”`)
	}
	inner := first.labels
	if inner == nil {
		var s Span
		if inner, s = r.innerNames(groups, n, points); inner != nil {
			taken = append(taken, s)
		} else if inner = make([]string, n); points && first.stroke { // "1/2"
			return nil, nil
		}
	}
	w := &Wish{Kind: Rows, Sure: true}
	add := func(g, f int) {
		row := Row{Value: groups[g].figures[f].value, Unit: groups[g].figures[f].unit, Sign: groups[g].figures[f].sign}
		if row.Series, row.Label = outer[g], inner[f]; points {
			row.Series, row.Label = inner[f], outer[g]
		} else {
			row.Colour = groups[g].colour
		}
		w.Rows = append(w.Rows, row)
	}
	if points && slices.Contains(inner, "") {
		for f := range inner { // series need a name each
			inner[f] = string(rune('A' + f))
		}
	}
	if points {
		for f := range inner {
			for g := range groups {
				add(g, f)
			}
		}
	} else {
		for g := range groups {
			for f := range inner {
				add(g, f)
			}
		}
	}
	w.Unit = shared(w.Rows)
	many := len(groups)
	if points {
		many = n
	}
	for k := range r.p { // "two lines"
		if r.numbers(k, many) && r.form(k+1, word) && (k < first.from || k >= groups[len(groups)-1].end) && !r.is(k+1, time, fps) {
			if at := r.phraseAt(all, k); at >= 0 && (all[at].from < k || all[at].to > k+2) { // of a heading
				continue
			}
			taken = append(taken, Span{k, k + 2})
			break
		}
	}
	return w, taken
}

// numbers reports whether piece i is a whole number, also where it stands in a phrase.
func (r *reader) numbers(i, n int) bool {
	return r.form(i, number) && r.p[i].num == float64(n) || r.form(i, word) && slices.ContainsFunc(r.v.of(r.p[i].text), func(s sense) bool { return s.class == numeral && s.num == float64(n) })
}

// period reports whether piece i is a day, a month or a quarter, or a year.
func (r *reader) period(i int) bool {
	return r.year(i) || i < len(r.p) && (r.meant(i, calendar) || slices.ContainsFunc(r.v.base.cycles, func(c []string) bool { return slices.Contains(c, r.p[i].text) }))
}

// innerNames are the n names of the numbers in groups, and where they stand: in the line above a table, as a range such as "Q1
// to Q4", or one after the other before the groups or behind.
func (r *reader) innerNames(groups []group, n int, points bool) ([]string, Span) {
	start, end := groups[0].from, groups[len(groups)-1].end
	if names, s := r.header(start, n); names != nil {
		return names, s
	}
	outside := func(i, j int) bool { return j <= start || i >= end }
	if !points {
		for i := 0; i+1 < len(r.p); i++ {
			k := i + 2
			switch gap := r.s[r.p[i].span.To:r.p[i+1].span.From]; {
			case gap == "-" || gap == "–":
				k = i + 1
			case r.punct(i+1, "-–—") || r.meant(i+1, to, upTo):
			default:
				continue
			}
			if k < len(r.p) && outside(i, k+1) {
				if labels := r.between(i, k); len(labels) == n {
					begin := r.skip(i-1, -1, forWhom, from, in) + 1
					if begin > 0 && r.meant(begin-1, periods) { // "quarters Q1-Q4"
						begin--
					}
					return labels, Span{begin, k + 1}
				}
			}
		}
	}
	for _, at := range append(descending(start), ascending(end, len(r.p))...) {
		if names, s := r.namesAt(at, n, points); names != nil && outside(s.From, s.To) {
			if at > 0 && strings.Contains(names[n-1], " ") { // "raw milk vs oat drink"
				if longer, t := r.namesAt(at-1, n, points); longer != nil && t.To == s.To && outside(t.From, t.To) {
					return longer, t
				}
			}
			return names, s
		}
	}
	return nil, Span{}
}

func descending(n int) (out []int) {
	for ; n > 0; n-- {
		out = append(out, n-1)
	}
	return out
}

func ascending(from, to int) (out []int) {
	for ; from < to; from++ {
		out = append(out, from)
	}
	return out
}

// namesAt are n names that stand from piece i on, with "and" or a mark between them. Those of points in time are such points.
func (r *reader) namesAt(i, n int, points bool) ([]string, Span) {
	var names []string
	k := i
	for len(names) < n {
		to := k
		for to-k < 2 && (r.naming(to) || to == k && r.year(to)) {
			to++
		}
		if to == k || !points && !r.period(k) {
			return nil, Span{}
		}
		names = append(names, r.said(k, to))
		if k = to; len(names) == n {
			break
		}
		for r.punct(k, ",;/|、，") || k < len(r.p) && r.meant(k, and, versus) {
			k++
		}
		if k == to {
			return nil, Span{}
		}
	}
	return names, Span{i, k}
}

// header are the names in the line above a table whose first row begins at piece from.
func (r *reader) header(from, n int) ([]string, Span) {
	for from > 0 && !r.form(from-1, line) {
		from--
	}
	end := from - 1
	for end > 0 && !strings.ContainsFunc(r.said(end-1, end), func(c rune) bool { return !strings.ContainsRune("|-–: \n", c) }) { // "|---|---|"
		end--
	}
	if end < 1 {
		return nil, Span{}
	}
	at := end
	for at > 0 && !r.form(at-1, line) {
		at--
	}
	said := strings.Trim(r.said(at, end), " |")
	cells := strings.FieldsFunc(said, func(c rune) bool { return strings.ContainsRune(",;|\t", c) })
	if len(cells) < 2 {
		cells = strings.Fields(said)
	}
	if len(cells) != n && len(cells) != n+1 {
		return nil, Span{}
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells[len(cells)-n:], Span{at, end}
}

// against reports whether a heading sets two things against each other, "Lisbon vs London", or ends with two that a colon follows, "2015 and
// 2025:".
func (r *reader) against(all []phrasePieces) bool {
	name := func(i int) bool { return i >= 0 && (r.naming(i) || r.year(i)) }
	return slices.ContainsFunc(all, func(p phrasePieces) bool {
		for i := p.from; p.role == Headline && i < p.to; i++ {
			if r.meant(i, versus) || r.meant(i, and) && i+2 == p.to && r.punct(p.to, ":：") && name(i-1) && name(i+1) {
				return true
			}
		}
		return false
	})
}
