package reading

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// replacing gives a thing other words, or another number.
func (f *filler) replacing(o *wish.Order) bool {
	if gone := o.Things; len(gone) == 1 && gone[0].Role == wish.Gone && !f.standing(gone[0].Said) && f.removing(&wish.Order{Things: gone}) { // "remove the price and put "soon" there"
		return f.beneath(*o.New, false)
	}
	if f.begun(o) || f.signed(o) || f.recounted(o) || f.renewed(o) || f.inPlace(o) {
		return true
	}
	if len(o.Things) == 0 {
		return f.further(o) || f.otherShare(o.New) || f.itself(o.New) || f.hinted(o) || f.onlyNumber(o.New)
	}
	if day := f.otherDay(o); day != "" && f.restate(turn{From: day, To: likeThat(day, o.New.Said), Span: o.New.Span}, every) {
		return true
	}
	if f.kind(*o.New) && !slices.ContainsFunc(o.Things, func(t wish.Part) bool { return f.standing(t.Said) }) || f.read.Sets(o.New.Span) || f.dated(o) || ending.MatchString(o.New.Said) && taker(f.m, "outcome") != nil { // "Tigers won 3-2"
		return false
	}
	if p := taker(f.m, "author"); p != nil && f.read.By(o.New.Span) && f.textFor(o.Things[0]) == taker(f.m, "text") { // "the quote is by Leo"
		f.put(p.Name, o.New.Said, wish.Wish{Span: o.New.Span})
		return true
	}
	row, number := f.read.Quantity(o.New.Span, "")
	counted := func(name string, items ...string) bool { // it has another number
		row.Label = name
		return f.listing(o, wish.Wish{Kind: wish.Rows, About: name, Items: items, Rows: []wish.Row{row}})
	}
	if done, ok := f.several(o, number); ok {
		return done
	}
	for _, t := range o.Things {
		name := f.called(t)
		if f.lineOf(name, o.New) || f.sideSays(name, o.New) {
			return true
		}
		if number && f.counts(name) {
			return counted(name)
		}
	}
	for _, t := range slices.Backward(o.Things) {
		if nth := f.figure(t); number && nth != "" { // "38, not 31"
			return counted(nth, nth)
		}
		if f.reworded(t, o.New) {
			return true
		}
	}
	for _, t := range o.Things {
		switch p := f.textFor(t); {
		case p == nil:
		case slices.Contains(p.Takes, "range.from"), slices.Contains(p.Takes, "range.to"): // "stop at half past twelve"
			f.gaps = append(f.gaps, wish.Span{From: t.From, To: max(t.To, o.New.From)})
			return false
		case slices.Contains(p.Takes, "whom") && (strings.ContainsAny(f.value(p), figures+",") && !strings.ContainsAny(o.New.Said, figures+",") || f.value(p) == "" && f.value(taker(f.m, "text")) != ""): // a day stands beside the names, or the text says all
		case f.quotation(f.value(p), o.New),
			f.values[p.Name] == "" && strings.Trim(o.New.Said, figures+".,:v") == "" && f.restate(f.version(o.New), every): // "it's version 2.5 now"
			return true
		case slices.Contains(p.Takes, "commands") && f.has(f.called(t)): // "the second command"
			return f.listing(o, wish.Wish{Kind: wish.Replace, From: f.called(t), To: o.New.Said})
		default:
			if old := nearly(f.value(p), o.New.Said); old == "" || !f.restate(turn{From: old, To: o.New.Said, Span: o.New.Span}, func(q *recipe.Param) bool { return q == p }) {
				f.put(p.Name, o.New.Said, wish.Wish{Span: o.New.Span})
			}
			return true
		}
		if name := f.called(t); f.has(name) {
			if old := counterpart(name, o.New.Said); old != "" { // "14 languages", of "spell check in 12 languages"
				return f.restate(turn{From: old, To: o.New.Said, Span: o.New.Span}, every)
			}
			return f.listing(o, wish.Wish{Kind: wish.Replace, From: name, To: o.New.Said})
		}
	}
	return f.exampled(o) || f.unseen(o, row, number)
}

// exampled gives code in place of the example that is shown: "change hello world to good morning".
func (f *filler) exampled(o *wish.Order) bool {
	p := taker(f.m, "code")
	if p == nil || f.value(p) != "" || len(o.Things) != 1 {
		return false
	}
	for i := range f.m.Params {
		if q := &f.m.Params[i]; q.Type == recipe.Choice && f.chosen(q, f.values[q.Name], o.Things[0].Said) {
			f.put(p.Name, o.New.Said, wish.Wish{Span: o.New.Span})
			f.shown = append(f.shown, o.Things[0].Span, o.New.Span)
			return true
		}
	}
	return false
}

