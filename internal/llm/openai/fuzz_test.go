package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/openai"
)

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// FuzzAnswer: whatever a server says, in a stream or in one piece, it is an answer whose tool
// uses have a name and an input of JSON, or an error without an answer.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"choices":[{"message":{"content":"hi","tool_calls":[{"function":{"name":"a","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		`{"choices":[{"message":{"content":[{"text":"x"}],"tool_calls":[{"id":5,"function":{"arguments":{"a":[1]}}}]}},{"message":null}]}`,
		`{"choices":[{"message":{"reasoning_content":"t","refusal":"no"},"finish_reason":"length"}],"error":null}`,
		`{"error":"x"}`, `{"choices":{}}`, ` []`, "",
		"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := cfg("https://models.example/v1", nil)
		c.Tries, c.Transport = 1, transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})
		got, err := openai.New(openai.Plain, c).Answer(t.Context(), llm.Request{}, nil)
		if err != nil && len(got.Parts) > 0 || err == nil && got.Stop == "" {
			t.Errorf("%+v, %v", got, err)
		}
		for _, u := range got.Uses() {
			if u.Name == "" || u.ID == "" || !json.Valid(u.Input) {
				t.Errorf("%+v", u)
			}
		}
	})
}
