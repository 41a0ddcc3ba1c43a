package reading

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// order puts the text above a number that stands between two texts: "saved 12.5 tons of CO2".
func (f *filler) order() {
	p, text, below := f.free("order"), taker(f.m, "text"), taker(f.m, "subtitle")
	if p == nil || text == nil || below == nil {
		return
	}
	first, second := f.assigned(text.Name), f.assigned(below.Name)
	between := func(e Edit) bool {
		q := f.m.Param(e.Param)
		return q != nil && slices.Contains(q.Takes, "range.to") && e.from > first.from && e.from < second.from
	}
	if first != nil && second != nil && slices.ContainsFunc(f.edits, between) {
		f.edits = append(f.edits, Edit{Param: p.Name, Value: p.Choices.IDs()[1]})
	}
}

// shortestLink is how many bytes a word has with its blanks that joins what an advert is for to a name: " at ".
const shortestLink = 6

// about gives what the video is for to the parameter for it, where nothing else has these words: "an ad for our pumpkin patch: pick
// your own".
func (f *filler) about(b Brief) {
	p := f.free("about")
	text := taker(f.m, "text")
	if p == nil || text == nil || !f.set[text.Name] || !f.read.Known() {
		return
	}
	if occasion := f.occasion(); occasion.To > 0 {
		f.put(p.Name, f.read.Said(occasion), wish.Wish{Span: occasion})
		f.shown = append(f.shown, occasion)
		return
	}
	if f.kindOfPromo(p) {
		return
	}
	span, ok := f.r.choosing.ForWhat(b.Prompt, 1)
	cut := false // by a text that follows at once: "for our clinic app v2.3"
	for _, w := range f.wishes {
		if text := cmp.Or(w.Shown, w.Span); w.Kind == wish.Text && f.taken[w.Span] && text.From > span.From && text.From < span.To {
			span.To, cut = span.From+len(strings.TrimRight(b.Prompt[span.From:text.From], " ,:")), true
		} else if w.Kind == wish.Text && f.taken[w.Span] && ok && text.From > span.To && text.From-span.To <= shortestLink && len(strings.Fields(b.Prompt[span.To:text.From])) == 1 {
			cut = true // "for our spring tune-up at Kettle Lane Cycles"
		}
	}
	said := func() bool {
		return len(f.r.choosing.Read(f.read.Said(span)).Left(func(*wish.Wish) bool { return true })) > 0
	}
	if slices.Contains(f.m.Fits, "markdown") && !cut || span.To <= span.From || cut && !said() { // "for our new Cardamom Brew"
		return
	}
	if rest := strings.TrimSpace(b.Prompt[span.To:]); !ok || f.inText(span) || rest == "" || !cut && !strings.ContainsAny(rest[:1], ":.,") {
		return
	}
	if slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { // which has another use
		return f.taken[w.Span] && w.Kind != wish.Remark && w.Span.Overlaps(span)
	}) {
		return
	}
	if e := f.assigned(text.Name); e != nil && strings.Contains(strings.ToLower(e.Value), strings.ToLower(b.Prompt[span.From:span.To])) { // "version 2.4.0 of our app Pantry"
		return
	}
	name := p.Name
	if f.headed { // a line below had taken the place of a headline: "for our Birkenhof: potatoes, Fridays from 9"
		name = f.lowered(text)
	}
	f.put(name, b.Prompt[span.From:span.To], wish.Wish{Span: span})
	f.shown = append(f.shown, span)
}

// lowered takes a headline back into the line below, and returns the parameter of the headline.
func (f *filler) lowered(text *recipe.Param) string {
	e, below := f.assigned(text.Name), taker(f.m, "subtitle").Name
	if rest := f.assigned(below); rest != nil {
		rest.Value = e.Value + " · " + rest.Value
		f.edits = slices.DeleteFunc(f.edits, func(x Edit) bool { return x.Param == text.Name })
	} else {
		e.Param = below
	}
	f.set[text.Name], f.set[below] = false, true
	return text.Name
}

