package theme

import (
	"fmt"
	"image/color"
	"regexp"
)

// square stands before the code of a colour, and has the colour.
const square = "■"

var (
	code     = regexp.MustCompile(`#[0-9a-fA-F]{6}\b`)
	squaring = regexp.MustCompile(square + `(#[0-9a-fA-F]{6})\b`)
)

// Squares puts a square before each code of a colour, such as #ffcf3f, if the terminal can
// show the colour. It is for a text that is not laid out yet; see [Theme.Swatches].
func (t Theme) Squares(text string) string {
	if !t.Pixels() {
		return text
	}
	return code.ReplaceAllString(text, square+"$0")
}

// Swatches gives the squares in a text that is laid out their colours.
func (t Theme) Swatches(text string) string {
	if !t.Pixels() {
		return text
	}
	return squaring.ReplaceAllStringFunc(text, func(found string) string {
		c := color.RGBA{A: 255}
		if _, err := fmt.Sscanf(found[len(square):], "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
			return found
		}
		return seal(t.ground(38, c), "m") + square + seal("39", "m") + found[len(square):]
	})
}
