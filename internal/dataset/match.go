package dataset

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// match finds the column for each column of a parameter; nil where there is none.
func (f *filler) match(p *recipe.Param, cols []column) ([]*column, error) {
	from := make([]*column, len(p.Columns))
	used := map[int]bool{}
	find := func(i int, is func(c *column) bool) {
		for k := range cols {
			if c := &cols[k]; from[i] == nil && !used[c.at] && (p.Columns[i].Type != recipe.Number || c.sort == numbers) && is(c) {
				from[i], used[c.at] = c, true
			}
		}
	}
	for i, want := range p.Columns {
		is := func(c *column) bool { return plain(c.name) == plain(want.Name) && f.holds(p, i, c) }
		find(i, is)
		for k := range cols { // "color" beside "colour"
			if c := &cols[k]; from[i] != nil && !used[c.at] && is(c) && f.beside(from[i], c) {
				used[c.at], f.joined = true, append(f.joined, c)
			}
		}
	}
	for i, want := range p.Columns {
		for _, name := range want.Also {
			is := func(c *column) bool { return plain(c.name) == plain(name) && f.holds(p, i, c) }
			if k := slices.IndexFunc(cols, func(c column) bool { return !used[c.at] && is(&c) }); k >= 0 && from[i] != nil && f.beside(from[i], &cols[k]) {
				used[cols[k].at], f.joined = true, append(f.joined, &cols[k])
			}
			find(i, is)
		}
	}
	named := len(used) > 0
	for i, want := range p.Columns {
		find(i, func(c *column) bool {
			if detail(p, i) || !f.holds(p, i, c) {
				return false
			}
			near := koda.Nearest(c.name, []string{want.Name}) != "" && len(c.name) > 3
			if near {
				f.note("The column %s of %s was taken as %s.", c.name, f.Name, want.Name)
				named = true
			}
			return near
		})
	}
	label, value := f.chart(cols, f.prompt)
	for i, want := range p.Columns { // by what they hold
		switch {
		case detail(p, i), want.Name == sceneColumn, want.Type == recipe.Number && p.Columns[0].Name == sceneColumn:
		case want.Type == recipe.File:
			find(i, func(c *column) bool { return f.every(c.at, isPicture) })
			if from[i] == nil && want.Required {
				return nil, f.bad(0, "its cells must be files such as beach.jpg, and --asset brings the pictures", "no column holds the names of pictures; there are %s", f.listed())
			}
		case slices.Contains(want.Takes, "figure"):
			find(i, func(c *column) bool { return c == value })
		case slices.Contains(want.Takes, "lines"):
			find(i, func(c *column) bool { return c.sort == texts && c != label })
		case want.Type == recipe.Number:
			find(i, func(c *column) bool { return c == value })
			find(i, func(*column) bool { return want.Required || !named })
		case !named || i == 0 || want.Required:
			find(i, func(c *column) bool { return c == label })
			find(i, func(c *column) bool { return c.sort == texts })
		}
	}
	if err := f.lacking(p, cols, from, used); err != nil {
		return nil, err
	}
	return from, nil
}

// lacking refuses a table that lacks a column which the parameter needs, or has one that holds something else. Used are the
// columns that were found.
func (f *filler) lacking(p *recipe.Param, cols []column, from []*column, used map[int]bool) error {
	for i, want := range p.Columns {
		if from[i] == nil && want.Type == recipe.Color {
			if k := slices.IndexFunc(cols, func(c column) bool { return !used[c.at] && plain(c.name) == plain(want.Name) }); k >= 0 {
				if err := f.noColour(&cols[k]); err != nil {
					return err
				}
			}
		}
		if from[i] == nil && want.Type == recipe.Number {
			if err := f.noNumber(&p.Columns[i], cols); err != nil {
				return err
			}
		}
		if from[i] == nil && want.Required {
			return f.bad(0, "name the column "+want.Name+", or give its cells as plain numbers", "there is no column for %s; there are %s", want.Name, f.listed())
		}
	}
	if len(used) == 0 {
		return f.bad(0, "name its columns so", "it has none of the columns of %s; there are %s", f.m.Name, f.listed())
	}
	if p.Columns[0].Name == sceneColumn && from[0] == nil {
		f.note("There is no column %s in %s, so each row is a title or a picture; there are %s.", sceneColumn, f.Name, f.listed())
	}
	return nil
}