// marks gives the lines that a text asks to be marked to the parameter for them: "highlight lines 2-4".
func (f *filler) marks(b Brief) {
	p := f.free("marks")
	if p == nil {
		return
	}
	for _, language := range slices.Sorted(maps.Keys(p.Words)) {
		for _, words := range p.Words[language] {
			before, behind, around := strings.Cut(words, " … ") // "line 2 highlighted"
			if around {
				behind = `\s*` + regexp.QuoteMeta(behind)
			}
			re, err := regexp.Compile(`(?i)(?:^|\PL)(` + regexp.QuoteMeta(before) + `\s*` + lineNumbers + behind + `)`)
			if err != nil {
				continue
			}
			at := re.FindStringSubmatchIndex(b.Prompt)
			if at == nil || slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Source && p.From < at[3] && p.To > at[2] }) {
				continue
			}
			value := b.Prompt[at[4]:at[5]]
			if at[6] >= 0 {
				value += "-" + b.Prompt[at[6]:at[7]]
			}
			span := wish.Span{From: at[2], To: at[3]}
			f.put(p.Name, value, wish.Wish{Span: span})
			f.shown = append(f.shown, span)
			return
		}
	}
}

// ofScenes reports whether a change is for some scenes, of which the loop may be one: "green in the loop".
func (f *filler) ofScenes() bool {
	return f.change && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Scenes != nil })
}

// occasion is where several words that mean the recipe stand before its name, and are shown nowhere: "Black Friday" of "Black Friday ad".
func (f *filler) occasion() wish.Span {
	first, _, _ := strings.Cut(f.read.Text(), " ")
	for _, w := range f.wishes {
		if w.Kind != wish.Subject || w.About != f.m.Name || f.inText(w.Span) || !slices.ContainsFunc(f.wishes, func(o wish.Wish) bool {
			return o.Kind == wish.Subject && o.About == f.m.Name && o.Sure && o.Span.From == w.Span.To+1
		}) {
			continue
		}
		if !w.Sure && w.Value == wish.PhraseValue {
			return w.Span
		}
		if w.Span.From == len(first)+1 && slices.Contains(f.left(), first) { // "Summer sale promo"
			return wish.Span{To: w.Span.To}
		}
	}
	return wish.Span{}
}

// settled is how much edits settle: a number counts twice.
func settled(m *recipe.Manifest, edits []Edit) int {
	n := 0
	seen := map[string]bool{}
	for _, e := range edits {
		p := m.Param(e.Param)
		if seen[e.Param] || p == nil || p.Type == recipe.Text {
			continue
		}
		seen[e.Param] = true
		n++
		if p.Name != durationParam && !p.Scene && (p.Type == recipe.Number || p.Type == recipe.Integer) {
			n++
		}
	}
	return n
}

// missing is the first parameter that needs a value and has none: a text with a least
// length, or rows, unless their least number is 0.
func missing(m *recipe.Manifest, set map[string]bool) string {
	for i := range m.Params {
		p := &m.Params[i]
		empty := p.Default.For("") == "" || p.Default.For("") == "[]"
		needed := p.Min != nil && *p.Min >= 1 && (p.Type == recipe.Text || p.Type == recipe.Sign) || p.Type == recipe.Rows && slices.Contains(p.Takes, "rows") && (p.Min == nil || *p.Min >= 1)
		to := taker(m, "range.to")
		ends := p.Type == recipe.Rows && to != nil && set[to.Name] // of a line
		if empty && needed && !set[p.Name] && !ends {
			return p.Name
		}
	}
	return ""
}

// raised makes the headline of a line below that has none above it, where the recipe shows nothing without one: "a light bulb, text
// below: …".
func (f *filler) raised() {
	text, below := taker(f.m, "text"), taker(f.m, "subtitle")
	if text == nil || below == nil || missing(f.m, f.set) != text.Name || f.assigned(below.Name) == nil {
		return
	}
	f.raise(text, below)
}

// nameFirst puts a name above the title that somebody has, where both words say so: "the name Helen Okafor and the title Head of Paediatrics".
func (f *filler) nameFirst(prompt string) {
	text, below := taker(f.m, "text"), taker(f.m, "subtitle")
	if f.change || text == nil || below == nil {
		return
	}
	title, name := f.assigned(text.Name), f.assigned(below.Name)
	if title == nil || name == nil {
		return
	}
	if at := strings.Index(prompt, name.Value); at > 0 && at < strings.Index(prompt, title.Value) && named.MatchString(prompt[:at]) {
		title.Value, name.Value = name.Value, title.Value
	}
}

