package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// schema is the part of JSON Schema the tools use.
type schema struct {
	Type                 string      `json:"type"`
	Description          string      `json:"description,omitempty"`
	Enum                 []any       `json:"enum,omitempty"`
	Default              any         `json:"default,omitempty"`
	Minimum              *float64    `json:"minimum,omitempty"`
	ExclusiveMinimum     *float64    `json:"exclusiveMinimum,omitempty"`
	Maximum              *float64    `json:"maximum,omitempty"`
	MaxLength            int         `json:"maxLength,omitempty"`
	Pattern              string      `json:"pattern,omitempty"`
	Items                *schema     `json:"items,omitempty"`
	Properties           *properties `json:"properties,omitempty"`
	Required             []string    `json:"required,omitempty"`
	AdditionalProperties *bool       `json:"additionalProperties,omitempty"`
}

// filledPattern matches a string that is not only white space.
const filledPattern = `\S`

// property is a field of an input or output.
type property struct {
	name     string
	index    int // of the field in its struct
	required bool
	schema   schema
}

// properties keep the order of the fields: authors write the fields in that order,
// and the path should come before the content.
type properties []property

// MarshalJSON implements json.Marshaler.
func (ps properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := encode(p.schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", p.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schema is the JSON schema of a struct type with the tags of io.go, for tools that an
// author adds by itself.
func Schema[T any]() json.RawMessage { return schemaJSON(reflect.TypeFor[T]()) }

// schemaJSON is the JSON schema of a struct type of io.go.
func schemaJSON(t reflect.Type) json.RawMessage {
	b, err := encode(objectSchema(t))
	if err != nil {
		panic(fmt.Sprintf("schema of %v: %v", t, err)) // the types are all in io.go
	}
	return b
}

func objectSchema(t reflect.Type) schema {
	closed := false
	ps := propertiesOf(t)
	s := schema{Type: "object", Properties: &ps, AdditionalProperties: &closed}
	for _, p := range ps {
		if p.required {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

// propertiesOf reads the fields of a struct. An impossible tag is a mistake in
// io.go and panics; the test of the catalogue covers every type.
func propertiesOf(t reflect.Type) properties {
	ps := properties{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := property{name: name, index: i, required: options != "omitempty", schema: valueSchema(f.Type)}
		s := &p.schema
		s.Description = f.Tag.Get("desc")
		if v, ok := f.Tag.Lookup("enum"); ok {
			for word := range strings.SplitSeq(v, "|") {
				s.Enum = append(s.Enum, literal(f, word))
			}
		}
		if v, ok := f.Tag.Lookup("default"); ok {
			s.Default = literal(f, v)
		}
		s.Minimum, s.ExclusiveMinimum, s.Maximum = bound(f, "min"), bound(f, "above"), bound(f, "max")
		if n := bound(f, "maxlen"); n != nil {
			s.MaxLength = int(*n)
		}
		if f.Tag.Get("filled") == "true" {
			s.Pattern = filledPattern
		}
		ps = append(ps, p)
	}
	return ps
}

func valueSchema(t reflect.Type) schema {
	switch t.Kind() {
	case reflect.String:
		return schema{Type: "string"}
	case reflect.Bool:
		return schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return schema{Type: "integer"}
	case reflect.Float64:
		return schema{Type: "number"}
	case reflect.Slice:
		items := valueSchema(t.Elem())
		return schema{Type: "array", Items: &items}
	case reflect.Struct:
		return objectSchema(t)
	}
	panic(fmt.Sprintf("no schema for %v", t))
}

// literal reads the value of a tag as the type of its field.
func literal(f reflect.StructField, word string) any {
	switch f.Type.Kind() {
	case reflect.String:
		return word
	case reflect.Bool:
		return word == "true"
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic(fmt.Sprintf("tag of %s: %v", f.Name, err))
	}
	return n
}

func bound(f reflect.StructField, tag string) *float64 {
	word, ok := f.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic(fmt.Sprintf("tag %s of %s: %v", tag, f.Name, err))
	}
	return &n
}
