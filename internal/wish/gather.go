package wish

import (
	"slices"
	"strings"
)

// gathered are phrases with the words that plainly belong to them, or are a text by themselves: an exclamation, a question
// that is a title, pairs of words, a name. A step is here only while a prompt of the corpora comes out worse without it, or the example
// in its own comment.
func (v *Vocabulary) gathered(text string, phrases []Phrase) []Phrase {
	r := newReader(v, text, false, phrases...)
	all := r.pieces()
	next := slices.Clone(all)
	for _, mended := range []func([]phrasePieces) []phrasePieces{
		r.withFiles, r.calls, r.ofName, r.called, r.wholeSecond, r.longMeasure, r.runsDown, r.introduced, r.paired, r.agenda, r.signed, r.versus, r.trailed, r.exclaimed, r.stating, r.paid, r.forWhat, r.subjectFirst, r.shouts, r.withWhom, r.lastPoint, r.postedTo, r.prefixed, r.dashed,
	} {
		next = mended(next)
	}
	if slices.Equal(all, next) {
		return phrases
	}
	out := make([]Phrase, 0, len(next))
	for _, p := range next {
		out = append(out, Phrase{Span{r.p[p.from].span.From, r.p[p.to-1].span.To}, p.role})
	}
	return out
}

// longestExclaimed is how many words an exclamation has at most.
const longestExclaimed = 6

// exclaimed makes headlines of exclamations that no phrase has: "flash sale!!! 50% off". Nobody shouts at koda what a video is
// to be, but for commands such as "make it pop!" and single words such as "thanks!".
func (r *reader) exclaimed(all []phrasePieces) []phrasePieces {
	for i := range r.p {
		if !r.punct(i, "!！") || r.p[i].phrase > 0 || r.punct(i-1, "!！") {
			continue
		}
		from := i
		told, shown := false, false
		for from > 0 && r.p[from-1].phrase == 0 && (r.form(from-1, word) || r.form(from-1, number)) {
			from--
			told = told || r.is(from, makes, it, please, set, add, remove, medium, says, self, ask, aux, mine, filler, colour, shape, time)
			shown = shown || r.is(from, announce) || r.term(from, Topic) != nil || r.term(from, Hint) != nil || r.term(from, Spoken) != nil || len(r.p[from].senses) == 0
		}
		if n := len(strings.Fields(r.said(from, i))); told || !shown || n < 2 || n > longestExclaimed || from > 0 && !r.form(from-1, mark) && !r.form(from-1, line) {
			continue
		}
		to := i + 1
		for r.punct(to, "!！") {
			to++
		}
		all = r.with(all, phrasePieces{from, to, Headline})
	}
	return all
}

// with are phrases with one more, in its place.
func (r *reader) with(all []phrasePieces, p phrasePieces) []phrasePieces {
	var out []phrasePieces
	for _, q := range all {
		if q.from >= p.to && p.to > 0 {
			out = append(out, p)
			p.to = 0
		}
		out = append(out, q)
	}
	if p.to > 0 {
		out = append(out, p)
	}
	return out
}

// paired makes one item of the two halves of each pair: "le chat - the cat, le chien - the dog". The heading may stand before
// the first without a mark: it has the words that the other first halves do not have.
func (r *reader) paired(all []phrasePieces) []phrasePieces {
	dash := func(i, j int) bool { return j == i+1 && r.punct(i, "-–—=→") && !r.touch(i) }
	for first := 0; first+3 < len(all); first++ {
		n, longest := 0, 0
		for k := first; k+1 < len(all) && (all[k].role == Item || all[k].role == Headline && k == first) && all[k+1].role == Item && dash(all[k].to, all[k+1].from); k += 2 {
			if n++; k > first {
				longest = max(longest, all[k].to-all[k].from)
			}
			if k+2 < len(all) && !(all[k+2].from == all[k+1].to+1 && (r.punct(all[k+1].to, ",;，、") || r.form(all[k+1].to, line))) {
				break
			}
		}
		if n < 2 {
			continue
		}
		out := append([]phrasePieces{}, all[:first]...)
		for k := first; k < first+2*n; k += 2 {
			p := phrasePieces{all[k].from, all[k+1].to, Item}
			if at := all[k].to - longest; k == first && all[k].role == Headline && at > p.from {
				out = append(out, phrasePieces{p.from, at, Headline})
				p.from = at
			}
			out = append(out, p)
		}
		return append(out, all[first+2*n:]...)
	}
	return all
}

// agenda gives the words before the first time of an agenda to its heading: "agenda for monday standup 9:00 Wins, 9:10
// Blockers", of which "standup 9:00 Wins" was found.
func (r *reader) agenda(all []phrasePieces) []phrasePieces {
	first := slices.IndexFunc(all, func(p phrasePieces) bool { at := r.hour(p.from); return p.role == Item && at >= 0 && at < p.to })
	if first < 0 || first+1 == len(all) || all[first+1].role != Item || r.hour(all[first+1].from) != all[first+1].from {
		return all
	}
	from, at := all[first].from, r.hour(all[first].from)
	all[first].from = at
	head := first
	for head > 0 && all[head-1].to == from && (all[head-1].role == Item || all[head-1].role == Headline) {
		head, from = head-1, all[head-1].from
	}
	if from == at {
		return all
	}
	return slices.Concat(all[:head], []phrasePieces{{from, at, Headline}}, all[first:])
}