// named are words before somebody's name.
var named = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:name|Namen?|nombre|nom|nome)(?: is| of)?:? ["“„«]?$`)

// raise makes the headline of the line below.
func (f *filler) raise(text, below *recipe.Param) {
	f.assigned(below.Name).Param = text.Name
	f.set[text.Name], f.set[below.Name] = true, false
}

// sort takes the sort of a list from the first word of its heading: "checklist for hostel guests".
func (f *filler) sort(b Brief) {
	if !slices.Contains(f.m.Fits, "list") || f.change || len(f.shown) == 0 {
		return
	}
	heading := slices.MinFunc(f.shown, func(a, b wish.Span) int { return cmp.Compare(a.From, b.From) })
	said := strings.ToLower(b.Prompt[heading.From:heading.To])
	for _, means := range f.m.Means {
		for _, words := range means.Words {
			for _, word := range words {
				rest, is := strings.CutPrefix(said, strings.ToLower(word))
				if !is || rest != "" && strings.TrimLeft(rest, " :") == rest {
					continue
				}
				for name, value := range means.Set {
					if p := f.m.Param(name); p != nil && p.Type == recipe.Choice && !f.set[name] {
						f.edits, f.set[name] = append(f.edits, Edit{Param: name, Value: value}), true
					}
				}
			}
		}
	}
}

// entitled shows what a list is for, or a countdown to a day, where nothing else names it: "checklist for our drivers: tyres, …". Only
// words that were taken for words to the maker are shown.
func (f *filler) entitled(b Brief) {
	p, behind, list := f.free("about.title"), "", slices.Contains(f.m.Fits, "list")
	if q := taker(f.m, "about.title"); q != nil && !list { // where a day is named: "school fete · 14 June"
		text := taker(f.m, "text")
		if i := slices.IndexFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Subject && w.About == f.m.Name }); i >= 0 && p == q && f.read.Known() && !f.change { // "60 second plank timer"
			if head := strings.TrimRight(b.Prompt[:f.wishes[i].Span.From], " "); strings.HasSuffix(head, " "+strings.Join(f.left(), " ")) || head == strings.Join(f.left(), " ") {
				f.overline(head, p)
			}
			if f.set[p.Name] {
				return
			}
		}
		if text != nil && f.set[text.Name] && q != text && p == q && f.read.Known() { // "countdown to product launch: 10 seconds, then …"
			if end := headEnd(b.Prompt); end > 0 {
				f.overline(b.Prompt[:end], p)
			}
		}
		if span, _, ok := f.forWhat(b); text == nil || f.set[text.Name] && !(ok && !f.r.choosing.Read(b.Prompt).For(span) && span.From < strings.Index(b.Prompt, f.assigned(text.Name).Value)) { // "countdown to our fair, ending with …"
			p = nil
		}
		if e := f.assigned(q.Name); e != nil && strings.ContainsFunc(e.Value, unicode.IsDigit) {
			p, behind = q, " · "+e.Value
		}
	}
	if p == nil || !f.read.Known() {
		return
	}
	span, aside, ok := f.forWhat(b)
	switch end := headEnd(b.Prompt); {
	case ok || end < 0:
	case list:
		f.topic(p, end)
	case behind == "": // "countdown to product launch: 3 2 1"
		f.overline(b.Prompt[:end], p)
	}
	named := func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.About == f.m.Name && w.Span.To < span.From
	}
	if ok && (list || behind != "" || slices.ContainsFunc(f.wishes, named)) {
		said := span
		for _, w := range f.wishes { // "price list of our salon"
			if list && named(w) && strings.Count(b.Prompt[w.Span.To:span.From], " ") <= 3 && !strings.EqualFold(f.read.Said(w.Span), f.m.Name) && !f.itemed(f.read.Said(w.Span)) {
				said.From = w.Span.From
			}
		}
		f.put(p.Name, f.read.Said(said)+behind, wish.Wish{Span: span})
		f.shown = append(f.shown, aside)
	}
}

