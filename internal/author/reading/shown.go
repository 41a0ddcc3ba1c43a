package reading

import (
	"cmp"
	"fmt"
	"path"
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

// texts gives the texts that the prompt quotes, or leads to by words, to parameters.
func (f *filler) texts() {
	var loose []wish.Wish
	listed := f.items()
	if !f.change {
		f.session()
	}
	for _, w := range f.wishes {
		if w.Kind != wish.Text || f.taken[w.Span] {
			continue
		}
		if p := f.free("whom"); p != nil && w.Takes()[0] == "whom" { // "a greeting for Anna" is none that says "for Anna"
			f.show(p.Name, w)
		} else if p := f.m.Param(w.About); p != nil && p.Type == recipe.Text && !f.set[p.Name] && !(slices.Contains(p.Takes, "code") && f.besideCode(w)) {
			f.show(p.Name, w)
		} else if p := f.free("below"); p != nil && (f.change || f.free("subtitle") == nil) && w.Beneath() {
			f.show(p.Name, w)
		} else if p := f.free("subtitle"); p != nil && (w.Beneath() || f.counted(w)) {
			f.show(p.Name, w)
		} else {
			loose = append(loose, w)
		}
	}
	lists := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.List })
	if text := f.free("text"); text != nil && len(loose) >= 3 && listed != nil && !slices.Contains(f.m.Fits, "list") && !slices.Contains(f.m.Fits, "markdown") { // its name is no point
		loose = f.leading(text, loose)
	}
	if listed != nil && !lists && len(loose) >= 2 && (len(loose) >= 3 || slices.Contains(f.m.Fits, "list") || slices.Contains(f.m.Fits, "markdown") || taker(f.m, "text") == nil) {
		var items []string
		for _, w := range loose {
			items = append(items, w.Value)
			f.taken[w.Span] = true
			f.shown = append(f.shown, w.Span)
		}
		f.edits = append(f.edits, Edit{Param: listed.Name, Value: recipe.Encode(items), said: f.read.Said(loose[0].Span)})
		f.set[listed.Name] = true
		return
	}
	loose = f.commands(loose)
	var out []string
	output := taker(f.m, "output")
	for _, w := range loose {
		var p *recipe.Param
		further := output != nil && w.Answers() && f.assigned(output.Name) != nil // line of the answer
		if !further {
			p = f.roomOf(w)
		}
		switch {
		case p != nil:
			f.show(p.Name, w)
		case further:
			f.assigned(output.Name).Value += "\n" + w.Value
			f.taken[w.Span] = true
			f.shown = append(f.shown, cmp.Or(w.Shown, w.Span))
		case f.change:
		case f.joined(w):
		default:
			f.taken[w.Span] = true
			f.lost++
			if !slices.Contains(out, koda.Quote(w.Value)) {
				out = append(out, koda.Quote(w.Value))
			}
		}
	}
	f.leftOut(out)
	f.then()
	f.first()
	f.once()
}

// roomOf is the parameter for a text that names none; nil if there is no room.
func (f *filler) roomOf(w wish.Wish) *recipe.Param {
	takes := w.Takes()
	if f.change { // words under a thing that is drawn
		takes = append(takes, "added")
	}
	if takes[0] == "text" && f.besideCode(w) && path.Ext(w.Value) == "" { // titled "Sum": let a = 1
		takes = append([]string{"heading"}, takes[1:]...)
	}
	for _, what := range takes {
		if p := f.free(what); p != nil && !(what == "code" && !w.IsCode() && taker(f.m, "text") != nil) {
			return p
		}
	}
	return nil
}

