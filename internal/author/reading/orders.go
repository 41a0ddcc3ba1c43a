package reading

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// partsOf are the parts of a change, as examples taught them; none if nothing was learned.
func (r *Reader) partsOf(m *recipe.Manifest, v recipe.Values, said string) []wish.Part {
	l, err := r.changes()
	if err != nil || l == nil {
		return nil
	}
	parts := r.choosing.Parts(l, said, m.Learned, texts(m, v))
	for i, p := range parts { // markup is one text, up to its last mark
		if end := strings.LastIndexByte(said, '>') + 1; p.Role == wish.New && strings.HasPrefix(p.Said, "<") && end > p.To {
			parts[i].To, parts[i].Said = end, said[p.From:end]
			return parts[:i+1]
		}
	}
	return parts
}

// texts are what values show: texts, items, what stands in rows, and the numbers there.
func texts(m *recipe.Manifest, v recipe.Values) (out []string) {
	for i := range m.Params {
		p := &m.Params[i]
		list, ok := listIn(p, v[p.Name])
		switch {
		case ok:
			for _, item := range list {
				out = append(out, text(p, item))
				var row map[string]any
				_ = json.Unmarshal(item, &row) //nolint:errcheck // a text is no row
				for _, c := range p.Columns {
					switch s := row[c.Name].(type) {
					case string:
						if c.Type == recipe.Text {
							out = append(out, s)
						}
					case float64:
						out = append(out, recipe.Trim(s))
					}
				}
			}
		case p.Type == recipe.Text || len(p.Takes) > 0 && p.Type == recipe.Number:
			out = append(out, v[p.Name])
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// advised reports whether a part belongs to a wish that is answered by advice: "translate it into Polish".
func (f *filler) advised(p wish.Part) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Advice && !f.has(f.read.Said(w.Span)) && p.To > w.Span.From && !strings.ContainsAny(f.read.Text()[min(w.Span.From, p.From):max(w.Span.To, p.From)], ".,;:!?\n\"")
	})
}

// joining are parts in which new words for one text are one part, where the network sees several: "the subtitle: 10 am, bring your mat",
// "from Tim and Lucy". New items of a list stay apart.
func (f *filler) joining(parts []wish.Part) []wish.Part {
	for k := 1; k < len(parts); k++ {
		a, b := parts[k-1], parts[k]
		if a.To == b.From && a.Role == wish.Old && b.Role == wish.New { // "3.2.1" is one
			b.From = a.From
			b.Said = f.read.Said(b.Span)
			parts = slices.Concat(parts[:k-1], []wish.Part{b}, parts[k+1:])
			k--
			continue
		}
		if p := f.textFor(a); a.Role == wish.Old && b.Role == wish.New && p != nil && slices.Contains(p.Takes, "commands") { // a command goes on to the end
			b.To = b.From + len(strings.TrimRight(strings.Split(f.read.Text()[b.From:], "\n")[0], " .!"))
			if b.Said = f.read.Said(b.Span); f.quoted(b.Span) {
				b.Said = strings.Trim(b.Said, quotes)
			}
			return append(slices.Clone(parts[:k]), b)
		}
		if a.Role == wish.Old && b.Role == wish.New && f.count() == 0 && f.read.Lists(wish.Span{From: a.To, To: b.From}) && !strings.Contains(f.read.Text()[a.To:b.From], ",") { // "for Julie and Marc", of "Julie"
			parts = slices.Clone(parts)
			parts[k].From = a.From
			parts[k].Said = f.read.Said(parts[k].Span)
			continue
		}
		whole := k > 1 && parts[k-2].Role == wish.Old && f.read.Entire(parts[k-2].Span) && !f.has(parts[k-2].Said) // "replace the list with cook, clean and sleep"
		pair := k+2 < len(parts) && parts[k+1].Role == wish.Old && parts[k+2].Role == wish.Old                     // "A and B instead of C and D"
		if a.Role != wish.New || b.Role != wish.New && !(whole && b.Role == wish.Further) || !pair && (f.quoted(a.Span) || f.quoted(b.Span)) || !f.read.Lists(wish.Span{From: a.To, To: b.From}) {
			continue
		}
		first := k - 1
		alone := first == 0 && f.count() == 0
		if !alone && !whole && !pair && (first == 0 || parts[first-1].Role != wish.Old || f.textFor(parts[first-1]) == nil && !f.listCalled(parts[first-1])) {
			continue
		}
		a.To = b.To
		a.Said = f.read.Said(a.Span)
		parts = slices.Concat(parts[:first], []wish.Part{a}, parts[k+1:])
		k--
	}
	return parts
}

