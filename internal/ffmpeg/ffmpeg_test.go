package ffmpeg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

func newTool(t testing.TB) *ffmpeg.Tool {
	t.Helper()
	needs.FFmpeg(t)
	tool := ffmpeg.New(hostos.New(t.TempDir()), "")
	if _, err := tool.Build(t.Context()); err != nil {
		t.Fatalf("%v: %s", err, koda.HintOf(err))
	}
	return tool
}

// picture is frame n of a small moving scene.
func picture(n, width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{16, uint8(40 + 100*y/height), uint8(90 + 60*x/width), 255}
			if dx, dy := x-(n*3)%width, y-height/2; dx*dx+dy*dy < height*height/16 {
				c = color.RGBA{255, 90, 60, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return encodePNG(img)
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func encode(t testing.TB, tool *ffmpeg.Tool, spec ffmpeg.Spec, frames int, frame func(n int) []byte) {
	t.Helper()
	enc, err := tool.Encode(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Abort()
	for n := range frames {
		if err := enc.Write(frame(n)); err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
	}
	if err := enc.Finish(); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
}

func inspect(t testing.TB, file string) ffmpeg.Media {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, err := ffmpeg.Inspect(f, info.Size())
	if err != nil {
		t.Fatalf("inspect %s: %v", file, err)
	}
	return m
}

func TestEncodeInspectProbe(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	for _, c := range []struct {
		fps                   koda.FPS
		inW, inH, w, h, count int
	}{
		{koda.FPS{Num: 60, Den: 1}, 320, 180, 320, 180, 40},
		{koda.FPS{Num: 30000, Den: 1001}, 64, 64, 64, 64, 3},
		{koda.FPS{Num: 15, Den: 1}, 480, 270, 320, 180, 8},
		{koda.FPS{Num: 25, Den: 2}, 33, 17, 66, 34, 5},
		{koda.FPS{Num: 240, Den: 1}, 16, 16, 16, 16, 1},
		{koda.FPS{Num: 1, Den: 1}, 16, 16, 16, 16, 2},
	} {
		out := filepath.Join(t.TempDir(), "a.mp4")
		spec := ffmpeg.Spec{Output: out, FPS: c.fps, Width: c.w, Height: c.h, Scaled: c.inW != c.w, CRF: 18, Preset: "veryfast"}
		encode(t, tool, spec, c.count, func(n int) []byte { return picture(n, c.inW, c.inH) })
		want := ffmpeg.Media{
			Codec: "h264", Width: c.w, Height: c.h, FPS: c.fps, Frames: c.count,
			Duration: float64(c.count) * float64(c.fps.Den) / float64(c.fps.Num), Even: true, Color: ffmpeg.BT709,
		}
		if d := cmp.Diff(want, inspect(t, out)); d != "" {
			t.Errorf("%v: Inspect: %s", c, d)
		}
		probed := ffmpegtest.Probe(t, out)
		probed.Duration = "" // ffprobe rounds
		if d := cmp.Diff(ffmpegtest.Stream{
			Codec: "h264", Width: c.w, Height: c.h, Rate: fmt.Sprintf("%d/%d", c.fps.Num, c.fps.Den), Frames: c.count,
			Range: "tv", Matrix: "bt709", Primaries: "bt709", Transfer: "bt709",
		}, probed); d != "" {
			t.Errorf("%v: ffprobe: %s", c, d)
		}
		again := filepath.Join(t.TempDir(), "b.mp4")
		spec.Output = again
		encode(t, tool, spec, c.count, func(n int) []byte { return picture(n, c.inW, c.inH) })
		if !bytes.Equal(read(t, out), read(t, again)) {
			t.Errorf("%v: encoding twice gave different bytes", c)
		}
	}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The colours of a page come back from the video within two levels: 8-bit limited
// range cannot do better.
func TestColor(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	colors := []color.RGBA{
		{80, 91, 81, 255}, {255, 255, 255, 255}, {250, 249, 247, 255}, {0, 0, 0, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255},
		{255, 90, 60, 255}, {16, 21, 34, 255},
	}
	const side = 32
	img := image.NewRGBA(image.Rect(0, 0, side*len(colors), side))
	for x := range img.Rect.Dx() {
		for y := range side {
			img.SetRGBA(x, y, colors[x/side])
		}
	}
	frame := encodePNG(img)
	dir := t.TempDir()
	video := filepath.Join(dir, "a.mp4")
	spec := ffmpeg.Spec{Output: video, FPS: koda.FPS{Num: 30, Den: 1}, Width: img.Rect.Dx(), Height: side, CRF: 1, Preset: "veryfast"}
	encode(t, tool, spec, 3, func(int) []byte { return frame })
	for name, tolerance := range map[string]int{"a.png": 2, "a.jpg": 6} {
		still := filepath.Join(dir, name)
		if err := tool.Still(t.Context(), koda.StillJob{Video: video, Frame: 1, Output: still}); err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		got, _, err := image.Decode(bytes.NewReader(read(t, still)))
		if err != nil {
			t.Fatal(err)
		}
		if got.Bounds().Dx() != img.Rect.Dx() || got.Bounds().Dy() != side {
			t.Errorf("%s is %v", name, got.Bounds())
		}
		for i, want := range colors {
			c := color.RGBAModel.Convert(got.At(i*side+side/2, side/2)).(color.RGBA)
			for _, d := range []int{int(c.R) - int(want.R), int(c.G) - int(want.G), int(c.B) - int(want.B)} {
				if d < -tolerance || d > tolerance {
					t.Errorf("%s: %v came back as %v", name, want, c)
					break
				}
			}
		}
	}
}

func TestResize(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	b, err := tool.Resize(t.Context(), picture(0, 960, 540), 640, 360)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil || img.Bounds().Size() != image.Pt(640, 360) {
		t.Fatalf("got %v, %v", img.Bounds(), err)
	}
	if _, err := tool.Resize(t.Context(), []byte("not a picture"), 64, 64); koda.CodeOf(err) != koda.CodeEncodeFailed || koda.DetailsOf(err) == "" {
		t.Errorf("garbage: %v", err)
	}
}

// Two hundred segments of 37 frames, with B-frames, join into a video whose frames
// are all shown for equally long.
func TestJoin(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	for _, fps := range []koda.FPS{{Num: 60, Den: 1}, {Num: 30000, Den: 1001}, {Num: 25, Den: 2}} {
		dir := filepath.Join(t.TempDir(), "it's here")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		var files []string
		for i := range 4 {
			file := filepath.Join(dir, fmt.Sprintf("s%d.mp4", i))
			spec := ffmpeg.Spec{Output: file, FPS: fps, Width: 48, Height: 32, CRF: 20, Preset: "veryfast"}
			encode(t, tool, spec, 37, func(n int) []byte { return picture(n+37*i, 48, 32) })
			files = append(files, file)
		}
		var segments []koda.SegmentFile
		for i := range 200 {
			segments = append(segments, koda.SegmentFile{Path: files[i%len(files)], Frames: 37})
		}
		out := filepath.Join(dir, "out.mp4")
		if err := tool.Join(t.Context(), segments, fps, false, out); err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		want := ffmpeg.Media{
			Codec: "h264", Width: 48, Height: 32, FPS: fps, Frames: 7400, Duration: 7400 * float64(fps.Den) / float64(fps.Num),
			Even: true, Indexed: true, Color: ffmpeg.BT709,
		}
		if d := cmp.Diff(want, inspect(t, out)); d != "" {
			t.Errorf("%v: %s", fps, d)
		}
		shown := times(t, out)
		if len(shown) != 7400 || shown[0] != 0 {
			t.Fatalf("%v: %d frames from %d", fps, len(shown), shown[0])
		}
		for i := 1; i < len(shown); i++ {
			if d := shown[i] - shown[i-1]; d != shown[1] {
				t.Fatalf("%v: frame %d follows after %d ticks, frame 1 after %d", fps, i, d, shown[1])
			}
		}
	}
}

// times lists the presentation times of all packets in rising order.
func times(t *testing.T, file string) []int {
	t.Helper()
	host := hostos.New(t.TempDir())
	path, err := host.LookPath("ffprobe")
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.Start(t.Context(), sandbox.Program{
		Path: path, Args: []string{"-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0", file},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(p.Stdout())
	if err := errors.Join(err, p.Wait()); err != nil {
		t.Fatal(err)
	}
	var all []int
	for line := range strings.Lines(string(out)) {
		if line = strings.Trim(line, ",\n"); line == "" { // what follows a packet with side data
			continue
		}
		n, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// A joined video shows the same pictures as its segments, in order.
func TestJoinKeepsPictures(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	levels := func(n int) []byte {
		img := image.NewGray(image.Rect(0, 0, 32, 32))
		for i := range img.Pix {
			img.Pix[i] = uint8(10 * n)
		}
		return encodePNG(img)
	}
	fps := koda.FPS{Num: 30, Den: 1}
	var segments []koda.SegmentFile
	for i, span := range [][2]int{{0, 5}, {5, 6}, {6, 20}} {
		file := filepath.Join(dir, fmt.Sprintf("%d.mp4", i))
		spec := ffmpeg.Spec{Output: file, FPS: fps, Width: 32, Height: 32, CRF: 4, Preset: "medium"}
		encode(t, tool, spec, span[1]-span[0], func(n int) []byte { return levels(span[0] + n) })
		segments = append(segments, koda.SegmentFile{Path: file, Frames: span[1] - span[0]})
	}
	out := filepath.Join(dir, "out.mp4")
	if err := tool.Join(t.Context(), segments, fps, false, out); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 4, 5, 6, 13, 19} {
		still := filepath.Join(dir, "still.png")
		if err := tool.Still(t.Context(), koda.StillJob{Video: out, Frame: n, Output: still}); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(read(t, still)))
		if err != nil {
			t.Fatal(err)
		}
		if got := int(color.GrayModel.Convert(img.At(16, 16)).(color.Gray).Y); got < 10*n-3 || got > 10*n+3 {
			t.Errorf("frame %d shows level %d, want %d", n, got, 10*n)
		}
	}
}

// A file that is cut anywhere is not taken for a video.
func TestInspectTruncated(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	file := filepath.Join(t.TempDir(), "a.mp4")
	encode(t, tool, ffmpeg.Spec{Output: file, FPS: koda.FPS{Num: 60, Den: 1}, Width: 32, Height: 32, CRF: 20, Preset: "veryfast"}, 5,
		func(n int) []byte { return picture(n, 32, 32) })
	whole := read(t, file)
	for n := range len(whole) {
		if m, err := ffmpeg.Inspect(bytes.NewReader(whole[:n]), int64(n)); err == nil {
			t.Fatalf("%d of %d bytes pass for %+v", n, len(whole), m)
		}
	}
}

func FuzzInspect(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x08mdat\x00\x00\x00\x08moov"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = ffmpeg.Inspect(bytes.NewReader(b), int64(len(b)))
	})
}

func TestBuild(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	b, err := tool.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if b.Version == "unknown" || !strings.HasPrefix(b.X264, "core ") || len(b.ID) != 64 || !filepath.IsAbs(b.Path) {
		t.Errorf("got %+v", b)
	}
	names, err := tool.Encoders(t.Context())
	if err != nil || !slices.Contains(names, "libx264") || !slices.Contains(names, "png") {
		t.Errorf("encoders %v, %v", names, err)
	}
}

// scripted is a Host on which every program is a shell script.
type scripted struct {
	*hostos.Host
	script string
}

func (h scripted) Start(ctx context.Context, p sandbox.Program) (sandbox.Process, error) {
	p.Path, p.Args = "/bin/sh", []string{"-c", h.script}
	return h.Host.Start(ctx, p)
}

// fake is a Tool whose ffmpeg is a script.
func fake(t *testing.T, script string) *ffmpeg.Tool {
	t.Helper()
	return ffmpeg.New(scripted{hostos.New(t.TempDir()), script}, "/bin/sh")
}

func TestMissing(t *testing.T) {
	t.Parallel()
	host := hostos.New(t.TempDir())
	for name, tool := range map[string]*ffmpeg.Tool{
		"absent name": ffmpeg.New(host, "ffmpeg-of-nobody"), "absent path": ffmpeg.New(host, "/nowhere/ffmpeg"),
		"without x264": fake(t, "echo \"Unknown encoder 'libx264'\" >&2; exit 1"),
	} {
		_, err := tool.Build(t.Context())
		if koda.CodeOf(err) != koda.CodeMissingTool || koda.HintOf(err) == "" {
			t.Errorf("%s: %v, hint %q", name, err, koda.HintOf(err))
		}
	}
	if _, err := ffmpeg.New(host, "/nowhere/ffmpeg").Encode(t.Context(), ffmpeg.Spec{}); koda.CodeOf(err) != koda.CodeMissingTool {
		t.Errorf("Encode: %v", err)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	real := newTool(t)
	spec := ffmpeg.Spec{Output: filepath.Join(t.TempDir(), "a.mp4"), FPS: koda.FPS{Num: 60, Den: 1}, Width: 64, Height: 64, CRF: 20, Preset: "veryfast"}
	full, nowhere, unknown := spec, spec, spec
	full.Output, nowhere.Output, unknown.Preset = "/dev/full", "/nowhere/a.mp4", "quickest"
	for name, c := range map[string]struct {
		tool   *ffmpeg.Tool
		spec   ffmpeg.Spec
		frame  []byte
		code   koda.Code
		detail string
	}{
		"full disk":         {real, full, picture(0, 64, 64), koda.CodeDiskFull, "No space left"},
		"no such directory": {real, nowhere, picture(0, 64, 64), koda.CodeEncodeFailed, "/nowhere/a.mp4"},
		"garbage picture":   {real, spec, []byte("this is no picture"), koda.CodeEncodeFailed, "Invalid PNG signature"},
		"half a picture":    {real, spec, picture(0, 64, 64)[:300], koda.CodeEncodeFailed, "chunk too big"},
		"unknown preset":    {real, unknown, picture(0, 64, 64), koda.CodeEncodeFailed, "quickest"},
		"dies at once":      {fake(t, "echo gone >&2; exit 3"), spec, picture(0, 64, 64), koda.CodeEncodeFailed, "gone"},
		"dies half way":     {fake(t, "head -c 100000 >/dev/null; echo oh no >&2; exit 1"), spec, picture(0, 64, 64), koda.CodeEncodeFailed, "oh no"},
		"killed":            {fake(t, "head -c 1000 >/dev/null; kill -9 $$"), spec, picture(0, 64, 64), koda.CodeEncodeFailed, ""},
	} {
		enc, err := c.tool.Encode(t.Context(), c.spec)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for range 500 {
			if err = enc.Write(c.frame); err != nil {
				break
			}
		}
		if err == nil {
			err = enc.Finish()
		}
		if koda.CodeOf(err) != c.code || !strings.Contains(koda.DetailsOf(err), c.detail) || koda.HintOf(err) == "" {
			t.Errorf("%s: got %v (%s), details %q", name, err, koda.CodeOf(err), koda.DetailsOf(err))
		}
		enc.Abort() // does nothing
	}
}

func TestCancelEndsFFmpeg(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	ctx, cancel := context.WithCancel(t.Context())
	spec := ffmpeg.Spec{Output: filepath.Join(t.TempDir(), "a.mp4"), FPS: koda.FPS{Num: 60, Den: 1}, Width: 64, Height: 64, CRF: 20, Preset: "veryfast"}
	enc, err := tool.Encode(ctx, spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := enc.Write(picture(0, 64, 64)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := enc.Finish(); !errors.Is(err, context.Canceled) {
		t.Errorf("Finish after cancel: %v", err)
	}

	enc, err = tool.Encode(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	enc.Abort()
	if err := enc.Finish(); err == nil {
		t.Error("Finish after Abort says the video is complete")
	}
}

// BenchmarkEncode measures a 1080p frame by x264 preset, including the decoding of
// the PNG. bytes/frame is the encoded size.
func BenchmarkEncode(b *testing.B) {
	tool := newTool(b)
	var frames [][]byte
	for n := range 60 {
		frames = append(frames, picture(n, 1920, 1080))
	}
	for _, preset := range []string{"ultrafast", "superfast", "veryfast", "fast", "medium"} {
		b.Run(preset, func(b *testing.B) {
			out := filepath.Join(b.TempDir(), "a.mp4")
			spec := ffmpeg.Spec{Output: out, FPS: koda.FPS{Num: 60, Den: 1}, Width: 1920, Height: 1080, CRF: 18, Preset: preset}
			for b.Loop() {
				encode(b, tool, spec, len(frames), func(n int) []byte { return frames[n] })
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(frames)), "ms/frame")
			b.ReportMetric(float64(len(read(b, out)))/float64(len(frames)), "bytes/frame")
		})
	}
}
