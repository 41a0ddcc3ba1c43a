package render_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// serve is a Build that serves a directory without bundling it.
func serve(_ context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
	page := koda.Page{Files: map[string]koda.PageFile{}}
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		kind, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(name)), ";")
		page.Files["/"+name] = koda.PageFile{Type: kind, Body: body}
		page.WebGL = page.WebGL || strings.Contains(string(body), "webgl")
		fmt.Fprintf(sum, "%q %x\n", name, sha256.Sum256(body))
		return nil
	})
	if err != nil {
		return koda.Page{}, koda.Manifest{}, err
	}
	page.Digest = hex.EncodeToString(sum.Sum(nil))
	m, err := koda.ParseManifest(page.Files["/koda.json"].Body)
	return page, m, err
}

// probed finds out once how frames are captured here.
var probed = sync.OnceValues(func() (koda.CaptureInfo, error) {
	return browser.Probe(context.Background(), hostos.New(""), browser.Wanted{})
})

// realConfig renders with the browser and the ffmpeg of this machine and keeps
// temporary files in tmp.
func realConfig(tmp, cache string) config {
	host := hostos.New(tmp)
	tool := ffmpeg.New(host, "")
	return config{
		Build:    serve,
		Probe:    func(context.Context) (koda.CaptureInfo, error) { return probed() },
		Open:     draw.Chromium{Host: host, FFmpeg: tool}.Open,
		Fonts:    draw.LocalFonts,
		FFmpeg:   tool,
		CacheDir: cache,
		Now:      time.Now,
	}
}

// ballSpec is the ball at 640×360 and 30 frames a second, in two segments. The frames
// are drawn at half the page's size and then reduced.
func ballSpec(output string) koda.RenderSpec {
	return koda.RenderSpec{
		ID: "r1", Kind: koda.RenderPreview, Width: 640, Height: 360, PageWidth: 1920, PageHeight: 1080, FPS: koda.FPS{Num: 30, Den: 1},
		Frames: 120, Duration: 4, Format: "mp4", CRF: 28, EncoderPreset: "veryfast", Output: output, Workers: 2,
	}
}

// One worker renders what is killed: of two, both could stand at the failpoint with nothing kept.
func realCrashRender(dir string) error {
	spec := ballSpec(filepath.Join(dir, "out", "video.mp4"))
	spec.Workers = 1
	_, err := realConfig(filepath.Join(dir, "tmp"), filepath.Join(dir, "cache")).renderer().Render(context.Background(), os.DirFS(ballDir), spec, nil)
	return err
}

const ballDir = "testdata/ball"

// The same project gives the same bytes again: from a copied directory with
// another cache, by one worker, and after a kill that left no process behind.
func TestRealBytes(t *testing.T) {
	needs.Chromium(t)
	dir := t.TempDir()
	first, err := realConfig(t.TempDir(), t.TempDir()).renderer().Render(t.Context(), os.DirFS(ballDir), ballSpec(filepath.Join(dir, "first.mp4")), nil)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, koda.HintOf(err), koda.DetailsOf(err))
	}
	if first.Captured != 120 || first.Duration != 4 || first.GL != "none" {
		t.Errorf("%+v", first)
	}
	want := read(t, filepath.Join(dir, "first.mp4"))

	moved := filepath.Join(dir, "copy")
	if err := os.CopyFS(moved, os.DirFS(ballDir)); err != nil {
		t.Fatal(err)
	}
	spec := ballSpec(filepath.Join(dir, "second.mp4"))
	spec.Workers = 1
	if _, err := realConfig(t.TempDir(), t.TempDir()).renderer().Render(t.Context(), os.DirFS(moved), spec, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, read(t, spec.Output)) {
		t.Error("a copy gives other bytes")
	}

	killed := t.TempDir()
	if err := runCrash(t, killed, crashReal+"=1", "KODA_FAILPOINT=render.segment:2"); err == nil {
		t.Fatal("it was not killed")
	}
	waitUntilNobodyMentions(t, killed)
	spec = ballSpec(filepath.Join(killed, "out", "video.mp4"))
	res, err := realConfig(filepath.Join(killed, "tmp"), filepath.Join(killed, "cache")).renderer().Render(t.Context(), os.DirFS(ballDir), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Reused != 60 || res.Captured != 60 || !bytes.Equal(want, read(t, spec.Output)) {
		t.Errorf("after the kill: %+v", res)
	}
}

