package wish

import (
	"slices"
	"strings"
)

// Order is what a change asks of the things that are shown.
type Order struct {
	Kind   Kind // Replace, Remove, Add, Swap or Move
	Things []Part
	New    *Part  // what Replace makes of them, or the number of what Add adds
	Where  []Part // between two, or one
}

// Spans are the places of all parts of an order.
func (o *Order) Spans() (out []Span) {
	for _, p := range slices.Concat(o.Things, o.Where) {
		out = append(out, p.Span)
	}
	if o.New != nil {
		out = append(out, o.New.Span)
	}
	return out
}

// Orders joins the parts of a text to orders, in the order of the text.
func (r *Reading) Orders(parts []Part) (out []Order) {
	rd, all := r.r, parts
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return strings.Contains("hlkx", string(p.Role)) })
	near := func(a, b Part) bool {
		return !strings.ContainsAny(rd.s[min(a.To, b.From):max(a.To, b.From)], sentenceEnds)
	} // of one sentence
	role := func(i int) PartRole {
		if i < 0 || i >= len(parts) || i > 0 && !near(parts[i-1], parts[i]) {
			return ""
		}
		return parts[i].Role
	}
	last := func() *Order {
		if len(out) == 0 {
			return &Order{}
		}
		return &out[len(out)-1]
	}
	var olds, wheres []Part
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		switch p.Role {
		case Gone:
			out = append(out, Order{Kind: Remove, Things: []Part{p}})
		case Where:
			if o := last(); i > 0 && role(i) != "" && (o.Kind == Add || o.Kind == Move) && len(wheres) == 0 {
				o.Where = append(o.Where, p)
			} else {
				wheres = append(wheres, p)
			}
		case Further:
			o := Order{Kind: Add, Things: []Part{p}, Where: wheres}
			wheres = nil
			if role(i+1) == New && rd.namedBefore(all, parts[i+1]) == nil {
				o.New, i = &parts[i+1], i+1
			}
			out = append(out, o)
		case Moved:
			if role(i+1) == Moved && role(i+2) != Where && len(wheres) == 0 {
				out = append(out, Order{Kind: Swap, Things: parts[i : i+2 : i+2]})
				i++
				continue
			}
			out = append(out, Order{Kind: Move, Things: []Part{p}, Where: wheres})
			wheres = nil
		case Old:
			if o := last(); o.Kind == Replace && o.New != nil && len(olds) == 0 && role(i) != "" && (rd.deniedBefore(p.Span) || role(i+1) != New && role(i+1) != Old || strings.TrimSpace(rd.s[parts[i-1].To:p.From]) == "") && slices.Contains([]PartRole{New, Old}, parts[i-1].Role) {
				o.Things = append(o.Things, p)
				continue
			}
			olds = append(olds, p)
		case New:
			if o := last(); len(olds) == 0 && i > 0 && parts[i-1].Role == Gone && role(i) != "" && rd.besides(p.Span, instead, anew) { // "remove the map, compass instead"
				o.Kind, o.New = Replace, &parts[i]
				continue
			}
			if o := last(); len(olds) == 0 && i > 0 && o.Kind == Add && o.New == nil && role(i) == New && parts[i-1].Role == Where && len(wheres) == 0 && rd.namedBefore(all, p) == nil { // "a scene at the end that says Thanks"
				o.New = &parts[i]
				continue
			}
			if len(olds) == 0 && (role(i+1) == Where && role(i+2) != Further || len(wheres) > 0) {
				out = append(out, Order{Kind: Add, Things: []Part{p}, Where: wheres})
				wheres = nil
				continue
			}
			if len(olds) == 0 {
				olds = rd.meantBy(all, p)
			}
			out = append(out, Order{Kind: Replace, Things: olds, New: &parts[i]})
			olds = nil
		case Holder, Look, Kept, Idle:
		}
	}
	return out
}

// meantBy is what new words are for, where no part is to become them: the text that the words before them name, "a title, Fun", or the
// thing that looks are for as well, "the button should be red and say Go".
func (r *reader) meantBy(parts []Part, p Part) []Part {
	if named := r.namedBefore(parts, p); named != nil {
		return named
	}
	before := slices.IndexFunc(parts, func(o Part) bool { return o.Span == p.Span }) - 1
	for before >= 0 && parts[before].Role == Look && r.names(parts[before].Span) == nil {
		before--
	}
	if before < 0 || strings.ContainsAny(r.s[min(parts[before].To, p.From):p.From], sentenceEnds) || parts[before].Role != Holder && r.names(parts[before].Span) == nil {
		return nil
	}
	return parts[before : before+1 : before+1]
}

