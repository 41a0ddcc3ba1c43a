package wish

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mended are phrases without the slips that the sentence itself shows: a run of numbers that has names in it, half of a
// command, a heading before a colon.
func (r *reader) mended(all []phrasePieces) []phrasePieces {
	all = r.spanned(r.several(r.enumerated(all)))
	all = r.wholeSources(all)
	for k := range all { // "winter sale but in icy blue"
		p := &all[k]
		for p.role != Source && p.to-p.from > 1 && p.to < len(r.p) && r.form(p.to, word) && r.p[p.to].phrase == 0 && r.s[r.p[p.to-1].span.From] >= 'a' && r.meant(p.to-1, but) {
			p.to--
			r.p[p.to].senses = r.v.of(r.p[p.to].text)
		}
	}
	return r.withHeading(r.colouredItem(r.firstItem(all)))
}

// meant reports whether there is a piece i whose word has one of some meanings, also where the word stands in a phrase and
// has none there.
func (r *reader) meant(i int, classes ...class) bool {
	return i >= 0 && i < len(r.p) && slices.ContainsFunc(r.v.of(r.p[i].text), func(s sense) bool { return slices.Contains(classes, s.class) })
}

// firstItem takes a headline for the head of the first item where all items have heads: "monday: pasta, tuesday: soup".
func (r *reader) firstItem(all []phrasePieces) []phrasePieces {
	if len(all) < 3 || all[0].role != Headline || all[1].role != Item || all[1].from != all[0].to+1 || !r.punct(all[0].to, ":：") || r.punctIn(all[1].from, all[1].to, ":：") {
		return all
	}
	for _, p := range all[2:] {
		if p.role == Item && !r.punctIn(p.from, p.to, ":：") {
			return all
		}
	}
	all[1].from = all[0].from
	return all[1:]
}

// year reports whether piece i is a year.
func (r *reader) year(i int) bool {
	return r.form(i, number) && r.p[i].num >= 1800 && r.p[i].num < 2200 && r.p[i].span.To-r.p[i].span.From == 4
}

// phraseAt is the place of the phrase that piece i belongs to; -1 if there is none.
func (r *reader) phraseAt(all []phrasePieces, i int) int {
	for k, p := range all {
		if i >= p.from && i < p.to {
			return k
		}
	}
	return -1
}

// wholeSources gives commands and code the words behind that plainly belong to them: options with their values, as in
// "docker run -it ubuntu bash", and a remark to the end of the line.
func (r *reader) wholeSources(all []phrasePieces) []phrasePieces {
	var out []phrasePieces
	for k := 0; k < len(all); k++ {
		p := all[k]
		if p.role != Source {
			out = append(out, p)
			continue
		}
		limit, was := len(r.p), p.to
		if k+1 < len(all) {
			limit = all[k+1].from
		}
		for p.to < limit {
			gap := r.s[r.p[p.to-1].span.To:r.p[p.to].span.From]
			option := r.form(p.to, word) && (strings.HasSuffix(gap, " -") || strings.HasSuffix(gap, " --"))
			if !option && (p.to == was || !r.form(p.to, word) || len(r.p[p.to].senses) > 0) {
				break
			}
			p.to++
		}
		if p.to > was && p.to == limit && k+1 < len(all) && all[k+1].role == Output { // of the command as well
			p.to = all[k+1].to
			k++
		}
		program := strings.ContainsAny(r.said(p.from, p.to), "=(){};")
		for program && p.to < limit && r.form(p.to, word) && (codeWords[r.p[p.to].text] || p.to > was && (len(r.p[p.to].senses) == 0 || len(r.p[p.to].text) == 1)) { // "return f() if n else None"
			p.to++
		}
		if rest := r.s[r.p[p.to-1].span.To:]; p.to < len(r.p) && program && hasAny(strings.TrimLeft(rest, " ;"), "// ", "# ", "-- ", "/* ") {
			for p.to < len(r.p) && !r.form(p.to, line) {
				p.to++
			}
			for k+1 < len(all) && all[k+1].from < p.to {
				k++
			}
		}
		for k+1 < len(all) && all[k+1].role == Output && p.to-p.from > 1 && r.punct(p.to-1, "→>=-") { // "whoami → root"
			p.to--
		}
		out = append(out, p)
	}
	return out
}

func hasAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// codeWords are words of programs that go on behind a closing bracket.
var codeWords = map[string]bool{"if": true, "else": true, "or": true, "none": true, "true": true, "false": true, "while": true, "await": true}

// longestHeading is how many words a heading has at most that nothing else tells from words that instruct.
const longestHeading = 2

