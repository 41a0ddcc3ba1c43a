// Package ffmpegtest looks at videos in tests as ffmpeg's decoders show them,
// without koda's own reader. It refuses to make videos.
package ffmpegtest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"testing"
)

// Frame is frame n of a video, from 0, with alpha. The levels are of 255, rounded if
// the file has more levels, as mov has. Decoder are ffmpeg's arguments to choose a
// decoder, for files that ffmpeg's own choice shows without alpha.
func Frame(t testing.TB, file string, n int, decoder ...string) image.Image {
	t.Helper()
	args := append([]string{"-nostdin", "-v", "error"}, decoder...)
	data := run(t, "ffmpeg", append(args, "-i", file,
		"-vf", fmt.Sprintf(`select=eq(n\,%d),scale=in_color_matrix=bt709,format=rgba|rgba64be`, n), "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1"))
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if deep, ok := img.(*image.NRGBA64); ok {
		return nearest(deep)
	}
	return img
}

// nearest rounds 16 bits to 8. ffmpeg's own way from 10 bits to 8 rounds up.
func nearest(deep *image.NRGBA64) *image.NRGBA {
	img := image.NewNRGBA(deep.Rect)
	for i := range img.Pix {
		img.Pix[i] = uint8((int(deep.Pix[2*i])<<8 + int(deep.Pix[2*i+1]) + 128) / 257)
	}
	return img
}
