package dataset

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// Shapes are the shapes of the data, as the fits of a recipe name them: see
// [recipe.Shapes].
func (s *Set) Shapes() []string {
	cols := s.columnsOf()
	shapes := s.shapes(cols)
	words := len(cols) > 1 && len(cols) <= 4 && !slices.ContainsFunc(cols, func(c column) bool { return c.sort != texts })
	if few := len(s.Rows) > 0 && len(s.Rows) <= 4; !s.Markdown && (words || few && len(cols) > 1) {
		shapes = append(shapes, "sides")
	}
	return shapes
}

func (s *Set) shapes(cols []column) []string {
	value := pick(cols, "", numbers)
	switch {
	case s.Recording != nil:
		return []string{"recording"}
	case s.Markdown:
		return []string{"markdown"}
	case slices.Contains(s.Columns, "scene"):
		return []string{"beats"}
	case len(s.Rows)+len(s.Texts) == 0:
		return nil
	case value == nil:
		return []string{"list"}
	case pick(cols, "", times) != nil:
		return []string{"series"}
	}
	sum := 0.0
	for _, row := range s.Rows {
		v, _, err := s.number(row, value)
		if err != nil || v < 0 {
			return []string{"rows"}
		}
		sum += v
	}
	if value.unit == "%" && sum > 95 && sum < 105 {
		return []string{"rows.share"}
	}
	return []string{"rows"}
}

// Fill returns what the data says of the parameters of a recipe, as people write values,
// with sentences on what was done. Prompt is what the person said: a column that it names
// is preferred. Colours tell which names are colours; without it only a few are.
//
// USAGE: the recipe takes no such data, a column that it needs is not there, or a cell is
// no number. The error names the line of the file.
func (s *Set) Fill(m *recipe.Manifest, prompt string, colours recipe.Colours) (values map[string]string, notes []string, err error) {
	f := &filler{Set: *s, m: m, said: strings.ReplaceAll(prompt, s.Name, " "), prompt: s.said(prompt), colours: colours, values: map[string]string{}}
	switch rows, list := f.taker(recipe.Rows, "rows"), f.taker(recipe.Texts, "list"); {
	case s.First != nil && (rows != nil && limit(rows) <= few || rows == nil && list != nil && limit(list) <= few):
		f.Rows, f.Notes = s.First.Rows, s.First.Notes
	case s.InOrder != nil && slices.Contains(m.Fits, "series"):
		f.Rows, f.Notes = s.InOrder.Rows, s.InOrder.Notes
	}
	f.Rows, f.Notes = slices.Clone(f.Rows), slices.Clone(f.Notes)
	if s.Recording != nil {
		return f.values, f.Notes, f.recording()
	}
	f.misspelt()
	if err := f.members(); err != nil {
		return nil, nil, err
	}
	if len(f.values) > 0 && s.Table == "" {
		return f.values, f.Notes, nil
	}
	if err := f.data(); err != nil {
		return nil, nil, err
	}
	return f.values, f.Notes, nil
}

type filler struct {
	Set
	m       *recipe.Manifest
	said    string   // what the person said, without the name of the file
	prompt  string   // in plain words
	open    []string // names of columns of the recipe for which the table has none
	colours recipe.Colours
	values  map[string]string
	joined  []*column // whose cells went to another one
}

// members sets the parameters that the members of an object name. A member that only
// resembles a parameter is a mistake where others are parameters.
func (f *filler) members() error {
	var wrong error
	var over []string
	for _, member := range f.Members {
		if p := f.param(member.Name); p != nil {
			f.values[p.Name] = member.Value
		} else if near := koda.Nearest(member.Name, f.m.ParamNames()); near != "" && wrong == nil {
			wrong = f.bad(0, "did you mean "+near+"?", "%s has no parameter %q", f.m.Name, member.Name)
		} else if near == "" && !strings.HasPrefix(member.Name, "$") {
			over = append(over, member.Name)
		}
	}
	if len(over) > 0 && wrong == nil && (len(f.values) > 0 || f.Table != "") {
		f.note("%s also has %s, which %s does not take.", f.Name, strings.Join(over[:min(len(over), 6)], ", "), f.m.Name)
	}
	if len(f.values) > 0 || len(f.Rows)+len(f.Texts) == 0 {
		if wrong == nil && len(f.values) == 0 {
			wrong = f.bad(0, "koda recipes show "+f.m.Name+" says what it takes", "nothing in it is a parameter of %s", f.m.Name)
		}
		return wrong
	}
	return nil
}

