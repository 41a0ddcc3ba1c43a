package wish

import "slices"

// Respells reports whether a text says that words are to be spelled otherwise.
func (r *Reading) Respells() bool {
	return slices.ContainsFunc(r.r.p, func(p piece) bool {
		return slices.ContainsFunc(p.senses, func(s sense) bool { return s.class == respell })
	})
}

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

// Says reports whether the words before a place say that it is what something says, and not its name.
func (r *Reading) Says(s Span) bool {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article)
	return r.r.is(k, says) && !r.r.is(k, naming)
}

// By reports whether the words before a place say that who stands there said or made something.
func (r *Reading) By(s Span) bool {
	i, _ := r.r.at(s)
	return r.r.is(r.r.skip(i-1, -1, article), by)
}
