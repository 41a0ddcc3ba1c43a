package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// An overlay is a screen that lies over another one and has the keys. It is closed when
// its reducer returns no screen. It is drawn over whole rows, so what it lies on may hold
// pictures.

// keysScreen shows what all keys do.
type keysScreen struct {
	here, everywhere []hint
	text             scroll
}

func (s keysScreen) key(k tea.KeyMsg) (screen, intent) {
	return pressed(s, k)
}

func (s keysScreen) help() []hint {
	hints := []hint{
		{key: "esc", what: "back", also: "? f1 q enter", do: wants(nil, nil)},
		{key: "ctrl+p", what: "do it by its name", do: wants(nil, showPalette{})},
	}
	if s.text.more() {
		hints = append(hints, s.text.hint(func(t scroll) screen { s.text = t; return s }))
	}
	return hints
}

// twoColumns is the width from which the keys of the screen stand beside the others.
const twoColumns = 100

func (s keysScreen) view(c canvas) string {
	width := c.width
	if width >= twoColumns {
		width = (c.width - 3) / 2
	}
	here := keyList(c, "On this screen", s.here, width)
	all := keyList(c, "Everywhere", s.everywhere, width)
	if width < c.width {
		for len(here) < len(all) {
			here = append(here, "")
		}
		for i := range all {
			here[i] += strings.Repeat(" ", width+3-ansi.StringWidth(here[i])) + all[i]
		}
	} else {
		here = append(append(here, ""), all...)
	}
	return panel(c, "Keys", here, s.text)
}

// keyList are hints below each other.
func keyList(c canvas, title string, hints []hint, width int) []string {
	rows, keys := []string{c.th.Title.Render(title)}, 0
	name := func(h hint) string { return strings.Join(append([]string{h.key}, strings.Fields(h.also)...), " ") }
	for _, h := range hints {
		keys = max(keys, ansi.StringWidth(name(h)))
	}
	keys = min(keys, max(width*2/5, 6))
	for _, h := range hints {
		for i, l := range widget.Wrap(h.full(), max(width-keys-2, 8)) {
			label := ""
			if i == 0 {
				label = widget.Cut(name(h), keys, c.th.Glyphs.Ellipsis)
			}
			rows = append(rows, c.th.Accent.Render(label)+strings.Repeat(" ", keys+2-ansi.StringWidth(label))+l)
		}
	}
	return rows
}

// projectScreen shows what is known of the open project.
type projectScreen struct {
	facts []widget.Fact
	text  scroll
}

func (s projectScreen) key(k tea.KeyMsg) (screen, intent) {
	return pressed(s, k)
}

func (s projectScreen) help() []hint {
	hints := []hint{{key: "esc", what: "back", also: "? f1 q enter", do: wants(nil, nil)}}
	if s.text.more() {
		hints = append(hints, s.text.hint(func(t scroll) screen { s.text = t; return s }))
	}
	return hints
}

func (s projectScreen) view(c canvas) string {
	return panel(c, "The project", strings.Split(widget.FactsWithin(c.th, s.facts, c.width), "\n"), s.text)
}

// aboutProject are the facts of a project.
func aboutProject(s Standing) []widget.Fact {
	facts := []widget.Fact{
		{Name: "name", Value: widget.Line(s.Project.Name)}, {Name: "folder", Value: widget.Line(s.Project.Dir)},
		{Name: "prompt", Value: widget.Line(s.Project.Prompt)}, {Name: "phase", Value: string(s.State.Phase)},
	}
	if s.Version > 0 {
		facts = append(facts, widget.Fact{Name: "version", Value: "v" + trim(float64(s.Version))})
	}
	return append(facts, widget.Fact{Name: "video", Value: widget.Line(videoOf(s.State))}, widget.Fact{Name: "go on", Value: "koda resume " + widget.Line(s.Project.Name)})
}

// videoOf is the path of the video to show: the final one, else the preview.
func videoOf(s koda.NodeState) string {
	switch {
	case s.Phase == koda.PhaseComplete && s.Output != nil:
		return s.Output.VideoURL
	case s.Preview != nil:
		return s.Preview.VideoURL
	}
	return ""
}

// panel is rows between two rules, from where the text stands on, in at most the height of the canvas.
func panel(c canvas, title string, rows []string, text scroll) string {
	rule := func(text string) string {
		return c.th.Muted.Render(text + strings.Repeat(c.th.Glyphs.LaneAcross, max(c.width-ansi.StringWidth(text), 0)))
	}
	room := max(c.height-2, 1)
	below := ""
	*text.last = max(len(rows)-room, 0)
	top := min(text.top, *text.last)
	if top < *text.last {
		below = c.th.Glyphs.LaneAcross + c.th.Glyphs.LaneAcross + " more below "
	}
	rows = rows[top:min(top+room, len(rows))]
	head := c.th.Glyphs.LaneAcross + c.th.Glyphs.LaneAcross + " " + title + " "
	return rule(head) + "\n" + strings.Join(rows, "\n") + "\n" + rule(below)
}

// under is a body with an overlay on its first rows.
func under(body, overlay []string) []string {
	if len(overlay) > len(body) {
		overlay = overlay[:len(body)]
	}
	return append(append([]string(nil), overlay...), body[len(overlay):]...)
}
