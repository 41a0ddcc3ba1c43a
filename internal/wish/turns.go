package wish

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Turn says that a text asks for other words where some words stand. What stands there decides whether
// the turn is meant: "Anne, not Anna" may turn either name into the other.
type Turn struct {
	From, To string
	Span     Span // of both
	Old, New Span // New is empty if the words are to go
	Wish     bool // Old is what a wish denies: a colour, a choice
	Not      bool // the text says "not" of Old, or "instead of" it
	Says     bool // it says so of what is said: "don't say A, say B"
	Loose    bool // only "should be" stands between, and New does not look like words to show
}

// mostTurns is how many turns are read.
const mostTurns = 60

// Turns lists what may be asked of words that stand there, in the order of the text: "Anne, not Anna",
// "replace A by B", "A should be B", "without the word A".
func (r *Reading) Turns() (out []Turn) {
	rd := r.r
	loose := false
	turn := func(from, to, oldFrom, oldTo, newFrom, newTo int) {
		t := Turn{}
		for oldTo > oldFrom+1 && rd.is(oldTo-1, please, anew, correct) { // "not mondays, sorry"
			oldTo--
		}
		t.Old, t.From = rd.inside(oldFrom, oldTo)
		if newTo > newFrom && rd.form(newFrom, quoted) {
			if newTo == to {
				to = newFrom + 1
			}
			newTo = newFrom + 1
		}
		if newTo > newFrom {
			newTo = rd.verbless(newFrom, newTo)
			t.New, t.To = rd.inside(newFrom, newTo)
		}
		if at, n := rd.onlyQuantity(newFrom, newTo); n > 0 && oldFrom+rd.quantityAt(oldFrom).n == oldTo { // "she turns 8, not 7"
			newFrom, newTo = at, at+n
			t.New, t.To = rd.inside(newFrom, newTo)
		}
		if rd.quantityAt(newFrom).n > 0 && rd.quantityAt(oldFrom).n == 0 && newTo > newFrom {
			return // a number for a thing
		}
		if t.From == "" || newTo > newFrom && t.To == "" || len(out) >= mostTurns || oldTo == oldFrom+1 && (rd.term(oldFrom, Noun) != nil || rd.is(oldFrom, article, it)) { // not "never said that"
			return
		}
		t.Span = Span{rd.p[from].span.From, rd.p[to-1].span.To}
		t.Not = rd.is(oldFrom-1, not, instead) || rd.is(oldFrom-2, not, instead)
		t.Says = t.Not && rd.is(oldFrom-1, says)
		t.Loose = loose && !rd.shows(newFrom) && !similar(t.From, t.To)
		if w := rd.p[oldFrom].wish; w > 0 && !(newTo == newFrom && rd.is(oldFrom-1, caption)) && !(newTo > newFrom && rd.term(oldFrom, Label) != nil) { // not "drop the word big"
			t.Wish = rd.wishes[w-1].Not && !slices.Contains([]Kind{Clock, Number, Percent, Length}, rd.wishes[w-1].Kind) || newTo == newFrom && rd.wishes[w-1].Kind != Remove
		}
		out = append(out, t)
	}
	for i := 0; i < len(rd.p) && len(out) < mostTurns; i++ {
		if !rd.is(i, replace, set, not, instead, remove, without, be, to, add) && !rd.punct(i, "→") {
			continue
		}
		end := rd.until(i + 1)
		right := rd.skip(i+1, 1, article, caption, even)
		if rd.is(i, not) {
			right = rd.skip(right, 1, says)
		}
		left := rd.lead(i)
		loose = rd.is(i, be, to) && !rd.is(i, replace, set, not, instead, remove, without)
		switch {
		case rd.is(i, add):
			out = append(out, rd.inserted(i, end)...)
		case rd.is(i, replace, set):
			for k := right + 1; k < min(end, right+longestLabel); k++ {
				if rd.is(k, to, in, by, as, be) {
					turn(i, end, right, k, rd.skip(k, 1, to, in, by, as, be), end)
				}
			}
		case rd.is(i, not, instead):
			left = rd.newest(left, i)
			if left < i {
				turn(left, end, right, end, left, i)
				turn(left, end, left, i, right, end)
			} else if rd.term(right, Label) != nil && !rd.is(i, not) { // "instead of Tea Juice"
				turn(i, end, right, right+1, rd.skip(right+1, 1, even), end)
			}
			for k := right + 1; k < min(len(rd.p), right+longestLabel) && left == i && !rd.stop(k); k++ { // "not Anna but Anne"
				if rd.is(k, but, correct, makes, set) || rd.punct(k, ",") {
					n := rd.skip(k+1, 1, but, correct, makes, set, says)
					turn(i, rd.until(n), right, k, n, rd.until(n))
				}
			}
		case rd.is(i, remove, without):
			turn(i, end, right, end, 0, 0)
		case (rd.is(i, be, to) || rd.punct(i, "→")) && left < i:
			turn(left, end, left, i, rd.skip(i+1, 1, be, to), end)
		}
	}
	return out
}

