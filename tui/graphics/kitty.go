package graphics

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"golang.org/x/image/draw"

	"github.com/koda-video/koda/tui/theme"
)

// farthest is how many rows and columns placeholders can number.
const farthest = 297

// mostSent bounds the pictures that are sent to a terminal as pixels, in pixels a column.
const mostSent = 16

// Kitty is a picture in a box of columns and rows, both to be written to a
// [theme.Writer]. The terminal keeps the picture's shape and puts it into the middle.
//
// Transmit gives the terminal the picture, with all its pixels: scale a large one first.
// It draws nothing and moves no cursor. It is written whole, in one piece, before the
// lines. Each line is a row of the box, and is text: it is cut, moved and drawn over as
// text is. Transmitting another picture by the same id changes what the lines show. Behind
// tmux a picture that is transmitted while tmux draws everything anew is lost: transmit
// again after a change of size.
//
// An id names one picture of the terminal, from 1 to 255. Without pixels or room, or
// with id 0, there is no picture: transmit is "" and lines are nil. The box has 297
// columns and rows at most.
func (c Caps) Kitty(id uint8, img image.Image, columns, rows int) (transmit string, lines []string) {
	if transmit = c.Transmit(id, img, columns, rows); transmit == "" {
		return "", nil
	}
	return transmit, Placeholders(id, columns, rows)
}

// Transmit is the first part of [Caps.Kitty].
func (c Caps) Transmit(id uint8, img image.Image, columns, rows int) string {
	data := encodePNG(img)
	if id == 0 || data == nil || columns < 1 || rows < 1 {
		return ""
	}
	columns, rows = min(columns, farthest), min(rows, farthest)
	text := base64.StdEncoding.EncodeToString(data)
	// The transmission t=d must be said: the library's default sends no pixels.
	options := []string{"a=T", "U=1", "f=100", "t=d", "q=2", fmt.Sprintf("i=%d,c=%d,r=%d", id, columns, rows)}
	var all strings.Builder
	for len(text) > kitty.MaxChunkSize {
		all.WriteString(c.wrap(ansi.KittyGraphics([]byte(text[:kitty.MaxChunkSize]), append(options, "m=1")...)))
		text = text[kitty.MaxChunkSize:]
		options = []string{"q=2"} // later chunks carry no other keys
	}
	all.WriteString(c.wrap(ansi.KittyGraphics([]byte(text), append(options, "m=0")...)))
	return theme.Seal(all.String())
}

// Placeholders are the lines of [Caps.Kitty]; they do not depend on the picture.
func Placeholders(id uint8, columns, rows int) (lines []string) {
	columns, rows = min(columns, farthest), min(rows, farthest)
	for y := range rows {
		var row strings.Builder
		for x := range columns {
			row.WriteRune(kitty.Placeholder)
			row.WriteRune(kitty.Diacritic(y))
			row.WriteRune(kitty.Diacritic(x))
		}
		lines = append(lines, theme.Indexed(id, row.String())) // the colour is the id
	}
	return lines
}

// KittyDelete makes the terminal forget a picture, to be written to a [theme.Writer].
func (c Caps) KittyDelete(id uint8) string {
	if id == 0 {
		return ""
	}
	return c.seal(ansi.KittyGraphics(nil, "a=d", "d=I", fmt.Sprintf("i=%d", id), "q=2"))
}

// Smaller is a picture with the pixels that a terminal shows in that many columns, or
// fewer.
func Smaller(img image.Image, columns int) image.Image {
	size, width := img.Bounds().Size(), columns*mostSent
	if size.X <= width {
		return img
	}
	out := image.NewRGBA(image.Rect(0, 0, width, max(1, size.Y*width/size.X)))
	draw.CatmullRom.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// encodePNG is a picture as PNG, with 8 bits of each colour; nil if it has no pixels.
func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if still, ok := img.(*image.YCbCr); ok { // of a JPEG: the encoder would write 16 bits
		pixels := image.NewRGBA(still.Bounds())
		draw.Draw(pixels, pixels.Bounds(), still, pixels.Bounds().Min, draw.Src)
		img = pixels
	}
	if img == nil || img.Bounds().Empty() || encoder.Encode(&b, img) != nil {
		return nil // the encoder refuses only sizes that no picture in memory has
	}
	return b.Bytes()
}