// withHeading makes a headline of the words with which the text begins, before a colon that leads to names or items, where
// nothing else is one: "Drei Schritte: …".
func (r *reader) withHeading(all []phrasePieces) []phrasePieces {
	if len(all) == 0 || !slices.Contains([]PhraseRole{Name, Figure, Item}, all[0].role) || slices.ContainsFunc(all, func(p phrasePieces) bool { return p.role == Headline || p.role == Second }) {
		return all
	}
	colon := all[0].from - 1
	for r.punct(colon, "-–•*") {
		colon--
	}
	if !r.punct(colon, ":：") || colon > longestHeading || !r.heading(0, colon) {
		return all
	}
	return append([]phrasePieces{{0, colon, Headline}}, all...)
}

// heading reports whether pieces [i, j) may be a heading: a word that says nothing, or a number of listed things.
func (r *reader) heading(i, j int) bool {
	strange, numbers, listed := false, false, false
	for k := i; k < j; k++ {
		if r.term(k, Topic) != nil || r.term(k, Noun) != nil || r.is(k, makes, medium, colour, time, says, shape, loop) || !r.form(k, word) && !r.form(k, number) {
			return false
		}
		strange = strange || r.form(k, word) && (len(r.p[k].senses) == 0 || r.is(k, advice)) // "Stimmen" are votes here
		numbers = numbers || r.plain(k).n > 0
		listed = listed || r.is(k, list)
	}
	return strange || numbers && listed
}

// longestSign is how many letters a unit has at most that no list has: "kcal".
const longestSign = 4

// unitLike reports whether pieces [i, j) may be a unit: one that word files list, a short one, one with signs in it.
func (r *reader) unitLike(i, j int) bool {
	said := strings.TrimSpace(r.said(i, j))
	if utf8.RuneCountInString(said) <= longestSign || strings.ContainsAny(said, "/%°²³€$£¥()") {
		return true
	}
	for k := i; k < j; k++ {
		if r.v.base.units[r.p[k].text] || r.is(k, time, currency, percent, magnitude) || single(firstRune(r.p[k].text)) {
			return true
		}
	}
	return false
}

// leastSpanned is how many figures are the figures of a range of labels, widest how many pieces may stand between the two.
const (
	leastSpanned = 3
	widest       = 6
)

// spanned makes rows of figures whose labels are a range: of "traffic 2020 to 2025: 1200, 1900, 3400, 5100, 7800, 12400" the
// labels are the six years, of "Mon to Fri: 5, 8, 3, 9, 12" the days. The range and the figures are in no phrase then.
func (r *reader) spanned(all []phrasePieces) []phrasePieces {
	for i := 0; i+3 < len(r.p); i++ {
		k := i + 2 // where the range ends
		switch gap := r.s[r.p[i].span.To:r.p[i+1].span.From]; {
		case gap == "-" || gap == "–": // a hyphen inside of a word is no piece
			k = i + 1
		case r.punct(i+1, "-–—") || r.meant(i+1, to, upTo): // phrases took the meanings
		default:
			continue
		}
		labels := r.between(i, k)
		if len(labels) < leastSpanned || !r.free(i, k+1) {
			continue
		}
		at := k + 1
		for n := 0; n < widest && at < len(r.p) && !r.form(at, number) && !r.is(at, currency) && !r.form(at, quoted); n++ {
			at++
		}
		w := Wish{Kind: Rows, Sure: true}
		first, end := at, at
		var scales []float64
		for q := r.quantityAt(at); q.n > 0 && len(w.Rows) < len(labels); q = r.quantityAt(at) {
			w.Rows = append(w.Rows, q.row(labels[len(w.Rows)]))
			scales = append(scales, q.scale)
			at += q.n
			end = at
			for r.punct(at, ",;/、，") || r.is(at, and) {
				at++
			}
		}
		if len(w.Rows) != len(labels) || r.quantityAt(at).n > 0 && at > end {
			continue
		}
		w.Unit = shared(w.Rows)
		spread(w.Rows, scales)
		w.Span = Span{r.p[first].span.From, r.p[end-1].span.To}
		r.wishes = append(r.wishes, w)
		for _, p := range all {
			if p.role == Measure && r.unitLike(p.from, p.to) {
				r.wishes[len(r.wishes)-1].Unit = r.said(p.from, p.to)
				for j := p.from; j < p.to; j++ {
					r.p[j].wish = len(r.wishes)
				}
			}
		}
		for j := i; j < end; j++ {
			if j <= k || j >= first {
				r.p[j].wish = len(r.wishes)
			}
		}
		for i > 0 && r.meant(i-1, periods, from) { // "years 2020-2025", "from 2020 to 2025"
			i--
		}
		return freeOf(freeOf(all, i, k+1), first, end)
	}
	return all
}

