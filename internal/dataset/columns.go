package dataset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
)

// sort says what a column holds.
type sort byte

const (
	texts sort = iota
	times      // points in time
	numbers
	marks // numbers or texts that only tell rows apart: an id, an address
)

// column is a column of a table with what it holds.
type column struct {
	name  string
	at    int // in Set.Columns
	sort  sort
	comma bool
	unit  string   // of most numbers
	money []string // the currencies of its numbers, as codes
}

// columnsOf says what the columns hold.
func (s *Set) columnsOf() []column {
	out := make([]column, len(s.Columns))
	comma := s.Comma
	if proof := s.proof(-1); proof != 0 {
		comma = proof == ','
	}
	measured := 0 // columns of numbers
	for c, name := range s.Columns {
		out[c] = column{name: name, at: c, comma: comma}
		if proof := s.proof(c); proof != 0 {
			out[c].comma = proof == ','
		}
		s.judge(&out[c])
		if out[c].sort == numbers {
			measured++
		}
	}
	for c := range out { // years are numbers only where there are no others
		if out[c].sort == numbers && measured > 1 && s.every(c, isYear) {
			out[c].sort = times
			measured--
		}
	}
	if measured > 1 && out[0].sort == numbers && s.counts(&out[0]) && !slices.ContainsFunc(out, func(c column) bool { return c.sort == texts || c.sort == times }) {
		out[0].sort = times
	}
	return out
}

// counter is the name of a column that says where on an axis the numbers beside it belong.
var counter = regexp.MustCompile(`(?i)^(x|t|n|steps?|epochs?|iterations?|rounds?|days?|weeks?|months?|years?|time|hours?|minutes?|seconds?|index|tag|woche|monat|jahr|runde|schritt)$`)

// counts reports whether a column of numbers only counts the rows: it is called so, or
// rises evenly.
func (s *Set) counts(c *column) bool {
	const least = 5 // rows: two or three numbers rise evenly by chance
	if counter.MatchString(strings.TrimSpace(c.name)) {
		return true
	}
	if len(s.Rows) < least {
		return false
	}
	last, by := 0.0, 0.0
	for i, row := range s.Rows {
		q, ok := parse(row.Cells[c.at], c.comma)
		switch step := q.value - last; {
		case !ok, i > 0 && step <= 0, i > 1 && math.Abs(step-by) > 1e-6*math.Abs(by):
			return false
		default:
			last, by = q.value, step
		}
	}
	return true
}

// proof is the sign that parts decimals, as the numbers of a column prove it, or those
// of the table for column -1; 0 if nothing proves it.
func (s *Set) proof(only int) byte {
	for row := range s.sample() {
		cells := row.Cells
		if only >= 0 {
			cells = cells[only : only+1]
		}
		for _, cell := range cells {
			if q, ok := parse(cell, false); ok && q.sign != 0 {
				return q.sign
			}
		}
	}
	return 0
}

// sample are rows that show what the columns hold.
func (s *Set) sample() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := 0; i < len(s.Rows); i += 1 + len(s.Rows)/5000 {
			if !yield(s.Rows[i]) {
				return
			}
		}
	}
}

func (s *Set) every(c int, is func(string) bool) bool {
	some := false
	for row := range s.sample() {
		if cell := row.Cells[c]; !blank(cell) {
			if !is(cell) {
				return false
			}
			some = true
		}
	}
	return some
}

// judge says what a column holds: numbers, if most of its cells are numbers.
func (s *Set) judge(c *column) {
	filled, counts, none := 0, 0, 0
	units, money := map[string]int{}, map[string]int{}
	for row := range s.sample() {
		cell := row.Cells[c.at]
		if blank(cell) {
			continue
		}
		filled++
		if q, ok := parse(cell, c.comma); ok {
			counts++
			units[q.unit]++
			money[q.currency]++
		} else if odd(cell) {
			none++
		}
	}
	delete(money, "")
	c.unit, c.money = most(units), slices.Sorted(maps.Keys(money))
	name := strings.ToLower(c.name)
	switch {
	case filled == 0:
		c.sort = marks
	case s.every(c.at, dated):
		c.sort = times
	case (name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, ".id") || strings.HasSuffix(c.name, "Id")) && len(s.Columns) > 1:
		c.sort = marks
	case (counts+none)*2 > filled && units[c.unit]*2 > counts:
		c.sort = numbers
	case s.every(c.at, func(cell string) bool { return strings.Contains(cell, "://") }):
		c.sort = marks
	}
}

