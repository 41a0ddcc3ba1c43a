package reading

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// number gives a number to its parameter, with its unit.
func (f *filler) number(w wish.Wish) {
	p := f.m.Param(w.About)
	if p == nil && w.Unit == "%" {
		p = f.free("percent")
	}
	if p != nil && slices.Contains(p.Takes, takesRating) && !f.r.holds(p, w.Value) { // "5,000 stars"
		p, w.About = f.free("number"), ""
	}
	if q := taker(f.m, takesRating); p == nil && w.Unit == "" && f.change && q != nil && f.value(q) != recipe.Auto && f.r.holds(q, w.Value) { // "make it 4.9"
		p = q
	}
	if (p == nil || slices.Contains(p.Takes, "range.to")) && f.reached(w) {
		return
	}
	if p == nil && w.Unit != "%" {
		p = cmp.Or(f.filled(w.Value), f.free("number"))
	}
	if p == nil || w.Not {
		return
	}
	value := w.Value
	if sum, ok := f.together(p, w); ok {
		value = sum
	}
	if w.About == "" && w.Unit == "%" && p.Max != nil && *p.Max <= 1 {
		value += "%"
	}
	if p.Type == recipe.Integer && len(p.Units) > 0 && p.Max != nil && !f.change && float64(whole(value)) > *p.Max { // "12 stars": a video of fewer is better than none
		f.note("There is room for %s: %s are too many.", recipe.Trim(*p.Max), value)
		value = recipe.Trim(*p.Max)
	}
	f.put(p.Name, value, w)
	if !slices.Contains(p.Takes, "percent") { // that knows its sign
		f.unit(w.Unit, w)
	}
}

// together is the sum of how many of one colour and how many of another: "two red balls and three blue balls".
func (f *filler) together(p *recipe.Param, w wish.Wish) (sum string, ok bool) {
	e := f.assigned(p.Name)
	if e == nil || f.change || p.Type != recipe.Integer || w.About == "" || !slices.ContainsFunc(f.wishes, func(c wish.Wish) bool {
		return c.Kind == wish.Colour && !c.Behind() && c.Span.From > e.from && c.Span.To < w.Span.To
	}) {
		return "", false
	}
	sum = strconv.Itoa(whole(e.Value) + whole(w.Value))
	f.edits = slices.DeleteFunc(f.edits, func(x Edit) bool { return x.Param == p.Name })
	return sum, true
}

// filled is the parameter of the share that a video fills, where a change says another; nil if it shows none.
func (f *filler) filled(share string) *recipe.Param {
	p := taker(f.m, "percent")
	now, err := strconv.ParseFloat(share, 64)
	if p == nil || !f.change || p.Type != recipe.Number || f.value(p) == recipe.Auto || f.value(p) == "" || err != nil || now > 100 {
		return nil
	}
	return p
}

// between gives the ends of a range to their parameters.
func (f *filler) between(w wish.Wish) {
	from, to := f.free("range.from"), f.free("range.to")
	if w.From == "" && f.reached(w) {
		return
	}
	if p := f.filled(w.To); p != nil && f.value(p) == w.From { // "change 65 to 72"
		f.put(p.Name, w.To, w)
		return
	}
	if p := f.free("percent"); p != nil && w.Unit == "%" && from != nil {
		to = p
	}
	if from == nil && to == nil {
		return
	}
	if p := taker(f.m, takesRating); p != nil && f.r.holds(p, w.To) && anyWord(p.Units, func(unit string) bool { return strings.EqualFold(unit, w.Unit) }) { // "up to 5 stars"
		f.put(p.Name, w.To, w)
		return
	}
	if to != nil && w.To != "" {
		f.put(to.Name, clocked(to, w.To), w)
	}
	if from != nil && w.From != "" {
		f.put(from.Name, clocked(from, w.From), w)
	}
	if from == nil && w.From != "" && w.To == "" {
		f.put(to.Name, clocked(to, w.From), w)
	}
	if to == nil || !slices.Contains(to.Takes, "percent") {
		f.unit(w.Unit, w)
	}
}

