package wish

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// quantity is a number in a text.
type quantity struct {
	value float64
	unit  string  // "%", a currency, or "" for a plain number
	sign  string  // the unit as written
	n     int     // how many pieces it takes; 0 if there is no number
	bare  bool    // only "a" or "an"
	scale float64 // the magnitude in words, which value has already; 0 if there is none
}

// row is the row of a label with the number.
func (q quantity) row(label string) Row {
	return Row{Label: label, Value: q.value, Unit: q.unit, Sign: q.sign}
}

// ClockUnit is the unit of numbers that are written with a colon: 12:30 is 750 of the smaller unit.
const ClockUnit = "min:s"

// IsCurrency reports whether the unit of a number is a currency: the code of three capitals.
func IsCurrency(unit string) bool {
	return len(unit) == 3 && !strings.ContainsFunc(unit, func(c rune) bool { return c < 'A' || c > 'Z' })
}

// twelveDigits is a number without the error of a product: 4.1 million are 4,100,000, not 4,099,999.9999999995.
func twelveDigits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64) //nolint:errcheck // it is a number
	return v
}

// decimal is a number in its shortest form.
func decimal(v float64) string {
	v = math.Round(v*1e6) / 1e6
	if v == 0 {
		v = 0 // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// quantityAt reads the number that begins at piece i: "3", "$1.2M", "40 %", "twenty five",
// "half a", "2 and a half", "10k".
func (r *reader) quantityAt(i int) quantity {
	var q quantity
	if s, ok := r.get(i, currency); ok && r.form(i+1, number) {
		q = r.plain(i + 1)
		q.unit, q.sign, q.n = s.value, r.said(i, i+1), q.n+1
		return q
	}
	q = r.plain(i)
	if q.n == 0 {
		return q
	}
	switch {
	case r.is(i+q.n, percent):
		q.unit, q.sign, q.n = "%", "%", q.n+1
	case r.is(i+q.n, currency):
		s, _ := r.get(i+q.n, currency)
		q.unit, q.sign, q.n = s.value, r.said(i+q.n, i+q.n+1), q.n+1
	}
	return q
}

// thousands are the sizes of pictures that may be numbers as well.
var thousands = regexp.MustCompile(`^\d ?k$`)

// plain is a number without a unit.
func (r *reader) plain(i int) quantity {
	var q quantity
	switch s, ok := r.get(i, numeral); {
	case i < 0 || i >= len(r.p):
		return q
	case r.form(i, number):
		q.value, q.n = r.p[i].num, 1
	case r.phraseRole(i) == Figure && thousands.MatchString(r.p[i].text): // "8k" is no size of a picture here
		q.value, q.n, q.scale = 1000*float64(int(r.p[i].text[0]-'0')), 1, 1000
		return q
	case ok:
		q.value, q.n = s.num, 1
		if u, ok := r.get(i+1, numeral); ok && s.num >= 20 && s.num < 100 && u.num > 0 && u.num < 10 {
			q.value, q.n = s.num+u.num, 2
		}
	default:
		return q
	}
	if m, ok := r.get(i+q.n, magnitude); ok && r.phraseRole(i) != Name && !(r.form(i+q.n+1, number) && r.p[i+q.n+1].glued) && (r.form(i, word) || r.p[i+q.n].glued || len([]rune(r.p[i+q.n].text)) > 2 || single(firstRune(r.p[i+q.n].text))) {
		q.value = twelveDigits(q.value * m.num)
		q.scale = m.num
		q.n++
	}
	if h, ok := r.get(i+q.n, half); ok {
		q.value += h.num
		q.n++
	}
	return q
}

// shareAt reads "3 of 5", "$340 of $500", whose first number is q, at piece i. n is 0 if there is no such thing.
func (r *reader) shareAt(i int, q quantity) (w Wish, n int) {
	if q.n == 0 {
		return w, 0
	}
	of := i + q.n
	slash := of < len(r.p) && r.p[of].text == "/" // "640 / 800"; no date, nor "24/7"
	if of >= len(r.p) || !r.is(of, outOf) && !slash {
		return w, 0
	}
	goal := r.skip(of+1, 1, article, mine) // "of our $500 goal"
	all := r.quantityAt(goal)
	if all.n == 0 || all.bare || all.value <= 0 || q.value < 0 || q.value > all.value || q.unit == "%" || q.unit != all.unit && q.unit != "" && all.unit != "" {
		return w, 0
	}
	if slash && (all.value < 32 || q.value == all.value) {
		return w, 0
	}
	n = goal - i + all.n
	return Wish{Kind: Share, Value: decimal(math.Round(1000*q.value/all.value) / 10)}, n
}

// hourAt reads a time of day in words: "3 o'clock", "9 am", "half past four", "quarter to eight pm", "las ocho y media". n is 0 if there is none.
func (r *reader) hourAt(i int) (said string, n int) {
	if s, ok := r.get(i, hour); ok { // "noon"
		return clockOf(s.num), 1
	}
	s, ok := r.get(i, spoken)
	if !ok {
		if q := r.quantityAt(i); q.n > 0 && q.unit == "" && r.is(i+q.n, oclock) {
			return r.said(i, i+q.n+1), q.n + 1
		}
		if q := r.plain(i); q.n > 0 && q.value >= 1 && q.value <= 24 && q.value == math.Trunc(q.value) {
			if s, ok := r.get(i+q.n, past); ok {
				return clockOf(60*q.value + s.num), q.n + 1
			}
		}
		if q := r.plain(i); q.n == 1 && r.form(i, number) && r.main != r.v.base.languages[0] && i+1 < len(r.p) && r.p[i+1].glued && r.p[i+1].text == "h" && q.value <= 24 && q.value == math.Trunc(q.value) { // "de 9h à 17h"
			return decimal(q.value) + ":00", 2
		}
		return "", 0
	}
	q := r.plain(i + 1)
	if q.n == 0 || q.value != math.Trunc(q.value) || q.value < 1 || q.value > 24 {
		return "", 0
	}
	said, n = clockOf(60*q.value+s.num), 1+q.n
	if r.is(i+n, oclock) {
		said, n = said+" "+r.p[i+n].text, n+1
	}
	return said, n
}

// clockOf is a time of day of so many minutes after midnight.
func clockOf(minutes float64) string {
	m := int(minutes) % (24 * 60)
	return fmt.Sprintf("%d:%02d", m/60, m%60)
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// lengthAt reads a length of time that begins at piece i: "10 s", "1m30s", "a minute and a
// half", "5 to 10 seconds", which counts as its middle.
func (r *reader) lengthAt(i int) (seconds float64, n int) {
	if r.form(i, clock) {
		led := r.is(i-1, forWhom, long) || r.is(i-1, of) && r.is(i-2, medium) || r.is(i+1, long)
		if !led || r.form(i-2, clock) || r.form(i+2, clock) {
			return 0, 0
		}
		return r.p[i].num, 1
	}
	q := r.plain(i)
	if q.n == 0 && r.is(i, article) && i+1 < len(r.p) {
		q = quantity{value: 1, n: 1, bare: true}
	}
	if q.n == 0 {
		return 0, 0
	}
	value, n := q.value, q.n
	if j := r.skip(i+n, 1, to, and, or); !q.bare && (j > i+n || r.punct(j, "-–") || r.form(j, number)) {
		if r.punct(j, "-–") {
			j++
		}
		if second := r.plain(j); second.n > 0 && second.value > value && r.is(j+second.n, time) {
			value, n = (value+second.value)/2, j+second.n-i
		}
	}
	unit, ok := r.get(i+n, time)
	if !ok && r.form(i+n, word) && r.p[i+n].glued && r.form(i+n+1, number) && r.p[i+n].text == "m" { // "1m30s"
		unit, ok = sense{num: 60}, true
	}
	glued := ok && r.p[i+n].glued
	switch {
	case !ok, r.form(i, word) && !q.bare && len(r.p[i+n].text) == 1, r.form(i, number) && !glued && len(r.p[i+n].text) == 1 && unit.num > 60, q.bare && (unit.num <= 1 && !r.is(i+n+1, half) || unit.num >= 3600):
		return 0, 0 // "a second" is a manner of speaking, and "la hora" no length
	case unit.num == 1 && n == 1 && glued && len(r.p[i+n].text) == 1 && value >= 1000 && value < 3000 && math.Mod(value, 10) == 0:
		return 0, 0 // "the 1920s" are years
	case unit.num == 1 && n == 1 && glued && len(r.p[i+n].text) == 1 && value >= 70 && value <= 90 && math.Mod(value, 10) == 0 && (r.is(i-1, article) || r.form(i-1, word) && len(r.p[i-1].senses) == 0):
		return 0, 0 // as "retro 80s"
	}
	seconds = value * unit.num
	n++
	if h, ok := r.get(i+n, half); ok { // "a minute and a half"
		return seconds + h.num*unit.num, n + 1
	}
	if unit.num == 60 {
		j := r.skip(i+n, 1, and)
		if more, m := r.lengthAt(j); m > 0 && more < 60 && !r.is(j, article) {
			return seconds + more, j + m - i
		}
		if k := i + n; r.form(k, number) && len(r.p[k].text) == 2 && r.p[k].num < 60 && !r.form(k+1, word) && !r.p[k].glued { // "6 minutes 30"
			return seconds + r.p[k].num, n + 1
		}
	}
	return seconds, n
}

// readLengths finds the length of the video, and how the length is to change.
func (r *reader) readLengths() {
	for i := 0; i < len(r.p); i++ {
		if !r.free(i, i+1) {
			continue
		}
		if r.is(i, add, longer, shorter, remove) { // "add 2 seconds", "cut 1 second", "extend it by 3 s"
			j := r.skip(i+1, 1, it, article, by, approx, every, medium, filler, other)
			if s, n := r.lengthAt(j); n > 0 && (r.is(i, add, remove) || j == i+1 || !r.is(i+1, to)) {
				if r.is(i, shorter, remove) {
					s = -s
				}
				end := j + n
				if r.is(end, longer, shorter, more) {
					end++
				}
				r.wish(i, end, Wish{Kind: More, About: lengthTerm, By: s, Plus: true, Unit: r.eachIn(i, end), Sure: true})
				continue
			}
		}
		s, n := r.lengthAt(i)
		if t, ok := r.get(i+1, time); n == 0 && ok && r.is(i, article) && r.is(i+2, longer, shorter) { // "a second longer"
			s, n = t.num, 2
		}
		if n == 0 {
			r.lengthChange(i)
			continue
		}
		if r.is(i+n, longer, shorter, more, less) {
			if r.is(i+n, shorter, less) {
				s = -s
			}
			r.wish(i, i+n+1, Wish{Kind: More, About: lengthTerm, By: s, Plus: true, Unit: r.eachIn(i, i+n+1), Sure: true})
			continue
		}
		unit, _ := r.get(i+n-1, time)
		if s > 3600 && unit.num > 1 && (unit.num >= 86400 || !r.is(i-1, forWhom)) && !r.is(i-1, long) && !r.is(i+n, long) { // "three days in Lisbon"
			i += n - 1
			continue
		}
		if r.v.there && r.is(i+n, belated, hastened) { // "the claim one second later"
			i += n
			continue
		}
		if r.v.there && r.is(i-1, ordinal) && r.is(i-2, article) { // "red for the last 10 seconds"
			r.wish(i-1, i+n, Wish{Kind: Length, Value: decimal(s), Unit: partUnit, Sure: true})
			i += n - 1
			continue
		}
		before := r.skip(i-1, -1, article, of, approx, filler)
		if r.is(before, every) && !r.is(before, long) && !r.is(before, by) || r.is(before, by) && !r.is(before, cross, from) {
			i += n - 1
			continue
		}
		from, end := i, i+n
		for r.is(from-1, forWhom, approx, long, of, to, be, even, in) && !r.is(from-1, cross) && r.free(from-1, from) || r.punct(from-1, ":=") && r.is(from-2, long) {
			from--
		}
		end = r.skip(end, 1, long)
		w := Wish{Kind: Length, Value: decimal(s), Sure: true}
		if r.is(end, each) { // "3 seconds each"
			w.Unit = eachUnit
			for end++; r.is(end, scene, list, medium) || r.term(end, Noun, OfList) != nil; end++ {
			}
		} else if r.is(from-1, each) && r.free(from-1, from) { // "jeweils 3 Sekunden"
			from, w.Unit = from-1, eachUnit
		} else if r.ofEvery(from) {
			w.Unit = eachUnit
		}
		r.wish(from, end, w)
		i = end - 1
	}
}

// partUnit is the unit of a length that is a part of the time.
const partUnit = "part"

// Partial reports whether a length is a part of the time: "the last 10 seconds".
func (w *Wish) Partial() bool { return w.Kind == Length && w.Unit == partUnit }

// eachIn is the unit of what pieces [i, end) say of a length: eachUnit if their clause is about every item, as "each one a second longer".
func (r *reader) eachIn(i, end int) string {
	from := r.clauseOf(i).From
	for k := i - 1; k >= from; k-- {
		if r.is(k, each) {
			return eachUnit
		}
	}
	if r.ofEvery(i) || r.is(end, each) {
		return eachUnit
	}
	return ""
}

// ofEvery reports whether the sentence says before piece i that it is about every item: "keep every slide up for 4 seconds".
func (r *reader) ofEvery(i int) bool {
	for k := r.sentence(i, 0); k < i-1; k++ {
		if r.is(k, and) && k > r.clauseOf(i).From {
			return false
		}
		if r.is(k, every) && !r.is(k, ordinal, to, by, before, after, next) && (r.is(k+1, scene, list) || r.term(k+1, Noun, OfList) != nil) {
			return true
		}
	}
	return false
}

// eachUnit is the unit of a length that is meant for each item.
const eachUnit = "each"

// Each reports whether a length, or a change of it, is meant for each item: "3 seconds each".
func (w *Wish) Each() bool {
	return (w.Kind == Length || w.Kind == More && w.About == lengthTerm) && w.Unit == eachUnit
}

// lengthTerm is what changes of the length are about.
const lengthTerm = "duration"

// lengthChange reads "longer", "a bit shorter", "twice as long", "too long".
func (r *reader) lengthChange(i int) {
	up := r.is(i, longer)
	switch {
	case (up || r.is(i, shorter)) && r.v.there && r.textNoun(i+1) != nil: // "shorter claim: …"
	case up || r.is(i, shorter):
		by := 1.4
		if !up {
			by = 1 / by
		}
		from, end, by := r.measured(i, i+1, by)
		r.wish(from, end, Wish{Kind: More, About: lengthTerm, By: by, Sure: true})
	case r.is(i, long) && r.is(i-1, as):
		if from, _, by := r.measured(i, i+1, 1); by != 1 {
			r.wish(from, i+1, Wish{Kind: More, About: lengthTerm, By: by, Sure: true})
		}
	}
}

// measured widens a degree at pieces [i, j) by the words around it, and bends its factor:
// "much", "a bit", "too", "not so", "twice as", "20 %", "3 times".
func (r *reader) measured(i, j int, by float64) (from, end int, bent float64) {
	from, end = i, j
	grow := by >= 1
	turn := func(v float64) float64 {
		if !grow {
			return 1 / v
		}
		return v
	}
	for k := i - 1; k >= max(0, i-mostSkipped) && r.p[k].wish == 0; k-- {
		f, isFactor := r.get(k, factor)
		switch {
		case r.is(k, bit):
			by = math.Pow(by, 0.45)
		case r.is(k, not) && r.is(k+1, too): // "not too high" is lower
			continue
		case r.is(k, too) || r.is(k, not) || r.is(k, less) && !r.is(k, more):
			by = 1 / by
		case r.is(k, very):
			by = math.Pow(by, 1.6)
		case isFactor:
			by = turn(f.num)
		case r.is(k, times) && r.plain(k-1).n == 1 && r.plain(k-1).value > 0:
			return k - 1, end, turn(r.plain(k - 1).value)
		case r.is(k, percent) && r.plain(k-1).n == 1:
			part := r.plain(k-1).value / 100
			if grow {
				return k - 1, end, 1 + part
			}
			return k - 1, end, max(1-part, 0.05)
		case r.is(k, as, article, be, it, even, more):
			continue
		default:
			k = 0
			continue
		}
		from = k
	}
	switch {
	case r.is(end, bit):
		return from, end + 1, math.Pow(by, 0.45)
	case r.is(end, very) && (end+1 >= len(r.p) || !r.form(end+1, word)):
		return from, end + 1, math.Pow(by, 1.6)
	}
	return from, end, by
}

// partedAt reads a degree of two words between which the thing stands: "speed the planets up".
func (r *reader) partedAt(i int) int {
	if !r.v.there || !r.form(i, word) || !r.begins(i) {
		return 0
	}
	for k := i + 2; k <= i+mostTrailed && r.form(k, word) && r.free(i, i+1) && r.quantityAt(k-1).n == 0; k++ {
		for _, s := range r.v.of(r.p[i].text + " " + r.p[k].text) {
			if s.term == nil || s.term.Role != Higher && s.term.Role != Lower {
				continue
			}
			by := s.term.By
			if by <= 1 {
				by = 1.25
			}
			if s.term.Role == Lower {
				by = 1 / by
			}
			by = r.trailing(i+1, by)
			r.wish(i, i+1, Wish{Kind: More, About: s.term.About, By: by, Sure: true})
			if r.free(k, k+1) {
				r.wish(k, k+1, Wish{Kind: Remark, Sure: true})
			}
			return 1
		}
	}
	return 0
}

// trailing bends a degree by words that end the clause behind the thing: "slow the planets down a bit".
func (r *reader) trailing(end int, by float64) float64 {
	k := end
	for k < end+mostTrailed && r.form(k, word) && !r.is(k, bit, very, and, but, or, in, to, more, less, filler) && r.term(k, Higher) == nil && r.term(k, Lower) == nil {
		k++
	}
	from := r.skip(k, 1, filler)
	to := from + 1
	if !r.v.there || k == end || !r.is(from, bit, very) || !r.ends(to) && !r.is(to, please) || !r.free(k, to) {
		return by
	}
	r.wish(k, to, Wish{Kind: Remark, Sure: true})
	if r.is(from, very) {
		return math.Pow(by, 1.6)
	}
	return math.Pow(by, 0.45)
}

// mostTrailed is how many words a thing has at most, with its article, behind which a degree is bent.
const mostTrailed = 4

// nthUnit reads an ordinal and what the caller counts, where both are one piece: "third ball".
func (r *reader) nthUnit(i int) (nth float64, t *Term) {
	first, unit, ok := strings.Cut(r.textAt(i), " ")
	if !ok {
		return 0, nil
	}
	for _, s := range r.v.of(first) {
		if s.class == ordinal {
			nth = s.num
		}
	}
	for _, s := range r.v.of(unit) {
		if s.term != nil && s.term.Role == Unit && nth > 1 {
			return nth, s.term
		}
	}
	return 0, nil
}

// textAt is the text of piece i; "" if there is none.
func (r *reader) textAt(i int) string {
	if i < 0 || i >= len(r.p) {
		return ""
	}
	return r.p[i].text
}
