package reading

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// The parameters that every recipe has, besides its own.
const (
	durationParam   = "duration"
	sizeParam       = "size"
	speedParam      = "speed"
	backgroundParam = "background"
	lettersParam    = "color" // of the letters
)

// Read reads a brief: which recipe it means, and what it asks of the recipe. If the prompt asks
// for no animation, or no recipe fits, the request has no recipe.
func (r *Reader) Read(b Brief) Request {
	b = spelled(b)
	b.Prompt = r.choosing.Corrected(b.Prompt)
	if to := r.choosing.Framing(b.Prompt); to > 0 {
		b.Prompt = b.Prompt[:to] + ":" + b.Prompt[to:]
	}
	b = r.without(r.retold(r.learnedOf(r.bare(b))))
	q := r.readBrief(b)
	if asides := b.asides(); q.Recipe == nil && q.NotAnimation == "" && asides != nil { // a story to the maker may be so long that it hides what is asked
		rest := b
		rest.Prompt = blanked(b.Prompt, asides)
		if again := r.readBrief(r.without(r.learnedOf(rest))); again.Recipe != nil {
			return again
		}
	}
	return q
}

// asides are the places of the words to the maker; nil if there are none.
func (b Brief) asides() (out []wish.Span) {
	for _, p := range b.phrases {
		if p.Role == wish.Aside {
			out = append(out, p.Span)
		}
	}
	return out
}

// without is a brief without the recipes that cannot show it: names and numbers alone, of which they made nothing, are a text.
func (r *Reader) without(b Brief) Brief {
	if len(b.Not) == 0 {
		return b
	}
	b.ranks = slices.DeleteFunc(b.ranks, func(class string) bool {
		return slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool { return m.Learned == class && slices.Contains(b.Not, m.Name) })
	})
	words := func(p wish.Phrase) bool { return p.Role != wish.Name && p.Role != wish.Figure }
	if n := len(b.phrases); n > 0 && !slices.ContainsFunc(b.phrases, words) {
		b.phrases = []wish.Phrase{{Span: wish.Span{From: b.phrases[0].From, To: b.phrases[n-1].To}, Role: wish.Headline}}
	}
	return b
}

func (r *Reader) readBrief(b Brief) Request {
	var q Request
	f, nearest, not := r.choose(b)
	if f == nil {
		q.Nearest, q.NotAnimation = nearest, not
		read := r.read(r.choosing, b)
		q.Notes = q.Picture.read(read.Wishes(), usual)
		q.Left = read.Left(func(w *wish.Wish) bool {
			return w.Kind != wish.Number && w.Kind != wish.Percent && w.Kind != wish.Share
		})
		return q
	}
	m := f.m
	q.Recipe, q.Edits, q.Styles, q.Notes = m, f.edits, f.styles, f.notes
	q.Notes = append(q.Notes, q.Picture.read(f.wishes, usual)...)
	q.Left = f.left()
	q.Settled = settled(m, f.edits)
	q.Files = f.files
	if len(b.Data)+len(f.files) == 0 {
		q.Missing = missing(m, f.set)
	}
	return q
}

// fill reads a brief for a recipe.
func (r *Reader) fill(m *recipe.Manifest, b Brief) *filler {
	if b.phrases != nil {
		b.phrases = r.unsigned(m, b)
		b.phrases = r.suited(m, r.of(m), b.phrases, b.Prompt)
	}
	f := newFiller(r, m, r.read(r.of(m), b))
	f.assets = b.Assets
	f.sides(b)
	f.marks(b)
	f.fill()
	f.about(b)
	f.entitled(b)
	f.purposed(b)
	f.heading(b)
	f.labelled(b)
	f.sort(b)
	f.pointed(b)
	f.firstPoint()
	f.nameBefore()
	f.raised()
	f.nameFirst(b.Prompt)
	f.brought()
	f.ticked()
	f.starred()
	f.mark()
	f.greeting()
	f.capitalized()
	for i := range f.edits { // a new video has nothing yet that one scene could differ from
		if p := m.Param(f.edits[i].Param); p != nil && !p.Scene {
			f.edits[i].in = nil
		}
	}
	if p, locale := f.free("locale"), f.read.Locale(); p != nil && locale != "" && (f.numbers() || f.greets() || f.labels() || slices.Contains(f.m.Fits, "markdown")) { // "12.500 €"
		f.edits = append(f.edits, Edit{Param: p.Name, Value: locale})
	}
	return f
}

