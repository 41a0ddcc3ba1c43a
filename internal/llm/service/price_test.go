package service_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/anthropic"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/llm/service"
)

// TestTable: the table says when and where it was read, and has every model that people
// get without naming one. What comes from a cache is never dearer than what does not.
func TestTable(t *testing.T) {
	t.Parallel()
	table := service.Table()
	if _, err := time.Parse(time.DateOnly, table.Date); err != nil || len(table.Sources) == 0 || table.Unit == "" {
		t.Errorf("date %q, sources %q, unit %q", table.Date, table.Sources, table.Unit)
	}
	for _, name := range []string{anthropic.Default, openai.Default} {
		if _, ok := table.Models[name]; !ok {
			t.Errorf("%s has no price", name)
		}
	}
	for name, p := range table.Models {
		if p[0] <= 0 || p[1] < p[0] || p[2] <= 0 || p[2] > p[0] || p[3] < p[0] {
			t.Errorf("%s: %v", name, p)
		}
	}
	for _, l := range table.Long {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(table.Models)), func(name string) bool { return strings.HasPrefix(name, l.Models) }) || l.Over <= 0 || l.Input < 1 || l.Output < 1 {
			t.Errorf("long %+v", l)
		}
	}
}

// TestPrice: what an answer costs, wherever its price comes from. An unknown price is never 0.
func TestPrice(t *testing.T) {
	t.Parallel()
	const remote, near = "https://models.example/v1", "http://127.0.0.1:11434/v1"
	used := llm.Usage{Input: 1000, CacheRead: 10_000, CacheWrite: 2000, Output: 500}
	for name, tt := range map[string]struct {
		c     service.Config
		model string // that answered
		used  llm.Usage
		usd   float64
		price string
	}{
		"listed":              {service.Config{Address: remote, Listed: true, Model: "claude-sonnet-5-5"}, "", used, 0.002 + 0.001 + 0.005 + 0.005, "$0.01"},
		"with a date":         {service.Config{Address: remote, Listed: true, Model: "haiku"}, "claude-haiku-4-5-20251001", used, 0.001 + 0.001 + 0.0025 + 0.0025, "$0.0070"},
		"asked by its name":   {service.Config{Address: remote, Listed: true, Model: "gpt-5-mini"}, "some alias", used, 0.00025 + 0.00025 + 0.0005 + 0.001, "$0.0020"},
		"long":                {service.Config{Address: remote, Listed: true, Model: "gpt-6-luna"}, "", llm.Usage{Input: 300_000, Output: 1000}, 0.06 + 0.00075, "$0.06"},
		"not listed":          {service.Config{Address: remote, Listed: true, Model: "gpt-next"}, "", used, 0, "price unknown"},
		"another seller":      {service.Config{Address: remote, Model: "claude-sonnet-5-5"}, "", used, 0, "price unknown"},
		"said by the person":  {service.Config{Address: remote, Model: "x", Rate: &llm.Price{Input: 1, Output: 2, CacheRead: 0.1, CacheWrite: 1}}, "", used, 0.001 + 0.001 + 0.002 + 0.001, "$0.0050"},
		"said, of a local":    {service.Config{Address: near, Model: "x", Rate: &llm.Price{Input: 1, Output: 2, CacheRead: 1, CacheWrite: 1}}, "", llm.Usage{Output: 500}, 0.001, "$0.0010"},
		"local":               {service.Config{Address: near, Model: "x"}, "", used, 0, "free"},
		"local, not counted":  {service.Config{Address: "http://localhost:1/v1", Model: "x"}, "", llm.Usage{}, 0, "free"},
		"not counted":         {service.Config{Address: remote, Listed: true, Model: "gpt-5"}, "", llm.Usage{}, 0, "price unknown"},
		"said by the service": {service.Config{Address: remote, Model: "x"}, "", llm.Usage{Output: 5, USD: 0.2}, 0.2, "$0.20"},
		"a free one of those": {service.Config{Address: remote, Model: "x", SaysPrice: true}, "", used, 0, "free"},
		"silent about it":     {service.Config{Address: remote, Model: "x", SaysPrice: true}, "", llm.Usage{}, 0, "price unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.c.Answer(t.Context(), nil, func(func(koda.TextDelta)) (llm.Response, error) {
				return llm.Response{Usage: tt.used, Model: tt.model}, nil
			})
			if err != nil || math.Abs(got.Usage.USD-tt.usd) > 1e-9 || got.Usage.Cost().Price() != tt.price {
				t.Errorf("%+v is %q, %v", got.Usage, got.Usage.Cost().Price(), err)
			}
		})
	}
}

// TestPrice_tries: every try that was counted is paid, and each by itself.
func TestPrice_tries(t *testing.T) {
	t.Parallel()
	c := service.Config{Address: "https://models.example/v1", Listed: true, Model: "gpt-6-luna", Wait: func(context.Context, time.Duration) {}}
	n := 0
	got, err := c.Answer(t.Context(), nil, func(func(koda.TextDelta)) (llm.Response, error) {
		switch n++; n {
		case 1: // cut before anything was counted
			return llm.Response{}, service.Ended(nil)
		case 2:
			return llm.Response{Usage: llm.Usage{Input: 200_000}}, service.Ended(nil)
		}
		return llm.Response{Usage: llm.Usage{Input: 200_000}}, nil
	})
	if want := (llm.Usage{Input: 400_000, USD: 0.04}); err != nil || got.Usage != want {
		t.Errorf("%+v, %v", got.Usage, err)
	}
}
