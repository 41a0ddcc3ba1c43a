package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// opaque is an opaque part of this adapter: a block as it came.
type opaque struct {
	Block json.RawMessage `json:"anthropic"`
}

// answer is an answer that comes.
type answer struct {
	msg     sdk.Message
	inputs  map[int64]*strings.Builder // of tool uses, as the model wrote them
	stopped bool
	show    func(koda.TextDelta)
}

// take takes the next event.
func (a *answer) take(ev sdk.MessageStreamEventUnion) error {
	if err := a.msg.Accumulate(ev); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch ev.Type {
	case "content_block_start":
		switch block := ev.ContentBlock; block.Type {
		case "tool_use":
			a.inputs[ev.Index] = &strings.Builder{}
			a.show(koda.TextDelta{Tool: block.Name})
		case "text":
			a.tell(block.Text, "")
		}
	case "content_block_delta":
		a.tell(ev.Delta.Text, ev.Delta.Thinking)
		if input := a.inputs[ev.Index]; input != nil {
			input.WriteString(ev.Delta.PartialJSON)
		}
	case "message_stop":
		a.stopped = true
	}
	return nil
}

func (a *answer) tell(text, thinking string) {
	if text != "" {
		a.show(koda.TextDelta{Text: text})
	}
	if thinking != "" {
		a.show(koda.TextDelta{Thinking: thinking})
	}
}

// spent is the response of a try that failed.
func (a *answer) spent() llm.Response {
	u := a.msg.Usage
	return llm.Response{Usage: llm.Usage{
		Input: u.InputTokens, CacheRead: u.CacheReadInputTokens, CacheWrite: u.CacheCreationInputTokens, Output: u.OutputTokens,
	}}
}

// stops are the reasons to stop. A reason that is not here is an answer that ends.
var stops = map[sdk.StopReason]llm.Stop{
	sdk.StopReasonToolUse: llm.StopTools, sdk.StopReasonMaxTokens: llm.StopLength, sdk.StopReasonRefusal: llm.StopRefused,
	sdk.StopReasonModelContextWindowExceeded: llm.StopContext,
}

// response is the whole answer.
func (a *answer) response() (llm.Response, error) {
	resp := a.spent()
	resp.Model, resp.Stop = string(a.msg.Model), llm.StopEnd
	if stop, ok := stops[a.msg.StopReason]; ok {
		resp.Stop = stop
	}
	for i := range a.msg.Content {
		block := &a.msg.Content[i]
		switch block.Type {
		case "text":
			if block.Text != "" { // the service refuses an empty one
				resp.Parts = append(resp.Parts, llm.Part{Text: block.Text})
			}
		case "tool_use":
			if last := i == len(a.msg.Content)-1; resp.Stop != llm.StopTools && last {
				continue // cut off
			}
			written := a.inputs[int64(i)].String()
			resp.Parts = append(resp.Parts, llm.Part{Use: &llm.ToolUse{ID: block.ID, Name: block.Name, Input: llm.Input(written)}})
		default:
			kept, err := json.Marshal(opaque{json.RawMessage(block.RawJSON())})
			if err != nil {
				return a.spent(), fmt.Errorf("keep a block: %w", err)
			}
			resp.Parts = append(resp.Parts, llm.Part{Opaque: kept})
		}
	}
	return resp, nil
}
