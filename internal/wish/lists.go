package wish

import (
	"slices"
)

// readLists finds lists: bullets, numbered items, and items after a colon or a word such as
// "list" with commas between them.
func (r *reader) readLists() {
	var items []Span // of pieces
	from := -1
	for i := 0; i < len(r.p); i++ { // bullets and numbers
		n := r.bullet(i, len(items)+1)
		if n == 0 {
			continue
		}
		if len(items) > 0 {
			items[len(items)-1].To = i
		} else {
			from = i
		}
		items = append(items, Span{i + n, len(r.p)})
		i += n - 1
	}
	if len(items) >= 2 {
		last := &items[len(items)-1]
		for k := last.From + 1; k < last.To; k++ { // "3) fry. Title Pancakes"
			if r.stop(k) && r.breaks(k) && (r.textNoun(k+1) != nil || r.idleFrom(k+1)) {
				last.To = k + 1
			}
		}
		r.list(from, items, true)
		return
	}
	for i := range r.p { // "3 tips: a, b and c", "list of a, b, c"
		if r.punct(i, ":：") || r.dash(i) && r.listNear(i) || r.is(i, list) && r.p[i].wish == 0 && !r.colonAhead(i) {
			if items := r.commas(i+1, r.is(i, list)); len(items) >= 2 {
				for k := items[0].From + 1; k+1 < items[0].To; k++ { // "list: opening hours – Mon 8-18, Tue 9-13"
					if r.dash(k) {
						items[0].From = k + 1
					}
				}
				r.list(items[0].From, items, len(items) > 2 || r.is(i, list) || r.listNear(i))
				return
			}
		}
	}
	if items := r.commas(0, false); len(items) >= 3 && !slices.ContainsFunc(items, func(it Span) bool { return r.instructs(it.From, it.To) }) {
		r.list(items[0].From, items, false)
	}
}

// readGroups finds lists that a name leads: "new: dark mode, faster start; fixed: a crash", "Added dark
// mode. Fixed a crash."
func (r *reader) readGroups() {
	type group struct {
		from, items, end int
		colon            bool
	}
	var all []group
	for _, c := range r.clause {
		k := r.skip(c.From, 1, and)
		if r.term(k, Noun, OfList) == nil || r.term(k, Topic) != nil || !r.free(k, k+1) || r.form(k+1, quoted) || r.punct(c.From-1, ",、") && !r.punct(k+1, ":：") {
			continue
		}
		if n := len(all); n > 0 {
			all[n-1].end = min(all[n-1].end, k)
		}
		g := group{from: k, items: k + 1, end: len(r.p), colon: r.punct(k+1, ":：")}
		if g.colon {
			g.items++
		}
		for e := g.items; e < len(r.p); e++ {
			if r.form(e, line) || r.breaks(e) && (r.punct(e, ";；") || r.punct(e, ".。!") || !g.colon && r.punct(e, ",:")) {
				g.end = e
				break
			}
		}
		all = append(all, g)
	}
	for _, g := range all {
		if _, rows := r.labelled(g.items, true); rows {
			continue
		}
		if g.end <= g.items || !g.colon && len(all) < 2 || !r.free(g.items, g.items+1) {
			continue
		}
		w := Wish{Kind: List, About: r.term(g.from, Noun, OfList).About, Sure: true}
		for _, it := range r.split(g.items, g.end) {
			w.Items = append(w.Items, r.said(it.From, it.To))
		}
		if len(w.Items) > 0 {
			r.drop(Span{r.p[g.from].span.From, r.p[g.end-1].span.To})
			r.wish(g.from, g.end, w)
		}
	}
}

// split parts pieces [i, j) at commas, and at the last "and".
func (r *reader) split(i, j int) []Span {
	var out []Span
	for at, k := i, i; k <= j; k++ {
		if k == j || r.punct(k, ",、，") && r.breaks(k) || len(out) > 0 && r.is(k, and) && r.form(k, word) {
			if k > at {
				out = append(out, Span{at, k})
			}
			at = k + 1
		}
	}
	return out
}

// grouped reports whether piece k begins a list that a name leads.
func (r *reader) grouped(k int) bool {
	if k >= len(r.p) || r.p[k].wish == 0 {
		return false
	}
	w := &r.wishes[r.p[k].wish-1]
	return w.Kind == List && w.About != ""
}

