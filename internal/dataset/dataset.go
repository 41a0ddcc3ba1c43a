package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/koda-video/koda/internal/koda"
)

const (
	// MaxFile is the largest file that Read takes, in bytes.
	MaxFile = 16 << 20
	// maxRows is how many rows and texts a brief keeps.
	maxRows = 1000
	// few is how many rows a brief keeps of those that the file has first, for a recipe that
	// shows no more.
	few = 100
	// maxCells bounds the values of a table: rows times columns, in the file.
	maxCells = 2 << 20
	// maxColumns bounds columns, and the members of an object that are no data.
	maxColumns = 2000
	// maxNesting is how deep objects and lists may lie in each other.
	maxNesting = 64
)

// Set is what a file holds.
type Set struct {
	Name    string   `json:"name"` // of the file, for errors and notes
	Columns []string `json:"columns,omitempty"`
	Rows    []Row    `json:"rows,omitempty"`
	Texts   []string `json:"texts,omitempty"` // a list; then there are no columns
	// Members are the members of an object. Table is the member that became the table or
	// the list, "" for a bare list.
	Members  []Member `json:"members,omitempty"`
	Table    string   `json:"table,omitempty"`
	Recipe   string   `json:"recipe,omitempty"` // the member "recipe"
	Markdown bool     `json:"markdown,omitempty"`
	Notes    []string `json:"notes,omitempty"` // sentences: how the file was read
	// Recording is a recording of a terminal; then the file holds nothing else.
	Recording *Recording `json:"recording,omitempty"`
	// Named says that the prompt only names the file: it may as well be about the file.
	Named bool `json:"named,omitempty"`
	// Comma says that a number such as 1,234 has decimals where nothing else tells.
	Comma bool `json:"comma,omitempty"`
	// All is how many rows or texts the file has, where they are more than a brief keeps.
	All int `json:"all,omitempty"`
	// First and InOrder are other choices of the rows of a file with too many: the first
	// ones, and neighbours as their mean.
	First   *Choice `json:"first,omitempty"`
	InOrder *Choice `json:"inOrder,omitempty"`
}

// Choice are rows of a file that has too many, with the notes of a set that has them.
type Choice struct {
	Rows  []Row    `json:"rows"`
	Notes []string `json:"notes,omitempty"`
}

// Row is a row of a table. It has a cell for each column.
type Row struct {
	Line  int      `json:"line"` // of the file, from 1
	Cells []string `json:"cells"`
}

// Member is a member of an object: a text as it is, other values as JSON.
type Member struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Read reads a file. The ending of its name says what the file holds, or, without an
// ending, its content does.
//
// USAGE: the file is empty, too large, binary or damaged, or holds nothing to show.
func Read(name string, data []byte) (*Set, error) {
	s := &Set{Name: name}
	if name == "-" || name == "" {
		s.Name, name = "standard input", ""
	}
	if len(data) > MaxFile {
		return nil, s.TooLarge(int64(len(data)))
	}
	text, err := s.decode(data)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, s.bad(0, "give a file that holds something", "there is nothing in it")
	}
	switch kind := kindOf(strings.ToLower(filepath.Ext(name)), text); kind {
	case "json":
		err = s.readJSON(text)
	case "yaml":
		err = s.readYAML(text)
	case "markdown":
		err = s.readMarkdown(text)
	case "recording":
		err = s.readRecording(text)
	case "table":
		err = s.readTable(text, filepath.Ext(name) != "")
	default:
		if first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n"); name == "" && rest != "" && columnHead.MatchString(first) {
			err = s.readTable(text, true)
			break
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				s.Texts = append(s.Texts, line)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if len(s.Rows)+len(s.Texts)+len(s.Members) == 0 && s.Recording == nil {
		return nil, s.bad(0, "give at least one row", "there are no rows in it")
	}
	if len(s.Texts) > maxRows {
		s.All = len(s.Texts)
		s.Texts = s.Texts[:maxRows]
	}
	return s, nil
}

// TooLarge is the error of a file with so many bytes.
func (s *Set) TooLarge(size int64) error {
	hint := "keep only the columns and rows that the video shows, such as one sum for each month"
	if strings.EqualFold(filepath.Ext(s.Name), castExt) {
		hint = "record a shorter session, or a smaller screen"
	}
	return s.bad(0, hint, "%d MB are too much: at most %d MB are read", (size+1<<20-1)>>20, MaxFile>>20)
}

// Encode is the form in which a brief keeps the set; Decode reads it.
func (s *Set) Encode() string {
	data, err := json.Marshal(s)
	if err != nil {
		panic("dataset: encode: " + err.Error())
	}
	return string(data)
}

// Decode reads what Encode wrote.
func Decode(text string) (*Set, error) {
	s := &Set{}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, fmt.Errorf("decode data of the brief: %w", err)
	}
	return s, nil
}

// Prompt is the prompt of a brief in which a person said nothing but the data and, perhaps,
// a recipe.
func (s *Set) Prompt(recipe string) string {
	if recipe == "" {
		return s.Name
	}
	return recipe + " of " + s.Name
}

