package wish

import (
	"slices"
	"strings"
)

// readEdits finds what is to be added, removed, replaced, moved, merged or sorted.
func (r *reader) readEdits() {
	items := r.v.listed()
	for i := 0; i < len(r.p); i++ {
		for _, e := range []struct {
			when bool
			read func(int) int
		}{
			{r.is(i, swap), r.swapAt},
			{r.is(i, merge), r.mergeAt},
			{r.is(i, move, makes, set), r.moveAt},
			{r.is(i, replace, set), r.replaceAt},
			{r.is(i, remove, without) && !r.is(i, makes), r.removeAt},
			{r.is(i, add) || r.is(i, makes) && r.newScene(i), r.addAt},
			{items && r.is(i, caption), r.captionAt},
			{items, r.sortAt},
			{r.is(i, article, makes, other), r.otherAt},
			{items, r.itemAt},
			{items && r.v.there, r.newAt},
			{items, r.missingAt},
			{items && r.is(i, solely), r.onlyAt},
		} {
			if n := 0; e.when && (r.free(i, i+1) || r.form(i, quoted) && r.v.there) {
				if n = e.read(i); n > 0 {
					i += n - 1
					break
				}
			}
		}
	}
}

// listed reports whether the vocabulary knows items of a list that exists.
func (v *Vocabulary) listed() bool {
	for l := v; l != nil; l = l.below {
		if l.items {
			return true
		}
	}
	return false
}

// thing reads a part of what is shown: an item of the data, a quotation, "the third item", "number 3". n
// is 0 if there is none. loose says that a number is enough: "swap 1 and 3".
func (r *reader) thing(i int, loose bool) (words string, n int) {
	k := r.skip(i, 1, article)
	s, nthOne := r.get(k, ordinal)
	item := func(k int) bool { return r.is(k, list, it, nth) || r.term(k, Noun, OfList) != nil }
	switch {
	case r.form(k, quoted), r.form(k, file):
		return r.p[k].text, k + 1 - i
	case r.term(k, Label) != nil:
		end := k + 1
		if r.is(end, list, scene) || r.term(end, Noun, OfList) != nil { // "the Tea bar"
			end++
		}
		return r.term(k, Label).Value, end - i
	case r.year(k) && r.present(r.p[k].text):
		return r.p[k].text, k + 1 - i
	case nthOne && item(k+1):
		return "#" + decimal(s.num), k + 2 - i
	case nthOne && loose && (r.ends(k+1) || r.is(k+1, and) && r.is(r.skip(k+2, 1, article), ordinal)): // "the first and the last"
		return "#" + decimal(s.num), k + 1 - i
	case item(k) && r.form(k+1, number):
		return "#" + decimal(r.p[k+1].num), k + 2 - i
	case loose && r.form(k, number) && !r.is(k+1, time, percent, times):
		return "#" + decimal(r.p[k].num), k + 1 - i
	}
	return "", 0
}

// things reads several things: "Tea and Juice", "the first two". Between them stand marks or joints.
func (r *reader) things(i int, loose bool, joints ...class) (found []string, n int) {
	k := r.skip(i, 1, article)
	if s, ok := r.get(k, ordinal); ok && r.plain(k+1).n == 1 && !r.is(k+2, time, scene) {
		step, count := 1.0, int(r.plain(k+1).value)
		if s.num < 0 {
			step = -1
		}
		for c := 0; c < min(count, most); c++ {
			found = append(found, "#"+decimal(s.num+step*float64(c)))
		}
		return found, r.skip(k+2, 1, list, it) - i
	}
	for end := i; ; {
		words, m := r.thing(end, loose)
		if m == 0 {
			return found, n
		}
		found, n = append(found, words), end+m-i
		k := r.skip(end+m, 1, joints...)
		if r.punct(k, ",、") {
			k = r.skip(k+1, 1, joints...)
		}
		if k == end+m {
			return found, n
		}
		end = k
	}
}

// ends reports whether an order ends before piece i: at a mark, or where the next order begins.
func (r *reader) ends(i int) bool {
	return i >= len(r.p) || r.form(i, line) || r.form(i, mark) && !r.is(i, and) || r.is(i, and, but, correct) && (r.begins(r.skip(i, 1, and, but, correct)) || r.goes(r.skip(i, 1, and)) > 0)
}

