package reading

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// side is one of the sides that a prompt sets against each other.
type side struct {
	name   string
	figure string // as it is written: "$9/mo", "3"
	lines  []string
	colour string
	from   int // where its words begin
}

// digits are the digits of a number, as people write them.
var digits = regexp.MustCompile(`\d[\d.,]*\d|\d`)

// taking is the column of rows that takes something; "" if there is none.
func taking(p *recipe.Param, what string) string {
	for _, c := range p.Columns {
		if slices.Contains(c.Takes, what) {
			return c.Name
		}
	}
	return ""
}

// figureOf is the number of a row with its unit, as people write it.
func figureOf(row wish.Row) string {
	said, sign := recipe.Trim(row.Value), cmp.Or(row.Sign, row.Unit)
	switch {
	case wish.IsCurrency(row.Unit) && !strings.ContainsFunc(sign, unicode.IsLetter) && sign != "€":
		return sign + said
	case sign == "" || sign == "%":
		return said + sign
	}
	return said + " " + sign
}

// sides gives what is set against each other to the parameter for sides: each name with its figure and its points. A
// prompt without names may give rows, or a figure that becomes another.
func (f *filler) sides(b Brief) {
	p := f.free("sides")
	if p == nil {
		return
	}
	lines := taking(p, "lines") != ""
	var sides []side
	var spans []wish.Span
	if lines {
		sides, spans = f.columns()
	}
	opposed := sides != nil
	if !opposed {
		sides, spans = f.loose(b, lines)
	}
	if len(sides) == 0 {
		return
	}
	sides = f.outcome(sides)
	if p.Max != nil && len(sides) > int(*p.Max) {
		f.note("The %s has %d sides: %s is left out.", strings.ToLower(f.m.Title), int(*p.Max), koda.Quote(sides[int(*p.Max)].name))
		f.crowded = true
		sides = sides[:int(*p.Max)]
	}
	for _, c := range f.wishes {
		for i := range sides {
			for _, row := range c.Rows { // "Kickers in blue 4"
				if !opposed && row.Colour != "" && strings.EqualFold(row.Label, sides[i].name) {
					sides[i].colour = row.Colour
				}
			}
			said := opposed && slices.ContainsFunc(spans, c.Span.In) // "40 gold"
			if place := whole(strings.TrimPrefix(c.Label, "#")); !said && c.Kind == wish.Colour && c.Label != "" && (strings.EqualFold(c.Label, sides[i].name) || place == i+1 || place == i-len(sides)) {
				sides[i].colour = c.Value
				f.taken[c.Span] = true
			}
		}
	}
	f.coloured(b.Prompt, sides, spans)
	f.put(p.Name, encoded(p, sides), wish.Wish{Span: spans[0]})
	f.shown = append(f.shown, spans...)
	f.best(b, sides, spans)
	for _, w := range f.wishes {
		again := w.Kind == wish.Text && !w.Quoted && slices.ContainsFunc(sides, func(s side) bool { return strings.EqualFold(s.name, w.Value) }) // "Owls highlighted"
		again = again || w.Kind == wish.Text && slices.ContainsFunc(spans, func(s wish.Span) bool { return s.In(w.Span) })                       // "Owls beat Hawks"
		if again || w.Kind == wish.Rows || w.Kind == wish.List && taking(p, "lines") != "" || w.Kind == wish.Range && slices.Contains(spans, w.Span) {
			f.taken[w.Span] = true
		}
	}
}

// loose are the sides that the prompt gives by names, figures, rows or points.
func (f *filler) loose(b Brief, lines bool) ([]side, []wish.Span) {
	if !lines {
		b.phrases = f.beaten(f.rivals(b), b.Prompt)
		return sidesOf(b, lines)
	}
	if sides, spans := f.contested(b); sides != nil {
		return sides, spans
	}
	sides, spans := sidesOf(topical(b), lines)
	sides = inCommon(sides, b)
	if len(sides) < 2 {
		if weighed, items := f.weighed(b); weighed != nil {
			return weighed, items
		}
	}
	if halves, items := f.halves(b, sides); halves != nil {
		return halves, append(spans, items...)
	}
	if len(sides) == 2 && sides[0].name+sides[1].name == "" { // "before/after: 14 clicks vs 2 clicks"
		if names, _ := f.opposites(b); names != nil {
			sides[0].name, sides[1].name = names[0], names[1]
		}
	}
	return f.opposed(b, sides, spans)
}

