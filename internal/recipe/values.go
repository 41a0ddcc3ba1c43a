package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/koda-video/koda/internal/koda"
)

// Auto leaves the choice of a value to the recipe.
const Auto = "auto"

// maxText is the number of characters of a text whose manifest sets no limit, and
// maxItems the number of items of such a list.
const (
	maxText  = 2000
	maxItems = 2000
)

// Values are the parameters of a project in canonical form, by name. Values of single
// scenes are named scene2.background.
type Values map[string]string

// Colours turns a colour as people write it into #rrggbb.
type Colours interface {
	Colour(said string) (hex string, ok bool)
	// Names are the names that there are, for hints.
	Names() []string
}

// Signs turns names of things as people write them, with commas between, into the names of their pictures.
type Signs interface {
	// Sign returns the first name that it does not know if ok is false.
	Sign(said string) (names string, ok bool)
	SignNames() []string
}

// Defaults are the values of a recipe in a style.
func (m *Manifest) Defaults(style string) Values {
	v := Values{}
	for i := range m.Params {
		v[m.Params[i].Name] = m.Params[i].Default.For(style)
	}
	v["style"] = style
	return v
}

// Restyle moves values to another style: values that were the old style's default
// become the new style's, values that were asked for stay.
func (m *Manifest) Restyle(v Values, style string) Values {
	next := maps.Clone(v)
	before, after := m.Defaults(v["style"]), m.Defaults(style)
	for name, value := range before {
		if v[name] == value {
			next[name] = after[name]
		}
	}
	next["style"] = style
	return next
}

// Range says which values a parameter takes, for people: "0.1 to 1", "auto or a colour".
func (p *Param) Range() string {
	span := ""
	switch {
	case p.Min != nil && p.Max != nil:
		span = Trim(*p.Min) + " to " + Trim(*p.Max)
	case p.Min != nil:
		span = Trim(*p.Min) + " or more"
	case p.Max != nil:
		span = "up to " + Trim(*p.Max)
	default:
		span = "any number"
	}
	what := ""
	switch p.Type {
	case Number, Integer:
		what = span
	case Color:
		what = "a colour name or #rrggbb"
	case Choice:
		return strings.Join(p.withAuto(p.Choices.IDs()), ", ")
	case Text:
		return "text"
	case Texts:
		what = `a list of texts like ["one", "two"]`
	case Rows:
		what = "rows like " + p.exampleRow()
	case File:
		what = "the path of a file in the project"
	case Flag:
		what = "true or false"
	case Sign:
		what = "names of things, such as heart or coffee"
	}
	if p.Auto {
		return "auto or " + what
	}
	return what
}

func (p *Param) withAuto(ids []string) []string {
	if p.Auto && !slices.Contains(ids, Auto) {
		return append([]string{Auto}, ids...)
	}
	return ids
}

func (p *Param) exampleRow() string {
	var b strings.Builder
	for i, c := range p.Columns {
		if i > 0 {
			b.WriteString(", ")
		}
		example := `"` + c.Name + `"`
		if c.Type == Number {
			example = "12"
		}
		fmt.Fprintf(&b, "%q: %s", c.Name, example)
	}
	return "[{" + b.String() + "}]"
}

// Parse returns the canonical form of a value as people write it, or says what is wrong
// with the value.
func (p *Param) Parse(s string, colours Colours) (string, error) {
	s = strings.TrimSpace(s)
	if p.Auto && strings.EqualFold(s, Auto) {
		return Auto, nil
	}
	switch p.Type {
	case Color:
		if hex, ok := colours.Colour(s); ok {
			return hex, nil
		}
		return "", p.near(s, colours.Names())
	case Choice:
		for _, id := range p.Choices.IDs() {
			if strings.EqualFold(id, s) {
				return id, nil
			}
		}
		return "", p.near(s, p.Choices.IDs())
	case Text:
		return p.code(s)
	case Texts, Rows:
		if p.Type == Texts && !strings.HasPrefix(s, "[") {
			return p.list([]json.RawMessage{raw(s)}, colours)
		}
		var items []json.RawMessage
		if err := json.Unmarshal([]byte(s), &items); err != nil {
			return "", p.bad(s)
		}
		return p.list(items, colours)
	case File:
		return s, nil
	case Sign:
		known, ok := colours.(Signs)
		if s == "" || !ok {
			return s, nil
		}
		names, ok := known.Sign(s)
		if !ok {
			return "", p.near(names, known.SignNames())
		}
		return names, nil
	case Flag:
		switch strings.ToLower(s) {
		case "true", "yes", "on", "1":
			return "true", nil
		case "false", "no", "off", "0":
			return "false", nil
		}
		return "", p.bad(s)
	case Number, Integer:
	}
	return p.number(s)
}

// Read is Parse of a JSON value.
func (p *Param) Read(value json.RawMessage, colours Colours) (string, error) {
	if bytes.Equal(value, []byte("null")) {
		return "", p.bad("null")
	}
	if p.Type == Text && !bytes.HasPrefix(value, []byte(`"`)) && (len(value) == 0 || !strings.ContainsRune("-0123456789", rune(value[0]))) {
		return "", p.bad(string(value))
	}
	return p.Parse(literal(value), colours)
}

// JSON is the form of a canonical value in params.json and for the score.
func (p *Param) JSON(value string) json.RawMessage {
	if value == Auto && p.Auto {
		return raw(value)
	}
	switch p.Type {
	case Number, Integer, Texts, Rows, Flag:
		if value == "" {
			return raw("")
		}
		return json.RawMessage(value)
	case Color, Choice, Text, File, Sign:
	}
	return raw(value)
}

