package wish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// capitals ends a headline in capitals before words in small letters, which are a line below: "WASH IN, WASH OUT for hand hygiene week".
func (r *reader) capitals(all []phrasePieces) (out []phrasePieces) {
	loud := func(i int) bool {
		said := r.said(i, i+1)
		return r.form(i, word) && said == strings.ToUpper(said) && strings.ContainsFunc(said, unicode.IsUpper)
	}
	for _, p := range all {
		words, k := 0, p.from
		for ; k < p.to && (loud(k) || !r.form(k, word)); k++ {
			if loud(k) && len(r.p[k].text) > 1 {
				words++
			}
		}
		quiet := k
		for ; quiet < p.to && (r.form(quiet, word) && !loud(quiet) || r.form(quiet, number)); quiet++ {
		}
		if p.role != Headline || words < 2 || k == p.to || quiet < p.to || p.to-k < 2 || !r.meant(k, forWhom, in, onto, of, by) {
			out = append(out, p)
			continue
		}
		out = append(out, phrasePieces{p.from, k, Headline}, phrasePieces{k, p.to, Second})
	}
	return out
}

// wholeLine gives a line that says from whom it is the words behind it that nothing knows: "love from the Thursday knitting circle".
func (r *reader) wholeLine(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		sender := false
		for i := p.from; i < p.to && i < p.from+3; i++ {
			sender = sender || r.meant(i, from)
		}
		if p.role != Second && p.role != Headline || r.form(p.from, quoted) || !sender {
			continue
		}
		to, strange := p.to, false
		for to < len(r.p) && r.p[to].phrase == 0 && r.form(to, word) && !r.meant(to, in, onto, without, makes, forWhom) {
			strange = strange || len(r.p[to].senses) == 0
			to++
		}
		if strange && (to == len(r.p) || r.form(to, mark) || r.form(to, line)) {
			all = slices.Clone(all)
			all[k].to = to
		}
	}
	return all
}

// forWhat gives a sentence of somebody about a number the words right behind it that say what the number is for: "We raised 24,500
// dollars for the animal shelter!".
func (r *reader) forWhat(all []phrasePieces) []phrasePieces {
	for k, q := range all {
		if q.role != Aside || !r.meant(q.from, forWhom) {
			continue
		}
		from, numbers := q.from, 0
		for from > 0 && !r.form(from-1, line) && !r.form(from-1, quoted) && (!r.form(from-1, mark) || r.is(from-1, currency)) {
			from--
			if r.form(from, number) {
				numbers++
			}
		}
		if numbers != 1 || r.form(from, number) || !r.meant(from, mine) || r.meant(from+1, makes, please) {
			continue
		}
		if j := r.phraseAt(all, from); j >= 0 && (all[j].from != from || all[j].role != Headline) {
			continue
		}
		first := k
		for first > 0 && all[first-1].from >= from {
			first--
		}
		return slices.Concat(all[:first], []phrasePieces{{from, q.to, Headline}}, all[k+1:])
	}
	return all
}

// thanked makes a line of the words behind the name of a person that say with a number what the greeting is for: "thanks to Margit, our
// accompanist, for 25 years at the piano".
func (r *reader) thanked(all []phrasePieces) []phrasePieces {
	whom := false
	for k, p := range all {
		switch {
		case p.role == Whom:
			whom = true
		case p.role != Aside:
			whom = false
		case whom && r.meant(p.from, forWhom):
			for i := p.from; i < p.to; i++ {
				if r.form(i, number) {
					all = slices.Clone(all)
					all[k].role = Second
					return all
				}
			}
		}
	}
	return all
}

