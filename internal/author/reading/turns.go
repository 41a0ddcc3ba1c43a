package reading

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// turn says that other words are to stand where some words stand.
type turn struct {
	From, To string    // To is empty if the words are to go
	Span     wish.Span // where a change says so
}

// turned is a value with other words where some words stand.
func turned(p *recipe.Param, value string, t turn) (string, bool) {
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
func inText(s string, t turn) (string, bool) {
	if t.To != "" && t.To != strings.ToLower(t.To) && strings.EqualFold(strings.TrimRight(s, "?!."), t.From) { // all of it
		return t.To, true
	}
	var out strings.Builder
	done := false
	if t.To == "" && strings.Contains(s, "\n") { // lines that are little else are gone with it
		var kept []string
		for line := range strings.SplitSeq(s, "\n") {
			if from, to := find(line, t.From, 0); from < 0 || 2*(to-from) <= len(line) {
				kept = append(kept, line)
			}
		}
		if rest := strings.Join(kept, "\n"); rest != s && rest != "" {
			return rest, true
		}
	}
	if kept, ok := without(s, t.From); ok && t.To == "" {
		return kept, kept != ""
	}
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
		if len(into) == 1 && (len(before) > 0 && strings.EqualFold(before[len(before)-1], into[0]) || len(after) > 0 && strings.EqualFold(after[0], into[0])) { // "not grandpa, just Walter", of "grandpa Walter"
			into = nil
		}
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
	s = strings.TrimSpace(strings.ReplaceAll(out.String(), "  ", " "))
	if t.To == "" { // nothing but blanks is left between the words around
		var lines []string
		for line := range strings.Lines(s) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
		s = strings.Trim(hollow.ReplaceAllString(strings.Join(lines, "\n"), "$1"), " ,;·–")
	}
	return s, done && s != ""
}

// without are the items of a scene without the one whose words are those alone, and perhaps a number: "ties 1". ok is false if there is none.
func without(s, words string) (kept string, ok bool) {
	items := strings.Split(s, "; ")
	others := slices.DeleteFunc(slices.Clone(items), func(one string) bool {
		from, to := find(one, words, 0)
		return from >= 0 && !strings.ContainsFunc(one[:from]+one[to:], unicode.IsLetter)
	})
	return strings.Join(others, "; "), len(items) > 1 && len(others) < len(items)
}

// hollow are separators with nothing between them.
var hollow = regexp.MustCompile(`\s*[,;·]\s*([,;·])`)

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
