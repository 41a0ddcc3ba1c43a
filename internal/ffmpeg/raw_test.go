package ffmpeg_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// Raw pixels give the video that PNGs give.
func TestRawPictures(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	for _, size := range []image.Point{{160, 90}, {320, 180}} { // reduced, and not
		spec := ffmpeg.Spec{FPS: koda.FPS{Num: 30, Den: 1}, Width: 160, Height: 90, Scaled: size.X != 160, CRF: 18, Preset: "veryfast"}
		spec.Output = filepath.Join(t.TempDir(), "png.mp4")
		encode(t, tool, spec, 12, func(n int) []byte { return picture(n, size.X, size.Y) })
		want, err := os.ReadFile(spec.Output)
		if err != nil {
			t.Fatal(err)
		}
		spec.Output, spec.RawWidth, spec.RawHeight = filepath.Join(t.TempDir(), "raw.mp4"), size.X, size.Y
		encode(t, tool, spec, 12, func(n int) []byte { return rawPixels(t, picture(n, size.X, size.Y)) })
		if got, err := os.ReadFile(spec.Output); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: the videos differ, %v", size, err)
		}
	}
}

// rawPixels are the pixels of a PNG: blue, green, red and something.
func rawPixels(t testing.TB, picture []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	pixels := make([]byte, 0, 4*b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			pixels = append(pixels, byte(b>>8), byte(g>>8), byte(r>>8), byte(7*x))
		}
	}
	return pixels
}
