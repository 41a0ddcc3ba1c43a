package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/koda-video/koda/internal/recipe"
)

// node is a value of JSON or YAML, with its place in the file.
type node struct {
	kind  kind
	line  int
	text  string // of a scalar; of a list of scalars that is a cell, its lines
	names []string
	items []*node // of a list, or for each name of an object
}

type kind byte

const (
	scalar kind = iota // a text, true or false, null as ""
	number
	list
	object
)

// all reports whether there are items, and all are of these kinds.
func (n *node) all(kinds ...kind) bool {
	return len(n.items) > 0 && !slices.ContainsFunc(n.items, func(i *node) bool { return !slices.Contains(kinds, i.kind) })
}

// jsonReader reads JSON into nodes.
type jsonReader struct {
	s    *Set
	d    *json.Decoder
	text string
	at   int // bytes of text up to which lines are counted
	line int
}

// readJSON reads a JSON value, or one value after another.
func (s *Set) readJSON(text string) error {
	r := &jsonReader{s: s, d: json.NewDecoder(strings.NewReader(text)), text: text, line: 1}
	r.d.UseNumber()
	all := &node{kind: list, line: 1}
	for {
		n, err := r.value(0)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		all.items = append(all.items, n)
		if len(all.items) > maxCells {
			return s.bad(n.line, "give only what the video shows", "more than %d values are too much", maxCells)
		}
	}
	if len(all.items) == 1 {
		all = all.items[0]
	}
	return s.tree(all)
}

// here is the line up to which the file is read.
func (r *jsonReader) here() int {
	to := min(int(r.d.InputOffset()), len(r.text))
	r.line += strings.Count(r.text[r.at:to], "\n")
	r.at = to
	return r.line
}

