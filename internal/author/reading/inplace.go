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

// inPlace gives new words the place of what the video tells of the thing that a change names, or of the only thing that they can be for.
func (f *filler) inPlace(o *wish.Order) bool {
	if len(o.Things) == 0 {
		return f.addressed(o.New)
	}
	if len(o.Things) > 1 {
		return false
	}
	t := o.Things[0]
	return f.lettered(t, o.New) || f.retells(t, o.New) || f.renamedAll(t, o.New) || f.person(t, o.New)
}

// rewrite gives each text of the video other words, where there are some, and reports whether there are.
func (f *filler) rewrite(at wish.Span, to func(string) string) (done bool) {
	for i := range f.m.Params {
		p := &f.m.Params[i]
		value := f.value(p)
		list, many := listIn(p, value)
		now := value
		switch {
		case many && p.Type != recipe.Text:
			for k, item := range list {
				var s string
				if json.Unmarshal(item, &s) == nil {
					list[k] = json.RawMessage(recipe.Encode(to(s)))
				}
				if s := text(p, list[k]); p.Type == recipe.Rows && worded(p) == "" && to(s) != s {
					list[k] = renamed(p, list[k], to(s))
				}
				for _, column := range shown(p, "text", "lines", "figure") {
					if said := cell(item, column); said != "" && to(said) != said {
						list[k] = with(list[k], column, recipe.Encode(to(said)))
					}
				}
			}
			now = recipe.Encode(list)
			if before, _ := listIn(p, value); recipe.Encode(before) == now {
				now = value
			}
		case p.Type == recipe.Text:
			now = to(value)
		}
		if now != value {
			f.ahead(p, now, at)
			done = true
		}
	}
	return done
}

// retells gives what stands behind a day other words, "Tuesday should be sunny", of "Tuesday rain 12°", and what stands behind a name and a colon,
// "Anna says "Hey!"", of "Anna: Hi!".
func (f *filler) retells(t wish.Part, now *wish.Part) bool {
	day := f.read.Weekday(t.Said)
	if f.fact(*now) || strings.ContainsAny(now.Said, figures) || !day && !f.quoted(now.Span) && !f.read.Says(now.Span) {
		return false
	}
	now = &wish.Part{Span: now.Span, Said: strings.Trim(now.Said, `"`)}
	for _, name := range append([]string{t.Said}, f.r.choosing.Also(t.Said)...) {
		if day && f.sideTells(name, now) || f.rewrite(now.Span, func(s string) string { return behindName(s, name, now.Said, day) }) {
			f.shown = append(f.shown, now.Span)
			return true
		}
	}
	return false
}

// kindred gives the words of a kind that a change names the place of others of their kind: behind the day that it names, else where the video has
// the only ones: "it should be cloudy", "make Tuesday thunderstorms", "snow on Tuesday".
func (f *filler) kindred(parts []wish.Part) {
	said := f.read.Text()
	news := slices.DeleteFunc(f.r.choosing.Alikes(said), func(a wish.Alike) bool {
		return f.inText(a.Span) || f.read.Denied(a.Span) || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(a.Span) })
	})
	for k := 1; k < len(parts); k++ { // "make Tue climbing"
		day, now := parts[k-1], parts[k]
		looks := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(now.Span) }) || slices.ContainsFunc(news, func(a wish.Alike) bool { return a.Overlaps(now.Span) })
		if day.Role == wish.Holder && now.Role == wish.Look && !looks && f.retells(day, &now) {
			parts[k-1].Role, parts[k].Role = wish.Idle, wish.Idle
			f.shown = append(f.shown, day.Span)
		}
	}
	for _, a := range news {
		day := f.dayOf(a.Span)
		now := &wish.Part{Span: a.Span, Said: said[a.From:a.To]}
		done := false
		switch {
		case day.To > day.From:
			done = f.retells(wish.Part{Span: day, Said: said[day.From:day.To]}, now)
		case len(news) == 1:
			done = f.onlyKindred(a.Kind, now)
		}
		for k := range parts {
			if done && (parts[k].Overlaps(a.Span) || parts[k].Overlaps(day)) {
				parts[k].Role = wish.Idle
			}
		}
		if done {
			f.shown = append(f.shown, a.Span, day)
		}
	}
}

