package ffmpeg_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
)

// Raw pixels give the same video as PNGs.
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

// Raw pixels that are kept as PNG, as frames and in an APNG, are equal to the bit.
// Scaled raw pixels give the same bytes as PNGs.
func TestRawPicturesKept(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	spec := ffmpeg.Spec{
		Output: filepath.Join(dir, "a.mov"), Codec: ffmpeg.PNG, FPS: koda.FPS{Num: 25, Den: 1}, Width: 322, Height: 182, RawWidth: 322, RawHeight: 182,
	}
	var all []image.Image
	encode(t, tool, spec, 9, func(n int) []byte {
		data := picture(n, 322, 182)
		all = append(all, decoded(t, data))
		return rawPixels(t, data)
	})
	segments := []koda.SegmentFile{{Path: spec.Output, Frames: 9}}
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "frames"), 0o755),
		tool.Frames(t.Context(), segments, spec.FPS, filepath.Join(dir, "frames")),
		tool.Animate(t.Context(), segments, spec.FPS, "apng", "", filepath.Join(dir, "a.apng")),
	); err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	for n, want := range all {
		same(t, fmt.Sprintf("frame %d", n), decoded(t, read(t, filepath.Join(dir, "frames", fmt.Sprintf("frame_%05d.png", n)))), want)
		same(t, fmt.Sprintf("frame %d of the apng", n), ffmpegtest.Frame(t, filepath.Join(dir, "a.apng"), n), want)
	}
	spec.Width, spec.Height, spec.Scaled = 160, 90, true
	encode(t, tool, spec, 5, func(n int) []byte { return rawPixels(t, picture(n, 322, 182)) })
	raw := read(t, spec.Output)
	spec.RawWidth, spec.RawHeight = 0, 0
	encode(t, tool, spec, 5, func(n int) []byte { return picture(n, 322, 182) })
	if !bytes.Equal(raw, read(t, spec.Output)) {
		t.Error("scaled raw pixels differ from scaled PNGs")
	}
}

// PNGs without alpha that have the size of the video are kept byte for byte.
func TestPicturesKept(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	spec := ffmpeg.Spec{Output: filepath.Join(dir, "a.mov"), Codec: ffmpeg.PNG, FPS: koda.FPS{Num: 25, Den: 1}, Width: 64, Height: 48}
	encode(t, tool, spec, 3, func(n int) []byte { return picture(n, 64, 48) })
	if err := tool.Frames(t.Context(), []koda.SegmentFile{{Path: spec.Output, Frames: 3}}, spec.FPS, dir); err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	for n := range 3 {
		if !bytes.Equal(picture(n, 64, 48), read(t, filepath.Join(dir, fmt.Sprintf("frame_%05d.png", n)))) {
			t.Errorf("frame %d has other bytes", n)
		}
	}
}

func decoded(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// same checks that every pixel is equal, alpha included.
func same(t testing.TB, what string, got, want image.Image) {
	t.Helper()
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s: %v, not %v", what, got.Bounds(), want.Bounds())
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if a, b := color.NRGBAModel.Convert(got.At(x, y)), color.NRGBAModel.Convert(want.At(x, y)); a != b {
				t.Fatalf("%s: at %d, %d it is %v, not %v", what, x, y, a, b)
			}
		}
	}
}

// rawPixels are the pixels of a PNG: blue, green, red and an unused byte.
func rawPixels(t testing.TB, picture []byte) []byte {
	t.Helper()
	img := decoded(t, picture)
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