func most(counts map[string]int) string {
	best := ""
	for name, n := range counts {
		if n > counts[best] || n == counts[best] && name < best {
			best = name
		}
	}
	return best
}

// number reads a cell of a column of numbers; ok is false for a cell without a value.
func (s *Set) number(row Row, c *column) (v float64, ok bool, err error) {
	cell := row.Cells[c.at]
	if blank(cell) {
		return 0, false, nil
	}
	q, ok := parse(cell, c.comma)
	if !ok || q.unit != c.unit {
		return 0, false, s.bad(row.Line, "write a number, or leave the field empty where there is none", "%q in the column %s is no number to show", shortened(cell), c.title())
	}
	return q.value, true, nil
}

func (c *column) title() string { return cmp.Or(c.name, fmt.Sprintf("number %d", c.at+1)) }

// pick is the first column of a sort that the person named, else the first; nil if there
// is none.
func pick(cols []column, said string, sorts ...sort) (best *column) {
	for _, sort := range sorts {
		for i := range cols {
			c := &cols[i]
			if c.sort == sort && (best == nil || !best.in(said) && c.in(said)) {
				best = c
			}
		}
	}
	return best
}

// in reports whether a text, in plain words, names the column.
func (c *column) in(said string) bool {
	return c.name != "" && strings.Contains(" "+said+" ", " "+plain(c.name)+" ")
}

// chart are the columns that a chart shows, unless its recipe says others: what tells the
// rows apart, and a number. Of many rows the label is a column that says the same often.
func (s *Set) chart(cols []column, said string) (label, value *column) {
	value = pick(cols, said, numbers)
	label = pick(cols, said, times, texts, marks)
	if value == nil {
		label = pick(cols, said, texts, times, marks)
	}
	if len(s.Rows) > pictured && label != nil && !label.in(said) && !s.repeats(label) && label.sort != times {
		for i := range cols {
			if c := &cols[i]; c.sort == texts && s.repeats(c) {
				return c, value
			}
		}
	}
	return label, value
}

// pictured is how many rows a picture can show apart. Rows with the same label are added
// up only if there are more.
const pictured = 40

// pointsDrawn is how many points a line has at most.
const pointsDrawn = 300

// other is the label of the rows that are too small to be shown.
const other = "Other"

// repeats reports whether a column says the same in at least every second row.
func (s *Set) repeats(c *column) bool {
	seen := map[string]bool{}
	for _, row := range s.Rows {
		seen[row.Cells[c.at]] = true
	}
	return len(seen)*2 <= len(s.Rows)
}

// Reduce makes so few rows that a brief can keep them. Said is what the person said:
// columns that it names count more.
func (s *Set) Reduce(said string) {
	cols := s.columnsOf()
	if len(s.Rows) <= maxRows {
		return
	}
	s.All = len(s.Rows)
	label, value := s.chart(cols, s.said(said))
	if label == nil || value == nil || !s.repeats(label) {
		s.First = &Choice{slices.Clone(s.Rows[:few]), slices.Clone(s.Notes)}
	}
	if label != nil && value != nil && label.sort != times && !s.repeats(label) {
		means := *s
		means.Notes = slices.Clone(s.Notes)
		means.average(pointsDrawn, cols)
		s.InOrder = &Choice{means.Rows, means.Notes}
	}
	s.reduce(maxRows, cols, label, value)
}

// addUp makes one row of those with the same label.
func (s *Set) addUp(cols []column, label *column) {
	var groups [][]Row
	at := map[string]int{}
	for _, row := range s.Rows {
		key := row.Cells[label.at]
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], row)
	}
	n := len(s.Rows)
	s.merge(groups, cols, false)
	for _, row := range s.Rows {
		for _, c := range cols { // texts of one row say nothing of many
			if c.sort != numbers && c.at != label.at {
				row.Cells[c.at] = ""
			}
		}
	}
	s.note("The %d rows of %s are added up by %s: %d rows.", n, s.Name, label.title(), len(s.Rows))
}

