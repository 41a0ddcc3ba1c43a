package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// columns are the two columns of things that the text sets against each other. One pair of figures is written large, of several each
// is a line.
func (f *filler) columns() (sides []side, spans []wish.Span) {
	c, ok := f.read.Contrast()
	if !ok {
		return nil, nil
	}
	sides = make([]side, 2)
	for k := range sides {
		sides[k] = side{name: trimmed(f.read.Said(c.Names[k])), from: c.Names[k].From}
		spans = append(spans, c.Names[k])
	}
	if c.Lines[0] != nil {
		return f.sections(c, sides)
	}
	for _, p := range c.Pairs {
		for k := range sides {
			f.square(&p, k)
			figure, rest := f.read.Said(p.Figure[k]), trimmed(f.read.Said(p.Rest[k]))
			if len(c.Pairs) == 1 && figure != "" {
				sides[k].figure = figure
				if rest != "" {
					sides[k].lines = []string{rest}
				}
			} else {
				line := strings.TrimSpace(strings.Join([]string{trimmed(f.read.Said(p.Label)), figure, rest}, " "))
				sides[k].lines = append(sides[k].lines, strings.ReplaceAll(line, "  ", " "))
			}
		}
		if len(c.Pairs) == 1 && p.Label.To > 0 && f.headedBeside(p.Label) {
			sides[0].lines = append([]string{trimmed(f.read.Said(p.Label))}, sides[0].lines...)
		}
		for i, s := range []wish.Span{p.Figure[0], p.Figure[1], p.Rest[0], p.Rest[1], p.Label} {
			if s.To == s.From || i == 4 && len(c.Pairs) == 1 { // of one pair, the label is the heading
				continue
			}
			spans = append(spans, s)
			f.covered([]wish.Span{s})
		}
	}
	if p := f.free("text"); p != nil && c.About.To > 0 && !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Text && !f.taken[w.Span] }) {
		f.put(p.Name, f.read.Said(c.About), wish.Wish{Span: c.About})
		f.shown = append(f.shown, c.About)
	}
	return sides, spans
}

// square gives a figure the power of its unit: "62 m² and a bath".
func (f *filler) square(p *wish.Pair, k int) {
	rest := &p.Rest[k]
	for _, power := range []string{"²", "³"} {
		if strings.HasPrefix(f.read.Said(*rest), power) {
			rest.From += len(power)
			p.Figure[k].To = rest.From
		}
	}
}

// sections are two columns of which each is told by itself.
func (f *filler) sections(c wish.Contrast, sides []side) ([]side, []wish.Span) {
	spans := []wish.Span{c.Names[0], c.Names[1]}
	large := func(lines []wish.Pair) bool { // its first figure may stand by itself
		return len(lines) > 0 && lines[0].Figure[0].To > lines[0].Figure[0].From && (trimmed(f.read.Said(lines[0].Rest[0])) == "" || len(lines) == 1)
	}
	both := large(c.Lines[0]) && large(c.Lines[1])
	for k := range sides {
		for n, p := range c.Lines[k] {
			f.square(&p, 0)
			figure, rest := f.read.Said(p.Figure[0]), trimmed(f.read.Said(p.Rest[0]))
			switch {
			case n == 0 && both:
				if sides[k].figure = figure; rest != "" {
					sides[k].lines = append(sides[k].lines, rest)
				}
			case p.Figure[0].To == p.Rest[0].From: // "17 °C"
				sides[k].lines = append(sides[k].lines, figure+rest)
			default:
				sides[k].lines = append(sides[k].lines, strings.TrimSpace(figure+" "+rest))
			}
			for _, s := range []wish.Span{p.Figure[0], p.Rest[0]} {
				if s = f.read.Whole(s); s.To > s.From {
					spans = append(spans, s)
				}
			}
		}
	}
	f.covered(spans)
	return sides, spans
}

// covered takes the texts that have a place in columns already.
func (f *filler) covered(spans []wish.Span) {
	for _, w := range f.wishes {
		text := cmp.Or(w.Shown, w.Span)
		if w.Kind == wish.Text && slices.ContainsFunc(spans, text.Overlaps) {
			f.taken[w.Span] = true
		}
	}
}

// headedBeside reports whether the text has a heading elsewhere than at a place.
func (f *filler) headedBeside(s wish.Span) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		text := cmp.Or(w.Shown, w.Span)
		return w.Kind == wish.Text && !f.taken[w.Span] && (text.To <= s.From || text.From >= s.To)
	})
}

// fileColumn is the column of rows that holds files; "" if there is none.
func fileColumn(p *recipe.Param) string {
	for _, c := range p.Columns {
		if c.Type == recipe.File {
			return c.Name
		}
	}
	return ""
}
