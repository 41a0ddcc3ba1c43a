package draw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// stillQuality is the quality of JPEG pictures, from 1 to 100.
const stillQuality = 92

// still makes a picture of a frame of a video.
func (d *Drawer) still(ctx context.Context, job koda.StillJob) error {
	if !job.Alpha || strings.HasSuffix(strings.ToLower(job.Output), ".png") {
		return d.cfg.FFmpeg.Still(ctx, job)
	}
	clear := job
	clear.Output += ".png"
	if err := d.cfg.FFmpeg.Still(ctx, clear); err != nil {
		return err
	}
	in, err := d.cfg.FFmpeg.Host().Open(clear.Output)
	if err != nil {
		return fmt.Errorf("read still: %w", err)
	}
	data, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("read still: %w", err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("read still: %w", err)
	}
	white := image.NewRGBA(picture.Bounds())
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(white, white.Rect, picture, white.Rect.Min, draw.Over)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, white, &jpeg.Options{Quality: stillQuality}); err != nil {
		return fmt.Errorf("make still: %w", err)
	}
	if err := atomicfile.Write(job.Output, out.Bytes(), 0o644); err != nil {
		return koda.DiskError("write still", err)
	}
	return nil
}
