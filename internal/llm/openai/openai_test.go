package openai_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/llm/service"
)

func cfg(address string, wait func(context.Context, time.Duration)) service.Config {
	return service.Config{Name: "openai", Address: address, Key: config.SecretOf(llmtest.Key), KeyFrom: "OPENAI_API_KEY", NeedsKey: true, Model: llmtest.Name, Wait: wait}
}

func TestContract(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
		t.Helper()
		return openai.New(openai.OpenAI, cfg(llmtest.Serve(t, llmtest.OpenAI, steps...).URL, func(context.Context, time.Duration) {}))
	})
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	llmtest.Fixtures(t, llmtest.OpenAI, func(_ *testing.T, address string, wait func(context.Context, time.Duration)) llm.Model {
		return openai.New(openai.OpenAI, cfg(address, wait))
	})
}

func TestCuts(t *testing.T) {
	t.Parallel()
	llmtest.Cuts(t, llmtest.OpenAI, func(way http.RoundTripper) llm.Model {
		c := cfg("https://models.example/v1", nil)
		c.Tries, c.Transport = 1, way
		return openai.New(openai.Plain, c)
	})
}

// TestContract_inOnePiece: servers that do not stream, and that refuse to.
func TestContract_inOnePiece(t *testing.T) {
	t.Parallel()
	for name, refusing := range map[string]bool{"deaf": false, "refusing": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			llmtest.RunWhole(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
				t.Helper()
				return openai.New(openai.Plain, cfg(llmtest.Serve(t, llmtest.InOnePiece(refusing), steps...).URL, func(context.Context, time.Duration) {}))
			})
		})
	}
}

// TestRefused: a server that refuses to stream is asked for a stream only once.
func TestRefused(t *testing.T) {
	t.Parallel()
	server := llmtest.Serve(t, llmtest.InOnePiece(true), llmtest.Step{Response: llm.Response{Parts: []llm.Part{{Text: "done"}}, Stop: llm.StopEnd}})
	m := openai.New(openai.Plain, cfg(server.URL, nil))
	for range 3 {
		if got, err := m.Answer(t.Context(), llm.Request{}, nil); err != nil || got.Text() != "done" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if n := len(server.Asked()); n != 4 {
		t.Errorf("asked %d times", n)
	}
}

func TestCuts_inOnePiece(t *testing.T) {
	t.Parallel()
	llmtest.Cuts(t, llmtest.InOnePiece(false), func(way http.RoundTripper) llm.Model {
		c := cfg("https://models.example/v1", nil)
		c.Tries, c.Transport = 1, way
		return openai.New(openai.Plain, c)
	})
}

func TestModels(t *testing.T) {
	t.Parallel()
	got, err := openai.New(openai.OpenAI, cfg(llmtest.Serve(t, llmtest.OpenAI).URL, nil)).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := []llm.Info{
		{ID: "scripted", Context: 262_144, Pictures: &yes, Tools: &yes, Parallel: &no},
		{ID: "plain"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
