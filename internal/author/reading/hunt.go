package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// sight is a thing that a text asks for.
type sight struct {
	thing    string
	from, to int // tokens, with the words around it
	first    int // the token at which the thing itself begins
	last     int // the token behind it
	move     string
	without  bool
	clause   bool // nothing asks for it but that it is a clause of its own
}

// finds are the things that a text asks for beside what it shows.
func (h *hunt) finds() (out []sight) {
	for i := 0; i < len(h.tokens); i++ {
		m, end := h.at(i, isThing)
		if end == i || h.cue(h.tokens[i].Span) {
			continue
		}
		f := sight{thing: m.thing, from: i, first: i, last: end, to: end}
		icon := end
		if h.joint(end - 1) {
			_, icon = h.at(end, amid(rowIcon))
		}
		f.to = icon
		whole := h.tokens[i].Loose && h.tokens[end-1].Loose // "check mark on a green circle"
		loose := whole || !slices.ContainsFunc(h.tokens[i:end], func(t token) bool {
			return !t.Loose && !(h.alone && !h.change && (end > i+1 || h.reads(t.Span, wish.Choice)))
		})
		led := h.led(&f)
		switch {
		case m.shy && icon == end && !f.without && !h.turns, !loose && icon == end, !led && icon == end && !h.alone:
			continue
		}
		if h.alone && !h.turns && len(out) > 0 && m.thing != out[0].thing && (!led || f.clause) { // a dog that rides a bike is more than both
			continue
		}
		if ends := h.trail(&f); !h.alone && (!ends || f.clause && f.move == "" && icon == end && h.joint(f.to-1) && !h.captioned(f.to)) {
			continue
		}
		out = append(out, f)
		i = f.to - 1
	}
	return out
}

// mostBefore is how many words stand between a thing and the text beside it at most.
const mostBefore = 8

// captioned reports whether few words lead from token i to a quotation or to words that are shown: "green check mark with the
// words "Paid"".
func (h *hunt) captioned(i int) bool {
	for n := i; n < len(h.tokens) && n < i+mostBefore; n++ {
		if h.tokens[n].Shown && n > i {
			return true
		}
		if h.quotes(n) {
			return true
		}
		if !h.joint(n) {
			return n+1 < len(h.tokens) && (h.quotes(n+1) || h.tokens[n+1].Shown) // "red heart on white, text "Give blood""
		}
	}
	return false
}

// quotes reports whether a quotation stands behind token i.
func (h *hunt) quotes(i int) bool {
	return strings.IndexAny(strings.TrimLeft(h.text[h.tokens[i].To:], " :"), "\"'“„«「") == 0
}

// led reports whether a word that asks for things stands before one, and takes what lies between as understood.
func (h *hunt) led(f *sight) bool {
	const most = 5
	for k := f.first - 1; k >= 0 && f.first-k <= most && h.joint(k); k-- {
		t := h.tokens[k]
		m := h.around(k)
		switch {
		case t.Shown:
			return false
		case amid(rowLead)(m), h.alone && amid(rowTo)(m):
			f.from = k
			return true
		case amid(rowWithout)(m):
			f.from, f.without = k, true
			return true
		case amid(h.moves...)(m):
			f.from, f.move = k, h.motion(m)
		case amid(rowBetween)(m), !t.Loose:
			f.from = min(f.from, k)
		default:
			return false
		}
	}
	// At the beginning of a clause it must be all of the clause: "Stay dry, an umbrella".
	start := 0
	if f.from > 0 {
		start = h.tokens[f.from-1].To
	}
	f.clause = !strings.ContainsFunc(h.text[start:h.tokens[f.from].From], unicode.IsNumber) && !h.joint(f.from-1)
	return f.clause
}

// motion is the first motion that words mean.
func (h *hunt) motion(m meant) string {
	for _, row := range m.around {
		if slices.Contains(h.moves, row) {
			return row[1:]
		}
	}
	return ""
}

// traced is the motion of what is drawn line by line, as which people also speak of any picture: "a simple drawn rocket taking off".
const traced = "draw"

// crossing is the motion that people mean by "flying" where they say no more.
const crossing = "drift"

// upright are motions that say where something flies to.
var upright = []string{"rise", "fall"}