// topic shows the words before the colon of a list from the first to the last that nobody understands, if a word for the recipe stands among
// them: "three tips for better sleep".
func (f *filler) topic(p *recipe.Param, end int) {
	left, text := f.left(), f.read.Text()
	if len(left) < 2 {
		return
	}
	first, last := left[0], left[len(left)-1]
	span := wish.Span{From: strings.Index(text[:end], first), To: strings.LastIndex(text[:end], last) + len(last)}
	if span.From < 0 || span.To <= span.From+len(first) || span.To-span.From > longestHeading || !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.About == f.m.Name && w.Span.In(span)
	}) {
		return
	}
	f.put(p.Name, f.read.Said(span), wish.Wish{Span: span})
	f.shown = append(f.shown, span)
}

// itemed reports whether words end with one for the items of a list: "bullet points".
func (f *filler) itemed(words string) bool {
	p := taker(f.m, "list")
	return p != nil && anyWord(p.Words, func(word string) bool { return strings.HasSuffix(strings.ToLower(words), strings.ToLower(word)) })
}

// purposed shows what a title is for where nothing else is said: "a title card for my physics lesson".
func (f *filler) purposed(b Brief) {
	text := taker(f.m, "text")
	if f.change || text == nil || missing(f.m, f.set) != text.Name || !f.named() || !f.read.Known() {
		return
	}
	if span, aside, ok := f.forWhat(b); ok {
		f.put(text.Name, strings.TrimRight(f.read.Said(span), "."), wish.Wish{Span: span})
		f.shown = append(f.shown, aside)
	}
}

// forWhat is what the words to the maker say that a video is for, up to the end of these words; ok is false if it is shown already,
// or nobody says so.
func (f *filler) forWhat(b Brief) (span, aside wish.Span, ok bool) {
	span, ok = f.r.choosing.ForWhat(b.Prompt, 1)
	if !ok || f.inText(span) {
		return span, aside, false
	}
	for _, a := range b.phrases {
		if a.Role == wish.Aside && span.In(a.Span) {
			span.To = span.From + len(strings.TrimRight(b.Prompt[span.From:a.To], " ,:"))
			return span, a.Span, true
		}
	}
	return span, aside, false
}

// heading shows the words before what is set against each other, where nothing else shows them: "rocket league final: Reds 3 - 2
// Blues".
func (f *filler) heading(b Brief) {
	p, text := taker(f.m, "sides"), taker(f.m, "text")
	if text == nil || !f.read.Known() {
		return
	}
	if p == nil {
		f.headingOfRows(b, text)
		if i := slices.IndexFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Subject || w.Kind == wish.Choice }); i >= 0 && slices.Contains(f.m.Fits, "number") && !f.change && !f.set[text.Name] {
			f.overline(b.Prompt[:f.wishes[i].Span.From], text) // "Sprint progress ring at 64%"
		}
		return
	}
	if !f.set[p.Name] && f.m.Learned != "" {
		return
	}
	end := headEnd(b.Prompt)
	if first := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Figure }); end < 0 && !f.set[text.Name] && first >= 0 {
		f.overline(b.Prompt[:b.phrases[first].From], text)
	}
	if end < 0 || f.titled(end) {
		return
	}
	from, loose, ok := f.loosely(b.Prompt[:end])
	if !ok { // else "before/after for a garden makeover: …"
		for _, w := range f.wishes { // "score final du tournoi"
			if w.Kind == wish.Subject && w.Span.From < from && w.Span.To <= from && strings.Contains(f.read.Said(w.Span), " ") {
				from = w.Span.From
			}
		}
		for _, s := range f.shown { // "renting vs buying in 2025"
			if i := strings.Index(strings.ToLower(b.Prompt[:end]), strings.ToLower(f.read.Said(s))); i >= 0 {
				from = min(from, i)
			}
		}
	}
	if loose > 0 {
		f.headingIs(text, b.Prompt, wish.Span{From: from, To: end})
	}
}