// numbers reports whether the text gives numbers to be shown.
func (f *filler) numbers() bool {
	return slices.ContainsFunc(f.edits, func(e Edit) bool {
		p := f.m.Param(e.Param)
		return p != nil && (p.Type == recipe.Rows || slices.Contains(p.Takes, "number") || slices.Contains(p.Takes, "range.to"))
	})
}

// greets reports whether the recipe says the greeting itself, in the language of the text.
func (f *filler) greets() bool {
	text := taker(f.m, "text")
	return taker(f.m, "whom") != nil && text != nil && !f.set[text.Name]
}

// labels reports whether the recipe writes names of its own beside what it draws, in the language of the text: those of planets.
func (f *filler) labels() bool {
	return slices.ContainsFunc(f.m.Params, func(p recipe.Param) bool {
		return p.Type == recipe.Rows && len(p.Takes) == 0 && p.Default.For("") != "" && p.Default.For("") != "[]"
	})
}

// filler turns the wishes of a text into edits of the parameters of a recipe.
type filler struct {
	r      *Reader
	m      *recipe.Manifest
	read   *wish.Reading
	whole  *wish.Reading // of a change: with what read is spared
	wishes []wish.Wish
	assets []koda.Asset
	set    map[string]bool // parameters that have a value
	taken  map[wish.Span]bool
	shown  []wish.Span // texts that are shown
	edits  []Edit
	styles []string
	notes  []string
	files  []string // with data
	over   []string // words left over, where parts were read by themselves
	headed bool     // a line below took the place of a headline
	lost   int      // texts that the recipe has no room for
	// crowded says that there are more sides than the recipe can show.
	crowded bool
	// selfColoured says that rows have no colours but those that their labels are.
	selfColoured bool
	sights       []wish.Span // words of signs
	// change says that values exist already: no text is taken from words that only stand there.
	change bool
	values recipe.Values
	gaps   []wish.Span // of a change: what stands between its parts
	// holders are the places of the things that a change names; nil if nobody knows them.
	holders []wish.Span
	picked  []wish.Wish // rows of a default, by their text
	ask     string      // what koda does not know which of several it is
	which   []string    // what to say to make it clear
}

func newFiller(r *Reader, m *recipe.Manifest, read *wish.Reading) *filler {
	return &filler{r: r, m: m, read: read, wishes: read.Wishes(), set: map[string]bool{}, taken: map[wish.Span]bool{}}
}

func (f *filler) fill() {
	f.signs()
	f.pictures()
	f.texts()
	f.kindRows()
	f.data()
	later := []wish.Wish{}
	for _, w := range f.wishes {
		switch {
		case f.taken[w.Span] && (w.Kind == wish.Text || w.Kind == wish.Rows || w.Kind == wish.List) || f.inText(w.Span) && (w.Kind != wish.Choice || w.Sure || f.set[w.About]):
		case f.drawn(w.Span), f.ofKinds(w):
		case (w.Label != "" || w.Kind == wish.Colour && w.About == "") && f.taken[w.Span], w.Label != "" && f.change:
		case w.Kind == wish.Colour && w.About == "" && !w.Behind():
			later = append(later, w) // after the colours that say what they are for
		default:
			f.one(w)
		}
	}
	for _, w := range f.graded(later) {
		f.colour(w)
	}
	f.order()
	f.meant()
}

// meant sets what words of shown texts mean, but for those of items: "Shopping checklist" has boxes to tick.
func (f *filler) meant() {
	shows := func(word string) bool {
		return slices.ContainsFunc(f.edits, func(e Edit) bool {
			p := f.m.Param(e.Param)
			if p == nil || p.Type != recipe.Text {
				return false
			}
			from, _ := find(e.Value, word, 0)
			return from >= 0
		})
	}
	for n, meaning := range f.m.Means {
		if meaning.Shown && !f.change && anyWord(meaning.Words, shows) {
			f.means(wish.Wish{Kind: wish.Means, About: strconv.Itoa(n)})
		}
	}
}

func (f *filler) inText(s wish.Span) bool {
	return slices.ContainsFunc(f.shown, func(t wish.Span) bool { return s.In(t) })
}

// put sets a parameter.
func (f *filler) put(param, value string, w wish.Wish) {
	f.edits = append(f.edits, Edit{Param: param, Value: value, said: f.read.Said(w.Span), in: w.Scenes, from: w.Span.From})
	f.taken[w.Span] = true
	f.set[param] = f.set[param] || w.Scenes == nil
}

func (f *filler) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(f.notes, note) {
		f.notes = append(f.notes, note)
	}
}

