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

// OpenAI is the API of OpenAI's chat completions.
var OpenAI = Wire{
	name: "openai", path: "/chat/completions",
	key:    func(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") },
	events: openAIEvents, check: checkOpenAI,
	long: `400 {"error":{"message":"This model's maximum context length is 128000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
	failed: map[koda.Code]string{
		koda.CodeUnauthorized:  `401 {"error":{"message":"Incorrect API key provided: ` + Key + `","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`,
		koda.CodeInvalidInput:  `400 {"error":{"message":"Invalid schema for function","type":"invalid_request_error","param":"tools","code":null}}`,
		koda.CodeLimitReached:  `429 {"error":{"message":"Rate limit reached","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`,
		koda.CodeProviderError: `503 {"error":{"message":"The server is overloaded","type":"server_error","param":null,"code":null}}`,
	},
	models: map[string]string{
		"/models": `{"object":"list","data":[{"id":"scripted","object":"model","created":1,"owned_by":"me","context_length":262144,"architecture":{"input_modalities":["text","image"]},"supported_parameters":["tools"]},{"id":"plain","object":"model","created":1,"owned_by":"me"}]}`,
	},
}

func openAIEvents(s Step) ([]string, int) {
	all := []string{": keep-alive\n\n"}
	raw := func(data string) { all = append(all, "data: "+data+"\n\n") }
	chunk := func(choices, more string) {
		raw(fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":%q,"choices":[%s]%s}`, s.Response.Model, choices, more))
	}
	delta := func(d string) { chunk(`{"index":0,"delta":`+d+`,"finish_reason":null}`, "") }
	delta(`{"role":"assistant","content":""}`)
	if s.Thinking != "" {
		delta(`{"reasoning_content":` + quote(s.Thinking) + `}`)
	}
	index := 0
	for _, p := range s.Response.Parts {
		if p.Use != nil {
			delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":""}}]}`, index, p.Use.ID, p.Use.Name))
			for _, piece := range pieces(string(p.Use.Input), 5) {
				delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, index, quote(piece)))
			}
			index++
			continue
		}
		for _, word := range strings.SplitAfter(p.Text, " ") {
			delta(`{"content":` + quote(word) + `}`)
		}
	}
	chunk(fmt.Sprintf(`{"index":0,"delta":{},"finish_reason":%q}`, openAIStops[s.Response.Stop]), "")
	u := s.Response.Usage
	chunk("", fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d}}`,
		u.Input+u.CacheRead+u.CacheWrite, u.Output, u.Input+u.CacheRead+u.CacheWrite+u.Output, u.CacheRead, u.CacheWrite))
	raw("[DONE]")
	return all, 3
}

// InOnePiece is OpenAI's format as servers speak it that do not stream. If refusing is true,
// they refuse to be asked for it; else they take no notice.
func InOnePiece(refusing bool) Wire {
	w := OpenAI
	w.events = openAIWhole
	if refusing {
		w.check = checkOpenAITalk
		w.refuses = map[string]string{`"stream":true`: `400 {"error":{"message":"this server does not stream","type":"invalid_request_error"}}`}
	}
	return w
}

// openAIWhole is an answer in one piece, without a usage if it used nothing.
func openAIWhole(s Step) ([]string, int) {
	message := map[string]any{"role": "assistant", "content": nil}
	var calls []any
	for _, p := range s.Response.Parts {
		if p.Use != nil {
			calls = append(calls, map[string]any{"id": p.Use.ID, "type": "function", "function": map[string]string{"name": p.Use.Name, "arguments": string(p.Use.Input)}})
			continue
		}
		message["content"] = p.Text
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	if s.Thinking != "" {
		message["reasoning_content"] = s.Thinking
	}
	all := map[string]any{"object": "chat.completion", "model": s.Response.Model, "choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": openAIStops[s.Response.Stop]}}}
	if u := s.Response.Usage; u != (llm.Usage{}) {
		all["usage"] = map[string]any{
			"prompt_tokens": u.Input + u.CacheRead + u.CacheWrite, "completion_tokens": u.Output,
			"prompt_tokens_details": map[string]int64{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite},
		}
	}
	return pieces(quote(all), 50), 1
}

// openAIStops are the reasons to stop.
var openAIStops = map[llm.Stop]string{llm.StopEnd: "stop", llm.StopTools: "tool_calls", llm.StopLength: "length", llm.StopRefused: "content_filter"}

// openAIRequest is what the service looks at in a request.
type openAIRequest struct {
	Model   string `json:"model"`
	Stream  bool   `json:"stream"`
	Options struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []struct {
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		Reasoning string          `json:"reasoning_content"`
		CallID    string          `json:"tool_call_id"`
		Calls     []struct {
			ID       string `json:"id"`
			Type     string `json:"type"`
			Function struct {
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

func checkOpenAI(body []byte, before Step) error {
	var req openAIRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return err
	}
	if !req.Stream || !req.Options.Usage {
		return fmt.Errorf("stream %v, include_usage %v", req.Stream, req.Options.Usage)
	}
	return checkOpenAITalk(body, before)
}

// checkOpenAITalk is what the service looks at whether it streams or not.
func checkOpenAITalk(body []byte, before Step) error {
	var req openAIRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return err
	}
	if !strings.HasPrefix(req.Model, Name) {
		return fmt.Errorf("model %q", req.Model)
	}
	var open []string // tool calls without a result
	thought := before.Thinking == "" || len(req.Messages) <= 2
	for _, m := range req.Messages {
		if m.Role == "tool" {
			at := slices.Index(open, m.CallID)
			if at < 0 || !strings.HasPrefix(string(m.Content), `"`) {
				return fmt.Errorf("the result of %q is out of place, or no text", m.CallID)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("these tool_call_ids have no response: %q", open)
		}
		for _, c := range m.Calls {
			if c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
				return fmt.Errorf("the call %q is of type %q, with %s", c.ID, c.Type, c.Function.Arguments)
			}
			open = append(open, c.ID)
		}
		thought = thought || m.Reasoning == before.Thinking
	}
	if !thought {
		return errors.New("the thought did not come back")
	}
	return nil
}