// dayOf is the day that stands last before a place, else the first behind it.
func (f *filler) dayOf(at wish.Span) (day wish.Span) {
	for _, w := range f.read.Words() {
		if !f.read.Weekday(f.read.Said(w.Span)) || w.From > at.From && day.To > 0 {
			continue
		}
		day = w.Span
	}
	return day
}

// onlyKindred gives the only words of a kind that the video has other words.
func (f *filler) onlyKindred(kind string, now *wish.Part) bool {
	count := 0
	there := func(s string) []wish.Alike {
		return slices.DeleteFunc(f.r.choosing.Alikes(s), func(a wish.Alike) bool { return a.Kind != kind })
	}
	for s := range f.everywhere {
		count += len(there(s))
	}
	return count == 1 && f.rewrite(now.Span, func(s string) string {
		for _, a := range there(s) {
			return s[:a.From] + written(s[a.From:a.To], now.Said) + s[a.To:]
		}
		return s
	})
}

// sideTells gives what a side says other words: its lines, or those that stand beside its figure.
func (f *filler) sideTells(name string, now *wish.Part) bool {
	for p, list := range lists(f.m, f.values) {
		i := index(p, list, name)
		if i < 0 {
			continue
		}
		for _, column := range []string{taking(p, "lines"), taking(p, "figure")} {
			said := cell(list[i], column)
			old := strings.TrimSpace(wordsAlone.FindString(said))
			if column == "" || old == "" || strings.Contains(said, "\n") {
				continue
			}
			list[i] = with(list[i], column, recipe.Encode(strings.Replace(said, old, written(old, now.Said), 1)))
			f.ahead(p, recipe.Encode(list), now.Span)
			return true
		}
	}
	return false
}

// behindName is a text with other words behind a name at the beginning of one of its clauses; numbers there stay. Behind anything but a day a
// colon must stand.
func behindName(s, name, now string, day bool) string {
	from, to := find(s, name, 0)
	if from < 0 {
		return s
	}
	if before := strings.TrimRight(s[:from], " "); before != "" && !strings.ContainsAny(before[len(before)-1:], ",;\n") {
		return s
	}
	rest := s[to:]
	lead := len(rest) - len(strings.TrimLeft(rest, ": "))
	if lead == 0 || !day && !strings.HasPrefix(rest, ":") {
		return s
	}
	end := strings.IndexAny(rest[lead:], map[bool]string{true: ",;\n", false: "\n"}[day])
	if end < 0 {
		end = len(rest) - lead
	}
	was := rest[lead : lead+end]
	old := was
	if day {
		old = strings.TrimSpace(wordsAlone.FindString(was))
	}
	if old == "" {
		return s
	}
	return s[:to] + rest[:lead] + strings.Replace(was, old, written(old, now), 1) + rest[lead+end:]
}

// wordsAlone are words without numbers.
var wordsAlone = regexp.MustCompile(`(?:^|[ ])\pL[\pL\pM'’-]+(?: \pL[\pL\pM'’-]+)*`)

// contrary reports whether a name is that of a side as the words for the recipe have it: "before", "after".
func (f *filler) contrary(name string) bool {
	return anyWord(f.m.Subjects, func(subject string) bool {
		said := strings.FieldsFunc(subject, func(c rune) bool { return c == ' ' || c == '/' })
		return (len(said) == 3 || len(said) == 2 && strings.Contains(subject, "/")) && slices.ContainsFunc([]string{said[0], said[len(said)-1]}, func(w string) bool { return strings.EqualFold(w, name) })
	})
}