// prefixed gives a headline the words right before it that say what the video is for: "para la inauguración de la panadería La
// Espiga".
func (r *reader) prefixed(all []phrasePieces) []phrasePieces {
	for k := 1; k < len(all); k++ {
		p, q := all[k-1], all[k]
		if p.role != Aside || q.role != Headline || p.to != q.from || r.form(q.from, quoted) || !r.meant(p.from, forWhom) {
			continue
		}
		if from := r.whatFor(p); from < p.to {
			return slices.Concat(all[:k-1], []phrasePieces{{from, q.to, Headline}}, all[k+1:])
		}
	}
	return all
}

// whatFor is where what a remark says that the video is for begins: "for our school fete".
func (r *reader) whatFor(p phrasePieces) int {
	from := p.from + 1
	for from < p.to && r.meant(from, article, mine) {
		from++
	}
	return from
}

// leastDashed is how many clauses with a dash each are a list.
const leastDashed = 3

// dashed makes an item of each clause behind a colon that has one dash with words on both sides, where they are many: "la forchetta -
// fork, il coltello - knife, il cucchiaio - spoon".
func (r *reader) dashed(all []phrasePieces) []phrasePieces {
	items := 0
	for _, p := range all {
		if p.role == Item {
			items++
		}
		if p.role == Figure || p.role == Name || p.role == Source {
			return all
		}
	}
	if items < 2 {
		return all
	}
	for i := range r.p {
		if !r.punct(i, ":：") {
			continue
		}
		var found []phrasePieces
		for from := i + 1; from < len(r.p); {
			to, dashes := from, 0
			for to < len(r.p) && !r.closes(to) {
				if r.punct(to, "-–—") && !r.touch(to) && to > from && to+1 < len(r.p) {
					dashes++
				}
				to++
			}
			if dashes != 1 {
				break
			}
			found = append(found, phrasePieces{from, to, Item})
			from = to + 1
		}
		if len(found) >= leastDashed {
			out := freeOf(all, i+1, found[len(found)-1].to)
			for _, p := range found {
				out = r.with(out, p)
			}
			return out
		}
	}
	return all
}

// wholeSpeaker gives a speaker the other words of the name before it: "d'Antoine de Saint-Exupéry".
func (r *reader) wholeSpeaker(all []phrasePieces) []phrasePieces {
	name := func(i int) bool {
		return i >= 0 && r.p[i].phrase == 0 && r.form(i, word) && (r.capital(i) || elided(r.said(i, i+1)) > 0)
	}
	for k, p := range all {
		i := p.from - 1
		for name(i) || i > 0 && r.meant(i, of) && name(i-1) && len(r.v.of(r.p[i-1].text)) == 0 {
			i--
		}
		if p.role == Speaker && i+1 < p.from && r.capital(p.from) {
			all = slices.Clone(all)
			all[k].from = i + 1
		}
	}
	return all
}

// elided is how many bytes of a word are another word before it without its vowel: "d'" of "d'Antoine".
func elided(s string) int {
	for _, mark := range []string{"'", "’"} {
		before, behind, ok := strings.Cut(s, mark)
		if first, _ := utf8.DecodeRuneInString(behind); ok && len(before) == 1 && strings.ToLower(before) == before && unicode.IsUpper(first) {
			return len(before + mark)
		}
	}
	return 0
}

// called takes the name at the end of a remark as a line to be shown: "I run a small bakery called Crumb & Co".
func (r *reader) called(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		if p.role != Aside {
			continue
		}
		from := p.to
		for from > p.from && r.punct(from-1, ".!") {
			from--
		}
		to := from
		for from > p.from && (r.capital(from-1) || r.said(from-1, from) == "&") {
			from--
		}
		if from < to && from > p.from && r.capital(from) && r.meant(from-1, says) {
			return slices.Concat(all[:k], []phrasePieces{{p.from, from, Aside}, {from, to, Second}}, all[k+1:])
		}
	}
	return all
}

// paid takes the currency of a number before a text from the text: "25,000 dollars for the new playground".
func (r *reader) paid(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		if (p.role == Headline || p.role == Second) && p.to > p.from+1 && r.form(p.from-1, number) && r.meant(p.from, currency) {
			all = slices.Clone(all)
			all[k].from++
		}
	}
	return all
}