// finer is what is meant by two motions: one that says more than the other, or the first.
func finer(first, second string) string {
	if strings.HasPrefix(second, first) || first == crossing && slices.Contains(upright, second) || first == traced && second != "" {
		return second
	}
	return first
}

// trail takes the words behind a thing that say how it moves or where it is, and reports whether the thing ends there:
// a coffee shop is no coffee.
func (h *hunt) trail(f *sight) bool {
	for h.joint(f.to - 1) {
		m, end := h.at(f.to, amid(append([]string{rowBehind}, h.moves...)...))
		if end == f.to && amid(rowBetween)(h.around(f.to)) && h.joint(f.to) { // "a heart that beats"
			if moved, to := h.at(f.to+1, amid(h.moves...)); to > f.to+1 {
				m, end = moved, to
			}
		}
		if end == f.to {
			break
		}
		f.move = finer(f.move, h.motion(m))
		f.to = end
	}
	if !h.joint(f.to-1) || f.to > f.last || h.tokens[f.to].In(h.what) {
		return true
	}
	if !h.tokens[f.to].Loose { // "with a heart shaped border"
		return !h.reads(h.tokens[f.to].Span, wish.Choice)
	}
	_, end := h.at(f.to, amid(rowLead))
	return end > f.to || h.coloured(f.to+1)
}

// coloured reports whether token i, behind an article too, is the colour of a ground: "a heart on pink", "a heart on a white
// background".
func (h *hunt) coloured(i int) bool {
	for ; h.joint(i - 1); i++ {
		switch {
		case h.reads(h.tokens[i].Span, wish.Colour):
			return !h.joint(i) || !h.tokens[i+1].Loose || !amid(rowBetween)(h.around(i-1))
		case !amid(rowBetween)(h.around(i)):
			return false
		}
	}
	return false
}

// signs takes the things that the text asks for beside what it shows: "be right back, with a coffee cup". Words that
// are shown are never taken.
func (f *filler) signs() {
	p := taker(f.m, takesSign)
	if p == nil || f.r.signs == nil || len(f.r.signs.names) == 0 {
		return
	}
	h := f.hunting(p)
	var names []string
	var said wish.Span
	move := ""
	all := h.finds()
	aside := func(one sight) bool { // what words to the maker name, beside another thing
		w := f.wishAt(h.tokens[one.first].Span)
		return w != nil && w.Kind == wish.Remark
	}
	if other := slices.DeleteFunc(slices.Clone(all), aside); h.alone && len(other) > 0 {
		all = other
	}
	for _, one := range all {
		word := strings.ToLower(f.read.Said(h.span(one.first, one.last)))
		if f.change && (f.item(h.span(one.first, one.last)) || strings.HasPrefix(one.thing, f.values[p.Name]+"-") || f.values[p.Name] != word && strings.Contains(f.values[p.Name], word)) { // "slower heartbeat" is said of the heart, "the boat" of the sailboat
			continue
		}
		if !one.without && f.hasOwn(word) {
			continue
		}
		if one.without {
			if f.change && strings.Contains(f.values[p.Name], one.thing) {
				f.draw(h, one.from, one.to)
				others := slices.DeleteFunc(strings.Split(f.values[p.Name], ", "), func(name string) bool { return name == one.thing })
				if len(others) > 0 || p.Min == nil {
					f.edits = append(f.edits, Edit{Param: p.Name, Value: strings.Join(others, ", "), said: f.read.Said(h.span(one.from, one.to))})
				}
			}
			continue
		}
		f.draw(h, one.from, one.to)
		if move == "" {
			move = one.move
		}
		if len(names) == mostSigns && !h.turns || len(names) == mostInTurn || slices.Contains(names, one.thing) {
			continue
		}
		names = append(names, one.thing)
		if said.To == 0 {
			said = h.span(one.first, one.last)
		}
		f.tinted(h, one)
	}
	there := !slices.ContainsFunc(names, func(name string) bool { return !f.draws(name) })
	if q := taker(f.m, takesMove); f.change && there && h.alone && q != nil { // "from right to left, please", "let the rocket fly to the right"
		if move = f.motions(h, move); move != "" && slices.Contains(q.Choices.IDs(), move) {
			f.put(q.Name, move, wish.Wish{Span: wish.Span{To: len(h.text)}})
			for i := range h.tokens {
				if _, end := h.at(i, amid(h.moves...)); end > i {
					f.shown = append(f.shown, h.span(i, end))
				}
			}
		}
		return
	}
	if len(names) == 0 || f.change && there { // what is said is said of those that are there
		return
	}
	if h.alone {
		move = f.motions(h, move)
	}
	if h.turns && len(names) > 1 {
		move = takeTurns
	}
	f.put(p.Name, strings.Join(names, ", "), wish.Wish{Span: said})
	if q := taker(f.m, takesMove); q != nil && slices.Contains(q.Choices.IDs(), move) {
		f.put(q.Name, move, wish.Wish{Span: said})
	}
}

