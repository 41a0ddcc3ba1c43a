package render

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// A video of one colour is what a page gives that draws nothing: its code failed
// in silence, its root stayed empty, its pictures are missing. It may be meant, so
// it is a warning.

// flat is the one colour of a picture, such as "#ffffff", or "" when there are
// more. Raw pixels are as koda.CaptureInfo.Raw describes them.
func (p plan) flat(picture []byte) string {
	if p.view.Raw {
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

// emptiness is the warning of a video that shows one colour from its first frame
// to its last; "" of any other.
func (j *job) emptiness() string {
	for i := range j.plan.segments {
		if j.flat[i] == "" || j.flat[i] != j.flat[0] {
			return ""
		}
	}
	return fmt.Sprintf("every frame is the same empty picture, all of it %s: the page shows nothing", j.flat[0])
}
