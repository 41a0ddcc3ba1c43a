package wish

import "strings"

// longestCorrection is how many pieces a correction of a number has at most.
const longestCorrection = 7

// Corrected is a text without the numbers that it takes back: "from 10, no wait, from 7" is "from 7". A correction repeats the
// words beside the number, or is a number alone.
func (v *Vocabulary) Corrected(text string) string {
	for range 3 { // people change their minds more than once
		next := newReader(v, text, false).corrected()
		if next == text {
			break
		}
		text = next
	}
	return text
}

// Undoubted is a change without what it asks itself and answers with no: "italic? no, just bigger".
func (v *Vocabulary) Undoubted(text string) string {
	r := newReader(v, text, false)
	for i := 1; i+2 < len(r.p); i++ {
		if !r.punct(i, "?") || !r.is(i+1, without) || !r.punct(i+2, ",.;") || i+3 >= len(r.p) {
			continue
		}
		from := i - 1
		for from > 0 && !r.closes(from-1) {
			from--
		}
		return text[:r.p[from].span.From] + text[r.p[i+3].span.From:]
	}
	return text
}

// corrected is the text with the first of its corrections in place of what it corrects.
func (r *reader) corrected() string {
	for i := 2; i < len(r.p); i++ { // "from 30 no that's too long from 15", "Muffin 2 €, nein Muffin 3 €"
		if !r.is(i, without) {
			continue
		}
		for j := i - 2; j >= max(0, i-4); j-- {
			if !r.form(j, word) || !r.form(j+1, number) {
				continue
			}
			for k := i + 1; k+1 < len(r.p) && k-i < longestCorrection && !r.form(k, mark); k++ {
				if r.p[k].text == r.p[j].text && r.form(k+1, number) {
					return r.s[:r.p[j].span.From] + r.s[r.p[k].span.From:]
				}
			}
		}
	}
	for i := 1; i < len(r.p); i++ {
		no := r.is(i, without) && r.breaks(i-1) && r.form(i+1, mark) // "no, from 10"
		if !no && (!r.is(i, correct) || !r.breaks(i-1) && !r.punct(i-1, "…—–-.(") && !strings.Contains(r.p[i].text, " ")) {
			continue
		}
		behind, from := i, i+1
		for behind > 0 && (r.form(behind-1, mark) || r.is(behind-1, without) && r.punct(behind, ",.!")) {
			behind--
		}
		for r.form(from, mark) || r.is(from, correct) || r.is(from, without) && r.form(from+1, mark) {
			from++
		}
		end := from
		for end < len(r.p) && !r.breaks(end) && !r.punct(end, "()…") && end-from < longestCorrection {
			end++
		}
		for ; from < end && r.figures(from, end); from++ {
			for to := end; to > from && r.figures(from, to); to-- { // "from 5, no wait, from 3 to 1 and then go"
				if old := r.same(from, to, behind); old.To > 0 && (to == end || to-from > 1) {
					return r.s[:old.From] + r.said(from, to) + r.s[old.To:r.p[behind-1].span.To] + strings.TrimLeft(r.s[r.p[to-1].span.To:], ")")
				}
			}
			if !r.is(from, makes, it, filler, be, to, in, onto, article) {
				break
			}
		}
	}
	return r.s
}

// figured reports whether piece i is a number, also in words, or a time of the day.
func (r *reader) figured(i int) bool {
	return r.form(i, number) || r.form(i, clock) || r.is(i, numeral) && !r.is(i, article)
}

// figures reports whether a number or a time of the day is among pieces [from, to).
func (r *reader) figures(from, to int) bool {
	for ; from < to; from++ {
		if r.figured(from) {
			return true
		}
	}
	return false
}

// extends reports whether piece a begins with the words of piece b, and says more: "% off" and "%".
func (r *reader) extends(a, b int) bool {
	said, rest := r.said(a, a+1), r.said(b, b+1)
	return len(said) > len(rest)+1 && strings.EqualFold(said[:len(rest)], rest) && said[len(rest)] == ' '
}

// same is the last stretch before a piece that says the same as pieces [first, end) but for its numbers.
func (r *reader) same(first, end, before int) Span {
	for k := before - (end - first); k >= 0; k-- {
		alike := true
		for n := range end - first {
			a, b := k+n, first+n
			alike = alike && (r.figured(a) && r.figured(b) || r.is(a, time) && r.is(b, time) || r.is(a, from) && r.is(b, from) || strings.EqualFold(r.p[a].text, r.p[b].text) || n == end-first-1 && r.extends(a, b))
		}
		if last := k + end - first - 1; alike {
			to := r.p[last].span.To
			if r.extends(last, end-1) {
				to = r.p[last].span.From + len(r.p[end-1].text)
			}
			return Span{r.p[k].span.From, to}
		}
	}
	return Span{}
}

// Drop is a thing that a text takes back.
type Drop struct {
	All, Thing Span // the clause that says so; the thing, without an article
}

// Dropped are the things that a text takes back behind a place: "scrap the pony rides", "take out the F chord".
func (v *Vocabulary) Dropped(text string, behind int) (out []Drop) {
	r := newReader(v, text, false)
	for i := r.pieceAt(behind); i < len(r.p); i++ {
		from := r.skip(i+1, 1, article, of, mine)
		if !r.is(i, remove, without) || from >= len(r.p) || !r.form(from, word) {
			continue
		}
		to := from
		for !r.closes(to) && to-from < longestCorrection {
			to++
		}
		out = append(out, Drop{All: r.place(Span{i, to}), Thing: r.place(Span{from, to})})
	}
	return out
}
