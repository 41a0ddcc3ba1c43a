package reading

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// best gives the side that stands out to the parameter for it, where the prompt says so beside the name: "Pro highlighted",
// "highlight the Pro plan", or around it: "heb Pro hervor".
func (f *filler) best(b Brief, sides []side, spans []wish.Span) {
	p := f.free("best")
	if p == nil {
		return
	}
	var words, around []string
	heard, prompt := false, strings.ToLower(b.Prompt)
	for _, language := range slices.Sorted(maps.Keys(p.Words)) {
		for _, w := range p.Words[language] {
			first, last, ok := strings.Cut(w, " … ")
			heard = heard || strings.Contains(prompt, strings.ToLower(first))
			if ok {
				around = append(around, regexp.QuoteMeta(first)+`(?:\s+\pL+)BETWEEN\s+NAME\s+`+regexp.QuoteMeta(last))
			} else {
				words = append(words, regexp.QuoteMeta(w))
			}
		}
	}
	if !heard { // patterns for every side take long to make
		return
	}
	said := `(?:` + strings.Join(words, "|") + `)`
	forms := strings.Join(append(around, `NAME(?:\s+\pL+)BETWEEN\s+`+said, said+`(?:\s+\pL+)BETWEEN:?\s+NAME`), "|")
	for n := range 4 * len(sides) { // words right beside the name say more than others between
		i, between := n%(2*len(sides)), `{0,2}`
		if n < 2*len(sides) {
			between = `{0}`
		}
		s := sides[i%len(sides)]
		name := regexp.QuoteMeta(s.name)
		if i >= len(sides) { // "mon 3, …, highlight Monday"
			name += `\pL*`
		}
		re, err := regexp.Compile(`(?i)(?:^|[^\pL\pN])(` + strings.NewReplacer("BETWEEN", between, "NAME", name).Replace(forms) + `)(?:[^\pL\pN]|$)`)
		if s.name == "" || err != nil {
			continue
		}
		for _, at := range re.FindAllStringSubmatchIndex(b.Prompt, -1) {
			span := wish.Span{From: at[2], To: at[3]}
			longer := slices.ContainsFunc(strings.Fields(b.Prompt[span.From:span.To]), func(word string) bool {
				return strings.HasPrefix(strings.ToLower(word), strings.ToLower(s.name)) && f.read.Calendar(word)
			})
			if !slices.ContainsFunc(spans, span.In) && (i < len(sides) || longer) {
				f.put(p.Name, s.name, wish.Wish{Span: span})
				from := span.From
				for _, w := range f.wishes { // "highlight Q3 in red"
					if w.Kind == wish.Colour && w.Span.In(span) && !strings.EqualFold(f.read.Said(w.Span), s.name) {
						f.shown = append(f.shown, wish.Span{From: from, To: w.Span.From})
						from = w.Span.To
					}
				}
				f.shown = append(f.shown, wish.Span{From: from, To: span.To})
				for _, w := range f.wishes { // "…, savings should pop out" is no title
					if w.Kind == wish.Text && w.Span.In(span) {
						f.taken[w.Span] = true
						f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param != p.Name && e.Value == w.Value })
					}
				}
				return
			}
		}
	}
	f.bestByPlace(b, sides, said)
}

// bestByPlace is best where words for the place of a side, or for the largest, stand for its name: "highlight the winner", "mark the last one".
func (f *filler) bestByPlace(b Brief, sides []side, said string) {
	for _, form := range []string{said + `\s+(\pL[\pL\pN ]*)`, `(\pL[\pL ]*)\s` + said + `(?:[^\pL]|$)`} { // "with the last point highlighted"
		re, err := regexp.Compile(`(?i)(?:^|[,.;:] *|\pL |\d )` + form)
		if err != nil || len(sides) < 2 {
			return
		}
		for _, at := range re.FindAllStringSubmatchIndex(b.Prompt, -1) {
			if place := f.placeOf(b.Prompt[at[2]:at[3]], sides); place > 0 {
				span := wish.Span{From: at[0], To: max(at[3], at[1])}
				choice := func(w wish.Wish) bool { return w.Kind == wish.Choice && w.Span.In(span) } // the largest, whichever it is
				if name := cmp.Or(sides[place-1].name, sides[place-1].figure); name != "" && !slices.ContainsFunc(f.wishes, choice) {
					f.put(taker(f.m, "best").Name, name, wish.Wish{Span: span})
					f.shown = append(f.shown, span)
					return
				}
			}
		}
	}
}