// unseen gives new words a place that are for a thing of which the video shows nothing yet, or which it calls otherwise.
func (f *filler) unseen(o *wish.Order, row wish.Row, number bool) bool {
	if below := taker(f.m, "subtitle"); below != nil && f.value(below) == "" && !number && f.read.Strange(o.Things[0].Span) { // "add the scorers below: …"
		if _, under := f.read.Cues(o.New.Span); under {
			f.show(below.Name, wish.Wish{Value: o.New.Said, Span: o.New.Span})
			f.gaps = append(f.gaps, o.Things[0].Span)
			return true
		}
	}
	if number && f.read.Strange(o.Things[0].Span) && f.anySide(o.New.Said) {
		return true
	}
	if row.Label = o.Things[0].Said; number && len(o.Things) == 1 && f.numbered() && strings.Trim(o.Things[0].Said, figures+".,") != "" && f.read.Strange(o.Things[0].Span) { // "and skirts 5"
		return f.listing(o, wish.Wish{Kind: wish.Add, Rows: []wish.Row{row}})
	}
	if number && len(o.Things) == 1 && f.read.Strange(o.Things[0].Span) && f.onlyNumber(o.New) { // "the price is 18 now"
		return true
	}
	if f.read.Strange(o.Things[0].Span) && f.itself(o.New) { // "the date moved to day 28"
		return true
	}
	if f.count() == 0 && (f.read.Place(o.Things[:1]) == "-1" && taker(f.m, "range.from") == nil || f.read.Strange(o.Things[0].Span)) && strings.ContainsFunc(o.New.Said, unicode.IsLetter) { // "the address is …", of which there is none yet
		return f.adding(&wish.Order{Kind: wish.Add, Things: []wish.Part{{Span: o.New.Span, Role: wish.Further, Said: o.New.Said}}}, nil)
	}
	return false
}

// anySide asks for which of several sides a figure is: "price $12".
func (f *filler) anySide(said string) bool {
	for p, list := range lists(f.m, f.values) {
		if taking(p, "figure") == "" || len(list) < 2 {
			continue
		}
		f.ask = fmt.Sprintf("nothing says for which %s is", said)
		for _, item := range list {
			f.which = append(f.which, text(p, item)+": "+said)
		}
		return true
	}
	return false
}

// signed gives the numbers a currency, or the sign that stands behind a new one: "the £ sign in front", "a + after the number", "750+".
func (f *filler) signed(o *wish.Order) bool {
	now := o.New
	if p := f.free("currency"); p != nil && !strings.ContainsAny(now.Said, figures) {
		if code, _, ok := f.r.words.Read(now.Said).Currency(); ok {
			f.put(p.Name, code, wish.Wish{Span: now.Span})
			f.gaps = append(f.gaps, o.Spans()...)
			return true
		}
	}
	p := f.free("unit")
	if p == nil {
		return false
	}
	if !strings.ContainsFunc(now.Said, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSpace(c) }) && !f.read.Sets(now.Span) {
		f.put(p.Name, now.Said, wish.Wish{Span: now.Span})
		return true
	}
	if number, plus := strings.CutSuffix(now.Said, "+"); plus && f.values[p.Name] == "" && strings.Trim(number, figures+".,") == "" {
		f.put(p.Name, "+", wish.Wish{Span: now.Span})
	}
	return false
}

// several makes one thing of several, or gives two of them new names; ok is false if the new words are for no two things.
func (f *filler) several(o *wish.Order, number bool) (done, ok bool) {
	var names []string
	for _, t := range o.Things {
		if name := f.called(t); f.has(name) {
			names = append(names, name)
		}
	}
	if len(names) < 2 || len(names) < len(o.Things) {
		return false, false
	}
	if halves, two := f.read.Versus(o.New.Span); two && len(names) == len(halves) { // "say Last year and This year instead of before and after"
		done = true
		for i, name := range names {
			done = f.listing(o, wish.Wish{Kind: wish.Replace, From: name, To: trimmed(f.read.Said(halves[i]))}) && done
		}
		return done, true
	}
	if number {
		return false, false
	}
	return f.listing(o, wish.Wish{Kind: wish.Merge, Items: names, Value: o.New.Said}), true // "combine Tea and Juice into Drinks"
}

// lineOf gives a line or the figure of a side another number, where the change names what is counted: "Pro has 100 users", of "50
// users".
func (f *filler) lineOf(name string, now *wish.Part) bool {
	if !strings.ContainsAny(now.Said, figures) {
		return false
	}
	two := strings.Fields(f.read.Text()[now.From:])
	two = two[:min(len(two), 2)]
	for p, list := range lists(f.m, f.values) {
		i := index(p, list, name)
		for _, column := range []string{taking(p, "lines"), taking(p, "figure")} {
			if column == "" || i < 0 {
				continue
			}
			for _, to := range []string{now.Said, strings.Trim(strings.Join(two, " "), ",.;!?")} {
				old := counterpart(cell(list[i], column), to)
				if old == "" {
					continue
				}
				list = slices.Clone(list)
				list[i] = with(list[i], column, recipe.Encode(strings.Replace(cell(list[i], column), old, to, 1)))
				at := wish.Span{From: now.From, To: now.From + strings.Index(f.read.Text()[now.From:], to) + len(to)}
				f.ahead(p, recipe.Encode(list), at)
				f.shown = append(f.shown, at)
				return true
			}
		}
	}
	return false
}

