package wish

import (
	"math"
	"slices"
	"strings"
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

// withRest gives a name that has no figure the words before it for what is left: "60% rent, 25% food, the rest is fun".
func (r *reader) withRest(all []phrasePieces) []phrasePieces {
	first := slices.IndexFunc(all, func(p phrasePieces) bool { return p.role == Name || p.role == Figure })
	for k := first + 1; first >= 0 && k < len(all); k++ {
		own := k + 1 // where its figure would stand
		if all[first].role == Figure {
			own = k - 1
		}
		if all[k].role != Name || own < len(all) && all[own].role == Figure {
			continue
		}
		if from, to := r.restBefore(all[k].from); to > from {
			return slices.Insert(slices.Clone(all), max(own, k), phrasePieces{from, to, Figure})
		}
	}
	return r.withLooseRest(all, first)
}

// withLooseRest does so behind shares for a name that is in no phrase. first is the first name or figure, -1 if there is none.
func (r *reader) withLooseRest(all []phrasePieces, first int) []phrasePieces {
	last := len(all) - 1
	for last >= 0 && all[last].role != Figure && all[last].role != Name {
		last--
	}
	if first < 0 || last-first < 3 || !strings.Contains(r.said(all[first].from, all[last].to), "%") {
		return all
	}
	for i := all[last].to; i < len(r.p) && i < all[last].to+longestPortion; i++ {
		if r.is(i+1, be, article) {
			continue
		}
		from, to := r.restBefore(i + 1)
		end := i + 1
		for end < len(r.p) && r.form(end, word) && r.p[end].phrase == 0 && r.free(end, end+1) && !r.is(end, and, in, forWhom) {
			end++
		}
		if to <= from || end == i+1 || !r.closes(end) || end-i > longestPortion {
			continue
		}
		rest := []phrasePieces{{i + 1, end, Name}, {from, to, Figure}}
		if all[first].role == Figure {
			slices.Reverse(rest)
		}
		return slices.Insert(slices.Clone(all), last+1, rest...)
	}
	return all
}

// Rest reports whether a text begins with the words for what is left of a whole: "the rest misc".
func (v *Vocabulary) Rest(text string) bool {
	r := newReader(v, text, false)
	for i := range min(longestPortion, len(r.p)) {
		if from, to := r.restBefore(i + 1); to > from && from == 0 && to == i+1 {
			return true
		}
	}
	return false
}

// Joins reports whether a word joins what is said of something to its name: "are".
func (v *Vocabulary) Joins(word string) bool {
	r := newReader(v, word, false)
	return len(r.p) == 1 && r.meant(0, be)
}

// restBefore are the words for what is left that stand before piece i: "the rest is".
func (r *reader) restBefore(i int) (from, to int) {
	to = r.skip(i-1, -1, be, article, filler) + 1
	for n := min(longestPortion, to); n > 0; n-- {
		if part, words := r.portionAt(to - n); words == n && part == 0 && r.free(to-n, to) {
			return to - n, to
		}
	}
	return 0, 0
}

// about reports whether a piece names a subject, also where it stands in a phrase.
func (r *reader) about(p piece) bool { return slices.ContainsFunc(r.v.of(p.text), topic) }

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
