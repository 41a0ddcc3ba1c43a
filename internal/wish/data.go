package wish

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// pair is a row being read, at pieces [from, end).
type pair struct {
	from, end      int
	label, labelTo int
	q              quantity
	colour         string
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
		if _, share := r.shareAt(i+1, r.quantityAt(i+1)); share > 0 { // "up to $6,400 of $8,000"
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
	if unit := r.unitOf(i + q.n); q.unit == "" && unit != "" {
		p.unit, p.n = unit, q.n+1
	}
	return p
}

// hundredths are numbers that may be times of the day: "12.30".
var hundredths = regexp.MustCompile(`^[012]?\d\.[0-5]\d$`)

// timed reports whether the point at piece i is a length of time, or counts something.
func (r *reader) timed(i int, p point) bool {
	return p.n > 0 && (r.is(i+p.n, time, fps, cross, times, longer, shorter) || r.term(i+p.n, Unit) != nil && r.term(i+p.n, Topic) == nil)
}
