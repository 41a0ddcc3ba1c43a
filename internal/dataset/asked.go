package dataset

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

var (
	// columnSaid finds the name of a column that is said to be one: "the column 'margin'", "show column margin".
	columnSaid = regexp.MustCompile(`(?i)\b(?:column|spalte|columna|colonne|colonna|coluna)\s+(?:(?:named|called)\s+)?["'“„‘«]([^"'“”‘’»]+)["'“”‘’»]|["'“„‘«]([^"'“”„‘’«»]+)["'“”‘’»]\s+column\b|\b(?:show|draw|plot|use|chart|of|by)\s+(?:the\s+)?column\s+([\pL][\pL\pN_]*)`)
	// noColumn are words behind "column" that are no name.
	noColumn = regexp.MustCompile(`(?i)^(charts?|graphs?|diagrams?|of|for|with|from|by|and|to|in|on|names?|headers?|titles?|is|are|as|labels?|widths?|colou?rs?)$`)
	// figureSaid finds what a chart is said to be of: "bars of profit by month", "line of the margin".
	figureSaid = regexp.MustCompile(`(?i)\b(?:of|show|plot|draw)\s+(?:the\s+|our\s+|my\s+)?([\pL_]{3,})\s*(?:\b(?:by|per|over|nach|pro|por|par)\s|$)`)
	// generic are names of columns that say nothing of what is counted.
	generic = regexp.MustCompile(`(?i)^(values?|numbers?|amounts?|counts?|totals?|sums?|figures?|quantity|n|y|wert|anzahl|menge|number \d+|column \d+)$`)
)

// calls reports whether a column has a name that is said, or one like it.
func (s *Set) calls(name string) bool {
	want := plain(name)
	return slices.ContainsFunc(s.Columns, func(c string) bool {
		have := plain(c)
		return strings.Contains(" "+have+" ", " "+want+" ") || strings.Contains(" "+want+" ", " "+have+" ") && have != ""
	})
}

// wanted refuses a prompt that says a column that is not there.
func (f *filler) wanted() error {
	if f.Markdown || len(f.Rows) == 0 {
		return nil
	}
	m := columnSaid.FindStringSubmatch(f.said)
	if m == nil {
		return nil
	}
	name := strings.TrimSpace(m[1] + m[2] + m[3])
	if f.calls(name) || m[3] != "" && noColumn.MatchString(name) || f.near(name) != "" {
		return nil
	}
	return f.bad(0, "there are "+f.listed(), "there is no column %s", koda.Quote(name))
}

// near is the column whose name is nearly what is said.
func (s *Set) near(name string) string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = plain(c)
	}
	return koda.Nearest(plain(name), names)
}

// missed tells that what the prompt wants to see is no column, and which one is shown.
func (f *filler) missed(shown *column) {
	m := figureSaid.FindStringSubmatch(f.said)
	stem := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)) // "our sales" is the file sales.csv
	if m == nil || shown == nil || generic.MatchString(shown.title()) || shown.in(f.prompt) || f.calls(m[1]) || f.near(m[1]) != "" || strings.Contains(" "+plain(stem)+" ", " "+plain(m[1])+" ") {
		return
	}
	f.note("There is no column %s in %s: %s is shown. There are %s.", m[1], f.Name, shown.title(), f.listed())
}

// misspelt names the columns of numbers that the prompt misspells, where there is more than one.
func (f *filler) misspelt() {
	cols := slices.DeleteFunc(f.columnsOf(), func(c column) bool { return c.sort != numbers })
	if len(cols) < 2 || slices.ContainsFunc(cols, func(c column) bool { return c.in(f.prompt) }) {
		return
	}
	for word := range strings.FieldsSeq(f.prompt) {
		for _, c := range cols {
			if utf8.RuneCountInString(word) > 4 && koda.Nearest(word, []string{plain(c.name)}) != "" {
				f.note("%s was taken as the column %s of %s.", koda.Quote(word), c.title(), f.Name)
				f.prompt += " " + plain(c.name)
				return
			}
		}
	}
}

// several makes a series of each column of numbers, where the prompt names more than one and the rows can have series.
func (f *filler) several(p *recipe.Param, cols []column) []column {
	series := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return slices.Contains(c.Takes, "series") })
	value := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Number })
	label, _ := f.chart(cols, f.prompt)
	if series < 0 || value < 0 || label == nil || slices.ContainsFunc(cols, func(c column) bool { return called(&p.Columns[series], &c) }) {
		return cols
	}
	var named []*column
	for i := range cols {
		if c := &cols[i]; c.sort == numbers && c.at != label.at && c.in(f.prompt) {
			named = append(named, c)
		}
	}
	if len(named) < 2 || slices.ContainsFunc(named, func(c *column) bool { return c.unit != named[0].unit || !slices.Equal(c.money, named[0].money) }) {
		return cols
	}
	f.unused(cols, append(slices.Clone(named), label)...)
	if f.twice(label) {
		f.addUp(cols, label)
	}
	if len(f.Rows) > pointsDrawn {
		f.average(pointsDrawn, cols)
	}
	var rows []Row
	for _, c := range named {
		for _, row := range f.Rows {
			rows = append(rows, Row{row.Line, []string{row.Cells[label.at], row.Cells[c.at], c.title()}})
		}
	}
	f.Columns, f.Rows = []string{p.Columns[0].Name, p.Columns[value].Name, p.Columns[series].Name}, rows
	return f.columnsOf()
}

