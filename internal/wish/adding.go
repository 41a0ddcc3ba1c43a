package wish

import (
	"strings"
)

// addAt reads "add Kiwi 20 and Plum 3", "add 'milk' to the list", "add milk after bread".
func (r *reader) addAt(i int) int {
	k := r.skip(i+1, 1, article, other, list, ordinal)
	if r.is(k-1, list) && r.is(k, says) && r.form(k+1, quoted) { // "add a point that says "Tea""
		k++
	}
	for r.term(k, Noun, OfList) != nil || r.punct(k, ":") || r.form(k, number) && r.form(k+1, quoted) && k > i+1 && r.term(k-1, Noun, OfList) != nil || r.form(k+1, quoted) && r.textNoun(k) != nil && r.is(k-1, other, ordinal) { // "a third command "npm test""
		k++
	}
	if at := r.skip(i+1, 1, article, other, ordinal); r.is(at, scene) {
		return r.addScene(i, at+1)
	}
	if r.is(k-1, other) && r.term(k, Unit) != nil { // "add another planet" is a count
		return 0
	}
	w := Wish{Kind: Add, Sure: true}
	named := false // something says that a list is meant
	at := k
	for {
		if r.is(k, mine) && len(w.Items)+len(w.Rows) > 0 { // "forgot May, we did 52 in May"
			break
		}
		if q := r.quantityAt(r.skip(k+1, 1, in)); r.year(k) && (r.is(k+1, in) || r.punct(k+1, ":=")) && q.n > 0 && r.v.listed() { // "add 2024 with 63"
			w.Rows, k = append(w.Rows, q.row(r.p[k].text)), r.skip(k+1, 1, in)+q.n
		} else if p, ok := r.labelled(k, true); ok && p.label == k {
			w.Rows, k = append(w.Rows, r.newRow(p)), p.end
		} else if r.form(k, quoted) && (r.textNoun(k-1) == nil || r.term(k-1, Noun, OfList) != nil) && !(r.is(k+1, beneath) && r.ends(k+2)) || r.form(k, file) {
			w.Items, k, named = append(w.Items, r.p[k].text), k+1, true
		} else if end := r.newWords(k); end > k {
			from, said := min(r.skip(k, 1, please, even), end-1), end
			for said > from+1 && r.is(said-1, too, please, now, anew, add, missing, filler) { // "add mars too", "füge noch Mars hinzu"
				said--
			}
			w.Items, k = append(w.Items, r.said(from, said)), end
		} else {
			break
		}
		at = k
		if k = r.skip(k, 1, and); r.punct(k, ",、") {
			k = r.skip(k+1, 1, and)
		}
		if next := r.skip(k, 1, article); k > at && r.newWords(next) > next { // "a hat and an umbrella"
			k = next
		}
		if k == at || r.begins(k) && !r.form(k, quoted) {
			break
		}
	}
	if len(w.Items)+len(w.Rows) == 0 {
		return 0
	}
	at = r.saidOf(&w, at)
	into := r.skip(at, 1, to, in, article)
	if where, n := r.placeAt(at); n > 0 {
		w.To, at, named = where, at+n, true
	} else if side, n := r.thing(into, false); n > 0 && into > at && len(w.Items) > 0 { // "add "SSO" to free and "Logs" to pro"
		w.Label = side
		at = into + n
		r.wish(i, at, w)
		if k := r.skip(at, 1, and); k > at && r.form(k, quoted) {
			return r.addAt(k-1) + k - 1 - i
		}
		return at - i
	} else if into > at && (r.is(into, list) || r.term(into, Noun, OfList) != nil) {
		at, named = into+1, true
	}
	if !named && len(w.Rows) == 0 && !(r.v.listed() && r.ends(at)) {
		return 0
	}
	r.wish(i, at, w)
	return at - i
}

// saidOf reads what the clause behind a new item says of it: its number, "add May, that was 90", or its place, "forgot milk, add it after
// bread". It returns the end of both.
func (r *reader) saidOf(w *Wish, at int) int {
	if !r.punct(at, ",") || len(w.Items) != 1 || len(w.Rows) > 0 || !r.v.listed() {
		return at
	}
	k := r.skip(at+1, 1, it, article, be)
	if where, n := r.placeAt(r.skip(k+1, 1, it)); r.is(k, add) && n > 0 {
		w.To = where
		return r.skip(k+1, 1, it) + n
	}
	for to := r.tail(at + 1); r.is(at+1, mine) && k < to && r.quantityAt(k).n == 0; k++ { // "add May, we had 90"
	}
	if q := r.quantityAt(k); q.n > 0 && (r.is(k-1, be) && r.ends(k+q.n) || r.is(at+1, mine)) {
		w.Rows, w.Items = []Row{q.row(w.Items[0])}, nil
		return k + q.n
	}
	return at
}

