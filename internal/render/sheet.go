package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// The bounds of a contact sheet. sheetPixels keeps it in memory.
const (
	sheetPixels = 64 << 20
	sheetGap    = 40 // of a picture's width, one part is between two
)

// Sheet draws count frames spread evenly over the animation, from left to right
// and from top to bottom in so many columns, each width pixels wide, as one PNG
// picture. An animation of fewer frames fills fewer places. USAGE when it would
// not be a picture that can be looked at.
func (r *Renderer) Sheet(ctx context.Context, files fs.FS, count, columns, width int) (sheet koda.Picture, err error) {
	page, m, err := r.cfg.Build(ctx, files)
	if err != nil {
		return sheet, err
	}
	height := int(math.Round(float64(width) * float64(m.Height) / float64(m.Width)))
	if columns < 1 || count < 1 || width < koda.MinSide || width > koda.MaxSide || count > sheetPixels/max(1, width*max(1, height)) {
		return sheet, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("a sheet of %d pictures in %d columns, %d pixels wide each, cannot be made", count, columns, width),
			Hint: "the default is 12 in 4 columns, 320 pixels wide",
		}
	}
	frames := sheetFrames(timeline.Frames(m.Duration, m.FPS), count)
	view := koda.Viewport{
		Width: m.Width, Height: m.Height, FPS: m.FPS,
		Scale: captureScale(preset.Size{Width: m.Width, Height: m.Height}, preset.Size{Width: width, Height: height}),
	}
	tab, err := r.cfg.Open(ctx, page, view)
	if err != nil {
		return sheet, err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	gap := max(1, width/sheetGap)
	columns = min(columns, len(frames))
	rows := (len(frames) + columns - 1) / columns
	all := image.NewRGBA(image.Rect(0, 0, columns*(width+gap)+gap, rows*(height+gap)+gap))
	draw.Draw(all, all.Rect, image.NewUniform(color.Gray{32}), image.Point{}, draw.Src)
	for i, n := range frames {
		img, err := r.cell(ctx, tab, n, width, height)
		if err != nil {
			return sheet, err
		}
		at := image.Pt(gap+i%columns*(width+gap), gap+i/columns*(height+gap))
		draw.Draw(all, image.Rectangle{at, at.Add(image.Pt(width, height))}, img, img.Bounds().Min, draw.Src)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, all); err != nil {
		return sheet, fmt.Errorf("make sheet: %w", err)
	}
	return koda.Picture{PNG: b.Bytes(), Warnings: slices.Concat(page.Warnings, sentences(tab.Mishaps()))}, nil
}

// cell draws a frame at the size of a picture of the sheet.
func (r *Renderer) cell(ctx context.Context, tab Tab, n, width, height int) (image.Image, error) {
	data, err := tab.Capture(ctx, n)
	if err != nil {
		return nil, err
	}
	failed := func(err error) error {
		return &koda.Error{Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("capture frame %d", n), Err: err}
	}
	w, h, err := pictureSize(data)
	if err != nil {
		return nil, failed(err)
	}
	if w != width || h != height {
		if data, err = r.cfg.FFmpeg.Resize(ctx, data, width, height); err != nil {
			return nil, err
		}
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, failed(err)
	}
	return img, nil
}

// sheetFrames are the middles of equal parts of an animation.
func sheetFrames(frames, places int) []int {
	places = min(places, frames)
	at := make([]int, places)
	for i := range at {
		at[i] = (2*i + 1) * frames / (2 * places)
	}
	return at
}
