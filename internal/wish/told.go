package wish

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

// Several are the items of lists that a place names, several of them: "the first two months"; none if it names something else.
func (r *Reading) Several(s Span) []string {
	i, to := r.r.at(s)
	if found, n := r.r.things(i, true); len(found) > 1 && i+n >= to {
		return found
	}
	return nil
}

// Things are the items of lists that the text names outside of quotation marks, in order; Said is as of [Reading.Thing].
func (r *Reading) Things() (out []Part) {
	for i := 0; i < len(r.r.p); i++ {
		if words, n := r.r.thing(i, false); n > 0 && !r.r.form(i, quoted) {
			out = append(out, Part{Span: Span{r.r.p[i].span.From, r.r.p[i+n-1].span.To}, Said: words})
			i += n - 1
		}
	}
	return out
}