func (p *Param) bad(s string) error {
	if utf8.RuneCountInString(s) > 40 {
		s = string([]rune(s)[:39]) + "…"
	}
	return fmt.Errorf("%s cannot be %q: it takes %s", p.Name, s, p.Range())
}

func (p *Param) near(s string, names []string) error {
	if near := koda.Nearest(strings.ToLower(s), names); near != "" {
		return fmt.Errorf("%w; did you mean %s?", p.bad(s), near)
	}
	return p.bad(s)
}

// code is a text, which is a language tag or a currency code where the parameter takes one.
func (p *Param) code(s string) (string, error) {
	switch {
	case s == "":
	case slices.Contains(p.Takes, "locale"):
		if _, err := language.Parse(s); err != nil {
			return "", fmt.Errorf("%s cannot be %q: it takes a language tag such as de-DE", p.Name, s)
		}
	case slices.Contains(p.Takes, "currency") && !currencyCode.MatchString(s):
		return "", fmt.Errorf("%s cannot be %q: it takes a code of three letters such as EUR", p.Name, s)
	}
	return p.text(s)
}

// currencyCode is a code as ISO 4217 has them.
var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

func (p *Param) text(s string) (string, error) {
	s = strings.Map(func(r rune) rune { // no font draws control characters
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	if n, most := utf8.RuneCountInString(s), p.limit(maxText); n > most {
		return "", fmt.Errorf("%s has %d characters: it takes at most %d", p.Name, n, most)
	}
	return s, nil
}

func (p *Param) limit(usual int) int {
	if p.Max != nil {
		return int(*p.Max)
	}
	return usual
}

func (p *Param) number(s string) (string, error) {
	percent := strings.HasSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
	if percent && p.Unit != "%" {
		v /= 100
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || p.Min != nil && v < *p.Min || p.Max != nil && v > *p.Max || p.Type == Integer && v != math.Trunc(v) {
		return "", p.bad(s)
	}
	return Trim(math.Round(v*1000) / 1000), nil
}

// list is the canonical form of the items of a list.
func (p *Param) list(items []json.RawMessage, colours Colours) (string, error) {
	if most := p.limit(maxItems); len(items) > most {
		return "", fmt.Errorf("%s has %d items: it takes at most %d", p.Name, len(items), most)
	}
	if p.Min != nil && len(items) < int(*p.Min) {
		return "", fmt.Errorf("%s has %d items: it takes at least %s", p.Name, len(items), Trim(*p.Min))
	}
	for i, item := range items {
		if p.Type == Texts {
			one := Param{Name: fmt.Sprintf("%s, item %d,", p.Name, i+1), Type: Text}
			s, err := one.text(literal(item))
			if err != nil {
				return "", err
			}
			items[i] = raw(s)
			continue
		}
		var err error
		if items[i], err = p.row(item, colours); err != nil {
			return "", fmt.Errorf("%s, row %d: %w", p.Name, i+1, err)
		}
	}
	if items == nil {
		return "[]", nil
	}
	return Encode(items), nil
}

// row is the canonical form of a row: its columns in the manifest's order. Columns that
// the manifest does not have are an error that names the nearest.
func (p *Param) row(item json.RawMessage, colours Colours) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil {
		return nil, fmt.Errorf("a row is written %s", strings.Trim(p.exampleRow(), "[]"))
	}
	var names []string
	var b bytes.Buffer
	b.WriteByte('{')
	for _, c := range p.Columns {
		names = append(names, c.Name)
		v, ok := fields[c.Name]
		if !ok || string(v) == "null" {
			if c.Required {
				return nil, fmt.Errorf("it has no %s", c.Name)
			}
			continue
		}
		delete(fields, c.Name)
		text := literal(v)
		switch c.Type {
		case Number:
			n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
				return nil, fmt.Errorf("%s is %q, which is not a number", c.Name, text)
			}
			v = json.RawMessage(Trim(n))
		case Color:
			one := Param{Name: c.Name, Type: Color}
			hex, err := one.Parse(text, colours)
			if err != nil {
				return nil, err
			}
			v = raw(hex)
		case Text, File, Integer, Choice, Texts, Rows, Flag, Sign:
			v = raw(text)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(raw(c.Name))
		b.WriteByte(':')
		b.Write(v)
	}
	for name := range fields {
		if near := koda.Nearest(name, names); near != "" {
			return nil, fmt.Errorf("there is no column %q; did you mean %s?", name, near)
		}
		return nil, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(names, ", "))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Files are rows with other names for their files: what a function says of each.
func (p *Param) Files(rows string, colours Colours, named func(name string) string) string {
	var columns []string
	for _, c := range p.Columns {
		if c.Type == File {
			columns = append(columns, c.Name)
		}
	}
	var items []json.RawMessage
	if len(columns) == 0 || json.Unmarshal([]byte(rows), &items) != nil {
		return rows
	}
	for i, item := range items {
		var fields map[string]json.RawMessage
		if json.Unmarshal(item, &fields) != nil {
			continue
		}
		for _, c := range columns {
			if name := literal(fields[c]); name != "" {
				fields[c] = raw(named(name))
			}
		}
		if row, err := p.row(json.RawMessage(Encode(fields)), colours); err == nil {
			items[i] = row
		}
	}
	return Encode(items)
}

// Trim is a number in its shortest form.
func Trim(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func raw(s string) json.RawMessage { return json.RawMessage(Encode(s)) }

// Encode is the JSON of v on a line, with <, > and & as they are. V holds nothing that
// JSON cannot express.
func Encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("recipe: encode JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
