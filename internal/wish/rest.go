package wish

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Reading is what a text asks for.
type Reading struct{ r *reader }

// Known reports whether phrases say what the text shows.
func (r *Reading) Known() bool { return r.r.known }

// Locale is how the language of the text writes numbers, such as "de-DE"; "" for English.
func (r *Reading) Locale() string { return r.r.v.base.locales[r.r.main] }

// Wishes lists the wishes in the order of the text.
func (r *Reading) Wishes() []Wish {
	out := slices.DeleteFunc(slices.Clone(r.r.wishes), func(w Wish) bool { return w.Kind == "" })
	slices.SortStableFunc(out, func(a, b Wish) int { return a.Span.From - b.Span.From })
	return out
}

// Said is what the text says at a place.
func (r *Reading) Said(s Span) string { return r.r.s[s.From:s.To] }

// Rest is the longest stretch of the text that is left to be shown when the wishes that taken
// accepts are fulfilled, and the places of without are shown elsewhere. It keeps every character; only what
// instructs is cut off at its ends.
func (r *Reading) Rest(taken func(*Wish) bool, without ...Span) (string, Span) {
	rd := r.r
	if rd.known {
		return "", Span{}
	}
	var best Span
	text := ""
	for i := rd.turn; i < len(rd.p); i++ {
		j := i
		for j < len(rd.p) && !rd.hard(j, taken) && !slices.ContainsFunc(without, rd.p[j].span.In) {
			j++
		}
		s, t := rd.rest(i, j)
		if t != "" && rd.data(j) { // what stands before data names the data
			return t, s
		}
		if utf8.RuneCountInString(t) > utf8.RuneCountInString(text) {
			best, text = s, t
		}
		i = j
	}
	return text, best
}

// data reports whether data begin at piece k.
func (r *reader) data(k int) bool {
	return k < len(r.p) && slices.ContainsFunc(r.wishes, func(w Wish) bool {
		return (w.Kind == Rows || w.Kind == List) && w.Span.From == r.p[k].span.From
	})
}

// hard reports whether piece k belongs to a wish that is no part of any text.
func (r *reader) hard(k int, taken func(*Wish) bool) bool {
	if r.p[k].wish == 0 {
		return false
	}
	switch w := &r.wishes[r.p[k].wish-1]; w.Kind {
	case Text, Rows, Range, File, Author, Number, Percent, Clock:
		return taken(w)
	}
	return false
}

// rest is the text in pieces [i, j).
func (r *reader) rest(i, j int) (Span, string) {
	first, last := -1, -1
	n, _ := slices.BinarySearchFunc(r.clause, i, func(c Span, i int) int { return c.To - i - 1 })
	for ; n < len(r.clause) && r.clause[n].From < j; n++ {
		from, to := max(i, r.clause[n].From), min(j, r.clause[n].To)
		if from < to && (!r.instructs(from, to) || first < 0 && r.shows(from, to)) && !(n > 0 && !r.punct(from-1, ":：") && r.mostly(from, to)) {
			if first < 0 {
				first = from
			}
			last = to
		}
	}
	if first < 0 {
		if j-i < 3 || r.wished(i, j) {
			return Span{}, ""
		}
		first, last = i, j // "the only way out is through"
	}
	if head := r.headEnd(first, last); head > first {
		first = head
	} else {
		first = r.frameEnd(first, last)
	}
	last = r.bracketStart(first, last)
	for k := first + 1; k+1 < last; k++ { // "Hello World title in papyrus"
		if r.names(k) && r.is(k+1, in, onto, forWhom, as) {
			last = k
		}
	}
	cut := j < len(r.p) && r.p[j].wish > 0 && r.wishes[r.p[j].wish-1].Kind != Author
	for {
		last = r.stretchEnd(first, last)
		end := last
		for k := end - 1; k > first && (r.names(k) || r.is(k, medium, article, forWhom, of, from, in, onto, as, please) || r.punct(k, ",;:")); k-- { // "New Year countdown"
			if r.names(k) || r.is(k, medium) {
				end = k
			}
		}
		for cut && end == j && end > first+1 && r.is(end-1, from, in, onto, of, to, forWhom, article, and) { // "… from data.csv"
			end, j = end-1, end-1
		}
		for end > first+1 && j < len(r.p) && r.is(end-1, please) && !r.capital(end-1) { // "weight pls: 84, 83"
			end--
		}
		for end > first+1 && end < len(r.p) && r.p[end].wish > 0 && r.is(end-1, from, of, as, by, forWhom) { // "… from 60 seconds"
			end--
		}
		if end == last {
			return r.trimmed(first, last)
		}
		last = end
	}
}

