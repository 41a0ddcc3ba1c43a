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
func (r *Reading) Orders(parts []Part) []Order {
	j := joiner{r: r.r, all: parts}
	j.parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return slices.Contains([]PartRole{Holder, Look, Kept, Idle}, p.Role) })
	for i := 0; i < len(j.parts); i++ {
		p := j.parts[i]
		switch p.Role {
		case Gone:
			j.orders = append(j.orders, Order{Kind: Remove, Things: []Part{p}})
		case Where:
			if o := j.last(); i > 0 && j.role(i) != "" && (o.Kind == Add || o.Kind == Move) && len(j.wheres) == 0 {
				o.Where = append(o.Where, p)
			} else if o.Kind == Replace && len(o.Things) == 1 && j.role(i) != "" && j.r.is(j.r.skip(j.r.pieceAt(p.From)-1, -1, article), it) { // "Tea is $3 now, put it first": found by its old words
				j.orders = slices.Insert(j.orders, len(j.orders)-1, Order{Kind: Move, Things: o.Things, Where: []Part{p}})
			} else {
				j.wheres = append(j.wheres, p)
			}
		case Further:
			j.placed(Add, p)
			if j.role(i+1) == New && j.named(j.parts[i+1]) == nil { // its number
				i++
				j.last().New = &j.parts[i]
			}
		case Moved:
			if j.role(i+1) == Moved && j.role(i+2) != Where && len(j.wheres) == 0 {
				j.orders = append(j.orders, Order{Kind: Swap, Things: j.parts[i : i+2 : i+2]})
				i++
				continue
			}
			j.placed(Move, p)
		case Old:
			if o := j.last(); o.Kind == Replace && j.belongs(i) {
				o.Things = append(o.Things, p)
			} else {
				j.olds = append(j.olds, p)
			}
		case New:
			if len(j.olds) == 2 && j.role(i+1) == New && j.named(j.parts[i+1]) == nil { // "instead of before and after say last year and this year"
				for k, old := range j.olds {
					j.orders = append(j.orders, Order{Kind: Replace, Things: []Part{old}, New: &j.parts[i+k]})
				}
				j.olds = nil
				i++
				continue
			}
			j.fresh(i)
		case Holder, Look, Kept, Idle:
		}
	}
	return j.split(r)
}

// split takes away what is parted into others: "split other into birds 10 and fish 5".
func (j *joiner) split(r *Reading) []Order {
	further := func(o Order) bool { return o.Kind == Add && o.New != nil }
	if len(j.olds) != 1 || len(j.orders) < 2 || slices.ContainsFunc(j.orders, func(o Order) bool { return !further(o) }) || !r.Into(j.orders[0].Things[0].Span) {
		return j.orders
	}
	return append(j.orders, Order{Kind: Remove, Things: j.olds})
}

// joiner joins parts to orders.
type joiner struct {
	r            *reader
	all, parts   []Part // of the text; those of orders
	orders       []Order
	olds, wheres []Part // of an order still to come
}

// last is the order before.
func (j *joiner) last() *Order {
	if len(j.orders) == 0 {
		return &Order{}
	}
	return &j.orders[len(j.orders)-1]
}

// placed begins an order with the place that was named before it.
func (j *joiner) placed(kind Kind, p Part) {
	j.orders = append(j.orders, Order{Kind: kind, Things: []Part{p}, Where: j.wheres})
	j.wheres = nil
}

// role is the role of a part that stands in one sentence with the part before it; else, and for no part, "".
func (j *joiner) role(i int) PartRole {
	if i < 0 || i >= len(j.parts) || i > 0 && j.r.apart(j.parts[i-1], j.parts[i]) {
		return ""
	}
	return j.parts[i].Role
}

// belongs reports whether an old part belongs to the words of the order before it: "Anne, not Anna", "275 members", and not "Anne, and the
// title …".
func (j *joiner) belongs(i int) bool {
	if len(j.olds) > 0 || j.role(i) == "" || !slices.Contains([]PartRole{New, Old}, j.parts[i-1].Role) {
		return false
	}
	next := j.role(i + 1)
	return j.r.deniedBefore(j.parts[i].Span) || next != New && next != Old || strings.TrimSpace(j.r.gap(j.parts[i-1], j.parts[i])) == ""
}

// fresh joins new words to what they are for.
func (j *joiner) fresh(i int) {
	p, o := &j.parts[i], j.last()
	follows := len(j.olds) == 0 && i > 0 && j.role(i) != ""
	switch {
	case follows && j.parts[i-1].Role == Gone && o.New == nil && j.instead(*p): // "remove the map, compass instead"
		o.Kind, o.New = Replace, p
	case follows && j.parts[i-1].Role == Where && o.Kind == Add && o.New == nil && len(j.wheres) == 0 && j.named(*p) == nil: // "a scene at the end that says Thanks"
		o.New = p
	case len(j.olds) == 0 && (j.role(i+1) == Where && j.role(i+2) != Further || len(j.wheres) > 0):
		j.placed(Add, *p)
	default:
		if len(j.olds) == 0 {
			j.olds = j.meant(*p)
		}
		j.orders = append(j.orders, Order{Kind: Replace, Things: j.olds, New: p})
		j.olds = nil
	}
}

