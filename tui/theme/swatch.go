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
		look, plain := t.ground(38, c), "39"
		if t.fades(c) {
			look, plain = look+";"+t.ground(48, frame), "39;49"
		}
		return seal(look, "m") + square + seal(plain, "m") + found[len(square):]
	})
}

// frame is around the square of a colour that is hard to see on the terminal's own background.
var frame = color.RGBA{0x80, 0x80, 0x80, 0xff}

// fades reports whether a colour is nearly as dark, or as light, as the background.
func (t Theme) fades(c color.RGBA) bool {
	bright := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
	return !t.light && bright < 44 || t.light && bright > 216
}
