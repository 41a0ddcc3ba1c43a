package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/llm"
)

// Broken is a call that cannot be read.
type Broken struct {
	Tool    string // its name, as far as it is known
	Problem string // for the model
}

// attribute is a field in an opening tag.
var attribute = regexp.MustCompile(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// thoughts are what a model says to itself before its answer.
var thoughts = regexp.MustCompile(`(?s)^.*</think(ing)?>`)

// wrapped are the elements in which models write calls as JSON.
var wrapped = regexp.MustCompile(`^(tool_call|function_call|tool_use)$`)

// Parse reads the calls in a text, in their order; said is the rest of the text. Uses have no
// ids. If a call is broken, the uses are those before it.
func Parse(text string, tools []llm.Tool) (said string, uses []llm.ToolUse, broken *Broken) {
	p := parser{tools: kinds(tools)}
	text = strings.ReplaceAll(thoughts.ReplaceAllString(text, ""), "\r\n", "\n")
	if strings.HasPrefix(strings.TrimSpace(text), "<think") {
		return "", nil, nil // it never ended its thoughts
	}
	if bare := dialectMarks.ReplaceAllString(text, ""); p.called(bare) {
		broken = p.json("", []byte(bare))
		return "", p.uses, broken
	}
	text = p.elemental(text)
	if broken = p.elements(text); broken == nil && len(p.uses) == 0 {
		p.said.Reset()
		broken = p.blocks(text)
	}
	return strings.TrimSpace(p.said.String()), p.uses, broken
}

type parser struct {
	tools kindList
	uses  []llm.ToolUse
	said  strings.Builder
}

// elements reads calls that are elements.
func (p *parser) elements(text string) *Broken {
	for {
		at := p.next(text)
		if at == nil {
			return p.rest(text)
		}
		name, attributes, closed := text[at[2]:at[3]], text[at[4]:at[5]], at[6] < at[7]
		if broken := p.rest(fenceBefore.ReplaceAllString(text[:at[0]], "")); broken != nil {
			return broken
		}
		k, _ := p.tools.named(name)
		body, after := "", text[at[1]:]
		if !closed {
			end := strings.Index(after, "</"+name+">")
			if end < 0 {
				return &Broken{k.name, fmt.Sprintf("<%s> is not closed by </%s>", name, name)}
			}
			body, after = after[:end], after[end+len(name)+3:]
			if again := p.next(body); again != nil && body[again[2]:again[3]] == name {
				return &Broken{k.name, fmt.Sprintf("<%s> begins again before it was closed", name)}
			}
		}
		var broken *Broken
		if wrapped.MatchString(name) {
			broken = p.json(name, []byte(body))
		} else {
			broken = p.element(k, attributes, body)
		}
		if broken != nil {
			return broken
		}
		text = fenceAfter.ReplaceAllString(after, "")
	}
}

// next is the next opening tag of a call: places of the tag, its name, its attributes and
// its slash.
func (p *parser) next(text string) []int {
	for _, at := range opening.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if _, ok := p.tools.named(name); ok || wrapped.MatchString(name) {
			return at
		}
	}
	return nil
}

// Fences around a call say nothing.
var (
	fenceBefore = regexp.MustCompile("(?m)^[ \t]*```\\w*\\s*\\z")
	fenceAfter  = regexp.MustCompile("\\A\\s*```[ \t]*(\n|\\z)")
)

// closing is a tag that closes, alone on its line.
var closing = regexp.MustCompile(`(?m)^[ \t]*</([A-Za-z_]+)>[ \t]*$`)

// rest takes text that is between calls. A tag that closes none is a call without its
// beginning.
func (p *parser) rest(text string) *Broken {
	for _, m := range closing.FindAllStringSubmatch(text, -1) {
		if k, ok := p.tools.named(m[1]); ok {
			return &Broken{k.name, fmt.Sprintf("</%s> closes a call that was not opened at the beginning of a line", m[1])}
		}
	}
	p.said.WriteString(text)
	return nil
}

// raw is a value as JSON that keeps "<" as it is: calls are journaled, and most are code.
func raw(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) //nolint:errcheck // texts, and maps of valid JSON
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (p *parser) add(k kind, fields map[string]json.RawMessage) {
	p.uses = append(p.uses, llm.ToolUse{Name: k.name, Input: raw(fields)})
}

// element reads a call: its attributes, and the elements or the one text in it.
func (p *parser) element(k kind, attributes, body string) *Broken {
	fields := map[string]json.RawMessage{}
	for _, m := range attribute.FindAllStringSubmatch(attributes, -1) {
		if broken := k.set(fields, m[1], m[2]+m[3]); broken != nil {
			return broken
		}
	}
	if len(fields) == 0 && strings.HasPrefix(strings.TrimSpace(body), "{") && k.takes([]byte(body), fields) {
		p.add(k, fields)
		return nil
	}
	if _, ok := k.begins(body); !ok && strings.TrimSpace(body) != "" {
		name, ok := k.only(fields)
		if !ok {
			return &Broken{k.name, fmt.Sprintf("in <%s> a field must come, such as <%s>", k.name, k.example())}
		}
		if broken := k.set(fields, name, body); broken != nil {
			return broken
		}
		body = ""
	}
	for strings.TrimSpace(body) != "" {
		name, ok := k.begins(body)
		if !ok {
			return &Broken{k.name, fmt.Sprintf("in <%s> there is text outside of its fields: %.60q", k.name, strings.TrimSpace(body))}
		}
		_, body, _ = strings.Cut(body, "<"+name+">")
		value, after, ok := k.cut(body, name)
		if !ok {
			problem := fmt.Sprintf("<%s> is not closed by </%s>", name, name)
			if _, more, closed := strings.Cut(body, "</"+name+">"); closed {
				problem = fmt.Sprintf("after </%s> comes what is no field of %s: %.60q", name, k.name, strings.TrimSpace(more))
			}
			return &Broken{k.name, problem}
		}
		if broken := k.set(fields, name, value); broken != nil {
			return broken
		}
		body = after
	}
	p.add(k, fields)
	return nil
}

