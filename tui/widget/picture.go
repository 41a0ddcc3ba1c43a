package widget

import (
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/draw"

	"github.com/koda-video/koda/tui/theme"
)

// Picture is a picture with a label below it.
type Picture struct {
	Label string
	Image image.Image
}

// Sizes of pictures in a row, in columns.
const (
	widestPicture = 34
	leastPicture  = 16
	pictureGap    = 2 // one column on each side
)

// Pictures is a row of pictures with their labels, each of the same width; "" if the
// terminal shows no pictures, or has no room for them.
//
//	▀▀▀▀▀▀▀▀▀▀  ▀▀▀▀▀▀▀▀▀▀
//	▀▀▀▀▀▀▀▀▀▀  ▀▀▀▀▀▀▀▀▀▀
//	1 Bars      2 List
func Pictures(th theme.Theme, pictures []Picture, width int) string {
	n := len(pictures)
	if n == 0 || !th.Pixels() {
		return ""
	}
	columns := min(widestPicture, width/n-pictureGap)
	if columns < leastPicture {
		return ""
	}
	var rows []string
	for i, p := range pictures {
		cell := append(Image(th, p.Image, columns), pad(Cut(Line(p.Label), columns, th.Glyphs.Ellipsis), columns))
		for len(rows) < len(cell) {
			rows = append(rows, strings.Repeat(" ", i*(columns+pictureGap)))
		}
		for k := range rows {
			text := strings.Repeat(" ", columns)
			if k < len(cell) {
				text = cell[k]
			}
			rows[k] += " " + text + " "
		}
	}
	return join(rows)
}

// Image is a picture that is columns wide, as the theme draws pictures; nil if it cannot
// be shown.
func Image(th theme.Theme, src image.Image, columns int) []string {
	if p := th.Pictures(); p != nil {
		return p.Show(src, columns)
	}
	return Halves(th, src, columns)
}

// Halves are the lines of a picture that is columns wide. A cell of a terminal is about
// twice as high as wide, so a line shows two rows of square pixels.
func Halves(th theme.Theme, src image.Image, columns int) []string {
	size := src.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil
	}
	height := max(2, (columns*size.Y+size.X/2)/size.X)
	height += height % 2
	small := image.NewRGBA(image.Rect(0, 0, columns, height))
	draw.CatmullRom.Scale(small, small.Bounds(), src, src.Bounds(), draw.Src, nil)
	row := func(y int) []color.RGBA {
		line := make([]color.RGBA, columns)
		for x := range line {
			line[x] = small.RGBAAt(x, y)
		}
		return line
	}
	var lines []string
	for y := 0; y < height; y += 2 {
		lines = append(lines, th.Halves(row(y), row(y+1)))
	}
	return lines
}
