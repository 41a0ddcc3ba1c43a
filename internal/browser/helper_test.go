package browser_test

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// slots keeps this package at two browsers at once.
var slots = make(chan struct{}, 2)

var probed = sync.OnceValues(func() (koda.CaptureInfo, error) {
	return browser.Probe(context.Background(), hostos.New(""), browser.Wanted{})
})

func info(tb testing.TB) koda.CaptureInfo {
	tb.Helper()
	needs.Chromium(tb)
	info, err := probed()
	if err != nil {
		tb.Fatalf("%v: %s", err, koda.HintOf(err))
	}
	return info
}

// page makes a page of an index.html and further files, as path, content pairs.
func page(html string, files ...string) koda.Page {
	p := koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}}
	for i := 0; i+1 < len(files); i += 2 {
		kind := "text/javascript"
		for ext, mediaType := range map[string]string{".css": "text/css", ".svg": "image/svg+xml", ".webm": "video/webm", ".html": "text/html"} {
			if strings.HasSuffix(files[i], ext) {
				kind = mediaType
			}
		}
		p.Files[files[i]] = koda.PageFile{Type: kind, Body: []byte(files[i+1])}
	}
	return p
}

func options(tb testing.TB, p koda.Page) browser.Options {
	tb.Helper()
	return browser.Options{
		Host: hostos.New(tb.TempDir()), Info: info(tb), Page: p,
		Viewport: koda.Viewport{Width: 320, Height: 180, Scale: 1, FPS: koda.FPS{Num: 30, Den: 1}},
		Log:      func(line string) { tb.Log("page: " + line) },
	}
}

// testTab is a Tab that gives its slot back when it is closed.
type testTab struct {
	*browser.Tab
	release func()
}

func (t *testTab) Close() error {
	defer t.release()
	return t.Tab.Close()
}

// open opens a page and closes it with the test.
func open(tb testing.TB, opts browser.Options) *testTab {
	tb.Helper()
	tab, err := tryOpen(tb, opts)
	if err != nil {
		tb.Fatalf("open: %v\n%s", err, koda.DetailsOf(err))
	}
	return tab
}

func tryOpen(tb testing.TB, opts browser.Options) (*testTab, error) {
	tb.Helper()
	slots <- struct{}{}
	release := sync.OnceFunc(func() { <-slots })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tab, err := browser.Open(ctx, opts)
	if err != nil {
		release()
		return nil, err
	}
	t := &testTab{Tab: tab, release: release}
	tb.Cleanup(func() {
		if err := t.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return t, nil
}

func capture(tb testing.TB, tab *testTab, frame int) []byte {
	tb.Helper()
	f, err := tab.Capture(context.Background(), frame)
	if err != nil {
		tb.Fatalf("capture %d: %v\n%s", frame, err, koda.DetailsOf(err))
	}
	return f
}

func decode(tb testing.TB, frame []byte) image.Image {
	tb.Helper()
	p, err := png.Decode(bytes.NewReader(frame))
	if err != nil {
		tb.Fatalf("decode picture: %v", err)
	}
	return p
}

// pixelsOf are the raw pixels of a PNG.
func pixelsOf(tb testing.TB, shot []byte) []byte {
	tb.Helper()
	p := decode(tb, shot)
	rgba := image.NewNRGBA(image.Rectangle{Max: p.Bounds().Size()})
	draw.Draw(rgba, rgba.Rect, p, p.Bounds().Min, draw.Src)
	pixels := rgba.Pix
	for i := 0; i < len(pixels); i += 4 {
		pixels[i], pixels[i+2], pixels[i+3] = pixels[i+2], pixels[i], 0xff
	}
	return pixels
}

// ask returns the page's frame key; test pages report through it.
func ask(tb testing.TB, tab *testTab, frame int) string {
	tb.Helper()
	key, ok, err := tab.FrameKey(context.Background(), frame)
	if err != nil || !ok {
		tb.Fatalf("frame key %d: %v %v", frame, ok, err)
	}
	return key
}

// said returns the mishaps of a page, one line each.
func said(tab *testTab) string {
	var lines []string
	for _, m := range tab.Mishaps() {
		lines = append(lines, m.String())
	}
	return strings.Join(lines, "\n")
}
