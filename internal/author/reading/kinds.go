package reading

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// takesKinds is what rows take whose labels are among the choices of the parameter: "a blue square and three circles".
const takesKinds = "kinds"

// kindRows makes rows of the choices that a text names, in the order of the text: each with the colour that stands at it, and as
// often as a number before it says.
func (f *filler) kindRows() {
	p := taker(f.m, takesKinds)
	if p == nil {
		return
	}
	if f.change {
		f.rekinds(p)
		return
	}
	var rows []map[string]string
	var first wish.Wish
	for _, w := range f.wishes {
		if w.Kind != wish.Choice || w.About != p.Name || w.Not || f.inText(w.Span) {
			continue
		}
		row, at := f.kindRow(p, w)
		n := f.often(p, at)
		again := func(r map[string]string) bool {
			return r[p.Columns[0].Name] == w.Value && (r["color"] == "" || row["color"] == "")
		}
		if n == 1 && slices.ContainsFunc(rows, again) { // "a beating heart, the heart is red"
			continue
		}
		for range n {
			rows = append(rows, maps.Clone(row))
		}
		if first.Kind == "" {
			first = w
		}
	}
	if len(rows) > 0 {
		f.dyed(rows)
		f.put(p.Name, recipe.Encode(rows), first)
	}
}

// dyed gives rows without colours those that the text tells behind them, if there are several: "three circles, red, green and blue".
func (f *filler) dyed(rows []map[string]string) {
	var hues []wish.Wish
	for _, w := range f.wishes {
		if w.Kind == wish.Colour && !w.Not && w.About == "" && !w.Behind() && !f.taken[w.Span] {
			hues = append(hues, w)
		}
	}
	if len(hues) < 2 || len(rows) < 2 || len(rows)%len(hues) != 0 || slices.ContainsFunc(rows, func(row map[string]string) bool { return row["color"] != "" }) {
		return
	}
	for i, row := range rows {
		row["color"] = hues[i*len(hues)/len(rows)].Value
	}
	for _, w := range hues {
		f.taken[w.Span] = true
	}
}

// rekinds changes rows of kinds: the only one becomes another, "make it a triangle", or there are more of the same, "make it five".
func (f *filler) rekinds(p *recipe.Param) {
	list, ok := listIn(p, f.values[p.Name])
	label := p.Columns[0].Name
	if !ok || len(list) == 0 {
		return
	}
	next := slices.Clone(list)
	var at wish.Span
	for _, w := range f.wishes {
		if w.Kind != wish.Choice || w.About != p.Name || w.Not || f.inText(w.Span) {
			continue
		}
		named := func(row json.RawMessage) bool { return cell(row, label) == w.Value }
		f.taken[w.Span] = slices.ContainsFunc(list, named)
		switch {
		case len(list) == 1 && cell(list[0], label) != w.Value:
			next[0], at, f.taken[w.Span] = with(next[0], label, recipe.Encode(w.Value)), w.Span, true
		case len(list) > 1 && !slices.ContainsFunc(list, named) && f.assigned(p.Name) == nil && f.read.Turns(): // "add a green triangle and loop it"
			row, _ := f.kindRow(p, w)
			next, at = append(next, json.RawMessage(recipe.Encode(row))), w.Span
		}
	}
	accent := taker(f.m, "color")
	for _, w := range f.wishes { // the colour of the only one is its own
		if w.Kind == wish.Colour && !w.Not && !w.Behind() && !f.taken[w.Span] && (w.About == "" || accent != nil && w.About == accent.Name) && len(next) == 1 && cell(next[0], "color") != "" {
			next[0], at, f.taken[w.Span] = with(next[0], "color", recipe.Encode(w.Value)), w.Span, true
		}
	}
	alike := !slices.ContainsFunc(list, func(row json.RawMessage) bool { return string(row) != string(list[0]) })
	for _, w := range f.read.Words() {
		n := int(f.r.words.Numeral(strings.ToLower(f.read.Said(w.Span))))
		if alike && at.To == 0 && w.Loose && n > 1 && n != len(list) && (p.Max == nil || float64(n) <= *p.Max) {
			next, at = slices.Repeat(list[:1], n), w.Span
		}
	}
	if at.To > 0 {
		f.ahead(p, recipe.Encode(next), at)
		f.sights = append(f.sights, at)
	}
}

// kindRow is a row of a kind with the colour that stands at it, and the place of both.
func (f *filler) kindRow(p *recipe.Param, w wish.Wish) (row map[string]string, at wish.Span) {
	row, at = map[string]string{p.Columns[0].Name: w.Value}, w.Span
	if c := f.hue(w.Span); c != nil {
		row["color"] = c.Value
		f.taken[c.Span], at.From = true, min(at.From, c.Span.From)
	}
	f.taken[w.Span] = true
	return row, at
}

// addsKind adds a row of a kind to those that there are: "a green triangle".
func (f *filler) addsKind(o *wish.Order, t wish.Part) bool {
	p := taker(f.m, takesKinds)
	if p == nil || f.r.kindOf(f.m, p, []string{t.Said}) == "" {
		return false
	}
	place := t.Span
	if c := f.hue(t.Span); c != nil && c.Span.From < t.From {
		place.From, f.taken[c.Span] = c.Span.From, true
		f.sights = append(f.sights, c.Span)
	}
	if !f.listing(o, wish.Wish{Kind: wish.Add, To: f.read.Place(o.Where), Items: []string{f.read.Said(place)}}) {
		return false
	}
	f.sights = append(f.sights, t.Span)
	return true
}