// then says that a text comes after the number that it stands behind: "goes to 100 percent and then shows Done".
func (f *filler) then() {
	p, text := f.free("then"), taker(f.m, "text")
	if p == nil || text == nil || f.change {
		return
	}
	if e := f.assigned(text.Name); e != nil && e.from > 0 {
		before := f.read.Text()[:e.from]
		from := strings.LastIndexAny(before, figures) + 1
		if words := strings.Fields(before[from:]); len(words) > 4 { // the words right before it
			from = strings.LastIndex(before, " "+strings.Join(words[len(words)-4:], " "))
		}
		if some, _ := f.read.Then(wish.Span{From: max(from, 0), To: e.from}); some {
			f.edits, f.set[p.Name] = append(f.edits, Edit{Param: p.Name, Value: "true"}), true
		}
	}
}

// besideCode reports whether a text is none of code, and another one is.
func (f *filler) besideCode(w wish.Wish) bool {
	return !w.IsCode() && slices.ContainsFunc(f.wishes, func(o wish.Wish) bool { return o.Kind == wish.Text && o.IsCode() && o.Span != w.Span })
}

// once joins a headline with the line below if one begins with the other, unless both are quoted: "50,000 downloads, with the
// words "downloads, thank you!"".
func (f *filler) once() {
	text, below := taker(f.m, "text"), taker(f.m, "subtitle")
	if f.change || text == nil || below == nil || f.assigned(text.Name) == nil || f.assigned(below.Name) == nil {
		return
	}
	head, line := f.assigned(text.Name), f.assigned(below.Name)
	if n := len(head.Value); len(line.Value) > n && strings.EqualFold(line.Value[:n], head.Value) && strings.HasPrefix(line.Value[n:], " · ") { // the name of a band as it says it, and as its sign does
		line.Value = line.Value[n+len(" · "):]
		return
	}
	short, long := head.Value, line.Value
	if len(short) > len(long) {
		short, long = long, short
	}
	before, _, _ := strings.Cut(f.read.Text(), short)
	if short == "" || !strings.HasPrefix(strings.ToLower(long), strings.ToLower(short)) || strings.ContainsAny(before, "\"“„«「") {
		return
	}
	head.Value = long
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param == below.Name })
}

// first makes the headline of the first clause of a line that has none above it: "our cottage at Mill Lane. Offers over £385,000".
func (f *filler) first() {
	text, below := f.free("text"), taker(f.m, "subtitle")
	if f.change || text == nil || below == nil || missing(f.m, f.set) != "" || !f.read.Known() || f.assigned(below.Name) == nil || taker(f.m, "action") == nil || slices.Contains(f.m.Fits, "list") {
		return
	}
	e := f.assigned(below.Name)
	f.headed = true
	at := sentenceEnd.FindStringIndex(e.Value)
	if at == nil {
		at = clauseEnd.FindStringIndex(e.Value)
	}
	if at == nil {
		f.raise(text, below)
		return
	}
	f.edits = append(f.edits, Edit{Param: text.Name, Value: e.Value[:at[0]], said: e.said, from: e.from})
	f.set[text.Name] = true
	e = f.assigned(below.Name)
	e.Value = e.Value[at[1]:]
}

// sentenceEnd and clauseEnd are what stands between two sentences, and two clauses.
var (
	sentenceEnd = regexp.MustCompile(`[.!:;]\s+| · `)
	clauseEnd   = regexp.MustCompile(`\s+[–—-]\s+|,\s+`)
)

// leading shows the first of several texts as the main one and the first that calls for something as the action, and returns the
// others.
func (f *filler) leading(text *recipe.Param, all []wish.Wish) (others []wish.Wish) {
	for _, w := range all {
		action := f.free("action")
		switch {
		case w.Takes()[0] == "text" && !f.set[text.Name]:
			f.show(text.Name, w)
		case w.Takes()[0] == "action" && action != nil:
			f.show(action.Name, w)
		default:
			others = append(others, w)
		}
	}
	return others
}

