package wish

import "slices"

// shows reports whether words to show begin at piece i, as far as looks tell: a quotation, a number, a name. Other
// words mostly say how a thing is to be: "red", "next to each other".
func (r *reader) shows(i int) bool {
	if i >= len(r.p) || r.form(i, word) && r.v.base.capitals[r.main] && len(r.p[i].senses) > 0 { // every noun has a capital
		return false
	}
	return !r.form(i, word) || r.capital(i) || single(firstRune(r.said(i, i+1)))
}

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