// sideSays gives a side of one line alone another one: "after should say clean desk".
func (f *filler) sideSays(name string, now *wish.Part) bool {
	for p, list := range lists(f.m, f.values) {
		i, column := index(p, list, name), taking(p, "lines")
		if i < 0 || column == "" || !f.read.Says(now.Span) && !(f.contrary(name) && f.read.Is(now.Span)) || cell(list[i], taking(p, "figure")) != "" || strings.Contains(cell(list[i], column), "\n") {
			continue
		}
		list[i] = with(list[i], column, recipe.Encode(now.Said))
		f.ahead(p, recipe.Encode(list), now.Span)
		f.shown = append(f.shown, now.Span)
		return true
	}
	return false
}

// quoted is a quotation in code or in a command.
var quoted = regexp.MustCompile("[\"'`]([^\"'`\\n]+)[\"'`]")

// quotation gives the only quotation in commands or code other words: the message of "git commit -m "first try"".
func (f *filler) quotation(stands string, now *wish.Part) bool {
	all := quoted.FindAllStringSubmatch(stands, -1)
	return len(all) == 1 && f.quoted(now.Span) && strings.Contains(stands, "\n") && f.restate(turn{From: all[0][1], To: strings.Trim(now.Said, "\"'`"), Span: now.Span}, every)
}

// further adds what the default of a list has and the list has not: "the kids want Jupiter too".
func (f *filler) further(o *wish.Order) bool {
	for p, list := range lists(f.m, f.values) {
		if name := f.ownName(p, o.New.Said); standard(p, name) != nil && index(p, list, name) < 0 {
			return f.listing(o, wish.Wish{Kind: wish.Add, Items: []string{name}})
		}
	}
	return false
}

// shares are the shares in a text: "-50%".
var shares = regexp.MustCompile(`\d+(?:[.,]\d+)?\s?%`)

// otherShare gives the only share that the video tells another number: "make it 40% off", of "-50%".
func (f *filler) otherShare(now *wish.Part) bool {
	to, old := shares.FindString(now.Said), ""
	for s := range f.everywhere {
		for _, share := range shares.FindAllString(s, -1) {
			if old != "" && old != share {
				return false
			}
			old = share
		}
	}
	return to != "" && old != "" && f.restate(turn{From: old, To: to, Span: now.Span}, every)
}

// mostBegun is how many words a line has at most that another line takes the place of which begins like it.
const mostBegun = 6

// begun gives a line new words behind its first word: "from Tim and Lucy", of "from all of us".
func (f *filler) begun(o *wish.Order) bool {
	now, before := o.New, strings.Fields(f.read.Text()[:o.New.From])
	if len(before) == 0 || f.fact(*now) || strings.ContainsAny(now.Said, figures) {
		return false
	}
	lead := before[len(before)-1]
	if len(o.Things) > 0 && !strings.EqualFold(o.Things[0].Said, lead) {
		return false
	}
	for i := range f.m.Params {
		p := &f.m.Params[i]
		first, rest, _ := strings.Cut(f.value(p), " ")
		if p.Type != recipe.Text || rest == "" || !strings.EqualFold(first, lead) || len(strings.Fields(rest)) >= mostBegun || strings.ContainsAny(rest, figures) {
			continue
		}
		f.put(p.Name, first+" "+now.Said, wish.Wish{Span: now.Span})
		f.shown = append(f.shown, wish.Span{From: now.From - len(lead) - 1, To: now.To})
		return true
	}
	return false
}

// hinted gives a number to the one item of which words before it have a part: "the new one does 14 mpg", of "old bus" and "new bus".
func (f *filler) hinted(o *wish.Order) bool {
	span := o.New.Span
	if at := amount.FindStringIndex(o.New.Said); at != nil && at[0] == 0 && !strings.Contains(strings.TrimSpace(o.New.Said[at[1]:]), " ") { // "14 mpg"
		span.To = span.From + at[1]
	}
	row, number := f.read.Quantity(span, "")
	before := f.read.Text()[:o.New.From]
	row.Label = f.hasPart(before[strings.LastIndexAny(before, ".,;!?")+1:])
	if row.Label != "" && !number && f.fact(*o.New) { // "the workshop moved to 10:45"
		return f.reworded(wish.Part{Span: o.New.Span, Said: row.Label}, o.New)
	}
	return number && f.counts(row.Label) && f.listing(o, wish.Wish{Kind: wish.Rows, About: row.Label, Rows: []wish.Row{row}})
}
