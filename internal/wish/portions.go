package wish

import (
	"math"
	"slices"
)

// longestPortion is how many pieces the words of a portion have at most: "the rest of it".
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
	words, rests, sum := 0, 0, 0.0
	for i, to := 0, 0; i < len(r.p); i = to + 1 {
		for to = i; to < len(r.p) && !r.punct(to, ",;:：.、，(") && !r.form(to, line) && !r.meant(to, and); to++ {
		}
		if to == i { // two marks, or a mark and a word that joins
			continue
		}
		row, part, said := r.portion(i, to)
		if row == nil && len(rows) >= 4 {
			break
		}
		if row == nil {
			rows, words, rests, sum = nil, 0, 0, 0
			continue
		}
		rows, sum = append(rows, row...), sum+part
		if said {
			words++
		}
		if part == 0 {
			rests++
		}
	}
	if len(rows) < 4 || words == 0 || rests > 1 || sum > 1.005 {
		return all
	}
	before, behind := around(all, rows[0].from, rows[len(rows)-1].to)
	return slices.Concat(before, rows, behind)
}

// around are the phrases that begin before piece first, up to it, and those from piece end on.
func around(all []phrasePieces, first, end int) (before, behind []phrasePieces) {
	for _, p := range all {
		switch {
		case p.from >= end:
			behind = append(behind, p)
		case p.from < first:
			p.to = min(p.to, first)
			before = append(before, p)
		}
	}
	return before, behind
}

// about reports whether a piece names a subject, also where it stands in a phrase.
func (r *reader) about(p piece) bool { return slices.ContainsFunc(r.v.of(p.text), topic) }

// portion reads pieces [i, limit) as a portion and its name, in their order; nil if they are none. said reports whether words
// say the portion.
func (r *reader) portion(i, limit int) (row []phrasePieces, part float64, said bool) {
	part, n := r.portionAt(i)
	said = n > 0
	if q := r.quantityAt(i); n == 0 && q.unit == "%" {
		part, n = q.value/100, q.n
	}
	if n == 0 { // "rent half"
		for k := max(i+1, limit-longestPortion); k < limit; k++ {
			if part, n = r.portionAt(k); n > 0 && k+n == limit {
				to := k
				for to > i+1 && r.meant(to-1, be, article) {
					to--
				}
				return []phrasePieces{{i, to, Name}, {k, limit, Figure}}, part, true
			}
		}
		return nil, 0, false
	}
	from, end := i+n, limit
	for from < limit && r.meant(from, of, forWhom, to, be, article, mine, in, onto) {
		from++
	}
	for k := from; k < limit; k++ { // "a quarter butter as a pie"
		if r.meant(k, as) || r.about(r.p[k]) {
			end = k
			break
		}
	}
	if from >= end {
		return nil, 0, false
	}
	return []phrasePieces{{i, i + n, Figure}, {from, end, Name}}, part, said
}

// remainder gives the row for the rest of a whole, whose value is no number yet, what the other rows leave of a hundred per cent. If
// that cannot be known, the rows go without it, and their scales too.
func remainder(rows []Row, scales []float64) ([]Row, []float64) {
	rest, left, shares := -1, 100.0, true
	for i, row := range rows {
		shares = shares && row.Unit == "%"
		if math.IsNaN(row.Value) && rest < 0 {
			rest = i
			continue
		}
		left -= row.Value // no number if there is a second rest
	}
	switch {
	case rest < 0:
	case shares && left >= 0:
		rows[rest].Value = math.Round(left*10) / 10
	default:
		for i := len(rows) - 1; i >= 0; i-- {
			if math.IsNaN(rows[i].Value) {
				rows, scales = slices.Delete(rows, i, i+1), slices.Delete(scales, i, i+1)
			}
		}
	}
	return rows, scales
}