// instead reports whether new words behind a thing that is to go take its place: "remove the library and put "gym"".
func (j *joiner) instead(p Part) bool {
	i, to := j.r.at(p.Span)
	return j.r.besides(p.Span, instead, anew) || j.r.form(i, quoted) && j.named(p) == nil && !j.r.is(to, beneath)
}

// meant is what new words are for, where no part is to become them: the text that the words before them name, "a title, Fun", or the
// thing that looks are for as well, "the button should be red and say Go".
func (j *joiner) meant(p Part) []Part {
	if named := j.named(p); named != nil {
		return named
	}
	k := slices.IndexFunc(j.all, func(o Part) bool { return o.Span == p.Span }) - 1
	for k >= 0 && j.all[k].Role == Look && j.r.names(j.all[k].Span) == nil {
		k--
	}
	if k < 0 || j.r.apart(j.all[k], p) || j.all[k].Role != Holder && j.r.names(j.all[k].Span) == nil {
		return nil
	}
	return j.all[k : k+1 : k+1]
}

// named is the text that is named between new words and the part before them, as a part; nil if there is none.
func (j *joiner) named(p Part) []Part {
	before, r := slices.IndexFunc(j.all, func(o Part) bool { return o.Span == p.Span })-1, j.r
	i, _ := r.at(p.Span)
	for k := i - 1; k >= max(0, i-mostSkipped) && !r.stop(k) && (before < 0 || r.p[k].span.From >= j.all[before].To); k-- {
		if r.textNoun(k) != nil {
			return []Part{{Span: r.p[k].span, Role: Old, Said: r.p[k].text}}
		}
	}
	return nil
}

// gap is what stands between two parts.
func (r *reader) gap(a, b Part) string { return r.s[min(a.To, b.From):b.From] }

// apart reports whether a sentence ends between two parts.
func (r *reader) apart(a, b Part) bool { return strings.ContainsAny(r.gap(a, b), ".!?\n;") }

// Apart reports whether a sentence ends between two parts.
func (r *Reading) Apart(a, b Part) bool { return r.r.apart(a, b) }

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
	return cued, r.r.is(j, beneath) || r.r.is(k, beneath) || r.r.punct(k, ":") && r.r.is(k-1, beneath) || nth < 0 && r.r.form(i, quoted) && r.r.is(i-1, says) // "write "Bye" at the bottom"
}

// Cue reports whether the word at a place says that a text follows: Spanish "dice", which shows no dice.
func (r *Reading) Cue(s Span) bool {
	i, _ := r.r.at(s)
	return r.r.is(i, says)
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

// Joins reports whether a word behind a place says that what stands there comes as well: "dazu".
func (r *Reading) Joins(s Span) bool {
	_, j := r.r.at(s)
	return r.r.is(j, add)
}

// Within reports whether the words of a place only lead from a thing to its look: "in".
func (r *Reading) Within(begin, until int) bool {
	i, end := r.r.pieceAt(begin), r.r.pieceAt(until)
	for k := i; k < end; k++ {
		if !r.r.is(k, in, to, be, as) {
			return false
		}
	}
	return i < end
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
		other := slices.ContainsFunc(parts, func(p Part) bool { return p.Span.Overlaps(r.r.p[k].span) })
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

// Entire reports whether a place names all items of a list: "the whole list", "the items".
func (r *Reading) Entire(s Span) bool {
	i, to := r.r.at(s)
	named := false
	for ; i < to; i++ {
		named = named || r.r.is(i, list, every, everywhere)
		if r.r.form(i, number) || r.r.is(i, ordinal) {
			return false
		}
	}
	return named
}

// Instead reports whether a text says that what it tells takes the place of what there is: "use these instead".
func (r *Reading) Instead() bool {
	return slices.ContainsFunc(r.r.p, func(p piece) bool {
		return p.wish == 0 && slices.ContainsFunc(p.senses, func(s sense) bool { return s.class == anew })
	})
}

// Belongs reports whether a place says, or has a word before it that says, that a thing is somebody's: "his bar".
func (r *Reading) Belongs(s Span) bool {
	for k := max(r.r.pieceAt(s.From)-1, 0); k < len(r.r.p) && r.r.p[k].span.From < s.To; k++ {
		if r.r.is(k, theirs) {
			return true
		}
	}
	return false
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
	if k := rd.skip(i, 1, article); rd.is(k, onLeft, onRight) && rd.ends(k+1) {
		return map[bool]string{true: "1", false: "-1"}[rd.is(k, onLeft)]
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

// Leading is where the words begin that lead to a place: of "before the logo" the place is "logo".
func (r *Reading) Leading(s Span) int {
	i, _ := r.r.at(s)
	k := r.r.skip(i-1, -1, article, mine, even)
	if !r.r.is(k, before, after, to, in, onto) {
		k = i
	}
	return r.r.p[k].span.From
}

// longestLead is how many pieces stand before a place at most that belong to it: "to the".
const longestLead = 3

// Quantity is the number that a place says, as a row of a name; ok is false if it says something else.
func (r *Reading) Quantity(s Span, name string) (row Row, ok bool) {
	i, to := r.r.at(s)
	q := r.r.quantityAt(i)
	return q.row(name), q.n > 0 && i+q.n >= to
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