// draws reports whether words name a thing that is drawn already.
func (f *filler) draws(said string) bool {
	name, ok := f.r.Sign(said)
	p := taker(f.m, takesSign)
	return p != nil && slices.ContainsFunc(strings.Split(f.value(p), ", "), func(drawn string) bool {
		return ok && drawn == name || len(said) >= leastSame && strings.Contains(drawn, strings.ToLower(said)) // "the boat", of a sailboat
	})
}

// item reports whether words are of an item that exists, and of no picture.
func (f *filler) item(s wish.Span) bool {
	for p, list := range lists(f.m, f.values) {
		for _, one := range list {
			if from, _ := find(text(p, one), f.read.Said(s), 0); from >= 0 {
				return true
			}
		}
	}
	return false
}

// motions takes the words around things wherever they stand: nothing else is said.
func (f *filler) motions(h *hunt, move string) string {
	for i := 0; i < len(h.tokens); i++ {
		m, end := h.at(i, func(m meant) bool { return len(m.around) > 0 })
		if end == i || !h.tokens[i].Loose || f.change && f.read.Denied(h.tokens[i].Span) || f.drawn(h.tokens[i].Span) || h.names(i) {
			continue
		}
		move = finer(move, h.motion(m))
		f.draw(h, i, end)
	}
	return move
}

// names reports whether token i names what the thing is for: "for our launch", but not "for my mom that beats".
func (h *hunt) names(i int) bool {
	return h.tokens[i].In(h.what) && len(strings.Fields(h.text[h.what.From:h.tokens[i].From])) < mostNamed
}

// mostNamed is how many words stand before the name of what a thing is for, at most: "for our".
const mostNamed = 3

// tones is a colour for the whole look: "brown tones".
var tones = regexp.MustCompile(`(?i)^\pL+(?: \pL+)? (?:tones?|shades?|hues?|Töne|Tönen|tonos|tons|toni)(?:\PL|$)`)

// firstWord is the word right behind a blank.
var firstWord = regexp.MustCompile(`^ \pL+`)

// tinted takes a colour that stands at a thing for the thing.
func (f *filler) tinted(h *hunt, one sight) {
	p := taker(f.m, takesColour)
	if p == nil || f.set[p.Name] {
		return
	}
	for _, w := range f.wishes {
		before := w.Span.To <= h.tokens[one.first].From && strings.TrimSpace(h.text[w.Span.To:h.tokens[one.first].From]) == ""
		apart := h.text[h.tokens[one.to-1].To:max(w.Span.From, h.tokens[one.to-1].To)]
		behind := one.move != "" && strings.Trim(apart, ", ") == "" && strings.HasPrefix(apart, ",") || f.read.Trailing() && w.Span.From >= h.tokens[one.last-1].To && strings.TrimSpace(h.text[h.tokens[one.last-1].To:w.Span.From]) == ""
		name, _ := f.r.Sign(firstWord.FindString(h.text[w.Span.To:]))
		again := w.Kind == wish.Colour && name != "" && name == one.thing // "a ringing bell with …, yellow bell"
		if again {
			behind = true
			f.shown = append(f.shown, wish.Span{From: w.Span.To + 1, To: w.Span.To + 1 + len(strings.TrimSpace(firstWord.FindString(h.text[w.Span.To:])))})
		}
		if w.Kind == wish.Colour && !w.Not && !w.Behind() && (before || behind) && !tones.MatchString(f.read.Said(w.Span)+h.text[w.Span.To:]) {
			f.put(p.Name, w.Value, w)
			f.sights = append(f.sights, w.Span)
			return
		}
	}
}

