package draw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"github.com/koda-video/koda/internal/koda"
)

// sheetGap sets the gap between two pictures of a sheet: the width of a picture
// divided by sheetGap.
const sheetGap = 40

// Look opens a page and makes a PNG of one frame or of several frames, examines frames,
// or measures the cost of drawing. Errors are those of Draw.
func (d *Drawer) Look(ctx context.Context, job koda.LookJob) (seen koda.Looked, err error) {
	if job.Bench != nil {
		seen.Bench, err = d.bench(ctx, job)
		return seen, err
	}
	info, err := d.cfg.Probe(ctx)
	if err != nil {
		return seen, err
	}
	tab, err := d.cfg.Open(ctx, info, job.Page, job.View)
	if err != nil {
		return seen, err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	if job.Exam {
		return d.exam(ctx, tab, job)
	}
	if job.Columns > 0 {
		seen.PNG, err = d.sheet(ctx, tab, job)
	} else {
		seen.PNG, err = d.picture(ctx, tab, job, job.Frames[0])
	}
	seen.Mishaps = tab.Mishaps()
	return seen, err
}

// picture draws a frame at the size of the job.
func (d *Drawer) picture(ctx context.Context, tab Tab, job koda.LookJob, n int) ([]byte, error) {
	picture, err := tab.Capture(ctx, n)
	if err != nil {
		return nil, err
	}
	w, h, err := pictureSize(picture)
	if err != nil {
		return nil, failedAt(n, err)
	}
	if w == job.Width && h == job.Height {
		return picture, nil
	}
	return d.cfg.FFmpeg.Resize(ctx, picture, job.Width, job.Height)
}

// sheet draws the frames from left to right and from top to bottom.
func (d *Drawer) sheet(ctx context.Context, tab Tab, job koda.LookJob) ([]byte, error) {
	gap := max(1, job.Width/sheetGap)
	columns := min(job.Columns, len(job.Frames))
	rows := (len(job.Frames) + columns - 1) / columns
	all := image.NewRGBA(image.Rect(0, 0, columns*(job.Width+gap)+gap, rows*(job.Height+gap)+gap))
	draw.Draw(all, all.Rect, image.NewUniform(color.Gray{32}), image.Point{}, draw.Src)
	for i, n := range job.Frames {
		data, err := d.picture(ctx, tab, job, n)
		if err != nil {
			return nil, err
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, failedAt(n, err)
		}
		at := image.Pt(gap+i%columns*(job.Width+gap), gap+i/columns*(job.Height+gap))
		draw.Draw(all, image.Rectangle{at, at.Add(image.Pt(job.Width, job.Height))}, img, img.Bounds().Min, draw.Src)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, all); err != nil {
		return nil, fmt.Errorf("make sheet: %w", err)
	}
	return b.Bytes(), nil
}