// namedBefore is the text that is named between new words and the part before them, as a part; nil if there is none.
func (r *reader) namedBefore(parts []Part, p Part) []Part {
	before := slices.IndexFunc(parts, func(o Part) bool { return o.Span == p.Span }) - 1
	i, _ := r.at(p.Span)
	for k := i - 1; k >= max(0, i-mostSkipped) && !r.stop(k) && (before < 0 || r.p[k].span.From >= parts[before].To); k-- {
		if r.textNoun(k) != nil {
			return []Part{{Span: r.p[k].span, Role: Old, Said: r.p[k].text}}
		}
	}
	return nil
}

// sentenceEnds are the marks between sentences.
const sentenceEnds = ".!?\n;"

// Verbs are places with the verbs next to them that say what becomes of the things there: "drop", "add".
func (r *Reading) Verbs(places []Span) []Span {
	rd, out := r.r, slices.Clone(places)
	for _, s := range places {
		for i := rd.pieceAt(s.From) - 1; i >= 0 && rd.form(i, word) && rd.order(i) || rd.is(i, add, remove, move, swap, replace); i-- {
			if rd.is(i, add, remove, move, swap, replace) {
				out = append(out, rd.p[i].span)
			}
		}
	}
	return out
}

// besides reports whether a word of a meaning stands right before or behind a place.
func (r *reader) besides(s Span, of ...class) bool {
	i, j := r.at(s)
	return r.is(r.skip(i-1, -1, article, makes, set, add), of...) || r.is(j, of...)
}

// names is the text that a place names, nil if it names none.
func (r *reader) names(s Span) *Term {
	for i, to := r.at(s); i < to; i++ {
		if t := r.textNoun(i); t != nil {
			return t
		}
	}
	return nil
}

// Cues reports whether the words around a place say that it is to be shown: quotation marks, "say", a colon, "instead"; below says that it
// is to stand below.
func (r *Reading) Cues(s Span) (cued, below bool) {
	i, j := r.r.at(s)
	k := r.r.skip(i-1, -1, article)
	cued = r.r.form(i, quoted) || r.r.is(k, says, makes, set, in) || r.r.punct(k, ":") || r.r.is(j, anew, instead)
	nth, _ := r.r.edge(j)
	return cued, r.r.is(j, beneath) || r.r.is(k, beneath) || nth < 0 && r.r.form(i, quoted) && r.r.is(i-1, says) // "write "Bye" at the bottom"
}

// Tells reports whether a place only tells what is so: "it's december".
func (r *Reading) Tells(s Span) bool {
	i, _ := r.r.at(s)
	return r.r.is(i-1, be, it)
}

// Sets reports whether the words of a place stand for something that the vocabulary sets: a currency, a count of things.
func (r *Reading) Sets(s Span) bool {
	for i, to := r.r.at(s); i < to; i++ {
		if r.r.is(i, currency) && !r.r.form(i-1, number) && !r.r.form(i+1, number) || r.r.term(i, Unit) != nil {
			return true
		}
	}
	return false
}

// Scene reports whether a place, or the words before it, name a scene, and whether it names an item in general: "a scene", "another point".
func (r *Reading) Scene(s Span) (named, before, item bool) {
	i, to := r.r.at(s)
	for k := i; k < to; k++ {
		named = named || r.r.is(k, scene)
		item = item || r.r.is(k, list) || r.r.term(k, Noun, OfList) != nil
	}
	for k := i - 1; k >= max(0, i-mostSkipped) && r.r.order(k) && !r.r.stop(k); k-- { // "a scene that says"
		before = before || r.r.is(k, scene)
	}
	return named, before, item
}

// Strange reports whether nobody knows the words of a place.
func (r *Reading) Strange(s Span) bool {
	i, to := r.r.at(s)
	for ; i < to; i++ {
		if r.r.form(i, word) && (r.r.order(i) || r.r.noun(i) != "" || r.r.textNoun(i) != nil) {
			return false
		}
	}
	return true
}

// Bare are the words of a place without "the word" before them; "" if nothing is before them.
func (r *Reading) Bare(s Span) string {
	i, to := r.r.at(s)
	k := i
	for k < to && r.r.is(k, caption, article) {
		k++
	}
	if k == i || k == to {
		return ""
	}
	if r.r.form(k, quoted) {
		return r.r.p[k].text
	}
	return r.r.s[r.r.p[k].span.From:s.To]
}

// Joint reports whether the words of a place bind what stands around them: none, "for", "for the".
func (r *Reading) Joint(from, to int) bool {
	if from >= to || strings.TrimSpace(r.r.s[from:to]) == "" {
		return true
	}
	for i := r.r.pieceAt(from); i < r.r.pieceAt(to); i++ {
		if !r.r.is(i, forWhom, article) {
			return false
		}
	}
	return true
}

