package tui

import (
	"image"

	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// pictures draws the pictures of a view, and remembers them from one view to the next. The
// first picture of a view has id 1, the second id 2: so the frame of a preview follows the
// frame before it in the same place of the terminal's memory, and no more pictures are
// there than are shown.
type pictures struct {
	th    theme.Theme
	kitty bool // the terminal gets the pixels, and the lines are placeholders
	at    int  // pictures of this view so far
	kept  []drawn
}

// drawn is a picture as it was written last: a view comes more often than a picture.
type drawn struct {
	img           image.Image
	columns, rows int
	lines         []string
}

const mostPictures = 255 // ids of a terminal

// begin begins a view.
func (p *pictures) begin() { p.at = 0 }

// Show implements [theme.Pictures].
func (p *pictures) Show(img image.Image, columns int) []string {
	if columns < 1 || img == nil || img.Bounds().Empty() || p.at == mostPictures {
		return nil
	}
	if p.at == len(p.kept) {
		p.kept = append(p.kept, drawn{})
	}
	d := &p.kept[p.at]
	p.at++
	rows := graphics.Rows(img.Bounds().Size(), columns)
	switch {
	case p.kitty && (d.columns != columns || d.rows != rows):
		d.lines = graphics.Placeholders(uint8(p.at), columns, rows)
	case !p.kitty && (d.img != img || d.columns != columns):
		d.lines = widget.Halves(p.th, img, columns)
	}
	d.img, d.columns, d.rows = img, columns, rows
	return d.lines
}

// sent are the pictures of the view whose pixels the terminal needs.
func (p *pictures) sent() []drawn {
	p.kept = p.kept[:p.at]
	if !p.kitty {
		return nil
	}
	return append([]drawn(nil), p.kept...)
}