// placeOf is which of the sides words for a place or for the largest mean, from 1; 0 if they mean none.
func (f *filler) placeOf(words string, sides []side) int {
	if f.r.choosing.Topmost(words) {
		return largest(sides)
	}
	place, _ := f.r.choosing.Which(words)
	if place < 0 {
		place += len(sides) + 1
	}
	if place < 1 || place > len(sides) {
		return 0
	}
	return place
}

// largest is the place of the side with the largest figure, from 1; 0 if one has none.
func largest(sides []side) (place int) {
	most := 0.0
	for i, s := range sides {
		figure, err := strconv.ParseFloat(strings.ReplaceAll(digits.FindString(s.figure), ",", ""), 64)
		if err != nil {
			return 0
		}
		if place == 0 || figure > most {
			place, most = i+1, figure
		}
	}
	return place
}

// bestOf gives one of the sides that exist to the parameter for the one that stands out.
func (f *filler) bestOf(v recipe.Values, said string) {
	for p, list := range lists(f.m, v) {
		var there []side
		for _, item := range list {
			name := text(p, item)
			if label, _ := entry(name); p.Type == recipe.Texts { // "bread" of "bread 3 €"
				name = cmp.Or(label, name)
			}
			there = append(there, side{name: name})
		}
		f.best(Brief{Prompt: said}, there, nil)
	}
}

// praised gives the side that exists to the parameter for the one that stands out, where a change says that it is that: "mark Pro as most popular".
func (f *filler) praised(parts []wish.Part) {
	p := f.free("best")
	for k := 1; k < len(parts); k++ {
		old, now := &parts[k-1], &parts[k]
		if old.Role != wish.Old || now.Role != wish.New || !f.praises(now.Said) {
			continue
		}
		if item := cmp.Or(f.hasPart(old.Said), f.called(*old)); f.has(item) {
			at := wish.Span{From: old.From, To: now.To}
			f.put(p.Name, item, wish.Wish{Span: at})
			f.shown = append(f.shown, at)
			old.Role, now.Role = wish.Idle, wish.Idle
		}
	}
}

// praises reports whether words are for the parameter for what stands out, or the end of such: "done", of "mark … as done".
func (f *filler) praises(said string) bool {
	p := taker(f.m, "best")
	return p != nil && anyWord(p.Words, func(w string) bool { return strings.HasSuffix(" "+strings.ToLower(w), " "+strings.ToLower(said)) })
}

// outstanding tells that nothing stands out in a recipe that has no parameter for it, in place of the words that are left: "make the word Done pop".
func (f *filler) outstanding(c *Change, parts []wish.Part) {
	for _, part := range parts {
		told := func(m *recipe.Manifest) bool { return calls(taker(m, "best"), part.Said) }
		if part.Role != wish.Look || taker(f.m, "best") != nil || !slices.ContainsFunc(f.r.manifests, told) {
			continue
		}
		all := f.read.Clauses()
		clause := f.read.Said(all[slices.IndexFunc(all, part.Overlaps)])
		rest := slices.DeleteFunc(slices.Clone(c.Left), func(word string) bool { from, _ := find(clause, word, 0); return from >= 0 })
		if len(rest) < len(c.Left) {
			c.Notes = append(c.Notes, fmt.Sprintf("Nothing of a %s can stand out but by its colour: say which.", strings.ToLower(f.m.Title)))
		}
		c.Left = rest
	}
}

// picking is a brief read for a recipe of things that it names, with fewer words left over than so many: "Saturn turning slowly". It is nil if no
// recipe has such things.
func (r *Reader) picking(left int, b Brief) *filler {
	for _, m := range r.manifests {
		if left == 0 || !slices.ContainsFunc(m.Means, func(meaning recipe.Meaning) bool { return meaning.Pick != nil }) {
			continue
		}
		named := func(w wish.Wish) bool { return !w.Not && w.Value != "*" }
		if f := r.fill(m, b); slices.ContainsFunc(f.picked, named) && f.lost == 0 && len(f.left()) < left {
			return f
		}
	}
	return nil
}
