package reading

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// enough is the score from which on a recipe fits.
const enough = 2.0

// candidate is a recipe with its score.
type candidate struct {
	m     *recipe.Manifest
	score float64
	at    int // where the text first speaks for it
	hints float64
	named bool // by a word that instructs
	// denied says that the text does not want it.
	denied bool
}

// rankAll scores every recipe for a text. The best comes first.
func (r *Reader) rankAll(read *wish.Reading, b Brief) []candidate {
	wishes := read.Wishes()
	whole := len(read.Left(func(*wish.Wish) bool { return true })) == 0
	out := make([]candidate, 0, len(r.manifests))
	for _, m := range r.manifests {
		c := speaks(read, wishes, m)
		c.at = min(c.at, len(b.Prompt))
		out = append(out, c)
	}
	for i := range out {
		c := &out[i]
		if c.hints > 0 && whole { // nothing else is said: "ball", "a slow purple star"
			c.score++
		}
		for i := range wishes {
			if w := &wishes[i]; w.Kind == wish.File && r.fileOf(c.m, w.Value) {
				c.score++
			}
		}
		other := func(a koda.Asset) bool { return !r.fileOf(c.m, a.Name) }
		if slices.Contains(c.m.Fits, "image") && len(b.Assets) > 0 && !slices.ContainsFunc(b.Assets, other) { // logo.svg
			c.score++
		}
		c.score += brought(c.m, b)
		if c.denied {
			c.score = 0
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.m.Rank, a.m.Rank), cmp.Compare(a.at, b.at))
	})
	return out
}

// fileOf reports whether the name of a file speaks for a recipe, as that of logo.svg does.
func (r *Reader) fileOf(m *recipe.Manifest, name string) bool {
	return slices.Contains(r.choosing.Topics(name), m.Name)
}

// Named are the recipes that a text names by their subjects, the best first. Words that speak for a
// recipe beside others name none.
func (r *Reader) Named(text string) (named []*recipe.Manifest) {
	b := Brief{Prompt: text}
	for _, c := range r.rankAll(r.read(r.choosing, b), b) {
		if c.named && !c.denied {
			named = append(named, c.m)
		}
	}
	return named
}

// speaks says how much the words of a text speak for a recipe.
func speaks(read *wish.Reading, wishes []wish.Wish, m *recipe.Manifest) candidate {
	c := candidate{m: m, at: math.MaxInt}
	seen := map[string]bool{}
	for i := range wishes {
		w := &wishes[i]
		said := strings.ToLower(read.Said(w.Span))
		if w.Kind != wish.Subject || w.About != m.Name || seen[said] || inside(read, wishes, w) {
			continue
		}
		seen[said] = true
		weight := 3.0
		switch {
		case w.Value == wish.HintValue:
			c.hints++
			continue
		case w.Value != "1":
			weight = 4 // a phrase says more than a word
		}
		if !w.Sure { // the words are also shown
			weight = 2.5
		}
		if w.Typo {
			weight -= 0.5
		}
		if w.Not {
			c.denied = true
			continue
		}
		c.named = c.named || w.Sure && !w.Typo
		c.score += weight
		c.at = min(c.at, w.Span.From)
	}
	if c.score > 4 { // the second word says less than the first
		c.score = 4 + (c.score-4)/4
	}
	c.score += min(c.hints, 3)
	return c
}

// inside reports whether the words of a subject say something else: those of "gold text", or of
// "saying" before a text.
func inside(read *wish.Reading, wishes []wish.Wish, subject *wish.Wish) bool {
	return slices.ContainsFunc(wishes, func(w wish.Wish) bool {
		gap := w.Span.From - subject.Span.To
		return w.Kind == wish.Colour && w.Sure && subject.Span.In(w.Span) || !read.Known() && w.Kind == wish.Text && w.Cued && !w.Quoted && gap >= 0 && gap <= 2
	})
}

// brought is how much the data and the pictures of a brief speak for a recipe.
func brought(m *recipe.Manifest, b Brief) (score float64) {
	switch i := slices.IndexFunc(b.Data, func(shape string) bool { return slices.Contains(m.Fits, shape) }); {
	case i == 0:
		score += 3
	case i > 0: // the first shape says more
		score += 2.5
	}
	if slices.Contains(m.Fits, "image") && slices.ContainsFunc(b.Assets, func(a koda.Asset) bool { return a.Kind == "image" }) {
		score += 2
	}
	return score
}

// columned reports whether a recipe sets sides against each other that have several lines each.
func (c candidate) columned() bool {
	sides := taker(c.m, "sides")
	return sides != nil && taking(sides, "lines") != ""
}