// topical is a brief in which a name behind two names, a colon and an item is an item as well: "A vs B: price, battery, camera".
func topical(b Brief) Brief {
	for i, p := range b.phrases {
		if i < 3 || p.Role != wish.Name || b.phrases[i-1].Role != wish.Item || i+1 < len(b.phrases) && b.phrases[i+1].Role == wish.Figure || strings.TrimSpace(b.Prompt[b.phrases[i-1].To:p.From]) != "," || count(b.phrases[:i], wish.Name) != 2 {
			continue
		}
		b.phrases = slices.Clone(b.phrases)
		b.phrases[i].Role = wish.Item
	}
	return b
}

// inCommon are two sides that both have the points which a colon behind the second name introduces.
func inCommon(sides []side, b Brief) []side {
	i := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Item })
	if len(sides) == 2 && i > 1 && len(sides[0].lines) == 0 && len(sides[1].lines) > 1 && sides[0].figure+sides[1].figure == "" &&
		b.phrases[i-1].Role == wish.Name && b.phrases[i-2].Role == wish.Name && strings.TrimSpace(b.Prompt[b.phrases[i-1].To:b.phrases[i].From]) == ":" {
		sides[0].lines = sides[1].lines
	}
	return sides
}

// opposed are two sides under the names that the words for the recipe are: "before and after: messy desk, tidy desk".
func (f *filler) opposed(b Brief, sides []side, spans []wish.Span) ([]side, []wish.Span) {
	two, own := slices.Clone(sides), []wish.Span(nil)
	bare := len(sides) == 2 && !slices.ContainsFunc(sides, func(s side) bool { return s.figure != "" || len(s.lines) > 0 })
	if items := phrasesOf(b.phrases, wish.Item); len(sides) == 0 && len(items) == 2 && len(phrasesOf(b.phrases, wish.Name)) == 0 {
		bare = true
		for _, p := range items {
			two = append(two, side{name: trimmed(b.Prompt[p.From:p.To]), from: p.From})
		}
		own = append(own, items[0].Span, items[1].Span)
	}
	if !bare {
		return sides, spans
	}
	names, from := f.opposites(b)
	if names == nil || from > two[0].from {
		return sides, spans
	}
	for i := range two {
		two[i].name, two[i].lines = names[i], []string{two[i].name}
	}
	return two, append(own, spans...)
}

// phrasesOf are the phrases of a role.
func phrasesOf(phrases []wish.Phrase, role wish.PhraseRole) []wish.Phrase {
	return slices.DeleteFunc(slices.Clone(phrases), func(p wish.Phrase) bool { return p.Role != role })
}

// sidesOf are the sides of the phrases of a prompt. Where there are as many figures as names, the first figure belongs to
// the first name, wherever it stands: "Rovers 3 - 1 United", "Rovers vs United, 3 - 1", "3 Rovers, 1 United".
func sidesOf(b Brief, lines bool) (sides []side, spans []wish.Span) {
	names, figures := 0, count(b.phrases, wish.Figure)
	var named []side
	for _, p := range b.phrases {
		if said := trimmed(b.Prompt[p.From:p.To]); p.Role == wish.Name && again(named, said, lines) < 0 {
			names++
			named = append(named, side{name: said})
		}
	}
	if names+figures < 2 {
		return nil, nil
	}
	phrases := b.phrases
	if names <= 2 && figures == 1 {
		phrases = parted(b)
		figures = len(phrases) - len(b.phrases) + 1
	}
	var last wish.Span // that belongs to a side
	at := -1           // the side that is spoken of
	unfigured := func() int {
		return slices.IndexFunc(sides, func(s side) bool { return s.figure == "" })
	}
	for _, p := range phrases {
		said := trimmed(b.Prompt[p.From:p.To])
		if said == "" {
			continue
		}
		switch {
		case p.Role == wish.Name:
			if at = again(sides, said, lines); at >= 0 {
				break
			}
			if i := slices.IndexFunc(sides, func(s side) bool { return s.name == "" }); i >= 0 {
				sides[i].name = said
			} else {
				sides = append(sides, side{name: said, from: p.From})
			}
			at = len(sides) - 1
		case p.Role == wish.Figure:
			i := unfigured()
			if at >= 0 && sides[at].figure == "" && (figures < names || at < len(sides)-1) { // not every name has one, or it is spoken of again
				i = at
			}
			switch {
			case i >= 0:
				sides[i].figure = said
			case figures > names && names >= 2 && at >= 0 && lines:
				sides[at].lines = append(sides[at].lines, said)
			case figures > names && names >= 2 && at >= 0: // sets: "6 4", "6 3"
				sides[at].figure += " " + said
			default:
				sides = append(sides, side{figure: said, from: p.From})
				at = len(sides) - 1
			}
		case p.Role == wish.Item, p.Role == wish.Second && lines && len(sides) > 1 && len(sides[0].lines) > 0 && b.Prompt[last.To:p.From] == ", ":
			if at < 0 || !lines {
				continue
			}
			sides[at].lines = append(sides[at].lines, said)
		default:
			continue
		}
		spans, last = append(spans, p.Span), p.Span
	}
	return sides, spans
}