var tag = regexp.MustCompile(`^\s*<([A-Za-z_]+)>`)

// begins reports whether a text begins with a field, and with which.
func (k kind) begins(body string) (name string, ok bool) {
	if m := tag.FindStringSubmatch(body); m != nil {
		_, ok = k.field(m[1])
		return m[1], ok
	}
	return "", false
}

// cut cuts a body after the value of a field: at the first closing tag that another
// field or the end follows, because the value may have such tags.
func (k kind) cut(body, name string) (value, after string, ok bool) {
	end := "</" + name + ">"
	for from := 0; ; {
		i := strings.Index(body[from:], end)
		if i < 0 {
			return "", "", false
		}
		value, after = body[:from+i], body[from+i+len(end):]
		if _, field := k.begins(after); field || strings.TrimSpace(after) == "" {
			return value, after, true
		}
		from += i + len(end)
	}
}

// only is the field that a call without elements means: the last that it must have and
// has not.
func (k kind) only(fields map[string]json.RawMessage) (name string, ok bool) {
	for _, f := range k.fields {
		if _, has := fields[f.name]; !has && f.required {
			if ok && len(fields) == 0 {
				return "", false // which of two?
			}
			name, ok = f.name, f.text()
		}
	}
	return name, ok
}

func (k kind) example() string {
	if len(k.fields) == 0 {
		return "none"
	}
	return k.fields[0].name
}

// set sets a field to a value as it was written. A text on lines of its own begins after the
// tag's line.
func (k kind) set(fields map[string]json.RawMessage, name, value string) *Broken {
	f, ok := k.field(name)
	if !ok {
		return &Broken{k.name, fmt.Sprintf("%s has no field %q", k.name, name)}
	}
	if _, twice := fields[f.name]; twice {
		return &Broken{k.name, fmt.Sprintf("%s has the field %q twice", k.name, f.name)}
	}
	if !f.text() {
		value = strings.TrimSpace(value)
		if !json.Valid([]byte(value)) {
			return &Broken{k.name, fmt.Sprintf("the field %q is not valid JSON of type %s", f.name, f.told.Type)}
		}
		fields[f.name] = json.RawMessage(value)
		return nil
	}
	if inner, ok := strings.CutPrefix(strings.TrimSpace(value), "<![CDATA["); ok && strings.HasSuffix(inner, "]]>") {
		value = strings.TrimSuffix(inner, "]]>")
	}
	if lines, ok := strings.CutPrefix(strings.TrimLeft(value, " \t"), "\n"); ok {
		value = lines
		// The indentation of the closing tag is none of the value's.
		if last := strings.LastIndex(value, "\n"); last >= 0 && strings.TrimSpace(value[last:]) == "" {
			value = value[:last+1]
		}
	}
	if f.told.Pattern != "" || f.told.Enum != nil {
		value = strings.TrimSpace(value)
	}
	fields[f.name] = raw(value)
	return nil
}

// takes reads a JSON object of which every field is one of the tool's.
func (k kind) takes(body []byte, into map[string]json.RawMessage) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || len(fields) == 0 {
		return false
	}
	for name := range fields {
		if _, ok := k.field(name); !ok {
			return false
		}
	}
	for name, value := range fields {
		f, _ := k.field(name)
		into[f.name] = value
	}
	return true
}

// json reads calls as JSON.
func (p *parser) json(name string, body []byte) *Broken {
	calls := callsIn(body)
	if len(calls) == 0 {
		return &Broken{name, "the call is no valid JSON with name and arguments"}
	}
	for _, c := range calls {
		k, ok := p.tools.named(c.Name + c.Tool)
		if !ok {
			return &Broken{c.Name + c.Tool, "there is no such tool"}
		}
		fields := map[string]json.RawMessage{}
		for _, args := range []json.RawMessage{c.Arguments, c.Input, c.Parameters, c.Args} {
			var text string
			if json.Unmarshal(args, &text) == nil {
				args = json.RawMessage(text)
			}
			var given map[string]json.RawMessage
			if len(args) > 0 && json.Unmarshal(args, &given) != nil {
				return &Broken{k.name, "the arguments are no JSON object"}
			}
			for name, value := range given {
				if f, ok := k.field(name); ok {
					name = f.name
				}
				fields[name] = value
			}
		}
		p.add(k, fields)
	}
	return nil
}
