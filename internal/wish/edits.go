package wish

import "strings"

// readEdits finds what is to be added, removed, replaced or moved.
func (r *reader) readEdits() {
	for i := 0; i < len(r.p); i++ {
		if !r.free(i, i+1) {
			continue
		}
		var n int
		switch {
		case r.is(i, swap):
			n = r.swapAt(i)
		case r.is(i, move):
			n = r.moveAt(i)
		case r.is(i, replace, set):
			n = r.replaceAt(i)
		case r.is(i, remove, without) && !r.is(i, makes):
			n = r.removeAt(i)
		case r.is(i, add):
			n = r.addAt(i)
		case r.term(i, Label) != nil:
			n = r.valueAt(i)
		case r.is(i, article, makes) || r.is(i, other):
			if k := r.skip(i, 1, article, makes); r.is(k, other) && (r.noun(r.skip(k+1, 1, filler)) != "" || r.is(k+1, filler)) {
				n = k + 2 - i
				r.wish(i, k+2, Wish{Kind: Other, About: r.noun(k + 1), Sure: true})
			}
		}
		i += max(n-1, 0)
	}
}

// thing reads a part of what is shown: an item of the data, a quotation, "the third item". n is
// 0 if there is none.
func (r *reader) thing(i int) (words string, n int) {
	k := r.skip(i, 1, article)
	switch s, ordinal := r.get(k, ordinal); {
	case r.form(k, quoted):
		return r.p[k].text, k + 1 - i
	case r.term(k, Label) != nil:
		return r.term(k, Label).Value, k + 1 - i
	case ordinal && (r.is(k+1, list, it) || r.term(k+1, Noun, OfList) != nil):
		return "#" + decimal(s.num), k + 2 - i
	case (r.is(k, list) || r.term(k, Noun, OfList) != nil) && r.form(k+1, number):
		return "#" + decimal(r.p[k+1].num), k + 2 - i
	}
	return "", 0
}

func (r *reader) swapAt(i int) int {
	a, n := r.thing(i + 1)
	k := i + 1 + n
	b, m := r.thing(r.skip(k, 1, and, in, to))
	if n == 0 || m == 0 {
		return 0
	}
	end := r.skip(k, 1, and, in, to) + m
	r.wish(i, end, Wish{Kind: Swap, From: a, To: b, Sure: true})
	return end - i
}

func (r *reader) moveAt(i int) int {
	a, n := r.thing(i + 1)
	if n == 0 {
		return 0
	}
	k := i + 1 + n
	end, where := k, ""
	for ; end < len(r.p) && end < k+5 && where == ""; end++ {
		s, isOrdinal := r.get(end, ordinal)
		b, m := r.thing(end + 1)
		switch {
		case (r.is(end, before) || r.is(end, after)) && m > 0:
			where = "<" + b
			if r.is(end, after) {
				where = ">" + b
			}
			end += m
		case r.is(end, atStart):
			where = "1"
		case r.is(end, atEnd):
			where = "-1"
		case isOrdinal:
			where = decimal(s.num)
		}
	}
	if where == "" {
		return 0
	}
	r.wish(i, end, Wish{Kind: Move, From: a, To: where, Sure: true})
	return end - i
}

// replaceAt reads "replace A with B", "change A to B", where A is a thing that is shown, or two colours.
func (r *reader) replaceAt(i int) int {
	a, n := r.thing(i + 1)
	k := r.skip(i+1+n, 1, to, in, by, be, as)
	if n > 0 && k > i+1+n {
		if q := r.quantityAt(k); q.n > 0 && (k+q.n == r.tail(k) || r.is(k+q.n, and)) {
			return 0 // a new number for it: valueAt
		}
		if b, m := r.thing(k); m > 0 {
			r.wish(i, k+m, Wish{Kind: Replace, From: a, To: b, Sure: true})
			return k + m - i
		}
		if end := r.tail(k); end > k {
			r.wish(i, end, Wish{Kind: Replace, From: a, To: strings.TrimSpace(r.said(k, end)), Sure: true})
			return end - i
		}
	}
	if _, m := r.colourAt(i + 1); m > 0 { // "replace red with blue"
		j := i + 1 + m
		if k := r.skip(j, 1, to, in, by); k > j && r.is(k, colour, toned) {
			hex, _ := r.colourAt(i + 1)
			r.wish(i, j, Wish{Kind: Colour, Value: hex, Not: true, Sure: true})
			return j - i
		}
	}
	if a == "" && r.plainWords(i+1) > 0 && r.is(i, replace) { // "replace Hello with Goodbye"
		j := i + 1 + r.plainWords(i+1)
		if k := r.skip(j, 1, to, in, by); k > j {
			if end := r.tail(k); end > k {
				r.wish(i, end, Wish{Kind: Replace, From: r.said(i+1, j), To: r.said(k, end), Sure: true})
				return end - i
			}
		}
	}
	return 0
}

