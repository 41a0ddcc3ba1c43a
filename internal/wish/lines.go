package wish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
