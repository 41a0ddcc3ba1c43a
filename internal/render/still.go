package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// Check builds the page and draws nothing. BUILD_FAILED says what is wrong with
// the code, and where. Whether the page then runs is seen when it is drawn: to open
// a browser only for that would cost more than all else that is done for a version.
func (r *Renderer) Check(ctx context.Context, files fs.FS) error {
	_, _, err := r.cfg.Build(ctx, files)
	return err
}

// Still draws the frame nearest to a time as PNG. Width × height is of the
// page's shape; both 0 is the page's own size. A time outside the animation is
// USAGE.
func (r *Renderer) Still(ctx context.Context, files fs.FS, seconds float64, width, height int) (koda.Picture, error) {
	page, m, err := r.cfg.Build(ctx, files)
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
	shot, err := r.shoot(ctx, page, view, frame)
	if err != nil {
		return koda.Picture{}, err
	}
	w, h, err := pictureSize(shot.PNG)
	if err != nil {
		return koda.Picture{}, &koda.Error{Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("capture frame %d", frame), Err: err}
	}
	if w != width || h != height {
		shot.PNG, err = r.cfg.FFmpeg.Resize(ctx, shot.PNG, width, height)
	}
	return shot, err
}

// shoot opens the page and captures a frame.
func (r *Renderer) shoot(ctx context.Context, page koda.Page, view koda.Viewport, frame int) (shot koda.Picture, err error) {
	tab, err := r.cfg.Open(ctx, page, view)
	if err != nil {
		return shot, err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	shot.PNG, err = tab.Capture(ctx, frame)
	shot.Warnings = slices.Concat(page.Warnings, sentences(tab.Mishaps()))
	return shot, err
}