// free is the first parameter that takes what it is asked for and has no value yet.
func (f *filler) free(what string) *recipe.Param {
	for i := range f.m.Params {
		if p := &f.m.Params[i]; slices.Contains(p.Takes, what) && !f.set[p.Name] && !f.spoken(p, what) {
			return p
		}
	}
	return nil
}

// spoken reports whether somebody who speaks is to have a parameter that takes something else as well.
func (f *filler) spoken(p *recipe.Param, what string) bool {
	return what != "author" && slices.Contains(p.Takes, "author") && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Author })
}

// one fulfils a wish.
func (f *filler) one(w wish.Wish) {
	p := f.m.Param(w.About)
	switch w.Kind {
	case wish.Colour:
		f.colour(w)
	case wish.Choice:
		f.choice(w)
	case wish.Flag:
		if p == nil || !slices.Contains(p.Takes, "loop") || !f.ofScenes() {
			f.put(w.About, w.Value, w)
		}
	case wish.Number, wish.Percent:
		f.number(w)
	case wish.Share:
		f.share(w)
	case wish.Length:
		f.length(w)
	case wish.Range:
		f.between(w)
	case wish.Author:
		if p := f.free("author"); p != nil {
			f.show(p.Name, w)
		}
	case wish.File:
		f.file(w)
	case wish.More:
		f.relative(w)
	case wish.Reset:
		f.taken[w.Span] = true
		f.edits = append(f.edits, Edit{Param: w.About, op: back, said: f.read.Said(w.Span), in: w.Scenes})
	case wish.Remove:
		switch {
		case p == nil:
		case p.Type == recipe.Text:
			f.put(p.Name, "", w)
		case p.Type == recipe.Choice && w.Scenes == nil && slices.Contains(p.Choices.IDs(), noChoice):
			f.put(p.Name, noChoice, w)
		case p.Type == recipe.Color && w.Scenes == nil && p.Name != backgroundParam && (!f.change && !w.OfText() || f.values[p.Name] == p.Default.For(f.values[styleParam])): // a thing that has a colour is not gone with it
			f.taken[w.Span] = true
			f.note("The %s always has them: %s is not done.", strings.ToLower(f.m.Title), koda.Quote(f.read.Said(w.Span)))
		default:
			if p.Type == recipe.Color && w.Scenes == nil && p.Name != backgroundParam && f.change && !w.OfText() {
				f.note("The %s always has its %s: the colour is the usual one again.", strings.ToLower(f.m.Title), Spoken(p))
			}
			f.taken[w.Span] = true
			f.edits = append(f.edits, Edit{Param: p.Name, op: back, said: f.read.Said(w.Span), in: w.Scenes})
		}
	case wish.Means:
		f.means(w)
	case wish.Advice:
		f.taken[w.Span] = true
		if !slices.Contains(f.notes, w.Value) {
			f.notes = append(f.notes, w.Value)
		}
	case wish.Clock:
		p := cmp.Or(f.free("date"), f.free("range.from"))
		if to := f.free("range.to"); p != nil && to != nil && to.Type == recipe.Text { // "a clock showing 3:45" ends there
			p = to
		}
		if p != nil {
			f.put(p.Name, clocked(p, w.Value), w)
		}
	case wish.Shape, wish.Size, wish.Scale, wish.Rate, wish.Format, wish.Transparent, wish.Explain, wish.Subject, wish.Undo:
		f.taken[w.Span] = true
	case wish.Loop:
		f.taken[w.Span] = true
		if p = cmp.Or(p, f.free("loop")); p != nil && !f.ofScenes() {
			f.put(p.Name, "true", w)
		}
	case wish.Text, wish.Rows, wish.List, wish.Add, wish.Replace, wish.Swap, wish.Move, wish.Merge, wish.Other:
	case wish.Sort:
		if p := f.free("sort"); p != nil && !f.change && slices.Contains(p.Choices.IDs(), w.Value) {
			f.put(p.Name, w.Value, w)
		}
	}
}

// count is how many items or rows the text gives.
func (f *filler) count() int {
	for i := range f.edits {
		p := f.m.Param(f.edits[i].Param)
		var list []json.RawMessage
		if p != nil && (p.Type == recipe.Texts || p.Type == recipe.Rows) && json.Unmarshal([]byte(f.edits[i].Value), &list) == nil {
			return len(list)
		}
	}
	for _, list := range lists(f.m, f.values) {
		return len(list)
	}
	return 0
}

