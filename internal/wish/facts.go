package wish

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Fact is what a text says of a time, a day, a price, or a number of something. A text that says another fact of the same
// kind says that things have changed: "it's on Friday".
type Fact struct {
	Span           Span
	Kind           string
	Before, Behind string // the words beside it, in small letters
	dotted         bool   // a number such as 2.4
}

// The kinds of facts.
const (
	timeFact   = "time"
	dateFact   = "date"
	dayFact    = "day"
	monthFact  = "month"
	yearFact   = "year"
	priceFact  = "price"
	shareFact  = "%"
	numberFact = "number"
	longFact   = "long" // minutes, hours, days: no length of a video
	nthFact    = "nth"  // a day of a month that is not named

	versionFact = "version"
)

// Alike reports whether one fact may take the place of another: of two days either may, of two numbers those of the same thing, "2 cups"
// and "3 cups".
func (f Fact) Alike(o Fact) bool {
	switch {
	case f.Kind == longFact:
		return o.Kind == longFact && f.Behind == o.Behind
	case f.Kind == nthFact && o.Kind == dateFact, (f.Kind == versionFact || f.dotted) && o.dotted:
		return true
	case f.Kind == o.Kind && f.Kind != numberFact:
		return true
	}
	return (f.Kind == numberFact && (o.Kind == numberFact || o.Kind == timeFact || o.Kind == dateFact) || f.Kind == versionFact && o.Kind == numberFact) && (f.Before != "" && f.Before == o.Before || f.Behind != "" && f.Behind == o.Behind)
}

// Day reports whether a fact is a day, a month, a year, or a number of minutes and more.
func (f Fact) Day() bool {
	return slices.Contains([]string{dateFact, dayFact, monthFact, yearFact, longFact, nthFact}, f.Kind)
}

// Dated reports whether a fact is a day of the month, and another its year right behind it.
func (f Fact) Dated(year Fact) bool {
	return f.Kind == dateFact && year.Kind == yearFact && year.Span.From-f.Span.To <= len(", ")
}

// Share reports whether a fact is a share in percent.
func (f Fact) Share() bool { return f.Kind == shareFact }

// Nth is a number as an ordinal, with an ending as another one has: "71st" where "70th" stood.
func Nth(number, ending string) string {
	english := map[byte]string{'1': "st", '2': "nd", '3': "rd"}
	if last := number[len(number)-1]; slices.Contains([]string{"st", "nd", "rd", "th"}, ending) {
		ending = cmp.Or(english[last], "th")
		if len(number) > 1 && number[len(number)-2] == '1' { // "11th"
			ending = "th"
		}
	}
	return number + ending
}

// Facts lists the facts of a text in any language, in order. A day of the month has its month; none overlap.
func (v *Vocabulary) Facts(text string) (out []Fact) {
	r := newReader(v, text, true)
	beside := func(i int) string {
		if !r.form(i, word) {
			return ""
		}
		return fold(r.p[i].text)
	}
	for i := 0; i < len(r.p); i++ {
		if kind, n := r.factAt(i); n > 0 {
			next := i + n
			if r.form(next, word) && len(r.p[next].text) <= 2 && len(r.p[next].senses) == 0 && r.form(next+1, word) { // "120 g of butter"
				next = r.skip(next+1, 1, of)
			}
			to := r.p[i+n-1].span.To
			if last := r.p[i+n-1]; kind == shareFact && n > 1 { // "% off" may be one piece
				to = last.span.From + 1
			}
			out = append(out, Fact{Span{r.p[i].span.From, to}, kind, beside(r.skip(i-1, -1, be, now, even)), beside(next), kind == numberFact && strings.Contains(r.said(i, i+n), ".")})
			i += n - 1
		}
	}
	return out
}

