package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// short are the pages of testdata/matrix that every test run draws: their pictures
// once differed from their screenshots.
var short = []string{"chart", "clip", "countdown", "neon"}

// TestMatrix draws pages that move in many ways, frame by frame, by reading pixels
// and by screenshots. Both must show the same, or koda could not read pixels in one
// segment and take screenshots in another. KODA_MATRIX=all draws all pages at the
// sizes of videos. KODA_MATRIX_PAGES adds pages: it names a directory of
// directories with an index.html each.
func TestMatrix(t *testing.T) {
	t.Parallel()
	sizes, first, frames := []image.Point{{480, 270}}, 20, 30
	pages := map[string]koda.Page{}
	if os.Getenv("KODA_MATRIX") == "all" {
		sizes, first, frames = []image.Point{{1920, 1080}, {1080, 1920}, {1080, 1080}}, 20, 30
		for name, html := range scenes {
			pages[name] = page(fullHD(html), "/wide.svg", wideSVG)
		}
		matrixPages(t, pages, "testdata/matrix/*.html")
		matrixPages(t, pages, filepath.Join(os.Getenv("KODA_MATRIX_PAGES"), "*/index.html"))
	} else {
		matrixPages(t, pages, "testdata/matrix/{"+strings.Join(short, ",")+"}.html")
	}
	var videos, all, differ, unconfirmed atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d pages and sizes, %d frames: %d differ from their screenshots, %d tabs were not confirmed", videos.Load(), all.Load(), differ.Load(), unconfirmed.Load())
	})
	for name, p := range pages {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %dx%d", name, size.X, size.Y), func(t *testing.T) {
				t.Parallel()
				opts := options(t, p)
				opts.Page.WebGL = strings.Contains(string(p.Files["/index.html"].Body), "webgl")
				opts.Viewport = koda.Viewport{Width: size.X, Height: size.Y, Scale: 1, FPS: koda.FPS{Num: 60, Den: 1}}
				shots := opts
				opts.Viewport.Raw = true
				if !opts.Info.Raw(opts.Page, opts.Viewport) {
					t.Skipf("not where frames are captured by %s", opts.Info.Method)
				}
				got, tab := make([][]byte, frames), open(t, opts)
				for n := range got {
					got[n] = bytes.Clone(capture(t, tab, first+n))
				}
				if err := tab.Confirm(t.Context()); err != nil {
					unconfirmed.Add(1)
					t.Error(err)
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
				tab = open(t, shots)
				for n := range got {
					all.Add(1)
					if want := pixelsOf(t, capture(t, tab, first+n)); !bytes.Equal(got[n], want) {
						differ.Add(1)
						t.Errorf("frame %d: %s", first+n, difference(got[n], want, size.X))
					}
				}
				videos.Add(1)
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// matrixPages adds each index.html of files to pages, with the files beside it.
func matrixPages(t *testing.T, pages map[string]koda.Page, pattern string) {
	t.Helper()
	var files []string
	before, list, braces := strings.Cut(pattern, "{")
	list, after, _ := strings.Cut(list, "}")
	for name := range strings.SplitSeq(list, ",") {
		one := pattern
		if braces {
			one = before + name + after
		}
		found, err := filepath.Glob(one)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, beside := strings.TrimSuffix(filepath.Base(file), ".html"), []string(nil)
		if name == "index" {
			name = filepath.Base(filepath.Dir(file))
			scripts, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.js"))
			if err != nil {
				t.Fatal(err)
			}
			for _, script := range scripts {
				text, err := os.ReadFile(script)
				if err != nil {
					t.Fatal(err)
				}
				beside = append(beside, "/"+filepath.Base(script), string(text))
			}
		}
		pages[name] = page(string(html), beside...)
	}
}

// difference says how many pixels of two pictures differ, by how much and where.
func difference(a, b []byte, width int) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d bytes, not %d", len(a), len(b))
	}
	n, most, box := 0, 0, image.Rectangle{}
	for i := 0; i < len(a); i += 4 {
		by := 0
		for c := range 3 {
			by = max(by, int(a[i+c])-int(b[i+c]), int(b[i+c])-int(a[i+c]))
		}
		if by > 0 {
			at := image.Pt(i/4%width, i/4/width)
			n, most, box = n+1, max(most, by), box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		}
	}
	return fmt.Sprintf("%d pixels differ by up to %d in %v", n, most, box)
}
