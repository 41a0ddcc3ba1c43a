package render_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"testing"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// In formats that always keep alpha, a page that fills every frame is drawn without
// alpha. A page that leaves only its last frame unfilled is drawn with alpha from
// the start, by any number of workers, and the next render knows it.
func TestFilled(t *testing.T) {
	t.Parallel()
	draw := func(w *world, workers int) (raw []bool, digest string, res koda.RenderResult) {
		cfg := w.config()
		opens := make(chan bool, 100)
		open := cfg.Open
		cfg.Open = func(ctx context.Context, info koda.CaptureInfo, page koda.Page, view koda.Viewport) (draw.Tab, error) {
			if view.Raw == view.Transparent {
				t.Errorf("raw %v, transparent %v", view.Raw, view.Transparent)
			}
			opens <- view.Raw
			return open(ctx, info, page, view)
		}
		s := spec(t)
		s.Format, s.Output, s.Workers = "png", filepath.Join(t.TempDir(), "frames"), workers
		res, err := cfg.renderer().Render(t.Context(), project(5), s, nil)
		if err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
		close(opens)
		for is := range opens {
			raw = append(raw, is)
		}
		return raw, res.SHA256, res
	}
	pixels := func() *world {
		w := newWorld(t)
		w.info.Method = koda.MethodFramebuffer
		return w
	}
	filled := pixels()
	filled.covers = func(int) bool { return true }
	raw, want, _ := draw(filled, 1)
	if !slices.Equal(raw, []bool{true, true}) || filled.drawn() != 150 {
		t.Errorf("a page that fills all frames: tabs are raw: %v", raw)
	}
	if raw, got, res := draw(filled, 2); len(raw) != 0 || got != want || res.Reused != 150 {
		t.Errorf("again: tabs are raw: %v, %+v", raw, res)
	}

	var clear string
	for _, workers := range []int{1, 2} {
		w := pixels()
		w.covers = func(frame int) bool { return frame != 149 }
		raw, got, res := draw(w, workers)
		first := slices.Index(raw, false)
		if first < 1 || !slices.Equal(raw[first:], []bool{false, false}) || got == want || res.Reused != 0 || clear != "" && got != clear {
			t.Errorf("a page that does not fill the last frame, by %d: tabs are raw: %v, %+v", workers, raw, res)
		}
		clear = got
		if raw, got, res := draw(w, workers); len(raw) != 0 || got != clear || res.Reused != 150 {
			t.Errorf("the same page again: tabs are raw: %v, %+v", raw, res)
		}
	}
	// Segments that were drawn without this check are not assumed to be filled.
	gif := pixels()
	s := spec(t)
	s.Format, s.Output, s.FPS, s.Frames = "gif", filepath.Join(t.TempDir(), "a.gif"), koda.FPS{Num: 20, Den: 1}, 100
	for _, format := range []string{"gif", "apng"} {
		s.Format, s.Output = format, filepath.Join(t.TempDir(), "a."+format)
		if res, err := gif.renderer().Render(t.Context(), project(5), s, nil); err != nil || res.Reused != 0 {
			t.Errorf("%s: %+v, %v", format, res, err)
		}
	}
}

// A page that fills its frames gives the same video by raw pixels as by
// screenshots: equal pictures as frames and in an apng, equal bytes as mov and gif.
func TestRealFilled(t *testing.T) {
	needs.Chromium(t)
	cfg := realConfig(t.TempDir(), t.TempDir())
	info, err := cfg.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Method != koda.MethodFramebuffer {
		t.Skipf("not where frames are captured by %s", info.Method)
	}
	shots := realConfig(t.TempDir(), t.TempDir())
	shots.Probe = func(context.Context) (koda.CaptureInfo, error) {
		info := info
		info.Method = "beginframe"
		return info, nil
	}
	open := cfg.Open
	cfg.Open = func(ctx context.Context, info koda.CaptureInfo, page koda.Page, view koda.Viewport) (draw.Tab, error) {
		if !view.Raw {
			t.Error("the pixels are not read from memory")
		}
		return open(ctx, info, page, view)
	}
	page := fieldsPage("background:#fff")
	dir := t.TempDir()
	for _, format := range []string{"png", "apng", "mov", "gif"} {
		var outputs []string
		for n, c := range []config{cfg, shots} {
			s := fieldsSpec(format, filepath.Join(dir, fmt.Sprintf("%d.%s", n, format)))
			if _, err := c.renderer().Render(t.Context(), page, s, nil); err != nil {
				t.Fatalf("%s: %v\n%s", format, err, koda.DetailsOf(err))
			}
			outputs = append(outputs, s.Output)
		}
		switch format {
		case "png":
			for n := range 10 {
				name := fmt.Sprintf("frame_%05d.png", n)
				samePixels(t, pictureOf(t, read(t, filepath.Join(outputs[0], name))), pictureOf(t, read(t, filepath.Join(outputs[1], name))), name)
			}
		case "apng":
			for n := range 10 {
				samePixels(t, ffmpegtest.Frame(t, outputs[0], n), ffmpegtest.Frame(t, outputs[1], n), fmt.Sprintf("apng, frame %d", n))
			}
		default:
			if !bytes.Equal(read(t, outputs[0]), read(t, outputs[1])) {
				t.Errorf("%s: other bytes", format)
			}
		}
	}
}

func samePixels(t *testing.T, a, b image.Image, what string) {
	t.Helper()
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%s: %v and %v", what, a.Bounds(), b.Bounds())
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if p, q := color.NRGBAModel.Convert(a.At(x, y)), color.NRGBAModel.Convert(b.At(x, y)); p != q {
				t.Fatalf("%s: at %d, %d %v and %v", what, x, y, p, q)
			}
		}
	}
}