// begins reports whether an order begins at piece i: "make it red", "the title should be".
func (r *reader) begins(i int) bool {
	if r.is(i, makes, set, replace, add, remove, move, swap, merge, without, says, not) {
		return true
	}
	k := r.skip(i, 1, article)
	if _, n := r.colourAt(k); n > 0 && !r.v.base.shy[r.p[k].text] || r.term(k, Noun) != nil {
		return true
	}
	if r.form(i, word) && r.is(i+1, it) && i > 0 { // "and type it faster"
		return true
	}
	if at := r.skip(k, 1, bit, very); at > k && (r.term(at, Higher) != nil || r.term(at, Lower) != nil) { // ", a bit smaller"
		return true
	}
	_, n := r.thing(i, false)
	return n > 0 && (r.is(i+n, be, says, to) || r.quantityAt(i+n).n > 0)
}

// until is the end of the words of an order from piece i on.
func (r *reader) until(i int) int {
	end := r.tail(i)
	for k := i + 1; k < end; k++ {
		if r.is(k, and, but) && r.ends(k) {
			return k
		}
	}
	return end
}

// tail is the end of the words from i on: the end of the clause.
func (r *reader) tail(i int) int {
	for i < len(r.p) && !r.punct(i, ",;，、。") && !(r.punct(i, "/|") && r.breaks(i)) && !r.form(i, line) && !(r.punct(i, ".!") && i+1 == len(r.p)) {
		i++
	}
	return i
}

// goes is how many pieces say where a thing is to go, from piece i on.
func (r *reader) goes(i int) int {
	_, n := r.placeAt(i)
	return n
}

// placeAt reads where a thing is to go: "first", "to the top", "after Tea".
func (r *reader) placeAt(i int) (where string, n int) {
	if nth, m := r.edge(i); m > 0 {
		return decimal(float64(nth)), m
	}
	k := r.skip(i, 1, to, in, onto, article, as, even, very)
	s, ordinal := r.get(k, ordinal)
	switch words, m := r.thing(k+1, true); {
	case r.is(k, before) && m > 0:
		return "<" + words, r.skip(k+1+m, 1, scene) - i
	case r.is(k, after) && m > 0:
		return ">" + words, r.skip(k+1+m, 1, scene) - i
	case r.is(k, atStart), k > i && r.is(k, onLeft):
		where, k = "1", k+1
	case r.is(k, atEnd), k > i && r.is(k, onRight):
		where, k = "-1", k+1
	case ordinal && r.quantityAt(k+1).n == 0: // not "make scene 2 last 5 seconds"
		if where, k = decimal(s.num), r.skip(k+1, 1, list, nth, it); r.term(k, Noun, OfList) != nil { // "as the first step"
			k++
		}
	case r.is(k, nth) && r.form(k+1, number):
		where, k = decimal(r.p[k+1].num), k+2
	default:
		return "", 0
	}
	if j := r.skip(k, 1, of, article, list); r.is(j-1, list) {
		k = j
	}
	return where, k - i
}

// replaceAt reads "replace A with B", "change A to B", where A is a thing that is shown, or two colours.
func (r *reader) replaceAt(i int) int {
	words, n := r.thing(i+1, false)
	k := r.skip(i+1+n, 1, to, in, by, be, as)
	if n > 0 && k > i+1+n {
		if q := r.quantityAt(k); q.n > 0 && r.ends(k+q.n) {
			return 0 // a new number for it: itemAt
		}
		if end := r.until(k); end > k {
			if r.form(k, quoted) {
				end = k + 1
			}
			if to, n := r.thing(k, false); n == end-k {
				r.wish(i, end, Wish{Kind: Replace, From: words, To: to, Sure: true})
			} else {
				r.wish(i, end, Wish{Kind: Replace, From: words, To: r.bare(k, end), Sure: true})
			}
			return end - i
		}
	}
	if hex, m := r.colourAt(i + 1); m > 0 { // "replace red with blue"
		j := i + 1 + m
		if k := r.skip(j, 1, to, in, by); k > j && r.is(k, colour, toned) {
			r.wish(i, j, Wish{Kind: Colour, Value: hex, Not: true, Sure: true})
			return j - i
		}
	}
	return 0
}

// verbless is the end of pieces [i, j) without "everywhere" and the verb that ends a sentence in many languages.
func (r *reader) verbless(i, j int) int {
	for j > i+1 && r.is(j-1, everywhere) {
		j--
	}
	for k := j - 1; k > i+1 && (r.is(k, list, scene, every, filler, article) || r.term(k, Noun, OfList, OfText) != nil); { // "in both commands"
		if k--; r.is(k, in) {
			j = k
		}
	}
	for r.main != r.v.base.languages[0] && j > i+1 && r.is(j-1, set, makes, replace, be, says, in) {
		j--
	}
	return j
}

