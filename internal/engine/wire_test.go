package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/anthropic"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/llm/service"
)

// TestModel_overTheWire: a run breaks off between two requests of a conversation, and
// goes on. The service, which refuses a thought that differs by a letter, gets the
// thoughts of the answers that came from the journal, and is asked nothing twice.
func TestModel_overTheWire(t *testing.T) {
	t.Parallel()
	for name, wire := range map[string]struct {
		format llmtest.Wire
		open   func(service.Config) llm.Model
	}{
		"anthropic": {llmtest.Anthropic, func(c service.Config) llm.Model { return anthropic.New(c) }},
		"openai":    {llmtest.OpenAI, func(c service.Config) llm.Model { return openai.New(openai.Plain, c) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			thought := strings.Repeat("<ünï> \"two\"\\n & 1e400 @7\u2028 ", 500)
			steps := make([]llmtest.Step, 0, 9)
			for _, said := range []string{"question", "plan", "todo 1", "no key", "so be it", "todo 2", "so be it", "todo 3", "so be it"} {
				step := scripted(0, llm.Request{Messages: []llm.Message{{Parts: []llm.Part{{Text: said}}}}})
				step.Thinking = thought
				if said == "no key" {
					step.Fail = koda.CodeUnauthorized
				}
				steps = append(steps, step)
			}
			server := llmtest.Serve(t, wire.format, steps...)
			b := newBench(t)
			b.modelled(wire.open(service.Config{
				Name: name, Address: server.URL, Key: config.SecretOf(llmtest.Key), KeyFrom: "A_KEY", Model: llmtest.Name, Wait: func(context.Context, time.Duration) {},
			}))
			b.open()
			out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
			if koda.CodeOf(err) != koda.CodeUnauthorized || len(server.Asked()) != 4 {
				t.Fatalf("asked %d times: %v", len(server.Asked()), err)
			}
			b.open()
			out = b.must(b.engine.Resume(t.Context(), out.Project.ID, true))
			if out.State.Phase != koda.PhaseComplete || len(server.Asked()) != len(steps) {
				t.Errorf("phase %s, asked %d times", out.State.Phase, len(server.Asked()))
			}
		})
	}
}
