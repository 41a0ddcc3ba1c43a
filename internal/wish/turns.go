package wish

import (
	"slices"
	"strconv"
)

// Respells reports whether a text says that words are to be spelled otherwise.
func (r *Reading) Respells() bool { return r.has(respell) }

// Means reports whether a word at a place orders something, such as "make".
func (r *Reading) Means(s Span) bool {
	i := r.r.pieceAt(s.From)
	return i < len(r.r.p) && r.r.order(i)
}

// Percent is where a text speaks of percent beside no number: "show percent signs".
func (r *Reading) Percent() (place Span, ok bool) {
	for i := range r.r.p {
		if r.r.is(i, percent) && !r.r.form(i-1, number) {
			return r.r.p[i].span, true
		}
	}
	return Span{}, false
}

// Currency is the currency that a text names beside no number, the first that it does not take away.
func (r *Reading) Currency() (code string, place Span, ok bool) {
	rd := r.r
	for i := range rd.p {
		if s, is := rd.get(i, currency); is && !rd.form(i-1, number) && !rd.form(i+1, number) && !rd.is(rd.skip(i-1, -1, article), not, instead, without) {
			return s.value, rd.p[i].span, true
		}
	}
	return "", Span{}, false
}

// Tagged is the thing that is to have a remark, and the remark: "mark the salad as vegetarian".
func (r *Reading) Tagged() (thing, remark Span, ok bool) {
	for i := range r.r.p {
		if !r.r.is(i, tagging) {
			continue
		}
		from := r.r.skip(i+1, 1, article)
		for k := from + 1; k+1 < len(r.r.p) && !r.r.ends(k); k++ {
			if to := r.r.skip(k+1, 1, article); r.r.is(k, as) && to < len(r.r.p) {
				return r.r.place(Span{from, k}), r.r.place(Span{to, r.r.until(to)}), true
			}
		}
	}
	return Span{}, Span{}, false
}

// Delay is by how many seconds something comes later, and where a text says so: "half an hour later". It is below 0 for what comes earlier.
func (r *Reading) Delay() (seconds float64, at Span, ok bool) {
	for i := range r.r.p {
		s, n := r.r.lengthAt(i)
		if t, is := r.r.get(i+1, time); n == 0 && is && r.r.is(i, article) { // "an hour later"
			s, n = t.num, 2
		}
		switch {
		case n == 0:
		case r.r.is(i+n, belated):
			return s, r.r.place(Span{i, i + n + 1}), true
		case r.r.is(i+n, hastened):
			return -s, r.r.place(Span{i, i + n + 1}), true
		}
	}
	return 0, Span{}, false
}

// Says reports whether the words before a place say that it is what something says, and not its name.
func (r *Reading) Says(s Span) bool {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article)
	return r.r.is(k, says) && !r.r.is(k, naming)
}

// Ordinal is the first place in an order that a text names; below 0 from the end.
func (r *Reading) Ordinal() (n int, ok bool) {
	for i := range r.r.p {
		if s, is := r.r.get(i, ordinal); is {
			return int(s.num), true
		}
	}
	return 0, false
}

// Then reports whether a place has words that say that what stands behind comes after what stands before, and whether it has no others: ", then".
func (r *Reading) Then(s Span) (some, only bool) {
	only = true
	for _, p := range r.r.p {
		switch i := r.r.pieceAt(p.span.From); {
		case p.span.From < s.From || p.span.To > s.To:
		case r.r.is(i, next):
			some = true
		case !r.r.is(i, and) && !r.r.form(i, mark):
			only = false
		}
	}
	return some, some && only
}

// OfVideo reports whether a place says of the whole video what it says: "15 second video", "15 sec promo:".
func (r *Reading) OfVideo(s Span) bool {
	_, j := r.r.at(s)
	k := r.r.skip(j, 1, filler, shape)
	return r.r.is(k, medium) || r.r.term(k, Topic) != nil && r.r.punct(k+1, ":")
}

// Hued reports whether a place says nothing but that a colour follows: ", colour".
func (r *Reading) Hued(s Span) bool {
	i, to := r.r.at(s)
	for ; i < to; i++ {
		if !r.r.is(i, hued) && !r.r.punct(i, ",") {
			return false
		}
	}
	return true
}

// Medium reports whether a text has a word for a video.
func (r *Reading) Medium() bool { return r.has(medium) }

// Articled reports whether a text begins with a word such as "the" or "our".
func (r *Reading) Articled() bool { return r.r.is(0, article, mine) }

// States reports whether a text has a word such as "is", as sentences have.
func (r *Reading) States() bool { return r.has(be) }

// Turns reports whether a text says that something comes, goes or takes the place of something else.
func (r *Reading) Turns() bool { return r.has(add, remove, replace, swap, more, less, not) }

