package reading

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// there moves an item that is in a list already: "put Go third".
func (f *filler) there(o *wish.Order) bool {
	name := o.Things[0].Said
	return o.New == nil && len(o.Where) > 0 && len(f.m.Beats) == 0 && f.has(name) && !f.read.Into(o.Where[0].Span) && f.listing(o, wish.Wish{Kind: wish.Move, From: name, To: f.placed(o.Where)})
}

// unmoved tells that a thing cannot stand elsewhere whose word means something else: "put the fix first".
func (f *filler) unmoved(o *wish.Order) bool {
	read := func(w wish.Wish) bool { return w.Span.Overlaps(o.Things[0].Span) }
	if f.read.Strange(o.Things[0].Span) || f.titles(o.Things[0]) || slices.ContainsFunc(f.wishes, read) {
		return false
	}
	f.note("There is no %s that could stand elsewhere.", koda.Quote(o.Things[0].Said))
	return false
}

// ofList begins the list that the recipe has by the name of what comes new, with a minute right behind it: "scorer Malik 90+1'".
func (f *filler) ofList(o *wish.Order) bool {
	p, t := taker(f.m, "list"), o.Things[0]
	if p == nil || p.Type != recipe.Texts || len(f.tells(p)) > 0 {
		return false
	}
	if o.New != nil && o.New.From > t.To && strings.TrimSpace(f.read.Text()[t.To:o.New.From]) == "" {
		t.To = o.New.To + strings.IndexAny(f.read.Text()[o.New.To:]+" ", " ,")
		t.Said = f.read.Said(t.Span)
	}
	first, rest, ok := strings.Cut(t.Said, " ")
	if !ok || !calls(p, first) {
		return false
	}
	f.put(p.Name, recipe.Encode([]string{rest}), wish.Wish{Span: t.Span})
	f.shown = append(f.shown, t.Span)
	return true
}

// furtherSide adds a side with its figure and its lines: "add a third column Team at $29 with SSO".
func (f *filler) furtherSide(orders []wish.Order, parts []wish.Part) []wish.Order {
	for p, list := range lists(f.m, f.values) {
		figure, lines := taking(p, "figure"), taking(p, "lines")
		for i := 0; i < len(orders) && figure != "" && lines != ""; i++ {
			o := &orders[i]
			if o.Kind != wish.Add || o.New == nil || !strings.ContainsAny(o.New.Said, figures) {
				continue
			}
			name := o.Things[0].Said
			for first, rest, ok := strings.Cut(name, " "); ok && (calls(p, first) || len(f.r.choosing.Places(first, mostSides)) > 0); first, rest, ok = strings.Cut(name, " ") {
				name = rest
			}
			if f.has(name) {
				continue
			}
			side := with(renamed(p, []byte("{}"), name), figure, recipe.Encode(o.New.Said))
			end := o.New.To
			for i+1 < len(orders) && orders[i+1].Kind == wish.Replace && len(orders[i+1].Things) == 0 && len(strings.Fields(f.read.Text()[end:orders[i+1].New.From])) <= 1 {
				side = withLine(p, side, orders[i+1].New.Said)
				end = orders[i+1].New.To
				orders = slices.Delete(orders, i+1, i+2)
			}
			all := wish.Span{From: o.Things[0].From, To: end}
			f.ahead(p, recipe.Encode(append(list, side)), all)
			f.gaps = append(f.gaps, all)
			for k := range parts {
				parts[k].Done = parts[k].Done || parts[k].In(all)
			}
			orders = slices.Delete(orders, i, i+1)
			i--
		}
	}
	return orders
}

// mostSides is how many sides a comparison has at most.
const mostSides = 9

// otherCommand gives the only command that has a word of another one this one's place, where a change tells nothing else behind a colon: "we
// use pnpm: pnpm add grid".
func (f *filler) otherCommand(parts []wish.Part) bool {
	p, text := taker(f.m, "commands"), f.read.Text()
	_, now, ok := strings.Cut(text, ": ")
	if now = strings.Trim(now, " .!`"); p == nil || !ok || strings.Contains(now, "\n") || slices.ContainsFunc(parts, func(o wish.Part) bool {
		return o.Role == wish.Old || o.Role == wish.Gone || o.Role == wish.Where
	}) {
		return false
	}
	var old []string
	for line := range strings.SplitSeq(f.value(p), "\n") {
		if slices.ContainsFunc(words(now), func(w string) bool { from, _ := find(line, w, 0); return from >= 0 && len(w) >= leastSame }) {
			old = append(old, line)
		}
	}
	if len(old) != 1 || len(words(now)) < 2 || old[0] == now {
		return false
	}
	all := wish.Span{To: len(text)}
	f.ahead(p, strings.Replace(f.value(p), old[0], now, 1), all)
	f.shown = append(f.shown, all)
	return true
}

// ownSizes tells that what comes new with a size of its own gets no other one: "add Pluto as a small dot".
func (f *filler) ownSizes(parts []wish.Part) {
	for i := range f.wishes {
		w := &f.wishes[i]
		h := f.holder(parts, w.Span)
		if h == nil || h.Role != wish.Further || w.Kind != wish.More || w.About != sizeParam {
			continue
		}
		for p := range lists(f.m, f.values) {
			if standard(p, f.ownName(p, h.Said)) != nil {
				f.onlyAll(w.Span, h.Said)
				w.Kind = wish.Remark
			}
		}
	}
}
