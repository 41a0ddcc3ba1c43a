package reading

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// held gives looks that are for one thing to that thing. What stands between the parts is not left over.
func (f *filler) held(parts []wish.Part) {
	at := 0
	for _, p := range parts {
		if p.Done || p.Role == wish.Idle || p.Role == wish.Kept {
			continue
		}
		f.gaps = append(f.gaps, wish.Span{From: at, To: p.From})
		at = p.To
	}
	f.gaps = append(f.gaps, wish.Span{From: at, To: len(f.read.Text())})
	f.holders = []wish.Span{}
	for _, p := range parts {
		if p.Role != wish.Look && p.Role != wish.Idle {
			f.holders = append(f.holders, p.Span)
		}
	}
	f.aside(parts)
	for i := range f.wishes {
		w := &f.wishes[i]
		if f.within(parts, w.Span, wish.Kept) != nil && (w.Kind == wish.Colour || w.Kind == wish.Choice) {
			w.Kind = wish.Remark
		}
		if h := f.within(parts, w.Span, wish.Holder); h != nil && w.Span.In(h.Span) && w.Kind == wish.Colour && slices.ContainsFunc(f.wishes, func(o wish.Wish) bool { return o.Kind == wish.Colour && f.holder(parts, o.Span) == h }) { // "make the blue background white"
			w.Kind = wish.Remark
		}
		if gone := f.within(parts, w.Span, wish.Gone); gone != nil && w.About == styleParam {
			w.Kind = ""
		} else if gone != nil && (w.Kind == wish.Colour || w.Kind == wish.Choice) {
			w.Not = true
		}
		if w.Kind == wish.More && w.About == durationParam && f.numberBefore(parts, w.Span) { // "10 is too long"
			w.Kind = wish.Remark
		}
		h, l := f.holder(parts, w.Span), f.within(parts, w.Span, wish.Look)
		if (h == nil || h.Role != wish.Holder) && w.Kind == wish.Colour && l != nil && f.ofNamed(parts, w) { // "Luca has 10, his bar in blue"
			continue
		}
		if h == nil && w.Kind == wish.Colour && w.About+w.Label == "" && !w.Not && !w.Behind() {
			w.About = cmp.Or(f.disliked(parts), f.grounded())
		}
		if h != nil && w.Scenes != nil && w.Kind == wish.Colour && f.titles(*h) && f.inkScenes(h.Said, wish.Wish{Value: w.Value, Span: w.Span}) { // "the title", and not the scene with the title
			w.Kind = wish.Remark
		}
		if h == nil || w.Scenes != nil || w.Not || w.Behind() || f.whole.Noun(l.Span) != "" || w.About != "" && h.Role != wish.Holder {
			continue
		}
		if f.scene(w, *h) {
			f.gaps = append(f.gaps, h.Span)
			continue
		}
		p, item := f.heldBy(parts, *h, w.Kind == wish.Colour)
		about := cmp.Or(f.whole.Noun(h.Span), f.drawnAs(h.Said))
		switch {
		case h.Role == wish.Further:
			if w.Kind != wish.Colour || !f.tint(h.Said, *w) {
				continue
			}
			w.Kind = wish.Remark
		case w.Kind == wish.Colour && f.has(item):
			w.About, w.Label = "", item
		case w.Kind == wish.Colour && p != nil:
			w.About, w.Label = p.Name, ""
		case w.Kind == wish.Colour && about != "":
			w.About, w.Label = about, ""
		case f.itemLasts(*h, item, *w), w.Kind == wish.Choice && f.cased(h.Said, *w),
			w.Kind == wish.Colour && f.inkScenes(h.Said, *w),
			w.Kind == wish.Colour && !f.draws(h.Said) && f.stands(h.Said) && f.inked(h.Said, w.Value, *w),
			w.Kind == wish.More && w.About == sizeParam && p != nil && f.alter(p, *w, larger(w.By)),
			w.Kind == wish.More && w.About == sizeParam && (f.enlargedItem(item, *w) || f.alter(f.buttonCalled(h.Said), *w, larger(w.By))),
			p != nil && f.formed(p, *w):
			w.Kind = wish.Remark
		case w.Kind == wish.Colour && !strings.Contains(w.Label, h.Said):
			w.Label = ""
			continue
		default:
			continue
		}
		f.gaps = append(f.gaps, h.Span)
	}
}