func (h *hunt) span(from, to int) wish.Span {
	return wish.Span{From: h.tokens[from].From, To: h.tokens[to-1].To}
}

// draw takes tokens as understood, but for colours and sizes among them.
func (f *filler) draw(h *hunt, from, to int) {
	for k := from; k < to; k++ {
		if h.tokens[k].Loose {
			n := k + 1
			for n < to && h.tokens[n].Loose && h.joint(n-1) { // "the top" may be one word
				n++
			}
			f.sights = append(f.sights, h.span(k, n))
			k = n - 1
		}
	}
	_, icon := h.at(to-1, amid(rowIcon))
	for k := from; k < to; k++ { // "a book icon" is no font for books, and "falling leaves" no entrance
		w, m := f.wishAt(h.tokens[k].Span), h.around(k)
		if w == nil {
			continue
		}
		choice := w.Kind == wish.Choice && ((icon == to || h.alone) && len(m.around) == 0 || h.motion(m) != "")
		if choice || w.Kind == wish.More && !h.alone && !h.change { // "with a big cake"
			f.taken[w.Span] = true
			f.sights = append(f.sights, w.Span)
		}
	}
}

func (h *hunt) around(k int) meant {
	m, _ := h.at(k, func(m meant) bool { return len(m.around) > 0 })
	return m
}

func (f *filler) wishAt(s wish.Span) *wish.Wish {
	i := slices.IndexFunc(f.wishes, func(w wish.Wish) bool { return s.In(w.Span) })
	if i < 0 {
		return nil
	}
	return &f.wishes[i]
}

// drawn reports whether words belong to a sign.
func (f *filler) drawn(s wish.Span) bool {
	return slices.ContainsFunc(f.sights, func(t wish.Span) bool { return s.In(t) })
}

// thing reads a brief of which all words are a thing and its motion for the recipe that draws one; nil if it is no
// such brief, or there is no such recipe.
func (r *Reader) thing(b Brief) *filler {
	for _, m := range r.manifests {
		if p := taker(m, takesSign); p != nil && p.Min != nil && *p.Min >= 1 {
			f := r.fill(m, b)
			if purpose, ok := f.read.Purpose(); ok && b.phrases != nil && len(f.left()) > 0 { // "a beating heart for Valentine's day"
				others := slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool { return p.Span.Overlaps(purpose) })
				b.phrases = append(others, wish.Phrase{Span: purpose, Role: wish.Aside})
				f = r.fill(m, b)
			}
			h := f.hunting(p)
			more := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
				return w.Kind == wish.Advice || w.Kind == wish.Means && m.Means[whole(w.About)].Say != ""
			})
			if f.set[p.Name] && len(f.left()) == 0 && !more && !h.own(b.phrases) {
				return f
			}
		}
	}
	return nil
}

// unsigned are phrases without texts that are no more than a thing beside the text: "with a bell".
func (r *Reader) unsigned(m *recipe.Manifest, b Brief) []wish.Phrase {
	if taker(m, takesSign) == nil || len(r.signs.names) == 0 {
		return b.phrases
	}
	return slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool {
		if p.Role != wish.Second && p.Role != wish.Item {
			return false
		}
		before := strings.LastIndexAny(strings.TrimRight(b.Prompt[:p.From], " "), " ,.!?\"") + 1
		text := strings.TrimSpace(b.Prompt[before:p.To])
		if p.Role == wish.Second && strings.TrimSpace(b.Prompt[before:p.From]) == "" || amid(rowLead)(r.signs.find(r.words, "en", signKey(b.Prompt[p.From:p.To]))) {
			text = b.Prompt[p.From:p.To]
		}
		f := &filler{r: r, m: m, read: r.words.Read(text)}
		h := f.hunting(&recipe.Param{})
		for i := range h.tokens {
			h.tokens[i].Shown, h.tokens[i].Loose = false, true
		}
		found := h.finds()
		return len(found) == 1 && found[0].from == 0 && found[0].to == len(h.tokens) && found[0].first >= 2 && amid(rowLead)(r.signs.lead(h))
	})
}

// lead is what the first word of a text means.
func (s *signs) lead(h *hunt) meant {
	m, _ := h.at(0, amid(rowLead))
	return m
}
