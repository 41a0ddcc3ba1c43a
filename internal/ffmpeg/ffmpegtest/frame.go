// Package ffmpegtest looks at videos in tests: as ffmpeg's decoders show them,
// not as koda's own reading of files does. It refuses to make any.
package ffmpegtest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"testing"

	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// Frame is frame n of a video, from 0, with alpha. Decoder are ffmpeg's arguments
// that choose one, where its own choice shows less than there is.
func Frame(t testing.TB, file string, n int, decoder ...string) image.Image {
	t.Helper()
	host := hostos.New(t.TempDir())
	program, err := host.LookPath("ffmpeg")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-nostdin", "-v", "error"}, decoder...)
	p, err := host.Start(t.Context(), sandbox.Program{Path: program, Args: append(args, "-i", file,
		"-vf", fmt.Sprintf(`select=eq(n\,%d),scale=in_color_matrix=bt709,format=rgba`, n), "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1")})
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err, p.StderrTail())
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}
