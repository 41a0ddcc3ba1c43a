package reading

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// turns gives texts other words where the person names words that stand there: "Anne, not Anna". Wishes that lie
// in such words are none.
func (f *filler) turns() {
	now := recipe.Values{}
	var absent []wish.Turn // what is not to be said, and is not
	all := f.read.Turns()
	slices.SortStableFunc(all, func(a, b wish.Turn) int { // of "change everything must go to all must go" the longest words that stand there
		if a.Span != b.Span {
			return 0
		}
		return len(b.From) - len(a.From)
	})
	for _, t := range all {
		other := func(w wish.Wish) bool { // that is about items
			if !items(&w) || w.Kind == wish.Colour || !overlap(w.Span, t.Span) {
				return false
			}
			p, _ := f.listOf(&w, f.values)
			return p != nil
		}
		if t.Wish || f.touches(t.Span) || slices.ContainsFunc(f.wishes, other) {
			continue
		}
		done := false
		for i := range f.m.Params {
			p := &f.m.Params[i]
			if now[p.Name] == "" {
				now[p.Name] = f.values[p.Name]
			}
			to, ok := turned(p, now[p.Name], t)
			switch {
			case ok && t.Loose:
				f.doubts = append(f.doubts, t)
			case ok:
				now[p.Name], done = to, true
				f.put(p.Name, to, wish.Wish{Span: t.Span})
			}
		}
		if t.Says && !done && t.To != "" {
			absent = append(absent, t)
		}
		if done {
			f.shown = append(f.shown, t.Span)
			f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return overlap(w.Span, t.Span) })
		}
	}
	for _, t := range absent {
		if !f.inText(t.Span) {
			f.note("%s does not stand there: nothing takes its place.", koda.Quote(t.From))
			f.shown = append(f.shown, t.Span)
			f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return overlap(w.Span, t.Span) })
		}
	}
}

// doubted asks for quotation marks where words that stand there may be to become others that were not understood:
// "Anna should be blinking".
func (f *filler) doubted() {
	for _, t := range f.doubts {
		if !slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
			return f.taken[w.Span] && (overlap(w.Span, t.New) || w.Kind == wish.Rows && strings.EqualFold(w.About, t.From))
		}) && !f.touches(t.New) {
			f.note("If these are words to show, put them between quotation marks: %s → %q.", t.From, t.To)
		}
	}
}

// touches reports whether a place has words of a text that is shown.
func (f *filler) touches(s wish.Span) bool {
	return slices.ContainsFunc(f.shown, func(t wish.Span) bool { return overlap(s, t) })
}

func overlap(a, b wish.Span) bool { return a.From < b.To && b.From < a.To }

// corrected takes what is wrong as understood where the person gave the right value: "four bounces, not seven".
func (f *filler) corrected() {
	for _, t := range f.read.Turns() {
		if !t.Not {
			continue
		}
		for _, w := range f.wishes {
			if f.taken[w.Span] && overlap(w.Span, t.New) {
				f.shown = append(f.shown, wish.Span{From: min(t.New.To, t.Old.To), To: max(t.New.From, t.Old.To)})
			}
		}
	}
}

// turned is a value with other words where some words stand.
func turned(p *recipe.Param, value string, t wish.Turn) (string, bool) {
	switch p.Type {
	case recipe.Text:
		return inText(value, t)
	case recipe.Texts, recipe.Rows:
		var list []json.RawMessage
		if json.Unmarshal([]byte(value), &list) != nil {
			return "", false
		}
		done := false
		for i, item := range list {
			for _, column := range shown(p, "text", "lines", "figure") {
				if to, ok := inText(cell(item, column), t); ok {
					list[i], done = with(list[i], column, recipe.Encode(to)), true
				}
			}
			if to, ok := inText(text(p, item), t); ok && worded(p) == "" {
				list[i], done = renamed(p, item, to), true
			}
		}
		return recipe.Encode(list), done
	case recipe.Number, recipe.Integer, recipe.Color, recipe.Choice, recipe.File, recipe.Flag, recipe.Sign:
	}
	return "", false
}