// again is which of some sides a name speaks of once more, also by its first words: "Basic" of "Basic plan"; -1 if it is none of them.
func again(sides []side, name string, parts bool) int {
	name = strings.ToLower(name) + " "
	return slices.IndexFunc(sides, func(s side) bool {
		before := strings.ToLower(s.name) + " "
		return s.name != "" && (before == name || parts && (strings.HasPrefix(before, name) || strings.HasPrefix(name, before)))
	})
}

// result is a result of two sides in one figure.
var result = regexp.MustCompile(`^\s*(\d+)\s*[:\-–—]\s*(\d+)\s*$`)

// parted are the phrases of a brief with "2:1" as two figures.
func parted(b Brief) []wish.Phrase {
	i := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Figure })
	p := b.phrases[i]
	at := result.FindStringSubmatchIndex(b.Prompt[p.From:p.To])
	if at == nil {
		return b.phrases
	}
	first, second := p, p
	first.Span = wish.Span{From: p.From + at[2], To: p.From + at[3]}
	second.Span = wish.Span{From: p.From + at[4], To: p.From + at[5]}
	return slices.Concat(b.phrases[:i], []wish.Phrase{first, second}, b.phrases[i+1:])
}

// trimmed is a short phrase without what only parts it from others.
func trimmed(said string) string {
	said = strings.Trim(said, " \n\t,;:•*=")
	if inside := strings.Trim(said, `"“”„«»`); !strings.ContainsAny(inside, `"“”„«»`) {
		said = inside
	}
	return strings.TrimSpace(said)
}

// opposites are the names of two sides that the words for the recipe are, "before and after", and where they stand; nil if there are
// none.
func (f *filler) opposites(b Brief) (names []string, from int) {
	read := f.r.choosing.Read(b.Prompt)
	for _, w := range read.Wishes() {
		said := strings.FieldsFunc(read.Said(w.Span), func(c rune) bool { return c == ' ' || c == '/' })
		switch {
		case w.Kind != wish.Subject || w.About != f.m.Name:
		case len(said) == 3 && strings.HasSuffix(said[0], "-"): // "Vor- und Nachteile"
			return []string{"+", "–"}, w.Span.From
		case len(said) == 3 && f.r.words.Numeral(said[1]) == 0, len(said) == 2 && strings.Contains(read.Said(w.Span), "/"):
			return []string{capital(said[0]), capital(said[len(said)-1])}, w.Span.From
		}
	}
	return nil, 0
}

// weighed are the two sides of points of which each has a sign: "+ quiet + no commute - lonely".
func (f *filler) weighed(b Brief) ([]side, []wish.Span) {
	sides := []side{{name: "+"}, {name: "–"}}
	signs := map[rune]int{'+': 0, '-': 1, '−': 1, '–': 1}
	var spans []wish.Span
	for _, p := range b.phrases {
		if p.Role != wish.Item {
			continue
		}
		said := b.Prompt[p.From:p.To]
		first, n := utf8.DecodeRuneInString(said)
		before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(b.Prompt[:p.From], " )"))
		behind, _ := utf8.DecodeRuneInString(strings.TrimPrefix(b.Prompt[p.To:], " ("))
		at, ok := signs[first]
		if !ok {
			at, ok = signs[before]
			n = 0
		}
		if !ok {
			at, ok = signs[behind]
		}
		if !ok {
			return nil, nil
		}
		if sides[at].lines == nil {
			sides[at].from = p.From
		}
		sides[at].lines = append(sides[at].lines, trimmed(said[n:]))
		spans = append(spans, p.Span)
	}
	if sides[0].lines == nil || sides[1].lines == nil {
		return nil, nil
	}
	if names, _ := f.opposites(b); names != nil {
		sides[0].name, sides[1].name = names[0], names[1]
	}
	return sides, spans
}

