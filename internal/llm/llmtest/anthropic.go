package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// signature is the signature of every thought.
const signature = "EqoBCkgIAR+/signed=="

// Anthropic is Anthropic's Messages API.
var Anthropic = Wire{
	name: "anthropic", path: "/v1/messages",
	key:    func(h http.Header) string { return h.Get("X-Api-Key") },
	events: anthropicEvents, check: checkAnthropic,
	long: `400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}`,
	failed: map[koda.Code]string{
		koda.CodeUnauthorized:  `401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key ` + Key + `"}}`,
		koda.CodeInvalidInput:  `400 {"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}`,
		koda.CodeLimitReached:  `429 {"type":"error","error":{"type":"rate_limit_error","message":"Number of request tokens has exceeded your rate limit"}}`,
		koda.CodeProviderError: `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
	},
	models: map[string]string{
		"/v1/models":         `{"data":[` + anthropicModel + `,{"type":"model","id":"older","display_name":"Older","created_at":"2025-01-01T00:00:00Z","lifecycle":"deprecated","retires_at":"2026-11-30T00:00:00Z","max_input_tokens":200000,"max_tokens":8000,"capabilities":{"image_input":{"supported":false},"thinking":{"supported":false,"types":{}}}}],"has_more":false}`,
		"/v1/models/" + Name: anthropicModel,
	},
}

const anthropicModel = `{"type":"model","id":"scripted","display_name":"Scripted","created_at":"2026-01-01T00:00:00Z","lifecycle":"active","max_input_tokens":1000000,"max_tokens":64000,` +
	`"capabilities":{"image_input":{"supported":true},"thinking":{"supported":true,"types":{"adaptive":{"supported":true}}}}}`

func anthropicEvents(s Step) ([]string, int) {
	var all []string
	add := func(kind, format string, args ...any) {
		all = append(all, "event: "+kind+"\ndata: "+fmt.Sprintf(format, args...)+"\n\n")
	}
	u := s.Response.Usage
	add("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":%q,"content":[],"stop_reason":null,`+
		`"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":1}}}`,
		s.Response.Model, u.Input, u.CacheRead, u.CacheWrite)
	add("ping", `{"type":"ping"}`)
	index := 0
	block := func(start string, deltas ...string) {
		add("content_block_start", `{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)
		for _, d := range deltas {
			add("content_block_delta", `{"type":"content_block_delta","index":%d,"delta":%s}`, index, d)
		}
		add("content_block_stop", `{"type":"content_block_stop","index":%d}`, index)
		index++
	}
	if s.Thinking != "" {
		block(`{"type":"thinking","thinking":"","signature":""}`,
			`{"type":"thinking_delta","thinking":`+quote(s.Thinking)+`}`, `{"type":"signature_delta","signature":`+quote(signature)+`}`)
	}
	for _, p := range s.Response.Parts {
		var deltas []string
		if p.Use != nil {
			for _, piece := range pieces(string(p.Use.Input), 5) {
				deltas = append(deltas, `{"type":"input_json_delta","partial_json":`+quote(piece)+`}`)
			}
			block(`{"type":"tool_use","id":`+quote(p.Use.ID)+`,"name":`+quote(p.Use.Name)+`,"input":{}}`, deltas...)
			continue
		}
		for _, word := range strings.SplitAfter(p.Text, " ") {
			deltas = append(deltas, `{"type":"text_delta","text":`+quote(word)+`}`)
		}
		block(`{"type":"text","text":""}`, deltas...)
	}
	stop := map[llm.Stop]string{llm.StopEnd: "end_turn", llm.StopTools: "tool_use", llm.StopLength: "max_tokens", llm.StopRefused: "refusal"}[s.Response.Stop]
	add("message_delta", `{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}}`, stop, u.Output)
	add("message_stop", `{"type":"message_stop"}`)
	return all, 2
}

// anthropicRequest is what the service looks at in a request.
type anthropicRequest struct {
	Model     string `json:"model"`
	MaxTokens int    `json:"max_tokens"`
	Stream    bool   `json:"stream"`
	Messages  []struct {
		Role    string `json:"role"`
		Content []struct {
			Type      string `json:"type"`
			Text      string `json:"text"`
			ID        string `json:"id"`
			ToolUseID string `json:"tool_use_id"`
			Thinking  string `json:"thinking"`
			Signature string `json:"signature"`
			Source    struct {
				MediaType string `json:"media_type"`
			} `json:"source"`
			Input json.RawMessage `json:"input"`
		} `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name   string `json:"name"`
		Schema struct {
			Type string `json:"type"`
		} `json:"input_schema"`
	} `json:"tools"`
}

func checkAnthropic(body []byte, before Step) error {
	var req anthropicRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return err
	}
	if !req.Stream || req.Model != Name || req.MaxTokens <= 0 || req.MaxTokens > 64000 {
		return fmt.Errorf("stream %v, model %q, max_tokens %d", req.Stream, req.Model, req.MaxTokens)
	}
	for _, t := range req.Tools {
		if t.Schema.Type != "object" {
			return fmt.Errorf("tool %s has no schema of an object", t.Name)
		}
	}
	var open []string // tool uses without a result
	thought := before.Thinking == "" || len(req.Messages) == 1
	for i, m := range req.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Errorf("messages: roles must alternate, message %d is of %q", i, m.Role)
		}
		for k, b := range m.Content {
			switch b.Type {
			case "text":
				if b.Text == "" {
					return errors.New("messages: text content blocks must be non-empty")
				}
			case "tool_use":
				open = append(open, b.ID)
				if !strings.HasPrefix(string(b.Input), "{") {
					return fmt.Errorf("tool_use.input: %s is no dictionary", b.Input)
				}
			case "tool_result":
				at := slices.Index(open, b.ToolUseID)
				if at < 0 || k > 0 && m.Content[k-1].Type != "tool_result" {
					return fmt.Errorf("tool_result %s is out of place", b.ToolUseID)
				}
				open = slices.Delete(open, at, at+1)
			case "thinking":
				thought = thought || b.Thinking == before.Thinking && b.Signature == signature
			}
		}
		if m.Role == "user" && len(open) > 0 {
			return fmt.Errorf("tool_use ids were found without tool_result blocks: %q", open)
		}
	}
	if !thought {
		return errors.New("thinking blocks in the latest assistant message cannot be modified")
	}
	return nil
}
