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
