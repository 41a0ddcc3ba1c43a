package graphics

import (
	"bytes"
	"encoding/base64"
	"image"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"
	"golang.org/x/image/draw"
)

// ITerm2 is a picture in a box of columns and rows at the cursor, to be written to a
// [theme.Writer], with a newline after it; "" without pixels or room. The terminal
// keeps the picture's shape. It is for a picture that is printed once, not for a screen.
func (c Caps) ITerm2(img image.Image, columns, rows int) string {
	data := encodePNG(img)
	if data == nil || columns < 1 || rows < 1 {
		return ""
	}
	return c.seal(ansi.ITerm2(iterm2.File{
		Size: int64(len(data)), Width: iterm2.Cells(columns), Height: iterm2.Cells(rows), Inline: true,
		Content: []byte(base64.StdEncoding.EncodeToString(data)),
	}))
}

// Sixel is a picture that is pixelWidth wide, at the cursor, to be written to a
// [theme.Writer]; "" without pixels or room. It has 256 colours. It is for a picture
// that is printed once, not for a screen.
func (c Caps) Sixel(img image.Image, pixelWidth int) string {
	if img == nil || img.Bounds().Empty() || pixelWidth < 1 {
		return ""
	}
	size := img.Bounds().Size()
	height := max(1, (pixelWidth*size.Y+size.X/2)/size.X)
	scaled := image.NewNRGBA(image.Rect(0, 0, pixelWidth, height))
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if (&sixel.Encoder{}).Encode(&b, scaled) != nil {
		return "" // the buffer takes everything
	}
	return c.seal(ansi.SixelGraphics(0, 1, 0, b.Bytes()))
}
