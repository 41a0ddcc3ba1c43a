package render

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// Check builds the page and draws nothing. BUILD_FAILED says what is wrong with the
// code, and where. Whether the page then runs is seen when it is drawn: opening a
// browser only for that would cost more than everything else that is done for a
// version.
func (r *Renderer) Check(ctx context.Context, files fs.FS) error {
	_, _, err := r.cfg.Build(ctx, files, nil)
	return err
}

// Still draws the frame nearest to a time as PNG. Width × height has the page's
// shape; if both are 0, the page's own size is used. USAGE: the time is outside the
// animation.
func (r *Renderer) Still(ctx context.Context, files fs.FS, seconds float64, width, height int) (koda.Picture, error) {
	page, m, err := r.cfg.Build(ctx, files, nil)
	if err != nil {
		return koda.Picture{}, err
	}
	if width == 0 && height == 0 {
		width, height = m.Width, m.Height
	}
	if width < 1 || height < 1 || max(width, height) > koda.MaxSide {
		return koda.Picture{}, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("a still of %dx%d pixels cannot be made", width, height),
			Hint: fmt.Sprintf("each side has 1 to %d pixels", koda.MaxSide),
		}
	}
	if math.IsNaN(seconds) || seconds < 0 || seconds > m.Duration+1e-6 {
		return koda.Picture{}, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("there is no picture at %g s", seconds),
			Hint: fmt.Sprintf("the animation goes from 0 to %g s", m.Duration),
		}
	}
	frames := timeline.Frames(m.Duration, m.FPS)
	frame := min(frames-1, int(math.Round(seconds*float64(m.FPS.Num)/float64(m.FPS.Den))))
	view := koda.Viewport{
		Width: m.Width, Height: m.Height, FPS: m.FPS,
		Scale: captureScale(preset.Size{Width: m.Width, Height: m.Height}, preset.Size{Width: width, Height: height}),
	}
	return r.look(ctx, koda.LookJob{Page: page, View: view, Frames: []int{frame}, Width: width, Height: height})
}

// look lets the drawer make a picture, and adds the page's mishaps as warnings.
func (r *Renderer) look(ctx context.Context, job koda.LookJob) (koda.Picture, error) {
	seen, err := r.cfg.Drawer.Look(ctx, job)
	return koda.Picture{PNG: seen.PNG, Warnings: slices.Concat(job.Page.Warnings, sentences(seen.Mishaps))}, err
}
