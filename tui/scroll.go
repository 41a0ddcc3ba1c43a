package tui

import (
	"fmt"

	"github.com/koda-video/koda/tui/widget"
)

// scroll is where a text stands that is longer than the screen.
type scroll struct {
	top  int  // the first line shown
	last *int // the largest top, as the last view found it
}

func newScroll() scroll { return scroll{last: new(int)} }

// key moves the text; false: the key does not move it.
func (s scroll) key(name string) (scroll, bool) {
	by, ok := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -s.top, "end": *s.last - s.top,
	}[name]
	if ok {
		s.top = max(min(s.top+by, *s.last), 0)
	}
	return s, ok
}

// view is the part of the text that is shown.
func (s scroll) view(c canvas, lines []string, height int) []string {
	*s.last = max(len(lines)-height, 0)
	return window(c, lines, s.top, height)
}

// hint is what keys do with the text; with gives the screen with the text moved.
func (s scroll) hint(with func(scroll) screen) hint {
	return hint{key: "↑↓", what: "scroll", more: "scroll up, scroll down", also: "k j pgup pgdown home end", do: func(name string) (screen, intent) {
		next, _ := s.key(name)
		return with(next), nil
	}}
}

// more reports whether the text is longer than what is shown.
func (s scroll) more() bool { return *s.last > 0 }

// window are height of the lines, from top on. In place of the first and the last of them
// it says how many more there are, if there are more.
func window(c canvas, lines []string, top, height int) []string {
	height = max(height, 1)
	if len(lines) <= height {
		return lines
	}
	top = max(min(top, len(lines)-height), 0)
	out := append([]string(nil), lines[top:top+height]...)
	if height < 3 {
		return out
	}
	more := func(arrow, ascii string, n int) string {
		if c.th.Glyphs.Arrow == "->" {
			arrow = ascii
		}
		return c.th.Muted.Render(widget.Cut(fmt.Sprintf("  %s %d more", arrow, n), c.width, c.th.Glyphs.Ellipsis))
	}
	if top > 0 {
		out[0] = more("↑", "^", top+1)
	}
	if below := len(lines) - top - height; below > 0 {
		out[height-1] = more("↓", "v", below+1)
	}
	return out
}
