package render_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

var bundler = sync.OnceValue(func() *bundle.Bundler {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return bundle.New(bundle.Config{CacheDir: filepath.Join(dir, "koda-test")})
})

// fiveScenes is a page of five scenes of 2 s, each drawn from its own line of
// state.json, which the frame key covers.
func fiveScenes(hues ...int) fstest.MapFS {
	state := strings.Join(strings.Fields(fmt.Sprint(hues)), ", ")
	return fstest.MapFS{
		"koda.json":      {Data: []byte(`{"schema": 1, "name": "scenes", "width": 320, "height": 180, "fps": 30, "duration": 10}`)},
		"index.html":     {Data: []byte(`<!doctype html><body style="margin:0"><div id=box style="position:absolute;top:40px;width:90px;height:90px;border-radius:30px"></div><script type="module" src="/src/main.js"></script>`)},
		"src/state.json": {Data: []byte(`{"hues": ` + state + `}`)},
		"src/main.js": {Data: []byte(`import state from './state.json?keyed'
const at = (t) => ({ hue: state.hues[Math.min(4, Math.floor(t / 2))], x: Math.round(Math.min(1, (t % 2) / 1.5) * 200) })
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

// One scene of five changed: what it is not in is not drawn again, and the video
// is that of a render from nothing.
func TestRealReuse(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	made := func(cache string, files fs.FS, name string) koda.RenderResult {
		t.Helper()
		cfg := realConfig(t.TempDir(), cache)
		cfg.Build = func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
			return bundler().Build(ctx, files)
		}
		res, err := render.New(cfg).Render(t.Context(), files, koda.RenderSpec{
			ID: "r1", Kind: koda.RenderPreview, Width: 320, Height: 180, PageWidth: 320, PageHeight: 180, FPS: koda.FPS{Num: 30, Den: 1},
			Frames: 300, Duration: 10, Format: "mp4", CRF: 28, EncoderPreset: "veryfast", Output: filepath.Join(dir, name), Workers: 2,
		}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		return res
	}
	if res := made(cache, fiveScenes(0, 70, 140, 210, 280), "first.mp4"); res.Captured != 300 {
		t.Errorf("first: %+v", res)
	}
	// The fourth scene is frames 180 to 239, in the third and the last segment.
	changed := fiveScenes(0, 70, 140, 20, 280)
	if res := made(cache, changed, "changed.mp4"); res.Captured != 150 {
		t.Errorf("the fourth scene changed: %d frames were drawn", res.Captured)
	}
	made(t.TempDir(), changed, "whole.mp4")
	if !bytes.Equal(read(t, filepath.Join(dir, "changed.mp4")), read(t, filepath.Join(dir, "whole.mp4"))) {
		t.Error("a render from nothing has other bytes")
	}
	if res := made(cache, fiveScenes(0, 70, 140, 210, 280), "back.mp4"); res.Captured != 0 {
		t.Errorf("changed back: %d frames were drawn", res.Captured)
	}
}
