package reading

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// told is a fact that a parameter shows, as written.
type told struct {
	wish.Fact
	p    *recipe.Param
	said string
}

// facts gives a text that is shown other days, times, prices or numbers of something, where the person tells as many of a kind as there
// are: "it's on Friday", "episode 13", "from 9 to 5". Days come before everything else that the words may mean, the others after it.
func (f *filler) facts(days bool) {
	said := f.read.Text()
	badge := taker(f.m, "percent")
	bare := badge != nil && badge.Type == recipe.Text && f.values[badge.Name] == "" // no place of its own shows a share
	free := slices.DeleteFunc(f.r.choosing.Facts(said), func(fact wish.Fact) bool {
		return (fact.Day() || fact.Share() && bare) != days || f.inText(fact.Span) || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(fact.Span) && (f.taken[w.Span] || w.Kind == wish.Text) })
	})
	if len(free) == 0 {
		return
	}
	there := f.told()
	for _, fact := range free {
		like := alikes(there, fact)
		peers := slices.DeleteFunc(slices.Clone(free), func(o wish.Fact) bool {
			return o != fact && (o.Kind != fact.Kind || !slices.ContainsFunc(like, func(t told) bool { return o.Alike(t.Fact) }))
		})
		if len(peers) > len(like) { // "the 19th, not the 12th"
			peers = slices.DeleteFunc(peers, func(o wish.Fact) bool {
				return slices.ContainsFunc(like, func(t told) bool { return likeThat(t.said, said[o.Span.From:o.Span.To]) == t.said })
			})
		}
		if len(like) != len(peers) || !slices.Contains(peers, fact) {
			continue
		}
		old := like[slices.Index(peers, fact)]
		now := likeThat(old.said, said[fact.Span.From:fact.Span.To])
		if !strings.HasSuffix(old.said, ".") { // the end of a sentence
			now = strings.TrimSuffix(now, ".")
		}
		f.shown = append(f.shown, f.around(fact.Span, f.values[old.p.Name]))
		if strings.EqualFold(now, old.said) { // the same again, beside what is new
			continue
		}
		if f.restate(turn{From: old.said, To: now, Span: fact.Span}, func(*recipe.Param) bool { return true }) {
			f.wishes = slices.DeleteFunc(slices.Clone(f.wishes), func(w wish.Wish) bool { return w.Span.Overlaps(fact.Span) && w.Kind == wish.Number }) // edits point at the others
		}
	}
}

// restate gives the texts of some parameters other words. It comes before changes of single items, which then find the new words.
func (f *filler) restate(t turn, of func(*recipe.Param) bool) (done bool) {
	for i := range f.m.Params {
		p := &f.m.Params[i]
		to, ok := turned(p, f.value(p), t)
		if !ok || !of(p) {
			continue
		}
		f.ahead(p, to, t.Span)
		done = true
	}
	return done
}

// ahead gives a parameter a value before the changes of its items.
func (f *filler) ahead(p *recipe.Param, value string, at wish.Span) {
	if e := f.assigned(p.Name); e != nil {
		e.Value = value
	} else {
		f.edits = slices.Insert(f.edits, 0, Edit{Param: p.Name, Value: value, said: f.read.Said(at), from: at.From})
	}
	f.taken[at], f.set[p.Name] = true, true
}

// aged gives a text another number of what a parameter counts that shows nothing itself: "she is 9" where a text says "8 years".
func (f *filler) aged() {
	for _, e := range slices.Clone(f.edits) {
		p := f.m.Param(e.Param)
		if p == nil || p.Type != recipe.Integer || e.op != assign || f.values[p.Name] != p.Default.For("") {
			continue
		}
		for s := range f.everywhere { // "Happy 70th birthday"
			if at := ordinals.FindStringSubmatch(s); at != nil && f.restate(turn{From: at[0], To: wish.Nth(e.Value, at[1]), Span: wish.Span{From: e.from, To: e.from}}, every) {
				f.edits = slices.DeleteFunc(f.edits, func(o Edit) bool { return o.Param == p.Name })
				return
			}
		}
		for _, old := range f.amounts(p) {
			if f.restate(turn{From: old, To: e.Value, Span: wish.Span{From: e.from, To: e.from}}, func(q *recipe.Param) bool { return q.Type == recipe.Text }) {
				f.edits = slices.DeleteFunc(f.edits, func(o Edit) bool { return o.Param == p.Name })
				break
			}
		}
	}
}

// ordinals are ordinal numbers, as "70th" and "70." before a word.
var ordinals = regexp.MustCompile(`\b\d+(st|nd|rd|th|\.)(?:$|\b|[ ,])`)

// amounts are the numbers that texts have before a word for what a parameter counts, in the order of the texts.
func (f *filler) amounts(p *recipe.Param) (numbers []string) {
	counted := func(word string) bool {
		return slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(p.Units))...), func(unit string) bool {
			first, _, _ := strings.Cut(unit, " ")
			return strings.EqualFold(first, strings.Trim(word, ",.;:!?"))
		})
	}
	for i := range f.m.Params {
		for _, s := range f.tells(&f.m.Params[i]) {
			said := words(s)
			for k := 1; k < len(said); k++ {
				if strings.Trim(said[k-1], "0123456789") == "" && counted(said[k]) {
					numbers = append(numbers, said[k-1])
				}
			}
		}
	}
	return numbers
}