// figure is the place of the only row with a number that a part says, as "#2"; "" if there is none: "38, not 31".
func (f *filler) figure(t wish.Part) (place string) {
	old, ok := f.read.Quantity(t.Span, "")
	for p, list := range lists(f.m, f.values) {
		if _, column := columns(p); !ok || column == "" || taking(p, "figure") != "" {
			continue
		}
		for i, item := range list {
			if number(p, item) != old.Value {
				continue
			}
			if place != "" {
				return ""
			}
			place = fmt.Sprintf("#%d", i+1)
		}
	}
	return place
}

// kind reports whether new words name a kind of video: "a pie".
func (f *filler) kind(p wish.Part) bool { return len(f.kinds(p)) > 0 }

// kinds are the names of the recipes that new words name, and nothing else.
func (f *filler) kinds(p wish.Part) (names []string) {
	if f.quoted(p.Span) {
		return nil
	}
	read := f.r.choosing.Read(p.Said)
	for _, w := range read.Wishes() {
		if w.Kind == wish.Subject && w.Sure && strings.TrimSpace(p.Said[w.Span.From:]) == read.Said(w.Span) && (strings.TrimSpace(p.Said[:w.Span.From]) == "" || read.Leads(w.Span)) { // "as a bar chart"
			names = append(names, w.About)
		}
	}
	return names
}

// nearly is the word among others that a single new word says otherwise: "Okafor" of "Dr Okafor", where "Okafor-Pike" is new; "" if there is
// none.
func nearly(text, now string) string {
	all := strings.Fields(text)
	for _, w := range all {
		w = strings.Trim(w, ",.;:!?")
		if len(all) > 1 && !strings.Contains(now, " ") && len(w) > leastSame && (strings.HasPrefix(strings.ToLower(now), strings.ToLower(w)+"-") || koda.Slips(strings.ToLower(w), strings.ToLower(now)) <= len(w)/4) {
			return w
		}
	}
	return ""
}

// counterpart are the words of a text that differ from new ones in their numbers only: "12 languages" for "14 languages", "4B" for "4C"; "" if
// there are none, or if the new words are nothing but a number.
func counterpart(text, now string) string {
	if strings.Trim(now, figures+".,:") == "" || !strings.ContainsAny(now, figures) {
		return ""
	}
	all, some := strings.Fields(text), strings.Fields(now)
	same := func(a, b string) bool { return strings.Trim(a, ",.;:!?") == strings.Trim(b, ",.;:!?") }
	for i := 0; i+len(some) <= len(all); i++ {
		if was := all[i : i+len(some)]; slices.EqualFunc(was, some, func(a, b string) bool { return same(mould(a), mould(b)) }) && !slices.EqualFunc(was, some, same) {
			return strings.Trim(strings.Join(was, " "), ",.;:!?")
		}
	}
	return ""
}

// mould is a word in small letters with 0 for each number; of a word with a number, with x for the letters.
func mould(word string) string {
	word = amounts.ReplaceAllString(strings.ToLower(word), "0")
	if !strings.Contains(word, "0") {
		return word
	}
	return letter.ReplaceAllString(word, "x")
}

var (
	amounts = regexp.MustCompile(`\d+(?:[.,:]\d+)*`)
	letter  = regexp.MustCompile(`\pL`)
)

// lone is a name with one number read for a recipe of one number, where f would be the result of a match with one side: "lambs born 46".
func (r *Reader) lone(f *filler, b Brief) *filler {
	sides := taker(f.m, "sides")
	if taker(f.m, "outcome") == nil || f.named() || f.assigned(sides.Name) != nil && strings.Count(f.assigned(sides.Name).Value, "{") > 1 || count(b.phrases, wish.Name) > 1 || count(b.phrases, wish.Figure) > 1 {
		return nil
	}
	b.phrases = slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool { return p.Role == wish.Figure })
	for i := range b.phrases {
		if b.phrases[i].Role == wish.Name {
			b.phrases[i].Role = wish.Headline
		}
	}
	for _, m := range r.manifests {
		if slices.Contains(m.Fits, "number") && taker(m, "order") != nil {
			if n := r.fill(m, b); n.numbers() && len(n.left()) == 0 {
				return n
			}
		}
	}
	return nil
}