// counted reports whether numbers that count down or the word for them follow a text, which is about them then: "days until the fair: 5,
// 4, 3, 2, 1", "stream countdown".
func (f *filler) counted(text wish.Wish) bool {
	if text.Quoted || !slices.Contains(f.m.Fits, "range") || taker(f.m, "range.to") == nil {
		return false
	}
	falls := func(w wish.Wish) bool { return w.Kind == wish.Range && w.Value == wish.Falling }
	before := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return falls(w) && w.Span.To <= text.Span.From })
	return !before && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		named := w.Kind == wish.Subject && w.About == f.m.Name && w.Span.From > text.Span.To && f.onlyNumbers(wish.Span{From: text.Span.To, To: w.Span.From})
		return named || falls(w) && w.Span.From >= text.Span.To
	})
}

// onlyNumbers reports whether a place holds no more than a number with its unit: "stream starting in 10 seconds countdown".
func (f *filler) onlyNumbers(s wish.Span) bool {
	said := strings.TrimSpace(f.read.Said(s))
	return said == "" || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind != wish.Text && w.Kind != wish.Subject && strings.ContainsFunc(said, unicode.IsDigit) && w.Span.In(s) && len(f.read.Said(w.Span)) >= len(said)
	})
}

// mostTold is how many texts are told that are left out.
const mostTold = 3

// leftOut tells in one note which texts are left out.
func (f *filler) leftOut(texts []string) {
	if len(texts) > 0 {
		f.note("%s left out: the %s shows %s.", those(texts), strings.ToLower(f.m.Title), f.room())
	}
}

// those are texts, of many the first, with the verb of a sentence about them: "a and b are".
func those(texts []string) string {
	are := "are"
	switch n := len(texts); {
	case n == 1:
		are = "is"
	case n > mostTold:
		texts = append(texts[:mostTold:mostTold], fmt.Sprintf("%d other texts", n-mostTold))
	}
	return join(texts) + " " + are
}

// join is a list as people write it: "a, b and c".
func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// joined adds a text to the line below, where the recipe has no more room: "Grey tabby · Call 555-0143".
func (f *filler) joined(w wish.Wish) bool {
	p := taker(f.m, "subtitle")
	if p == nil || !f.read.Known() || f.assigned(p.Name) == nil {
		return false
	}
	e := f.assigned(p.Name)
	if w.Value = strings.TrimLeft(w.Value, " .,;:"); w.Value == "" {
		f.taken[w.Span] = true
		return true
	}
	value := e.Value + " · " + w.Value
	if w.Span.From < e.from { // in the order in which they were said
		value, e.from = w.Value+" · "+e.Value, w.Span.From
	}
	if p.Max != nil && float64(utf8.RuneCountInString(value)) > *p.Max {
		return false
	}
	e.Value = value
	f.taken[w.Span] = true
	f.shown = append(f.shown, cmp.Or(w.Shown, w.Span))
	return true
}

// assigned is what sets a parameter so far.
func (f *filler) assigned(param string) *Edit {
	for i := range f.edits {
		if f.edits[i].Param == param && f.edits[i].op == assign {
			return &f.edits[i]
		}
	}
	return nil
}

// room says which texts the recipe shows.
func (f *filler) room() string {
	var names []string
	for i := range f.m.Params {
		if p := &f.m.Params[i]; p.Type == recipe.Text && shows(p) {
			names = append(names, Spoken(p))
		}
	}
	if len(names) == 0 {
		return "no text"
	}
	return "only " + join(names)
}

// literal is a string in code.
var literal = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'`)