// heldBy is the text, or the item of a list, that a part names. An item may have a colour that is told of what is its own: "Luca has 10, his
// bar in blue".
func (f *filler) heldBy(parts []wish.Part, h wish.Part, colour bool) (p *recipe.Param, item string) {
	p, item = f.textCalled(h.Said), f.called(h)
	if _, thing, ok := strings.Cut(h.Said, " "); p == nil && ok && f.whole.Belongs(h.Span) { // "her name"
		p = f.textCalled(thing)
	}
	if p != nil || f.has(item) {
		return p, item
	}
	if owner := f.owner(parts, h); owner != "" && colour {
		return nil, owner
	}
	return nil, cmp.Or(f.partly(h), item)
}

// ofNamed gives a colour to the item named last, where the words between say that it is for what is that one's.
func (f *filler) ofNamed(parts []wish.Part, w *wish.Wish) bool {
	before := wish.Part{Span: wish.Span{To: w.Span.From}}
	for _, p := range parts {
		if p.To <= w.Span.From {
			before.From = p.To
		}
	}
	owner := f.owner(parts, before)
	if owner != "" {
		w.About, w.Label = "", owner
	}
	return owner != ""
}

// owner is the item named last before a thing that belongs to somebody: "his bar"; "" if there is none.
func (f *filler) owner(parts []wish.Part, h wish.Part) (item string) {
	if !f.whole.Belongs(h.Span) {
		return ""
	}
	for _, p := range parts {
		if name := f.called(p); p.To <= h.From && p.To > p.From && f.has(name) {
			item = name
		}
	}
	return item
}

// enlargedItem makes one item of a list larger or smaller, where its row says how large it is: "the earth a bit larger".
func (f *filler) enlargedItem(item string, w wish.Wish) bool {
	for p, list := range lists(f.m, f.values) {
		i := index(p, list, item)
		if i < 0 || !slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Name == sizeParam && c.Type == recipe.Number }) {
			continue
		}
		var row map[string]any
		_ = json.Unmarshal(list[i], &row) //nolint:errcheck // canonical
		if now, ok := row[sizeParam].(float64); ok && f.assigned(p.Name) == nil {
			list[i] = with(list[i], sizeParam, recipe.Trim(math.Round(100*now*w.By)/100))
			f.ahead(p, recipe.Encode(list), w.Span)
			return true
		}
	}
	return false
}

// aside moves the things whose looks are a place: "the dogs on the left".
func (f *filler) aside(parts []wish.Part) {
	swapped := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Swap })
	for _, l := range parts {
		h := f.holder(parts, l.Span)
		if h == nil || l.Role != wish.Look || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(l.Span) }) {
			continue
		}
		where, item := f.whole.Place([]wish.Part{l}), f.called(*h)
		if f.has(item) && strings.Trim(where, "-"+figures) == "" && where != "" && (swapped || f.listing(&wish.Order{Things: []wish.Part{*h}}, wish.Wish{Kind: wish.Move, From: item, To: where})) { // "swap the sides, plane on the left"
			f.gaps = append(f.gaps, h.Span, l.Span)
		} else {
			f.stays(*h, l)
		}
	}
}

// stays tells that a text cannot stand elsewhere: "title at the bottom".
func (f *filler) stays(t, where wish.Part) bool {
	place := f.whole.Place([]wish.Part{where})
	strange := func(word string) bool { return !f.r.choosing.Knows(word) } // "fly in from the left"
	if !f.titles(t) || place == "" || strings.Trim(place, "-"+figures) != "" || slices.ContainsFunc(strings.Fields(where.Said), strange) {
		return false
	}
	f.note("The %s places its texts itself, so %s has no effect.", strings.ToLower(f.m.Title), koda.Quote(where.Said))
	f.gaps = append(f.gaps, t.Span, where.Span)
	return true
}