// Parts are the parts of a text that is a sequence: "first …, then …, at the end …".
func (r *Reading) Parts() []Span {
	var out []Span
	rd := r.r
	from := 0
	for k := 0; k <= len(rd.p); k++ {
		if k < len(rd.p) && (!rd.is(k, next) || rd.p[k].wish > 0 || rd.p[k].scene || rd.is(k, ordinal) && k > 0 && !rd.breaks(k-1)) {
			continue
		}
		to := k
		for from < to && (rd.is(from, and) || rd.form(from, line) || rd.punct(from, ",.;:、。")) {
			from++
		}
		for to > from && (rd.is(to-1, and) || rd.form(to-1, line) || rd.punct(to-1, ",;:、")) {
			to--
		}
		if to > from {
			out = append(out, Span{rd.p[from].span.From, rd.p[to-1].span.To})
		}
		from = k + 1
	}
	return out
}

// mostly reports whether a clause, pieces [i, j), instructs but for a word or two: "horizontal if
// possible", "without pluto".
func (r *reader) mostly(i, j int) bool {
	led := r.is(r.skip(i, 1, and), direct)
	sure, odd := led || r.is(r.skip(i, 1, and), not, without), 0
	for k := i; k < j; k++ {
		w := r.p[k].wish
		switch {
		case w > 0 && r.order(k):
			sure = sure || r.wishes[w-1].Kind == Colour && odd == 1 && r.nothingAfter(k+1) // "sunny yellow"
			sure = sure || (r.wishes[w-1].Sure || r.wishes[w-1].Kind == Colour && r.is(k+1, term)) && r.wishes[w-1].Kind != Subject && r.wishes[w-1].Kind != More
		case r.order(k):
		case !r.form(k, word) || r.capital(k) || r.is(k, announce, mine):
			return false
		default:
			odd++
		}
	}
	return sure && (odd <= 2 || led) && !r.capital(i)
}

// Led reports whether words such as "for:" lead to a text.
func (r *Reading) Led() bool {
	for k := range r.r.p {
		if r.r.punct(k, ":：") && r.r.breaks(k) && r.r.is(k-1, forWhom, says, caption) {
			return true
		}
	}
	return false
}

// Purpose reports whether words at a place say whom or what the video is for: "for my class".
func (r *Reading) Purpose(s Span) bool {
	i := r.r.pieceAt(s.From)
	k := r.r.skip(i-1, -1, article)
	return r.r.is(k, mine) && r.r.is(r.r.skip(k-1, -1, article), forWhom)
}

// Lines parts a place of the text at "then", at commas and at strokes: "npm install, then npm run".
func (r *Reading) Lines(s Span) []string {
	var out []string
	rd := r.r
	from := -1
	flush := func(to int) {
		if from >= 0 && to > from {
			out = append(out, rd.said(from, to))
		}
		from = -1
	}
	for k := range rd.p {
		switch {
		case !rd.p[k].span.In(s):
		case rd.is(k, next) || rd.is(k, and) && from < 0 || rd.punct(k, ",;/") && rd.breaks(k) || rd.form(k, line):
			flush(k)
		case from < 0:
			from = k
		}
		if rd.p[k].span.To == s.To {
			flush(k + 1)
		}
	}
	return out
}

// names reports whether piece k names the subject.
func (r *reader) names(k int) bool {
	return r.p[k].wish > 0 && r.term(k, Topic) != nil && r.term(k, Spoken) == nil
}

