package dataset

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What is read of a Markdown document is bounded, as goldmark takes long for some lines.
const (
	maxMarkdown = 256 << 10 // bytes; of a changelog the newest stands first
	maxLine     = 8 << 10   // bytes
)

var (
	// release is the heading of a version: "[1.2.0] - 2024-05-01", "v1.2 (May 1, 2024)".
	release = regexp.MustCompile(`^(?i:version |release )?\[?([vV]?\d+\.\d+[\w.+-]*|(?i:unreleased|upcoming))\]?(?:\s*[-–—/(:,]*\s*(.*?)\)?)?$`)
	// credit is what programs add to the items of release notes: who, and where.
	credit = regexp.MustCompile(`(?: by @[\w\[\]-]+(?: in)?|,? \(?(?:closes|fixes)|,? \(?(?:https?://\S+|#\d+|[0-9a-f]{7,40})\)?)+$`)
	thanks = regexp.MustCompile(`^@\S+ made their first contribution`)
	nested = regexp.MustCompile(`(?m)^\s*([>*+-]\s*){40,}\w?`)
)

// markdownReader walks a document.
type markdownReader struct {
	s       *Set
	source  []byte
	title   string
	section [3]string // version, date, group
	items   []Row
	tables  []Row
	plain   []string
}

// readMarkdown reads a document: a changelog or release notes become rows with version,
// date, group and item, a table becomes a table, and lists become texts. A document of
// paragraphs becomes a text for each.
func (s *Set) readMarkdown(md string) error {
	if len(md) > maxMarkdown {
		if end := strings.LastIndexByte(md[:maxMarkdown], '\n'); end > 0 {
			md = md[:end+1]
		}
		s.note("Of %s, the first %d KB are read.", s.Name, len(md)>>10)
	}
	number := 0
	for line := range strings.Lines(md) {
		if number++; len(line) > maxLine {
			return s.bad(number, "break the line", "a line has %d KB", len(line)>>10)
		}
	}
	if at := nested.FindStringIndex(md); at != nil {
		return s.bad(1+strings.Count(md[:at[0]], "\n"), "give a list of items", "lists or quotations lie in each other too deep")
	}
	r := &markdownReader{s: s, source: []byte(md)}
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser().Parse(text.NewReader(r.source))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		r.block(n)
	}
	if r.title != "" && len(r.items)+len(r.tables)+len(r.plain) > 0 {
		s.Table, s.Members = "items", []Member{{"title", r.title}}
	}
	switch {
	case len(r.items) > 0:
		s.table([]string{"version", "date", "group", "item"}, r.items)
		s.Markdown = len(s.Columns) > 1
		if !s.Markdown {
			for _, row := range s.Rows {
				s.Texts = append(s.Texts, row.Cells[0])
			}
			s.Columns, s.Rows = nil, nil
		}
	case len(r.tables) > 1:
		s.table(r.tables[0].Cells, r.tables[1:])
	default:
		s.Texts = r.plain
	}
	return nil
}

func (r *markdownReader) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		heading := r.text(n)
		m := release.FindStringSubmatch(heading)
		switch {
		case m != nil:
			r.section = [3]string{m[1], strings.TrimSpace(m[2]), ""}
		case n.Level == 1 && r.title == "" && r.section[0] == "":
			r.title = heading
		default:
			r.section[2] = heading
		}
	case *ast.List:
		r.list(n)
	case *table.Table:
		for row := n.FirstChild(); row != nil && (len(r.tables) == 0 || row.Kind() != table.KindTableHeader); row = row.NextSibling() {
			var cells []string
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				cells = append(cells, r.text(cell))
			}
			if len(r.tables) == 0 || len(cells) == len(r.tables[0].Cells) {
				r.tables = append(r.tables, Row{r.line(row), cells})
			}
		}
	case *ast.Paragraph:
		if t := r.text(n); t != "" && !strings.HasPrefix(t, "Full Changelog") {
			r.plain = append(r.plain, t)
		}
	case *ast.Blockquote:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			r.block(c)
		}
	}
}

// list adds the items of a list, and after each the items of the list inside it.
func (r *markdownReader) list(n *ast.List) {
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			if inner, ok := c.(*ast.List); ok {
				r.list(inner)
			} else if t := credit.ReplaceAllString(r.text(c), ""); t != "" && !thanks.MatchString(t) {
				r.items = append(r.items, Row{r.line(c), append(append([]string{}, r.section[:]...), t)})
			}
		}
	}
}

// line is the line on which a block begins.
func (r *markdownReader) line(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			return 1 + bytes.Count(r.source[:n.Lines().At(0).Start], []byte("\n"))
		}
	}
	return 0
}

// text is the text of a node without marks.
func (r *markdownReader) text(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { //nolint:errcheck // the function fails never
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			v := n.Segment.Value(r.source)
			if n.Parent().Kind() != ast.KindCodeSpan {
				v = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(v)))
			}
			b.Write(v)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.URL(r.source))
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