// scene gives a wish for more time, or less speed, to the scene that a part names, and reports whether it names one: "the bars go by too fast".
func (f *filler) scene(w *wish.Wish, h wish.Part) bool {
	if len(f.m.Beats) == 0 || w.Kind != wish.More && w.Kind != wish.Length || w.About != durationParam && w.About != speedParam && w.Kind != wish.Length {
		return false
	}
	v := maps.Clone(f.values)
	for _, e := range f.edits { // some are gone then, or stand elsewhere
		if p := f.m.Param(e.Param); e.op == listed && p != nil {
			f.r.items(p, v, e)
		}
	}
	for p, list := range lists(f.m, v) {
		if i := index(p, list, f.called(h)); i >= 0 {
			if w.About == speedParam {
				w.About, w.By = durationParam, 1/w.By
			}
			w.Scenes = []wish.Scene{{Number: i + 1}}
			return true
		}
	}
	return false
}

// unread are the words that are left over, with the looks in which nothing was understood, as a whole, and another kind of video beside
// what is to go: "no ball, a logo".
func (f *filler) unread(parts []wish.Part, left []string) []string {
	gone := slices.ContainsFunc(parts, func(p wish.Part) bool { return p.Role == wish.Gone })
	for _, p := range parts {
		if p.Role == wish.Kept && gone && len(f.m.Beats) == 0 {
			if named := f.r.Named(p.Said); len(named) > 0 && !slices.Contains(named, f.m) {
				left = append(left, p.Said)
			}
		}
		if p.Role != wish.Look || p.Done || f.inText(p.Span) || slices.ContainsFunc(f.gaps, p.Span.In) || slices.ContainsFunc(f.sights, p.Span.Overlaps) || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind != "" && w.Span.Overlaps(p.Span) }) {
			continue
		}
		if !slices.ContainsFunc(left, func(word string) bool { return strings.Contains(p.Said, word) }) {
			left = append(left, p.Said)
		}
	}
	return left
}

// uncut drops the wish for a shorter video that is the verb for what is gone: "cut the second scene".
func (f *filler) uncut(parts []wish.Part) {
	said := f.whole.Text()
	f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.More && w.About == durationParam && slices.ContainsFunc(parts, func(p wish.Part) bool {
			return p.Role == wish.Gone && p.Done && w.Span.To <= p.From && len(strings.Fields(said[w.Span.To:p.From])) < 2
		})
	})
}

// unheld drops texts that are no texts, since looks are for them: the word "kind".
func (f *filler) unheld(parts []wish.Part) {
	f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool {
		h := f.within(parts, w.Span, wish.Holder)
		return h != nil && (w.Kind == wish.Text || w.Kind == wish.Choice && f.standing(h.Said))
	})
}

// lone gives new words of which nobody says what they are for to the texts: where words stand that are like them, else as a text to show.
func (f *filler) lone(parts []wish.Part) {
	var texts []wish.Wish // the last first
	for _, p := range parts {
		if free := !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(p.Span) }); p.Role == wish.Look && free && f.onlyNumber(&p) { // "make it five"
			continue
		}
		if p.Role != wish.New || p.Done || p.Tied || f.inText(p.Span) || f.kind(p) || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return f.taken[w.Span] && w.Span.Overlaps(p.Span) }) {
			continue
		}
		cued, below := f.read.Cues(p.Span)
		if taker(f.m, "range.from") != nil && slices.ContainsFunc(parts, func(o wish.Part) bool { return o.Role == wish.Old && f.whole.Place([]wish.Part{o}) == "-1" }) { // "say "Go!" at the end" of a countdown
			below = false
		}
		if q := f.free("subtitle"); q != nil && f.value(q) == "" && f.quoted(p.Span) && f.read.Joins(p.Span) { // "schreib noch "zum 30." dazu"
			below = true
		}
		if old := f.like(p.Said, cued); old != "" && f.restate(turn{From: old, To: written(old, p.Said), Span: p.Span}, func(q *recipe.Param) bool { return !slices.Contains(q.Takes, "code") }) {
			f.shown = append(f.shown, p.Span)
		} else if (below || cued && !f.fact(p)) && !f.understood(p) {
			w := wish.Wish{Kind: wish.Text, Value: p.Said, Span: p.Span, Sure: true, Quoted: true}
			if text := taker(f.m, "text"); below {
				w.Unit = wish.BeneathUnit
			} else if text != nil {
				w.About = text.Name
			}
			texts = slices.Insert(texts, 0, w)
		} else {
			continue
		}
		f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(p.Span) })
	}
	f.wishes = append(f.wishes, texts...)
}

