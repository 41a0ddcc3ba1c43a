package theme_test

import (
	"bytes"
	"image/color"
	"testing"

	"github.com/koda-video/koda/tui/theme"
)

// TestHalves: a line of a picture reaches the terminal as half blocks whose colours change
// only where the picture's do.
func TestHalves(t *testing.T) {
	t.Parallel()
	red, blue := color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}
	for colors, want := range map[theme.Colors]string{
		theme.TrueColor: "\x1b[38;2;255;0;0;48;2;0;0;255m▀▀\x1b[38;2;0;0;255;48;2;0;0;255m▀\x1b[m",
		theme.Colors256: "\x1b[38;5;196;48;5;21m▀▀\x1b[38;5;21;48;5;21m▀\x1b[m",
	} {
		th := theme.New(theme.Options{Colors: colors, UTF8: true})
		var got bytes.Buffer
		if _, err := theme.NewWriter(&got).Write([]byte(th.Halves([]color.RGBA{red, red, blue}, []color.RGBA{blue, blue, blue}))); err != nil {
			t.Fatal(err)
		}
		if got.String() != want || !th.Pixels() {
			t.Errorf("%d colours: %q, want %q", colors, got.String(), want)
		}
	}
	for _, o := range []theme.Options{{}, {Colors: theme.TrueColor}, {Colors: theme.Colors16, UTF8: true}} {
		if theme.New(o).Pixels() {
			t.Errorf("%+v shows pictures", o)
		}
	}
}
