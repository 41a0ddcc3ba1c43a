package wish

import (
	"fmt"
	"slices"
	"strings"
)

// readEdits finds what is to be merged, swapped or sorted, what alone is to stay, and "the other colour". Other orders about things are
// those of examples: see Parts.
func (r *reader) readEdits() {
	items := r.v.listed()
	for i := 0; i < len(r.p); i++ {
		for _, e := range []struct {
			when bool
			read func(int) int
		}{
			{r.is(i, swap), r.swapAt},
			{r.is(i, merge), r.mergeAt},
			{true, r.sortAt},
			{r.is(i, article, makes, other), r.otherAt},
			{items, r.unitedAt},
			{items && r.is(i, solely, allBut), r.onlyAt},
			{items, r.scaledAt},
			{items && r.is(i, firstOnly, topOnly), r.onlySome},
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
	case nthOne && loose && (r.ends(k+1) || k+2 == len(r.p) && r.is(k+1, article) || r.is(k+1, and) && r.is(r.skip(k+2, 1, article), ordinal)): // "the first and the last"
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
		return found, r.skip(k+2, 1, list, it, periods) - i
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
	k := i
	if !r.is(i, before, after) { // "vor" is also "onto"
		k = r.skip(i, 1, to, in, onto, article, as, even, very)
	}
	s, ordinal := r.get(k, ordinal)
	switch words, m := r.thing(k+1, true); {
	case r.is(k, before) && m > 0:
		return "<" + words, r.skip(k+1+m, 1, scene) - i
	case r.is(k, after) && m > 0:
		return ">" + words, r.skip(k+1+m, 1, scene) - i
	case r.is(k, between): // "between the two", of which there are two only
		if words, m = r.thing(r.skip(k+1, 1, article), true); m > 0 {
			return ">" + words, k + 1 + m - i
		}
		if last := r.skip(k+1, 1, article); r.plain(last).value == 2 || r.is(last, it) {
			return ">#1", last + 1 - i
		}
		return "", 0
	case r.is(k, atStart), k > i && r.is(k, onLeft):
		where, k = "1", k+1
	case r.is(k, atEnd), k > i && r.is(k, onRight):
		where, k = "-1", k+1
	case ordinal && (r.quantityAt(k+1).n == 0 || r.plain(k+1).value == 1 && r.ends(k+2)): // "the first one", not "make scene 2 last 5 seconds"
		if r.plain(k+1).value == 1 {
			k++
		}
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

// bare is the text of pieces [i, j), without quotation marks around it and without a verb at its end.
func (r *reader) bare(i, j int) string {
	j = r.verbless(i, j)
	if j == i+1 && r.form(i, quoted) {
		return r.p[i].text
	}
	return strings.TrimSpace(r.said(i, j))
}

// Others is the unit of a Remove that takes away all but its items.
const Others = "others"

// onlyAt reads "only Tea and Juice", "remove everything but Tea", "show all but Tea".
func (r *reader) onlyAt(i int) int {
	found, n := r.things(i+1, false, and)
	from, end, gone := i, i+1+n, false
	for ; from > 0 && r.is(from-1, remove, keeps, makes, please, filler, even); from-- {
		gone = gone || r.is(from-1, remove)
	}
	for ; r.is(end, remove, please, filler); end++ {
		gone = gone || r.is(end, remove)
	}
	alone := from == 0 || r.breaks(from-1) || r.is(from-1, and) // "highlight only Tea" is no wish for Tea alone
	w := Wish{Kind: Remove, Items: found, Unit: Others, Sure: true}
	if r.is(i, allBut) && !gone {
		alone, w.Unit = alone && from < i, ""
	}
	if n == 0 || !alone && (len(found) < 2 || r.is(i, allBut)) || !r.ends(end) {
		return 0
	}
	r.wish(from, end, w)
	return end - i
}

// scaledAt reads by what the numbers of all items are multiplied, or those of some: "double all values", "divide the pears by 10", "all values
// times 2".
func (r *reader) scaledAt(i int) int {
	f, factored := r.get(i, factor)
	k, some := i, false
	if factored || r.is(i, multiplied, divided) {
		k++
	}
	for ; r.is(k, all, every, article, of, list) && !r.is(k, by) || r.term(k, Noun, OfList) != nil || some && (r.term(k, Noun, OfColour) != nil || r.term(k, Option) != nil); k++ {
		some = some || r.is(k, all) || r.term(k, Noun, OfList) != nil
	}
	found, n := r.things(k, false, and)
	if k += n; n == 0 && !some {
		return 0
	}
	if at := r.skip(k, 1, to, by, times, in, multiplied, divided); !factored && (at > k && (r.is(i, multiplied, divided) || !r.is(k, to, by, in))) {
		q := r.plain(at)
		if f.num = q.value; r.is(i, divided) || r.is(k, divided) {
			f.num = 1 / q.value
		}
		if k = at + q.n; q.n == 0 || q.value <= 0 {
			return 0
		}
	} else if !factored {
		return 0
	}
	if !r.ends(r.skip(k, 1, please)) {
		return 0
	}
	r.wish(i, k, Wish{Kind: More, Items: found, By: f.num, Unit: Others, Sure: true})
	return k - i
}

// Largest is the value of a Remove that takes away all but so many of the largest.
const Largest = "largest"

// onlySome reads "only the first three", "show just the top two".
func (r *reader) onlySome(i int) int {
	q := r.plain(i + 1)
	if q.n == 0 || q.value < 1 {
		return 0
	}
	w := Wish{Kind: Remove, Unit: Others, Sure: true}
	if r.is(i, topOnly) {
		w.Value = Largest
	}
	for n := range int(min(q.value, mostOnly)) {
		w.Items = append(w.Items, fmt.Sprintf("#%d", n+1))
	}
	end := r.skip(i+1+q.n, 1, list, it, of)
	r.wish(i, end, w)
	return end - i
}

// mostOnly is how many items a change names at most by their number.
const mostOnly = 100

// otherAt reads "the other colour".
func (r *reader) otherAt(i int) int {
	k := r.skip(i, 1, article, makes)
	if r.v.there && r.term(k+1, Unit) != nil && r.is(r.skip(i-1, -1, article, even, please), add) { // "add another ball"
		return 0
	}
	if !r.is(k, other) || r.noun(r.skip(k+1, 1, filler)) == "" && !r.is(k+1, filler) {
		return 0
	}
	r.wish(i, k+2, Wish{Kind: Other, About: r.noun(k + 1), Sure: true})
	return k + 2 - i
}

// unitedAt reads "salt & pepper is one item".
func (r *reader) unitedAt(i int) int {
	found, m := r.things(i, false, and)
	if len(found) < 2 || !r.is(r.skip(i+m, 1, be, article), united) {
		return 0
	}
	end := r.skip(r.skip(i+m, 1, be, article), 1, united, list)
	if name, to := r.newName(end); to > 0 { // "Tea and Juice together as "Drinks""
		r.wish(i, to, Wish{Kind: Merge, Items: found, Value: name, Sure: true})
		return to - i
	}
	r.wish(i, end, Wish{Kind: Merge, Items: found, Value: r.said(r.skip(i, 1, article), i+m), Sure: true})
	return end - i
}

// present reports whether words name an item that exists.
func (r *reader) present(words string) bool {
	return slices.ContainsFunc(r.v.of(fold(words)), func(s sense) bool { return s.term != nil && s.term.Role == Label })
}
