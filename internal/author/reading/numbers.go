package reading

import (
	"slices"
	"strconv"

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
