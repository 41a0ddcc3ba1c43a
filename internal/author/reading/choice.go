package reading

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// amountOf is what a parameter takes behind the name of another, of whose choice it says how much there is.
const amountOf = ".amount"

// noChoice is the choice of none of the things that a parameter chooses between.
const noChoice = "none"

// muchMore is how many times as much "more" is.
const muchMore = 1.8

// choice takes a choice, or tells why it does not.
func (f *filler) choice(w wish.Wish) {
	much := taker(f.m, w.About+amountOf)
	switch {
	case w.Not:
		f.taken[w.Span] = true
		if f.m.Param(w.About) != nil {
			f.edits = append(f.edits, Edit{Param: w.About, Value: w.Value, op: denied, said: f.read.Said(w.Span), in: w.Scenes})
		}
	case w.About == styleParam && w.Scenes != nil:
		f.put(styleParam, w.Value, w) // which a scene cannot have
	case w.About == styleParam && w.By < 0:
		f.taken[w.Span] = true
		others := slices.DeleteFunc(f.m.StyleIDs(), func(id string) bool { return id == w.Value })
		f.note("%s is not done: say which style there shall be, %s.", capital(koda.Quote(f.read.Said(w.Span))), strings.Join(others, " or "))
	case w.About == styleParam:
		f.taken[w.Span] = true
		if !slices.Contains(f.styles, w.Value) {
			f.styles = append(f.styles, w.Value)
		}
		if w.By > 0 {
			f.edits = append(f.edits, Edit{Param: styleParam, op: further, said: f.read.Said(w.Span), Value: w.Value})
		}
	case f.change && w.By != 0 && much != nil: // "less confetti"
		f.taken[w.Span] = true
		if f.values[w.About] != w.Value && (w.By > 0 || f.values[w.About] != recipe.Auto) {
			f.put(w.About, w.Value, w)
		}
		f.edits = append(f.edits, Edit{Param: much.Name, op: times, by: math.Pow(muchMore, w.By), said: f.read.Said(w.Span), in: w.Scenes})
	case f.change && w.By != 0 && f.values[w.About] == w.Value:
		f.taken[w.Span] = true
		f.note("How much there is of it cannot be changed: %s is not done.", koda.Quote(f.read.Said(w.Span)))
	case f.change && f.values[w.About] == w.Value && f.choose(w):
		f.taken[w.Span] = true
	case f.change && f.values[w.About] == w.Value && !w.Sure: // "Happy birthday instead" may be words to show
	case f.change && f.read.Names(w.Span):
	case w.About == "effect" && f.alone(w): // "dogs should be blinking"
	case !f.change && f.set[w.About] && f.broad(w.About, w.Value):
		f.taken[w.Span] = true
	case f.set[w.About] && w.Value == "below" && f.below(w):
		f.taken[w.Span] = true
	default:
		w = f.both(w)
		f.second(w)
		f.put(w.About, w.Value, w)
		f.choose(w)
	}
}

// broad reports whether a choice says less than the others of its parameter.
func (f *filler) broad(param, choice string) bool {
	p := f.m.Param(param)
	return p != nil && slices.Contains(p.Broad, choice)
}

// below reports whether a choice stands right behind the text of the line below, which a choice for the first text has placed: ""Roof
// appeal" above it and "thank you!" below".
func (f *filler) below(w wish.Wish) bool {
	p := taker(f.m, "subtitle")
	if p == nil {
		return false
	}
	e := f.assigned(p.Name)
	return e != nil && strings.HasSuffix(strings.TrimRight(f.read.Text()[:w.Span.From], " \"”»」"), e.Value)
}

// both is a choice together with another that the text makes as well, where a third is both of them: "confetti and purple balloons".
func (f *filler) both(w wish.Wish) wish.Wish {
	p, e := f.m.Param(w.About), f.assigned(w.About)
	if f.change && f.read.Adds(w.Span) {
		e = &Edit{Value: f.values[w.About], said: w.About}
	} else if f.change {
		return w
	}
	if p == nil || e == nil || e.said == "" || w.Scenes != nil {
		return w
	}
	for _, c := range p.Choices {
		for _, said := range slices.Concat(slices.Collect(maps.Values(c.Words))...) {
			if parts := strings.Fields(said); len(parts) == 3 && f.chosen(p, e.Value, parts[0]) && f.chosen(p, w.Value, parts[2]) {
				f.edits = slices.DeleteFunc(f.edits, func(x Edit) bool { return x.Param == w.About })
				w.Value = c.ID
				return w
			}
		}
	}
	return w
}

// chosen reports whether a word is one for a value of a choice.
func (f *filler) chosen(p *recipe.Param, id, said string) bool {
	i := slices.Index(p.Choices.IDs(), id)
	return i >= 0 && anyWord(p.Choices[i].Words, func(word string) bool { return strings.EqualFold(word, said) })
}

// second tells of a choice that takes the place of another that the text makes as well.
func (f *filler) second(w wish.Wish) {
	for _, e := range f.edits {
		if e.Param == w.About && e.Value != w.Value && e.op == assign && e.said != "" && e.in == nil && w.Scenes == nil && !f.change && !f.subject(e.said) && !f.broad(w.About, e.Value) { // "a pie …, donut"
			f.note("%s takes the place of %s.", koda.Quote(f.read.Said(w.Span)), koda.Quote(e.said))
		}
	}
}

// subject reports whether words name the recipe.
func (f *filler) subject(said string) bool {
	said = strings.ToLower(said)
	return anyWord(f.m.Subjects, func(word string) bool { return word == said })
}