// data fills the parameter that takes the table or the texts.
func (f *filler) data() error {
	rows, list, text := f.taker(recipe.Rows, "rows"), f.taker(recipe.Texts, "list"), f.taker(recipe.Text, "text")
	if p := f.m.Param(f.Table); p != nil && p.Type == recipe.Rows {
		rows = p
	}
	if i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool { return p.Type == recipe.Rows && len(p.Takes) == 0 }); rows == nil && list == nil && i >= 0 {
		rows = &f.m.Params[i]
	}
	if err := f.wanted(); err != nil {
		return err
	}
	items := f.Texts
	cols := f.columnsOf()
	if rows == nil && list == nil && f.typed(cols) {
		return nil
	}
	if n := len(f.Rows); n > 1 && rows == nil && list == nil && text != nil {
		f.Rows = f.Rows[:1]
		f.note("Of the %d rows of %s, the first is shown: %s shows one.", max(n, f.All), f.Name, f.m.Name)
	}
	if f.single(rows, cols) {
		return nil
	}
	prose := pick(cols, f.prompt, texts, times, marks)
	switch {
	case len(f.Rows) > 0 && rows != nil && (list == nil || pick(cols, "", numbers) != nil || f.Markdown || f.told(rows, cols)):
		return f.rows(rows, cols)
	case len(f.Rows) > 0 && prose != nil:
		if f.Markdown {
			prose = &cols[len(cols)-1]
		}
		for _, row := range f.Rows {
			if cell := row.Cells[prose.at]; !blank(cell) {
				items = append(items, cell)
			}
		}
		f.unused(cols, prose)
	}
	switch {
	case len(items) == 0:
	case list != nil:
		most := limit(list)
		if n := max(len(items), f.All); n > most {
			f.note("Of %d texts in %s, the first %d are shown.", n, f.Name, min(most, len(items)))
		}
		items = items[:min(most, len(items))]
		f.values[list.Name] = recipe.Encode(items)
		return nil
	case rows != nil && len(f.Texts) > 0 && (rows.Columns[0].Type == recipe.Text || rows.Columns[0].Type == recipe.File):
		f.Columns, f.Rows = []string{rows.Columns[0].Name}, nil
		for _, t := range items {
			f.Rows = append(f.Rows, Row{0, []string{t}})
		}
		return f.rows(rows, []column{{name: f.Columns[0]}})
	case text != nil && len(items) == 1:
		f.values[text.Name] = items[0]
		return nil
	}
	what := "a list of texts"
	if len(f.Rows) > 0 {
		what = "a table"
	}
	return f.bad(0, "koda recipes show "+f.m.Name+" says what it takes; without --recipe koda chooses a recipe for the data", "it holds %s, which %s does not show", what, f.m.Name)
}

// taker is the first parameter of a type that takes something.
func (f *filler) taker(t recipe.Type, take string) *recipe.Param {
	for i := range f.m.Params {
		if p := &f.m.Params[i]; p.Type == t && slices.Contains(p.Takes, take) {
			return p
		}
	}
	return nil
}

func limit(p *recipe.Param) int {
	if p.Max != nil {
		return min(int(*p.Max), maxRows)
	}
	return maxRows
}

