package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// Ruler is a line of time, divided into scenes, with a mark where a video stands; a
// negative at shows no mark. Below it stand the titles of scenes that have room.
//
//	━━━━━━━●━━━╋━━━━━━━━━━━━━
//	Drop       Bounce
func Ruler(th theme.Theme, scenes []koda.SceneStart, duration, at float64, width int) string {
	if width < 4 || duration <= 0 {
		return ""
	}
	column := func(t float64) int { return RulerColumn(duration, t, width) }
	var bar, titles strings.Builder
	mark, starts := -1, map[int]bool{}
	if at >= 0 {
		mark = column(at)
	}
	for _, s := range scenes {
		if c := column(s.Start); c > 0 {
			starts[c] = true
		}
	}
	for c := 0; c < width; c++ {
		switch {
		case c == mark:
			bar.WriteString(th.Accent.Render(th.Glyphs.NodeHere))
		case starts[c]:
			bar.WriteString(th.Muted.Render(th.Glyphs.LaneCross))
		default:
			from := c
			for c+1 < width && c+1 != mark && !starts[c+1] {
				c++
			}
			look := th.Muted
			if c < mark {
				look = th.Accent
			}
			bar.WriteString(look.Render(strings.Repeat(th.Glyphs.LaneAcross, c-from+1)))
		}
	}
	for i, s := range scenes {
		from, end := column(s.Start), width
		if i+1 < len(scenes) {
			end = column(scenes[i+1].Start)
		}
		used := ansi.StringWidth(titles.String())
		if title := Cut(Line(s.Title), end-from-1, th.Glyphs.Ellipsis); from >= used && ansi.StringWidth(title) > 1 {
			titles.WriteString(strings.Repeat(" ", from-used) + title)
		}
	}
	if titles.Len() == 0 {
		return bar.String()
	}
	return bar.String() + "\n" + th.Muted.Render(titles.String())
}

// RulerColumn is the column of a ruler where a time is.
func RulerColumn(duration, at float64, width int) int {
	return min(max(int(at/duration*float64(width)), 0), width-1)
}

// RulerTime is the time that a column of a ruler stands for.
func RulerTime(duration float64, column, width int) float64 {
	return duration * float64(min(max(column, 0), width-1)) / float64(max(width, 1))
}
