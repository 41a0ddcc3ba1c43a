package graphics

import (
	"image"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// Mode is a way to show a picture in a terminal.
type Mode int

// The ways, from none to the best.
const (
	None       Mode = iota
	HalfBlocks      // text: widget.Halves
	Sixel
	ITerm2
	Kitty // with placeholders, which are text
)

// String is the mode's word in the settings.
func (m Mode) String() string {
	return [...]string{None: "none", HalfBlocks: "blocks", Sixel: "sixel", ITerm2: "iterm2", Kitty: "kitty"}[m]
}

// Caps are what a terminal can show. The zero value shows no pictures.
type Caps struct {
	Mode   Mode // the best way for a picture that is printed once
	Blocks bool // half blocks can be shown, too
	Tmux   bool // the terminal is behind tmux: sequences are wrapped for it
}

// Within is the best way for a picture that is part of a screen, which scrolls and is
// drawn again: Kitty, HalfBlocks or None.
func (c Caps) Within() Mode {
	switch {
	case c.Mode == Kitty:
		return Kitty
	case c.Blocks:
		return HalfBlocks
	}
	return None
}

// seal makes one sequence of a picture ready for a [theme.Writer].
func (c Caps) seal(sequence string) string { return theme.Seal(c.wrap(sequence)) }

// wrap makes tmux pass a sequence on to the terminal.
func (c Caps) wrap(sequence string) string {
	if c.Tmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}

// Rows is how many rows of cells a picture of that size takes if it is columns wide, at
// least one. A cell is about twice as high as wide.
func Rows(size image.Point, columns int) int {
	if size.X <= 0 {
		return 1
	}
	return max(1, (columns*size.Y+size.X)/(2*size.X))
}
