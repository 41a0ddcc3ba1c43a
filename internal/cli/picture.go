package cli

import (
	"image"
	"strings"
	"time"

	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/widget"
)

// probeTime is how long a terminal has to say whether it shows pictures.
const probeTime = 250 * time.Millisecond

// cellWidth is how many pixels a column has about; sixels are drawn for it.
const cellWidth = 9

// way is how the terminal behind Out shows pictures.
func (a *app) way() graphics.Caps {
	setting := "auto"
	if a.deps.Settings != nil {
		if _, cfg, err := a.settings(); err == nil {
			setting = cfg.Pictures
		}
	}
	caps := graphics.Detect(a.io.Env, a.io.OutTTY, setting, a.probe())
	if caps.Mode == graphics.HalfBlocks && !a.look().out.Pixels() {
		caps.Mode = graphics.None
	}
	return caps
}

// probe asks the terminal; without a terminal there is no answer.
func (a *app) probe() func(string) (string, error) {
	if a.io.Screen == nil || !a.io.InTTY || !a.io.OutTTY {
		return func(string) (string, error) { return "", nil }
	}
	in, out := a.io.Screen()
	return graphics.Probe(in, out, probeTime)
}

// pictured is a picture as wide as columns; "" if the terminal shows none. It ends with a
// new line.
func (a *app) pictured(caps graphics.Caps, img image.Image, columns int) string {
	rows := graphics.Rows(img.Bounds().Size(), columns)
	switch caps.Mode {
	case graphics.Kitty:
		transmit, lines := caps.Kitty(1, graphics.Smaller(img, columns), columns, rows)
		return transmit + strings.Join(lines, "\n") + "\n"
	case graphics.ITerm2:
		return caps.ITerm2(graphics.Smaller(img, columns), columns, rows) + "\n"
	case graphics.Sixel:
		return caps.Sixel(img, columns*cellWidth) + "\n"
	case graphics.HalfBlocks:
		return strings.Join(widget.Halves(a.look().out, img, columns), "\n") + "\n"
	case graphics.None:
	}
	return ""
}
