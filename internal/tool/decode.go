package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// maxInput bounds the JSON of one call. A file of maxFile bytes fits, in base64 or
// with every line escaped.
const maxInput = 2*maxFile + 1<<20

// maxProblems is how many wrong fields one error names.
const maxProblems = 5

// decode reads the input of a tool into a struct of io.go. It uses the same fields
// and tags that the schema is made from. Fields left out, and optional fields that
// are null, get their defaults. The error is INVALID_INPUT; it names each wrong
// field and what is wrong with it.
func decode[I any](tool string, raw json.RawMessage) (I, error) {
	var in I
	v := reflect.ValueOf(&in).Elem()
	ps := propertiesOf(v.Type())
	fields, problem := objectOf(raw)
	if problem != "" {
		return in, invalid(tool, ps, problem)
	}
	var problems []string
	for _, p := range ps {
		value, present := fields[p.name]
		delete(fields, p.name)
		null := bytes.Equal(value, []byte("null"))
		switch {
		case p.required && !present:
			problems = append(problems, fmt.Sprintf("field %q is missing", p.name))
			continue
		case !p.required && (!present || null):
			setDefault(v.Field(p.index), p.schema.Default)
			continue
		}
		if problem := decodeField(v.Field(p.index), value, p.schema); problem != "" {
			problems = append(problems, fmt.Sprintf("field %q %s", p.name, problem))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		problems = append(problems, unknownField(name, ps))
	}
	if len(problems) > 0 {
		return in, invalid(tool, ps, problems...)
	}
	return in, nil
}

// objectOf splits an input into its fields. An empty input counts as an empty
// object.
func objectOf(raw json.RawMessage) (fields map[string]json.RawMessage, problem string) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) > maxInput:
		return nil, fmt.Sprintf("the input is larger than %s", size(maxInput))
	case !utf8.Valid(raw):
		return nil, "the input is not UTF-8"
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		return map[string]json.RawMessage{}, ""
	case !json.Valid(raw):
		var any json.RawMessage
		return nil, fmt.Sprintf("the input is not JSON: %v", json.Unmarshal(raw, &any))
	case raw[0] != '{':
		return nil, fmt.Sprintf("the input must be an object, not %s", kindOf(raw))
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Sprintf("the input is not JSON: %v", err)
	}
	return fields, ""
}

func setDefault(field reflect.Value, value any) {
	switch v := value.(type) {
	case string:
		field.SetString(v)
	case bool:
		field.SetBool(v)
	case float64:
		if field.CanInt() {
			field.SetInt(int64(v))
		} else {
			field.SetFloat(v)
		}
	}
}

// decodeField sets one field, or says what is wrong with its value.
func decodeField(field reflect.Value, value json.RawMessage, s schema) string {
	wrongType := func() string { return fmt.Sprintf("must be %s, not %s", article(s.Type), kindOf(value)) }
	switch s.Type {
	case "boolean":
		var b bool
		if kindOf(value) != "a boolean" || json.Unmarshal(value, &b) != nil {
			return wrongType()
		}
		field.SetBool(b)
	case "string":
		var text string
		if kindOf(value) != "a string" || json.Unmarshal(value, &text) != nil {
			return wrongType()
		}
		field.SetString(text)
		return checkString(text, s)
	case "array":
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil || items == nil {
			return wrongType()
		}
		field.Set(reflect.MakeSlice(field.Type(), len(items), len(items)))
		for i, item := range items {
			if problem := decodeField(field.Index(i), item, *s.Items); problem != "" {
				return fmt.Sprintf("has item %d, which %s", i+1, problem)
			}
		}
	default: // "integer", "number": inputs have no other types
		var n float64
		if kindOf(value) != "a number" {
			return wrongType()
		}
		if err := json.Unmarshal(value, &n); err != nil {
			return "is too large a number"
		}
		if s.Type == "integer" {
			if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
				return fmt.Sprintf("must be a whole number, not %s", value)
			}
			field.SetInt(int64(n))
		} else {
			field.SetFloat(n)
		}
		return checkNumber(n, s)
	}
	return ""
}

func checkString(text string, s schema) string {
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, any(text)):
		return fmt.Sprintf("must be %s, not %q", oneOf(s.Enum), clip(text, 40))
	case s.Pattern == filledPattern && strings.TrimSpace(text) == "":
		return "is empty"
	case s.MaxLength > 0 && utf8.RuneCountInString(text) > s.MaxLength:
		return fmt.Sprintf("is longer than %d characters", s.MaxLength)
	}
	return ""
}

func checkNumber(n float64, s schema) string {
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, any(n)):
		return fmt.Sprintf("must be %s, not %v", oneOf(s.Enum), n)
	case s.Minimum != nil && n < *s.Minimum:
		return fmt.Sprintf("must be at least %v, not %v", *s.Minimum, n)
	case s.ExclusiveMinimum != nil && n <= *s.ExclusiveMinimum:
		return fmt.Sprintf("must be above %v, not %v", *s.ExclusiveMinimum, n)
	case s.Maximum != nil && n > *s.Maximum:
		return fmt.Sprintf("must be at most %v, not %v", *s.Maximum, n)
	}
	return ""
}

func unknownField(name string, ps properties) string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.name
	}
	text := fmt.Sprintf("field %q is unknown", clip(name, 40))
	if near := koda.Nearest(name, names); near != "" {
		text += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return text
}

// invalid is the INVALID_INPUT error of a tool; its hint lists the fields.
func invalid(tool string, ps properties, problems ...string) error {
	if extra := len(problems) - maxProblems; extra > 0 {
		problems = append(problems[:maxProblems:maxProblems], fmt.Sprintf("and %d more", extra))
	}
	var fields []string
	for _, p := range ps {
		name := p.name
		if !p.required {
			name += " (optional)"
		}
		fields = append(fields, name)
	}
	hint := "the tool takes no fields"
	if len(fields) > 0 {
		hint = "the fields are " + strings.Join(fields, ", ")
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: tool + ": " + strings.Join(problems, "; "), Hint: hint}
}

func kindOf(value json.RawMessage) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func article(kind string) string {
	switch kind {
	case "integer":
		return "a whole number"
	case "array":
		return "an array"
	}
	return "a " + kind
}

func oneOf(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
		if _, ok := v.(string); ok {
			words[i] = fmt.Sprintf("%q", v)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
