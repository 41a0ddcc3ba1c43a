package koda_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

func TestSumStats(t *testing.T) {
	t.Parallel()
	var a, b koda.Stats
	a.Turns, a.ModelCalls, a.Cost = 2, 3, koda.Cost{USD: 1, InputTokens: 10}
	a.AddRender("done", &koda.RenderResult{Frames: 60, Reused: 20, ElapsedMS: 4000})
	a.AddRender("failed", nil)
	b.Turns, b.FailedTurns, b.ToolCalls, b.Cost = 1, 1, 5, koda.Cost{USD: 2, OutputTokens: 7, Unpriced: 1}
	b.AddRender("done", &koda.RenderResult{Frames: 30, ElapsedMS: 1000})
	b.AddRender("done", &koda.RenderResult{Frames: 10, Reused: 10, ElapsedMS: 0})
	want := koda.Stats{
		Turns: 3, FailedTurns: 1, ModelCalls: 3, ToolCalls: 5, Cost: koda.Cost{USD: 3, InputTokens: 10, OutputTokens: 7, Unpriced: 1},
		Renders: 3, FailedRenders: 1, Frames: 100, ReusedFrames: 30, Seconds: []float64{4, 1, 0}, Took: koda.Took{Total: 5, Median: 1, Longest: 4},
	}
	if diff := cmp.Diff(want, koda.SumStats(a, b)); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(koda.Stats{}, koda.SumStats()); diff != "" {
		t.Errorf("nothing (-want +got):\n%s", diff)
	}
}
