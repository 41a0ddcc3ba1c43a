package reading

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

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
	found := shapes(read, wishes, b)
	whole := len(read.Left(func(*wish.Wish) bool { return true })) == 0
	out := make([]candidate, 0, len(r.manifests))
	named := false
	for _, m := range r.manifests {
		c := speaks(read, wishes, m)
		c.at = min(c.at, len(b.Prompt))
		named = named || c.named
		out = append(out, c)
	}
	for i := range out {
		c := &out[i]
		if c.hints > 0 && whole { // nothing else is said: "ball", "a slow purple star"
			c.score++
		}
		for i := range wishes {
			if w := &wishes[i]; w.Kind == wish.File && slices.Contains(r.choosing.Topics(w.Value), c.m.Name) {
				c.score++
			}
		}
		c.score += fit(c.m, found)
		if text := found["text"]; named && !c.named && c.score <= text+c.hints+1 && slices.Contains(c.m.Fits, "text") {
			c.score = min(c.score, otherText) // the words name another recipe
		}
		if c.denied {
			c.score = 0
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.m.Rank, a.m.Rank), cmp.Compare(a.at, b.at))
	})
	return out
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

// otherText is the most that a text to show speaks for a recipe when the words name another.
const otherText = 1.5

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

// fit is how much the shapes that a text contains speak for a recipe. Rows of one kind or
// another are the same rows, and count once.
func fit(m *recipe.Manifest, found map[string]float64) (score float64) {
	rows := 0.0
	for _, shape := range m.Fits {
		switch shape {
		case "rows", "rows.share", "series":
			rows = max(rows, found[shape])
		default:
			score += found[shape]
		}
	}
	return score + rows
}

// shapes are what a text contains, with how strongly that speaks for a recipe.
func shapes(read *wish.Reading, wishes []wish.Wish, b Brief) map[string]float64 {
	out := evidence{}
	quotes := 0
	for i := range wishes {
		out.add(read, &wishes[i])
		if wishes[i].Kind == wish.Text && wishes[i].Quoted {
			quotes++
		}
	}
	if quotes >= 3 {
		out.up("list", 2.2)
	}
	for _, marks := range []string{"()", "(\"", "=>", " < ", "{", "};", "=="} {
		if strings.Contains(b.Prompt, marks) {
			out.up("code", 1.5)
		}
	}
	for _, a := range b.Assets {
		if a.Kind == "image" {
			out.up("image", 2)
		}
	}
	for _, d := range b.Data {
		out.up(d, 3)
	}
	return out
}

// evidence is what speaks for recipes: shapes with their weights.
type evidence map[string]float64

func (e evidence) up(shape string, weight float64) { e[shape] = max(e[shape], weight) }

// add adds the shapes of a wish.
func (e evidence) add(read *wish.Reading, w *wish.Wish) {
	switch w.Kind {
	case wish.Rows:
		e.up("rows", 2.8)
		if w.Rows[0].Unit == "%" && share(w.Rows) {
			e.up("rows.share", 3)
		}
		if series(read, w.Rows) {
			e.up("series", 3)
		}
	case wish.Range:
		switch {
		case w.Unit == "%", w.From != "" && w.To != "" && wish.IsCurrency(w.Unit):
			e.up("number", 3)
		case w.Value == wish.Falling:
			e.up("range", 2.5)
		case w.From != "" && w.To != "":
			e.up("range", 2)
		default:
			e.up("range", 1.5)
		}
	case wish.Percent, wish.Share:
		e.up("percent", 2)
	case wish.Number:
		e.up("number", 0.5)
		if n, err := strconv.ParseFloat(w.Value, 64); err == nil && n >= 2200 || w.Unit != "" { // no year
			e.up("number", 2)
		}
	case wish.List:
		e.up("list", 2.2)
	case wish.Author:
		e.up("quote", 3)
	case wish.File:
		switch read.FileKind(w.Value) {
		case "image":
			e.up("image", 1.5)
		case "data":
			e.up("rows", 1)
			if strings.HasSuffix(strings.ToLower(w.Value), ".md") {
				e.up("markdown", 2)
			}
		}
	case wish.Text:
		e.up("text", 2)
		if w.IsCode() {
			e.up("code", 1.5)
		}
	}
}

// columned reports whether a recipe sets sides against each other that have several lines each.
func (c candidate) columned() bool {
	sides := taker(c.m, "sides")
	return sides != nil && taking(sides, "lines") != ""
}