// alone reports, and tells, that a change is wanted of a single thing that only all have together.
func (f *filler) alone(w wish.Wish) bool {
	part, said, ok := f.read.Subject(w.Span)
	if !ok || !f.change {
		return false
	}
	name := f.read.Said(part)
	text := taker(f.m, "text")
	if main := taker(f.m, "color"); main != nil && main.Scene && calls(main, name) || f.count() == 0 && calls(f.m.Param("fill"), name) || calls(f.m.Param(w.About), name+" "+w.About) || !said && !strings.Contains(name, " ") && !f.names(name) || text != nil && text.Type == recipe.Text && calls(text, name) { // "the numbers" of a countdown, "type a bit faster" are all
		f.shown = append(f.shown, part)
		return false
	}
	f.taken[w.Span] = true
	f.shown = append(f.shown, part)
	f.onlyAll(w.Span, name)
	return true
}

// onlyAll tells that what stands at a place is possible for all things together, and not for one alone.
func (f *filler) onlyAll(at wish.Span, one string) {
	f.shown = append(f.shown, at)
	f.note("%s is possible for everything together, not for %s alone.", capital(koda.Quote(f.read.Said(at))), koda.Quote(one))
}

// names reports whether a word names a parameter or an item.
func (f *filler) names(said string) bool {
	return f.has(said) || slices.ContainsFunc(f.m.Params, func(p recipe.Param) bool { return p.Type != recipe.Integer && calls(&p, said) })
}

// calls reports whether a word is one for a parameter.
func calls(p *recipe.Param, said string) bool {
	return p != nil && anyWord(p.Words, func(w string) bool { return strings.EqualFold(w, said) })
}

// anyWord reports whether one of the words fits, in any language.
func anyWord(all recipe.Words, fits func(string) bool) bool {
	for _, words := range all {
		if slices.ContainsFunc(words, fits) {
			return true
		}
	}
	return false
}

// relative makes a parameter more or less.
func (f *filler) relative(w wish.Wish) {
	about := w.About
	p := f.m.Param(about)
	if w.Unit == wish.ShadeUnit && (p == nil || p.Step == 0) { // a background has its shade beside it
		if q := f.m.Param(w.Value); q != nil {
			p = q
		} else if p == nil {
			p = f.m.Param(backgroundParam)
		}
	}
	if p == nil {
		return
	}
	f.taken[w.Span] = true
	if w.Scenes == nil && (f.enlarged(w) || f.alone(w)) {
		return
	}
	e := Edit{Param: p.Name, op: times, by: w.By, said: f.read.Said(w.Span), in: w.Scenes}
	if w.Plus {
		e.op = plus
	}
	if n := f.count(); w.Each() && n > 0 { // "each one a second longer"
		e.by *= float64(n)
	}
	for i := range f.edits { // "too slow, double the speed" is one wish
		if o := &f.edits[i]; e.op == times && o.op == times && o.Param == e.Param && (o.by > 1) == (e.by > 1) && slices.Equal(o.in, e.in) {
			if a, b := math.Abs(math.Log(e.by)), math.Abs(math.Log(o.by)); max(a, b) >= math.Ln2 {
				if a > b {
					*o = e
				}
				return
			}
		}
	}
	f.edits = append(f.edits, e)
}

func (f *filler) means(w wish.Wish) {
	n := whole(w.About)
	if n >= len(f.m.Means) {
		return
	}
	meaning := f.m.Means[n]
	f.taken[w.Span] = true
	for _, row := range meaning.Pick { // "remove Pluto", where it is not
		f.taken[w.Span] = !f.change || row == "*" || f.has(row)
	}
	if f.pick(meaning.Pick, w); w.Not {
		return
	}
	if meaning.Say != "" && !slices.Contains(f.notes, meaning.Say) {
		f.notes = append(f.notes, meaning.Say)
	}
	for i := range f.m.Params {
		if p := &f.m.Params[i]; meaning.Set[p.Name] != "" && !f.said(p.Name) && !(f.change && slices.Contains(p.Takes, "text")) { // "the final score was 3-2"
			f.put(p.Name, meaning.Set[p.Name], w)
		}
	}
}

// said reports whether the text gives a parameter a value in so many words.
func (f *filler) said(param string) bool {
	return f.set[param] || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.About == param && !w.Not && (w.Kind == wish.Colour || w.Kind == wish.Number) || w.Kind == wish.Colour && w.About == "" && !w.Not && !w.Behind() && slices.Contains(f.m.Param(param).Takes, "color")
	})
}