// fact reports whether new words are a fact such as a day.
func (f *filler) fact(p wish.Part) bool {
	return slices.ContainsFunc(f.r.choosing.Facts(p.Said), func(fact wish.Fact) bool { return fact.Span == wish.Span{To: len(p.Said)} })
}

// understood reports whether new words are something that the vocabulary knows, such as a time or a shape.
func (f *filler) understood(p wish.Part) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Clock && w.Span.Overlaps(p.Span) || w.Kind == wish.Flag && p.Span.In(w.Span) || (w.Kind == wish.Choice && w.Sure || w.Kind == wish.Advice) && p.Span.In(w.Span) ||
			w.Kind == wish.Means && w.Span.Overlaps(p.Span) && w.Span.To > p.To
	})
}

// resembles reports whether a text is another one of as many words, most of them the same: "lunes a sábado", of "lunes a viernes".
func resembles(now, stands string) bool {
	a, b := words(now), words(stands)
	if len(a) != len(b) || len(a) < 3 || now == stands {
		return false
	}
	same := 0
	for i := range a {
		if strings.EqualFold(a[i], b[i]) {
			same++
		}
	}
	return 2*same > len(a)
}

// onlyPerson is the one first name that the texts have; "" if they have none, or several.
func (f *filler) onlyPerson() (name string) {
	for i := range f.m.Params {
		for _, s := range f.tells(&f.m.Params[i]) {
			for _, word := range letters.FindAllString(s, -1) {
				if f.r.choosing.Person(word) && !strings.EqualFold(word, name) && !f.r.choosing.Knows(word) {
					if name != "" {
						return ""
					}
					name = word
				}
			}
		}
	}
	return name
}

// like are the words of a text that new words say otherwise: as many of them, some the same, at one place alone: "under 12s" for "under 13s".
func (f *filler) like(said string, cued bool) (old string) {
	now := strings.Fields(said)
	for i := range f.m.Params { // "Sir Isaac Newton" for "Isaac Newton"
		if p := &f.m.Params[i]; p.Type == recipe.Text && len(strings.Fields(f.value(p))) > 1 && strings.Contains(strings.ToLower(said), strings.ToLower(f.value(p))) {
			return f.value(p)
		}
	}
	if name := f.onlyPerson(); name != "" && !slices.ContainsFunc(f.r.choosing.Read(said).Clauses(), func(s wish.Span) bool { // "Anna and Tom"
		return !f.r.choosing.Person(strings.TrimSpace(said[s.From:s.To]))
	}) {
		return name
	}
	for s := range f.everywhere {
		if cued && resembles(said, s) {
			return s
		}
	}
	if cued && !strings.Contains(said, "-") { // "call it Cake week" says all
		return ""
	}
	for s := range f.everywhere {
		stands := strings.Fields(s)
		for k := 0; k+len(now) <= len(stands) && len(now) > 1; k++ {
			same, other := 0, 0
			for n, w := range now {
				if strings.EqualFold(strings.TrimRight(w, ",.;:!?"), strings.TrimRight(stands[k+n], ",.;:!?")) {
					same += len(w)
				} else {
					other++
				}
			}
			if same < leastSame || other > 1 || other == 0 && strings.Join(stands[k:k+len(now)], " ") == said {
				continue
			}
			if old != "" {
				return ""
			}
			old = strings.TrimRight(strings.Join(stands[k:k+len(now)], " "), ",.;:!?")
		}
	}
	return old
}

// leastSame is how many letters new words share at least with those whose place they take.
const leastSame = 3

// numberBefore reports whether a part that is a number stands right before a place, in its clause.
func (f *filler) numberBefore(parts []wish.Part, at wish.Span) bool {
	return slices.ContainsFunc(parts, func(p wish.Part) bool {
		return (p.Role == wish.Old || p.Role == wish.New) && !p.Done && strings.Trim(p.Said, figures) == "" && p.To <= at.From && !strings.ContainsAny(f.read.Text()[p.To:at.From], ",.;!?\n")
	})
}

