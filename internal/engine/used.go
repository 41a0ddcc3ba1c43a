package engine

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// mostDetail is how much of a call is shown, in bytes.
const mostDetail = 8 << 10

// showUse shows a call of a tool to who looks on. What the tools about todos and
// messages do is shown by events of their own.
func (r *run) showUse(c call, o callOutcome) {
	switch c.Name {
	case tool.NameUpdateTodo, tool.NameAddMessage:
		return
	}
	used := usedTool(c.Name, c.Input, o.output)
	if o.err != nil {
		used.Error = koda.Sentence(o.err)
	}
	r.pass(koda.EventTool, used)
}

// usedTool says what a call was about, by the fields that tools have in common.
func usedTool(name string, input, output json.RawMessage) koda.ToolUsed {
	var in struct {
		Path    string `json:"path"`
		Command string `json:"command"`
		Content string `json:"content"`
		Old     string `json:"old_string"`
		New     string `json:"new_string"`
	}
	var out struct {
		Content string `json:"content"`
		Stdout  string `json:"stdout"`
		Stderr  string `json:"stderr"`
	}
	_ = json.Unmarshal(input, &in)   //nolint:errcheck // a call of another shape is shown by its name
	_ = json.Unmarshal(output, &out) //nolint:errcheck // likewise
	used := koda.ToolUsed{Tool: name, About: cmp.Or(in.Path, in.Command)}
	switch {
	case in.Old != "":
		used.Detail = marked("- ", in.Old) + marked("+ ", in.New)
	default:
		used.Detail = cmp.Or(in.Content, out.Stdout+out.Stderr, out.Content)
	}
	if len(used.Detail) > mostDetail {
		cut := mostDetail
		for !utf8.RuneStart(used.Detail[cut]) {
			cut--
		}
		used.Detail = used.Detail[:cut] + "…"
	}
	if !utf8.ValidString(used.Detail) {
		used.Detail = ""
	}
	return used
}

// marked puts a mark before each line of a text.
func marked(mark, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}
