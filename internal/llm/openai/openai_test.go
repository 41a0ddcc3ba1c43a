package openai_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
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

// TestWhole: a server that does not stream is asked once, and the person is told.
func TestWhole(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]}`) //nolint:errcheck // the answer is judged
	}))
	t.Cleanup(server.Close)
	_, err := openai.New(openai.Plain, cfg(server.URL, func(context.Context, time.Duration) {})).Answer(t.Context(), llm.Request{}, nil)
	if err == nil || !strings.Contains(err.Error(), "koda needs a stream") || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
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
