package widget

import (
	"image"
	"image/color"

	"golang.org/x/image/draw"
)

// edgeColor is the edge of [Wipe]: it is seen on light and on dark pictures.
var edgeColor = color.RGBA{R: 0xe8, G: 0x79, B: 0xf9, A: 255}

// Wipe is a picture whose left part shows a and whose right part shows b. The edge between
// them lies from 0, the left side, to 1. Pictures of different sizes are shown as large as
// they fit, in the middle; a nil picture is black.
func Wipe(a, b image.Image, edge float64) image.Image {
	box := common(a, b)
	left, right := within(a, box), within(b, box)
	at := min(max(int(edge*float64(box.Dx())), 0), box.Dx())
	draw.Draw(left, image.Rect(at, 0, box.Dx(), box.Dy()), right, image.Pt(at, 0), draw.Src)
	if thick := max(box.Dx()/192, 1); at > 0 && at < box.Dx() {
		line := image.Rect(at-thick, 0, at+thick, box.Dy())
		draw.Draw(left, line, image.NewUniform(edgeColor), image.Point{}, draw.Src)
	}
	return left
}

// The light of [Difference].
const (
	dimmed = 5  // what is equal has a fifth of its light
	noise  = 24 // differences of a channel up to here come from the compression of pictures
	dark   = 64 // where b is darker than this, the lighter of both pixels is shown
)

// Difference is the picture b in which what differs from a is lit, and the rest is dimmed
// and grey. It says also how much differs, from 0 to 1. Sizes are treated as in [Wipe].
func Difference(a, b image.Image) (img image.Image, share float64) {
	box := common(a, b)
	old, out := within(a, box), within(b, box)
	lit := 0
	for i := 0; i+3 < len(out.Pix); i += 4 {
		p, q := old.Pix[i:i+3], out.Pix[i:i+3]
		if max(apart(p[0], q[0]), apart(p[1], q[1]), apart(p[2], q[2])) > noise {
			lit++
			if light(q) < min(dark, light(p)) {
				copy(q, p)
			}
			continue
		}
		grey := light(q) / dimmed
		q[0], q[1], q[2] = grey, grey, grey
	}
	return out, float64(lit) / float64(max(len(out.Pix)/4, 1))
}

// light is how light a pixel is.
func light(p []uint8) uint8 { return uint8((2*int(p[0]) + 5*int(p[1]) + int(p[2])) / 8) }

func apart(a, b uint8) uint8 { return max(a, b) - min(a, b) }

// common is a box that holds both pictures.
func common(a, b image.Image) image.Rectangle {
	box := image.Rect(0, 0, 1, 1)
	for _, img := range []image.Image{a, b} {
		if img != nil {
			size := img.Bounds().Size()
			box = box.Union(image.Rect(0, 0, size.X, size.Y))
		}
	}
	return box
}

// within is a new picture with an image in the middle of a box, as large as it fits.
func within(img image.Image, box image.Rectangle) *image.RGBA {
	out := image.NewRGBA(box)
	draw.Draw(out, box, image.Black, image.Point{}, draw.Src)
	if img == nil || img.Bounds().Empty() {
		return out
	}
	size := img.Bounds().Size()
	if size == box.Size() {
		draw.Draw(out, box, img, img.Bounds().Min, draw.Src)
		return out
	}
	w, h := box.Dx(), size.Y*box.Dx()/size.X
	if h > box.Dy() {
		w, h = size.X*box.Dy()/size.Y, box.Dy()
	}
	corner := image.Pt((box.Dx()-w)/2, (box.Dy()-h)/2)
	draw.ApproxBiLinear.Scale(out, image.Rectangle{corner, corner.Add(image.Pt(w, h))}, img, img.Bounds(), draw.Src, nil)
	return out
}
