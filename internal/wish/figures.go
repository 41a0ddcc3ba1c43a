package wish

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// readFigures makes rows of names and figures: each figure belongs to the name before it, or, where a figure
// stands first, to the name behind it.
func (r *reader) readFigures(all []phrasePieces) {
	w := Wish{Kind: Rows, Sure: true}
	var open *phrasePieces // waits for its other half
	first, end := -1, 0
	ahead := false // the figure stands before its name
	var scales []float64
	all = r.withRest(all)
	add := func(name, figure *phrasePieces, to int) {
		p := pair{from: to, end: to}
		if name != nil {
			p.label, p.labelTo = name.from, name.to
		}
		p.q = r.figure(figure)
		if p.q.n == 0 {
			return
		}
		p = r.withColour(p)
		for i := p.labelTo; p.colour == "" && p.label < p.labelTo && i < figure.from; i++ { // "Apples in red 30"
			if r.p[i].phrase == 0 {
				p.colour, _ = r.colourAt(i)
			}
		}
		row := Row{Value: p.q.value, Unit: p.q.unit, Sign: p.q.sign, Colour: p.colour}
		if name != nil {
			row.Label = r.label(*name)
		}
		w.Rows, scales = append(w.Rows, row), append(scales, p.q.scale)
		end = p.end
	}
	for k := range all {
		p := &all[k]
		if p.role == Measure && r.unitLike(p.from, p.to) {
			w.Unit = r.said(p.from, p.to)
			continue
		}
		nameless := p.role == Name && !strings.ContainsFunc(r.said(p.from, p.to), func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || pictograph(string(c)) })
		if p.role != Name && p.role != Figure || nameless { // the "/" of "80/20"
			continue
		}
		if first < 0 {
			first, ahead = p.from, p.role == Figure && k+1 < len(all) && all[k+1].role == Name
		}
		half := Name // that stands first
		if ahead {
			half = Figure
		}
		switch {
		case p.role == half:
			if open != nil && ahead {
				add(nil, open, open.to)
			}
			open = p
		case ahead:
			if open != nil {
				add(p, open, p.to)
			}
			open = nil
		default:
			add(open, p, p.to)
			open = nil
		}
	}
	if open != nil && ahead {
		add(nil, open, open.to)
	}
	w.Rows, scales = r.retold(w.Rows, scales)
	if w.Rows, scales = remainder(w.Rows, scales); len(w.Rows) == 0 {
		return
	}
	w.Unit = cmp.Or(w.Unit, shared(w.Rows))
	spread(w.Rows, scales)
	r.wishes = append(r.wishes, w)
	n := len(r.wishes)
	r.wishes[n-1].Span = Span{r.p[first].span.From, r.p[end-1].span.To}
	r.cover(all, &w, n, first, end)
}

// retold are rows of which one that says another number of the same name takes the place of the first: "Tobias 28, sorry, Tobias 29".
func (r *reader) retold(rows []Row, scales []float64) ([]Row, []float64) {
	for k := 1; k < len(rows); k++ {
		for i := range k {
			before, same := strings.CutSuffix(fold(rows[k].Label), fold(rows[i].Label))
			if !same || rows[i].Label == "" || before != "" && !r.takesBack(before) {
				continue
			}
			rows[k].Label = rows[i].Label
			rows[i] = rows[k]
			return r.retold(slices.Delete(rows, k, k+1), slices.Delete(scales, k, k+1))
		}
	}
	return rows, scales
}

// takesBack reports whether words say that something before them was wrong: "oh wait", "nee, moment".
func (r *reader) takesBack(words string) bool {
	return slices.ContainsFunc(newReader(r.v, words, false).p, func(p piece) bool {
		return slices.ContainsFunc(p.senses, func(s sense) bool { return s.class == correct })
	})
}

