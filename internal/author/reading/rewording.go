package reading

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// recounted gives items that new words name other numbers, where one follows each name: "Falcons 2 - Otters 3".
func (f *filler) recounted(o *wish.Order) (done bool) {
	now, least := *o.New, 1
	if n := len(o.Things) - 1; n >= 0 && o.Things[n].To < now.From && strings.TrimSpace(f.read.Said(wish.Span{From: o.Things[n].To, To: now.From})) == "" { // "Panthers 71 Wolves 68"
		now.From, least = o.Things[n].From, 2
		now.Said = f.read.Said(now.Span)
	}
	var all []wish.Row
	for p, list := range lists(f.m, f.values) {
		for i := range list {
			name := text(p, list[i])
			_, end := find(now.Said, name, 0)
			if end < 0 || name == "" || len(list) == 1 {
				continue
			}
			if at := amount.FindStringIndex(now.Said[end:]); at != nil && at[0] <= 2 && strings.Trim(now.Said[end:end+at[0]], " :") == "" {
				if row, ok := f.read.Quantity(wish.Span{From: now.From + end + at[0], To: now.From + end + at[1]}, name); ok {
					all = append(all, row)
				}
			}
		}
	}
	if len(all) < least {
		return false
	}
	for _, row := range all {
		done = f.listing(&wish.Order{Things: []wish.Part{now}}, wish.Wish{Kind: wish.Rows, About: row.Label, Rows: []wish.Row{row}}) || done
	}
	return done
}

// itself gives new words the place of the words that they say otherwise, where nothing says what they are for: "Antoine Lavoisier" that of
// "Lavoisier", "4C" that of "4B". What stands there already needs no place.
func (f *filler) itself(now *wish.Part) bool {
	old := map[string]bool{}
	for s := range f.everywhere {
		if from, _ := find(s, now.Said, 0); from >= 0 && !strings.EqualFold(s, now.Said) && f.quoted(now.Span) {
			return true
		}
		if from, _ := find(now.Said, s, 0); from >= 0 && len(s) > leastSame && len(words(now.Said)) <= 2*len(words(s))+1 && !strings.EqualFold(s, now.Said) {
			old[s] = true
		} else if was := counterpart(s, now.Said); was != "" {
			old[was] = true
		} else if resembles(now.Said, s) { // "pipx install birdcount"
			old[s] = true
		}
	}
	for was := range old {
		said := written(was, now.Said)
		if first, _ := utf8.DecodeRuneInString(was); unicode.IsUpper(first) {
			said = capital(said)
		}
		return len(old) == 1 && f.restate(turn{From: was, To: said, Span: now.Span}, every)
	}
	return false
}

// onlyNumber gives the one number that the video shows another value: "she's only 79", of "turns 80" and of "Happy 80th birthday".
func (f *filler) onlyNumber(now *wish.Part) bool {
	if row, ok := f.read.Quantity(now.Span, ""); ok && row.Unit == "" && !strings.ContainsAny(now.Said, figures) { // "five"
		now = &wish.Part{Span: now.Span, Said: recipe.Trim(row.Value)}
	}
	if strings.Trim(now.Said, figures) != "" || f.numbered() {
		return false
	}
	if f.reached(wish.Wish{Span: now.Span}) { // "we are at 8000"
		return true
	}
	if p := cmp.Or(f.filled(now.Said), taker(f.m, "range.to")); p != nil && p.Type == recipe.Number && !f.inText(now.Span) && !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Span.Overlaps(now.Span) && (w.Kind == wish.Range || w.About != "" && w.About != p.Name)
	}) { // "we got another 350, so 4850"
		if row, ok := f.read.Quantity(now.Span, ""); ok {
			f.put(p.Name, recipe.Trim(row.Value), wish.Wish{Span: now.Span})
			return true
		}
	}
	var counted []*recipe.Param // what counts something that the video tells
	var numbers []string
	for i := range f.m.Params {
		p := &f.m.Params[i]
		switch {
		case p.Type == recipe.Integer && len(p.Units) > 0 && !slices.Contains([]string{"", recipe.Auto, p.Default.For("")}, f.values[p.Name]):
			counted = append(counted, p)
		case p.Type == recipe.Text || p.Type == recipe.Texts:
			for _, s := range f.tells(p) {
				numbers = append(numbers, amounts.FindAllString(s, -1)...)
			}
		}
	}
	switch {
	case len(counted) == 1 && len(numbers) == 0:
		f.put(counted[0].Name, now.Said, wish.Wish{Span: now.Span})
		f.shown = append(f.shown, now.Span)
		return true
	case len(counted) > 0 || len(numbers) != 1:
		return false
	}
	for s := range f.everywhere {
		old, said := numbers[0], now.Said
		if at := ordinals.FindStringSubmatch(s); at != nil {
			old, said = strings.TrimRight(at[0], " ,"), wish.Nth(now.Said, at[1])
		}
		if f.restate(turn{From: old, To: said, Span: now.Span}, every) {
			return true
		}
	}
	return false
}