// waitUntilNobodyMentions waits until no process has dir in its arguments. Such
// processes end a moment after their pipe is closed.
func waitUntilNobodyMentions(t *testing.T, dir string) {
	t.Helper()
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	deadline := time.After(15 * time.Second)
	for {
		var left []string
		procs, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range procs {
			if b, err := os.ReadFile(p); err == nil && bytes.Contains(b, []byte(dir)) {
				left = append(left, string(bytes.ReplaceAll(b, []byte{0}, []byte{' '})))
			}
		}
		if len(left) == 0 {
			return
		}
		select {
		case <-ticks.C:
		case <-deadline:
			t.Fatalf("still running: %q", left)
		}
	}
}

// The picture in the video is the page's picture: colours, text and the parameters
// it was given.
func TestRealPicture(t *testing.T) {
	needs.Chromium(t)
	page := fstest.MapFS{
		"koda.json": {Data: []byte(`{"schema": 1, "name": "colors", "width": 320, "height": 180, "fps": 30, "duration": 1}`)},
		"index.html": {Data: []byte(`<!doctype html><body style="margin:0"><div id=a style="position:absolute;width:160px;height:180px;background:rgb(80,91,81)"></div>
<div id=b style="position:absolute;left:160px;width:160px;height:180px"></div>
<script>window.__exportSeekTo = (t) => { b.style.background = t < 0.5 ? '#faf9f7' : window.__kodaProps.color }; window.__exportReady = true</script>`)},
	}
	dir := t.TempDir()
	spec := koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: 320, Height: 180, PageWidth: 320, PageHeight: 180, FPS: koda.FPS{Num: 30, Den: 1}, Frames: 30, Duration: 1,
		Format: "mp4", CRF: 4, EncoderPreset: "veryfast", Output: filepath.Join(dir, "a.mp4"), Thumbnail: filepath.Join(dir, "a.png"),
		Props: json.RawMessage(`{"color": "rgb(255, 0, 0)"}`),
	}
	r := realConfig(t.TempDir(), t.TempDir()).renderer()
	if _, err := r.Render(t.Context(), page, spec, nil); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	img, err := png.Decode(bytes.NewReader(read(t, spec.Thumbnail)))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]color.RGBA{80: {80, 91, 81, 255}, 240: {255, 0, 0, 255}} {
		got := color.RGBAModel.Convert(img.At(x, 90)).(color.RGBA)
		if off(got.R, want.R) > 2 || off(got.G, want.G) > 2 || off(got.B, want.B) > 2 {
			t.Errorf("at %d the video shows %v, the page %v", x, got, want)
		}
	}
	still, err := r.Still(t.Context(), page, 0.2, 160, 90)
	if err != nil {
		t.Fatal(err)
	}
	if img, err = png.Decode(bytes.NewReader(still.PNG)); err != nil || img.Bounds().Dx() != 160 {
		t.Fatalf("still: %v", err)
	}
	if got := color.RGBAModel.Convert(img.At(120, 45)).(color.RGBA); got != (color.RGBA{0xfa, 0xf9, 0xf7, 255}) {
		t.Errorf("the still shows %v", got)
	}
}

func off(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// A page's mistake is reported once, and no file is left behind.
func TestRealPageFails(t *testing.T) {
	needs.Chromium(t)
	page := fstest.MapFS{
		"koda.json":  {Data: []byte(`{"schema": 1, "name": "throws", "width": 320, "height": 180, "fps": 30, "duration": 1}`)},
		"index.html": {Data: []byte(`<!doctype html><script>window.__exportSeekTo = (t) => { if (t > 0.4) throw new Error('no such frame') }; window.__exportReady = true</script>`)},
	}
	tmp, dir := t.TempDir(), t.TempDir()
	r := realConfig(tmp, filepath.Join(dir, "cache")).renderer()
	spec := koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: 320, Height: 180, PageWidth: 320, PageHeight: 180, FPS: koda.FPS{Num: 30, Den: 1}, Frames: 30, Duration: 1,
		Format: "mp4", CRF: 4, EncoderPreset: "veryfast", Output: filepath.Join(dir, "a.mp4"),
	}
	_, err := r.Render(t.Context(), page, spec, nil)
	if koda.CodeOf(err) != koda.CodePageFailed || !strings.Contains(err.Error()+koda.DetailsOf(err), "no such frame") {
		t.Errorf("got %v (%s)", err, koda.CodeOf(err))
	}
	waitUntilNobodyMentions(t, tmp)
	if left := list(t, tmp); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