// enumerated are the things that a place lists: "cook, clean and sleep".
func (f *filler) enumerated(s wish.Span) []string {
	lines := f.read.Lines(s)
	if n := len(lines) - 1; n >= 0 {
		last := f.r.words.Read(lines[n])
		if halves, ok := last.Versus(wish.Span{To: len(lines[n])}); ok { // "clean and sleep"
			lines = append(lines[:n], last.Said(halves[0]), last.Said(halves[1]))
		}
	}
	for i := range lines {
		lines[i] = trimmed(lines[i])
	}
	return lines
}

// renamedAll gives all items of a list other names, where a change names the list: "the teams are called Hawks and Bulls".
func (f *filler) renamedAll(t wish.Part, now *wish.Part) bool {
	if f.standing(t.Said) || strings.ContainsAny(now.Said, figures) {
		return false
	}
	names := f.enumerated(now.Span)
	for p, list := range lists(f.m, f.values) {
		if !calls(p, t.Said) || len(list) < 2 || len(list) != len(names) || f.assigned(p.Name) != nil {
			continue
		}
		for i := range list {
			list[i] = renamed(p, list[i], names[i])
		}
		f.ahead(p, recipe.Encode(list), now.Span)
		f.shown = append(f.shown, now.Span)
		return true
	}
	return false
}

// person gives the one person whom the texts name another name: "her name is Emily". Words for names are those of whom a recipe speaks to.
func (f *filler) person(t wish.Part, now *wish.Part) bool {
	said := t.Said
	if first, rest, ok := strings.Cut(said, " "); ok && f.whole.Belongs(wish.Span{From: t.From, To: t.From + len(first)}) { // "her name"
		said = rest
	}
	if !slices.ContainsFunc(f.r.manifests, func(m *recipe.Manifest) bool { return calls(taker(m, "whom"), said) }) || f.has(said) || strings.ContainsAny(now.Said, figures) {
		return false
	}
	if p := taker(f.m, "whom"); p != nil && f.value(p) != "" && !strings.Contains(f.value(p), " ") {
		return f.restate(turn{From: f.value(p), To: now.Said, Span: now.Span}, every)
	}
	if p := f.textFor(t); p != nil && !slices.Contains(p.Takes, "whom") { // "the name", of a logo
		return false
	}
	old := f.onlyPerson()
	return old != "" && f.restate(turn{From: old, To: now.Said, Span: now.Span}, every)
}

// addressed gives a greeting another to whom it goes: "it's for grandpa".
func (f *filler) addressed(now *wish.Part) bool {
	p := taker(f.m, "whom")
	if p == nil || f.value(p) == "" || f.fact(*now) || strings.ContainsAny(now.Said+f.value(p), figures) || !f.read.For(now.Span) {
		return false
	}
	return f.restate(turn{From: f.value(p), To: now.Said, Span: now.Span}, every)
}

// soundsLike are letters that stand for each other in names.
var soundsLike = []string{"ckq", "sc", "sz", "iy", "iej", "fv", "dt", "gj", "uw"}

// lettered spells a word otherwise by one letter: "Mark is spelled with a c".
func (f *filler) lettered(t wish.Part, now *wish.Part) bool {
	letter, n := utf8.DecodeRuneInString(strings.ToLower(now.Said))
	if n != len(now.Said) || !unicode.IsLetter(letter) || !f.read.Respells() || strings.Contains(t.Said, " ") {
		return false
	}
	word := []rune(t.Said)
	for i, c := range slices.Backward(word) {
		low := unicode.ToLower(c)
		if low == letter || !slices.ContainsFunc(soundsLike, func(set string) bool { return strings.ContainsRune(set, low) && strings.ContainsRune(set, letter) }) {
			continue
		}
		if word[i] = letter; unicode.IsUpper(c) {
			word[i] = unicode.ToUpper(letter)
		}
		return f.restate(turn{From: t.Said, To: string(word), Span: t.Span}, every)
	}
	return false
}

