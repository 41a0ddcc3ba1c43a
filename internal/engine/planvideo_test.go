package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestPlan_Video: a plan says which file it comes to, also after it was modified.
func TestPlan_Video(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, tt := range []struct {
		preset string
		to     *koda.Destination
		want   koda.PlanVideo
		shape  string
	}{
		{"", nil, koda.PlanVideo{Width: 1280, Height: 720, FPS: koda.FPS{Num: 30, Den: 1}, Format: "mp4"}, "wide"},
		{"", &koda.Destination{Path: "/out/ball.webm"}, koda.PlanVideo{Width: 1280, Height: 720, FPS: koda.FPS{Num: 30, Den: 1}, Format: "webm"}, "wide"},
		{"gif", nil, koda.PlanVideo{Width: 480, Height: 270, FPS: koda.FPS{Num: 20, Den: 1}, Format: "gif"}, "wide"},
	} {
		req := b.request("bouncing ball", false)
		req.Brief.Style, req.Brief.Preset, req.Brief.To = "smooth", tt.preset, tt.to
		out := b.must(b.engine.New(t.Context(), req))
		for range 2 {
			v := out.State.Plan.Video
			if v == nil || cmp.Diff(tt.want, *v) != "" || v.Shape() != tt.shape {
				t.Errorf("%s %v: %+v", tt.preset, tt.to, v)
			}
			out = b.must(b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "playful"))
		}
	}
	if s := (koda.PlanVideo{Width: 1080, Height: 1920}).Shape() + (koda.PlanVideo{Width: 8, Height: 8}).Shape(); s != "verticalsquare" {
		t.Error(s)
	}
}
