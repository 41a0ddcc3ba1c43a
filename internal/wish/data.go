package wish

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestLabel is how many pieces the label of a row may have: words, or letters of a
// script without blanks.
const longestLabel = 12

// pair is a row being read, at pieces [from, end).
type pair struct {
	from, end      int
	label, labelTo int
	q              quantity
	colour         string
}

// readRows finds data: "Apples 30, Pears 45", "Apples: 30; Pears: 45", "Q1 10 Q2 20", "40% rent,
// 30% food", and bare numbers after a name: "sales 10, 20, 30".
func (r *reader) readRows() {
	for i := 0; i < len(r.p); i++ {
		for _, next := range []func(i int, first bool) (pair, bool){r.labelled, r.counted} {
			rows := r.run(i, next)
			if len(rows) == 0 {
				continue
			}
			w := Wish{Kind: Rows, Sure: true}
			for _, p := range rows {
				w.Rows = append(w.Rows, Row{strings.TrimSpace(r.said(p.label, p.labelTo)), p.q.value, p.q.unit, p.q.sign, p.colour, ""})
			}
			if last := len(w.Rows) - 1; w.Rows[0].Unit == "" && w.Rows[last].Unit != "%" && !IsCurrency(w.Rows[last].Unit) { // "3, 4, 5 km"
				w.Unit = w.Rows[last].Unit
			}
			r.wish(rows[0].from, rows[len(rows)-1].end, w)
			i = rows[len(rows)-1].end - 1
			break
		}
	}
}

// run reads pairs of one kind from piece i on, with separators between them; nil if
// there are fewer than two.
func (r *reader) run(i int, next func(int, bool) (pair, bool)) []pair {
	first, ok := next(i, true)
	if !ok || !r.free(i, first.end) {
		return nil
	}
	first = r.withColour(first)
	rows := []pair{first}
	longest, parted := 0, false
	for at := first.end; ; {
		j := at
		for r.punct(j, ",;|/、，；・") || r.form(j, line) || r.is(j, and) && !r.is(j, times) || r.punct(j, "-–•*") && r.form(j-1, line) {
			j++
		}
		p, ok := next(j, false)
		words := 1 // of a label that no mark stands before
		if j == at && len(rows) >= 2 && r.nothingAfter(p.end) {
			words = 2
		}
		if !ok || !r.free(j, p.end) || j == at && (p.labelTo-p.label > words && !single(firstRune(r.p[p.label].text)) || p.label == p.labelTo) {
			break
		}
		p = r.withColour(p)
		longest = max(longest, p.labelTo-p.label)
		rows = append(rows, p)
		parted = parted || j > at
		at = p.end
	}
	bare := first.label == first.labelTo
	if len(rows) < 2 || bare && len(rows) < 3 || !parted && len(rows) < 3 && !r.charted() && !r.is(first.label, calendar) && !strings.ContainsFunc(r.said(first.label, first.labelTo), unicode.IsDigit) { // "BUY 2 GET 1"
		return nil
	}
	if f := &rows[0]; f.labelTo-f.label > longest && f.label == f.from && !bare && !r.punct(f.from-1, ":：") && !single(firstRune(r.p[f.label].text)) { // "sales Jan 10, Feb 20"
		f.label = f.labelTo - longest
		f.from = f.label
	}
	return rows
}

// labelled reads a label and its number.
func (r *reader) labelled(i int, first bool) (pair, bool) {
	j := i
	if r.form(i, number) && r.p[i].num >= 1000 && r.p[i].num < 3000 && r.p[i].span.To-r.p[i].span.From == 4 { // a year
		j++
	} else {
		for j < len(r.p) && j-i < longestLabel && r.labels(j, first && j == i) {
			j++
		}
	}
	to := j
	if j == i {
		return pair{}, false
	}
	for r.punct(j, ":：=→") || r.punct(j, "-–—") || r.is(j, be) && j > i {
		j++
	}
	q := r.quantityAt(j)
	if q.n == 0 || !r.form(j, number) && !r.is(j, currency) || !r.endsRow(j+q.n) && (!r.is(j+q.n, time) || first && !r.charted()) {
		return pair{}, false
	}
	return pair{from: i, end: j + q.n, label: i, labelTo: to, q: q}, true
}

