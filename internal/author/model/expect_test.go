package model_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// TestExpect: an estimate follows from the sizes of what the model is told. A longer video
// costs more, and what a service kept was read before.
func TestExpect(t *testing.T) {
	t.Parallel()
	a := author(t)
	sum := func(all []llm.Usage) (s llm.Usage) {
		for i, u := range all {
			if u.CacheWrite <= 0 || u.Output <= 0 || u.Input != 0 || i == 0 && u.CacheRead != 0 {
				t.Errorf("answer %d: %+v", i, u)
			}
			s = s.Plus(u)
		}
		return s
	}
	brief := koda.Brief{Prompt: "a ball", Width: 1920, Height: 1080, FPS: koda.DefaultFPS}
	low, high := a.Expect(brief)
	if len(low) < 8 || len(high) > 60 || sum(low).Output*20 < sum(high).Output || sum(low).Output >= sum(high).Output {
		t.Errorf("%d answers, %+v; %d answers, %+v", len(low), sum(low), len(high), sum(high))
	}
	brief.Duration = 30
	longer, longest := a.Expect(brief)
	if len(longer) <= len(low) || len(longest) <= len(high) || sum(longest).CacheRead <= sum(high).CacheRead {
		t.Errorf("30 s: %d and %d answers, not more than %d and %d", len(longer), len(longest), len(low), len(high))
	}
}
