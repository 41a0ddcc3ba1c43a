package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/service"
)

// opaque is an opaque part of this adapter: fields that go back in the message.
type opaque struct {
	Fields map[string]json.RawMessage `json:"openai"`
}

// answer is an answer that comes.
type answer struct {
	show  func(koda.TextDelta)
	turn  int // messages of the request; makes ids unique
	model string
	tools []llm.Tool

	text    strings.Builder
	refused bool
	thought map[string]*strings.Builder // texts of thoughts, by the field they came in
	details []map[string]any            // thoughts as OpenRouter sends them
	uses    []*use
	reason  string
	usage   llm.Usage
}

// use is a tool use that comes.
type use struct {
	index    int64
	id, name string
	input    strings.Builder
}

// take takes the next chunk.
func (a *answer) take(c sdk.ChatCompletionChunk) error {
	a.model = cmp.Or(c.Model, a.model)
	if c.JSON.Usage.Valid() {
		a.usage = usageOf(c.Usage)
	}
	for _, choice := range c.Choices {
		if choice.Index > 0 {
			continue // nobody asked for it
		}
		d := choice.Delta
		// A whole message is an answer in one piece, unless it repeats what was streamed.
		if m := choice.JSON.ExtraFields["message"].Raw(); m != "" && a.text.Len()+len(a.uses) == 0 && json.Unmarshal([]byte(m), &d) != nil {
			return errNoCompletion
		}
		for name, field := range d.JSON.ExtraFields {
			a.think(name, []byte(field.Raw()))
		}
		if raw := d.JSON.Content.Raw(); strings.HasPrefix(raw, "[") {
			d.Content = a.parts([]byte(raw))
		}
		a.refused = a.refused || d.Refusal != ""
		if text := d.Content + d.Refusal; text != "" {
			a.text.WriteString(text)
			a.show(koda.TextDelta{Text: text})
		}
		for _, call := range d.ToolCalls {
			a.call(call)
		}
		if f := d.FunctionCall; f.Name+f.Arguments != "" { //nolint:staticcheck // the form before tools, which some servers still send
			a.call(sdk.ChatCompletionChunkChoiceDeltaToolCall{Function: sdk.ChatCompletionChunkChoiceDeltaToolCallFunction{Name: f.Name, Arguments: f.Arguments}})
		}
		a.reason = cmp.Or(choice.FinishReason, a.reason)
		if a.reason == "error" { // OpenRouter's, if it does not say more
			return &service.Failure{Status: http.StatusOK, Message: "the model behind it failed"}
		}
	}
	return nil
}

// parts is the text of a content in parts. Parts that are thoughts pass, and do not go back.
func (a *answer) parts(raw []byte) (text string) {
	var parts []struct {
		Text     string
		Thinking json.RawMessage // a text, or parts again
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
		var thought string
		if json.Unmarshal(p.Thinking, &thought) != nil && len(p.Thinking) > 0 {
			thought = a.parts(p.Thinking)
		}
		if thought != "" {
			a.show(koda.TextDelta{Thinking: thought})
		}
	}
	return text
}

// think takes a field that may hold thoughts.
func (a *answer) think(name string, raw []byte) {
	switch name {
	case "reasoning", "reasoning_content":
		var text string
		if json.Unmarshal(raw, &text) != nil || text == "" {
			return
		}
		if a.thought == nil {
			a.thought = map[string]*strings.Builder{}
		}
		if a.thought[name] == nil {
			a.thought[name] = &strings.Builder{}
		}
		a.thought[name].WriteString(text)
		if len(a.thought) == 1 { // a server that has both fields says the same in both
			a.show(koda.TextDelta{Thinking: text})
		}
	case "reasoning_details":
		var pieces []map[string]any
		if json.Unmarshal(raw, &pieces) == nil {
			for _, p := range pieces {
				a.detail(p)
			}
		}
	}
}

// detail puts a piece of a thought to its thought: texts grow, all else is set.
func (a *answer) detail(piece map[string]any) {
	k := slices.IndexFunc(a.details, func(d map[string]any) bool {
		return piece["index"] != nil && d["index"] == piece["index"] && d["type"] == piece["type"]
	})
	if k < 0 {
		a.details = append(a.details, piece)
		return
	}
	for name, v := range piece {
		old, grows := a.details[k][name].(string)
		if more, ok := v.(string); ok && grows && slices.Contains([]string{"text", "summary", "data"}, name) {
			v = old + more
		}
		if v != nil {
			a.details[k][name] = v
		}
	}
}

// named is the tool that a name means: some models write functions.NAME.
func (a *answer) named(name string) string {
	is := func(name string) bool {
		return slices.ContainsFunc(a.tools, func(t llm.Tool) bool { return t.Name == name })
	}
	if short := name[strings.LastIndexAny(name, ".:/")+1:]; !is(name) && is(short) {
		return short
	}
	return name
}

