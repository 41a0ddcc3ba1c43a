package llm_test

import (
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
