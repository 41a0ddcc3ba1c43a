package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/llm"
)

// kind is a tool as the form needs it.
type kind struct {
	name, about string
	fields      []field
}

type field struct {
	name     string
	schema   json.RawMessage
	required bool
	told     struct {
		Type        string            `json:"type"`
		Description string            `json:"description"`
		Enum        []json.RawMessage `json:"enum"`
		Pattern     string            `json:"pattern"`
	}
}

func (f field) text() bool { return f.told.Type == "string" }

type kindList []kind

// kinds reads the schemas of tools. A schema that cannot be read has no fields.
func kinds(tools []llm.Tool) kindList {
	var all kindList
	for _, t := range tools {
		k := kind{name: t.Name, about: t.Description}
		var s struct {
			Properties json.RawMessage `json:"properties"`
			Required   []string        `json:"required"`
		}
		_ = json.Unmarshal(t.Input, &s) //nolint:errcheck // see above
		for _, f := range ordered(s.Properties) {
			_ = json.Unmarshal(f.schema, &f.told) //nolint:errcheck // see above
			f.required = slices.Contains(s.Required, f.name)
			k.fields = append(k.fields, f)
		}
		all = append(all, k)
	}
	return all
}

// ordered are the fields of a JSON object in their order.
func ordered(object json.RawMessage) []field {
	var all []field
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		f := field{}
		if err != nil || dec.Decode(&f.schema) != nil {
			return all
		}
		f.name, _ = name.(string)
		all = append(all, f)
	}
	return all
}

// Names that models give to tools and fields, beside their own.
var (
	otherTools  = map[string]string{"finish_build": "finish", "patch_file": "edit_file", "patch": "edit_file", "replace_in_file": "edit_file", "write_to_file": "sandbox_write_file"}
	otherFields = map[string]string{
		"search": "old_string", "replace": "new_string", "old_str": "old_string", "new_str": "new_string",
		"file": "path", "file_path": "path", "filename": "path",
	}
)

// named finds the tool that a model means: by its name, without the first word of its name
// (write_file is sandbox_write_file), or by another name.
func (all kindList) named(name string) (kind, bool) {
	name = strings.ToLower(name)
	for _, is := range []func(string) bool{
		func(n string) bool { return n == name },
		func(n string) bool { return n == "sandbox_"+name },
		func(n string) bool { return n == otherTools[name] },
	} {
		if i := slices.IndexFunc(all, func(k kind) bool { return is(k.name) }); i >= 0 {
			return all[i], true
		}
	}
	return kind{}, false
}

// field finds the field that a model means.
func (k kind) field(name string) (field, bool) {
	for _, n := range []string{name, otherFields[name]} {
		if i := slices.IndexFunc(k.fields, func(f field) bool { return f.name == n }); i >= 0 {
			return k.fields[i], true
		}
	}
	return field{}, false
}

// opening is the tag that opens a call, at the beginning of a line.
var opening = regexp.MustCompile(`(?m)^[ \t]*<([A-Za-z_]+)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(/?)>`)

// opens reports whether a line opens a call, and of which tool.
func opens(tools kindList, line string) (kind, bool) {
	if m := opening.FindStringSubmatch(line); m != nil {
		return tools.named(m[1])
	}
	return kind{}, false
}

// tell tells the tools in the form.
func (all kindList) tell() string {
	var b strings.Builder
	for _, k := range all {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n<%s>\n", k.name, k.about, k.name)
		for _, f := range k.fields {
			about := strings.TrimSpace(f.told.Description)
			var values []string
			for _, v := range f.told.Enum {
				values = append(values, strings.Trim(string(v), `"`))
			}
			if values != nil {
				about = strings.TrimSpace(about + " One of: " + strings.Join(values, ", ") + ".")
			}
			if f.told.Type == "array" || f.told.Type == "object" {
				about = "JSON of this schema: " + string(f.schema)
			} else if !f.text() {
				about = strings.TrimSpace("(" + f.told.Type + ") " + about)
			}
			if !f.required {
				about += " May be left out."
			}
			fmt.Fprintf(&b, "<%s>%s</%s>\n", f.name, strings.TrimSpace(about), f.name)
		}
		fmt.Fprintf(&b, "</%s>\n\n", k.name)
	}
	return strings.TrimSpace(b.String())
}

// written writes the calls and the results of a conversation as text.
func (all kindList) written(messages []llm.Message) []llm.Message {
	out := make([]llm.Message, len(messages))
	names := map[string]string{} // of the tools, by the id of the call
	for i, msg := range messages {
		out[i].Role = msg.Role
		for _, p := range msg.Parts {
			switch {
			case p.Use != nil:
				names[p.Use.ID] = p.Use.Name
				if text := all.write(*p.Use); text != "" {
					out[i].Parts = append(out[i].Parts, llm.Part{Text: text})
				}
			case p.Result != nil:
				what := "Result of "
				if p.Result.Failed {
					what = "FAILED: "
				}
				out[i].Parts = append(append(out[i].Parts, llm.Part{Text: what + names[p.Result.ID]}), p.Result.Parts...)
			default:
				out[i].Parts = append(out[i].Parts, p)
			}
		}
		if len(out[i].Parts) == 0 {
			out[i].Parts = []llm.Part{{Text: "(nothing)"}}
		}
	}
	return out
}

// write writes a call in the form. A call that was broken is in the text beside it.
func (all kindList) write(u llm.ToolUse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<%s>\n", u.Name)
	k, _ := all.named(u.Name)
	place := func(f field) int { return slices.IndexFunc(k.fields, func(g field) bool { return g.name == f.name }) }
	fields := ordered(u.Input)
	slices.SortStableFunc(fields, func(f, g field) int { return place(f) - place(g) })
	for _, f := range fields {
		if f.name == llm.NotForm {
			return ""
		}
		value := string(f.schema)
		if json.Unmarshal(f.schema, &value) == nil && strings.Contains(value, "\n") {
			value = "\n" + value
		}
		fmt.Fprintf(&b, "<%s>%s</%s>\n", f.name, value, f.name)
	}
	fmt.Fprintf(&b, "</%s>", u.Name)
	return b.String()
}