// listNear reports whether a word for a list stands before the colon at piece i.
func (r *reader) listNear(i int) bool {
	for k := i - 1; k >= 0 && !r.breaks(k); k-- {
		if r.is(k, list) || r.term(k, Topic) != nil {
			return true
		}
	}
	return false
}

func (r *reader) colonAhead(i int) bool {
	for k := i; k < min(i+16, len(r.p)); k++ {
		if r.punct(k, ":：") || r.dash(k) {
			return true
		}
	}
	return false
}

// bullet is how many pieces at i mark the item of a list: "- ", "• ", "2. ", "2) ".
func (r *reader) bullet(i, nth int) int {
	atStart := i == 0 || r.form(i-1, line) || r.punct(i-1, ":")
	switch {
	case atStart && r.punct(i, "-–—•*·"):
		return 1
	case r.form(i, number) && r.p[i].num == float64(nth) && r.punct(i+1, ".)") && r.p[i+1].glued && (atStart || nth > 1 || i == 0 || r.p[i-1].form == word):
		return 2
	}
	return 0
}

// commas splits the pieces from i up to the end of the sentence at commas and the last "and".
func (r *reader) commas(i int, loose bool) []Span {
	if loose {
		i = r.skip(i, 1, of, forWhom)
	}
	var items []Span
	at, joined := i, false // joined says that "and" stands before the last item
	for j := i; j <= len(r.p); j++ {
		end := j == len(r.p) || r.grouped(j) || r.form(j, line) && len(items) > 0 || len(items) > 0 && r.stop(j) && r.breaks(j) && r.idleFrom(j+1)
		if !end && !r.punct(j, ",;、，；") && !(r.is(j, and, or) && r.form(j, word) && !r.p[j].glued && (len(items) > 0 || j-at <= 3)) {
			continue
		}
		if j > at {
			items = append(items, Span{at, j})
			joined = at > i && r.is(at-1, and, or)
		}
		at = j + 1
		if end {
			break
		}
	}
	for n := len(items) - 1; n >= 0 && r.instructs(items[n].From, items[n].To); n-- {
		if joined && n == len(items)-1 && items[n].To-items[n].From == 1 && r.is(items[n].From, colour) { // "milk, eggs and oranges"
			break
		}
		if i > 0 && items[n].To-items[n].From == 2 && r.is(items[n].From, ground) && r.is(items[n].From+1, theme) { // "new: dark mode"
			break
		}
		items, joined = items[:n], false
	}
	for _, it := range items {
		if it.To-it.From > 40 || !r.free(it.From, it.From+1) && r.wishes[r.p[it.From].wish-1].Kind == Rows {
			return nil
		}
		for k := it.From; k < it.To && it.To-it.From > 1; k++ { // "button "Shop now", pink background"
			if r.form(k, quoted) || r.form(k, file) {
				return nil
			}
		}
	}
	return items
}

// idleFrom reports whether the text from piece i on only instructs.
func (r *reader) idleFrom(i int) bool {
	if i >= len(r.p) || !r.wished(i, len(r.p)) {
		return false
	}
	for _, c := range r.clause {
		if from := max(c.From, i); c.To > i && !r.instructs(from, c.To) && !r.mostly(from, c.To) {
			return false
		}
	}
	return true
}

// dash reports whether piece i is a dash between spaces.
func (r *reader) dash(i int) bool {
	span := r.form(i+1, number) || r.form(i+1, clock) // "7am - 6pm"
	return r.punct(i, "–—-") && r.breaks(i) && !r.p[i].glued && !span
}

func (r *reader) list(from int, items []Span, sure bool) {
	w := Wish{Kind: List, Sure: sure}
	end := from
	for _, it := range items {
		for it.To > it.From && (r.form(it.To-1, line) || r.punct(it.To-1, ",;、，.") && it.To < len(r.p)) {
			it.To--
		}
		if s := r.said(it.From, it.To); s != "" {
			w.Items = append(w.Items, s)
			end = it.To
		}
	}
	if len(w.Items) >= 2 {
		w.Span = Span{r.p[from].span.From, r.p[end-1].span.To}
		r.wishes = append(r.wishes, w) // the words inside keep their own wishes: the list may not be wanted
	}
}