// holds reports whether one of pieces [i, j) has a meaning.
func (r *reader) holds(i, j int, c class) bool {
	for ; i < j; i++ {
		if r.is(i, c) {
			return true
		}
	}
	return false
}

// bare is the text of pieces [i, j), without quotation marks around it and without a verb at its end.
func (r *reader) bare(i, j int) string {
	j = r.verbless(i, j)
	if j == i+1 && r.form(i, quoted) {
		return r.p[i].text
	}
	return strings.TrimSpace(r.said(i, j))
}

// rejoin gives the first half of a verb that stands in two halves its meaning: "leave the author out", "take Tea off".
func (r *reader) rejoin() {
	if !r.v.there {
		return
	}
	for i := range r.p {
		if r.is(i, off) && r.ends(i+1) && r.noun(i-1) != "" && (i == 1 || r.breaks(i-2) || r.is(i-2, article, and)) { // "claim out"
			r.wish(i-1, i+1, Wish{Kind: Remove, About: r.noun(i - 1), Sure: true})
		}
		if !r.opensWith(i, apart) {
			continue
		}
		several := strings.Contains(r.p[i].text, " ") // "leave the"
		for k := i + 1; k < len(r.p) && k-i <= mostApart && !r.stop(k) && !r.is(k, and, or); k++ {
			if r.is(k, off) && (several || k > i+1) && (!r.form(k+1, word) || r.is(k+1, filler, please, now, and, of)) {
				r.p[i].senses, r.p[k].senses = []sense{{class: remove}}, []sense{{class: filler}}
			}
		}
	}
}

// opensWith reports whether the first word of piece i has a meaning: "leave the" may be one piece.
func (r *reader) opensWith(i int, c class) bool {
	if !r.form(i, word) {
		return false
	}
	first, _, _ := strings.Cut(r.p[i].text, " ")
	return slices.ContainsFunc(r.v.of(first), func(s sense) bool { return s.class == c })
}

// mostApart is how far the halves of a verb stand from each other at most.
const mostApart = 6

func (r *reader) removeAt(i int) int {
	if r.is(i, not) && r.punct(i-1, ",") && r.holds(r.sentence(i, 0), i, be) { // "o nome é Ana, não Bia" names another
		return 0
	}
	found, n := r.things(i+1, r.is(i, remove), and)
	if k := r.skip(i+1, 1, to); n == 0 && r.term(k, Label) != nil { // "quita a Pedro"
		found, n = r.things(k, true, and, to)
		n += k - i - 1
	}
	if k := r.skip(i+1, 1, article); n == 0 && r.is(k, beneath) && r.ends(k+1) { // "remove the second line"
		found, n = []string{"#2"}, k-i
	}
	if end := r.skip(i+1, 1, it); n == 0 && r.v.there && r.v.listed() && r.ends(end) { // "salmon is sold out, take it off"
		if item, at, ok := r.onlyItem(r.sentence(i, 0), i); ok && r.free(at, at+1) {
			r.wish(i, end, Wish{Kind: Remove, Items: []string{item}, Sure: true})
			return end - i
		}
	}
	if n == 0 {
		return 0
	}
	if to, end := r.inPlace(i + 1 + n); end > 0 && len(found) == 1 {
		r.wish(i, end, Wish{Kind: Replace, From: found[0], To: to, Sure: true})
		return end - i
	}
	r.wish(i, i+1+n, Wish{Kind: Remove, Items: found, Sure: true})
	return 1 + n
}

// inPlace reads what is to come in the place of an item that goes: ", Juice instead". end is 0 if nothing is.
func (r *reader) inPlace(i int) (to string, end int) {
	if !r.punct(i, ",") && !r.is(i, and) {
		return "", 0
	}
	from := r.skip(i+1, 1, and, anew, makes, add, article)
	if end = r.newWords(from); r.form(from, quoted) {
		end = from + 1
	}
	for last := from; end > from && last < end; last++ { // "Juice instead"
		if r.is(last, anew) {
			end = last
		}
	}
	if end <= from || !r.is(end, anew) && !r.is(i+1, anew) || !r.ends(r.skip(end, 1, anew)) {
		return "", 0
	}
	return r.bare(from, end), r.skip(end, 1, anew)
}

// Others is the unit of a Remove that takes away all but its items.
const Others = "others"

// onlyAt reads "only Tea and Juice".
func (r *reader) onlyAt(i int) int {
	found, n := r.things(i+1, false, and)
	if len(found) < 2 || !r.ends(i+1+n) && !r.is(i+1+n, please, filler) {
		return 0
	}
	r.wish(i, i+1+n, Wish{Kind: Remove, Items: found, Unit: Others, Sure: true})
	return 1 + n
}

