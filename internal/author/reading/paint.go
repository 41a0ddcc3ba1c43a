package reading

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// colour gives a colour to the parameter it is for. Without a word, the first goes to the first
// parameter that takes colours, the next to the next.
func (f *filler) colour(w wish.Wish) {
	p := f.m.Param(w.About)
	if p == nil {
		p = f.ofText(w)
	}
	if w.Behind() && p == nil {
		p = f.m.Param(backgroundParam)
	}
	if q := taker(f.m, takesColour); f.change && q != nil && p != nil && p.Name != q.Name && slices.ContainsFunc(strings.Fields(f.read.Said(w.Span)), f.draws) { // "le cœur en rouge": no hearts in the air
		p = q
	}
	if p == nil && f.material(w) || f.change && !w.Behind() && !w.Not && f.ofSeries(w) {
		return
	}
	tint := func(s *single) { s.Color = w.Value }
	if !w.Not && f.alter(p, w, tint) {
		return
	}
	if w.Not {
		f.taken[w.Span] = true
		if f.replaced(w) {
			return
		}
		about := w.About
		if w.Behind() && p != nil {
			about = p.Name
		}
		f.edits = append(f.edits, Edit{Param: about, Value: w.Value, op: denied, said: f.read.Said(w.Span), in: w.Scenes})
		return
	}
	if part, said, ok := f.read.Subject(w.Span); f.change && ok && said && w.About == "" && !w.Behind() && (f.holders == nil || slices.ContainsFunc(f.holders, part.Overlaps)) && (!f.quoted(part) || f.textCalled(f.read.Said(part)) != nil) {
		f.shown = append(f.shown, part)
		if f.alter(f.textCalled(f.read.Said(part)), w, tint) {
			return
		}
		f.taken[w.Span] = true
		if f.draws(f.read.Said(part)) {
			f.put(cmp.Or(taker(f.m, takesColour), taker(f.m, "color")).Name, w.Value, w)
			return
		}
		if word := f.read.Said(part); !f.stands(word) || !f.inked(word, w.Value, w) {
			f.note("There is no colour of %s alone: %s is not used.", koda.Quote(f.read.Said(part)), f.read.Said(w.Span))
			return
		}
		for _, o := range f.wishes { // "the word sea in blue" is no palette
			f.taken[o.Span] = f.taken[o.Span] || o.Span.Overlaps(part)
		}
		f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.from >= part.From && e.from < part.To && e.said == f.read.Said(part) })
		return
	}
	if q := taker(f.m, takesColour); p == nil && f.change && q != nil && strings.HasPrefix(f.values[q.Name], "#") && !w.Behind() { // a red heart that is to be pink
		p = q
	}
	if p == nil && !f.change && taker(f.m, "outcome") != nil && f.colours() == 1 { // of no team
		p = f.m.Param(lettersParam)
	}
	if p == nil || f.set[p.Name] && w.Scenes == nil {
		others := 0
		p = nil
		for i := range f.m.Params {
			q := &f.m.Params[i]
			if q.Name == backgroundParam || !slices.Contains(q.Takes, "color") {
				continue
			}
			others++
			if p == nil && (!f.set[q.Name] || w.Scenes != nil) {
				p = q
			}
		}
		if b := f.m.Param(backgroundParam); b != nil && !f.set[b.Name] && (p == nil && others == 1 || others <= 2 && (f.ground() || f.paired(w))) {
			p = b
		}
	}
	if p == nil {
		f.taken[w.Span] = true
		f.note("The %s has no further colour: %s is not used.", strings.ToLower(f.m.Title), f.read.Said(w.Span))
		return
	}
	f.put(p.Name, w.Value, w)
}

// ofSeries gives a colour to the series of a chart whose name stands beside it: "make the costs grey". It reports whether one does.
func (f *filler) ofSeries(w wish.Wish) bool {
	var names []string
	for p, list := range lists(f.m, f.values) {
		for _, column := range shown(p, "series") {
			for _, item := range list {
				if name := cell(item, column); name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	nth, least := 0, farthest+1
	var best *recipe.Param
	var at wish.Span
	for i := range f.m.Params {
		p := &f.m.Params[i]
		if p.Type != recipe.Color || !slices.Contains(p.Takes, "color") || nth == len(names) {
			continue
		}
		from, to := find(f.read.Text(), names[nth], 0)
		if nth++; from < 0 {
			continue
		}
		between := f.read.Said(wish.Span{From: min(to, w.Span.To), To: max(from, w.Span.From)})
		if n := len(strings.Fields(between)); n < least && !strings.ContainsAny(between, ",.;") {
			best, at, least = p, wish.Span{From: from, To: to}, n
		}
	}
	if best == nil {
		return false
	}
	f.put(best.Name, w.Value, w)
	f.shown = append(f.shown, at)
	return true
}

// farthest is how many words stand at most between a name and its colour.
const farthest = 3

// material gives a colour to what the words before mean, if the colour follows at once: "wooden floor, dark brown". It reports whether it does.
func (f *filler) material(w wish.Wish) bool {
	for _, o := range f.wishes {
		if o.Kind != wish.Means || o.Not || w.Not || w.About != "" || o.Span.To > w.Span.From || !f.read.Hued(wish.Span{From: o.Span.To, To: w.Span.From}) {
			continue
		}
		for name := range f.m.Means[whole(o.About)].Set {
			if f.m.Param(name).Type == recipe.Color {
				f.put(name, w.Value, w)
				return true
			}
		}
	}
	return false
}

// colours is how many colours are asked for.
func (f *filler) colours() (n int) {
	for _, w := range f.wishes {
		if w.Kind == wish.Colour && !w.Not {
			n++
		}
	}
	return n
}

// ground reports whether a new video's words or its thing have a colour of their own, so that a colour for nothing named is what they
// stand on: "dark blue with white text".
func (f *filler) ground() bool {
	return !f.change && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Colour && w.About == lettersParam && !w.Not })
}

// paired reports whether a colour is the second of two that are said together for a new video, of which the letters have the first, and one
// is so light or so dark that the other can stand on it: "in green and cream".
func (f *filler) paired(w wish.Wish) bool {
	first := f.assigned(lettersParam)
	return !f.change && first != nil && w.About == "" && first.from < w.Span.From && (extreme(first.Value) || extreme(w.Value)) &&
		f.read.Lists(wish.Span{From: first.from + len(first.said), To: w.Span.From})
}

// extreme reports whether a colour #rrggbb is nearly white or nearly black.
func extreme(hex string) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	r, g, b := n>>16, n>>8&255, n&255
	light := (3*r + 6*g + b) / 10
	return err == nil && (light > 225 || light < 40)
}

// replaced reports whether another colour takes the place of one that is not wanted.
func (f *filler) replaced(not wish.Wish) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Colour && !w.Not && w.About == not.About })
}

// ofText is the colour of what a text stands on, where the colour stands before the words for that text: "a red badge showing 3". It is nil if there is
// none.
func (f *filler) ofText(w wish.Wish) *recipe.Param {
	for _, t := range f.wishes {
		if t.Kind != wish.Text || t.About == "" || t.Span.From < w.Span.To {
			continue
		}
		if lead := strings.TrimSpace(strings.TrimSuffix(f.read.Said(wish.Span{From: w.Span.To, To: t.Span.To}), t.Value)); calls(f.m.Param(t.About), strings.ToLower(lead)) {
			if p := f.m.Param(t.About + "color"); p != nil && p.Type == recipe.Color {
				return p
			}
		}
	}
	return nil
}