func (s *Set) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// bad is an error in a line of the file; line 0 is the whole file.
func (s *Set) bad(line int, hint, format string, args ...any) error {
	op := s.Name
	if line > 0 {
		op += fmt.Sprintf(", line %d", line)
	}
	return &koda.Error{Code: koda.CodeUsage, Op: op + ": " + fmt.Sprintf(format, args...), Hint: hint}
}

// kindOf says what a text holds, by the ending of its file's name, else by the text.
func kindOf(ext, text string) string {
	head := strings.TrimSpace(text)
	switch ext {
	case ".json", ".ndjson", ".jsonl":
		return "json"
	case ".yaml", ".yml":
		return "yaml"
	case ".md", ".markdown":
		return "markdown"
	case castExt:
		return "recording"
	case ".csv", ".tsv", ".tab":
		return "table"
	}
	switch {
	case castHead.MatchString(head):
		return "recording"
	case head[0] == '{' || head[0] == '[' && !strings.HasPrefix(head, "[!"):
		return "json"
	case markdownHead.MatchString(head):
		return "markdown"
	case yamlHead.MatchString(head):
		return "yaml"
	}
	if _, width := separator(head); width > 1 {
		return "table"
	}
	return "texts"
}

var (
	markdownHead = regexp.MustCompile(`\A(#{1,3} |\* |\|)|\n## `)
	yamlHead     = regexp.MustCompile(`\A(---|- |[\w-]+:( |\r?\n))`)
	// columnHead is a first line that names the only column of a text without a name.
	columnHead = regexp.MustCompile(`^(?i:(item|name|title|text|label|task|point|value|number|quote|word|step)s?|entry|entries)$`)
)

// decode turns the bytes into UTF-8 text with line feeds: UTF-8 and UTF-16 with and
// without a byte order mark, else Windows-1252, which includes Latin-1.
func (s *Set) decode(data []byte) (string, error) {
	for magic, what := range map[string]string{"PK\x03\x04": "a workbook or an archive", "\xd0\xcf\x11\xe0": "an old workbook", "%PDF": "a PDF file", "SQLite format 3": "a database", "\x1f\x8b": "a compressed file", "PAR1": "a Parquet file"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return "", s.bad(0, "save it as CSV, and give that file", "it is %s, not a text", what)
		}
	}
	even, odd := 0, 0
	sample := data[:min(len(data), 4096)]
	for i, b := range sample {
		switch {
		case b == 0 && i%2 == 0:
			even++
		case b == 0:
			odd++
		}
	}
	wide := len(sample) >= 2 && max(even, odd)*5 > len(sample) && min(even, odd)*20 < len(sample)
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")), wide:
		order := unicode.LittleEndian
		if even > odd {
			order = unicode.BigEndian
		}
		text, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", s.bad(0, "save it as UTF-8", "it is damaged UTF-16 text")
		}
		data = text
	case !utf8.Valid(data) && even+odd == 0:
		if line, ok := mixed(data); ok {
			return "", s.bad(line, "save it as UTF-8", "there are bytes that are no UTF-8, although the rest is")
		}
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			return "", s.bad(0, "save it as UTF-8", "it is no text in UTF-8, UTF-16 or Latin-1")
		}
		s.note("%s is not UTF-8 and was read as Latin-1 (Windows-1252).", s.Name)
		data = text
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := bytes.IndexFunc(data, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f\v\x1b", r) }); i >= 0 {
		return "", s.bad(1+bytes.Count(data[:i], []byte("\n")), "give a text file: CSV, JSON, YAML or Markdown", "it is a binary file, not a text")
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), nil
}

// mixed finds the first line that is no UTF-8 in a text that has letters in UTF-8 too: in
// Latin-1 no letters look so.
func mixed(data []byte) (line int, ok bool) {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 && line == 0 {
			line = 1 + bytes.Count(data[:i], []byte("\n"))
		}
		ok = ok || n > 1
		i += n
	}
	return line, ok
}

// table sets columns and rows, and drops columns without a name or a value, and a column
// without a name that only numbers the rows, as pandas writes it.
func (s *Set) table(columns []string, rows []Row) {
	keep := make([]int, 0, len(columns))
	for c, name := range columns {
		numbered, filled := name == "", false
		for i, row := range rows {
			filled = filled || row.Cells[c] != ""
			numbered = numbered && (row.Cells[c] == fmt.Sprint(i) || row.Cells[c] == fmt.Sprint(i+1))
		}
		if filled && !numbered {
			keep = append(keep, c)
		}
	}
	if len(keep) == 0 && len(columns) == 1 {
		return
	}
	seen := map[string]int{}
	for _, c := range keep {
		name := strings.TrimSpace(columns[c])
		if seen[name]++; seen[name] > 1 && name != "" {
			name = fmt.Sprintf("%s %d", name, seen[name])
		}
		s.Columns = append(s.Columns, name)
	}
	for _, row := range rows {
		cells := make([]string, len(keep))
		for i, c := range keep {
			cells[i] = row.Cells[c]
		}
		s.Rows = append(s.Rows, Row{row.Line, cells})
	}
}
