package ffmpeg_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (rewrite with -update; a change here must raise the capture version of package render):\n%s", file, d)
	}
}

func TestArgs(t *testing.T) {
	t.Parallel()
	rate := func(n, d int) koda.FPS { return koda.FPS{Num: n, Den: d} }
	for name, args := range map[string][]string{
		"final":    ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mp4", FPS: rate(60, 1), Width: 1920, Height: 1080, CRF: 18, Preset: "veryfast"}),
		"raw":      ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mp4", FPS: rate(60, 1), Width: 1920, Height: 1080, RawWidth: 1920, RawHeight: 1080, CRF: 18, Preset: "veryfast"}),
		"preview":  ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mp4", FPS: rate(15, 1), Width: 640, Height: 360, Scaled: true, CRF: 28, Preset: "veryfast"}),
		"ntsc":     ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mp4", FPS: rate(30000, 1001), Width: 720, Height: 480, CRF: 0, Preset: "slow"}),
		"join":     ffmpeg.JoinArgs(rate(60, 1), false, "/tmp/a.mp4"),
		"joinntsc": ffmpeg.JoinArgs(rate(24000, 1001), false, "/tmp/a.mp4"),
		"stilljpg": ffmpeg.StillArgs(koda.StillJob{Video: "/tmp/a.mp4", Frame: 150, Output: "/tmp/a.jpg"}),
		"stillpng": ffmpeg.StillArgs(koda.StillJob{Video: "/tmp/a.mp4", Output: "/tmp/a.PNG"}),
		"clear":    ffmpeg.StillArgs(koda.StillJob{Video: "/tmp/a.webm", Frame: 3, Alpha: true, Output: "/tmp/a.png"}),
		"clearmov": ffmpeg.StillArgs(koda.StillJob{Video: "/tmp/a.mov", Frame: 3, Alpha: true, Output: "/tmp/a.png"}),
		"strip":    ffmpeg.StripArgs(koda.StripJob{Every: 2, Width: 480, Height: 270, Output: "/tmp/a.mjpeg"}),
		"resize":   ffmpeg.ResizeArgs(640, 360),

		"webm":      ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.webm", Codec: ffmpeg.VP9, FPS: rate(60, 1), Width: 1920, Height: 1080, CRF: 24, Preset: "veryfast"}),
		"webmalpha": ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.webm", Codec: ffmpeg.VP9, Alpha: true, FPS: rate(60, 1), Width: 1920, Height: 1080, CRF: 24, Preset: "slow"}),
		"mov":       ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mov", Codec: ffmpeg.ProRes, Alpha: true, FPS: rate(24000, 1001), Width: 1920, Height: 1080}),
		"lossless":  ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mov", Codec: ffmpeg.PNG, Alpha: true, FPS: rate(30, 1), Width: 1920, Height: 1080}),
		"kept":      ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mov", Codec: ffmpeg.PNG, FPS: rate(50, 1), Width: 1920, Height: 1080, RawWidth: 1920, RawHeight: 1080}),
		"reduced":   ffmpeg.Args(ffmpeg.Spec{Output: "/tmp/a.mov", Codec: ffmpeg.PNG, Scaled: true, FPS: rate(20, 1), Width: 480, Height: 270}),
		"joinwebm":  ffmpeg.JoinArgs(rate(30000, 1001), true, "/tmp/a.webm"),
		"joinmov":   ffmpeg.JoinArgs(rate(60, 1), true, "/tmp/a.mov"),
		"palette":   ffmpeg.PaletteArgs("/tmp/p.png"),
		"gif":       ffmpeg.GIFArgs(rate(100, 3), "/tmp/p.png", "/tmp/a.gif"),
		"apng":      ffmpeg.APNGArgs(rate(30000, 1001), "/tmp/a.apng"),
		"frames":    ffmpeg.FramesArgs("/tmp/a"),
	} {
		golden(t, name+".args", strings.Join(args, "\n")+"\n")
	}
}

func TestConcatList(t *testing.T) {
	t.Parallel()
	got, err := ffmpeg.ConcatList([]koda.SegmentFile{{Path: "/a b/it's.mp4", Frames: 37}, {Path: "/c.mp4", Frames: 1}}, koda.FPS{Num: 30000, Den: 1001})
	want := "ffconcat version 1.0\nfile 'file:/a b/it'\\''s.mp4'\nduration 1.234566\nfile 'file:/c.mp4'\nduration 0.033366\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := ffmpeg.ConcatList([]koda.SegmentFile{{Path: "/a\n.mp4", Frames: 1}}, koda.FPS{Num: 60, Den: 1}); koda.CodeOf(err) != koda.CodeInvalidPath {
		t.Errorf("a line break in a path: %v", err)
	}
}

// A missing rate is an error, not an endless loop.
func TestArgs_NoRate(t *testing.T) {
	t.Parallel()
	if args := ffmpeg.Args(ffmpeg.Spec{}); len(args) == 0 {
		t.Error("no arguments")
	}
}
