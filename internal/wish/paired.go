package wish

import "slices"

// labelled parts the first half of a pair into what both halves are and what is said of the first: "price" and "$18". If earlier pairs have labels,
// words that are one for one have one as well: "noise low vs high".
func (r *reader) labelled(first, second Span, earlier bool) (label, rest Span) {
	if second.From >= second.To || r.quantityAt(second.From).n == 0 { // both halves have words of their own
		if n := second.To - second.From; earlier && n > 0 && first.To-first.From > n && !slices.ContainsFunc(r.p[first.From:first.To], func(p piece) bool { return p.form != word }) {
			return r.trim(first.From, first.To-n), Span{first.To - n, first.To}
		}
		return Span{}, first
	}
	label, rest = r.atNumber(first)
	for k := rest.To - 1; k > rest.From; k-- { // "cost per 100 km $4"
		if r.quantityAt(k).n > 0 && (r.is(k, currency) || r.form(k, number) && !r.is(k-1, currency)) {
			return r.trim(first.From, k), Span{k, first.To}
		}
	}
	return label, rest
}

// beforeFigures is the comma behind two names that stands in for a colon: figures that are set against each other follow at once, "tap water
// and bottled water, price 0.01 vs 1.50". -1 if there is none.
func (r *reader) beforeFigures() int {
	at := slices.IndexFunc(r.p, func(p piece) bool { return p.form == mark && p.text == "," })
	if at < 0 {
		return -1
	}
	if two := r.split(0, at, and); r.halves(0, at) == nil && (two == nil || !r.hasRole(two[0], Name) || !r.hasRole(two[1], Name)) {
		return -1
	}
	to := at + 1
	for !r.closes(to) {
		to++
	}
	h := r.halves(at+1, to)
	if h == nil {
		return -1
	}
	_, first := r.atNumber(h[0])
	second := r.trim(h[1].From, h[1].To)
	if second.From >= second.To || r.quantityAt(first.From).n == 0 || r.quantityAt(second.From).n == 0 {
		return -1
	}
	if r.hasRole(second, Headline) { // "30 minutes vs 2 minutes response time"
		return -1
	}
	return at
}

// hasRole reports whether a phrase in some pieces has a role.
func (r *reader) hasRole(s Span, role PhraseRole) bool {
	for k := s.From; k < s.To; k++ {
		if r.phraseRole(k) == role {
			return true
		}
	}
	return false
}