// sceneColumn is the column that says which sort of scene a row is.
const sceneColumn = "scene"

// beside moves the cells of a column to those of another one where they are empty. It reports false, and moves nothing, if a
// row has both.
func (f *filler) beside(to, from *column) bool {
	if slices.ContainsFunc(f.Rows, func(r Row) bool { return !blank(r.Cells[to.at]) && !blank(r.Cells[from.at]) }) {
		return false
	}
	for i := range f.Rows {
		if cells := slices.Clone(f.Rows[i].Cells); blank(cells[to.at]) {
			cells[to.at] = cells[from.at]
			f.Rows[i].Cells = cells
		}
	}
	return true
}

// param is the parameter that a name of the data means: its own name, or a word for it.
func (f *filler) param(name string) *recipe.Param {
	if p := f.m.Param(name); p != nil {
		return p
	}
	for i := range f.m.Params {
		p := &f.m.Params[i]
		if plain(p.Name) == plain(name) {
			return p
		}
		for _, words := range p.Words {
			if p.Type != recipe.Color && slices.ContainsFunc(words, func(w string) bool { return plain(w) == plain(name) }) {
				return p
			}
		}
	}
	return nil
}

// single fills parameters with the only row of a table that is no chart: a column by its name, else a number as the number, and
// texts as the text and the line below. It reports false if the recipe takes the row otherwise.
func (f *filler) single(rows *recipe.Param, cols []column) bool {
	if len(f.Rows) != 1 || rows != nil && !slices.Contains(f.m.Fits, "number") {
		return false
	}
	var left, used []*column
	for i := range cols {
		c := &cols[i]
		if p := f.param(c.name); p != nil && f.values[p.Name] == "" && (p.Type != recipe.Number || c.sort == numbers) {
			f.give(p, c)
			used = append(used, c)
		} else if !blank(f.Rows[0].Cells[c.at]) {
			left = append(left, c)
		}
	}
	for _, c := range left {
		takes := []string{"text", "subtitle"}
		if c.sort == numbers {
			takes = []string{map[bool]string{true: "percent", false: "number"}[c.unit == "%"], "number", "count"}
		}
		i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool {
			return f.values[p.Name] == "" && slices.ContainsFunc(takes, func(t string) bool { return slices.Contains(p.Takes, t) }) && p.Type != recipe.Rows
		})
		if i >= 0 {
			f.give(&f.m.Params[i], c)
			used = append(used, c)
		}
	}
	if len(used) == 0 {
		return false
	}
	f.unused(cols, used...)
	return true
}

// give gives the cell of the only row to a parameter.
func (f *filler) give(p *recipe.Param, c *column) {
	f.values[p.Name] = f.Rows[0].Cells[c.at]
	if v, ok, err := f.number(f.Rows[0], c); c.sort == numbers && ok && err == nil && p.Type != recipe.Text {
		f.values[p.Name] = decimal(v)
		f.figure(&recipe.Column{Type: recipe.Number}, c)
	}
}

// called reports whether a column of the data has a name of a parameter's column.
func called(want *recipe.Column, c *column) bool {
	return slices.ContainsFunc(append([]string{want.Name}, want.Also...), func(n string) bool { return plain(n) == plain(c.name) })
}

// told reports whether texts are more than a list: sides, or at least two columns with the names of rows.
func (f *filler) told(p *recipe.Param, cols []column) bool {
	n := 0
	for i := range p.Columns {
		if slices.ContainsFunc(cols, func(c column) bool { return called(&p.Columns[i], &c) }) {
			n++
		}
	}
	return n > 1 || slices.Contains(p.Takes, "sides") && len(cols) > 1
}