// orderly is a change without the words that order nothing; a change of nothing else stays as it is.
func (r *Reader) orderly(said string, parts []wish.Part) string {
	out := r.choosing.WithoutIdle(said, parts)
	if strings.ContainsFunc(out, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return out
	}
	return said
}

// blanked is a text with blanks in some places. All places stay the same.
func blanked(said string, places []wish.Span) string {
	out := []byte(said)
	for _, s := range places {
		copy(out[s.From:s.To], strings.Repeat(" ", s.To-s.From))
	}
	return string(out)
}

// done are the places of the parts that orders have done with.
func done(parts []wish.Part) (out []wish.Span) {
	for _, p := range parts {
		if p.Done {
			out = append(out, p.Span)
		}
	}
	return out
}

// obey makes edits of the orders that name what there is, and returns the parts with those that are done with.
func (f *filler) obey(parts []wish.Part) []wish.Part {
	var others []wish.Span // what is merged or swapped, and a result: the vocabulary reads them
	for _, w := range f.wishes {
		if w.Kind == wish.Merge || w.Kind == wish.Swap || w.Unit == wish.Others {
			others = append(others, w.Span)
		}
	}
	if at := ending.FindStringIndex(f.read.Text()); at != nil && taker(f.m, "outcome") != nil {
		others = append(others, wish.Span{From: at[0], To: at[1]})
	}
	parts = slices.DeleteFunc(slices.Clone(parts), f.advised)
	for k := range parts {
		if slices.ContainsFunc(others, parts[k].Overlaps) {
			parts[k].Role = wish.Look
		}
	}
	f.kindred(parts)
	f.marking(parts)
	f.misspelt(parts)
	f.remeant(parts)
	f.forATime(parts)
	f.shifted(parts)
	f.praised(parts)
	f.tagged(parts)
	for k := range parts { // "the word Summer"
		if k > 0 && parts[k-1].Role == wish.Old && parts[k].Role == wish.New && f.read.Denied(parts[k-1].Span) && f.has(parts[k].Said) && f.read.Lists(wish.Span{From: parts[k-1].To, To: parts[k].From}) { // "instead of Home and Guests"
			parts[k].Role = wish.Old
		}
		if rest := f.read.Bare(parts[k].Span); rest != "" && f.standing(rest) {
			parts[k].Said = rest
		}
	}
	if f.sceneTold(parts) {
		for k := range parts {
			parts[k].Done = true
		}
		return parts
	}
	if f.others(parts) {
		for k := range parts {
			parts[k].Done = parts[k].Done || parts[k].Role == wish.Further || parts[k].Role == wish.New
		}
		return parts
	}
	if f.inTurn(parts) || f.otherCommand(parts) {
		for k := range parts {
			parts[k].Done = true
		}
		return parts
	}
	orders := f.furtherSide(f.numbering(f.read.Orders(f.joining(parts))), parts)
	for i := range orders {
		o := &orders[i]
		ok := false
		switch o.Kind {
		case wish.Replace:
			ok = f.ordered(o, parts) || f.replacing(o)
		case wish.Remove:
			ok = f.removing(o)
		case wish.Add:
			ok = f.ordered(o, parts) || f.there(o) || f.adding(o, parts)
		case wish.Move:
			ok = f.listing(o, wish.Wish{Kind: wish.Move, From: f.called(o.Things[0]), To: f.placed(o.Where)}) || len(o.Where) > 0 && f.stays(o.Things[0], o.Where[0]) || f.unmoved(o)
		case wish.Swap:
			ok = f.listing(o, wish.Wish{Kind: wish.Swap, From: f.called(o.Things[0]), To: f.called(o.Things[1])})
		}
		for _, t := range o.Things {
			if ok || f.read.Denied(t.Span) {
				f.gaps = append(f.gaps, t.Span)
			}
		}
		for k := range parts {
			parts[k].Tied = parts[k].Tied || o.New != nil && parts[k].Span == o.New.Span && (o.Kind == wish.Add && o.Things[0].Role == wish.Further || slices.ContainsFunc(o.Things, func(t wish.Part) bool { return f.read.Strange(t.Span) }))
			parts[k].Done = parts[k].Done || ok && parts[k].Role != wish.Holder && slices.ContainsFunc(o.Spans(), parts[k].In)
		}
	}
	return parts
}