// between are the labels from piece i to piece k, with both: whole numbers, words that end in a number, such as "Q1", or days
// and months.
func (r *reader) between(i, k int) (labels []string) {
	a, b := r.said(i, i+1), r.said(k, k+1)
	head, tail := strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")
	from, err1 := strconv.Atoi(a[len(head):])
	till, err2 := strconv.Atoi(b[len(tail):])
	if err1 == nil && err2 == nil && strings.EqualFold(head, tail) && till-from < 100 && !strings.ContainsAny(head, ".,:-") {
		for n := from; n <= till; n++ {
			labels = append(labels, head+strconv.Itoa(n))
		}
		return labels
	}
	for _, cycle := range r.v.base.cycles {
		x, y := slices.Index(cycle, fold(a)), slices.Index(cycle, fold(b))
		if x >= 0 && y < 0 { // "jan to june"
			for _, other := range r.v.base.cycles {
				if len(other) == len(cycle) && y < 0 {
					y = slices.Index(other, fold(b))
				}
			}
		}
		if x < 0 || y < 0 || x == y {
			continue
		}
		for n := x; ; n = (n + 1) % len(cycle) {
			name := cycle[n]
			if r.capital(i) {
				c, size := utf8.DecodeRuneInString(name)
				name = string(unicode.ToUpper(c)) + name[size:]
			}
			if labels = append(labels, name); n == y {
				return labels
			}
		}
	}
	return nil
}

// freeOf are phrases without pieces [from, to). What is left of a figure or a name that begins before is a headline.
func freeOf(all []phrasePieces, from, to int) (out []phrasePieces) {
	for _, p := range all {
		if p.from < from && p.to > from {
			p.to = from
			if p.role == Name || p.role == Figure {
				p.role = Headline
			}
		}
		if p.from < to && p.to > to {
			p.from = to
		}
		if p.to <= from || p.from >= to {
			out = append(out, p)
		}
	}
	return out
}

// enumerated makes items of what stands behind the numbers 1, 2, 3, … where most of it is items: "1 Python 2 JavaScript 3 Java
// 4 C# 5 Go". A year before the first belongs to the heading.
func (r *reader) enumerated(all []phrasePieces) []phrasePieces {
	for i := range r.p {
		var starts []int
		for k := i; k < len(r.p) && (k == i || len(starts) > 0); k++ {
			if n := len(starts); r.form(k, number) && r.said(k, k+1) == strconv.Itoa(n+1) && (n == 0 || k > starts[n-1]+1 && r.punct(k+1, ".)") == r.punct(i+1, ".)") && r.p[k-1].text != r.p[max(i-1, 0)].text) {
				starts = append(starts, k)
			}
		}
		if len(starts) < leastSpanned {
			continue
		}
		var items []phrasePieces
		known := 0
		for n, at := range starts {
			p := phrasePieces{at + 1, len(r.p), Item}
			for p.from < len(r.p)-1 && r.punct(p.from, ".):-–") {
				p.from++
			}
			k := r.phraseAt(all, p.from)
			if k >= 0 && all[k].role == Item {
				known++
			}
			switch {
			case n+1 < len(starts):
				p.to = starts[n+1]
			case k >= 0:
				p.to = all[k].to
			default:
				for p.to = p.from; p.to < len(r.p) && !r.breaks(p.to); p.to++ {
				}
			}
			if p.from < p.to {
				items = append(items, p)
			}
		}
		if 2*known < len(starts) || len(items) < len(starts) {
			continue
		}
		before := freeOf(all, i, len(r.p))
		if n := len(before) - 1; n > 0 && (before[n].role == Name || before[n].role == Item) && before[n].from == before[n-1].to && before[n-1].role == Headline {
			before[n-1].to = before[n].to
			before = before[:n]
		}
		return slices.Concat(before, items, freeOf(all, 0, items[len(items)-1].to))
	}
	return all
}

// leads is the list that an item belongs to by the word at piece i: "fixed". It is "" if the word says nothing of lists.
func (r *reader) leads(i int) string {
	of := r.v.of(r.p[i].text)
	if slices.ContainsFunc(of, topic) {
		return ""
	}
	for _, s := range of {
		if s.term != nil && s.term.Role == Noun && s.term.Type == OfList {
			return s.term.About
		}
	}
	return ""
}

// joint is the place of the one "and" in the last item of a list, behind a comma: "milk, eggs and bread"; 0 if there is
// none.
func (r *reader) joint(p phrasePieces) (at int) {
	if p.from == 0 || !r.punct(p.from-1, ",、，") || p.to < len(r.p) && r.punct(p.to, ",、，") && r.is(p.to+1, and) {
		return 0
	}
	for i := p.to; i < len(r.p); i++ {
		if r.p[i].phrase > 0 && r.phrases[r.p[i].phrase-1].Role == Item { // not the last
			return 0
		}
	}
	for k := p.from + 1; k < p.to-1; k++ {
		if r.is(k, and) && r.form(k, word) {
			if at > 0 {
				return 0
			}
			at = k
		}
	}
	return at
}