// show gives a text to a parameter. A name at its end goes to the parameter for the author, if there is one.
func (f *filler) show(param string, w wish.Wish) {
	f.taken[w.Span] = true
	p := f.m.Param(param)
	if words := strings.Fields(w.Value); p.Max != nil && len(words) > 1 && *p.Max < 8 && float64(utf8.RuneCountInString(w.Value)) > *p.Max && strings.ContainsAny(words[len(words)-1], figures) { // a badge with "the number 3"
		w.Value = words[len(words)-1]
	}
	for _, a := range f.wishes {
		if q := f.free("author"); a.Kind == wish.Author && w.Kind == wish.Text && a.Span.In(w.Span) && q != nil && q != p {
			w.Value = strings.TrimRight(w.Value[:a.Span.From-w.Span.From], " \n,")
			w.Span.To = w.Span.From + len(w.Value)
		}
	}
	if f.change && slices.Contains(p.Takes, "code") && !w.IsCode() { // "make it say hello world": what the code prints
		if at := literal.FindAllStringIndex(f.values[param], -1); len(at) == 1 {
			w.Value = f.values[param][:at[0][0]+1] + w.Value + f.values[param][at[0][1]-1:]
		}
	}
	if slices.Contains(p.Takes, "commands") && !w.Quoted {
		w.Value = strings.Join(f.read.Lines(cmp.Or(w.Shown, w.Span)), "\n")
	}
	if p.Type == recipe.Text && p.Max != nil && utf8.RuneCountInString(w.Value) > int(*p.Max) && !w.Quoted { // "badge -50%, until Sunday midnight"
		if at, below := clauseEnd.FindStringIndex(w.Value), f.free("subtitle"); at != nil && below != nil && below != p {
			f.put(below.Name, w.Value[at[1]:], w)
			w.Value = w.Value[:at[0]]
		}
	}
	f.put(param, w.Value, w)
	f.shown = append(f.shown, cmp.Or(w.Shown, w.Span))
}

// rows gives rows to a parameter, with the colours and units that single rows have.
func (f *filler) rows(p *recipe.Param, w wish.Wish) {
	list := slices.Clone(w.Rows)
	coloured := slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Color })
	for _, c := range f.wishes {
		if top := slices.MaxFunc(list, func(a, b wish.Row) int { return cmp.Compare(a.Value, b.Value) }); coloured && c.Label == wish.TopLabel {
			c.Label = top.Label
		}
		for i := range list {
			if place := whole(strings.TrimPrefix(c.Label, "#")); coloured && c.Label != "" && (c.Label == list[i].Label || c.Label == list[i].Series || place == i+1 || place == i-len(list)) {
				list[i].Colour = c.Value
				f.taken[c.Span] = true
			}
		}
	}
	if coloured && len(list) > 1 && !slices.ContainsFunc(list, func(r wish.Row) bool { _, ok := f.r.Colour(r.Label); return !ok || r.Colour != "" }) {
		f.selfColoured = true
		for i := range list { // votes for "Blue", "Green" and "Red"
			list[i].Colour, _ = f.r.Colour(list[i].Label)
		}
	}
	alike := !slices.ContainsFunc(list, func(r wish.Row) bool { return r.Unit != list[0].Unit })
	for i := range list {
		if alike || w.Unit != "" {
			list[i].Sign = ""
		}
	}
	value := rows(p, list)
	if value == "" {
		return
	}
	f.put(p.Name, value, w)
	f.marked(list, w.Span)
	if !f.read.Known() { // else a colour may stand between the rows
		f.shown = append(f.shown, w.Span)
	}
	if alike || w.Unit != "" {
		f.unit(cmp.Or(list[0].Unit, w.Unit), w)
	}
}

// marked gives the row that stands out to the parameter for it.
func (f *filler) marked(list []wish.Row, span wish.Span) {
	var there []side
	for _, row := range list {
		there = append(there, side{name: row.Label, figure: recipe.Trim(row.Value)})
	}
	f.best(Brief{Prompt: f.read.Text()}, there, []wish.Span{span})
}

// named reports whether the prompt names the recipe.
func (f *filler) named() bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Subject && w.Value != wish.HintValue })
}

