package widget_test

import (
	"image"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// TestPictures: pictures stand side by side within the width, each above its label, or
// not at all.
func TestPictures(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true})
	wide := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for i := range wide.Pix {
		wide.Pix[i] = 0xff
	}
	tall := image.NewRGBA(image.Rect(0, 0, 90, 160))
	pictures := []widget.Picture{{Label: "1 Bars", Image: tall}, {Label: "2 A name that is far too long for the room below", Image: wide}, {Label: "3 円", Image: wide}}
	for width := 10; width <= 140; width++ {
		text := widget.Pictures(th, pictures, width)
		if room := width/3 - 2; (text != "") != (room >= 16) {
			t.Errorf("%d columns: %q", width, text)
		}
		lines := strings.Split(text, "\n")
		for _, line := range lines {
			if got := ansi.StringWidth(line); got > width || text != "" && got != ansi.StringWidth(lines[0]) {
				t.Errorf("%d columns: the line %q has %d, the first %d", width, line, got, ansi.StringWidth(lines[0]))
			}
		}
	}
	if got := widget.Pictures(theme.New(theme.Options{Colors: theme.Colors16, UTF8: true}), pictures, 120); got != "" {
		t.Errorf("16 colours: %q", got)
	}
	if got := widget.Halves(th, image.NewRGBA(image.Rectangle{}), 20); got != nil {
		t.Errorf("an empty picture: %q", got)
	}
	if got := len(widget.Halves(th, wide, 32)); got != 9 {
		t.Errorf("a picture of 32 columns and 16:9 has %d lines, want 9", got)
	}
}
