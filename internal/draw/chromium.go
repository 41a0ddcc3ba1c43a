package draw

import (
	"context"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Chromium opens pages in the browser of a Host. Its methods are the functions that
// a [Config] needs.
type Chromium struct {
	Host   sandbox.Host
	Wanted browser.Wanted
	Dir    string       // directory of this machine that keeps the result of a probe
	Memory func() int64 // bytes a browser may use; 0 or nil: any number
	FFmpeg *ffmpeg.Tool // reads the films of a page
	// Opened, if not nil, is called with the CaptureInfo a page is opened with.
	Opened func(koda.CaptureInfo)
}

// Probe is [browser.CachedProbe].
func (c Chromium) Probe(ctx context.Context) (koda.CaptureInfo, error) {
	return browser.CachedProbe(ctx, c.Host, c.Wanted, c.Dir)
}

// Reprobe is [browser.Reprobe].
func (c Chromium) Reprobe(ctx context.Context) (koda.CaptureInfo, error) {
	return browser.Reprobe(ctx, c.Host, c.Wanted, c.Dir)
}

// Open is [browser.Open].
func (c Chromium) Open(ctx context.Context, info koda.CaptureInfo, page koda.Page, view koda.Viewport) (Tab, error) {
	if c.Opened != nil {
		c.Opened(info)
	}
	var memory int64
	if c.Memory != nil {
		memory = c.Memory()
	}
	tab, err := browser.Open(ctx, browser.Options{
		Host: c.Host, Info: info, Page: page, Viewport: view, Transparent: view.Transparent, Memory: memory, Film: c.film,
	})
	if err != nil {
		return nil, err
	}
	return tab, nil
}

// film decodes a video or a sound of a page.
func (c Chromium) film(ctx context.Context, file []byte) (browser.Film, error) {
	film, err := c.FFmpeg.OpenFilm(ctx, file)
	if err != nil {
		return nil, err
	}
	return film, nil
}