// headingOfRows shows the words before rows, where nothing else shows them: "plot the river level at Tarnbeck, 0.8 0.9 1.4". A single word
// that nobody understands makes no heading.
func (f *filler) headingOfRows(b Brief, text *recipe.Param) {
	p := taker(f.m, "rows")
	first := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Name || p.Role == wish.Figure })
	if p == nil || first < 0 || f.set[text.Name] || !f.set[p.Name] && f.m.Learned != "" || f.titled(b.phrases[first].From) {
		return
	}
	end := b.phrases[first].From
	from, loose, _ := f.loosely(b.Prompt[:end])
	for _, w := range f.wishes { // "growth of our listeners as a line"
		if w.Kind == wish.Subject && w.Span.From > from && w.Span.To <= end && strings.Trim(b.Prompt[w.Span.To:end], headMarks) == "" {
			end = f.idleEnd(b.Prompt, from, w.Span.From)
			break
		}
	}
	if span := (wish.Span{From: from, To: end}); loose > 1 && len(strings.TrimRight(b.Prompt[from:end], headMarks)) <= longestHeading {
		f.headingIs(text, b.Prompt, span)
	}
}

// headMarks are what may stand between a heading and what it is of.
const headMarks = " ,:-"

// titled reports whether a text is shown already: of a recipe that no example is of, one before a place.
func (f *filler) titled(end int) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Text && f.taken[w.Span] && (f.m.Learned != "" || w.Span.From < end)
	})
}

// loosely is where the first word of a prompt's beginning stands that nobody understands, and how many there are. aimed says that words for
// what the video is for begin before them, and from is there.
func (f *filler) loosely(head string) (from, loose int, aimed bool) {
	from = len(head)
	for _, said := range f.left() {
		if i := strings.Index(head, said); i >= 0 {
			from, loose = min(from, i), loose+1
		}
	}
	if span, ok := f.r.choosing.ForWhat(head, 1); ok && span.From <= from {
		return span.From, loose, true
	}
	return from, loose, false
}

// idleEnd is where the words before a place begin that say nothing by themselves, such as "as a", but not before from.
func (f *filler) idleEnd(prompt string, from, end int) int {
	for {
		at := strings.LastIndexByte(strings.TrimRight(prompt[:end], " "), ' ')
		if at <= from || len(f.r.choosing.Read(prompt[at:end]).Left(func(*wish.Wish) bool { return true })) > 0 {
			return end
		}
		end = at
	}
}

// headingIs makes a place of the prompt, without the marks at its end, the heading.
func (f *filler) headingIs(text *recipe.Param, prompt string, span wish.Span) {
	said := dangling.ReplaceAllString(strings.TrimRight(prompt[span.From:max(span.From, span.To)], headMarks), "")
	if said == "" || f.r.words.Numeral(said) != 0 { // "three bars"
		return
	}
	span.To = span.From + len(said)
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param == text.Name })
	f.put(text.Name, said, wish.Wish{Span: span})
	f.shown = append(f.shown, span)
}

// dangling is a word at the end of a heading that leads to what it is of: "League table with".
var dangling = regexp.MustCompile(`(?i) (?:with|of|for|mit|con|avec|com)$`)

// overline shows the words of a prompt's beginning that nobody understands, if they stand side by side: "handball result TV Altdorf
// 27 - 24 HC Brix".
func (f *filler) overline(head string, text *recipe.Param) {
	left := strings.Join(f.left(), " ")
	from := strings.Index(head, left)
	if span := (wish.Span{From: from, To: from + len(left)}); left != "" && from >= 0 && !strings.ContainsFunc(left, unicode.IsDigit) && f.r.words.Numeral(left) == 0 {
		f.put(text.Name, left, wish.Wish{Span: span})
		f.shown = append(f.shown, span)
	}
}

// longestHeading is how long words before rows may be that become the heading, in bytes: longer ones are a speech to the maker.
const longestHeading = 70

// headEnd is where the first colon stands, if it stands between no numbers; -1 otherwise.
func headEnd(prompt string) int {
	at := strings.IndexAny(prompt, ":：")
	if at < 0 {
		return -1
	}
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(prompt[:at], " "))
	after, _ := utf8.DecodeRuneInString(strings.TrimLeft(prompt[at:], " :："))
	if unicode.IsDigit(before) && unicode.IsDigit(after) {
		return -1
	}
	return at
}
