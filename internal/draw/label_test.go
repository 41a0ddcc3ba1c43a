package draw_test

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/koda-video/koda/internal/draw"
)

func TestLabel(t *testing.T) {
	t.Parallel()
	for text, wide := range map[string]int{"v1": 2*6 - 1 + 4, "v0123456789 - v2": 16*6 - 1 + 4} {
		data, err := draw.Label(text, 3)
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil || c.Width != 3*wide || c.Height != 33 {
			t.Errorf("%q: %dx%d, %v, want %dx33", text, c.Width, c.Height, err, 3*wide)
		}
	}
	if _, err := draw.Label("two", 1); err == nil {
		t.Error("a text without glyphs was drawn")
	}
}
