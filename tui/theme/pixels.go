package theme

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Pictures draws pictures in its own way, instead of half blocks.
type Pictures interface {
	// Show is a picture that is columns wide, as lines to be written to a [Writer]; nil
	// if it cannot be shown.
	Show(img image.Image, columns int) []string
}

// With is the theme with pictures drawn by p.
func (t Theme) With(p Pictures) Theme {
	t.pictures = p
	return t
}

// Pictures is what draws pictures; nil: they are half blocks.
func (t Theme) Pictures() Pictures { return t.pictures }

// Pixels reports whether a picture can be shown with this theme: it draws pictures in its
// own way, or has 256 colours or more and the character of half a cell.
func (t Theme) Pixels() bool {
	return !t.blank && (t.pictures != nil || t.utf8 && t.colors >= Colors256)
}

// Halves is one line of a picture, to be written to a [Writer]: each column is a cell with
// one pixel in its upper half and one in its lower half. Upper and lower have the same
// length.
func (t Theme) Halves(upper, lower []color.RGBA) string {
	var b strings.Builder
	last := ""
	for i := range upper {
		if look := t.ground(38, upper[i]) + ";" + t.ground(48, lower[i]); look != last {
			b.WriteString(seal(look, "m"))
			last = look
		}
		b.WriteString("▀")
	}
	return b.String() + seal("", "m")
}

// ground are the parameters that set the colour of the foreground (38) or background (48).
func (t Theme) ground(layer int, c color.RGBA) string {
	if t.colors == TrueColor {
		return fmt.Sprintf("%d;2;%d;%d;%d", layer, c.R, c.G, c.B)
	}
	return fmt.Sprintf("%d;5;%d", layer, ansi.Convert256(c))
}
