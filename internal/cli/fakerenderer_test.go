package cli_test

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// fakeRenderer draws nothing and writes down the calls.
type fakeRenderer struct {
	specs  []koda.RenderSpec
	stills []string
	files  []string // seen at the root
	err    error
	during func()

	warnings []string
}

func (r *fakeRenderer) Render(_ context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error) {
	r.specs = append(r.specs, spec)
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return koda.RenderResult{}, err
	}
	for _, e := range entries {
		r.files = append(r.files, e.Name())
	}
	if r.during != nil {
		r.during()
	}
	if r.err != nil {
		return koda.RenderResult{}, r.err
	}
	for _, n := range []int{0, spec.Frames / 2, spec.Frames} {
		report(koda.Progress{
			Kind: spec.Kind, Stage: koda.StageCapturing, Frame: n, Frames: spec.Frames,
			Percent: 100 * float64(n) / float64(spec.Frames), Rate: 30, Remaining: time.Duration(spec.Frames-n) * time.Second / 30,
		})
	}
	var ranges []koda.Range
	if spec.Explain {
		ranges = []koda.Range{{First: 0, Last: spec.Frames - 1, Reused: true, Reason: koda.ReusedSame, Why: "the same was drawn before"}}
	}
	return koda.RenderResult{
		Ranges: ranges, Video: spec.Output, Thumbnail: spec.Thumbnail, Format: spec.Format, Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: spec.Frames,
		Duration: spec.Duration, Size: 123456, SHA256: "abc", Captured: spec.Frames, Elapsed: 3210 * time.Millisecond, ElapsedMS: 3210,
		Method: "beginframe", GL: "none", Warnings: r.warnings,
	}, nil
}

func (r *fakeRenderer) Compare(context.Context, fs.FS, fs.FS, koda.VideoComparison, func(koda.Progress)) (koda.RenderResult, error) {
	return koda.RenderResult{}, r.err
}

func (r *fakeRenderer) Check(context.Context, fs.FS) error { return r.err }

func (r *fakeRenderer) Still(_ context.Context, _ fs.FS, at float64, w, h int) (koda.Picture, error) {
	r.stills = append(r.stills, fmt.Sprintf("%g %dx%d", at, w, h))
	return koda.Picture{PNG: []byte("a picture"), Warnings: r.warnings}, r.err
}

func (r *fakeRenderer) Examine(context.Context, fs.FS, []float64) (koda.Look, error) {
	return koda.Look{}, nil
}

func (r *fakeRenderer) Sheet(_ context.Context, _ fs.FS, count, columns, width int) (koda.Picture, error) {
	r.stills = append(r.stills, fmt.Sprintf("%d in %d %d", count, columns, width))
	return koda.Picture{PNG: []byte("a sheet"), Warnings: r.warnings}, r.err
}