// sides makes rows of the columns where the rows are set against each other, and each column is a side: before, after. A first
// column that names what is compared stands before each point.
func (f *filler) sides(p *recipe.Param, cols []column) []column {
	lines := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return slices.Contains(c.Takes, "lines") })
	figure := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return slices.Contains(c.Takes, "figure") })
	if !slices.Contains(p.Takes, "sides") || figure < 0 || len(cols) > 5 || slices.ContainsFunc(cols, func(c column) bool { return called(&p.Columns[0], &c) }) {
		return cols
	}
	about := -1
	if lines >= 0 && len(cols) > 2 && called(&p.Columns[lines], &cols[0]) {
		about, cols = cols[0].at, cols[1:]
	}
	apart := lines >= 0 && !slices.ContainsFunc(cols, func(c column) bool { return c.sort != texts && about < 0 })
	if len(cols) < 2 || len(f.Rows) != 1 && !apart {
		return cols
	}
	to := figure
	if apart {
		to = lines
	}
	var rows []Row
	for _, c := range cols {
		var said []string
		for _, row := range f.Rows {
			cell := row.Cells[c.at]
			if about >= 0 && cell != "" {
				cell = row.Cells[about] + ": " + cell
			}
			if cell != "" {
				said = append(said, cell)
			}
		}
		rows = append(rows, Row{f.Rows[0].Line, []string{c.title(), strings.Join(said, "\n")}})
	}
	f.Columns, f.Rows = []string{p.Columns[0].Name, p.Columns[to].Name}, rows
	f.note("Each column of %s is a side.", f.Name)
	return f.columnsOf()
}

// chosen sets the parameters that choose rows: of the rows that have a column of the parameter's name, those with the value that
// the prompt says, such as a version.
func (f *filler) chosen(p *recipe.Param, from []*column) {
	for i, c := range from {
		q := f.m.Param(p.Columns[i].Name)
		if c == nil || q == nil || q.Type != recipe.Text || f.values[q.Name] != "" {
			continue
		}
		for _, row := range f.Rows {
			if cell := row.Cells[c.at]; len(cell) > len(f.values[q.Name]) && strings.Contains(" "+f.prompt+" ", " "+plain(cell)+" ") {
				f.values[q.Name] = cell
			}
		}
	}
}

// detail reports whether a column of a parameter is about the number before it, such as
// its unit or its colour: only its own name finds it.
func detail(p *recipe.Param, i int) bool {
	want := p.Columns[i]
	return want.Type == recipe.Color || want.Type == recipe.Text && slices.ContainsFunc(p.Columns[:i], func(c recipe.Column) bool { return c.Type == recipe.Number })
}

// holds reports whether a column of the table can be what a parameter wants by its name:
// a unit is no number, and a colour is one.
func (f *filler) holds(p *recipe.Param, i int, c *column) bool {
	switch {
	case p.Columns[i].Type == recipe.Color:
		others := slices.ContainsFunc(f.columnsOf(), func(o column) bool { return o.at != c.at && o.sort != numbers })
		return f.every(c.at, isColour) || others && f.every(c.at, f.isColour)
	case p.Columns[i].Type == recipe.File:
		return !p.Columns[i].Required && plain(c.name) == plain(p.Columns[i].Name) || f.every(c.at, isPicture)
	}
	return !detail(p, i) || c.sort == texts
}

var colourCell = regexp.MustCompile(`(?i)^(#[0-9a-f]{3}|#[0-9a-f]{6}|red|orange|yellow|green|blue|purple|pink|black|white|gr[ae]y|brown|teal|navy|gold|silver|cyan|magenta|lime|violet|turquoise)$`)

func isColour(cell string) bool { return colourCell.MatchString(strings.TrimSpace(cell)) }

var pictureCell = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|webp|svg|avif|bmp)$`)

func isPicture(cell string) bool { return pictureCell.MatchString(strings.TrimSpace(cell)) }
