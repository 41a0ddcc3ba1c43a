package browser_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Two fresh tabs asked for the same frames give the same bytes, and the frames
// move.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	const frames = 12
	for name, html := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(html, "/wide.svg", wideSVG))
			opts.Page.WebGL = name == "webgl"
			var runs [2][frames][]byte
			for r := range runs {
				tab := open(t, opts)
				for n := range frames {
					runs[r][n] = capture(t, tab, n).PNG
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			}
			different := 0
			for n := range frames {
				if !bytes.Equal(runs[0][n], runs[1][n]) {
					t.Errorf("frame %d differs between two runs", n)
				}
				if n > 0 && !bytes.Equal(runs[0][n-1], runs[0][n]) {
					different++
				}
			}
			if different < 2 {
				t.Errorf("the page moved in %d of %d frames", different, frames)
			}
			if dir := os.Getenv("KODA_TEST_PICTURES"); dir != "" {
				_ = os.WriteFile(filepath.Join(dir, name+".png"), runs[0][frames-1], 0o600) //nolint:errcheck // for looking at
			}
		})
	}
}
