package model_test

import (
	"testing"

	"github.com/koda-video/koda/internal/author/model"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// TestExpect: an estimate follows from the sizes of what the model is told. A longer video
// costs more, and what a service kept was read before.
func TestExpect(t *testing.T) {
	t.Parallel()
	a := author(t)
	all := func(e model.Expected) []llm.Usage { return append(e.Talk[:len(e.Talk):len(e.Talk)], e.Work...) }
	sum := func(e model.Expected) (s llm.Usage) {
		for i, u := range all(e) {
			if u.CacheWrite <= 0 || u.Output <= 0 || u.Input != 0 || i == 0 && u.CacheRead != 0 {
				t.Errorf("answer %d: %+v", i, u)
			}
			s = s.Plus(u)
		}
		return s
	}
	brief := koda.Brief{Prompt: "a ball", Width: 1920, Height: 1080, FPS: koda.DefaultFPS}
	low, high := a.Expect(brief)
	if len(all(low)) < 8 || len(all(high)) > 60 || sum(low).Output*20 < sum(high).Output || sum(low).Output >= sum(high).Output {
		t.Errorf("%d answers, %+v; %d answers, %+v", len(all(low)), sum(low), len(all(high)), sum(high))
	}
	brief.Duration = 30
	longer, longest := a.Expect(brief)
	if len(longer.Work) <= len(low.Work) || len(longest.Work) <= len(high.Work) || sum(longest).CacheRead <= sum(high).CacheRead {
		t.Errorf("30 s: %d and %d answers, not more than %d and %d", len(longer.Work), len(longest.Work), len(low.Work), len(high.Work))
	}
	brief.Yes = true // nothing is asked
	if unasked, _ := a.Expect(brief); len(unasked.Talk) != 1 || len(low.Talk) != 2 || len(unasked.Work) != len(longer.Work) {
		t.Errorf("%d answers before the work, %d where nobody is asked", len(low.Talk), len(unasked.Talk))
	}
}