// call takes a piece of a tool use.
func (a *answer) call(piece sdk.ChatCompletionChunkChoiceDeltaToolCall) {
	name, input := a.named(piece.Function.Name), piece.Function.Arguments
	if raw := piece.Function.JSON.Arguments.Raw(); strings.HasPrefix(raw, "{") {
		input = raw
	}
	k := slices.IndexFunc(a.uses, func(u *use) bool { return u.index == piece.Index })
	if n := len(a.uses); n > 0 && !piece.JSON.Index.Valid() { // it goes on, unless it says who it is
		k = n - 1
		if name != "" && (piece.ID == "" || piece.ID != a.uses[k].id) {
			k = -1
		}
	}
	// The same index again, for another use: the server counts none.
	if k >= 0 && piece.ID != "" && a.uses[k].id != "" && piece.ID != a.uses[k].id && name != "" {
		k = -1
	}
	if k < 0 {
		if name == "" && input == "" && piece.ID == "" {
			return // an empty use is none
		}
		a.uses, k = append(a.uses, &use{index: piece.Index}), len(a.uses)
		if !piece.JSON.Index.Valid() {
			a.uses[k].index = int64(k)
		}
	}
	u := a.uses[k]
	u.id = cmp.Or(u.id, piece.ID)
	if u.name == "" && name != "" {
		u.name = name
		a.show(koda.TextDelta{Tool: name})
	}
	u.input.WriteString(input)
}

func usageOf(u sdk.CompletionUsage) llm.Usage {
	read, write := u.PromptTokensDetails.CachedTokens, u.PromptTokensDetails.CacheWriteTokens
	got := llm.Usage{Input: max(0, u.PromptTokens-read-write), CacheRead: max(0, read), CacheWrite: max(0, write), Output: max(0, u.CompletionTokens)}
	if cost, ok := u.JSON.ExtraFields["cost"]; ok && json.Unmarshal([]byte(cost.Raw()), &got.USD) != nil {
		got.USD = 0
	}
	got.USD = max(0, got.USD)
	return got
}

// spent is the response of a try that failed.
func (a *answer) spent() llm.Response { return llm.Response{Usage: a.usage} }

// stops are the reasons to stop, also as gateways to other services have them. A reason
// that is not here is an answer that ends.
var stops = map[string]llm.Stop{
	"length": llm.StopLength, "max_tokens": llm.StopLength, "max_output_tokens": llm.StopLength, "model_length": llm.StopLength,
	"content_filter": llm.StopRefused, "safety": llm.StopRefused, "refusal": llm.StopRefused, "recitation": llm.StopRefused, "prohibited_content": llm.StopRefused,
}

// response is the whole answer.
func (a *answer) response() (llm.Response, error) {
	resp := a.spent()
	resp.Model, resp.Stop = a.model, llm.StopEnd
	if stop, ok := stops[strings.ToLower(a.reason)]; ok {
		resp.Stop = stop
	} else if a.refused {
		resp.Stop = llm.StopRefused
	}
	kept, err := a.kept()
	if err != nil {
		return a.spent(), err
	}
	if kept != nil {
		resp.Parts = append(resp.Parts, llm.Part{Opaque: kept})
	}
	if a.text.Len() > 0 {
		resp.Parts = append(resp.Parts, llm.Part{Text: a.text.String()})
	}
	uses := slices.DeleteFunc(a.uses, func(u *use) bool { return u.name == "" })
	if n := len(uses); n > 0 && resp.Stop != llm.StopEnd {
		uses = uses[:n-1] // cut off
	} else if n > 0 {
		resp.Stop = llm.StopTools
	}
	ids := map[string]bool{"": true}
	for i, u := range uses {
		id := u.id
		if ids[id] {
			id = fmt.Sprintf("call-%d-%d", a.turn, i+1)
		}
		ids[id] = true
		resp.Parts = append(resp.Parts, llm.Part{Use: &llm.ToolUse{ID: id, Name: u.name, Input: llm.Input(u.input.String())}})
	}
	return resp, nil
}

// kept are the thoughts as they go back; nil if there are none.
func (a *answer) kept() (json.RawMessage, error) {
	fields := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(a.thought)) {
		fields[name] = a.thought[name].String()
	}
	if len(a.details) > 0 { // it says all that the text says, and has the signatures
		fields = map[string]any{"reasoning_details": a.details}
	}
	if len(fields) == 0 {
		return nil, nil
	}
	raw, err := json.Marshal(map[string]any{"openai": fields})
	if err != nil {
		return nil, fmt.Errorf("keep a thought: %w", err)
	}
	return raw, nil
}