// renewed gives a list other items, where a change says so of the list as a whole: "replace the list with cook, clean and sleep".
func (f *filler) renewed(o *wish.Order) bool {
	if len(o.Things) != 1 || !f.read.Entire(o.Things[0].Span) || f.has(o.Things[0].Said) {
		return false
	}
	lines := f.enumerated(o.New.Span)
	for p := range lists(f.m, f.values) {
		if _, number := columns(p); len(lines) > 1 && p.Type == recipe.Texts && number == "" {
			f.put(p.Name, recipe.Encode(lines), wish.Wish{Span: o.New.Span})
			f.gaps = append(f.gaps, o.Things[0].Span)
			return true
		}
	}
	return false
}

// others gives rows the place of all that there are, where a change tells nothing but rows, none of which is there: "use these instead:
// July 5, August 8".
func (f *filler) others(parts []wish.Part) bool {
	for len(parts) > 0 && parts[0].Role == wish.Look { // "use these numbers"
		parts = parts[1:]
	}
	if len(parts) == 0 || !f.read.Instead() || slices.ContainsFunc(parts, func(p wish.Part) bool { return p.Role != wish.New && p.Role != wish.Further && p.Role != wish.Old }) {
		return false
	}
	all := wish.Span{From: parts[0].From, To: parts[len(parts)-1].To}
	head := strings.Join(f.m.Subjects[english][:min(1, len(f.m.Subjects[english]))], "")
	alone := f.r.fill(f.m, f.r.learnedOf(Brief{Prompt: head + ": " + f.read.Said(all)}))
	for p := range lists(f.m, f.values) {
		e := alone.assigned(p.Name)
		if e == nil || p.Type != recipe.Rows {
			continue
		}
		list, _ := listIn(p, e.Value)
		if len(list) < 2 || slices.ContainsFunc(list, func(item json.RawMessage) bool { return f.has(text(p, item)) }) {
			continue
		}
		f.put(p.Name, e.Value, wish.Wish{Span: all})
		f.shown = append(f.shown, all)
		f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return items(&w) || w.Kind == wish.Text })
		return true
	}
	return false
}

// toGroup adds an item to the list of which a word before it, or its first word, is the name, where the recipe has several: "fixed slow
// search", "we also improved the speed".
func (f *filler) toGroup(t wish.Part) bool {
	before := strings.Fields(f.read.Text()[:t.From])
	first, rest, _ := strings.Cut(t.Said, " ")
	var named, led *recipe.Param // by the first word of the item, by a word before it
	groups := 0
	for i := range f.m.Params {
		p := &f.m.Params[i]
		if p.Type != recipe.Texts {
			continue
		}
		groups++
		if named == nil && rest != "" && calls(p, first) {
			named = p
		}
		if led == nil && slices.ContainsFunc(before[max(0, len(before)-2):], func(word string) bool { return calls(p, word) }) { // "improved the"
			led = p
		}
	}
	group := cmp.Or(named, led)
	if named != nil {
		t.Said = rest
	}
	if main := taker(f.m, "list"); groups < 2 || group == nil || f.quoted(t.Span) || main != nil && len(f.tells(main)) > 0 {
		return false
	}
	list, _ := listIn(group, f.value(group))
	f.ahead(group, recipe.Encode(append(list, json.RawMessage(recipe.Encode(t.Said)))), t.Span)
	f.shown = append(f.shown, t.Span)
	return true
}

// toSides adds a line to each of two sides: "add weight, 187 g vs 199 g".
func (f *filler) toSides(o *wish.Order) bool {
	if o.New == nil {
		return false
	}
	halves, ok := f.read.Versus(o.New.Span)
	for p, list := range lists(f.m, f.values) {
		if !ok || taking(p, "lines") == "" || len(list) != len(halves) || f.assigned(p.Name) != nil {
			continue
		}
		for i := range list {
			list[i] = withLine(p, list[i], o.Things[0].Said+" "+f.read.Said(halves[i]))
		}
		f.ahead(p, recipe.Encode(list), o.New.Span)
		f.gaps = append(f.gaps, o.Things[0].Span)
		return true
	}
	return false
}

// rest is what the text says behind a part, up to the next mark: where the part is to go, or to be taken from.
func (f *filler) rest(t wish.Part) string {
	said := f.read.Text()[t.To:]
	if i := strings.IndexAny(said, ",.;\n"); i >= 0 {
		return said[:i]
	}
	return said
}

// ofSide takes a line away from the side alone that is named behind it: "remove lives long from the cons".
func (f *filler) ofSide(t wish.Part) bool {
	behind := f.rest(t)
	for p, list := range lists(f.m, f.values) {
		column := taking(p, "lines")
		for i := range list {
			if from, _ := find(behind, text(p, list[i]), 0); column == "" || from < 0 {
				continue
			}
			lines := strings.Split(cell(list[i], column), "\n")
			rest := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.EqualFold(line, strings.Trim(t.Said, `"`)) })
			if len(rest) < len(lines) && f.assigned(p.Name) == nil {
				list[i] = with(list[i], column, recipe.Encode(strings.Join(rest, "\n")))
				f.ahead(p, recipe.Encode(list), t.Span)
				return true
			}
		}
	}
	return false
}