// unit gives the unit of numbers to a parameter: a currency, or "%".
func (f *filler) unit(unit string, w wish.Wish) {
	p := cmp.Or(f.free("percent.sign"), f.free("unit"))
	if code, span, ok := f.r.words.Read(unit).Currency(); ok && span.To-span.From == len(unit) && f.free("currency") != nil { // "in $"
		unit = code
	}
	if wish.IsCurrency(unit) {
		p = f.free("currency")
	}
	long := p != nil && p.Max != nil && float64(utf8.RuneCountInString(unit)) > *p.Max
	if below := f.free("subtitle"); long && below != nil { // "litres per square metre"
		f.put(below.Name, unit, w)
	} else if long {
		f.note("%s is left out: %s takes at most %s characters.", koda.Quote(unit), p.Name, recipe.Trim(*p.Max))
	} else if p != nil && unit != "" {
		f.edits = append(f.edits, Edit{Param: p.Name, Value: unit, said: f.read.Said(w.Span)})
		f.set[p.Name] = true
	}
}

// rows are the rows of a prompt as a parameter holds them: the label goes to the first column
// of texts, the number to the first of numbers.
func rows(p *recipe.Param, list []wish.Row) string {
	label, value := columns(p)
	figure := taking(p, "figure")
	if label == "" || value == "" {
		return ""
	}
	colour, unit, series := "", "", ""
	for _, c := range p.Columns {
		switch {
		case slices.Contains(c.Takes, "series"):
			series = c.Name
		case c.Type == recipe.Color:
			colour = c.Name
		case c.Type == recipe.Text && c.Name != label && slices.Contains(c.Takes, "unit"):
			unit = c.Name
		}
	}
	var b strings.Builder
	for i, row := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if row.Series != "" && series == "" { // the recipe shows one series alone
			row.Label = strings.TrimSpace(row.Series + " " + row.Label)
		}
		if figure != "" {
			fmt.Fprintf(&b, "{%s:%s,%s:%s", recipe.Encode(label), recipe.Encode(row.Label), recipe.Encode(figure), recipe.Encode(figureOf(row)))
		} else {
			fmt.Fprintf(&b, "{%s:%s,%s:%s", recipe.Encode(label), recipe.Encode(row.Label), recipe.Encode(value), recipe.Trim(row.Value))
		}
		if row.Colour != "" && colour != "" {
			fmt.Fprintf(&b, ",%s:%s", recipe.Encode(colour), recipe.Encode(row.Colour))
		}
		if row.Sign != "" && unit != "" {
			fmt.Fprintf(&b, ",%s:%s", recipe.Encode(unit), recipe.Encode(row.Sign))
		}
		if row.Series != "" && series != "" {
			fmt.Fprintf(&b, ",%s:%s", recipe.Encode(series), recipe.Encode(row.Series))
		}
		b.WriteByte('}')
	}
	return "[" + b.String() + "]"
}

// left are the words that were not understood, or could not be used.
func (f *filler) left() []string {
	if f.over != nil {
		return f.over
	}
	shown := slices.DeleteFunc(slices.Clone(f.shown), func(s wish.Span) bool { // rows cover their own words, not all between them
		return f.read.Known() && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Rows && w.Span == s })
	})
	words := map[string]bool{}
	for _, span := range shown {
		for _, w := range strings.FieldsFunc(strings.ToLower(f.read.Said(span)), func(c rune) bool { return !unicode.IsLetter(c) }) {
			words[w] = true
		}
	}
	var drawn []string
	if p := taker(f.m, takesSign); p != nil && f.assigned(p.Name) != nil {
		drawn = strings.Split(f.assigned(p.Name).Value, ", ")
	}
	return slices.DeleteFunc(f.read.Left(func(w *wish.Wish) bool { return f.taken[w.Span] }, slices.Concat(shown, f.sights, f.gaps)...), func(said string) bool {
		if name, ok := f.r.Sign(said); ok && slices.Contains(drawn, name) { // "a cup of steaming coffee", of which the cup is drawn
			return true
		}
		if len(f.assets) > 0 && strings.Contains(f.read.Text(), said+"/") { // "photos of summer/", which were brought
			return true
		}
		n, err := strconv.Atoi(said)
		return !f.change && f.read.Idle(said) || words[strings.ToLower(said)] || err == nil && n > 1 && n == f.count() // "starting soon screen, text "Starting soon"", "3 steps"
	})
}