// fewer takes so many away of what a parameter counts: "take one ball away".
func (f *filler) fewer(t wish.Part) bool {
	for _, w := range f.wishes {
		p := f.m.Param(w.About)
		n := whole(w.Value)
		if w.Kind != wish.Number || !w.Span.In(t.Span) || p == nil || p.Type != recipe.Integer || len(p.Units) == 0 || n < 1 {
			continue
		}
		f.edits = append(f.edits, Edit{Param: p.Name, op: plus, by: -float64(n), said: f.read.Said(t.Span)})
		f.shown = append(f.shown, t.Span)
		f.wishes = slices.DeleteFunc(f.wishes, func(o wish.Wish) bool { return o.Span.Overlaps(t.Span) })
		return true
	}
	return false
}

// beneathIt shows something further in the line below, where a change says that it is to stand there and the line is free: "add Ann under the quote".
func (f *filler) beneathIt(o *wish.Order) bool {
	if len(o.Where) != 1 || o.New != nil {
		return false
	}
	_, below, _ := f.read.TextCalled(o.Where[0].Span)
	p := cmp.Or(taker(f.m, "below"), taker(f.m, "subtitle"))
	if !below || p == nil || f.value(p) != "" || f.has(f.called(o.Where[0])) {
		return false
	}
	f.show(p.Name, wish.Wish{Value: o.Things[0].Said, Span: o.Things[0].Span})
	f.gaps = append(f.gaps, o.Where[0].Span)
	return true
}

// listCalled reports whether a part names a list as a whole, and no item: "the teams".
func (f *filler) listCalled(t wish.Part) bool {
	if f.has(t.Said) {
		return false
	}
	for p, list := range lists(f.m, f.values) {
		if calls(p, t.Said) && len(list) > 1 {
			return true
		}
	}
	return false
}

// inTurn gives the rows that there are other numbers, where a change tells nothing but as many numbers: "it should be 65 and 35".
func (f *filler) inTurn(parts []wish.Part) bool {
	var rows []wish.Row
	parts = slices.DeleteFunc(slices.Clone(parts), func(p wish.Part) bool { return p.Role == wish.Idle })
	for _, p := range parts {
		row, ok := f.read.Quantity(p.Span, "")
		if p.Role != wish.New || !ok {
			return false
		}
		rows = append(rows, row)
	}
	for p, list := range lists(f.m, f.values) {
		_, number := columns(p)
		if len(rows) < 2 || number == "" || len(rows) != len(list) {
			continue
		}
		for i := range list {
			list[i] = withQuantity(p, list[i], rows[i])
		}
		f.ahead(p, recipe.Encode(list), parts[0].Span)
		for _, part := range parts {
			f.shown = append(f.shown, part.Span)
			f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(part.Span) })
		}
		return true
	}
	return false
}

// cased writes words of a text in capital or in small letters: "make welcome all caps".
func (f *filler) cased(said string, w wish.Wish) bool {
	p := f.m.Param(w.About)
	change := map[string]func(string) string{"upper": strings.ToUpper, "lower": strings.ToLower}[w.Value]
	if p == nil || p.Name != lettersChoice || change == nil || !f.stands(said) {
		return false
	}
	return f.rewrite(w.Span, func(s string) string {
		from, to := find(s, said, 0)
		if from < 0 {
			return s
		}
		return s[:from] + change(s[from:to]) + s[to:]
	})
}

// lettersChoice is the parameter that says in which letters all texts are written.
const lettersChoice = "letters"

// drawnAs is the parameter for the colour of what the recipe draws, where a word names that as a choice that was made: the "ring" of a progress
// ring; "" if it names none.
func (f *filler) drawnAs(said string) string {
	p := taker(f.m, "color")
	chosen := slices.ContainsFunc(f.m.Params, func(q recipe.Param) bool {
		return q.Type == recipe.Choice && q.Name != styleParam && f.chosen(&q, f.values[q.Name], said)
	})
	if p == nil || !chosen {
		return ""
	}
	return p.Name
}
