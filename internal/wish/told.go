package wish

// readIts gives a colour for "it" to the item that the order before it is about: "rename Tea to Chai and show it in yellow".
func (r *reader) readIts() {
	for w := range r.wishes {
		c := &r.wishes[w]
		i := r.pieceAt(c.Span.From)
		if r.v.there && c.Kind == Colour && c.About+c.Label == "" && r.opensWith(r.skip(i-1, -1, article, mine), keeps) { // "keep the purple"
			c.Kind = Remark
		}
		k := r.skip(i-1, -1, in, makes, even, please, be)
		if !r.v.there || c.Kind != Colour || c.About+c.Label+c.Unit != "" || !r.is(k, it) && !r.is(k+1, it) {
			continue
		}
		for k = r.skip(min(k, i-1), -1, it, and, makes, even, please); r.punct(k, ",") || r.term(k, Noun) != nil || r.is(k, and); k-- {
		}
		for from := r.sentence(i, 0); k >= from && (r.p[k].wish == 0 || r.wishes[r.p[k].wish-1].Kind == Remark) && r.noun(k) == "" && r.term(k, Label) == nil; k-- { // "the background is too dark for us, make it cream"
		}
		if k < 0 || r.stop(k) {
			continue
		}
		if r.p[k].wish == 0 {
			c.About, c.Sure = r.noun(k), true
			if t := r.term(k, Label); t != nil {
				c.About, c.Label = "", t.Value
			}
			continue
		}
		switch o := &r.wishes[r.p[k].wish-1]; {
		case o.Kind == Add && len(o.Rows) == 1:
			o.Rows[0].Colour, c.Kind = c.Value, Remark
		case o.Kind == Replace:
			c.Label = o.To
		case o.Kind == Rows && len(o.Rows) == 1:
			c.Label = o.Rows[0].Label
		case o.Kind == Move:
			c.Label = o.From
		}
	}
}

// readTold finds what a sentence tells of the only item that it names: "Ali scored two more, so he is at 11 now", "Sat in another colour,
// maybe red".
func (r *reader) readTold() {
	for from, to := 0, 0; r.v.there && r.v.listed() && from < len(r.p); from = to + 1 {
		to = r.sentenceEnd(from, len(r.p))
		label, at, hue, several := -1, -1, -1, false
		for i := from; i < to; i++ {
			if r.term(i, Label) != nil {
				several = several || label >= 0 || !r.free(i, i+1)
				label = i
			}
			if r.form(i, number) && r.free(i, i+1) && !r.is(i, numeral) && !r.is(i+1, more, less) && !r.is(i-1, not) && !r.is(i-2, not, instead) {
				several = several || at >= 0
				at = i
			}
			if w := r.p[i].wish - 1; w >= 0 && r.wishes[w].Kind == Colour && w != hue && r.wishes[w].About+r.wishes[w].Label+r.wishes[w].Unit == "" {
				several = several || hue >= 0 || r.wishes[w].Not
				hue = w
			}
		}
		if several || label < 0 || r.term(label, Label).Type != OfNumber {
			continue
		}
		item := r.term(label, Label).Value
		q := r.quantityAt(at)
		switch {
		case at >= 0 && q.n > 0 && !r.is(at+q.n, time, times):
			r.wish(at, at+q.n, Wish{Kind: Rows, About: item, Rows: []Row{q.row(item)}, Sure: true})
		case at < 0 && hue >= 0:
			r.wishes[hue].Label = item
		default:
			continue
		}
		r.wish(label, label+1, Wish{Kind: Remark, Sure: true})
	}
}

// onlyItem is the one item that pieces [i, j) name, and where first; ok is false if they name none, or several.
func (r *reader) onlyItem(i, j int) (item string, at int, ok bool) {
	for k := i; k < j; k++ {
		switch t := r.term(k, Label); {
		case t == nil:
		case !ok:
			item, at, ok = t.Value, k, true
		case t.Value != item:
			return "", 0, false
		}
	}
	return item, at, ok
}
