package ffmpeg_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
)

// patches is a picture of coloured fields over a moving line.
func patches(n, side int, colors []color.NRGBA) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, side*len(colors), side))
	for x := range img.Rect.Dx() {
		for y := range side {
			c := colors[x/side]
			if y < 4 {
				c = color.NRGBA{uint8(5 * n), 40, 90, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return encodePNG(img)
}

var (
	opaque = []color.NRGBA{
		{80, 91, 81, 255}, {255, 255, 255, 255}, {250, 249, 247, 255}, {0, 0, 0, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255},
	}
	clear = append(slices.Clone(opaque), color.NRGBA{200, 100, 50, 128}, color.NRGBA{0, 0, 0, 0}, color.NRGBA{255, 255, 255, 1})
)

const side = 32

// at is the colour of a field of a picture.
func at(img image.Image, field int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(field*side+side/2, side/2)).(color.NRGBA)
}

func near(a, b uint8, tolerance int) bool {
	return max(int(a)-int(b), int(b)-int(a)) <= tolerance
}

// compare checks the fields of a picture, alpha included, within a tolerance.
func compare(t *testing.T, what string, img image.Image, want []color.NRGBA, tolerance int) {
	t.Helper()
	for i, w := range want {
		got := at(img, i)
		ok := near(got.A, w.A, tolerance/2)
		if w.A > 100 {
			ok = ok && near(got.R, w.R, tolerance) && near(got.G, w.G, tolerance) && near(got.B, w.B, tolerance)
		}
		if !ok {
			t.Errorf("%s: %v came back as %v", what, w, got)
		}
	}
}

// Joined segments of each codec: all frames last equally long, colours are tagged
// and right, and encoding again gives the same bytes.
func TestJoinFormats(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	ntsc := koda.FPS{Num: 30000, Den: 1001}
	for _, c := range []struct {
		name    string
		fps     koda.FPS
		spec    ffmpeg.Spec
		colors  []color.NRGBA
		want    ffmpeg.Media
		decoder []string
	}{
		{"webm", ntsc, ffmpeg.Spec{Codec: ffmpeg.VP9, CRF: 4, Preset: "veryfast"}, opaque, ffmpeg.Media{Codec: "vp9", Color: ffmpeg.BT709}, nil},
		{
			"webm with alpha", koda.FPS{Num: 60, Den: 1}, ffmpeg.Spec{Codec: ffmpeg.VP9, CRF: 4, Preset: "fast", Alpha: true}, clear,
			ffmpeg.Media{Codec: "vp9", Color: ffmpeg.BT709, Alpha: true}, []string{"-c:v", "libvpx-vp9"},
		},
		{"mov", ntsc, ffmpeg.Spec{Codec: ffmpeg.ProRes, Alpha: true}, clear, ffmpeg.Media{Codec: "prores", Color: ffmpeg.BT709}, nil},
		{"mov at 60", koda.FPS{Num: 60, Den: 1}, ffmpeg.Spec{Codec: ffmpeg.ProRes, Alpha: true}, clear, ffmpeg.Media{Codec: "prores", Color: ffmpeg.BT709}, nil},
	} {
		dir := t.TempDir()
		var segments []koda.SegmentFile
		c.spec.FPS, c.spec.Width, c.spec.Height = c.fps, side*len(c.colors), side
		for i := range 200 {
			file := filepath.Join(dir, fmt.Sprintf("%d.%s", i%2, c.spec.Codec.Extension()))
			if i < 2 {
				c.spec.Output = file
				encode(t, tool, c.spec, 37, func(n int) []byte { return patches(n, side, c.colors) })
				if first := read(t, file); i == 1 && !bytes.Equal(first, read(t, segments[0].Path)) {
					t.Errorf("%s: encoding twice gave different bytes", c.name)
				}
			}
			segments = append(segments, koda.SegmentFile{Path: file, Frames: 37})
		}
		out := filepath.Join(dir, "out."+c.spec.Codec.Extension())
		if err := tool.Join(t.Context(), segments, c.spec.FPS, c.spec.Alpha, out); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, koda.DetailsOf(err))
		}
		want := c.want
		want.Width, want.Height, want.FPS, want.Frames, want.Even, want.Indexed = c.spec.Width, c.spec.Height, c.fps, 7400, true, true
		want.Duration = 7400 * float64(c.fps.Den) / float64(c.fps.Num)
		if c.spec.Codec == ffmpeg.VP9 {
			want.Duration = float64(int(want.Duration*1000+0.5)) / 1000
		}
		if d := cmp.Diff(want, inspect(t, out)); d != "" {
			t.Errorf("%s at %v: %s", c.name, c.fps, d)
		}
		shown := times(t, out)
		for n, at := range shown {
			exact := float64(n) * float64(shown[1])
			if c.spec.Codec == ffmpeg.VP9 {
				exact = float64(n) * 1000 * float64(c.fps.Den) / float64(c.fps.Num)
			}
			if d := float64(at) - exact; len(shown) != 7400 || d < -0.51 || d > 0.51 {
				t.Fatalf("%s at %v: frame %d of %d is shown at %d, not %v", c.name, c.fps, n, len(shown), at, exact)
			}
		}
		for _, n := range []int{0, 37, 739} {
			img := ffmpegtest.Frame(t, out, n, c.decoder...)
			compare(t, fmt.Sprintf("%s, frame %d", c.name, n), img, c.colors, 2)
			if line := color.NRGBAModel.Convert(img.At(3, 1)).(color.NRGBA); !near(line.R, uint8(n%37*5), 6) {
				t.Errorf("%s: frame %d shows the line %v, not %d", c.name, n, line, n%37*5)
			}
		}
	}
}