// around is the place of a fact with the words beside it that a text has as well.
func (f *filler) around(s wish.Span, value string) wish.Span {
	said, stands := f.read.Text(), strings.ToLower(value)
	for {
		before, behind := said[:s.From], said[s.To:]
		trimmed := strings.TrimRight(before, " ")
		w := trimmed[strings.LastIndexAny(trimmed, " ,.;!?\n")+1:]
		next := strings.TrimLeft(behind, " %")
		n := strings.IndexAny(next+" ", " ,.;!?\n")
		if from, _ := find(stands, w, 0); w != "" && from >= 0 {
			s.From = len(trimmed) - len(w)
			continue
		}
		if from, _ := find(stands, next[:n], 0); n == 0 || from < 0 {
			return s
		}
		s.To = len(said) - len(next) + n
	}
}

// value is the value of a parameter after the edits so far that set it.
func (f *filler) value(p *recipe.Param) string {
	if e := f.assigned(p.Name); e != nil {
		return e.Value
	}
	return f.values[p.Name]
}

// told lists the facts that the texts show, each once.
func (f *filler) told() (out []told) {
	for i := range f.m.Params {
		p := &f.m.Params[i]
		for _, s := range f.tells(p) {
			for _, fact := range f.r.choosing.Facts(s) {
				said := s[fact.Span.From:fact.Span.To]
				if !slices.ContainsFunc(out, func(o told) bool { return o.said == said && o.Alike(fact) }) {
					out = append(out, told{fact, p, said})
				}
			}
		}
	}
	return out
}

// alikes are the facts whose place another one may take.
func alikes(there []told, fact wish.Fact) []told {
	return slices.DeleteFunc(slices.Clone(there), func(o told) bool { return !fact.Alike(o.Fact) })
}

// tells are the texts that a parameter shows.
func (f *filler) tells(p *recipe.Param) (out []string) {
	if list, ok := listIn(p, f.value(p)); ok {
		for _, item := range list {
			out = append(out, text(p, item))
			for _, column := range shown(p, "text", "lines", "figure") {
				out = append(out, cell(item, column))
			}
		}
	} else if p.Type == recipe.Text {
		out = append(out, f.value(p))
	}
	return out
}

// likeThat writes words as others are written that they take the place of: "friday" as "Friday" where "Monday" stood, "15 uhr" as
// "15 Uhr" for "14 Uhr".
func likeThat(old, now string) string {
	was, out := strings.Fields(old), strings.Fields(now)
	if len(out) == 0 {
		return now
	}
	for i, w := range out {
		for _, o := range was {
			if strings.EqualFold(w, o) {
				out[i] = o
			}
		}
	}
	number := strings.TrimRightFunc(now, unicode.IsLetter)
	if unit := strings.TrimLeft(old, "0123456789.,:"); unit != old && strings.Trim(number, "0123456789.,:") == "" && len(now)-len(number) <= 2 && strings.Contains(unit, " ") { // "8" for "7 pm", "19th" for "12 April"
		return number + unit
	}
	first, _ := utf8.DecodeRuneInString(old)
	if c, n := utf8.DecodeRuneInString(out[0]); unicode.IsUpper(first) && unicode.IsLower(c) {
		out[0] = string(unicode.ToUpper(c)) + out[0][n:]
	}
	return strings.Join(out, " ")
}

// respelled gives a word of a text the spelling that a change gives it: "typo, bread", where "bred" stands. Unless the change says so,
// one letter of a name is other that means nothing else: "it's Mrs Patil".
func (f *filler) respelled() {
	told := f.read.Respells()
	for _, at := range letters.FindAllStringIndex(f.read.Text(), -1) {
		span := wish.Span{From: at[0], To: at[1]}
		word := f.read.Said(span)
		first, _ := utf8.DecodeRuneInString(word)
		read := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(span) })
		if len(word) < 3 || f.inText(span) || !told && (len(word) == 3 || read || !unicode.IsUpper(first) || f.r.choosing.Real(word)) {
			continue
		}
		old, n := f.nearest(word, told)
		if old == "" || strings.EqualFold(old, word) && (!told || word == strings.ToLower(word)) || old == word+"s" || word == old+"s" || n > 1 && (!told || f.read.Means(span)) || told && word == strings.ToLower(word) && f.r.choosing.Knows(word) && !f.read.Calendar(word) {
			continue
		}
		if f.restate(turn{From: old, To: word, Span: span}, func(p *recipe.Param) bool { return told || p.Type == recipe.Text }) {
			f.shown = append(f.shown, span)
			f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return w.Span.Overlaps(span) })
		}
	}
}

// misspelt takes new words as no text, where a change says nothing but how a word is spelled: "fix the spelling of apples".
func (f *filler) misspelt(parts []wish.Part) {
	if !f.read.Respells() || slices.ContainsFunc(parts, func(p wish.Part) bool { return p.Role == wish.Old }) {
		return
	}
	for k := range parts {
		if near := func(word string) bool { old, _ := f.nearest(word, true); return old != "" }; parts[k].Role == wish.New && !f.quoted(parts[k].Span) && slices.ContainsFunc(words(parts[k].Said), near) {
			parts[k].Role = wish.Idle
		}
	}
}

// nearest is the word of the texts that is most like another, with how many letters are other; "" if none is like it. Where the person says
// that a word is spelled otherwise, one letter more may be other: "Ferdy", of "Ferdie".
func (f *filler) nearest(word string, told bool) (old string, slips int) {
	if slips = len([]rune(word))/3 + 1; told && len(word) > leastSame {
		slips++
	}
	for i := range f.m.Params {
		for _, stands := range letters.FindAllString(strings.Join(f.tells(&f.m.Params[i]), " "), -1) {
			if n := koda.Slips(strings.ToLower(stands), strings.ToLower(word)); n < slips && stands != word {
				old, slips = stands, n
			}
		}
	}
	return old, slips
}

// letters are words.
var letters = regexp.MustCompile(`\pL[\pL\pM'’]*`)