// shows reports whether pieces [i, j), which say little, ask koda for nothing: "you, me and the dog".
func (r *reader) shows(i, j int) bool {
	for k := i; k < j; k++ {
		if r.p[k].wish > 0 || r.p[k].scene || r.is(k, please, makes, medium, caption, says, beneath, set, add, correct, not, without, now, but) {
			return false
		}
	}
	return i+1 < j && r.form(i, word)
}

// frameEnd is where the text begins after words such as "make a video about".
func (r *reader) frameEnd(i, j int) int {
	verb, noun := false, false
	k := i
	for ; k < j && r.order(k); k++ {
		w := r.p[k].wish
		if w > 0 && !r.wishes[w-1].Sure {
			break
		}
		verb = verb || r.is(k, makes, set, add)
		noun = noun || r.is(k, medium, caption) || r.names(k) || w > 0 && r.wishes[w-1].Kind != Choice && r.wishes[w-1].Kind != Colour && r.wishes[w-1].Kind != More
	}
	if k == j || !noun && !(verb && (k > i+1 || r.capital(k) && !r.capital(i))) {
		return i
	}
	for k > i && r.is(k-1, filler) && r.p[k-1].wish == 0 && !r.is(k-1, of, to, in, onto, article) { // "countdown to new year"
		k--
	}
	return k
}

// mostHead is how many words that mean nothing the head of a text may have.
const mostHead = 3

// headEnd is where the text begins behind a head that names the subject and a colon: "python code being
// typed: …".
func (r *reader) headEnd(i, j int) int {
	subject, odd := false, 0
	for k := i; k < j; k++ {
		switch {
		case r.punct(k, ":：") && r.breaks(k):
			if subject && !r.names(k-1) && !r.instructs(k+1, j) {
				return k + 1
			}
			return i
		case r.breaks(k):
			return i
		case r.names(k), r.p[k].wish > 0 && r.order(k):
			subject = true
		case !r.order(k):
			if odd++; odd > mostHead || r.capital(k) && k > i {
				return i
			}
		}
	}
	return i
}

// bracketStart is where a bracket at the end of pieces [i, j) begins that speaks to koda: "(not
// centered)"; j if there is none.
func (r *reader) bracketStart(i, j int) int {
	if j-1 <= i || !r.punct(j-1, ")）") {
		return j
	}
	for k := j - 2; k > i; k-- {
		if r.punct(k, "(（") {
			if r.is(k+1, not, without, makes, set, please, in, as) {
				return k
			}
			return j
		}
	}
	return j
}

// Left lists, in order, the words that are neither covered nor say nothing.
func (r *Reading) Left(covered func(*Wish) bool, spans ...Span) []string {
	var out []string
	rd := r.r
	end := -1
	for k := range rd.p {
		p := &rd.p[k]
		in := slices.ContainsFunc(spans, func(s Span) bool { return p.span.In(s) })
		switch {
		case rd.known && rd.form(k, number) && k+2 < len(rd.p) && rd.punct(k+1, ".)") && rd.p[k+2].phrase > 0: // "1. flour"
			continue
		case in || p.scene || p.form == line || p.form == mark && !pictograph(p.text):
			continue
		case p.wish > 0 && rd.wishes[p.wish-1].Kind != "":
			if w := &rd.wishes[p.wish-1]; w.Kind == Remark || covered(w) {
				continue
			}
		case rd.term(k, Hint) != nil || rd.is(k, orders...) || rd.is(k, approx, please, explain, other, list, times, every, suggest):
			continue
		}
		said := rd.s[p.span.From:p.span.To]
		if p.span.From == end && single(firstRune(said)) && len(out) > 0 {
			out[len(out)-1] += said
		} else if p.form != word || utf8.RuneCountInString(said) > 1 || single(firstRune(said)) {
			out = append(out, said)
		}
		end = p.span.To
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s string) bool {
		s = strings.ToLower(s)
		defer func() { seen[s] = true }()
		return seen[s]
	})
}