// Coming is where that begins which a text says is to come: "coffee at 11:00", of "add a coffee at 11:00". ok is false if nothing comes.
func (r *Reading) Coming() (from int, ok bool) {
	for k := range r.r.p {
		if r.r.is(k, add) {
			j := r.r.skip(k+1, 1, article, filler)
			return r.r.p[min(j, len(r.r.p)-1)].span.From, j < len(r.r.p)
		}
	}
	return 0, false
}

// Clauses are the places of a text between its signs and the words that join, such as "and". A quotation is one clause.
func (r *Reading) Clauses() (out []Span) {
	from := 0
	for k := range r.r.p {
		if at := r.r.p[k].span; r.r.is(k, and) || r.r.p[k].form == mark {
			out, from = append(out, Span{From: from, To: at.From}), at.To
		}
	}
	return append(out, Span{From: from, To: len(r.r.s)})
}

// Middle is the text with the number of the one in the middle of n in the place of the word for it: "the 2nd scene", for "the middle scene".
func (r *Reading) Middle(n int) string {
	s := r.r.s
	for k := len(r.r.p) - 1; k >= 0 && n%2 == 1; k-- {
		if at := r.r.p[k].span; r.r.is(k, middle) && (r.r.is(k+1, scene, list) || r.r.term(k+1, Noun, OfList) != nil || k+1 < len(r.r.p) && r.r.plain(k+1).value == 1) {
			s = s[:at.From] + nthOf((n+1)/2) + s[at.To:]
		}
	}
	return s
}

// nthOf is an ordinal number in figures.
func nthOf(n int) string {
	switch n {
	case 1:
		return "1st"
	case 2:
		return "2nd"
	case 3:
		return "3rd"
	}
	return strconv.Itoa(n) + "th"
}

// Announced is where an announcement of what stands at a place begins, if it is the first that the text says: "grand opening of".
func (r *Reading) Announced(s Span) (from int, ok bool) {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article, mine)
	start := r.r.skip(0, 1, article)
	return r.r.p[start].span.From, k == start+1 && r.r.is(k, of) && r.r.is(start, announce)
}

// Addressed is a greeting at the beginning of the text together with what it goes to, as it is written, up to a mark or to words that mean
// something else: "congratulations to Mia and Tom on their wedding". ok is false if it goes to nobody.
func (r *Reading) Addressed(greeting Span, others []Span) (s Span, ok bool) {
	rd := r.r
	start, i := rd.at(greeting)
	if start > 0 || !rd.is(i, to) {
		return Span{}, false
	}
	end := i + 1
	for end < len(rd.p) && !rd.punct(end, ",.;:!?") && !slices.ContainsFunc(others, rd.p[end].span.In) && !rd.is(end, from) {
		end++
	}
	for end > i+1 && rd.is(end-1, in, article, and, mine) {
		end--
	}
	return Span{rd.p[start].span.From, rd.p[end-1].span.To}, end > i+1
}

// Is reports whether the words before a place say that something is, or becomes, what stands there, and not that it is called so.
func (r *Reading) Is(s Span) bool {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article, even, now)
	return r.r.is(k, be) && !r.r.is(k, naming) || r.r.punct(k, ":")
}

// For reports whether the words before a place say that something is for who stands there.
func (r *Reading) For(s Span) bool {
	i, _ := r.r.at(s)
	return r.r.is(r.r.skip(i-1, -1, article, mine), forWhom)
}

// Weekday reports whether words are the name of a day of the week.
func (r *Reading) Weekday(words string) bool {
	return slices.ContainsFunc(r.r.v.base.cycles, func(c []string) bool { return len(c) == daysOfWeek && slices.Contains(c, fold(words)) })
}

// daysOfWeek is how many names of days follow each other.
const daysOfWeek = 7

// Leads reports whether nothing but words such as "as a" and "into" stand before a place.
func (r *Reading) Leads(s Span) bool {
	for i := 0; i < len(r.r.p) && r.r.p[i].span.From < s.From; i++ {
		if !r.r.is(i, as, to, in, article) {
			return false
		}
	}
	return true
}

// By reports whether the words before a place say that who stands there said or made something.
func (r *Reading) By(s Span) bool {
	i, _ := r.r.at(s)
	return r.r.is(r.r.skip(i-1, -1, article), by)
}

// Graded is where the text speaks of a rating or a review, if it does.
func (r *Reading) Graded() (at []Span) {
	for k := range r.r.p {
		if r.r.meant(k, grade) {
			at = append(at, r.r.p[k].span)
		}
	}
	return at
}

// has reports whether a word of the text is of one of some classes.
func (r *Reading) has(classes ...class) bool {
	for k := range r.r.p {
		if r.r.is(k, classes...) {
			return true
		}
	}
	return false
}