// newRow is a row without the words around its label: "Travel with 300", "bitte noch Samstag mit 820".
func (r *reader) newRow(p pair) Row {
	from := min(r.skip(p.label, 1, please, even), p.labelTo-1)
	to := p.labelTo
	for to > from+1 && r.is(to-1, in, of, be) {
		to--
	}
	return p.q.row(strings.TrimSpace(r.said(from, to)))
}

// newWords is the end of words from piece i on that may be a new item: they mean nothing that the caller knows.
func (r *reader) newWords(i int) int {
	end := i
	for end < len(r.p) && end-i < longestLabel && r.form(end, word) && !r.is(end, and) {
		if _, n := r.placeAt(end); n > 0 && end > i || r.is(end, in) && end > i && r.colourNear(end+1) || r.is(end, to, in) && (r.is(end+1, article, list) || r.term(end+1, Noun, OfList) != nil) {
			break
		}
		if r.is(end, missing) && end > i {
			break
		}
		if end == i && r.ends(end+1) && (r.term(end, Higher) != nil || r.term(end, Lower) != nil) { // "add Jupiter, slower"
			return i
		}
		if r.is(end, it, be) && !r.form(end-1, mark) { // "Jupiter, it should be …"
			return i
		}
		if t := r.term(end, Noun); t != nil || r.is(end, advice, time, scene, medium, numeral, ordinal) || r.term(end, Topic) != nil && r.term(end, Label) == nil {
			return i
		}
		end++
	}
	return end
}

// newAt reads a new item at its place, without a verb: "und am Ende noch "Feiern"".
func (r *reader) newAt(i int) int {
	where, n := r.placeAt(i)
	k := r.skip(i+n, 1, even, please, says)
	if n == 0 || k == i+n || !r.form(k, quoted) || r.present(r.p[k].text) || !r.ends(k+1) {
		return 0
	}
	r.wish(i, k+1, Wish{Kind: Add, Items: []string{r.p[k].text}, To: where, Sure: true})
	return k + 1 - i
}

// missingAt reads "Apr 9 is missing", "160 for fun" and "we sold 61 cookies".
func (r *reader) missingAt(i int) int {
	if p, ok := r.labelled(i, true); ok && r.is(p.end, missing, add) {
		r.wish(i, p.end+1, Wish{Kind: Add, Rows: []Row{r.newRow(p)}, Sure: true})
		return p.end + 1 - i
	}
	for k := i + 1; k < min(len(r.p), i+longestLabel) && (r.year(k-1) || r.form(k-1, word) && len(r.p[k-1].senses) == 0); k++ { // "2025 mit 141 noch dazu"
		at := r.skip(k, 1, in)
		q := r.quantityAt(at)
		if end := r.skip(at+q.n, 1, even); at > k && q.n > 0 && r.is(end, missing) {
			r.wish(i, end+1, Wish{Kind: Add, Rows: []Row{q.row(strings.TrimSpace(r.said(i, k)))}, Sure: true})
			return end + 1 - i
		}
	}
	end := r.newWords(i)
	if r.year(i) {
		end = i + 1
	}
	if end > i && r.is(end, missing) { // "Sonnencreme fehlt noch, am besten ganz oben"
		w := Wish{Kind: Add, Items: []string{r.said(i, end)}, Sure: true}
		at := end + 1
		k := at + 1
		for n := 0; n < 2 && r.form(k, word) && !r.is(k, be) && !r.is(at+1, very); n++ {
			k++
		}
		if k = r.skip(k, 1, be, it, even); !r.is(k-1, be, it) {
			k = at + 1
		}
		if q := r.quantityAt(k); r.punct(at, ",:–-") && q.n > 0 { // "September fehlt noch, 900"
			w.Rows, w.Items, at = []Row{q.row(w.Items[0])}, nil, k+q.n
			r.wish(i, at, w)
			return at - i
		}
		k = r.skip(at+1, 1, very, even)
		if where, n := r.placeAt(k); n > 0 && r.punct(at, ",") {
			w.To, at = where, k+n
		}
		r.wish(i, at, w)
		return at - i
	}
	if p, ok := r.labelled(i+1, true); ok && r.is(i, set, makes) && r.is(p.end, in, add) && r.ends(p.end+1) { // "put parks 5 in"
		r.wish(i, p.end+1, Wish{Kind: Add, Rows: []Row{r.newRow(p)}, Sure: true})
		return p.end + 1 - i
	}
	q := r.quantityAt(i)
	k := r.skip(i+q.n, 1, forWhom)
	if q.n == 0 || k == i+q.n && r.term(k, Label) == nil {
		return 0
	}
	words, n := r.thing(k, false)
	end = k + n
	if n == 0 || !r.ends(end) {
		return 0
	}
	r.wish(i, end, Wish{Kind: Rows, About: words, Rows: []Row{q.row(words)}, Sure: true})
	return end - i
}
