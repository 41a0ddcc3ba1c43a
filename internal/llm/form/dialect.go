package form

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// Models that were trained to write calls in another form fall back into it. A server that
// knows the form turns these calls into native ones; one that does not passes them as text.
//
//	<invoke name="finish"><parameter name="summary">Done.</parameter></invoke>
//	<function=finish><parameter=summary>Done.</parameter></function>
//	<function=finish>{"summary": "Done."}</function>
//	[TOOL_CALLS][{"name": "finish", "arguments": {"summary": "Done."}}]
//	<|python_tag|>{"name": "finish", "parameters": {"summary": "Done."}}
var (
	dialectTag = regexp.MustCompile(`<(?:\w+:)?(?:invoke\s+name="|function=)(?P<call>\w+)"?\s*>|<(?:\w+:)?parameter(?:\s+name="|=)(?P<field>\w+)"?[^>\n]*>|` +
		`(?P<end></(?:\w+:)?(?:invoke|function)>)|(?P<value></(?:\w+:)?parameter>)|(?P<around></?(?:\w+:)?(?:function_calls|tool_call)>)`)
	dialectOpens = regexp.MustCompile(`^\s*(<(?:\w+:)?(?:invoke\s+name="|function=|function_calls>|tool_call>)|\[TOOL_CALLS\]|<\|python_tag\|>)`)
	dialectMarks = regexp.MustCompile(`^(?:\s|\[TOOL_CALLS\]|<\|\w+\|>)+|(?:\s|<\|\w+\|>|</s>)+$`)
)

// elemental writes the calls of other forms as elements. What it writes is as broken as what it
// reads: a call that is not closed stays open.
func (p *parser) elemental(text string) string {
	var b strings.Builder
	call, field, from, found := "", "", 0, false
	for _, at := range dialectTag.FindAllStringSubmatchIndex(text, -1) {
		part := func(name string) string {
			if i := 2 * dialectTag.SubexpIndex(name); at[i] >= 0 {
				return text[at[i]:at[i+1]]
			}
			return ""
		}
		tag := text[at[0]:at[1]]
		_, known := p.tools.named(part("call"))
		switch {
		case field != "" && part("value") == "":
			continue // it is part of the value
		case field != "":
			tag, field = "</"+field+">\n", ""
		case part("call") != "" && known:
			call, found = part("call"), true
			tag = "\n<" + call + ">\n"
		case call != "" && part("field") != "":
			field = part("field")
			tag = "<" + field + ">"
		case call != "" && part("end") != "":
			tag, call = "\n</"+call+">\n", ""
		case part("around") != "":
			tag = ""
		}
		b.WriteString(text[from:at[0]] + tag)
		from = at[1]
	}
	if !found {
		return text
	}
	return b.String() + text[from:]
}

// call is a call as JSON.
type call struct {
	Name, Tool                         string
	Function                           json.RawMessage // its name, or all of it
	Arguments, Input, Parameters, Args json.RawMessage
}

// callsIn are the calls that a text is: {"name": …, "arguments": {…}}, or a list of such.
func callsIn(body []byte) (calls []call) {
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("[")) {
		body = append(append([]byte("["), body...), ']')
	}
	if json.Unmarshal(body, &calls) != nil {
		return nil
	}
	for i := range calls {
		c := &calls[i]
		if f := c.Function; len(f) > 0 && json.Unmarshal(f, &c.Tool) != nil && json.Unmarshal(f, c) != nil {
			return nil
		}
	}
	return calls
}

// called reports whether a text is nothing but calls of tools.
func (p *parser) called(body string) bool {
	calls := callsIn([]byte(body))
	for _, c := range calls {
		if _, ok := p.tools.named(c.Name + c.Tool); !ok || len(c.Arguments)+len(c.Input)+len(c.Parameters)+len(c.Args) == 0 {
			return false
		}
	}
	return len(calls) > 0
}
