package tui

import (
	"context"
	"fmt"
	"image"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// fullScreen is one frame of a preview with all its pixels, as large as the terminal. Until
// the frame is drawn, the small picture of the preview stands in its place.
type fullScreen struct {
	from previewScreen
	img  image.Image
	why  string // there is no picture
}

// shotQuery asks for the frame of a project at a time.
type shotQuery struct {
	project string
	at      float64 // seconds
}

type shotMsg struct {
	of  shotQuery
	img image.Image
	err error
}

func (q shotQuery) ask(ctx context.Context, s Session) tea.Msg {
	img, err := s.Shot(ctx, q.project, q.at)
	return shotMsg{q, img, err}
}

// full shows the frame at the playhead at full size.
func (s previewScreen) full(string) (screen, intent) {
	s.playing = false
	return fullScreen{from: s}, s.shot()
}

func (s previewScreen) shot() shotQuery { return shotQuery{s.project, s.at} }

func (s fullScreen) hear(msg tea.Msg) (screen, intent) {
	if m, ok := msg.(shotMsg); ok && m.of == s.from.shot() {
		if s.img = m.img; m.err != nil {
			s.why = koda.Sentence(m.err)
		}
	}
	return s, nil
}

func (s fullScreen) key(k tea.KeyMsg) (screen, intent) {
	return pressed(s, k)
}

func (s fullScreen) back(string) (screen, intent) { return s.from, look{} }

// seek shows the frame before or after.
func (s fullScreen) seek(name string) (screen, intent) {
	next, _ := s.from.seek(name)
	p, ok := next.(previewScreen)
	if !ok || p.at == s.from.at {
		return s, nil
	}
	return fullScreen{from: p}, p.shot()
}

func (s fullScreen) view(c canvas) string {
	line := c.th.Accent.Render(widget.Clock(s.from.at))
	img := s.img
	switch {
	case s.why != "":
		line += "  " + c.th.Warn.Render(widget.Cut(widget.Line(s.why), max(c.width-12, 8), c.th.Glyphs.Ellipsis))
	case !c.th.Pixels():
		line += c.th.Warn.Render(widget.Cut("  this terminal shows no pictures", c.width-12, c.th.Glyphs.Ellipsis))
	case img == nil:
		line += c.th.Muted.Render("  drawing the frame with all its pixels")
	default:
		size := img.Bounds().Size()
		line += c.th.Muted.Render("  " + fmt.Sprintf("%d × %d", size.X, size.Y))
	}
	if img == nil {
		img = s.from.frame
	}
	if above := inMiddle(c, img, c.height-1); above != "" {
		return above + "\n" + line
	}
	return line
}

// leastPicture is how many lines a frame needs.
const leastPicture = 4

// inMiddle is a picture in the middle, as large as there is room; "" if it cannot be shown.
func inMiddle(c canvas, img image.Image, room int) string {
	if img == nil || room < leastPicture || !c.th.Pixels() {
		return ""
	}
	size := img.Bounds().Size()
	columns := min(c.width, room*2*size.X/max(size.Y, 1))
	if columns < 8 {
		return ""
	}
	margin := strings.Repeat(" ", (c.width-columns)/2)
	var lines []string
	for _, l := range widget.Image(c.th, img, columns) {
		lines = append(lines, margin+l)
	}
	return fit(strings.Join(lines, "\n"), room, false)
}

func (s fullScreen) help() []hint {
	return []hint{
		{key: "esc", what: "back", more: "back to the preview", also: "f q enter alt+f", do: s.back},
		{key: "←→", what: "frame", more: "the frame before, the frame after", also: ", .", do: s.seek},
		{key: "[ ]", what: "scene", more: "the scene before, the scene after", do: s.seek},
		askKeys(s),
	}
}
