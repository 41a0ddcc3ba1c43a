package render

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"path/filepath"
	"strings"
)

// stillQuality is that of JPEG pictures, from 1 to 100.
const stillQuality = 92

// still writes frame n of a segment as a picture, of the kind the name says.
// Where the video is transparent, so is a PNG; behind a JPEG, which cannot be,
// lies white, as behind the page in a browser.
func (j *job) still(ctx context.Context, segment string, n int, to io.Writer, name string) error {
	jpg := !strings.EqualFold(filepath.Ext(name), ".png")
	if !j.plan.view.Transparent {
		file := filepath.Join(j.tmp, "still"+filepath.Ext(name))
		if err := j.cfg.FFmpeg.Still(ctx, segment, n, file); err != nil {
			return err
		}
		return copyFrom(j.host, file, to, "write "+name)
	}
	file := filepath.Join(j.tmp, "still.png")
	if err := j.cfg.FFmpeg.ClearStill(ctx, segment, n, file); err != nil {
		return err
	}
	if !jpg {
		return copyFrom(j.host, file, to, "write "+name)
	}
	var data bytes.Buffer
	if err := copyFrom(j.host, file, &data, "read still"); err != nil {
		return err
	}
	picture, err := png.Decode(&data)
	if err != nil {
		return fmt.Errorf("read still: %w", err)
	}
	white := image.NewRGBA(picture.Bounds())
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(white, white.Rect, picture, white.Rect.Min, draw.Over)
	if err := jpeg.Encode(to, white, &jpeg.Options{Quality: stillQuality}); err != nil {
		return diskError("write "+name, err)
	}
	return nil
}
