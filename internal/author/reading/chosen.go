package reading

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// takesChosen is what the parameter takes that holds the items which the choice before it is for.
const takesChosen = "chosen"

// choosing is the parameter for the items that a choice is for, nil if a choice is for all; and the parameter of the choice.
func (f *filler) choosing() (chosen, choice *recipe.Param) {
	i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool { return slices.Contains(p.Takes, takesChosen) })
	if i < 1 {
		return nil, nil
	}
	return &f.m.Params[i], &f.m.Params[i-1]
}

// choose takes the items that a change names beside a choice for those that the choice is for: "tick off the milk", "tick the first two". It
// reports whether there are any.
func (f *filler) choose(w wish.Wish) bool {
	p, choice := f.choosing()
	if !f.change || p == nil || choice.Name != w.About {
		return false
	}
	var chosen []string
	_ = json.Unmarshal([]byte(f.values[p.Name]), &chosen) //nolint:errcheck // canonical, or nothing yet
	named, places := f.read.Beside(w.Span)
	if slices.ContainsFunc(f.wishes, func(o wish.Wish) bool { return o.Kind == wish.Range && o.Span.Overlaps(places) }) { // "number them 1 to 3"
		return false
	}
	some := false
	for q, list := range lists(f.m, f.values) {
		for _, at := range f.namedOf(q, list, named, f.read.Said(places)) {
			some = true
			if item := text(q, list[at]); !slices.Contains(chosen, item) {
				chosen = append(chosen, item)
			}
		}
	}
	if some {
		f.shown = append(f.shown, places)
		f.put(p.Name, recipe.Encode(chosen), w)
	}
	return some
}

// namedOf is where the items of a list stand that are named, or whose places the words say.
func (f *filler) namedOf(p *recipe.Param, list []json.RawMessage, named []string, words string) []int {
	var out []int
	for _, name := range named {
		if at := index(p, list, name); at >= 0 {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		for _, place := range f.r.choosing.Places(words, len(list)) {
			out = append(out, place-1)
		}
	}
	return out
}

// partEnd is what a part of a sentence that says something of items ends at, or begins behind.
var partEnd = regexp.MustCompile(`[,.;:!?\n]+`)

// ticked gives the items that a prompt names a second time, or by their places, beside a choice to the parameter for those that the choice is
// for: "milk, eggs, bread with only the first one ticked", "…, just eggs crossed off".
func (f *filler) ticked() {
	p, choice := f.choosing()
	if p == nil || f.set[p.Name] {
		return
	}
	at := slices.IndexFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Choice && w.About == choice.Name && w.Value != numbered && !w.Not
	})
	list := taker(f.m, "list")
	if at < 0 || list == nil || f.assigned(list.Name) == nil {
		return
	}
	e, w, all := f.assigned(list.Name), f.wishes[at], f.read.Text()
	var items []string
	if json.Unmarshal([]byte(e.Value), &items) != nil {
		return
	}
	clause := wish.Span{From: 0, To: len(all)}
	for _, end := range partEnd.FindAllStringIndex(all, -1) {
		switch {
		case end[1] <= w.Span.From:
			clause.From = end[1]
		case end[0] >= w.Span.To:
			clause.To = min(clause.To, end[0])
		}
	}
	said := strings.ToLower(f.read.Said(clause))
	var chosen []string
	for _, item := range items {
		if low := strings.ToLower(item); strings.Count(strings.ToLower(all), low) > 1 && strings.Contains(said, low) {
			chosen = append(chosen, item)
		}
	}
	about := func(item string) bool { // "only passport" is no item of its own
		low := strings.ToLower(item)
		return strings.Contains(said, low) && !slices.Contains(chosen, item) && slices.ContainsFunc(chosen, func(c string) bool { return strings.Contains(low, strings.ToLower(c)) })
	}
	items = slices.DeleteFunc(items, about)
	if len(chosen) == 0 {
		said := said
		for _, item := range items { // the "first aid kit" is no first one
			said = strings.ReplaceAll(said, strings.ToLower(item), "")
		}
		for _, place := range f.r.choosing.Places(said, len(items)) {
			chosen = append(chosen, items[place-1])
		}
	}
	if len(chosen) == 0 || len(chosen) == len(items) {
		return
	}
	e.Value = recipe.Encode(items)
	heading := taker(f.m, "text")
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return heading != nil && e.Param == heading.Name && about(e.Value) })
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.said != "" && slices.Contains(chosen, e.said) }) // the "tape" is not taupe
	f.put(p.Name, recipe.Encode(chosen), w)
	if slices.ContainsFunc(f.wishes, func(o wish.Wish) bool { return o.Span.From >= w.Span.To && o.Span.To <= clause.To }) {
		clause.To = w.Span.To
	}
	f.shown = append(f.shown, clause)
}
