package reading

import (
	"maps"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// rivals are phrases without other names, where words between two say that they play against each other: "our match ended 3:1, Ahlen
// against Horst".
func (f *filler) rivals(b Brief) []wish.Phrase {
	var names []wish.Phrase
	for _, p := range b.phrases {
		if p.Role == wish.Name {
			names = append(names, p)
		}
	}
	for i := 1; len(names) > 2 && i < len(names); i++ {
		if one, other := names[i-1], names[i]; f.read.Opposes(wish.Span{From: one.To, To: other.From}) {
			return slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool { return p.Role == wish.Name && p != one && p != other })
		}
	}
	return b.phrases
}

// beaten are phrases with the sides and figures of a headline that tells a result, in its place: "Lakers beat Celtics 112 to 108".
func (f *filler) beaten(phrases []wish.Phrase, prompt string) []wish.Phrase {
	p := taker(f.m, "outcome")
	i := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Headline })
	if p == nil || i < 0 || slices.ContainsFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Name }) {
		return phrases
	}
	for _, c := range p.Choices {
		for _, word := range wordsOf(c.Words) {
			from, to := find(prompt[:phrases[i].To], word, phrases[i].From)
			at := ending.FindStringSubmatchIndex(prompt[max(to, 0):])
			if from <= phrases[i].From || at == nil || strings.Trim(prompt[to:to+at[0]], " ,") == "" {
				continue
			}
			span := func(from, until int) wish.Span { return wish.Span{From: to + from, To: to + until} }
			return slices.Concat(phrases[:i], []wish.Phrase{
				{Span: wish.Span{From: phrases[i].From, To: from}, Role: wish.Name},
				{Span: span(0, at[0]), Role: wish.Name},
				{Span: span(at[2], at[3]), Role: wish.Figure},
				{Span: span(at[4], at[5]), Role: wish.Figure},
			}, slices.DeleteFunc(slices.Clone(phrases[i+1:]), func(p wish.Phrase) bool { return p.Role == wish.Figure }))
		}
	}
	return phrases
}

// wordsOf are the words of all languages, in an order that is always the same.
func wordsOf(all recipe.Words) (out []string) {
	for _, lang := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[lang]...)
	}
	return out
}

// contested are two sides that a headline sets against each other, each with all points, where nothing says which are whose: "iPhone vs
// Android: price, camera".
func (f *filler) contested(b Brief) (sides []side, spans []wish.Span) {
	var lines []string
	for _, p := range b.phrases {
		switch {
		case p.Role == wish.Headline && sides == nil && f.read.Opposes(p.Span):
			halves, ok := f.read.Versus(p.Span)
			if !ok {
				return nil, nil
			}
			for _, half := range halves {
				sides = append(sides, side{name: trimmed(f.read.Said(half)), from: half.From})
			}
		case p.Role == wish.Item:
			lines = append(lines, trimmed(b.Prompt[p.From:p.To]))
		case p.Role != wish.Aside:
			return nil, nil
		}
		if p.Role != wish.Aside {
			spans = append(spans, p.Span)
		}
	}
	if sides == nil || lines == nil {
		return nil, nil
	}
	sides[0].lines, sides[1].lines = lines, lines
	if len(lines) == 2 && digits.MatchString(lines[0]) && digits.MatchString(lines[1]) { // "12 dishes and 28 dishes"
		sides[0].lines, sides[1].lines = lines[:1], lines[1:]
	}
	return sides, spans
}

// coloured gives a colour to the side whose name alone stands with it between two marks, elsewhere than where the sides are told: "…, make
// Arsenal's side red".
func (f *filler) coloured(prompt string, sides []side, spans []wish.Span) {
	for _, c := range f.wishes {
		if c.Kind != wish.Colour || c.Label != "" || c.About != "" || c.Not || f.taken[c.Span] || slices.ContainsFunc(spans, c.Span.Overlaps) {
			continue
		}
		from := strings.LastIndexAny(prompt[:c.Span.From], ",.;:") + 1
		for _, o := range f.wishes { // "eastwood in green westbrook in orange"
			if o.Kind == wish.Colour && o.Span.To <= c.Span.From {
				from = max(from, o.Span.To)
			}
		}
		to := len(prompt)
		if at := strings.IndexAny(prompt[c.Span.To:], ",.;:"); at >= 0 {
			to = c.Span.To + at
		}
		if slices.ContainsFunc(sides, func(s side) bool {
			at, _ := findSide(prompt[:c.Span.From], s.name, from)
			return s.name != "" && at >= 0
		}) {
			to = c.Span.To
		}
		of := -1
		for i, s := range sides {
			if at, end := findSide(prompt[:to], s.name, from); s.name != "" && at >= 0 && !c.Span.Overlaps(wish.Span{From: at, To: end}) {
				if of >= 0 { // of both
					of = -1
					break
				}
				of = i
			}
		}
		clause := wish.Span{From: from, To: to}
		if of < 0 || sides[of].colour != "" || slices.ContainsFunc(spans, clause.Overlaps) {
			continue
		}
		sides[of].colour, f.taken[c.Span] = c.Value, true
		f.shown = append(f.shown, wish.Span{From: from, To: c.Span.From})
	}
}

// findSide is find for the name of a side, or for its first word alone: "eastwood", of "Eastwood High".
func findSide(said, name string, from int) (at, end int) {
	if at, end = find(said, name, from); at >= 0 {
		return at, end
	}
	if first, _, ok := strings.Cut(name, " "); ok && len(first) > 3 {
		return find(said, first, from)
	}
	return at, end
}

// ranging is the recipe that a brief hints at and that understands all of it, where the one that fits best shows the same range and leaves
// words: "the price from 120 to 185 with a green line". It is nil if there is none.
func (r *Reader) ranging(f *filler, ranked []candidate, b Brief) *filler {
	to := taker(f.m, "range.to")
	if to == nil || !f.set[to.Name] || f.named() || len(f.left()) == 0 || bareYear.MatchString(f.assigned(to.Name).Value) { // "from 1950 to 2020"
		return nil
	}
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return c.m == f.m }); i >= 0 && ranked[i].hints > 0 { // "count from 1 to 10"
		return nil
	}
	for _, c := range ranked {
		if c.hints == 0 || c.denied || c.m == f.m {
			continue
		}
		if g := r.fill(c.m, b); g.shows() && taker(c.m, "range.to") != nil && g.set[taker(c.m, "range.to").Name] {
			return g
		}
	}
	return nil
}