// halves are the sides of points in as many groups as there are names before them: "dogs vs cats: loyal, playful / quiet, clean".
// Without names, the words for the recipe name two: "pros and cons".
func (f *filler) halves(b Brief, sides []side) (out []side, spans []wish.Span) {
	var groups [][]string
	var last, about wish.Span
	for _, p := range b.phrases {
		opposed := len(groups) > 0 && f.read.Opposes(wish.Span{From: last.To, To: p.From})
		switch {
		case p.Role == wish.Name && len(groups) == 0 && len(sides) < 2:
			about = p.Span
		case p.Role == wish.Name && opposed: // "lost files vs online form, in one place"
			p.Role = wish.Item
		case p.Role == wish.Name && len(groups) > 0, p.Role == wish.Figure:
			return nil, nil
		}
		if p.Role != wish.Item {
			continue
		}
		if gap := strings.TrimSpace(b.Prompt[last.To:p.From]); len(groups) == 0 || gap == "/" || gap == "|" || gap == ";" || opposed {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], trimmed(b.Prompt[p.From:p.To]))
		last = p.Span
		spans = append(spans, p.Span)
	}
	if len(groups) < 2 || len(spans) == len(groups) {
		return nil, nil
	}
	if len(groups) == 2 && len(sides) < 2 {
		names, from := f.opposites(b)
		if names == nil {
			return nil, nil
		}
		if p := taker(f.m, "text"); p != nil && about.To > 0 && about.From > from { // "pros and cons of solar"
			f.put(p.Name, f.read.Said(about), wish.Wish{Span: about})
			f.shown = append(f.shown, about)
		}
		sides = []side{{name: names[0], from: from}, {name: names[1], from: from}}
	}
	if len(groups) != len(sides) {
		return nil, nil
	}
	for i, s := range sides {
		s.lines = groups[i]
		out = append(out, s)
	}
	return out, spans
}

// outcome puts the side first that won or lost, where the words say so: "we won 3-1 against the Rovers", "Harlow lost to Ware 2-1".
// A side without a name is the one that speaks.
func (f *filler) outcome(sides []side) []side {
	p := taker(f.m, "outcome")
	i := slices.IndexFunc(f.wishes, func(w wish.Wish) bool { return p != nil && w.Kind == wish.Choice && w.About == p.Name && !w.Not })
	if i < 0 || len(sides) != 2 || sides[0].figure == "" || sides[1].figure == "" {
		return sides
	}
	us := capital(f.read.Speaker())
	if sides[1].name == "" {
		sides[0].name, sides[1].name = us, sides[0].name
	} else if first, _, _ := strings.Cut(sides[0].name, " "); us != "" && strings.EqualFold(first, us) { // "Wir haben"
		sides[0].name = us
	}
	a, errA := strconv.ParseFloat(sides[0].figure, 64)
	b, errB := strconv.ParseFloat(sides[1].figure, 64)
	if errA == nil && errB == nil && a < b == (f.wishes[i].Value == "won") {
		sides[0].figure, sides[1].figure = sides[1].figure, sides[0].figure
	}
	return sides
}

// encoded are sides as a parameter holds them.
func encoded(p *recipe.Param, sides []side) string {
	name, _ := columns(p)
	var list []json.RawMessage
	for _, s := range sides {
		one := with(json.RawMessage("{}"), name, recipe.Encode(s.name))
		for column, value := range map[string]string{taking(p, "figure"): s.figure, taking(p, "lines"): strings.Join(s.lines, "\n"), colourOf(p): s.colour} {
			if column != "" && value != "" {
				one = with(one, column, recipe.Encode(value))
			}
		}
		list = append(list, one)
	}
	return recipe.Encode(list)
}
