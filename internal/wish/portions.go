package wish

import (
	"math"
	"slices"
)

// longestPortion is how many pieces the words of a portion have at most: "all of the rest".
const longestPortion = 4

// portionAt reads a portion in words at piece i: "a quarter" is 0.25. What is left of the whole, "the rest", is 0. n is 0 if
// there is none.
func (r *reader) portionAt(i int) (part float64, n int) {
	for n = min(longestPortion, len(r.p)-i); n > 0; n-- {
		if part, ok := r.v.base.portions[fold(r.said(i, i+n))]; ok {
			return part, n
		}
	}
	return 0, 0
}

// portions makes rows of what a chart is parted into by words: "half rent, a quarter food, the rest savings", "rent half,
// food a third", "50% rent, 30% food, rest savings".
func (r *reader) portions(all []phrasePieces) []phrasePieces {
	if len(r.v.base.portions) == 0 || !slices.ContainsFunc(r.p, r.about) {
		return all
	}
	var rows []phrasePieces
	words, sum, first, end := 0, 0.0, -1, 0
	for i := 0; i < len(r.p); {
		to := i
		for to < len(r.p) && !r.punct(to, ",;:：.、，(") && !r.form(to, line) && !r.meant(to, and) {
			to++
		}
		figure, name, part, said := r.portion(i, to)
		switch {
		case figure.to > figure.from && name.to > name.from:
			if first < 0 {
				first = i
			}
			rows, end = append(rows, figure, name), max(name.to, figure.to)
			sum += part
			if said {
				words++
			}
		case len(rows) >= 4:
			i = len(r.p)
			continue
		case to > i:
			rows, words, sum, first = nil, 0, 0, -1
		}
		i = to + 1
	}
	if len(rows) < 4 || words == 0 || sum > 1.005 {
		return all
	}
	slices.SortFunc(rows, func(a, b phrasePieces) int { return a.from - b.from })
	var before, behind []phrasePieces
	for _, p := range all {
		switch {
		case p.from >= end:
			behind = append(behind, p)
		case p.from < first:
			p.to = min(p.to, first)
			before = append(before, p)
		}
	}
	return slices.Concat(before, rows, behind)
}

// about reports whether a piece names a subject, also where it stands in a phrase.
func (r *reader) about(p piece) bool {
	return slices.ContainsFunc(r.v.of(p.text), func(s sense) bool { return s.term != nil && s.term.Role == Topic })
}

// portion reads pieces [i, limit) as a portion and its name, in any order. said reports whether words say the portion.
func (r *reader) portion(i, limit int) (figure, name phrasePieces, part float64, said bool) {
	figure.role, name.role = Figure, Name
	part, n := r.portionAt(i)
	said = n > 0
	if q := r.quantityAt(i); n == 0 && q.unit == "%" {
		part, n = q.value/100, q.n
	}
	if n > 0 {
		figure.from, figure.to, name.from, name.to = i, i+n, i+n, limit
		for name.from < limit && r.meant(name.from, of, forWhom, to, be, article, mine, in, onto) {
			name.from++
		}
		for k := name.from; k < limit; k++ { // "a quarter butter as a pie"
			if r.meant(k, as) || r.about(r.p[k]) {
				name.to = k
				break
			}
		}
		return figure, name, part, said
	}
	for k := i + 1; k < limit; k++ {
		if part, n = r.portionAt(k); n > 0 && k+n == limit {
			name.from, name.to, figure.from, figure.to = i, k, k, limit
			for name.to > i+1 && r.meant(name.to-1, be, article) {
				name.to--
			}
			return figure, name, part, true
		}
	}
	return phrasePieces{}, phrasePieces{}, 0, false
}

// remainder gives the row for the rest of a whole what the other rows leave of a hundred per cent.
func remainder(rows []Row) {
	k := slices.IndexFunc(rows, func(row Row) bool { return math.IsNaN(row.Value) })
	if k < 0 {
		return
	}
	left := 100.0
	for i, row := range rows {
		if i != k {
			left -= row.Value
		}
	}
	rows[k].Value = math.Round(max(left, 0)*10) / 10
}