// shown are the columns of rows that take one of several things.
func shown(p *recipe.Param, takes ...string) (names []string) {
	for _, c := range p.Columns {
		if slices.ContainsFunc(takes, func(what string) bool { return slices.Contains(c.Takes, what) }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// cell is the text in a column of a row.
func cell(item json.RawMessage, column string) string {
	var row map[string]any
	if json.Unmarshal(item, &row) != nil {
		return ""
	}
	s, _ := row[column].(string)
	return s
}

// pauses leaves out the marks between words.
var pauses = strings.NewReplacer(",", " ", ";", " ", ".", " ")

// inText puts words in the place of others, wherever these stand as whole words. Words of the new that stand
// before or behind already are not doubled: "ends tomorrow, not tonight".
func inText(s string, t wish.Turn) (string, bool) {
	var out strings.Builder
	done := false
	for at := 0; ; {
		from, to := find(s, t.From, at)
		if from < 0 {
			out.WriteString(s[at:])
			break
		}
		before, after := words(s[:from]), words(pauses.Replace(s[to:]))
		into := words(t.To)
		for n := min(len(before), len(into)-1); n > 0; n-- {
			if alike(before[len(before)-n:], into[:n]) {
				into = into[n:]
				break
			}
		}
		for n := min(len(after), len(into)-1); n > 0; n-- {
			if alike(after[:n], into[len(into)-n:]) {
				into = into[:len(into)-n]
				break
			}
		}
		with := t.To
		if len(into) < len(words(t.To)) {
			with = strings.Join(into, " ")
		}
		for cut := 1; cut < len(with); cut++ { // "25% off" for the 20 of "20% off"
			if joined := !unicode.IsLetter(rune(with[cut])) && utf8.RuneStart(with[cut]); joined && len(into) == len(words(t.To)) && strings.HasPrefix(s[to:], with[cut:]) {
				with = with[:cut]
			}
		}
		if t.From == strings.ToLower(t.From) && with != "" && !strings.Contains(with, " ") { // "saturday, not friday", where "Friday" stands
			with = likeThat(s[from:to], with)
		}
		if end, n := utf8.DecodeLastRuneInString(with); n > 0 && unicode.IsPunct(end) && strings.HasPrefix(s[to:], string(end)) { // "Let's go!" for "GO"
			with = with[:len(with)-n]
		}
		out.WriteString(s[at:from] + with)
		at, done = to, true
	}
	if rest := strings.Replace(strings.ToLower(s), strings.ToLower(t.From), " ", 1); done && len(words(t.To)) >= leastWhole && shareWord(words(rest), words(t.To)) { // "We launch on May 3" for "We launch soon": the whole is said again
		return t.To, true
	}
	s = strings.TrimSpace(out.String())
	if t.To == "" { // nothing but blanks is left between the words around
		var lines []string
		for line := range strings.Lines(s) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
		s = strings.Trim(strings.Join(lines, "\n"), " ,;·–")
	}
	return s, done && s != ""
}

// leastWhole is how many words a text has at least that takes the place of a whole one.
const leastWhole = 4

// shareWord reports whether two texts have a word in common.
func shareWord(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool {
		return slices.ContainsFunc(b, func(o string) bool { return strings.EqualFold(w, o) })
	})
}

func words(s string) []string { return strings.Fields(s) }

func alike(a, b []string) bool {
	return slices.EqualFunc(a, b, strings.EqualFold)
}

// find is where words stand in a text as whole words, from a byte on; below 0 if they do not.
func find(s, what string, from int) (int, int) {
	for i := from; i+len(what) <= len(s) && what != ""; {
		_, n := utf8.DecodeRuneInString(s[i:])
		last, _ := utf8.DecodeLastRuneInString(s[:i])
		next, _ := utf8.DecodeRuneInString(s[i+len(what):])
		first, _ := utf8.DecodeRuneInString(what)
		end, _ := utf8.DecodeLastRuneInString(what)
		if strings.EqualFold(s[i:i+len(what)], what) && !(joined(last, first) || joined(end, next)) {
			return i, i + len(what)
		}
		i += n
	}
	return -1, -1
}

// joined reports whether two letters next to each other are of one word.
func joined(a, b rune) bool {
	in := func(r rune) bool {
		return unicode.IsDigit(r) || unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	return in(a) && in(b)
}