// otherDay is the one day that the video shows, where the new words are another and are for no words that stand there: "12 July", of "the new
// date is 19 July".
func (f *filler) otherDay(o *wish.Order) string {
	all := f.r.choosing.Facts(o.New.Said)
	if len(all) == 2 && all[0].Dated(all[1]) { // "21 June 2025"
		all[0].Span.To = all[1].Span.To
		all = all[:1]
	}
	if len(all) != 1 || !all[0].Day() || all[0].Span != (wish.Span{To: len(o.New.Said)}) || slices.ContainsFunc(o.Things, func(t wish.Part) bool { return f.standing(t.Said) }) {
		return ""
	}
	there := alikes(f.told(), all[0])
	if len(there) != 1 {
		return ""
	}
	return there[0].said
}

// dated reports whether the new words are a day or a time for something else: "the party is on Friday".
func (f *filler) dated(o *wish.Order) bool {
	all := f.r.choosing.Facts(o.New.Said)
	return len(all) == 1 && all[0].Day() && all[0].Span == wish.Span{To: len(o.New.Said)} && !slices.ContainsFunc(o.Things, func(t wish.Part) bool {
		return f.textFor(t) != nil || slices.ContainsFunc(f.r.choosing.Facts(t.Said), all[0].Alike) || strings.ContainsAny(o.New.Said, figures) && f.beside(t.Said, all[0])
	})
}

// beside reports whether a text has some words with one fact that another may take the place of: "2005 first store".
func (f *filler) beside(said string, fact wish.Fact) bool {
	for s := range f.everywhere {
		if from, _ := find(s, said, 0); from < 0 {
			continue
		}
		if like := slices.DeleteFunc(f.r.choosing.Facts(s), func(o wish.Fact) bool { return !fact.Alike(o) }); len(like) == 1 {
			return true
		}
	}
	return false
}

// reworded gives the texts other words where those of a part stand. A new number for words takes the place of the number next to them: that
// of "episode 12", where the person says "episode 13".
func (f *filler) reworded(t wish.Part, to *wish.Part) bool {
	next := turn{From: t.Said, To: written(t.Said, to.Said), Span: wish.Span{From: t.From, To: t.To}}
	if !strings.ContainsAny(to.Said, figures) || strings.ContainsAny(t.Said, figures) || len(strings.Fields(to.Said)) > 1 && !strings.ContainsAny(to.Said[:1], figures) {
		return f.restate(next, every)
	}
	for s := range f.everywhere {
		from, end := find(s, t.Said, 0)
		if from < 0 {
			continue
		}
		if now := f.r.choosing.Facts(to.Said); len(now) == 1 && now[0].Span == (wish.Span{To: len(to.Said)}) { // "the concert is at 20:30", of "Concert 8 June, 21:00"
			like := slices.DeleteFunc(f.r.choosing.Facts(s), func(o wish.Fact) bool { return !now[0].Alike(o) })
			if len(like) == 1 {
				next.From, next.To = s[like[0].Span.From:like[0].Span.To], to.Said
				return f.restate(next, every)
			}
		}
		if old := counterpart(s[end:], to.Said); old != "" { // "the room is C04", of "room B12"
			next.From, next.To = old, to.Said
			return f.restate(next, every)
		}
		if at := amount.FindStringIndex(s[end:]); at != nil && at[0] <= 1 {
			next.From, next.To = s[from:end+at[1]], s[from:end+at[0]]+to.Said
			return f.restate(next, every)
		}
		if all := amount.FindAllStringIndex(s[:from], -1); len(all) > 0 && all[len(all)-1][1] >= from-1 {
			at := all[len(all)-1]
			next.From, next.To = s[at[0]:end], to.Said+s[at[1]:end]
			return f.restate(next, every)
		}
	}
	return false
}

// version gives the only number in texts that has a point another value: "v2.4.0" becomes "v2.4.1". It is of no words if there is none, or several.
func (f *filler) version(now *wish.Part) turn {
	t := turn{To: now.Said, Span: now.Span}
	for s := range f.everywhere {
		for _, at := range amount.FindAllStringIndex(s, -1) {
			one := s[at[0]:at[1]]
			if !strings.Contains(one, ".") {
				continue
			}
			if strings.HasSuffix(strings.ToLower(s[:at[0]]), "v") && !strings.HasPrefix(now.Said, "v") {
				one, t.To = s[at[0]-1:at[1]], s[at[0]-1:at[0]]+now.Said
			}
			if t.From != "" && t.From != one {
				return turn{}
			}
			t.From = one
		}
	}
	return t
}

// written is how new words are written where others stood: in their letters, if the person types small ones.
func written(old, now string) string {
	if now == strings.ToLower(now) {
		return likeThat(old, now)
	}
	return now
}

func every(*recipe.Param) bool { return true }

// figures are the digits.
const figures = "0123456789"

// amount is a number with what is written around it.
var amount = regexp.MustCompile(`[^\s\pL]*\d+(?:[.,:]\d+)*[^\s,.;:]*`)
