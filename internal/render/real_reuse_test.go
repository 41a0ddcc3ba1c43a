package render_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

var bundler = sync.OnceValue(func() *bundle.Bundler {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return bundle.New(bundle.Config{CacheDir: filepath.Join(dir, "koda-test")})
})

// fiveScenes is a page of five scenes of 1.5 s, 45 frames. Each scene is drawn from
// a number of its own in state.json, and the frame key covers that number.
func fiveScenes(hues ...int) fstest.MapFS {
	state := strings.Join(strings.Fields(fmt.Sprint(hues)), ", ")
	return fstest.MapFS{
		"koda.json": {Data: []byte(`{"schema": 1, "name": "scenes", "width": 320, "height": 180, "fps": 30, "duration": 7.5,
			"scenes": [{"start": 0}, {"start": 1.5}, {"start": 3}, {"start": 4.5}, {"start": 6}]}`)},
		"index.html":     {Data: []byte(`<!doctype html><body style="margin:0"><div id=box style="position:absolute;top:40px;width:90px;height:90px;border-radius:30px"></div><script type="module" src="/src/main.js"></script>`)},
		"src/state.json": {Data: []byte(`{"hues": ` + state + `}`)},
		"src/main.js": {Data: []byte(`import state from './state.json?keyed'
const at = (t) => ({ hue: state.hues[Math.min(4, Math.floor(t / 1.5))], x: Math.round(Math.min(1, (t % 1.5) / 1.2) * 200) })
window.__kodaFrameKey = (t) => JSON.stringify(at(t))
window.__exportSeekTo = (t) => {
  const { hue, x } = at(t)
  box.style.background = 'hsl(' + hue + ' 80% 50%)'
  box.style.transform = 'translateX(' + x + 'px) rotate(' + x + 'deg)'
}
window.__exportSeekTo(0)
window.__exportReady = true`)},
	}
}

// When one scene of five changes, this fifth of the video is drawn, and the rest is
// reused. When a change reaches into later scenes, they are drawn too. The video
// equals a render from nothing, by any number of workers.
func TestRealReuse(t *testing.T) {
	needs.Chromium(t)
	cache, output := t.TempDir(), filepath.Join(t.TempDir(), "video.mp4")
	made := func(cache string, workers int, hues ...int) (drawn []string) {
		t.Helper()
		cfg := realConfig(t.TempDir(), cache)
		cfg.Build = func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
			return bundler().Build(ctx, files)
		}
		files := fiveScenes(hues...)
		m, err := koda.ParseManifest(files["koda.json"].Data)
		if err != nil {
			t.Fatal(err)
		}
		res, err := cfg.renderer().Render(t.Context(), files, koda.RenderSpec{
			ID: "r1", Kind: koda.RenderPreview, Width: 320, Height: 180, PageWidth: 320, PageHeight: 180, FPS: m.FPS,
			Frames: 225, Duration: m.Duration, Cuts: m.Cuts(), Format: "mp4", CRF: 28, EncoderPreset: "veryfast",
			Output: output, Workers: workers, Explain: true,
		}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		for _, r := range res.Ranges {
			if !r.Reused {
				drawn = append(drawn, fmt.Sprintf("%d-%d %s", r.First, r.Last, r.Reason))
			}
		}
		return drawn
	}
	for _, c := range []struct {
		about string
		hues  []int
		drawn []string
	}{
		{"first", []int{0, 70, 140, 210, 280}, []string{"0-224 first"}},
		{"the fourth scene changed", []int{0, 70, 140, 20, 280}, []string{"135-179 frame-keys"}},
		{"changed back", []int{0, 70, 140, 210, 280}, nil},
		{"the third changed, and with it the fourth", []int{0, 70, 30, 40, 280}, []string{"90-179 frame-keys"}},
	} {
		if drawn := made(cache, 2, c.hues...); !slices.Equal(drawn, c.drawn) {
			t.Errorf("%s: drawn are %q, want %q", c.about, drawn, c.drawn)
		}
	}
	got := read(t, output)
	made(t.TempDir(), 1, 0, 70, 30, 40, 280)
	if !bytes.Equal(got, read(t, output)) {
		t.Error("a render from nothing, by one worker, has other bytes")
	}
}
