package reading

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
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
	for _, e := range part.edits {
		values[e.Param] = plain(part.m.Param(e.Param), e.Value, unit, &details)
	}
	if details {
		part.note("Colours and units of single values are left out: the scenes of a story have none.")
	}
	out := map[string]any{}
	for _, c := range p.Columns {
		value := strings.TrimSpace(os.Expand(columns[c.Name], func(name string) string { return values[name] }))
		if strings.Contains(columns[c.Name], "; ") { // several lists, of which some are empty
			value = strings.Join(slices.DeleteFunc(strings.Split(value+" ", "; "), func(s string) bool { return strings.Trim(s, "; ") == "" }), "; ")
		}
		switch value = strings.TrimSpace(value); {
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
		}
		texts = append(texts, s)
	}
	return strings.Join(texts, "; ")
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