// hour is the first piece from i on in the same line at which a time of day begins; -1 if there is none.
func (r *reader) hour(i int) int {
	for ; i < len(r.p) && !r.form(i, line) && !r.punct(i, ",;"); i++ {
		if r.form(i, clock) || r.form(i, number) && (r.is(i+1, oclock) || i+1 < len(r.p) && r.p[i+1].glued && r.p[i+1].text == "h") {
			return i
		}
	}
	return -1
}

// signed gives points their signs, where some are for and some against: "+ quiet - lonely".
func (r *reader) signed(all []phrasePieces) []phrasePieces {
	sign := func(p phrasePieces) (from int, for1, against bool) {
		from = p.from
		if !r.punct(from, "+-–−") && from > 0 && r.p[from-1].phrase == 0 {
			from--
		}
		if r.touch(from) && from == p.from || from > 0 && r.touch(from-1) && !r.punct(from-1, ":,;") {
			return p.from, false, false
		}
		return from, r.punct(from, "+"), r.punct(from, "-–−")
	}
	pro, contra := 0, 0
	for _, p := range all {
		_, is, not := sign(p)
		if is {
			pro++
		}
		if not {
			contra++
		}
	}
	if pro == 0 || contra == 0 || pro+contra < 3 {
		return all
	}
	for k := range all {
		if from, is, not := sign(all[k]); is || not {
			all[k].from, all[k].role = from, Item
		}
	}
	return all
}

// dashed makes a line below of the quotation that a dash parts from a headline: "Sunday service - "Come as you are"".
func (r *reader) dashed(all []phrasePieces) []phrasePieces {
	for _, p := range all {
		if last := p.to - 1; p.role == Headline && last > p.from+1 && r.form(last, quoted) && r.punct(last-1, "-–—") {
			return r.with(r.with(freeOf(all, p.from, p.to), phrasePieces{p.from, last - 1, Headline}), phrasePieces{last, p.to, Second})
		}
	}
	return all
}

// versus makes one heading of two names that are set against each other before their points: "Free plan vs Pro plan: Free:
// 1 project. Pro: no limit".
func (r *reader) versus(all []phrasePieces) []phrasePieces {
	named := func(i int) bool {
		return i > 0 && slices.ContainsFunc(all, func(p phrasePieces) bool {
			return p.role == Name && strings.EqualFold(r.said(p.from, p.to), r.p[i].text)
		})
	}
	for k, p := range all { // "our Basic and Premium insurance: Basic: fire. Premium: fire, theft"
		if p.role == Headline && r.is(p.from-1, and) && named(p.from-2) && named(p.from) && r.p[p.from-2].phrase == 0 {
			all[k].from -= 2
			return all
		}
	}
	for i := range r.p {
		if !r.is(i, versus) && !r.meant(i, versus) {
			continue
		}
		to := i + 1
		for to < len(r.p) && !r.form(to, mark) && !r.form(to, line) && !r.topical(to) { // "A vs B side by side: …"
			to++
		}
		from := i
		for from > 0 && !r.form(from-1, mark) && !r.form(from-1, line) && !r.is(from-1, of, medium, makes) && r.term(from-1, Topic) == nil {
			from--
		}
		names := 0
		for _, p := range all {
			if p.from >= to && p.role == Name && strings.Contains(strings.ToLower(r.said(from, to)), strings.ToLower(r.said(p.from, p.to))) {
				names++
			}
		}
		if names < 2 || from == i || to == i+1 {
			return all
		}
		rest := slices.DeleteFunc(slices.Clone(all), func(p phrasePieces) bool { return p.from < to && p.to > from })
		return r.with(rest, phrasePieces{from, to, Headline})
	}
	return all
}

// trailed gives the two figures that are set against each other the words behind them: "before: 40 minutes in line, after: 2
// minutes online".
func (r *reader) trailed(all []phrasePieces) []phrasePieces {
	var figures []int
	for k := range all {
		if all[k].role == Figure {
			figures = append(figures, k)
		}
	}
	if len(figures) != 2 || slices.ContainsFunc(figures, func(k int) bool { return k == 0 || all[k-1].role != Name || all[k].to == all[k].from+1 }) {
		return all
	}
	out := slices.Clone(all)
	for _, k := range slices.Backward(figures) {
		to := out[k].to
		for to < len(r.p) && r.form(to, word) && !r.meant(to, colour, shape, medium, makes, time, loop, please, filler, untold, and, versus) && r.term(to, Option) == nil && r.term(to, Noun) == nil && !(strings.Contains(r.p[to].text, " ") && (r.term(to, Topic) != nil || r.term(to, Hint) != nil)) {
			to++
		}
		if to < len(r.p) && !r.form(to, mark) && !r.form(to, line) {
			continue
		}
		out[k].to = to
		for k+1 < len(out) && out[k+1].from < to {
			out = slices.Delete(out, k+1, k+2)
		}
	}
	return out
}

// times reports whether piece i is a unit of time, whatever it means in its phrase.
func (r *reader) times(i int) bool {
	return i < len(r.p) && slices.ContainsFunc(slices.Concat(r.v.of(r.p[i].text), r.v.bent(r.p[i].text)), func(s sense) bool { return s.class == time })
}
