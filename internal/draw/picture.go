package draw

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// checkPicture refuses a picture of another size than the page at the scale of the
// view: ffmpeg would scale it silently.
func checkPicture(picture []byte, spec ffmpeg.Spec, view koda.Viewport) error {
	if spec.RawWidth > 0 {
		if want := 4 * spec.RawWidth * spec.RawHeight; len(picture) != want {
			return fmt.Errorf("the picture has %d bytes, not %d", len(picture), want)
		}
		return nil
	}
	w, h, err := pictureSize(picture)
	if err != nil {
		return err
	}
	wantW, wantH := view.Pixels()
	if math.Abs(float64(w)-wantW) > 1 || math.Abs(float64(h)-wantH) > 1 {
		return fmt.Errorf("the picture has %dx%d pixels, not %.0fx%.0f", w, h, wantW, wantH)
	}
	return nil
}

var pngStart = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")

// pictureSize reads the size of a PNG.
func pictureSize(png []byte) (width, height int, err error) {
	if len(png) < len(pngStart)+8 || !bytes.HasPrefix(png, pngStart) {
		return 0, 0, errors.New("the browser gave no picture")
	}
	return int(binary.BigEndian.Uint32(png[16:])), int(binary.BigEndian.Uint32(png[20:])), nil
}

// flat is the one colour of a picture, such as "#ffffff", or "" when the picture
// has more colours. Raw pixels are in the form that koda.CaptureInfo.Raw describes.
func flat(picture []byte, raw bool) string {
	if raw {
		if !repeats(picture) {
			return ""
		}
		return fmt.Sprintf("#%02x%02x%02x", picture[2], picture[1], picture[0])
	}
	w, h, err := pictureSize(picture)
	if err != nil || len(picture) > 4096+w*h/32 { // a picture of one colour packs well
		return ""
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return ""
	}
	var pixels []byte
	switch img := img.(type) {
	case *image.RGBA:
		pixels = img.Pix
	case *image.NRGBA:
		pixels = img.Pix
	}
	switch {
	case !repeats(pixels):
		return ""
	case pixels[3] == 0:
		return "transparent"
	}
	return fmt.Sprintf("#%02x%02x%02x", pixels[0], pixels[1], pixels[2])
}

// repeats reports whether all pixels of four bytes are the same.
func repeats(pixels []byte) bool {
	return len(pixels) >= 4 && bytes.Equal(pixels[4:], pixels[:len(pixels)-4])
}

// edgeBlock is the side of the squares of pixels of koda.Edge: noise at the edges
// of shapes hardly changes their means.
const edgeBlock = 16

// means are the mean colours of the squares of a picture, row by row, as bytes. Raw
// pixels have the given width, a PNG has its own width.
func means(picture []byte, width int) ([]byte, error) {
	pix, stride, order := picture, 4*width, [3]int{2, 1, 0}
	if bytes.HasPrefix(picture, pngStart) {
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			return nil, fmt.Errorf("read picture: %w", err)
		}
		rgba, ok := img.(*image.RGBA)
		if !ok {
			rgba = image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
			draw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, draw.Src)
		}
		pix, stride, order = rgba.Pix, rgba.Stride, [3]int{0, 1, 2}
	}
	if stride < 4 || len(pix) < stride || len(pix)%stride != 0 {
		return nil, fmt.Errorf("read picture: it has %d bytes", len(pix))
	}
	var all []byte
	sums := make([]int, (stride/4+edgeBlock-1)/edgeBlock*len(order))
	for y := 0; y < len(pix); {
		clear(sums)
		rows := 0
		for ; rows < edgeBlock && y < len(pix); rows, y = rows+1, y+stride {
			for x := 0; x < stride; x += 4 {
				at := x / 4 / edgeBlock * len(order)
				for c, of := range order {
					sums[at+c] += int(pix[y+x+of])
				}
			}
		}
		for i, sum := range sums {
			n := rows * min(edgeBlock, stride/4-i/len(order)*edgeBlock)
			all = append(all, byte((sum+n/2)/n))
		}
	}
	return all, nil
}