func (r *reader) factAt(i int) (kind string, n int) {
	if n := r.dayOfMonth(i); n > 0 {
		return dateFact, n
	}
	q := r.quantityAt(i)
	version := i + 1
	for r.form(i, number) && r.form(version, number) && r.p[version].glued {
		version++
	}
	switch {
	case version > i+1 && numericDate.MatchString(r.said(i, version)):
		return dateFact, version - i
	case version > i+1:
		return versionFact, version - i
	case (r.form(i, clock) || r.form(i, number)) && r.is(i+1, oclock):
		return timeFact, 2
	case r.is(i, time) && !r.form(i-1, number) && (r.form(i+1, number) || r.form(i+1, clock)): // "ore 21"
		return timeFact, 2
	case r.form(i, clock):
		return timeFact, 1
	case r.cycle(i, 12) && !r.is(i, more, and, but): // "mais" is no May
		return monthFact, 1
	case r.cycle(i, 7):
		return dayFact, 1
	case r.year(i):
		return yearFact, 1
	case q.n == 0 || !r.form(i, number) && q.unit == "":
		return "", 0
	case r.form(i, number) && i+1 < len(r.p) && r.p[i+1].glued && r.p[i].num <= 31 && r.v.nth(r.p[i+1].text):
		return nthFact, 2
	case r.is(i+q.n, time) && !r.p[i+q.n].glued:
		if s, _ := r.get(i+q.n, time); s.num >= 60 {
			return longFact, q.n
		}
		return "", 0
	case r.form(i, number) && i+q.n < len(r.p) && strings.HasPrefix(r.p[i+q.n].text, "% "):
		return shareFact, q.n + 1
	case q.unit == "%":
		return shareFact, q.n
	case q.unit != "":
		return priceFact, q.n
	}
	return numberFact, q.n
}

// numericDate is a date in numbers alone: "21.06.2025".
var numericDate = regexp.MustCompile(`^\d{1,2}\.\d{1,2}\.(?:\d\d)?\d\d$`)

// dayOfMonth is how many pieces the date has that begins at piece i, without its year: "21 June", "June 21st", "21 de junio", "21. Juni".
func (r *reader) dayOfMonth(i int) int {
	day := func(k int) (end int) { // "21", "21.", "21st"
		if !r.form(k, number) || r.p[k].num < 1 || r.p[k].num > 31 {
			return k
		}
		if k++; k < len(r.p) && r.p[k].glued && (r.form(k, word) && len(r.p[k].text) == 2 || r.punct(k, ".") && !r.ends(k+1)) {
			k++
		}
		return k
	}
	if k := r.skip(day(i), 1, of, article); k > i && day(i) > i && r.cycle(k, 12) {
		return k + 1 - i
	}
	if end := day(i + 1); r.cycle(i, 12) && end > i+1 {
		return end - i
	}
	return 0
}

// nth reports whether letters behind a number make an ordinal of it: "th".
func (v *Vocabulary) nth(letters string) bool {
	return slices.ContainsFunc([]string{"1", "2", "3", "4"}, func(n string) bool {
		return slices.ContainsFunc(v.of(n+" "+fold(letters)), func(s sense) bool { return s.class == ordinal })
	})
}

// cycle reports whether piece i is one of n names that follow each other in a circle. A short name has a capital: "Sat", not "so".
func (r *reader) cycle(i, n int) bool {
	return r.form(i, word) && slices.ContainsFunc(r.v.base.cycles, func(c []string) bool {
		return len(c) == n && slices.ContainsFunc(c, func(name string) bool {
			return fold(name) == strings.TrimSuffix(fold(r.p[i].text), "s") || fold(name) == fold(r.p[i].text)
		}) && (len(r.p[i].text) > 3 || r.capital(i))
	})
}

// WithoutFacts is a text without the only run of facts of the kind that a word names, and without the words that lead to it: "until 30 April"
// for "date". ok is false if the text has none, or several.
func (v *Vocabulary) WithoutFacts(text, word string) (rest string, ok bool) {
	kind := v.base.facts[fold(word)]
	if kind == "" {
		return "", false
	}
	r := newReader(v, text, true)
	begin, end := -1, -1
	for i := 0; i < len(r.p); i++ {
		is, n := r.factAt(i)
		if is != kind && !(kind == dateFact && slices.Contains([]string{dayFact, monthFact, yearFact, nthFact}, is)) {
			continue
		}
		if begin >= 0 && i > end+1 { // another, and not "Saturday, 10 May"
			return "", false
		}
		if begin < 0 {
			begin = i
		}
		if end = i + n; r.is(end, oclock) {
			end++
		} else if r.punct(end, "/") { // "£14.50/hour"
			end += 2
		}
		i = end - 1
	}
	if begin < 0 {
		return "", false
	}
	for begin > 0 && r.is(begin-1, onto, in, to, from, upTo, before, after, article, between) {
		begin--
	}
	left, right := strings.TrimRight(text[:r.p[begin].span.From], " ,·–-"), ""
	if end < len(r.p) {
		right = strings.TrimLeft(text[r.p[end].span.From:], " ,·")
	}
	joint := " "
	if strings.ContainsAny(text[len(left):len(text)-len(right)], ",·–") {
		joint = ", "
	}
	return strings.TrimSpace(strings.Join(slices.DeleteFunc([]string{left, right}, func(s string) bool { return s == "" }), joint)), true
}
