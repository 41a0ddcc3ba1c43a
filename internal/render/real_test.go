package render_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// serve is a Build that takes a directory as it is.
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

// realTab adapts a tab of the browser.
type realTab struct{ *browser.Tab }

func (t realTab) Capture(ctx context.Context, frame int) ([]byte, error) {
	f, err := t.Tab.Capture(ctx, frame)
	return f.PNG, err
}

// realConfig renders with the browser and the ffmpeg of this machine.
func realConfig(t testing.TB, cache string) render.Config {
	t.Helper()
	host := hostos.New(t.TempDir())
	probes := t.TempDir()
	cfg := render.Config{
		Build:    serve,
		Probe:    func(ctx context.Context) (koda.CaptureInfo, error) { return browser.CachedProbe(ctx, host, "", probes) },
		Fonts:    render.LocalFonts,
		FFmpeg:   ffmpeg.New(host, ""),
		CacheDir: cache,
		Now:      time.Now,
	}
	cfg.Open = func(ctx context.Context, page koda.Page, view koda.Viewport) (render.Tab, error) {
		info, err := cfg.Probe(ctx)
		if err != nil {
			return nil, err
		}
		tab, err := browser.Open(ctx, browser.Options{Host: host, Info: info, Page: page, Viewport: view})
		if err != nil {
			return nil, err
		}
		return realTab{tab}, nil
	}
	return cfg
}
