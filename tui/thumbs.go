package tui

import (
	"image"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/widget"
)

// pick says of what a thumbnail is: of a version of a project; with version 0, of the
// preview that the project would show.
type pick struct {
	id      string
	version int
}

// thumb is a small picture of a video. Without a picture there is none to be had.
type thumb struct {
	img      image.Image
	duration float64 // seconds; 0: not known
}

// album are the thumbnails that a screen has.
type album map[pick]thumb

// pictured is a screen that shows thumbnails. They come one by one, and those that are not
// wanted any more are dropped: however fast the person moves, no key waits.
type pictured interface {
	screen
	wants(c canvas) []pick // the most wanted first
	hung() album
	hang(a album) screen
}

type thumbMsg struct {
	of    pick
	thumb thumb
}

// load reads the thumbnail that is wanted most, unless one is on its way.
func (m *Studio) load() tea.Cmd {
	s, ok := m.at.(pictured)
	if !ok || m.loading {
		return nil
	}
	for _, p := range s.wants(m.canvas()) {
		if _, has := s.hung()[p]; !has {
			m.loading = true
			return func() tea.Msg { return thumbMsg{p, m.thumb(p)} }
		}
	}
	return nil
}

// thumb reads the picture in the middle of a video.
func (m *Studio) thumb(p pick) (t thumb) {
	frames, err := m.cfg.Session.Frames(m.ctx, p.id, p.version)
	if err != nil {
		return t
	}
	t.duration = frames.Duration()
	t.img, _ = frames.At(t.duration / 2) //nolint:errcheck // a picture that cannot be read is left out
	_ = frames.Close()                   //nolint:errcheck // read only
	return t
}

// hang gives a thumbnail to the screen that wants it.
func (m *Studio) hang(msg thumbMsg) {
	m.loading = false
	s, ok := m.at.(pictured)
	if !ok {
		return
	}
	kept := album{}
	for _, p := range s.wants(m.canvas()) {
		if t, has := s.hung()[p]; has {
			kept[p] = t
		}
		if p == msg.of {
			kept[p] = msg.thumb
		}
	}
	m.at = s.hang(kept)
}

// shown are the lines of a picture as large as it fits into columns and rows.
func shown(c canvas, img image.Image, columns, rows int) []string {
	if img == nil || !c.th.Pixels() {
		return nil
	}
	size := img.Bounds().Size()
	columns = min(columns, rows*2*size.X/max(size.Y, 1))
	if columns < 2 {
		return nil
	}
	lines := widget.Image(c.th, img, columns)
	return lines[:min(len(lines), rows)]
}

// The room of a panel, in columns and rows.
const (
	leastBeside = 72 // of the screen, to have the panel beside the list
	leastBelow  = 14 // of the screen, to have the panel below it
	panelGap    = 3
)

// withPanel lays out a list and a panel about what is marked in it: beside the list where
// there is room, else below it; on small screens only the list.
func withPanel(c canvas, list, panel func(canvas) string) string {
	left, right := panelRoom(c)
	switch {
	case right.width == 0:
		return list(left)
	case left.width == c.width:
		right.height = c.height - strings.Count(fit(list(left), left.height, false), "\n") - 2 // a short list leaves more
		text := fit(panel(right), right.height, false)
		left.height = c.height - strings.Count(text, "\n") - 2
		return fit(list(left), left.height, false) + "\n\n" + text
	}
	rows := strings.Split(fit(list(left), c.height, false), "\n")
	for i, l := range strings.Split(fit(panel(right), c.height, false), "\n") {
		if i == len(rows) {
			rows = append(rows, "")
		}
		rows[i] = pad(rows[i], left.width+panelGap) + l
	}
	return strings.Join(rows, "\n")
}

// panelRoom is the room for a list and its panel; the panel may have none.
func panelRoom(c canvas) (list, panel canvas) {
	list, panel = c, c
	switch {
	case c.width >= leastBeside:
		panel.width = min(c.width*2/5, 64)
		list.width = c.width - panel.width - panelGap
	case c.height >= leastBelow:
		panel.height = c.height / 2
		list.height = c.height - panel.height - 1
	default:
		panel.width, panel.height = 0, 0
	}
	return list, panel
}

// pad fills a text with blanks up to width columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
}