// token is the next token. io.EOF is an error but for the end between values.
func (r *jsonReader) token(depth int) (json.Token, error) {
	t, err := r.d.Token()
	if err == nil || errors.Is(err, io.EOF) && depth == 0 {
		return t, err
	}
	rest := strings.TrimLeft(r.text[min(int(r.d.InputOffset()), len(r.text)):], " \t,:")
	line := r.here() + len(rest) - len(strings.TrimLeft(rest, "\n"))
	rest = strings.TrimLeft(rest, " \t\n,:")
	if word := strings.TrimLeft(rest, "+-"); strings.HasPrefix(word, "NaN") || strings.HasPrefix(word, "Inf") {
		return nil, r.s.bad(line, "write a number, or null where there is none", "%s is no number to show", rest[:len(rest)-len(word)+3])
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || rest == "" {
		return nil, r.s.bad(line, "is the file cut off?", "the JSON ends in the middle")
	}
	return nil, r.s.bad(line, "give a list of objects, or one object a line", "this is no JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

func (r *jsonReader) value(depth int) (*node, error) {
	t, err := r.token(depth)
	if err != nil {
		return nil, err
	}
	n := &node{line: r.here()}
	switch t := t.(type) {
	case json.Delim:
		if depth == maxNesting {
			return nil, r.s.tooDeep(n.line)
		}
		n.kind = list
		if t == '{' {
			n.kind = object
		}
		for r.d.More() {
			if n.kind == object {
				name, err := r.token(depth + 1)
				if err != nil {
					return nil, err
				}
				n.names = append(n.names, name.(string)) //nolint:forcetypeassert,errcheck // the names of members are strings
			}
			item, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err = r.token(depth + 1)
		return n, err
	case json.Number:
		n.kind, n.text = number, t.String()
	case string:
		n.text = t
	case bool:
		n.text = strconv.FormatBool(t)
	}
	return n, nil
}

func (s *Set) tooDeep(line int) error {
	return s.bad(line, "give a list of objects", "objects and lists lie in each other more than %d deep", maxNesting)
}

// maxYAML is how much YAML is read, in bytes: reading takes a second for each million.
const maxYAML = 2 << 20

// readYAML reads a YAML document, or one after another.
func (s *Set) readYAML(text string) error {
	const hint = "indent with blanks, and put a text with a colon into quotation marks"
	if len(text) > maxYAML {
		return s.bad(0, "give large data as JSON or CSV", "%d MB of YAML are too much: at most %d MB are read", len(text)>>20, maxYAML>>20)
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	all := &node{kind: list, line: 1}
	for {
		var doc yaml.Node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.bad(0, hint, "this is no YAML: %s", strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: "))
		}
		n, err := s.fromYAML(&doc, 0)
		if err != nil {
			return err
		}
		all.items = append(all.items, n)
	}
	if len(all.items) == 1 {
		all = all.items[0]
	}
	return s.tree(all)
}

func (s *Set) fromYAML(y *yaml.Node, depth int) (*node, error) {
	n := &node{line: y.Line}
	switch y.Kind { //nolint:exhaustive // the other kinds stand in no document
	case yaml.AliasNode:
		return nil, s.bad(y.Line, "write the value out", "references such as *%s are not read", y.Value)
	case yaml.ScalarNode:
		switch y.Tag {
		case "!!int", "!!float":
			n.kind = number
		case "!!null":
			return n, nil
		}
		n.text = y.Value
		return n, nil
	case yaml.SequenceNode:
		n.kind = list
	case yaml.MappingNode:
		n.kind = object
	case yaml.DocumentNode:
		if len(y.Content) == 1 {
			return s.fromYAML(y.Content[0], depth)
		}
	}
	if depth == maxNesting {
		return nil, s.tooDeep(y.Line)
	}
	for i, c := range y.Content {
		if n.kind == object && i%2 == 0 {
			n.names = append(n.names, c.Value)
			continue
		}
		item, err := s.fromYAML(c, depth+1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	return n, nil
}

// tree makes the set of a value: a list, or an object with members and, at most, a list
// that is the data.
func (s *Set) tree(n *node) error {
	if n.kind == list {
		return s.list(n)
	}
	if n.kind != object {
		s.Texts = []string{n.text}
		return nil
	}
	data := -1
	if len(n.items) > maxColumns {
		return s.bad(n.line, "give a list of objects", "an object has %d members: at most %d are read", len(n.items), maxColumns)
	}
	for i, item := range n.items {
		if item.kind == list && len(item.items) > 0 && (data < 0 || rank(item) > rank(n.items[data])) {
			data = i
		}
	}
	if data < 0 && n.all(object) { // {"Apples": {"count": 3}, …}
		rows := &node{kind: list, line: n.line}
		for i, item := range n.items {
			name := &node{text: n.names[i], line: item.line}
			rows.items = append(rows.items, &node{kind: object, line: item.line, names: append([]string{"name"}, item.names...), items: append([]*node{name}, item.items...)})
		}
		return s.list(rows)
	}
	if data >= 0 && n.all(list) && len(n.items) > 1 && rank(n.items[data]) == 1 { // a list for each column
		return s.byColumn(n)
	}
	numbers := &node{kind: list, line: n.line}
	for i, item := range n.items {
		name := n.names[i]
		switch {
		case i == data:
			s.Table = name
			if err := s.list(item); err != nil {
				return err
			}
			continue
		case item.kind == number:
			label := &node{text: name, line: item.line}
			numbers.items = append(numbers.items, &node{kind: object, line: item.line, names: []string{"label", "value"}, items: []*node{label, item}})
		case strings.EqualFold(name, "recipe") && item.kind == scalar:
			s.Recipe = item.text
			continue
		}
		s.Members = append(s.Members, Member{name, item.value()})
	}
	if data < 0 && len(numbers.items) == len(n.items) && len(n.items) > 1 { // {"Apples": 30, "Pears": 45}
		return s.list(numbers)
	}
	return nil
}

// flat is a scalar, or the scalars of an object with blanks between. A row of a chart is a label, a number with its unit, and
// a colour in brackets; over are the names of its other members.
func (n *node) flat() (said string, over []string) {
	places := [][]string{{"label", "name", "text", "title"}, {"value", "number", "amount", "count"}, {"unit", "currency"}, {"color", "colour"}}
	found, all := make([]string, len(places)), []string{n.text}
	for i, item := range n.items {
		all = append(all, item.text)
		k := slices.IndexFunc(places, func(names []string) bool {
			return i < len(n.names) && slices.Contains(names, strings.ToLower(n.names[i]))
		})
		if k >= 0 && found[k] == "" {
			found[k] = item.text
		} else if i < len(n.names) {
			over = append(over, n.names[i])
		}
	}
	if found[0] == "" || found[1] == "" {
		over = nil
	} else if all = found; found[3] != "" {
		found[3] = "[" + found[3] + "]"
	}
	return strings.Join(strings.Fields(strings.Join(all, " ")), " "), over
}

// rank says how likely a list is the data of an object.
func rank(n *node) int {
	switch {
	case n.all(object):
		return 3
	case n.all(list):
		return 2
	}
	return 1
}

// value is a value as for --set: a text as it is, others as JSON.
func (n *node) value() string {
	if n.kind == scalar || n.kind == number {
		return n.text
	}
	return recipe.Encode(n.any())
}

func (n *node) any() any {
	values, members := make([]any, len(n.items)), map[string]any{}
	for i, item := range n.items {
		values[i] = item.any()
		if n.kind == object {
			members[n.names[i]] = values[i]
		}
	}
	switch n.kind {
	case object:
		return members
	case list:
		return values
	case number:
		return json.Number(n.text)
	case scalar:
	}
	return n.text
}

// list makes the table or the texts of a list.
func (s *Set) list(n *node) error {
	switch {
	case n.all(object):
		return s.objects(n)
	case n.all(list):
		return s.lists(n)
	case n.all(number):
		rows := make([]Row, len(n.items))
		for i, item := range n.items {
			rows[i] = Row{item.line, []string{item.text}}
		}
		s.table([]string{"value"}, rows)
		return nil
	}
	for _, item := range n.items {
		if item.kind > number || n.items[0].kind > number {
			if item.kind == n.items[0].kind {
				continue
			}
			return s.bad(item.line, "give a list of objects with the same members, or a list of texts", "the items of the list are of different kinds")
		}
		if text := strings.TrimSpace(item.text); text != "" {
			s.Texts = append(s.Texts, text)
		}
	}
	return nil
}

// objects makes a table of objects. A member that is an object becomes a column for each
// of its members, and a list of scalars, or of objects with a few, is a cell with a line for each.
func (s *Set) objects(n *node) error {
	var names []string
	at := map[string]int{}
	var rows []map[int]string
	var visit func(row map[int]string, prefix string, n *node)
	visit = func(row map[int]string, prefix string, n *node) {
		for i, item := range n.items {
			name := prefix + n.names[i]
			switch {
			case item.kind == object:
				visit(row, name+".", item)
				continue
			case item.kind == list && !item.all(scalar, number) && !item.all(object):
				continue
			}
			c, ok := at[name]
			if !ok {
				c = len(names)
				names, at[name] = append(names, name), c
			}
			var lines []string
			for _, line := range item.items {
				said, over := line.flat()
				lines = append(lines, said)
				for _, name := range over {
					if note := fmt.Sprintf("In the rows of %s, %s is not shown.", s.Name, name); !slices.Contains(s.Notes, note) {
						s.Notes = append(s.Notes, note)
					}
				}
			}
			row[c] = strings.TrimSpace(item.text + strings.Join(lines, "\n"))
		}
	}
	for _, item := range n.items {
		row := map[int]string{}
		visit(row, "", item)
		rows = append(rows, row)
	}
	if len(rows)*len(names) > maxCells || len(names) > maxColumns {
		return s.bad(0, "give only the members that the video shows", "%d objects with %d members are too much", len(rows), len(names))
	}
	table := make([]Row, len(rows))
	for i, row := range rows {
		table[i] = Row{n.items[i].line, make([]string, len(names))}
		for c, cell := range row {
			table[i].Cells[c] = cell
		}
	}
	s.table(names, table)
	return nil
}

// lists makes a table of lists: [["Apples", 30], …], with or without a header.
func (s *Set) lists(n *node) error {
	rows := make([]Row, len(n.items))
	for i, item := range n.items {
		rows[i].Line = item.line
		for _, cell := range item.items {
			rows[i].Cells = append(rows[i].Cells, cell.text)
		}
	}
	return s.headed(rows, false)
}

// byColumn makes a table of an object with a list for each column.
func (s *Set) byColumn(n *node) error {
	rows := make([]Row, len(n.items[0].items))
	for c, item := range n.items {
		if len(item.items) != len(rows) {
			return s.bad(item.line, "give every column as many values", "%s has %s, and %s has %d", n.names[c], counted(len(item.items), "value"), n.names[0], len(rows))
		}
		for i, cell := range item.items {
			rows[i] = Row{cell.line, append(rows[i].Cells, cell.text)}
		}
	}
	s.table(n.names, rows)
	return nil
}