// disliked is the parameter whose colour is named in words that order nothing, or as one that is to go: "the client hates the blue".
func (f *filler) disliked(parts []wish.Part) string {
	for _, p := range parts {
		if p.Role != wish.Idle && p.Role != wish.Gone {
			continue
		}
		if about := f.whole.Noun(p.Span); p.Role == wish.Gone && about != "" { // "get rid of the dark background, make it white"
			return about
		}
		for _, w := range f.r.words.Read(p.Said).Wishes() {
			if q := holder(f.m, f.values, w.Value); w.Kind == wish.Colour && q != nil {
				return q.Name
			}
		}
	}
	return ""
}

// tintParam is the parameter that gives all of a video its colour, in recipes that have one.
const tintParam = "tint"

// grounded is the background, where the person chose its colour and left that of all to the recipe: the next colour takes its place.
func (f *filler) grounded() string {
	main, ground := f.m.Param(tintParam), f.m.Param(backgroundParam)
	if main == nil || ground == nil || f.values[tintParam] != main.Default.For("") || !strings.HasPrefix(f.values[backgroundParam], "#") {
		return ""
	}
	return backgroundParam
}

// within is the part of a role that a place touches; nil if there is none.
func (f *filler) within(parts []wish.Part, at wish.Span, role wish.PartRole) *wish.Part {
	for i := range parts {
		if parts[i].Role == role && parts[i].Span.Overlaps(at) {
			return &parts[i]
		}
	}
	return nil
}

// holder is the part that the look at a place is for: the one before it in its sentence, if no look stands between that is for it as well and
// the next, else the one behind it; nil if it is for the whole.
func (f *filler) holder(parts []wish.Part, at wish.Span) *wish.Part {
	l := slices.IndexFunc(parts, func(p wish.Part) bool { return p.Role == wish.Look && p.Span.Overlaps(at) })
	if l < 0 {
		return nil
	}
	apart := func(a, b int) bool { return f.read.Apart(parts[a], parts[b]) }
	tied := func(look, holder int) bool { // "black background"
		return look >= 0 && holder < len(parts) && parts[look].Role == wish.Look && parts[holder].Role == wish.Holder && f.read.Joint(parts[look].To, parts[holder].From)
	}
	if i := l - 1; i >= 0 && parts[i].Role == wish.Holder && !apart(i, l) && (!tied(i-1, i) || f.read.Within(parts[i].To, parts[l].From)) && !(tied(l, l+1) && (strings.Contains(f.read.Text()[parts[i].To:parts[l].From], ",") || f.whole.Noun(parts[l+1].Span) != "")) {
		return &parts[i]
	}
	if tied(l, l+1) {
		return &parts[l+1]
	}
back:
	for i := l - 1; i >= 0 && !apart(i, i+1) && !tied(i-1, i); i-- {
		switch parts[i].Role {
		case wish.Holder, wish.Old, wish.Further:
			return &parts[i]
		case wish.Look, wish.New, wish.Where, wish.Idle:
		case wish.Gone, wish.Moved, wish.Kept:
			break back
		}
	}
	if i := l + 1; i < len(parts) && !apart(l, i) && parts[i].Role == wish.Holder && (i+1 == len(parts) || apart(i, i+1) || parts[i+1].Role != wish.Look) {
		return &parts[i]
	}
	for i := l - 1; i >= 0 && f.read.Refers(at); i-- { // "Food is 380. Could it be green?"
		if (parts[i].Role == wish.Old || parts[i].Role == wish.Further || parts[i].Role == wish.Moved) && f.has(f.called(parts[i])) {
			return &parts[i]
		}
	}
	return nil
}

// tint gives an item that is added a colour, and reports whether items have colours.
func (f *filler) tint(name string, w wish.Wish) bool {
	for i := range f.edits {
		e := &f.edits[i]
		p := f.m.Param(e.Param)
		if e.op != listed || e.list.Kind != wish.Add || p == nil || colourOf(p) == "" {
			continue
		}
		if own := f.ownName(p, name); slices.Contains(slices.Concat(e.list.Items, labels(e.list.Rows)), own) {
			f.edits = append(f.edits, Edit{Param: e.Param, op: listed, said: f.read.Said(w.Span), list: &wish.Wish{Kind: wish.Colour, Label: own, Value: w.Value}})
			f.shown = append(f.shown, w.Span)
			return true
		}
	}
	return false
}