// onlyQuantity is where the only quantity among pieces [i, j) stands, and how many pieces it has; none if there are several.
func (r *reader) onlyQuantity(i, j int) (at, n int) {
	for k := i; k < j; k++ {
		q := r.quantityAt(k)
		if q.n == 0 || k+q.n > j {
			continue
		}
		if n > 0 {
			return 0, 0
		}
		at, n = k, q.n
		k += q.n - 1
	}
	return at, n
}

// newest is where the words begin that are to stand there instead, among pieces [i, j): behind the last word such as "say", or at a
// quotation: "in the last one say Sunday market instead of Saturday", "call it "Fun" instead of hobbies".
func (r *reader) newest(i, j int) int {
	for k := i; k < j; k++ {
		if r.is(k, says) || r.is(k, be) && k > i && k+1 < j { // "the name is Ann, not Anna"
			i = k + 1
		}
	}
	if r.form(j-1, quoted) && r.is(j, instead) {
		return j - 1
	}
	return i
}

// inserted reads a text that is to stand before or behind words: "add "2026" after New Year", from piece i on up to end. The longest
// words come first.
func (r *reader) inserted(i, end int) (out []Turn) {
	where := i + 2
	for k := min(end, where+1+longestLabel); k > where+1 && r.form(i+1, quoted) && r.is(where, after, before); k-- {
		old, from := r.inside(where+1, k)
		if from == "" {
			continue
		}
		to := from + " " + r.p[i+1].text
		if r.is(where, before) {
			to = r.p[i+1].text + " " + from
		}
		out = append(out, Turn{From: from, To: to, Span: Span{r.p[i].span.From, old.To}, Old: old})
	}
	return out
}

// shows reports whether words to show begin at piece i, as far as looks tell: a quotation, a number, a name. Other
// words mostly say how a thing is to be: "red", "next to each other".
func (r *reader) shows(i int) bool {
	if i >= len(r.p) || r.form(i, word) && r.v.base.capitals[r.main] && len(r.p[i].senses) > 0 { // every noun has a capital
		return false
	}
	return !r.form(i, word) || r.capital(i) || single(firstRune(r.said(i, i+1)))
}

// strange reports whether pieces [i, j) mean nothing but items that exist, so that they can only be words to show.
func (r *reader) strange(i, j int) bool {
	for k := i; k < j; k++ {
		if slices.ContainsFunc(r.p[k].senses, func(s sense) bool { return s.term == nil || s.term.Role != Label }) {
			return false
		}
	}
	return true
}

// similar reports whether one text may take the place of another without a word about it: it is the other misspelt, or
// has a word of it: "Ana", "same time" for "same hour".
func similar(a, b string) bool {
	a, b = fold(a), fold(b)
	return koda.Slips(a, b) <= max(1, min(len(a), len(b))/4) || slices.ContainsFunc(strings.Fields(a), func(w string) bool {
		return len(w) > 2 && slices.Contains(strings.Fields(b), w)
	})
}

// lead is where the words before piece i begin, in its clause, after words that only instruct.
func (r *reader) lead(i int) int {
	k := i
	if k > 0 && r.punct(k-1, ",、，") {
		k--
	}
	if k == 0 || r.breaks(k-1) {
		return i
	}
	from := r.clauseOf(k - 1).From
	for from < k && (r.is(from, orders...) || r.is(from, replace, correct) || r.textNoun(from) != nil && r.is(from+1, be, to)) {
		from++
	}
	if from == k {
		return i
	}
	return from
}

// inside is the text of pieces [i, j) without the marks around it.
func (r *reader) inside(i, j int) (Span, string) {
	if i >= j || j > len(r.p) {
		return Span{}, ""
	}
	if j == i+1 && r.form(i, quoted) {
		return r.p[i].span, r.p[i].text
	}
	return r.trimmed(i, j)
}

// Respells reports whether a text says that words are to be spelled otherwise.
func (r *Reading) Respells() bool {
	return slices.ContainsFunc(r.r.p, func(p piece) bool {
		return slices.ContainsFunc(p.senses, func(s sense) bool { return s.class == respell })
	})
}

// Means reports whether a word at a place orders something, such as "make".
func (r *Reading) Means(s Span) bool {
	i := r.r.pieceAt(s.From)
	return i < len(r.r.p) && r.r.order(i)
}

// Currency is the currency that a text names beside no number, the first that it does not take away.
func (r *Reading) Currency() (code string, place Span, ok bool) {
	rd := r.r
	for i := range rd.p {
		if s, is := rd.get(i, currency); is && !rd.form(i-1, number) && !rd.form(i+1, number) && !rd.is(rd.skip(i-1, -1, article), not, instead, without) {
			return s.value, rd.p[i].span, true
		}
	}
	return "", Span{}, false
}
