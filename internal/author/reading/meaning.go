package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// remeant takes new words that mean something of the recipe as what they mean, and takes away what was meant before: "make it oxygen", of a
// carbon atom.
func (f *filler) remeant(parts []wish.Part) {
	for _, w := range f.wishes {
		part := f.within(parts, w.Span, wish.New)
		if w.Kind != wish.Means || w.Not || part == nil || !f.only(part.Said, f.read.Said(w.Span)) || whole(w.About) >= len(f.m.Means) {
			continue
		}
		now := f.m.Means[whole(w.About)].Set
		texts := func(name string) bool { return f.m.Param(name) == nil || f.m.Param(name).Type == recipe.Text }
		looks := 0
		for name := range now {
			if !texts(name) {
				looks++
			}
		}
		if looks == 0 {
			continue
		}
		part.Role = wish.Look
		for _, old := range f.m.Means {
			for name, value := range old.Set {
				p := f.m.Param(name)
				if p != nil && now[name] == "" && f.meansNow(old.Set, now) && value != p.Default.For(f.values[styleParam]) && !slices.ContainsFunc(f.edits, func(e Edit) bool { return e.Param == name }) {
					f.edits = append(f.edits, Edit{Param: name, op: back, said: part.Said})
				}
			}
		}
	}
}

// only reports whether words are some others, perhaps behind one that says nothing: "the solar system".
func (f *filler) only(said, words string) bool {
	before, ok := strings.CutSuffix(said, words)
	before = strings.TrimSpace(before)
	return ok && (before == "" || f.read.Idle(before))
}

// meansNow reports whether all values are those of a meaning that sets something that another sets as well.
func (f *filler) meansNow(set, other map[string]string) bool {
	shares := false
	for name, value := range set {
		if f.values[name] != value {
			return false
		}
		shares = shares || other[name] != ""
	}
	return shares
}

// hued takes a look that is the name of a colour as that colour, where the name mostly means other things: "go for mint".
func (f *filler) hued(parts []wish.Part) {
	for _, p := range parts {
		hex, ok := f.r.Colour(p.Said)
		if ok && p.Role == wish.Look && !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(p.Span) }) {
			f.wishes = append(f.wishes, wish.Wish{Kind: wish.Colour, Value: hex, Span: p.Span, Sure: true})
			f.gaps = append(f.gaps, p.Span)
		}
	}
}

// tagged gives an item the remark that a change gives it, in brackets: "mark the salad as vegetarian".
func (f *filler) tagged(parts []wish.Part) {
	thing, at, ok := f.read.Tagged()
	remark := f.read.Said(at)
	if !ok || f.praises(remark) || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(at) }) {
		return
	}
	name := f.called(wish.Part{Span: thing, Said: f.read.Said(thing)})
	if !f.has(name) {
		name = f.hasPart(f.read.Said(thing))
	}
	for p, list := range lists(f.m, f.values) {
		i := index(p, list, name)
		if i < 0 || name == "" || worded(p) != "" {
			continue
		}
		label, _ := entry(text(p, list[i]))
		list[i] = renamed(p, list[i], fmt.Sprintf("%s (%s)", cmp.Or(label, text(p, list[i])), remark))
		all := wish.Span{From: thing.From, To: at.To}
		f.ahead(p, recipe.Encode(list), all)
		f.shown = append(f.shown, all)
		for k := range parts {
			if parts[k].Overlaps(all) {
				parts[k].Role = wish.Idle
			}
		}
	}
}

// whenever are the words of a recipe that mean something because parameters have the values that they have: "to the right", of a lower third.
func whenever(m *recipe.Manifest, v recipe.Values) (out []wish.Term) {
	for i := range m.Means {
		when := m.Means[i].When
		for name, values := range when {
			if !slices.Contains(values, v[name]) {
				when = nil
			}
		}
		if len(when) > 0 {
			out = append(out, wish.Term{Role: wish.Meaning, About: strconv.Itoa(i), Words: m.Means[i].Words})
		}
	}
	return out
}