// rows fills a parameter with the table: each of its columns gets the column of the same
// name, else the first that holds what it needs.
func (f *filler) rows(p *recipe.Param, cols []column) error {
	if slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Number && c.Required }) {
		cols = f.tally(cols)
	}
	cols = f.several(p, f.sides(p, cols))
	from, err := f.match(p, cols)
	if err != nil {
		return err
	}
	f.chosen(p, from)
	for i, c := range from {
		if c == nil {
			f.open = append(append(f.open, p.Columns[i].Name), p.Columns[i].Also...)
		}
	}
	var label, value *column
	for i, c := range from {
		if c != nil && p.Columns[i].Type == recipe.Number && value == nil {
			value = c
		} else if c != nil && p.Columns[i].Type != recipe.Number && label == nil {
			label = c
		}
	}
	f.missed(value)
	if limit(p) <= few && (len(f.Rows) <= pictured || label == nil || !f.repeats(label)) {
		value = nil // its rows are no chart: the first ones count, not the largest
	}
	f.reduce(limit(p), cols, label, value)
	for i, c := range from {
		if c == nil {
			continue
		}
		if err := f.drawn(&p.Columns[i], c); err != nil {
			return err
		}
	}
	used := make([]*column, 0, len(from))
	var b bytes.Buffer
	left := 0
	for _, row := range f.inTime(from) {
		cells, skip, err := f.object(p, from, row)
		if err != nil {
			return err
		}
		if skip {
			left++
			continue
		}
		fmt.Fprintf(&b, ",{%s}", strings.TrimPrefix(cells, ","))
	}
	for i, c := range from {
		if c != nil {
			used = append(used, c)
			f.figure(&p.Columns[i], c)
		}
	}
	if b.Len() == 0 {
		return f.bad(0, "give at least one row with a number", "no row has a number to show")
	}
	if left > 0 {
		f.note("%s of %s without a number %s left out.", counted(left, "row"), f.Name, map[bool]string{true: "is", false: "are"}[left == 1])
	}
	f.unused(cols, append(used, f.joined...)...)
	f.values[p.Name] = "[" + b.String()[1:] + "]"
	return nil
}

// object is a row as the members of a JSON object; skip says that it lacks a number that it needs.
func (f *filler) object(p *recipe.Param, from []*column, row Row) (members string, skip bool, err error) {
	var cells bytes.Buffer
	for i, c := range from {
		if c == nil {
			continue
		}
		cell := recipe.Encode(f.cut(p, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(row.Cells[c.at], "T00:00:00Z"), " 00:00:00"), "T00:00:00")))
		if p.Columns[i].Type == recipe.Number {
			v, ok, err := f.number(row, c)
			if err != nil {
				return "", false, err
			}
			if !ok {
				skip = skip || p.Columns[i].Required
				continue
			}
			cell = decimal(v)
		} else if blank(row.Cells[c.at]) {
			continue
		}
		fmt.Fprintf(&cells, ",%s:%s", recipe.Encode(p.Columns[i].Name), cell)
	}
	return cells.String(), skip, nil
}

// figure sets currency and unit of a column of numbers where the recipe takes them.
func (f *filler) figure(to *recipe.Column, c *column) {
	if to.Type != recipe.Number {
		return
	}
	money := strings.Join(c.money, ", ")
	if len(c.money) > 1 {
		f.note("The column %s of %s has numbers in several currencies (%s): they are shown without one.", c.title(), f.Name, money)
		return
	}
	for take, value := range map[string]string{"currency": money, "percent.sign": c.unit} {
		if p := f.taker(recipe.Text, take); p != nil && value != "" && f.values[p.Name] == "" {
			f.values[p.Name] = value
		}
	}
}

// inTime are the rows, the oldest first, if they are written the newest first.
func (f *filler) inTime(from []*column) []Row {
	for _, c := range from {
		if c == nil || c.sort != times || len(f.Rows) < 2 || f.Markdown {
			continue
		}
		falls := func(a, b Row) bool {
			return a.Cells[c.at] > b.Cells[c.at] && len(a.Cells[c.at]) >= 4 && isYear(a.Cells[c.at][:4])
		}
		for i := range f.Rows[1:] {
			if !falls(f.Rows[i], f.Rows[i+1]) {
				return f.Rows
			}
		}
		slices.Reverse(f.Rows)
	}
	return f.Rows
}

