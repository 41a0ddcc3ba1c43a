package tui

import (
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/koda-video/koda/tui/widget"
)

// How two videos are compared.
const (
	wipe       = "wipe"       // one left of an edge, the other right of it
	difference = "difference" // what differs is lit
)

// against is the video that a preview is compared with, at the same playhead.
type against struct {
	how      string  // "": the preview is shown alone
	version  int     // 0: the version before, not known yet
	duration float64 // seconds
	edge     float64 // of a wipe, from 0 to 1
	frame    image.Image
	shown    float64 // when the frame is; -1: there is none yet
	why      string  // why it cannot be shown
	mixed    *mixed
}

// mixed is the picture of both frames as it was made last.
type mixed struct {
	left, right, img image.Image
	how              string
	edge, share      float64
	columns          int // of the screen
}

// comparing is a comparison that begins.
func comparing(version int) against {
	return against{how: wipe, version: version, edge: 0.5, shown: -1, mixed: &mixed{}}
}

// meet asks for the frames of the version to compare with.
type meet struct{ version int }

// toggle shows the preview as a wipe, as a difference, and alone again.
func (s previewScreen) toggle(string) (screen, intent) {
	a := &s.against
	switch {
	case a.how == "":
		if a.why != "" || a.mixed == nil {
			s.against = comparing(0)
		}
		s.against.how = wipe
		return s.lasting(), meet{s.against.version}
	case a.how == wipe && a.why == "":
		a.how = difference
		return s, nil
	}
	a.how = ""
	s = s.lasting()
	s.at = math.Min(s.at, s.duration)
	return s, nil
}

// push moves the edge of a wipe.
func (s previewScreen) push(name string) (screen, intent) {
	by := map[string]float64{"<": -0.05, ">": 0.05}
	s.against.edge = math.Max(0, math.Min(s.against.edge+by[name], 1))
	return s, nil
}

// lasting is the preview with the duration of what is shown: of two videos, the longer one.
func (s previewScreen) lasting() previewScreen {
	if s.own > 0 {
		s.duration = s.own
	}
	if s.against.how != "" {
		s.duration = math.Max(s.duration, s.against.duration)
	}
	return s
}

// grab moves the edge of a wipe to a column of the screen.
func (s previewScreen) grab(column, width int) previewScreen {
	if s.against.how == wipe && s.against.mixed.columns > 0 {
		columns := s.against.mixed.columns
		at := float64(column-(width-columns)/2) / float64(columns)
		s.against.edge = math.Max(0, math.Min(at, 1))
	}
	return s
}

// sides are the two videos, the older left.
func (s previewScreen) sides() (left, right side) {
	left = side{s.against.version, s.against.frame, s.against.duration}
	right = side{s.version, s.frame, s.own}
	if left.version > right.version {
		left, right = right, left
	}
	return left, right
}

type side struct {
	version  int
	frame    image.Image
	duration float64
}

// label names a side, and says if its video has ended before the playhead.
func (v side) label(at float64) string {
	if v.duration > 0 && at > v.duration {
		return fmt.Sprintf("v%d (ended)", v.version)
	}
	return fmt.Sprintf("v%d", v.version)
}

// both is the picture to show: the frame, or the frames of both videos in one.
func (s previewScreen) both() image.Image {
	if s.against.how == "" || s.frame == nil || s.against.frame == nil {
		return s.frame
	}
	left, right := s.sides()
	was := s.against.mixed
	now := mixed{left: left.frame, right: right.frame, how: s.against.how, edge: s.against.edge, columns: was.columns}
	if was.left == now.left && was.right == now.right && was.how == now.how && was.edge == now.edge {
		return was.img
	}
	if now.how == wipe {
		now.img = widget.Wipe(now.left, now.right, now.edge)
	} else {
		now.img, now.share = widget.Difference(now.left, now.right)
	}
	*was = now
	return now.img
}

// compared is the line that says what is compared; "" if nothing is.
//
//	v1 ─────────│──────── v2
func (s previewScreen) compared(c canvas) string {
	a := s.against
	cut := func(text string) string { return widget.Cut(widget.Line(text), c.width, c.th.Glyphs.Ellipsis) }
	left, right := s.sides()
	switch {
	case a.how == "":
		return ""
	case a.why != "":
		return c.th.Warn.Render(cut(a.why))
	case !c.th.Pixels():
		return c.th.Warn.Render(cut("This terminal shows no pictures; koda diff --video side makes a video of both versions."))
	case a.frame == nil || s.frame == nil:
		return c.th.Muted.Render("opening what it is compared with")
	case a.how == difference:
		return c.th.Title.Render(cut(fmt.Sprintf("%s %s %s: what differs is lit (%.0f %%)",
			left.label(s.at), c.th.Glyphs.Arrow, right.label(s.at), math.Ceil(a.mixed.share*100))))
	}
	columns := max(a.mixed.columns, 16)
	first, last := left.label(s.at), right.label(s.at)
	rest := columns - len(first) - len(last) - 2
	edge := min(max(int(a.edge*float64(columns))-len(first)-1, 0), max(rest-1, 0))
	line := strings.Repeat(c.th.Glyphs.LaneAcross, max(rest, 1))
	cells := []rune(line)
	bar := c.th.Muted.Render(string(cells[:edge])) + c.th.Accent.Render(c.th.Glyphs.LaneCross) + c.th.Muted.Render(string(cells[min(edge+1, len(cells)):]))
	return strings.Repeat(" ", max(c.width-columns, 0)/2) + c.th.Title.Render(first) + " " + bar + " " + c.th.Title.Render(last)
}

// compareHelp are the hints of a comparison.
func (s previewScreen) compareHelp() []hint {
	key := "alt+x"
	if s.looking {
		key = "x"
	}
	switch {
	case s.against.how == wipe && s.against.why == "":
		return []hint{
			{key: key, what: "difference", more: "light what differs", do: s.toggle},
			{key: "< >", what: "edge", more: "move the edge to the left, move the edge to the right", do: s.push},
		}
	case s.against.how != "":
		return []hint{{key: key, what: "alone", more: "compare no longer", do: s.toggle}}
	}
	return []hint{{key: key, what: "compare", more: "show the difference to the version before", do: s.toggle}}
}