// plainWords is how many pieces from i on mean nothing.
func (r *reader) plainWords(i int) int {
	n := 0
	for i+n < len(r.p) && n < longestLabel && r.form(i+n, word) && !r.is(i+n, to, in, by) && r.term(i+n, Noun) == nil {
		n++
	}
	return n
}

// tail is the end of the words from i on: the end of the clause.
func (r *reader) tail(i int) int {
	for i < len(r.p) && !r.punct(i, ",;，、。") && !r.form(i, line) && !(r.punct(i, ".!") && i+1 == len(r.p)) {
		i++
	}
	return i
}

func (r *reader) removeAt(i int) int {
	a, n := r.thing(i + 1)
	if n == 0 {
		return 0
	}
	end := i + 1 + n
	items := []string{a}
	for {
		k := r.skip(end, 1, and)
		if r.punct(k, ",、") {
			k = r.skip(k+1, 1, and)
		}
		b, m := r.thing(k)
		if m == 0 || k == end {
			break
		}
		items, end = append(items, b), k+m
	}
	r.wish(i, end, Wish{Kind: Remove, Items: items, Sure: true})
	return end - i
}

// addAt reads "add Kiwi 20", "add 'milk' to the list".
func (r *reader) addAt(i int) int {
	k := r.skip(i+1, 1, article, other, list)
	for r.term(k, Noun, OfList) != nil || r.punct(k, ":") {
		k++
	}
	if p, ok := r.labelled(k, true); ok && p.label == k {
		r.wish(i, p.end, Wish{Kind: Add, Rows: []Row{{strings.TrimSpace(r.said(p.label, p.labelTo)), p.q.value, p.q.unit, p.q.sign, ""}}, Sure: true})
		return p.end - i
	}
	if r.form(k, quoted) && r.textNoun(k-1) == nil {
		return r.addItems(i, k, k+1)
	}
	end := k // "add milk to the list"
	for end < len(r.p) && !r.is(end, to, in) && r.form(end, word) && r.term(end, Noun) == nil && end-k < longestLabel {
		end++
	}
	if j := r.skip(end, 1, to, in, article); end > k && (r.is(j, list) || r.term(j, Noun, OfList) != nil) {
		return r.addItems(i, k, j+1)
	}
	return 0
}

func (r *reader) addItems(i, k, end int) int {
	text := r.p[k].text
	if !r.form(k, quoted) {
		j := k
		for j < end && !r.is(j, to, in) {
			j++
		}
		text = r.said(k, j)
	}
	r.wish(i, end, Wish{Kind: Add, Items: []string{text}, Sure: true})
	return end - i
}

// valueAt reads a new number for an item of the data: "Pears 50", "Pears should be 50", or a new name.
func (r *reader) valueAt(i int) int {
	k := r.skip(i+1, 1, to, be, filler)
	for r.punct(k, ":=→") {
		k++
	}
	q := r.quantityAt(k)
	label := r.term(i, Label)
	if end := r.tail(k); q.n == 0 && r.is(i+1, be) && end > k && !r.order(k) {
		r.wish(i, end, Wish{Kind: Replace, From: label.Value, To: strings.Trim(r.said(k, end), `"“”'`), Sure: true})
		return end - i
	}
	if label.Type != OfList || q.n == 0 || !r.form(k, number) && !r.is(k, currency) {
		return 0
	}
	r.wish(i, k+q.n, Wish{Kind: Rows, About: label.About, Rows: []Row{{label.Value, q.value, q.unit, q.sign, ""}}, Sure: true})
	return k + q.n - i
}