// once drops a name that a remark says before the headline that shows the name: "my band is called Velvet Antlers, a title that says
// VELVET ANTLERS".
func (r *reader) once(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		same := func(q phrasePieces) bool {
			return q.role == Headline && strings.EqualFold(r.said(p.from, p.to), r.said(q.from, q.to))
		}
		if p.role == Headline && p.from > 0 && r.meant(p.from-1, says) && slices.ContainsFunc(all[k+1:], same) {
			return slices.Delete(slices.Clone(all), k, k+1)
		}
	}
	return all
}

// mostDays is how many days a month has at most.
const mostDays = 31

// dayOfMonth reports whether piece i is a number that a day of a month may have.
func (r *reader) dayOfMonth(i int) bool {
	return r.form(i, number) && r.p[i].num >= 1 && r.p[i].num <= mostDays
}

// onDay gives a text that begins with a month the day before it: "countdown to 14 June 2026".
func (r *reader) onDay(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		i := p.from - 1
		if end := r.dayAt(p.to); p.role == Headline && end > 0 && r.meant(p.to, in, onto) && !r.form(p.from, quoted) { // "our gala on 19 July"
			all = slices.Clone(all)
			all[k].to = end
			continue
		}
		if p.role != Headline && p.role != Second || i < 0 || r.p[i].phrase > 0 || !r.dayOfMonth(i) || r.year(p.from) || !r.period(p.from) {
			continue
		}
		all = slices.Clone(all)
		all[k].from = i
		if q := k + 1; q < len(all) && p.role == Headline && all[q].role == Aside && all[q].from == p.to && r.meant(p.to, forWhom) { // "… for our school fete"
			if from := r.whatFor(all[q]); from < all[q].to {
				all[q] = phrasePieces{from, all[q].to, Second}
			}
		}
	}
	return all
}

// upToDay takes a day to which a video counts, and which no phrase has, as a line: "countdown to 14 September, Harvest Fair".
func (r *reader) upToDay(all []phrasePieces) []phrasePieces {
	if len(all) == 0 || all[0].role != Headline {
		return all
	}
	for i := 1; i+1 < all[0].from; i++ {
		if end := r.dayAt(i); end > 0 && r.meant(i, to, upTo) {
			return r.with(all, phrasePieces{i + 1, end, Second})
		}
	}
	return all
}

// dayAt is where a day in a month ends that stands at piece i behind a word such as "on"; 0 if none does.
func (r *reader) dayAt(i int) int {
	if i+2 >= len(r.p) || !r.meant(i, in, onto, to, upTo) {
		return 0
	}
	month := func(i int) bool { return r.form(i, word) && r.period(i) }
	end := i + 3
	if a, b := i+1, i+2; r.p[a].phrase > 0 || r.p[b].phrase > 0 || !(r.dayOfMonth(a) && month(b) || month(a) && r.dayOfMonth(b)) {
		return 0
	}
	if end < len(r.p) && r.year(end) && r.p[end].phrase == 0 {
		end++
	}
	return end
}

// wholeSecond gives a line the words before it that stand behind the words for its place: "and below it second show added 9 May", of
// which "added 9 May" was found.
func (r *reader) wholeSecond(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		i := p.from - 1
		for i >= 0 && r.p[i].phrase == 0 && r.form(i, word) && !r.meant(i, beneath, says, caption) && p.from-i < longestExclaimed {
			i--
		}
		if p.role == Second && i+1 < p.from && i >= 0 && r.meant(i, beneath) && !r.meant(i+1, it, article, mine) && !r.form(p.from, quoted) && !slices.ContainsFunc(r.p[i+1:p.from], func(p piece) bool { return strings.Contains(p.text, " ") }) {
			all = slices.Clone(all)
			all[k].from = i + 1
		}
	}
	return all
}
