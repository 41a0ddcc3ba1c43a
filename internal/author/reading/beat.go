package reading

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// rowsOf are the rows of a part: one, and what follows where the part has a text for it; see [recipe.NextScene].
func rowsOf(p *recipe.Param, columns map[string]string, part *filler) []map[string]any {
	rows, next := []map[string]any{row(p, columns, part)}, map[string]string{}
	for name, value := range columns {
		if name, ok := strings.CutPrefix(name, recipe.NextScene); ok {
			next[name] = value
		}
	}
	rows = oneEach(p, rows[0])
	if then := row(p, next, part); then[worded(p)] != nil {
		rows = append(rows, then)
	}
	return rows
}

// oneEach is a row for each of several pictures that a row has, which share its time.
func oneEach(p *recipe.Param, first map[string]any) []map[string]any {
	rows := []map[string]any{first}
	for _, c := range p.Columns {
		files, _ := first[c.Name].(string) //nolint:errcheck // else there are none
		each := strings.Split(files, "; ")
		if c.Type != recipe.File || len(each) < 2 {
			continue
		}
		for _, n := range p.Columns {
			if seconds, ok := first[n.Name].(json.Number); ok {
				all, _ := seconds.Float64() //nolint:errcheck // a number
				first[n.Name] = json.Number(recipe.Trim(all / float64(len(each))))
			}
		}
		for _, file := range each[1:] {
			next := maps.Clone(first)
			next[c.Name] = file
			delete(next, worded(p))
			rows = append(rows, next)
		}
		first[c.Name] = each[0]
	}
	return rows
}

// row makes the row of a part. columns says for each column what it holds: words, in which $name is the value of
// the part's parameter of this name.
func row(p *recipe.Param, columns map[string]string, part *filler) map[string]any {
	details := false
	values := map[string]string{}
	unit := ""
	for _, e := range part.edits {
		if p := part.m.Param(e.Param); p != nil && p.Type == recipe.Text && (slices.Contains(p.Takes, "unit") || slices.Contains(p.Takes, "currency")) {
			unit = " " + e.Value
		}
	}
	used := strings.Join(slices.Collect(maps.Values(columns)), " ")
	for _, e := range part.edits {
		if !strings.Contains(used, "$"+e.Param) {
			continue
		}
		values[e.Param] = plain(part.m.Param(e.Param), e.Value, unit, &details)
	}
	if details && !part.selfColoured {
		part.note("Colours and units of single values are left out: the scenes of a story have none.")
	}
	out := map[string]any{}
	for _, c := range p.Columns {
		value := strings.TrimSpace(os.Expand(columns[c.Name], func(name string) string { return values[name] }))
		if strings.Contains(columns[c.Name], "; ") { // several lists, of which some are empty
			value = strings.Join(slices.DeleteFunc(strings.Split(value+" ", "; "), func(s string) bool { return strings.Trim(s, "; ") == "" }), "; ")
		}
		switch value = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(value), "0…"), "…"); {
		case value == "":
		case c.Type == recipe.Number:
			out[c.Name] = json.Number(value)
		default:
			out[c.Name] = value
		}
	}
	return out
}

// plain is a value in a line of a row: the items of a list, or what names each of its rows with
// its number and the unit of all, parted by semicolons; of sides "name: figure, point, point". details is set if rows hold more.
func plain(p *recipe.Param, value, unit string, details *bool) string {
	if p != nil && p.Type == recipe.Number && slices.Contains(p.Takes, "percent") {
		return strings.TrimSuffix(value, "%") + "%"
	}
	if p != nil && value == "%" && slices.Contains(p.Takes, "percent.sign") { // which the number has
		return ""
	}
	if p == nil || p.Type != recipe.Texts && p.Type != recipe.Rows {
		return value
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(value), &list) != nil {
		return value
	}
	_, number := columns(p)
	var texts []string
	for _, item := range list {
		row := map[string]json.RawMessage{}
		s := text(p, item)
		if figure := taking(p, "figure"); figure != "" {
			of := append([]string{cell(item, figure)}, strings.Split(cell(item, taking(p, "lines")), "\n")...)
			of = slices.DeleteFunc(of, func(s string) bool { return s == "" })
			s = strings.Trim(s+": "+strings.Join(of, ", "), ": ")
		} else if json.Unmarshal(item, &row) == nil && len(row[number]) > 0 {
			s += " " + string(row[number]) + unit
			*details = *details || len(row) > 2
		} else if hue := cell(item, "color"); hue != "" && slices.Contains(p.Takes, takesKinds) {
			s += " [" + hue + "]"
		}
		texts = append(texts, s)
	}
	return strings.Join(texts, "; ")
}

