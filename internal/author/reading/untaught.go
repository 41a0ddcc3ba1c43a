package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// untaught is a brief as the recipe reads it that its prompt means and that no example is of; the recipe is nil if there is none.
func (r *Reader) untaught(b Brief) (Brief, *recipe.Manifest) {
	m, named, sure := r.unknown(b)
	if m == nil {
		return b, nil
	}
	phrases := quotedOf(b)
	kinds := taker(m, takesKinds) != nil
	if kinds {
		phrases = r.cued(b)
	} else if named {
		phrases = r.unnamed(b)
	}
	next := b
	next.ranks, next.phrases = nil, r.entire(m, b.Prompt, phrases)
	if kinds && !sure && !r.drawsKinds(m, next, named) && !r.severalKinds(m, b) {
		b.Not = append(slices.Clone(b.Not), m.Name)
		return b, nil
	}
	return next, m
}

// foremost are candidates with a recipe put first that fits; m may be nil.
func foremost(ranked []candidate, m *recipe.Manifest) []candidate {
	i := slices.IndexFunc(ranked, func(c candidate) bool { return c.m == m })
	if i < 0 {
		return ranked
	}
	ranked = ahead(ranked, i)
	ranked[0].score = max(ranked[0].score, enough+closeBelow)
	return ranked
}

// ahead are candidates with one of them put first.
func ahead(ranked []candidate, i int) []candidate {
	better := ranked[i]
	return slices.Insert(slices.Delete(ranked, i, i+1), 0, better)
}

// unknown is the recipe that the prompt of a brief names and that no example is of, such as a person's own; nil if there is none. named is false
// if words mean it together; sure says that the recipe understood all of the prompt already.
func (r *Reader) unknown(b Brief) (m *recipe.Manifest, named, sure bool) {
	if b.phrases == nil || !slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool { return m.Learned == "" }) {
		return nil, false, false
	}
	read := r.choosing.Read(b.Prompt)
	ranked := r.rankAll(read, Brief{Prompt: b.Prompt, Data: b.Data, Assets: b.Assets})
	if len(ranked) > 0 && ranked[0].m.Learned == "" && ranked[0].named && ranked[0].score >= enough {
		return ranked[0].m, true, false
	}
	if len(b.Data)+len(b.Assets) > 0 {
		return nil, false, false
	}
	subjects := slices.DeleteFunc(read.Wishes(), func(w wish.Wish) bool { return w.Kind != wish.Subject || !w.Sure })
	i := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool {
		if len(m.Together) == 0 {
			return false
		}
		all, two := together(m, b.Prompt) == len(m.Together), twice(m.Together[0], b.Prompt)
		return (all || two) && !slices.ContainsFunc(ranked, func(c candidate) bool {
			other := func(w wish.Wish) bool {
				return w.About == c.m.Name && !(all && claims(m, b.Prompt[w.Span.From:w.Span.To]))
			}
			return c.named && c.m.Learned != "" && slices.ContainsFunc(subjects, other)
		})
	})
	if i >= 0 {
		return r.manifests[i], false, false
	}
	if i = slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return r.severalKinds(m, b) }); i >= 0 {
		return r.manifests[i], false, true
	}
	return nil, false, false
}

// claims reports whether words of several that name another recipe are among those that mean this one together: circles "side by side" are no
// comparison.
func claims(m *recipe.Manifest, said string) bool {
	if p := taker(m, takesKinds); p != nil && slices.ContainsFunc(p.Choices, func(c recipe.ChoiceValue) bool {
		return anyWord(c.Words, func(word string) bool { return strings.EqualFold(word, said) })
	}) { // a "ball" that turns into a square
		return true
	}
	return strings.Contains(said, " ") && slices.ContainsFunc(m.Together, func(words recipe.Words) bool {
		return anyWord(words, func(word string) bool { return strings.EqualFold(word, said) })
	})
}

// twice reports whether a text has more than one of some words: "Mon sunny 21, Tue cloudy 18".
func twice(words recipe.Words, text string) bool {
	places := map[int]bool{}
	return anyWord(words, func(word string) bool {
		if from, _ := find(text, word, 0); from >= 0 {
			places[from] = true
		}
		return len(places) > 1
	})
}

// together is of how many of its lists of words that mean a recipe together a text has one.
func together(m *recipe.Manifest, text string) (n int) {
	for _, words := range m.Together {
		if anyWord(words, func(word string) bool { from, _ := find(text, word, 0); return from >= 0 }) {
			n++
		}
	}
	return n
}

// unnamed are the phrases of a brief without those that are nothing but the name of a recipe: "podium Ana 31, Bo 28".
func (r *Reader) unnamed(b Brief) []wish.Phrase {
	named := r.choosing.Read(b.Prompt).Wishes()
	return slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool {
		return slices.ContainsFunc(named, func(w wish.Wish) bool { return w.Kind == wish.Subject && w.Span == p.Span })
	})
}

// quotedOf are the phrases of a brief that are quoted, or words to the maker.
func quotedOf(b Brief) []wish.Phrase {
	return slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool {
		return p.Role != wish.Aside && !strings.ContainsAny(b.Prompt[p.From:p.To], "\"“„«「")
	})
}

