package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestCost(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]koda.Cost{
		"free":                               {},
		"free, 12 tokens in, 3 out":          {InputTokens: 12, OutputTokens: 3},
		"price unknown, 12 tokens in, 3 out": {Unpriced: 1, InputTokens: 12, OutputTokens: 3},
		"price unknown":                      {Unpriced: 2},
		"$0.0042, 12 tokens in, 3 out":       {USD: 0.0042, InputTokens: 12, OutputTokens: 3},
		"$1.20, 20.0k tokens in (9000 cached), 10.0k out":          {USD: 1.2, InputTokens: 20_000, CachedTokens: 9000, OutputTokens: 10_000},
		"$0.50 and 2 answers of unknown price, 1 tokens in, 1 out": {USD: 0.5, Unpriced: 2, InputTokens: 1, OutputTokens: 1},
	} {
		if c.String() != want {
			t.Errorf("%+v is %q, not %q", c, c, want)
		}
	}
	sum := koda.Cost{USD: 1, Unpriced: 1, InputTokens: 2, CachedTokens: 3, OutputTokens: 4}.Plus(koda.Cost{USD: 1, Unpriced: 1, InputTokens: 2, CachedTokens: 3, OutputTokens: 4})
	if want := (koda.Cost{USD: 2, Unpriced: 2, InputTokens: 4, CachedTokens: 6, OutputTokens: 8}); sum != want {
		t.Errorf("%+v", sum)
	}
}