// listed is a part of a sequence with several items, read as a list unless it is data: "then the three flours (rye, spelt, buckwheat)". Numbers are no
// points: "the dates 3, 10 and 17 November" is one text.
func (r *Reader) listed(m *recipe.Manifest, b Brief) Brief {
	if count(b.phrases, wish.Item) < 2 || count(b.phrases, wish.Figure) > 0 || len(b.ranks) == 0 {
		return b
	}
	first, last := b.phrases[0], b.phrases[len(b.phrases)-1]
	if count(b.phrases, wish.Item) == len(b.phrases) && !strings.ContainsFunc(b.Prompt[first.From:first.To], unicode.IsLetter) {
		b.phrases = []wish.Phrase{{Span: wish.Span{From: first.From, To: last.To}, Role: wish.Headline}}
		return b
	}
	lists := func(of *recipe.Manifest) bool { return m.Beats[of.Name] != nil && taker(of, "list") != nil }
	if slices.ContainsFunc(r.manifests, func(of *recipe.Manifest) bool {
		return of.Learned == b.ranks[0] && (lists(of) || taker(of, "sides") != nil)
	}) {
		return b
	}
	for _, of := range r.manifests {
		if lists(of) && slices.Contains(of.Fits, "list") {
			b.ranks = slices.Insert(slices.Clone(b.ranks), 0, of.Learned)
			return b
		}
	}
	return b
}

// greeted is a part of a sequence without a text, with the words that greet as one: "then a thank you message".
func (r *Reader) greeted(b Brief) Brief {
	if len(b.phrases) > 0 {
		return b
	}
	if span := r.choosing.Read(b.Prompt).Spoken(); span.To > 0 {
		b.phrases = []wish.Phrase{{Span: span, Role: wish.Headline}}
	}
	return b
}

// lineOf reports whether the text of a brief is called what a recipe of pictures calls the line below: "our logo fades in and then the
// claim Fresh since 1962 appears". under says that it stands below.
func (b Brief) lineOf(m *recipe.Manifest, under bool) bool {
	p := taker(m, "subtitle")
	if p == nil || taker(m, "file") == nil || len(b.phrases) != 1 {
		return false
	}
	if under {
		return true
	}
	before := b.Prompt[:b.phrases[0].From]
	return anyWord(p.Words, func(word string) bool { from, _ := find(before, word, 0); return from >= 0 })
}

// slides are the parts of a sequence whose scenes show a text each: "three slides: A, B, C". The first part holds what
// stands before them.
func (b Brief) slides() (out []wish.Span) {
	from := 0
	for _, p := range b.phrases {
		if p.Role == wish.Aside { // "slides for parents evening: …"
			continue
		}
		if p.Role != wish.Headline {
			return nil
		}
		if len(out) > 0 || from > 0 || strings.TrimSpace(b.Prompt[:p.From]) != "" {
			out = append(out, wish.Span{From: from, To: p.From})
		}
		from = p.From
	}
	return append(out, wish.Span{From: from, To: len(b.Prompt)})
}

// quotes is how many texts are shown, if all are quoted headlines; else 0.
func (b Brief) quotes() (n int) {
	for _, p := range b.phrases {
		if p.Role != wish.Headline || !strings.ContainsAny(b.Prompt[p.From:p.To], "\"“„«「") {
			return 0
		}
		n++
	}
	return n
}

// scenes are the parts of a sequence without a sentence before the first that is nothing but words to the maker: "I run a tiny gym. First …".
func (b Brief) scenes(parts []wish.Span) []wish.Span {
	if len(parts) < 2 || !slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool {
		return p.Role == wish.Aside && parts[0].In(p.Span) && strings.ContainsAny(b.Prompt[p.To-1:p.To], ".!?")
	}) {
		return parts
	}
	return parts[1:]
}
