package wish

import (
	"slices"
	"strings"
)

// gathered are phrases with the words that plainly belong to them, or are a text by themselves: an exclamation, a question
// that is a title, an equation, pairs of words, a name.
func (v *Vocabulary) gathered(text string, phrases []Phrase) []Phrase {
	r := newReader(v, text, false, phrases...)
	all := r.pieces()
	next := r.exclaimed(r.questioned(r.paired(r.equations(r.namedFor(slices.Clone(all))))))
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

// questioned gives a headline the words around it that ask: "how a bill becomes a law in simple steps", of which "how a bill"
// was found.
func (r *reader) questioned(all []phrasePieces) []phrasePieces {
	for k := range all {
		p := &all[k]
		if p.role != Headline || r.form(p.from, quoted) {
			continue
		}
		if !r.wonders(p.from) {
			if p.from == 0 || r.p[p.from-1].phrase > 0 || !r.wonders(p.from-1) {
				continue
			}
			p.from--
		}
		for p.to < len(r.p) && r.p[p.to].phrase == 0 && r.form(p.to, word) && !r.meant(p.to, in, without, forWhom, as, medium, makes, says, atEnd, next, and, shape, loop) && r.term(p.to, Option) == nil {
			p.to++
		}
	}
	return all
}

// wonders reports whether piece i is a word such as "how", or such a word with an article.
func (r *reader) wonders(i int) bool {
	words := strings.Fields(r.p[i].text)
	of := func(n int, c class) bool {
		return slices.ContainsFunc(r.v.of(words[n]), func(s sense) bool { return s.class == c })
	}
	return len(words) > 0 && len(words) < 3 && r.form(i, word) && of(0, wonder) && of(len(words)-1, map[bool]class{true: wonder, false: article}[len(words) == 1])
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

// equations makes one headline of an equation that was taken apart: "6CO2 + 6H2O -> C6H12O6 + 6O2".
func (r *reader) equations(all []phrasePieces) []phrasePieces {
	for first := 0; first < len(all); first++ {
		last, sum, equal := first, false, false
		for ; last+1 < len(all) && all[last].role != Source; last++ {
			gap := strings.TrimSpace(r.s[r.p[all[last].to-1].span.To:r.p[all[last+1].from].span.From])
			if gap == "" || strings.Trim(gap, "+-−–×·*/=→>⇌ ") != "" {
				break
			}
			sum = sum || strings.ContainsAny(gap, "+×·*")
			equal = equal || strings.ContainsAny(gap, "=→>⇌")
		}
		if last > first && sum && equal {
			out := append([]phrasePieces{}, all[:first]...)
			return append(append(out, phrasePieces{all[first].from, all[last].to, Headline}), all[last+1:]...)
		}
	}
	return all
}

// namedFor takes the name of a business that a video is for, as a line to be shown: "for Blade & Co barbershop".
func (r *reader) namedFor(all []phrasePieces) []phrasePieces {
	for k := range all {
		p := &all[k]
		if p.role != Aside || !r.meant(p.from, forWhom) || r.v.base.capitals[r.main] {
			continue
		}
		n := p.from + 1
		for n < p.to && (r.capital(n) && len(r.v.of(r.p[n].text)) == 0 || r.said(n, n+1) == "&") {
			n++
		}
		if n > p.from+2 && r.capital(n-1) {
			*p = phrasePieces{p.from + 1, p.to, Second}
		}
	}
	return all
}