// twice reports whether rows have the same label.
func (s *Set) twice(label *column) bool {
	seen := map[string]bool{}
	for _, row := range s.Rows {
		if seen[row.Cells[label.at]] {
			return true
		}
		seen[row.Cells[label.at]] = true
	}
	return false
}

// typed fills the text of a recipe that types commands with the rows of a table, or with texts: each command and what it answers.
func (f *filler) typed(cols []column) bool {
	text := f.taker(recipe.Text, "commands")
	if text == nil || len(f.Rows)+len(f.Texts) < 2 {
		return false
	}
	var command, output *column
	for i := range cols {
		switch c := &cols[i]; plain(c.name) {
		case "command", "cmd", "input", "text", "line":
			command = c
		case "output", "answer", "result", "response":
			output = c
		}
	}
	var lines []string
	for _, t := range f.Texts {
		lines = append(lines, "$ "+strings.TrimPrefix(t, "$ "))
	}
	if len(f.Rows) > 0 && command == nil {
		return false
	}
	for _, row := range f.Rows {
		if cell := row.Cells[command.at]; !blank(cell) {
			lines = append(lines, "$ "+strings.TrimPrefix(cell, "$ "))
		}
		if output != nil && !blank(row.Cells[output.at]) {
			lines = append(lines, row.Cells[output.at])
		}
	}
	f.values[text.Name] = strings.Join(lines, "\n")
	if command != nil {
		used := []*column{command}
		if output != nil {
			used = append(used, output)
		}
		f.unused(cols, used...)
	}
	return true
}

// noNumber is the error of a column that is called as if it held numbers: it names the first cell that is none.
func (f *filler) noNumber(want *recipe.Column, cols []column) error {
	i := slices.IndexFunc(cols, func(c column) bool {
		return c.sort == texts && (plain(c.name) == plain(want.Name) || want.Required && (called(want, &c) || generic.MatchString(c.name)))
	})
	if i < 0 {
		return nil
	}
	for _, row := range f.Rows {
		if cell := row.Cells[cols[i].at]; !blank(cell) {
			if _, ok := parse(cell, cols[i].comma); !ok {
				return f.bad(row.Line, "write a number, or leave the field empty where there is none", "%s in the column %s is no number to show", koda.Quote(shortened(cell)), cols[i].title())
			}
		}
	}
	return nil
}

// noColour is the error of a column of colours that holds something else.
func (f *filler) noColour(c *column) error {
	for _, row := range f.Rows {
		if cell := row.Cells[c.at]; !blank(cell) && !strings.EqualFold(cell, recipe.Auto) && !f.isColour(cell) {
			hint := "write a colour name or #rrggbb, or leave the field empty"
			if f.colours != nil {
				if near := koda.Nearest(strings.ToLower(cell), f.colours.Names()); near != "" {
					hint = "did you mean " + near + "? " + hint
				}
			}
			return f.bad(row.Line, hint, "%s in the column %s is no colour", koda.Quote(shortened(cell)), c.title())
		}
	}
	return nil
}

// isColour reports whether a cell is a colour.
func (f *filler) isColour(cell string) bool {
	if isColour(cell) || f.colours == nil {
		return isColour(cell)
	}
	_, ok := f.colours.Colour(strings.TrimSpace(cell))
	return ok
}

// colourIn is a colour behind a label and a number: Apples 30 kg [red].
var colourIn = regexp.MustCompile(`\[([\pL #0-9]+)\](?:$|\n)`)

// drawn makes the cells of a column of texts that are names of colours and things those that the page knows, where a function
// knows them. USAGE: a cell is none; the error names its line.
func (f *filler) drawn(want *recipe.Column, c *column) error {
	if f.colours == nil || want.Type != recipe.Text {
		return nil
	}
	signs, knows := f.colours.(recipe.Signs)
	for i := range f.Rows {
		cell := f.Rows[i].Cells[c.at]
		text := cell
		switch {
		case blank(cell):
		case want.Name == "color":
			hex, ok := f.colours.Colour(cell)
			if !ok {
				return f.noColour(c)
			}
			text = hex
		case slices.Contains(want.Takes, "sign") && knows:
			names, ok := signs.Sign(cell)
			if !ok {
				hint := "koda recipes show sign says what can be drawn"
				if near := koda.Nearest(strings.ToLower(names), signs.SignNames()); near != "" {
					hint = "did you mean " + near + "? " + hint
				}
				return f.bad(f.Rows[i].Line, hint, "%s in the column %s is nothing that koda draws", koda.Quote(shortened(names)), c.title())
			}
			text = names
		case want.Name == "items":
			text = colourIn.ReplaceAllStringFunc(cell, func(said string) string {
				end := said[strings.IndexByte(said, ']')+1:]
				if hex, ok := f.colours.Colour(strings.Trim(said, "[]\n")); ok {
					return "[" + hex + "]" + end
				}
				f.note("%s in %s is no colour.", koda.Quote(strings.Trim(said, "[]\n")), f.Name)
				return end
			})
		}
		if text != cell {
			cells := slices.Clone(f.Rows[i].Cells)
			cells[c.at] = text
			f.Rows[i].Cells = cells
		}
	}
	return nil
}

// shortened is a cell for an error.
func shortened(cell string) string {
	if r := []rune(cell); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return cell
}

// nearly says which column of the recipe an unused column may have been meant for; "" for none.
func (f *filler) nearly(c *column) string {
	if len(c.name) < 4 {
		return ""
	}
	if near := koda.Nearest(plain(c.name), f.open); near != "" && near != plain(c.name) {
		return fmt.Sprintf(" Did you mean %s by %s?", near, c.name)
	}
	return ""
}