// cover gives rows, the wish n at pieces [first, end), the pieces of their names, figures and unit, and the marks and colours
// between. A name without a figure, and words that are no unit, stay free: they are told.
func (r *reader) cover(all []phrasePieces, w *Wish, n, first, end int) {
	for k := range all {
		p := &all[k]
		used, to := p.role == Measure && w.Unit != "" || p.role == Figure, p.to
		_, portion := r.portionAt(p.from)
		for p.role == Figure && to-p.from > max(1, portion) && r.form(to-1, word) && !r.unitLike(to-1, to) && !slices.ContainsFunc(w.Rows, func(row Row) bool { return strings.HasSuffix(row.Unit, r.said(to-1, to)) }) { // "8 sideways"
			to--
		}
		for i := p.from; i < to; i++ {
			if used || p.role == Name && slices.ContainsFunc(w.Rows, func(row Row) bool { return row.Label == r.label(*p) }) {
				r.p[i].wish = n
			}
		}
	}
	for i := first; i < end; i++ { // marks and colours between
		if r.p[i].phrase == 0 && r.p[i].wish == 0 && (r.form(i, mark) || len(r.p[i].senses) > 0) {
			if hex, k := r.colourAt(i); k > 0 && (i+k >= len(r.p) || r.form(i+k, mark)) && !slices.ContainsFunc(w.Rows, func(row Row) bool { return row.Colour == hex }) { // of all: "ICU 92, ER 71, blue, target 90"
				continue
			}
			r.p[i].wish = n
		}
	}
}

// figure reads a figure. What stands behind the number is its unit.
func (r *reader) figure(p *phrasePieces) quantity {
	if part, n := r.portionAt(p.from); n == p.to-p.from {
		if part == 0 {
			part = math.NaN() // known when all rows are
		}
		return quantity{value: math.Round(1000*part) / 10, unit: "%", sign: "%", n: n}
	}
	for i := p.from; i < p.to; i++ {
		q := r.quantityAt(i)
		if q.n == 0 && r.form(i, clock) {
			q = quantity{value: r.p[i].num, unit: ClockUnit, sign: ClockUnit, n: 1}
		}
		if q.n == 0 {
			continue
		}
		if i > p.from && r.punct(i-1, "-−–") {
			q.value = -q.value
		}
		if part := r.plain(i + 2); q.n == 1 && r.punct(i+1, "/") && part.n == 1 && i+2 < p.to && q.value < part.value { // "3/4"
			return quantity{value: math.Round(1000*q.value/part.value) / 10, unit: "%", sign: "%", n: 3}
		}
		if rest := strings.TrimSpace(r.said(min(i+q.n, p.to), p.to)); q.unit == "" && rest != "" && r.unitLike(i+q.n, p.to) {
			q.unit, q.sign = rest, rest
		}
		return q
	}
	return quantity{}
}

// shared is the unit that some rows say and the others mean: "3, 4, 5 km", "hippo 1500 kg, rhino 2300". A currency is of all rows if
// the last alone says it, behind its number: "870, 905, 980 euros".
func shared(rows []Row) string {
	unit, silent := "", false
	for i, row := range rows {
		if IsCurrency(row.Unit) && unit == "" && silent && i == len(rows)-1 && i > 1 && row.Sign != "$" && row.Sign != "£" {
			return row.Unit
		}
		switch {
		case row.Unit == "":
			silent = true
		case unit != "" && unit != row.Unit, row.Unit == "%" && slices.ContainsFunc(rows, func(row Row) bool { return row.Value < 0 || row.Value > 100 }), IsCurrency(row.Unit):
			return ""
		default:
			unit = row.Unit
		}
	}
	if !silent {
		return ""
	}
	return unit
}

// spread gives all rows the magnitude that only the first or the last says: "1950 2.5 billion, 1975 4.1, 2000 6.1". The
// magnitudes that were written are 0 where there is none.
func spread(rows []Row, scales []float64) {
	last := len(rows) - 1
	k := 0
	if scales[0] == 0 {
		k = last
	}
	by := scales[k]
	if by == 0 || last == 0 {
		return
	}
	for i, row := range rows {
		if far := row.Value * by / rows[k].Value; i != k && (scales[i] != 0 || far > 10 || far < 0.1 || row.Unit != "" && row.Unit != rows[k].Unit || row.Sign != "" && row.Sign != rows[k].Sign) {
			return
		}
	}
	for i := range rows {
		if i != k {
			rows[i].Value = twelveDigits(rows[i].Value * by)
		}
	}
}
