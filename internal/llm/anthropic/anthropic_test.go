package anthropic_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/anthropic"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/llm/service"
)

func cfg(address string, wait func(context.Context, time.Duration)) service.Config {
	return service.Config{Name: "anthropic", Address: address, Key: config.SecretOf(llmtest.Key), KeyFrom: "ANTHROPIC_API_KEY", NeedsKey: true, Model: llmtest.Name, Wait: wait}
}

func TestContract(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
		t.Helper()
		return anthropic.New(cfg(llmtest.Serve(t, llmtest.Anthropic, steps...).URL, func(context.Context, time.Duration) {}))
	})
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	llmtest.Fixtures(t, llmtest.Anthropic, func(_ *testing.T, address string, wait func(context.Context, time.Duration)) llm.Model {
		return anthropic.New(cfg(address, wait))
	})
}

func TestCuts(t *testing.T) {
	t.Parallel()
	llmtest.Cuts(t, llmtest.Anthropic, func(way http.RoundTripper) llm.Model {
		c := cfg("https://models.example/v1", nil)
		c.Tries, c.Transport = 1, way
		return anthropic.New(c)
	})
}

func TestModels(t *testing.T) {
	t.Parallel()
	got, err := anthropic.New(cfg(llmtest.Serve(t, llmtest.Anthropic).URL, nil)).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := []llm.Info{
		{ID: "scripted", Context: 1_000_000, Output: 64_000, Pictures: &yes, Tools: &yes, Parallel: &yes},
		{ID: "older", Context: 200_000, Output: 8_000, Pictures: &no, Tools: &yes, Parallel: &yes, Ends: "2026-11-30"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