// numbering gives what comes new the number that the next words say of it: "Cologne is missing, they had 13".
func (f *filler) numbering(orders []wish.Order) []wish.Order {
	for i := 0; i+1 < len(orders); i++ {
		o, next := &orders[i], &orders[i+1]
		if o.Kind != wish.Add || o.New != nil || next.Kind != wish.Replace || next.New == nil || !f.numbered() || f.has(o.Things[0].Said) {
			continue
		}
		_, number := f.read.Quantity(next.New.Span, "")
		if number && !slices.ContainsFunc(next.Things, func(t wish.Part) bool { return f.standing(t.Said) }) {
			o.New = next.New
			for _, t := range next.Things {
				f.gaps = append(f.gaps, t.Span)
			}
			orders = slices.Delete(orders, i+1, i+2)
		}
	}
	return orders
}

// everywhere are all texts of the video after the edits so far.
func (f *filler) everywhere(yield func(string) bool) {
	for i := range f.m.Params {
		for _, s := range f.tells(&f.m.Params[i]) {
			if !yield(s) {
				return
			}
		}
	}
}

// standing reports whether words stand in a text.
func (f *filler) standing(said string) bool {
	for s := range f.everywhere {
		if from, _ := find(s, said, 0); from >= 0 {
			return true
		}
	}
	return false
}

// listing makes an edit of a wish about items of a list, and reports whether there are such items.
func (f *filler) listing(o *wish.Order, w wish.Wish) bool {
	w.Sure = true
	for _, s := range o.Spans() {
		if w.Span.To == 0 {
			w.Span = s
		}
		w.Span = wish.Span{From: min(w.Span.From, s.From), To: max(w.Span.To, s.To)}
	}
	if w.Kind == wish.Move && strings.Trim(w.To, "<>") == "" {
		return false
	}
	p, why := f.listOf(&w, f.values)
	if p == nil {
		if why != "" && !(w.Kind == wish.Add && f.read.Sets(w.Span)) {
			f.note("%s", why)
			f.gaps = append(f.gaps, w.Span)
		}
		return false
	}
	if !slices.ContainsFunc(f.edits, func(e Edit) bool { return e.Param == p.Name }) && w.Kind == wish.Move { // it may have another name then
		list, _ := listIn(p, f.values[p.Name])
		if i := index(p, list, w.From); i >= 0 {
			w.From = "#" + strconv.Itoa(i+1)
		}
	}
	f.edits = append(f.edits, Edit{Param: p.Name, op: listed, said: f.read.Said(w.Span), list: &w})
	return true
}

// counts reports whether a list has an item of a name with a number.
func (f *filler) counts(name string) bool {
	for p, list := range lists(f.m, f.values) {
		if i := index(p, list, name); i >= 0 {
			_, number := columns(p)
			label, _ := entry(text(p, list[i]))
			return number != "" || p.Type == recipe.Texts && label != ""
		}
	}
	return false
}

// textFor is the text of the video that a part names, such as "the title"; nil if it names none.
func (f *filler) textFor(t wish.Part) *recipe.Param {
	about, below, words := f.read.TextCalled(t.Span)
	p := f.m.Param(about)
	switch {
	case p != nil && p == taker(f.m, "text") && f.whole.Belongs(t.Span) && taker(f.m, "subtitle") != nil && f.value(taker(f.m, "subtitle")) != "" && p.Type == recipe.Text && words: // "her title", below her name
		return taker(f.m, "subtitle")
	case p != nil && p.Type == recipe.Text:
		return p
	case below:
		return cmp.Or(taker(f.m, "below"), taker(f.m, "subtitle"))
	case words && taker(f.m, "text") != nil && taker(f.m, "text").Type == recipe.Text:
		return taker(f.m, "text")
	case words: // of a recipe whose parameters take nothing
		if i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool { return p.Type == recipe.Text && !f.r.common(p.Name) }); i >= 0 {
			return &f.m.Params[i]
		}
	}
	return nil
}

