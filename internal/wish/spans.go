package wish

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// meant reports whether there is a piece i whose word has one of some meanings, also where the word stands in a phrase and
// has none there.
func (r *reader) meant(i int, classes ...class) bool {
	return i >= 0 && i < len(r.p) && slices.ContainsFunc(r.v.of(r.p[i].text), func(s sense) bool { return slices.Contains(classes, s.class) })
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

// unitOf is the unit that piece i is of a number before it, where phrases say what is shown: "1,340 kg"; "" if it is none.
func (r *reader) unitOf(i int) string {
	if !r.known || !r.form(i, word) || !r.free(i, i+1) || r.is(i, time) {
		return ""
	}
	unknown := len(r.p[i].senses) == 0 && len(r.p[i].text) <= longestSign
	if r.phraseRole(i) == Measure || r.p[i].phrase == 0 && (r.v.base.units[r.p[i].text] || unknown) {
		return r.said(i, i+1)
	}
	return ""
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