// labels reports whether piece i may be part of a label.
func (r *reader) labels(i int, first bool) bool {
	if r.form(i, quoted) {
		return first
	}
	if r.punct(i, "&'/+") || r.form(i, mark) && pictograph(r.p[i].text) {
		return true
	}
	if !r.form(i, word) || r.is(i, oclock) || r.term(i, Topic) != nil || r.term(i, Unit) != nil || r.term(i, Noun, OfNumber, OfColour, OfText) != nil || r.is(i, time, list, loop, fps, numeral) {
		return false
	}
	if first && r.is(i, article) && r.capital(i) && r.form(i+1, number) { // "A 40, B 35"
		return true
	}
	return !first || !r.is(i, makes, article, in, of, forWhom, from, to, by, says, medium, and, between, it, without, not, be, caption, set, ask)
}

// endsRow reports whether a row may end before piece i: its number counts nothing.
func (r *reader) endsRow(i int) bool {
	return !r.is(i, time, fps, cross, times, pixels) && r.term(i, Unit) == nil && !(r.form(i, clock)) && !(r.is(i, to) && r.quantityAt(i+1).n > 0)
}

// counted reads a number and what it counts: "40% rent". A separator follows, or the end.
func (r *reader) counted(i int, first bool) (pair, bool) {
	q := r.quantityAt(i)
	if q.n == 0 || !r.form(i, number) && !r.is(i, currency) || !r.endsRow(i+q.n) || r.punct(i+q.n, ".)") {
		return pair{}, false
	}
	if first && q.unit != "%" && !r.charted() {
		return pair{}, false // "221 Elm Street, 3 rooms"
	}
	from := r.skip(i+q.n, 1, of, forWhom)
	j := from
	for j < len(r.p) && j-from < longestLabel && r.labels(j, j == from) && !r.is(j, and, in) && !r.is(j, colour, toned) && r.term(j, Higher) == nil {
		j++
	}
	if j == from || j < len(r.p) && !r.punct(j, ",;.|/、，；!") && !r.form(j, line) && !r.is(j, and, in) {
		return pair{}, false
	}
	return pair{from: i, end: j, label: from, labelTo: j, q: q}, true
}

// withColour adds the colour that stands behind a row: "Apples 30 red", "Pears 45 (green)".
func (r *reader) withColour(p pair) pair {
	k := p.end
	open := r.punct(k, "(（")
	if open {
		k++
	}
	hex, n := r.colourAt(k)
	if open && r.punct(k+n, ")）") {
		k++
	} else if open {
		n = 0
	}
	if n > 0 && p.label != p.labelTo && r.nothingAfter(k+n) {
		p.colour, p.end = hex, k+n
	}
	return p
}

// charted reports whether the text names a subject.
func (r *reader) charted() bool {
	return slices.ContainsFunc(r.p, func(p piece) bool { return slices.ContainsFunc(p.senses, topic) })
}

// topic reports whether a meaning is a subject.
func topic(s sense) bool { return s.term != nil && s.term.Role == Topic }

// pictograph reports whether a mark is a picture among letters.
func pictograph(s string) bool {
	return firstRune(s) >= 0x2190 && utf8.RuneCountInString(s) == 1 && firstRune(s) < 0x3000 || firstRune(s) >= 0x1F000
}

// readRanges finds "from 10 to 1", "9:00 to 5:00", "up to 1000", "3 2 1".
func (r *reader) readRanges() {
	for i := range r.p {
		if !r.free(i, i+1) {
			continue
		}
		if w, n, ok := r.rangeAt(i); ok && r.free(i, i+n) {
			r.wish(i, i+n, w)
		}
	}
}

// readFalling finds numbers that count down: "3 2 1".
func (r *reader) readFalling() {
	for i := 0; i < len(r.p); i++ {
		if n := r.falling(i); n >= 3 && r.free(i, i+n) {
			w := Wish{Kind: Range, Value: Falling, From: decimal(r.p[i].num), To: decimal(r.p[r.lastNumber(i, n)].num), Sure: true}
			if end := r.said(r.lastNumber(i, n), i+n); strings.HasSuffix(end, "...") || strings.HasSuffix(end, "…") { // and so on
				w.To = ""
			}
			r.wish(i, i+n, w)
			i += n - 1
		}
	}
}

// falling is how many pieces from i on count down by one: "3, 2, 1".
func (r *reader) falling(i int) int {
	n := 0
	for j := i; r.form(j, number) && r.p[j].num == r.p[i].num-float64(n); n++ {
		for j++; r.punct(j, ",.…、"); j++ {
		}
		if n > 0 && !r.form(j, number) {
			return j - i
		}
	}
	return 0
}

