package render_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// Rows share the frames that they do not change, if the page says that its keys hold
// what it reads of the parameters; else every row is drawn whole. Each video equals a
// render from nothing.
func TestRealRows(t *testing.T) {
	needs.Chromium(t)
	for keyed, want := range map[bool]string{true: "225 45 0 90", false: "225 225"} {
		files := fiveScenes(0, 70, 140, 210, 280)
		code := string(files["src/main.js"].Data)
		code = strings.Replace(code, "state.hues[", "(window.__kodaProps.hues ?? state.hues)[", 1)
		if keyed {
			code += "\nwindow.__kodaPropsKeyed = true"
		}
		files["src/main.js"].Data = []byte(code)
		m, err := koda.ParseManifest(files["koda.json"].Data)
		if err != nil {
			t.Fatal(err)
		}
		output := filepath.Join(t.TempDir(), "video.mp4")
		drawn := func(cache, props string) int {
			t.Helper()
			cfg := realConfig(t.TempDir(), cache)
			cfg.Build = func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
				return bundler().Build(ctx, files)
			}
			res, err := cfg.renderer().Render(t.Context(), files, koda.RenderSpec{
				ID: "r1", Kind: koda.RenderPreview, Width: 320, Height: 180, PageWidth: 320, PageHeight: 180, FPS: m.FPS, Props: json.RawMessage(props),
				Frames: 225, Duration: m.Duration, Cuts: m.Cuts(), Format: "mp4", CRF: 28, EncoderPreset: "veryfast", Output: output, Workers: 2,
			}, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
			}
			return res.Captured
		}
		cache := t.TempDir()
		rows := []string{`{"who": "ann"}`, `{"who": "bob", "hues": [0, 70, 140, 210, 20]}`, `{"who": "ann"}`, `{"who": "cid", "hues": [0, 70, 140, 30, 40]}`}
		if !keyed {
			rows = rows[:2]
		}
		var got []string
		for _, row := range rows {
			got = append(got, fmt.Sprint(drawn(cache, row)))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("keyed %v: frames drawn are %s, want %s", keyed, got, want)
		}
		shared := read(t, output)
		if drawn(t.TempDir(), rows[len(rows)-1]); !bytes.Equal(shared, read(t, output)) {
			t.Errorf("keyed %v: a render from nothing has other bytes", keyed)
		}
	}
}
