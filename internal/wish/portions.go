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