// lastNumber is the last number of the n pieces from i on.
func (r *reader) lastNumber(i, n int) int {
	for k := i + n - 1; k > i; k-- {
		if r.form(k, number) {
			return k
		}
	}
	return i
}

// toClock is the time of day behind articles at piece i, or i: "de las 8:00 a las 14:00".
func (r *reader) toClock(i int) int {
	if k := r.skip(i, 1, article); r.form(k, clock) {
		return k
	}
	return i
}

// rangeAt reads a range that begins at piece i.
func (r *reader) rangeAt(i int) (w Wish, n int, ok bool) {
	led := r.is(i, from, between)
	j := i
	if led {
		j = r.toClock(j + 1)
	}
	one := r.pointAt(j)
	if one.n == 0 && led || r.timed(j, one) {
		return w, 0, false
	}
	w = Wish{Kind: Range, Sure: true, Unit: one.unit}
	if one.n == 0 { // "up to 1000"
		two := r.pointAt(i + 1)
		if !r.is(i, to) || two.n == 0 || r.timed(i+1, two) || r.term(r.skip(i-1, -1, be, article), Noun, OfNumber) != nil {
			return w, 0, false
		}
		w.To, w.Unit, w.Sure = two.said, two.unit, false
		return w, 1 + two.n, true
	}
	// Japanese and German put the word behind: "10から0まで".
	k := j + one.n
	behind := r.is(k, from) && !(r.is(k, outOf) && r.quantityAt(k+1).n > 0) // "18.450 € von 25.000 €"
	if behind || led && r.is(k, onto) || r.is(k, to, and) && (led || !r.is(k, and)) || r.punct(k, "→–—>~〜…") || r.punct(k, ".") && r.punct(k+1, ".") {
		end := k + 1
		for r.punct(end, ".>") || r.is(end, to, onto) {
			end++
		}
		if led {
			end = r.toClock(end)
		}
		if two := r.pointAt(end); two.n > 0 && !r.timed(end, two) {
			w.From, w.To = one.said, two.said
			if w.Unit == "" {
				w.Unit = two.unit
			}
			if one.unit == "" && two.scale > 1 && one.value < 1000 && one.scale == 1 && one.value != 0 && two.value/two.scale >= one.value { // "1 to 3 million"
				w.From = decimal(one.value * two.scale)
			}
			end += two.n
			if r.is(end, to) && !r.form(end+1, number) && r.p[end].glued {
				end++ // "まで"
			}
			return w, end - i, true
		}
	}
	if r.is(i, outOf) && (r.form(i-1, number) || r.is(i-1, currency) && r.form(i-2, number)) { // "18.450 € von 25.000 €"
		return w, 0, false
	}
	if led && !r.is(i, between) || behind {
		w.From = one.said
		if behind {
			return w, k + 1 - i, true
		}
		return w, k - i, true
	}
	return w, 0, false
}

// point is an end of a range.
type point struct {
	said  string
	unit  string
	value float64
	scale float64 // the magnitude that was written
	n     int
}

func (r *reader) pointAt(i int) point {
	if r.form(i, clock) && !r.is(i, shape) {
		n := 1
		if r.is(i+1, oclock) { // "11:50 pm"
			n = 2
		}
		return point{said: r.said(i, i+n), n: n, scale: 1}
	}
	if said, n := r.hourAt(i); n > 0 {
		return point{said: said, n: n, scale: 1}
	}
	q := r.quantityAt(i)
	if q.n == 0 {
		return point{}
	}
	p := point{said: decimal(q.value), unit: q.unit, value: q.value, n: q.n, scale: 1}
	if said := r.said(i, i+1); q.n == 1 && hundredths.MatchString(said) { // it may be a time of the day
		p.said = said
	}
	for k := i; k < i+q.n; k++ {
		if m, ok := r.get(k, magnitude); ok && !r.form(k, number) {
			p.scale = m.num
		}
	}
	return p
}

// hundredths are numbers that may be times of the day: "12.30".
var hundredths = regexp.MustCompile(`^[012]?\d\.[0-5]\d$`)

// timed reports whether the point at piece i is a length of time, or counts something.
func (r *reader) timed(i int, p point) bool {
	return p.n > 0 && (r.is(i+p.n, time, fps, cross, times, longer, shorter) || r.term(i+p.n, Unit) != nil && r.term(i+p.n, Topic) == nil)
}