// cued are the phrases of a brief that words before them say are to be shown, or that are words to the maker.
func (r *Reader) cued(b Brief) []wish.Phrase {
	read := r.choosing.Read(b.Prompt)
	return slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool {
		cued, _ := read.Cues(p.Span)
		return p.Role != wish.Aside && !cued
	})
}

// entire are phrases with the words between them that mean nothing else, where no example says how such texts end: "Sat 70F" and
// "sunny" are one item, and so is what stands alone behind a colon.
func (r *Reader) entire(m *recipe.Manifest, prompt string, phrases []wish.Phrase) []wish.Phrase {
	if taker(m, takesKinds) != nil { // its rows are no texts, but "with the text REC" is one
		return phrases
	}
	var out []wish.Phrase
	from := 0
	loose := func(to int) {
		for _, s := range clauses(prompt, from, to) {
			said := prompt[s.From:s.To]
			means := together(m, said) > 0
			if !means && (!r.idle(said) || chooses(r.of(m), said)) { // "flat pastel style"
				continue
			}
			n := len(out)
			if n > 0 && out[n-1].Role == wish.Headline && strings.TrimSpace(prompt[out[n-1].To:s.From]) == "" { // "Oslo today -3" and "snow"
				out[n-1].To = s.To
				continue
			}
			last := n > 0 && inList(out[n-1].Role) && strings.TrimSpace(prompt[out[n-1].To:s.From]) == ""
			switch {
			case last && out[n-1].Role == wish.Item:
				out[n-1].To = s.To
			case last || means || strings.ContainsAny(prompt[:s.From], ":："):
				out = append(out, wish.Phrase{Span: s, Role: wish.Item})
			}
		}
	}
	for _, p := range phrases {
		loose(p.From)
		out, from = append(out, p), p.To
	}
	loose(len(prompt))
	if taker(m, "list") == nil || count(out, wish.Item) == 0 {
		return out
	}
	out = itemized(out, prompt)
	if last := len(out) - 1; last > 1 && out[last].Role == wish.Item && atPlace.MatchString(prompt[out[last].From:out[last].To]) { // "Mon sunny 21, Tue rain 15, in Bergen"
		out[last].Role = wish.Second
	}
	return out
}

// atPlace is the name of a place with the word before it.
var atPlace = regexp.MustCompile(`^(?:in|en|à|em|a|for|für|para|pour|per) \p{Lu}[^\d]*$`)

// itemized are phrases with items in place of names and figures: those that only a blank parts are one, and a name is one with what stands
// behind its colon.
func itemized(phrases []wish.Phrase, prompt string) (out []wish.Phrase) {
	if unmarked(phrases, prompt) {
		return phrases
	}
	named := false
	for _, p := range phrases {
		if !inList(p.Role) {
			out, named = append(out, p), false
			continue
		}
		name := p.Role == wish.Name
		p.Role = wish.Item
		if n := len(out); n > 0 && out[n-1].Role == wish.Item {
			between := strings.TrimSpace(prompt[out[n-1].To:p.From])
			if between == "" || named && (between == ":" || between == "：") {
				out[n-1].To, named = p.To, name
				continue
			}
		}
		out, named = append(out, p), name
	}
	return out
}

// inList reports whether phrases of a role are parts of a list.
func inList(role wish.PhraseRole) bool {
	return role == wish.Item || role == wish.Name || role == wish.Figure || role == wish.Measure
}

// idle reports whether words say nothing that any recipe knows, but for numbers.
func (r *Reader) idle(said string) bool {
	numbers := []wish.Kind{wish.Number, wish.Percent, wish.Range, wish.Share, wish.Rows}
	return !slices.ContainsFunc(r.choosing.Read(said).Wishes(), func(w wish.Wish) bool { return !slices.Contains(numbers, w.Kind) })
}

// clauses are the places of the words from one place of a text to another, parted at marks.
func clauses(text string, from, to int) (out []wish.Span) {
	part := func(c rune) bool { return strings.ContainsRune(",;:、，：；。\n", c) }
	for from < to {
		end := from + strings.IndexFunc(text[from:to], part)
		if end < from {
			end = to
		}
		said := strings.TrimFunc(text[from:end], unicode.IsSpace)
		if strings.ContainsFunc(said, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			at := from + strings.Index(text[from:end], said)
			out = append(out, wish.Span{From: at, To: at + len(said)})
		}
		_, n := utf8.DecodeRuneInString(text[end:])
		from = end + max(n, 1)
	}
	return out
}

// tabled is the place of a recipe of lists that a brief names by several words where examples speak for a chart of rows, whatever texts
// the words stand in: "table of prices: …", "league table: …". It is -1 if there is none.
func (r *Reader) tabled(ranked []candidate, b Brief) int {
	if ranked[0].named || !slices.Contains(ranked[0].m.Fits, "rows") {
		return -1
	}
	said := r.ranking.Read(b.Prompt).Wishes()
	return slices.IndexFunc(ranked, func(c candidate) bool {
		return slices.Contains(c.m.Fits, "list") && slices.ContainsFunc(said, func(w wish.Wish) bool {
			return w.Kind == wish.Subject && w.About == c.m.Name && w.Value == wish.PhraseValue && !w.Not
		})
	})
}