// Pictures are kept to the bit in a directory of frames and in an APNG, and with at
// most 255 colours in a GIF; each at its rate.
func TestAnimate(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := filepath.Join(t.TempDir(), "100%d") // ffmpeg replaces %d by the number of a picture
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var segments []koda.SegmentFile
	var all [][]byte
	for i := range 3 {
		spec := ffmpeg.Spec{
			Output: filepath.Join(dir, fmt.Sprintf("%d.mov", i)), Codec: ffmpeg.PNG, Alpha: true, FPS: koda.FPS{Num: 25, Den: 1}, Width: side * len(clear), Height: side,
		}
		encode(t, tool, spec, 7, func(n int) []byte {
			all = append(all, patches(7*i+n, side, clear))
			return all[len(all)-1]
		})
		if m := inspect(t, spec.Output); m.Codec != "png" || m.Frames != 7 || m.Width != spec.Width || !m.Even {
			t.Errorf("segment %+v", m)
		}
		segments = append(segments, koda.SegmentFile{Path: spec.Output, Frames: 7})
	}
	if err := os.Mkdir(filepath.Join(dir, "frames"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := tool.Frames(t.Context(), segments, koda.FPS{Num: 25, Den: 1}, filepath.Join(dir, "frames")); err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	for n, want := range all {
		same(t, fmt.Sprintf("frame %d", n), decoded(t, read(t, filepath.Join(dir, "frames", fmt.Sprintf("frame_%05d.png", n)))), decoded(t, want))
	}
	for _, c := range []struct {
		format string
		fps    koda.FPS
		colors []color.NRGBA
	}{
		{"gif", koda.FPS{Num: 50, Den: 1}, opaque}, {"gif", koda.FPS{Num: 100, Den: 3}, opaque}, {"gif", koda.FPS{Num: 10, Den: 1}, opaque},
		{"apng", koda.FPS{Num: 60, Den: 1}, clear}, {"apng", koda.FPS{Num: 30000, Den: 1001}, clear},
	} {
		out := filepath.Join(dir, "a."+c.format)
		if err := tool.Animate(t.Context(), segments, c.fps, c.format, filepath.Join(dir, "palette.png"), out); err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
		first := read(t, out)
		want := ffmpeg.Media{
			Codec: c.format, Width: side * len(clear), Height: side, FPS: c.fps, Frames: 21, Even: true, Indexed: true,
			Duration: 21 * float64(c.fps.Den) / float64(c.fps.Num),
		}
		if d := cmp.Diff(want, inspect(t, out)); d != "" {
			t.Errorf("%s: %s", c.format, d)
		}
		tolerance := map[string]int{"gif": 3, "apng": 0}[c.format]
		for _, n := range []int{0, 7, 20} {
			compare(t, fmt.Sprintf("%s, frame %d", c.format, n), ffmpegtest.Frame(t, out, n), c.colors, tolerance)
		}
		if err := tool.Animate(t.Context(), segments, c.fps, c.format, filepath.Join(dir, "palette.png"), out); err != nil || !bytes.Equal(first, read(t, out)) {
			t.Errorf("%s: made twice it has different bytes, %v", c.format, err)
		}
	}
}

// A file of any format that is cut anywhere is not taken for a whole file.
func TestInspectCut(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	spec := ffmpeg.Spec{Output: filepath.Join(dir, "a.mov"), Codec: ffmpeg.PNG, FPS: koda.FPS{Num: 25, Den: 1}, Width: 32, Height: 32}
	encode(t, tool, spec, 3, func(n int) []byte { return picture(n, 32, 32) })
	segments := []koda.SegmentFile{{Path: spec.Output, Frames: 3}}
	for _, format := range []string{"gif", "apng"} {
		if err := tool.Animate(t.Context(), segments, spec.FPS, format, filepath.Join(dir, "p.png"), filepath.Join(dir, "a."+format)); err != nil {
			t.Fatal(err)
		}
	}
	spec = ffmpeg.Spec{Output: filepath.Join(dir, "a.webm"), Codec: ffmpeg.VP9, Preset: "veryfast", FPS: koda.FPS{Num: 25, Den: 1}, Width: 32, Height: 32}
	encode(t, tool, spec, 3, func(n int) []byte { return picture(n, 32, 32) })
	for _, name := range []string{"a.mov", "a.gif", "a.apng", "a.webm"} {
		whole := read(t, filepath.Join(dir, name))
		for n := range len(whole) {
			if m, err := ffmpeg.Inspect(bytes.NewReader(whole[:n]), int64(n)); err == nil {
				t.Fatalf("%s: %d of %d bytes pass for %+v", name, n, len(whole), m)
			}
		}
	}
}

func TestCanWrite(t *testing.T) {
	t.Parallel()
	bare := fake(t, `echo " ------"; echo " V....D libx264 H.264"; echo " V....D png PNG"`)
	if err := bare.CanWrite(t.Context(), "mp4"); err != nil {
		t.Error(err)
	}
	for _, format := range []string{"webm", "mov", "gif"} {
		err := bare.CanWrite(t.Context(), format)
		if koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(err.Error(), "cannot write "+format) || !strings.Contains(koda.HintOf(err), "apt install ffmpeg") || !strings.Contains(koda.HintOf(err), "brew install ffmpeg") {
			t.Errorf("%s: %v, hint %q", format, err, koda.HintOf(err))
		}
	}
	for _, format := range []string{"webm", "mov", "gif", "apng", "png"} {
		if err := newTool(t).CanWrite(t.Context(), format); err != nil {
			t.Error(err)
		}
	}
}

// The error for an ffmpeg that lacks koda's options differs from the error for an
// ffmpeg without H.264.
func TestTooOld(t *testing.T) {
	t.Parallel()
	for version, old := range map[string]bool{
		"4.4.2-0ubuntu0.22.04.1": true, "n5.0.3": true, "5.1.9-0+deb12u1": false, "7.1": false, "N-109468-gd39b34123d": false, "git-2026-01-01": false,
	} {
		b, err := fake(t, "echo 'ffmpeg version "+version+" Copyright' >&2").Build(t.Context())
		if old != (err != nil) || old && (koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(err.Error(), version+"; koda needs 5.1") || koda.HintOf(err) == "") {
			t.Errorf("%s: %+v, %v", version, b, err)
		}
	}
}
