package llm_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

// TestScripted: the scripted model, which other tests use, keeps the contract.
func TestScripted(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(_ *testing.T, steps ...llmtest.Step) llm.Model { return llmtest.New(steps...) })
}

func TestResponse(t *testing.T) {
	t.Parallel()
	r := llm.Response{
		Parts: []llm.Part{{Opaque: []byte(`{}`)}, {Text: "a "}, {Use: &llm.ToolUse{ID: "1"}}, {Text: "b"}},
		Usage: llm.Usage{Input: 1, CacheRead: 2, CacheWrite: 4, Output: 8, USD: 0.5},
	}
	if r.Text() != "a b" || len(r.Uses()) != 1 || r.Usage.Cost() != (koda.Cost{USD: 0.5, InputTokens: 7, CachedTokens: 2, OutputTokens: 8}) {
		t.Errorf("%q, %v, %+v", r.Text(), r.Uses(), r.Usage.Cost())
	}
}

// TestInput: what models write around an object is taken away, and nothing is guessed.
func TestInput(t *testing.T) {
	t.Parallel()
	const broken = "INVALID_JSON"
	for written, want := range map[string]string{
		"": "{}", " \n": "{}", "null": "{}", `""`: "{}", "{}": "{}",
		`{"a":1}`:                                `{"a":1}`,
		" {\"a\":\n 1}\n":                        "{\"a\":\n 1}",
		"```json\n{\"a\":1}\n```":                `{"a":1}`,
		"```\n{\"a\":\"```\"}\n```":              "{\"a\":\"```\"}",
		`"{\"a\":\"b\"}"`:                        `{"a":"b"}`,
		"{\"a\":\"one\ntwo\tthree\"}":            `{"a":"one\u000atwo\u0009three"}`,
		"{\"a\":\"say \\\"hi\n\\\"\",\n\"b\":1}": "{\"a\":\"say \\\"hi\\u000a\\\"\",\n\"b\":1}",
		`{"a":"\\"}`:                             `{"a":"\\"}`,
		`{"a":1} and more`:                       broken,
		`{"a":1}{"a":2}`:                         broken,
		`[{"a":1}]`:                              broken,
		`{"a":1,}`:                               broken,
		`{'a': 1}`:                               broken,
		`{"a":"b`:                                broken,
		"```json\n{\"a\":1}":                     broken,
		"7":                                      broken,
		"{\"a\":\"b\n":                           broken,
	} {
		got := string(llm.Input(written))
		if want == broken && !strings.HasPrefix(got, `{"INVALID_JSON":`) || want != broken && got != want {
			t.Errorf("%q is read as %s, not %s", written, got, want)
		}
	}
}
