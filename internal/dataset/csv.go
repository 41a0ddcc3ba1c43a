package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// separators are what may stand between the cells of a row, the likelier first.
const separators = ",;\t|"

// separator finds what parts the cells, and how many cells the first row has: what parts
// most of the first rows into the same number of cells.
func separator(text string) (sep rune, width int) {
	best := 0
	for _, c := range separators {
		first, same := 0, 0
		lines := 0
		for line := range strings.Lines(text) {
			n, quoted := 1, false
			for _, r := range line {
				switch {
				case r == '"':
					quoted = !quoted
				case r == c && !quoted:
					n++
				}
			}
			if first == 0 {
				first = n
			}
			if n == first && n > 1 {
				same += 10 + min(n, 5)
			}
			if lines++; lines == 20 {
				break
			}
		}
		if same > best {
			sep, width, best = c, first, same
		}
	}
	if sep == 0 {
		sep, width = ',', 1
	}
	return sep, width
}

// readTable reads comma separated values, or those that something else separates. Named
// says that the name of the file tells that it is a table: then a single column of texts
// has a header.
func (s *Set) readTable(text string, named bool) error {
	above := 0 // lines that are cut off: "sep=;", comments, blank lines
	var sep rune
	for {
		line, rest, _ := strings.Cut(text, "\n")
		mark, isSep := strings.CutPrefix(strings.ToLower(line), "sep=")
		if isSep && mark != "" {
			sep = rune(mark[0])
		} else if rest == "" || !strings.HasPrefix(line, "#") && strings.Trim(line, " \t,;") != "" {
			break
		}
		text, above = rest, above+1
	}
	if sep == 0 {
		sep, _ = separator(text)
	}
	s.Comma = sep == ';'
	rows, err := s.cells(text, sep, above, false)
	var parse *csv.ParseError
	if errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrBareQuote) {
		rows, err = s.cells(text, sep, above, true)
	}
	switch {
	case errors.As(err, &parse):
		return s.bad(above+parse.StartLine, `a text with quotation marks is written "a ""quoted"" word"`, "a quotation mark is not closed, or stands inside of a text")
	case err != nil:
		return err
	case len(rows) == 0:
		return s.bad(0, "give at least one row", "there are no rows in it")
	}
	return s.headed(rows, named)
}

// headed makes a table of rows of the same width, of which the first may be the header.
func (s *Set) headed(rows []Row, named bool) error {
	for i := range rows {
		for width := len(rows[0].Cells); len(rows[i].Cells) > width && rows[i].Cells[len(rows[i].Cells)-1] == ""; {
			rows[i].Cells = rows[i].Cells[:len(rows[i].Cells)-1]
		}
		if n := len(rows[i].Cells); n != len(rows[0].Cells) {
			return s.bad(rows[i].Line, "give every row as many values; a text that holds a separator stands in quotation marks",
				"%s, and the first row has %d", counted(n, "value"), len(rows[0].Cells))
		}
	}
	header := rows[0].Cells
	switch {
	case !s.isHeader(rows, named):
		header = make([]string, len(header))
		for i := range header {
			header[i] = fmt.Sprintf("column %d", i+1)
		}
	case len(rows) == 1:
		return s.bad(0, "give at least one row below the names of the columns", "there is only a header in it")
	default:
		rows = rows[1:]
	}
	if len(rows)*len(header) > maxCells || len(header) > maxColumns {
		return s.bad(0, "keep only the columns and rows that the video shows", "%d rows with %d columns are too much", len(rows), len(header))
	}
	s.table(header, rows)
	return nil
}

// isHeader reports whether the first row names the columns: its cells are no values, but
// for years beside a name.
func (s *Set) isHeader(rows []Row, named bool) bool {
	texts := 0
	for i, cell := range rows[0].Cells {
		switch {
		case i > 0 && (isYear(cell) || dated(cell) && !date.MatchString(cell)): // a column for each year or month
			texts++
		case odd(cell), dated(cell), cell != "" && isNumber(cell):
			return false
		default:
			texts++
		}
	}
	return texts > 0 && (named || len(rows[0].Cells) > 1)
}

// cells reads the rows of a table. Rows without a value are left out.
func (s *Set) cells(text string, sep rune, above int, lazy bool) (rows []Row, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = sep, -1, lazy, sep != '\t'
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		filled := false
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
			filled = filled || record[i] != ""
		}
		if filled {
			rows = append(rows, Row{above + line, record})
		}
	}
}
