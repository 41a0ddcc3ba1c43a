package widget_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

var (
	red   = color.RGBA{R: 200, A: 255}
	green = color.RGBA{G: 200, A: 255}
	black = color.RGBA{A: 255}
)

// plain is a picture of one colour, away from the origin.
func plain(w, h int, c color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rect(5, 7, 5+w, 7+h))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func TestWipe(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		a, b image.Image
		edge float64
		size image.Point
		want map[image.Point]color.RGBA
	}{
		{"in the middle", plain(40, 20, red), plain(40, 20, green), 0.5, image.Pt(40, 20), map[image.Point]color.RGBA{{0, 0}: red, {18, 19}: red, {21, 0}: green, {39, 19}: green}},
		{"all of a", plain(40, 20, red), plain(40, 20, green), 1, image.Pt(40, 20), map[image.Point]color.RGBA{{0, 0}: red, {39, 19}: red}},
		{"all of b", plain(40, 20, red), plain(40, 20, green), -3, image.Pt(40, 20), map[image.Point]color.RGBA{{0, 0}: green, {39, 19}: green}},
		{"another size", plain(40, 20, red), plain(20, 10, green), 0.5, image.Pt(40, 20), map[image.Point]color.RGBA{{0, 0}: red, {39, 19}: green}},
		{"another shape", plain(40, 20, red), plain(20, 40, green), 0.5, image.Pt(40, 40), map[image.Point]color.RGBA{{0, 0}: black, {0, 20}: red, {25, 0}: green, {39, 20}: black}},
		{"one is not there", nil, plain(40, 20, green), 0.5, image.Pt(40, 20), map[image.Point]color.RGBA{{0, 0}: black, {39, 19}: green}},
		{"none is there", nil, nil, 0.5, image.Pt(1, 1), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := widget.Wipe(test.a, test.b, test.edge)
			if got.Bounds().Size() != test.size {
				t.Errorf("size %v, want %v", got.Bounds().Size(), test.size)
			}
			for at, want := range test.want {
				if got.At(at.X, at.Y) != want {
					t.Errorf("at %v %v, want %v", at, got.At(at.X, at.Y), want)
				}
			}
		})
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	a, b := plain(40, 20, red), plain(40, 20, red)
	draw.Draw(a, image.Rect(5, 7, 15, 17), image.NewUniform(color.RGBA{R: 210, G: 10, A: 255}), image.Point{}, draw.Src) // as compression leaves it
	draw.Draw(b, image.Rect(15, 7, 25, 17), image.NewUniform(green), image.Point{}, draw.Src)                            // new
	draw.Draw(b, image.Rect(25, 7, 35, 17), image.Black, image.Point{}, draw.Src)                                        // gone
	img, share := widget.Difference(a, b)
	if share != 0.25 {
		t.Errorf("%v of the picture differs", share)
	}
	dim := color.RGBA{10, 10, 10, 255}
	for at, want := range map[image.Point]color.RGBA{{0, 0}: dim, {12, 5}: green, {22, 5}: red, {0, 19}: dim} {
		if got := img.At(at.X, at.Y); got != want {
			t.Errorf("at %v %v, want %v", at, got, want)
		}
	}
	if _, share := widget.Difference(a, nil); share != 1 {
		t.Errorf("%v of the picture differs from none", share)
	}
}

func TestDiffLines(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true})
	text := "--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n-old\n+new\n"
	styles := []theme.Style{th.Title, th.Title, th.Accent, th.Text, th.Bad, th.Good}
	var got, want, plain []string
	for i, l := range widget.DiffLines(text) {
		got, plain = append(got, l.Render(th)), append(plain, ansi.Strip(theme.Open(l.Render(th))))
		want = append(want, styles[i].Render(plain[i]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"--- a/x", "+++ b/x", "@@ -1 +1 @@", " same", "-old", "+new"}, plain); diff != "" {
		t.Error(diff)
	}
}