// kindOf is the kind that the first of some items names: "a green triangle"; "" if it names none.
func (r *Reader) kindOf(m *recipe.Manifest, p *recipe.Param, items []string) string {
	if len(items) == 0 || !slices.Contains(p.Takes, takesKinds) {
		return ""
	}
	for _, w := range r.of(m).Read(items[0]).Wishes() {
		if w.Kind == wish.Choice && w.About == p.Name {
			return w.Value
		}
	}
	return ""
}

// kinded are rows of kinds whose labels are kinds, where a person said them in other words: "a green triangle".
func (r *Reader) kinded(m *recipe.Manifest, p *recipe.Param, value string) string {
	list, ok := listIn(p, value)
	if !ok || !slices.Contains(p.Takes, takesKinds) {
		return value
	}
	label := p.Columns[0].Name
	for i, row := range list {
		said := cell(row, label)
		if slices.Contains(p.Choices.IDs(), said) {
			continue
		}
		for _, w := range r.of(m).Read(said).Wishes() {
			switch {
			case w.Kind == wish.Choice && w.About == p.Name:
				list[i] = with(list[i], label, recipe.Encode(w.Value))
			case w.Kind == wish.Colour && cell(row, "color") == "":
				list[i] = with(list[i], "color", recipe.Encode(w.Value))
			}
		}
	}
	return recipe.Encode(list)
}

// hue is the colour that stands at a thing: before it, or right behind it where the language has it so or a word leads to it.
func (f *filler) hue(thing wish.Span) *wish.Wish {
	for i := range f.wishes {
		w := &f.wishes[i]
		if w.Kind != wish.Colour || w.Not || w.About != "" || w.Behind() || f.taken[w.Span] {
			continue
		}
		leads := func(from, to int) bool {
			between := strings.TrimSpace(f.read.Said(wish.Span{From: from, To: to}))
			return between == "" || f.read.Trailing() && w.Span.To <= thing.From && f.read.Idle(between)
		}
		if w.Span.To <= thing.From && leads(w.Span.To, thing.From) || w.Span.From >= thing.To && f.read.Trailing() && leads(thing.To, w.Span.From) {
			return w
		}
	}
	return nil
}

// drawsKinds reports whether the words by which a prompt means a recipe of kinds are kinds, and all else of the prompt is understood: in
// "square video" the square is none.
func (r *Reader) drawsKinds(m *recipe.Manifest, b Brief, named bool) bool {
	f := r.fill(m, b)
	most := 0
	if named || together(m, b.Prompt) == len(m.Together) {
		most = 1
	}
	if f.lost > 0 || len(f.left()) > most {
		return false
	}
	p := taker(m, takesKinds)
	return named || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Choice && w.About == p.Name && anyWord(m.Together[0], func(word string) bool {
			from, _ := find(word, f.read.Said(w.Span), 0)
			return from >= 0
		})
	})
}

// severalKinds reports whether a prompt says what several shapes do, and no more than a recipe of kinds understands: "a pink heart turns into
// a yellow star".
func (r *Reader) severalKinds(m *recipe.Manifest, b Brief) bool {
	p := taker(m, takesKinds)
	if p == nil || len(m.Together) < 2 || !anyWord(m.Together[1], func(word string) bool { from, _ := find(b.Prompt, word, 0); return from >= 0 }) {
		return false
	}
	if slices.ContainsFunc(r.rankAll(r.choosing.Read(b.Prompt), b), func(c candidate) bool { return c.named && c.m != m && c.m.Learned != "" }) {
		return false
	}
	b.phrases = r.cued(b)
	f := r.fill(m, b)
	e := f.assigned(p.Name)
	if e == nil {
		return false
	}
	list, _ := listIn(p, e.Value)
	return len(list) > 1 && f.lost == 0 && len(f.left()) == 0
}

// hasKinds reports whether the text gives rows of kinds.
func (f *filler) hasKinds() bool {
	p := taker(f.m, takesKinds)
	return p != nil && f.set[p.Name]
}

// spare takes from a sequence what a part with kinds does not mean: a square that turns into a circle is no shape of the picture.
func (f *filler) spare(part *filler) {
	ofPicture := func(w wish.Wish) bool { return w.Kind == wish.Shape }
	if part.hasKinds() && !slices.ContainsFunc(part.wishes, ofPicture) {
		f.wishes = slices.DeleteFunc(f.wishes, ofPicture)
	}
}

// often is how often a row is wanted: what the number before a place says, also before what else is told of the thing, as in "three
// pulsing dots"; 1 if there is none.
func (f *filler) often(p *recipe.Param, at wish.Span) int {
	for moved := true; moved; {
		moved = false
		for _, w := range f.wishes {
			if w.Kind != wish.Number && w.Span.To < at.From && w.Span.From < at.From && strings.TrimSpace(f.read.Said(wish.Span{From: w.Span.To, To: at.From})) == "" {
				at.From, moved = w.Span.From, true
			}
		}
	}
	before := strings.TrimRight(f.read.Text()[:at.From], " ")
	word := before[strings.LastIndexAny(before, " ,:;")+1:]
	n := int(f.r.words.Numeral(word))
	if d, err := strconv.Atoi(word); err == nil {
		n = d
	}
	if n < 2 {
		return 1
	}
	f.sights = append(f.sights, wish.Span{From: len(before) - len(word), To: len(before)})
	if p.Max != nil && float64(n) > *p.Max {
		f.note("At most %s of them are drawn.", recipe.Trim(*p.Max))
		n = int(*p.Max)
	}
	return n
}

// ofKinds reports whether a wish went into rows of kinds.
func (f *filler) ofKinds(w wish.Wish) bool {
	p := taker(f.m, takesKinds)
	return p != nil && (f.taken[w.Span] || f.change && w.Kind == wish.Choice) && (w.Kind == wish.Choice && w.About == p.Name || w.Kind == wish.Colour || w.Kind == wish.Number)
}