// captionAt reads "caption the first picture Beach Day".
func (r *reader) captionAt(i int) int {
	words, n := r.thing(i+1, false)
	k := r.skip(i+1+n, 1, says, to, be, as)
	end := r.until(k)
	if n == 0 || end <= k || r.instructs(k, end) {
		return 0
	}
	r.wish(i, end, Wish{Kind: Replace, From: words, To: r.bare(k, end), Sure: true})
	return end - i
}

// otherAt reads "the other colour".
func (r *reader) otherAt(i int) int {
	k := r.skip(i, 1, article, makes)
	if !r.is(k, other) || r.noun(r.skip(k+1, 1, filler)) == "" && !r.is(k+1, filler) {
		return 0
	}
	r.wish(i, k+2, Wish{Kind: Other, About: r.noun(k + 1), Sure: true})
	return k + 2 - i
}

// itemAt reads what is said of items that exist: "Pears 50", "Pears should be 50", "the last point should
// say …", "Pears first", "salt & pepper is one item".
func (r *reader) itemAt(i int) int {
	words, n := r.thing(i, false)
	if n == 0 || r.form(i, quoted) && !(r.present(words) && r.is(i+n, be, says, remove)) {
		return 0
	}
	if found, m := r.things(i, false, and); len(found) > 1 && r.is(r.skip(i+m, 1, be, article), united) {
		end := r.skip(r.skip(i+m, 1, be, article), 1, united, list)
		if name, to := r.newName(end); to > 0 { // "Tea and Juice together as "Drinks""
			r.wish(i, to, Wish{Kind: Merge, Items: found, Value: name, Sure: true})
			return to - i
		}
		r.wish(i, end, Wish{Kind: Merge, Items: found, Value: r.said(r.skip(i, 1, article), i+m), Sure: true})
		return end - i
	}
	k := r.skip(i+n, 1, be, comes, aux)
	if r.is(k, remove) && r.ends(k+1) {
		if to, end := r.inPlace(k + 1); end > 0 {
			r.wish(i, end, Wish{Kind: Replace, From: words, To: to, Sure: true})
			return end - i
		}
		r.wish(i, k+1, Wish{Kind: Remove, Items: []string{words}, Sure: true})
		return k + 1 - i
	}
	if at := r.skip(i+n, 1, be, makes, comes, please, very, even); r.goes(at) > 0 {
		where, m := r.placeAt(at)
		k := at + m
		if end := r.skip(k, 1, in, makes, comes, move, please); r.ends(end) || r.is(end, and) {
			r.wish(i, end, Wish{Kind: Move, From: words, To: where, Sure: true})
			return end - i
		}
	}
	return r.valueAt(i, n, words)
}

// present reports whether words name an item that exists.
func (r *reader) present(words string) bool {
	return slices.ContainsFunc(r.v.of(fold(words)), func(s sense) bool { return s.term != nil && s.term.Role == Label })
}

// valueAt reads a new number or new words for the thing at pieces [i, i+n).
func (r *reader) valueAt(i, n int, words string) int {
	k := r.skip(i+n, 1, be, says, even)
	for r.punct(k, ":=→") {
		k++
	}
	_, coloured := r.colourAt(k)
	told := coloured > 0 && !r.capital(k) || r.term(k, Higher) != nil || r.term(k, Lower) != nil
	end := r.until(k)
	q := r.quantityAt(r.skip(k, 1, to, filler))
	if (q.n == 0 || r.is(k-1, says) && end > k+q.n) && (r.is(i+n, be, says) || r.form(i+n, quoted) && r.is(i-1, makes, set)) && end > k && !r.holds(k, end, instead) && !told && !r.instructs(k, end) && (r.is(k-1, says) || r.shows(k) || words[0] == '#' && r.strange(k, end)) {
		r.wish(i, end, Wish{Kind: Replace, From: words, To: r.bare(k, end), Sure: true})
		return end - i
	}
	if k = r.skip(k, 1, to, filler); q.n == 0 && r.is(r.skip(i-1, -1, article, to, of), set, makes, move, and) && r.is(k, in, onto) { // "put Tea at 25"
		k++
		q = r.quantityAt(k)
	}
	if q.n == 0 || !r.form(k, number) && !r.is(k, currency) || r.is(k+q.n, time) {
		return 0
	}
	r.wish(i, k+q.n, Wish{Kind: Rows, About: words, Rows: []Row{q.row(words)}, Sure: true})
	return k + q.n - i
}
