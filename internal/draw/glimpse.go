package draw

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"time"

	"golang.org/x/image/draw"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

const (
	glimpseEvery   = time.Second / 2
	glimpseShare   = 100 // a glimpse may take one part in so many of the time
	glimpseQuality = 70
)

// glimpser makes small pictures of the frames of a segment, at most one in half a
// second, and fewer where they are dear, as of PNGs. A nil glimpser makes none.
type glimpser struct {
	now   func() time.Time
	width int // of raw pixels; 0: pictures are PNGs
	due   time.Time
}

// of is a glimpse of frame n, or nil if none is due. A picture that cannot be read gives
// none: a glimpse fails no video.
func (g *glimpser) of(picture []byte, n int, fps koda.FPS) *koda.Glimpse {
	if g == nil {
		return nil
	}
	began := g.now()
	if began.Before(g.due) {
		return nil
	}
	small := g.small(picture)
	ended := g.now()
	g.due = ended.Add(max(glimpseEvery, glimpseShare*ended.Sub(began)))
	if small == nil {
		return nil
	}
	return &koda.Glimpse{Frame: n, Time: timeline.Seconds(n, fps), JPEG: small}
}

// small is a picture as a small JPEG; nil if it cannot be read.
func (g *glimpser) small(picture []byte) []byte {
	var src image.Image
	op := draw.Over
	if stride := 4 * g.width; g.width > 0 && len(picture) >= stride {
		src = &image.RGBA{Pix: picture, Stride: stride, Rect: image.Rect(0, 0, g.width, len(picture)/stride)}
		op = draw.Src
	} else if img, err := png.Decode(bytes.NewReader(picture)); err == nil {
		src = img
	} else {
		return nil
	}
	size := src.Bounds().Size()
	longer := max(size.X, size.Y)
	side := min(koda.GlimpseSide, longer)
	dst := image.NewRGBA(image.Rect(0, 0, max(1, size.X*side/longer), max(1, size.Y*side/longer)))
	draw.Draw(dst, dst.Rect, image.White, image.Point{}, draw.Src) // a page without a background is white
	draw.ApproxBiLinear.Scale(dst, dst.Rect, src, src.Bounds(), op, nil)
	if g.width > 0 { // raw pixels are blue, green, red
		for i := 0; i < len(dst.Pix); i += 4 {
			dst.Pix[i], dst.Pix[i+2] = dst.Pix[i+2], dst.Pix[i]
		}
	}
	var b bytes.Buffer
	if jpeg.Encode(&b, dst, &jpeg.Options{Quality: glimpseQuality}) != nil {
		return nil
	}
	return b.Bytes()
}
