package reading

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// items changes the items of a list.
func (r *Reader) items(p *recipe.Param, v recipe.Values, e Edit) []string {
	var list []json.RawMessage
	if json.Unmarshal([]byte(v[p.Name]), &list) != nil {
		return nil
	}
	w := e.list
	switch w.Kind {
	case wish.Rows:
		if i := index(p, list, w.Rows[0].Label); i >= 0 {
			list[i] = withNumber(p, list[i], w.Rows[0].Value)
		}
	case wish.Add:
		for _, s := range w.Items {
			list = append(list, item(p, s, 0))
		}
		for _, row := range w.Rows {
			list = append(list, item(p, row.Label, row.Value))
		}
	case wish.Remove:
		for _, s := range w.Items {
			if i := index(p, list, s); i >= 0 {
				list = slices.Delete(list, i, i+1)
			}
		}
	case wish.Replace:
		if i := index(p, list, w.From); i >= 0 {
			list[i] = renamed(p, list[i], w.To)
		}
	case wish.Swap:
		if i, j := index(p, list, w.From), index(p, list, w.To); i >= 0 && j >= 0 {
			list[i], list[j] = list[j], list[i]
		}
	case wish.Move:
		list = moved(p, list, w.From, w.To)
	}
	value, err := p.Parse(recipe.Encode(list), r)
	if err != nil {
		return []string{capital(err.Error()) + "."}
	}
	v[p.Name] = value
	return nil
}

func moved(p *recipe.Param, list []json.RawMessage, from, to string) []json.RawMessage {
	i := index(p, list, from)
	if i < 0 {
		return list
	}
	one := list[i]
	rest := slices.Delete(slices.Clone(list), i, i+1)
	at := 0
	switch {
	case strings.HasPrefix(to, "<"):
		at = index(p, rest, to[1:])
	case strings.HasPrefix(to, ">"):
		at = index(p, rest, to[1:]) + 1
	default:
		if at = whole(to) - 1; whole(to) < 0 {
			at = len(rest) + 1 + whole(to)
		}
	}
	return slices.Insert(rest, min(max(at, 0), len(rest)), one)
}

// labelOf is the column of the label of rows, and that of the number.
func columns(p *recipe.Param) (label, number string) {
	for _, c := range p.Columns {
		switch {
		case (c.Type == recipe.Text || c.Type == recipe.File) && label == "":
			label = c.Name
		case c.Type == recipe.Number && number == "":
			number = c.Name
		}
	}
	return label, number
}

// text is what names an item: the text itself, or the label of a row.
func text(p *recipe.Param, item json.RawMessage) string {
	var s string
	if json.Unmarshal(item, &s) == nil {
		return s
	}
	label, _ := columns(p)
	var row map[string]any
	if json.Unmarshal(item, &row) == nil {
		s, _ = row[label].(string)
	}
	return s
}

// index finds an item by what names it, or by its place, as in "#2" and "#-1".
func index(p *recipe.Param, list []json.RawMessage, said string) int {
	if nth, ok := strings.CutPrefix(said, "#"); ok {
		n := whole(nth)
		if n < 0 {
			n += len(list) + 1
		}
		if n >= 1 && n <= len(list) {
			return n - 1
		}
		return -1
	}
	return slices.IndexFunc(list, func(item json.RawMessage) bool { return strings.EqualFold(text(p, item), said) })
}

func item(p *recipe.Param, label string, number float64) json.RawMessage {
	if p.Type == recipe.Texts {
		return json.RawMessage(recipe.Encode(label))
	}
	if s := rows(p, []wish.Row{{Label: label, Value: number}}); s != "" {
		return json.RawMessage(strings.Trim(s, "[]"))
	}
	return json.RawMessage("{}")
}

func withNumber(p *recipe.Param, item json.RawMessage, number float64) json.RawMessage {
	_, column := columns(p)
	return with(item, column, recipe.Trim(number))
}

func renamed(p *recipe.Param, item json.RawMessage, to string) json.RawMessage {
	if p.Type == recipe.Texts {
		return json.RawMessage(recipe.Encode(to))
	}
	label, _ := columns(p)
	return with(item, label, recipe.Encode(to))
}

func with(item json.RawMessage, column, value string) json.RawMessage {
	var row map[string]json.RawMessage
	if json.Unmarshal(item, &row) != nil {
		return item
	}
	row[column] = json.RawMessage(value)
	return json.RawMessage(recipe.Encode(row))
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