// removing takes a thing away.
func (f *filler) removing(o *wish.Order) bool {
	t := o.Things[0]
	if f.fewer(t) || f.undrawn(t) {
		return true
	}
	if names := f.read.Several(t.Span); names != nil {
		return f.listing(o, wish.Wish{Kind: wish.Remove, Items: names})
	}
	if f.has(f.called(t)) {
		return f.listing(o, wish.Wish{Kind: wish.Remove, Items: []string{f.called(t)}})
	}
	for i := range f.m.Params {
		if p := &f.m.Params[i]; p.Type == recipe.Text && f.values[p.Name] != "" && strings.EqualFold(f.values[p.Name], t.Said) {
			f.put(p.Name, "", wish.Wish{Span: t.Span})
			return true
		}
	}
	if f.ofSide(t) || f.restate(turn{From: t.Said, Span: t.Span}, every) {
		return true
	}
	for i := range f.m.Params { // "take the date off"
		p := &f.m.Params[i]
		if rest, ok := f.r.choosing.WithoutFacts(f.value(p), t.Said); ok && p.Type == recipe.Text {
			f.put(p.Name, rest, wish.Wish{Span: t.Span})
			f.shown = append(f.shown, t.Span)
			return true
		}
	}
	for i := range f.m.Params { // "no stars"
		p := &f.m.Params[i]
		if p.Name != styleParam && f.chosen(p, f.values[p.Name], t.Said) {
			f.edits = append(f.edits, Edit{Param: p.Name, Value: f.values[p.Name], op: denied, said: t.Said})
			return true
		}
	}
	if p := f.textFor(t); p != nil && !f.read.Not(t.Span) { // "the rocket red, not the text"
		f.put(p.Name, "", wish.Wish{Span: t.Span})
		return true
	}
	return false
}

// adding adds a thing to those that there are.
func (f *filler) adding(o *wish.Order, parts []wish.Part) bool {
	if f.ofList(o) {
		return true
	}
	t := o.Things[0]
	for _, name := range append([]string{t.Said}, f.r.choosing.Also(t.Said)...) { // "april was 680", where it stands
		if o.New == nil || !f.counts(name) {
			continue
		}
		if row, ok := f.read.Quantity(o.New.Span, name); ok {
			return f.listing(o, wish.Wish{Kind: wish.Rows, About: name, Rows: []wish.Row{row}})
		}
	}
	if o.New != nil && t.From < o.New.From && f.r.of(f.m).Settles(f.read.Text()[t.From:o.New.To]) { // "a target line at 250"
		return false
	}
	if f.toSides(o) || f.toGroup(t) || f.beneathIt(o) || f.addsKind(o, t) {
		return true
	}
	if f.understood(t) || o.New == nil && len(o.Where) == 0 && !f.read.Comes(t.Span, parts) {
		return false
	}
	if rest := numberedHead.ReplaceAllString(t.Said, ""); rest != "" && f.count() > 0 { // "add a 4th: be brave"
		t.Said = rest
	}
	w := wish.Wish{Kind: wish.Add, To: f.read.Place(o.Where), Items: []string{t.Said}}
	scene, of, item := f.read.Scene(t.Span)
	if scene || of {
		w.About = wish.NewScene
	}
	switch _, number := f.read.Quantity(t.Span, ""); {
	case o.New == nil && (number || (scene || item) && len(strings.Fields(t.Said)) < 3): // "two balls"
		return false
	case (scene || item) && o.New != nil: // "a scene that says Thanks"
		w.Items = []string{o.New.Said}
	case o.New != nil && f.quoted(o.New.Span) && !f.quoted(t.Span) && f.textFor(t) == nil && f.count() > 0: // "add a line "new shortcuts""
		w.Items = []string{o.New.Said}
	case o.New != nil && f.count() == 0 && f.textFor(t) == nil && len(strings.Fields(o.New.Said)) > 1: // "add the address 12 Mill Lane"
		f.gaps = append(f.gaps, t.Span)
		t, o.New = wish.Part{Span: o.New.Span, Role: wish.Further, Said: o.New.Said}, nil
		w.Items = []string{t.Said}
	case o.New != nil:
		row, ok := f.read.Quantity(o.New.Span, t.Said)
		if said := counting.FindStringSubmatch(o.New.Said); said != nil && !ok { // "500 GB"
			row, ok = f.read.Quantity(wish.Span{From: o.New.From, To: o.New.From + len(said[1])}, t.Said)
			row.Unit = said[2]
		}
		switch {
		case ok && (taker(f.m, "rows") != nil || !strings.Contains(o.New.Said, ".")): // "mocha 3.90" of a list is no number
			w.Items, w.Rows = nil, []wish.Row{row}
		case f.count() > 0 && (ok || timeOfDay.MatchString(o.New.Said)): // "Sydney 23:00"
			w.Items = []string{t.Said + " " + o.New.Said}
		default:
			o.New = nil // it is for something else
		}
	}
	if len(o.Where) > 0 {
		name := f.called(o.Where[0])
		switch there := f.has(name) || f.has(strings.TrimLeft(w.To, "<>")); {
		case there && f.lined() && f.read.Into(o.Where[0].Span):
			w.Label = name
		case !there && strings.HasPrefix(w.To, "<") && f.reworded(o.Where[0], &wish.Part{Said: t.Said + " " + o.Where[0].Said}),
			!there && strings.HasPrefix(w.To, ">") && f.reworded(o.Where[0], &wish.Part{Said: o.Where[0].Said + " " + t.Said}):
			return true
		case !there && strings.Trim(w.To[:min(1, len(w.To))], "<>") == "":
			w.To = ""
		}
	}
	if f.count() == 0 && !f.quoted(t.Span) && !strings.ContainsAny(t.Said, figures) && !address.MatchString(t.Said) && !f.fact(t) && !scene && !of { // "add our phone number": nobody says which
		return false
	}
	if f.listing(o, w) {
		return true
	}
	if !scene && !of && w.To == "-1" && f.ending(t) || o.New == nil && t.Role == wish.Further && f.beneath(t, scene || of) {
		return true
	}
	return scene || of // which the person is told
}

