package recipe

import "encoding/json"

// JSONSchema is the JSON Schema (2020-12) of a recipe's parameters: of params.json, of a
// batch's row, and of --set.
func (m *Manifest) JSONSchema() json.RawMessage {
	props := []member{}
	for i := range m.Params {
		p := &m.Params[i]
		props = append(props, member{p.Name, json.RawMessage(Encode(p.schema(m.Styles)))})
	}
	return json.RawMessage(object([]member{
		{"$schema", raw("https://json-schema.org/draft/2020-12/schema")},
		{"title", raw(m.Title)}, {"description", raw(m.About)}, {"type", raw("object")},
		{"properties", json.RawMessage(object(props))}, {"additionalProperties", json.RawMessage("false")},
	}))
}

// schema is the schema of a parameter.
func (p *Param) schema(styles []Style) map[string]any {
	s := map[string]any{}
	low, high := "minimum", "maximum"
	switch p.Type {
	case Number, Integer:
		s["type"] = p.Type
	case Color:
		s["type"], s["format"] = "string", "color"
	case Choice:
		s["type"], s["enum"] = "string", p.Choices.IDs()
	case Text, File:
		s["type"] = "string"
		low, high = "minLength", "maxLength"
	case Sign:
		s["type"] = "string"
		low, high = "minLength", "maxLength"
	case Flag:
		s["type"] = "boolean"
	case Texts:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
		low, high = "minItems", "maxItems"
	case Rows:
		columns, needed := map[string]any{}, []string{}
		for _, c := range p.Columns {
			kind := "string"
			if c.Type == Number {
				kind = "number"
			}
			columns[c.Name] = map[string]any{"type": kind}
			if c.Required {
				needed = append(needed, c.Name)
			}
		}
		s["type"] = "array"
		s["items"] = map[string]any{"type": "object", "properties": columns, "required": needed, "additionalProperties": false}
		low, high = "minItems", "maxItems"
	}
	if p.Min != nil {
		s[low] = *p.Min
	}
	if p.Max != nil {
		s[high] = *p.Max
	}
	if p.Auto {
		s = map[string]any{"anyOf": []any{map[string]any{"const": Auto}, s}}
	}
	s["description"] = p.Help
	if len(styles) > 0 {
		s["default"] = p.JSON(p.Default.For(styles[0].ID))
	}
	return s
}
