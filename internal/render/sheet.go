package render

import (
	"context"
	"fmt"
	"io/fs"
	"math"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// sheetPixels bounds a contact sheet, which is made in memory.
const sheetPixels = 64 << 20

// Sheet draws count frames, spread evenly over the animation, as one PNG picture.
// The frames go from left to right and from top to bottom in the given number of
// columns, each frame width pixels wide. An animation with fewer frames fills fewer
// places. USAGE: the picture would be too large to look at.
func (r *Renderer) Sheet(ctx context.Context, files fs.FS, count, columns, width int) (sheet koda.Picture, err error) {
	page, m, err := r.cfg.Build(ctx, files, nil)
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
	return r.look(ctx, koda.LookJob{Page: page, View: view, Frames: frames, Width: width, Height: height, Columns: columns})
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