// ending shows what numbers lead to.
func (f *filler) ending(t wish.Part) bool {
	end := taker(f.m, "text")
	if end == nil || f.count() > 0 || taker(f.m, "range.from") == nil {
		return false
	}
	f.show(end.Name, wish.Wish{Value: t.Said, Span: t.Span})
	return true
}

// beneath shows a further text below, or at the end of the line that there is.
func (f *filler) beneath(t wish.Part, scene bool) bool {
	below := taker(f.m, "subtitle")
	switch {
	case below == nil:
	case f.values[below.Name] == "":
		f.show(below.Name, wish.Wish{Value: t.Said, Span: t.Span})
		return true
	case !scene && f.count() == 0 && (f.quoted(t.Span) || !f.another(t.Said)):
		f.show(below.Name, wish.Wish{Value: f.value(below) + " · " + t.Said, Span: t.Span})
		return true
	}
	return false
}

// another reports whether words tell a fact of which the video shows one: another day, another price.
func (f *filler) another(said string) bool {
	there := f.told()
	return slices.ContainsFunc(f.r.choosing.Facts(said), func(fact wish.Fact) bool { return len(alikes(there, fact)) == 1 })
}

// counting is a number and one word for what it counts.
var counting = regexp.MustCompile(`^(\d[\d.,]*) (\pL+)$`)

// numberedHead is the number before an item: "4th: ".
var numberedHead = regexp.MustCompile(`^\d+\pL{0,2}[.:)]\s+`)

// address is an address of the web.
var address = regexp.MustCompile(`^\S+\.\pL{2,}\S*$`)

// numbered reports whether the video shows rows with numbers.
func (f *filler) numbered() bool {
	for p, list := range lists(f.m, f.values) {
		if _, number := columns(p); number != "" && len(list) > 0 {
			return true
		}
	}
	return false
}

// lined reports whether the video shows sides with lines.
func (f *filler) lined() bool {
	return slices.ContainsFunc(f.m.Params, func(p recipe.Param) bool { return taking(&p, "lines") != "" })
}