// tally counts the rows with the same label, for a table without numbers that says the
// same often.
func (f *filler) tally(cols []column) []column {
	label, value := f.chart(cols, f.prompt)
	if value != nil || label == nil || !f.repeats(label) {
		return cols
	}
	var order []string
	counts := map[string]int{}
	for _, row := range f.Rows {
		cell := row.Cells[label.at]
		if counts[cell] == 0 {
			order = append(order, cell)
		}
		counts[cell]++
	}
	f.Columns, f.Rows = []string{label.name, "count"}, nil
	for _, cell := range order {
		f.Rows = append(f.Rows, Row{0, []string{cell, strconv.Itoa(counts[cell])}})
	}
	f.note("How often each %s occurs in %s is counted.", label.title(), f.Name)
	return f.columnsOf()
}

func (s *Set) listed() string {
	names := make([]string, 0, 8)
	for _, name := range s.Columns {
		if len(names) == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%q", name))
	}
	return strings.Join(names, ", ")
}

// unused notes the columns that are not shown, but for those that only tell rows apart.
func (f *filler) unused(cols []column, used ...*column) {
	var names []string
	some, near := false, ""
	for _, c := range cols {
		if c.sort != marks && !slices.ContainsFunc(used, func(u *column) bool { return u.at == c.at }) {
			names = append(names, c.title())
			some = some || c.sort == numbers
			near += f.nearly(&c)
		}
	}
	hint := ""
	if some && !slices.ContainsFunc(used, func(u *column) bool { return u.sort == numbers && u.in(f.prompt) }) {
		hint = " Name the column to show in the prompt."
	}
	hint += near
	switch n := len(names); {
	case n == 1:
		f.note("The column %s of %s is not shown.%s", names[0], f.Name, hint)
	case n > 6:
		f.note("%d further columns of %s are not shown, such as %s.%s", n, f.Name, strings.Join(names[:3], ", "), hint)
	case n > 1:
		f.note("The columns %s of %s are not shown.%s", strings.Join(names, ", "), f.Name, hint)
	}
}

// said is a text in plain words, without the name of the file.
func (s *Set) said(text string) string { return plain(strings.ReplaceAll(text, s.Name, " ")) }

var notPlain = regexp.MustCompile(`[^\pL\pN]+`)

// plain is a name without case, marks and the s of the plural.
func plain(name string) string {
	words := strings.Fields(notPlain.ReplaceAllString(strings.ToLower(name), " "))
	for i, w := range words {
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		if w == "colour" {
			w = "color"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// longest is how many characters of a label a chart draws.
const longest = 200

// cut is a cell as it is shown: labels of a chart have a largest length.
func (f *filler) cut(p *recipe.Param, cell string) string {
	r := []rune(cell)
	if len(r) <= longest || !slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Number && c.Required }) {
		return cell
	}
	if note := fmt.Sprintf("Labels of %s are cut to %d characters.", f.Name, longest); !slices.Contains(f.Notes, note) {
		f.Notes = append(f.Notes, note)
	}
	return string(r[:longest-1]) + "…"
}

func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Pictures gives the names of pictures that the data holds, as cells and texts of their own, the names that a function returns.
func (s *Set) Pictures(renamed func(name string) string) {
	rename := func(name *string) {
		if isPicture(*name) {
			*name = renamed(strings.TrimSpace(*name))
		}
	}
	for _, row := range s.Rows {
		for i := range row.Cells {
			rename(&row.Cells[i])
		}
	}
	for i := range s.Texts {
		rename(&s.Texts[i])
	}
	for i := range s.Members {
		rename(&s.Members[i].Value)
	}
}
