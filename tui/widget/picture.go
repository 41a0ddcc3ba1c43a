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
	Label  string
	Image  image.Image
	Marked bool // the label is marked
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
	columns, _ := sizeOf(th, pictures, width)
	if columns == 0 {
		return ""
	}
	var rows []string
	for i, p := range pictures {
		look := th.Text
		if p.Marked {
			look = th.Accent
		}
		cell := append(Image(th, p.Image, columns), look.Render(pad(Cut(Line(p.Label), columns, th.Glyphs.Ellipsis), columns)))
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

// PictureLines is how many lines Pictures has; 0 for "".
func PictureLines(th theme.Theme, pictures []Picture, width int) int {
	_, lines := sizeOf(th, pictures, width)
	return lines
}

// sizeOf is how wide each picture of a row is, and how high the row with its labels; 0 if
// the row cannot be shown.
func sizeOf(th theme.Theme, pictures []Picture, width int) (columns, lines int) {
	n := len(pictures)
	if n == 0 || !th.Pixels() {
		return 0, 0
	}
	if columns = min(widestPicture, width/n-pictureGap); columns < leastPicture {
		return 0, 0
	}
	for _, p := range pictures {
		lines = max(lines, pixelRows(p.Image.Bounds().Size(), columns)/2+1)
	}
	return columns, lines
}

// pixelRows is how many rows of square pixels a picture has that is columns wide; an even
// number.
func pixelRows(size image.Point, columns int) int {
	height := max(2, (columns*size.Y+size.X/2)/max(size.X, 1))
	return height + height%2
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
	height := pixelRows(size, columns)
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