// average makes at most so many rows: neighbours become their mean.
func (s *Set) average(limit int, cols []column) {
	n := len(s.Rows)
	per := (n + limit - 1) / limit
	s.merge(slices.Collect(slices.Chunk(s.Rows, per)), cols, true)
	s.note("Of the %d rows of %s, every %d neighbours are shown as their mean.", n, s.Name, per)
}

// reduce makes at most so many rows: rows with the same label become one, neighbours in
// time become their mean, and of others the largest stay. A note says so.
func (s *Set) reduce(limit int, cols []column, label, value *column) {
	if n := len(s.Rows); n > pictured && label != nil && value != nil && s.repeats(label) {
		s.addUp(cols, label)
	}
	n := len(s.Rows)
	switch {
	case n <= limit:
	case value == nil:
		s.Rows = s.Rows[:limit]
		s.note("Of the %d rows of %s, the first %d are shown.", max(n, s.All), s.Name, limit)
	case label == nil || label.sort == times:
		s.average(limit, cols)
	default:
		sizes := map[int]float64{} // by line
		for _, row := range s.Rows {
			if q, _ := parse(row.Cells[value.at], value.comma); row.Cells[label.at] != other {
				sizes[row.Line] = math.Abs(q.value)
			}
		}
		ranked := slices.Clone(s.Rows)
		slices.SortStableFunc(ranked, func(a, b Row) int { return cmp.Compare(sizes[b.Line], sizes[a.Line]) })
		groups := make([][]Row, 0, limit)
		for _, row := range ranked[:limit-1] {
			groups = append(groups, []Row{row})
		}
		slices.SortFunc(groups, func(a, b []Row) int { return cmp.Compare(a[0].Line, b[0].Line) })
		s.merge(append(groups, ranked[limit-1:]), cols, false)
		s.Rows[limit-1].Cells[label.at] = other
		s.note("Of the %d rows of %s, the %d largest are shown; the others are added up as %s.", n, s.Name, limit-1, other)
	}
}

// merge makes one row of each group: numbers are added up, or become their mean, and
// texts are those of the first. Percentages are never added up. A cell that is no number
// stays, so that its error names its line.
func (s *Set) merge(groups [][]Row, cols []column, mean bool) {
	s.Rows = make([]Row, len(groups))
	for g, rows := range groups {
		s.Rows[g] = Row{rows[0].Line, slices.Clone(rows[0].Cells)}
		for i := range cols {
			if c := &cols[i]; c.sort == numbers && len(rows) > 1 {
				s.total(&s.Rows[g], rows, c, mean)
			}
		}
	}
}

func (s *Set) total(out *Row, rows []Row, c *column, mean bool) {
	sum, n := 0.0, 0
	for _, row := range rows {
		v, ok, err := s.number(row, c)
		if err != nil {
			out.Line, out.Cells[c.at] = row.Line, row.Cells[c.at]
			return
		}
		if ok {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return
	}
	if mean || c.unit == "%" {
		sum /= float64(n)
	}
	text := decimal(sum)
	if c.comma {
		text = strings.Replace(text, ".", ",", 1)
	}
	sign := c.unit
	if len(c.money) == 1 { // a sum of several currencies has none
		sign = c.money[0]
	}
	out.Cells[c.at] = strings.TrimSpace(text + " " + sign)
}

// Objects are the rows of a table as JSON objects, in which a cell of a column of plain
// numbers is a number, and a cell that is empty is no member; nil if there is no table.
func (s *Set) Objects() []json.RawMessage {
	var out []json.RawMessage
	cols := s.columnsOf()
	for _, row := range s.Rows {
		members := map[string]any{}
		for i := range cols {
			c := &cols[i]
			cell := row.Cells[c.at]
			if q, ok := parse(cell, c.comma); ok && c.sort == numbers && q.unit == "" && q.currency == "" {
				members[c.title()] = q.value
			} else if cell != "" {
				members[c.title()] = cell
			}
		}
		out = append(out, json.RawMessage(recipe.Encode(members)))
	}
	return out
}
