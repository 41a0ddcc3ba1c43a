package reading

import (
	"encoding/json"
	"fmt"
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
	if p == nil && w.Unit != "%" {
		p = f.free("number")
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

// between gives the ends of a range to their parameters.
func (f *filler) between(w wish.Wish) {
	from, to := f.free("range.from"), f.free("range.to")
	if p := f.free("percent"); p != nil && w.Unit == "%" && from != nil {
		to = p
	}
	if from == nil && to == nil {
		return
	}
	if to != nil && w.To != "" {
		f.put(to.Name, w.To, w)
	}
	if from != nil && w.From != "" {
		f.put(from.Name, w.From, w)
	}
	if from == nil && w.From != "" && w.To == "" {
		f.put(to.Name, w.From, w)
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
func (f *filler) kind(p wish.Part) bool {
	read := f.r.choosing.Read(p.Said)
	return !f.quoted(p.Span) && slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.Sure && strings.TrimSpace(p.Said) == read.Said(w.Span)
	})
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

// scene is the place of the scene that shows words and a single number; "" if there is none.
func (f *filler) scene(said string) string {
	for p, list := range lists(f.m, f.values) {
		for i, item := range list {
			if from, _ := find(strings.Join(cells(p, item), "\n"), said, 0); from >= 0 && worded(p) != "" && !slices.Equal(withNumber(p, item, -1), item) {
				return fmt.Sprintf("#%d", i+1)
			}
		}
	}
	return ""
}

// cells are the texts of a row that are shown.
func cells(p *recipe.Param, item json.RawMessage) (out []string) {
	for _, column := range shown(p, "text") {
		out = append(out, cell(item, column))
	}
	return out
}