// at are the pieces that a place touches, from i up to j.
func (r *reader) at(s Span) (i, j int) {
	i = r.pieceAt(s.From)
	if i > 0 && r.p[i-1].span.To > s.From { // inside of a phrase
		i--
	}
	return i, max(r.pieceAt(s.To), i+1)
}

// deniedBefore reports whether words before a place say that what stands there is to go: "not", "instead of".
func (r *reader) deniedBefore(s Span) bool {
	i, _ := r.at(s)
	return r.is(r.skip(i-1, -1, article, of, says, caption), not, instead, without)
}

// Into reports whether a place says what something is to be added to: "to the cons", and not "after the cons".
func (r *Reading) Into(s Span) bool {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article)
	return r.r.is(k, to, in, onto, forWhom) && !r.r.is(k, before, after)
}

// Comes reports whether words around a place say what becomes of it, as in "forgot the towel", and not only "with a towel".
func (r *Reading) Comes(s Span, parts []Part) bool {
	i, j := r.r.at(s)
	for k := r.r.sentence(i, 0); k < r.r.sentenceEnd(i, len(r.r.p)); k++ {
		other := slices.ContainsFunc(parts, func(p Part) bool { return overlap(p.Span, r.r.p[k].span) })
		if (k < i || k >= j) && !other && r.r.form(k, word) && !r.r.is(k, in, article, please) {
			return true
		}
	}
	return r.r.form(i, quoted) || slices.ContainsFunc(parts, func(p Part) bool { return p.Role == Idle }) // "I forgot" may count as a story
}

// Refers reports whether the sentence of a place speaks before it of something named earlier: "it".
func (r *Reading) Refers(s Span) bool {
	i, _ := r.r.at(s)
	for k := r.r.sentence(i, 0); k < i; k++ {
		if r.r.is(k, it) {
			return true
		}
	}
	return false
}

// Not reports whether "not" stands before a place.
func (r *Reading) Not(s Span) bool {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article, of)
	return r.r.is(k, not) && !r.r.is(k, without)
}

// Thing is the item of a list that a place names, by its words or as "#2"; "" if it names none.
func (r *Reading) Thing(s Span) string {
	i, to := r.r.at(s)
	if words, n := r.r.thing(i, true); n > 0 && i+n >= to && !r.r.form(i, quoted) {
		return words
	}
	if item, _, ok := r.r.onlyItem(i, to); ok { // "the after side"
		return item
	}
	return ""
}

// TextCalled is the parameter whose text a place names, such as "the title"; below says that it names a line below, words that it
// names the words in general.
func (r *Reading) TextCalled(s Span) (about string, below, words bool) {
	if t := r.r.names(s); t != nil {
		about = t.About
	}
	for i, to := r.r.at(s); i < to; i++ {
		below, words = below || r.r.is(i, beneath), words || r.r.is(i, caption, says)
	}
	return about, below, words
}

// Place is where a thing is to go that parts of a text name, as of Move; "" if nothing says so.
func (r *Reading) Place(parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	rd := r.r
	i, to := rd.at(parts[0].Span)
	for k := max(0, i-longestLead); k < to; k++ {
		if where, n := rd.placeAt(k); n > 0 && k+n > i {
			return where
		}
	}
	side := ">"
	if rd.is(rd.skip(i-1, -1, article), before) {
		side = "<"
	}
	if words := r.Thing(parts[0].Span); words != "" {
		return side + words
	}
	return side + parts[0].Said
}

// longestLead is how many pieces stand before a place at most that belong to it: "to the".
const longestLead = 3

// Quantity is the number that a place says, as a row of a name; ok is false if it says something else.
func (r *Reading) Quantity(s Span, name string) (row Row, ok bool) {
	i, to := r.r.at(s)
	q := r.r.quantityAt(i)
	return q.row(name), q.n > 0 && i+q.n >= to
}

// Row is the row that a place says: "March 7"; ok is false if it says none.
func (r *Reading) Row(s Span) (row Row, ok bool) {
	i, to := r.r.at(s)
	p, ok := r.r.labelled(i, true)
	if !ok || p.end != to {
		return Row{}, false
	}
	return r.r.newRow(p), true
}

// Denied reports whether words before a place say that what stands there is to go: "not", "instead of".
func (r *Reading) Denied(s Span) bool { return r.r.deniedBefore(s) }

// Noun is the thing with a colour that a place names; "" if it names none.
func (r *Reading) Noun(s Span) string {
	for i, to := r.r.at(s); i < to; i++ {
		if about := r.r.noun(i); about != "" {
			return about
		}
	}
	return ""
}
