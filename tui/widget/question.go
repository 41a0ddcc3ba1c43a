package widget

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// Question is a question with its options, numbered from 1:
//
//	Which style should it have?
//
//	 1  Playful & bouncy   overshoot, squash and stretch
//	 2  Smooth & minimal   slow and flowing
//
//	 or say it in your own words
func Question(th theme.Theme, q koda.Question, width int) string {
	lines := styled(th.Title.Render, Wrap(Line(q.Text), width))
	lines = append(lines, "")
	digits := len(fmt.Sprint(len(q.Options)))
	labels := 0
	for _, o := range q.Options {
		labels = max(labels, ansi.StringWidth(Line(o.Label)))
	}
	for i, o := range q.Options {
		head := fmt.Sprintf(" %*d  ", digits, i+1)
		room := width - len(head)
		if width >= wideEnough && labels <= width/2 {
			label := pad(Line(o.Label), labels)
			text := styled(th.Muted.Render, Wrap(Line(o.Description), room-labels-2))
			lines = append(lines, hang(th.Accent.Render(head)+label+"  ", text)...)
			continue
		}
		lines = append(lines, hang(th.Accent.Render(head), Wrap(Line(o.Label), room))...)
		lines = append(lines, indent(len(head), styled(th.Muted.Render, Wrap(Line(o.Description), room)))...)
	}
	if q.CustomInput {
		lines = append(lines, "")
		lines = append(lines, indent(1, styled(th.Muted.Render, Wrap("or say it in your own words", width-1)))...)
	}
	return join(lines)
}

// Choice is a question one of whose options is marked, if marked is set. Each option is a
// [Row]:
//
//	Which style should it have?
//
//	 → 1  Playful & bouncy   overshoot, squash and stretch
//	   2  Smooth & minimal   slow and flowing
func Choice(th theme.Theme, q koda.Question, at int, marked bool, width int) string {
	lines := styled(th.Title.Render, Wrap(Line(q.Text), width))
	lines = append(lines, "")
	digits := len(fmt.Sprint(len(q.Options)))
	labels := 0
	for _, o := range q.Options {
		labels = max(labels, ansi.StringWidth(Line(o.Label)))
	}
	arrow := ansi.StringWidth(th.Glyphs.Arrow)
	before := arrow + digits + 4
	table := width-before-labels-2 >= 16
	for i, o := range q.Options {
		mark, look := pad("", arrow), th.Text
		if marked && i == at {
			mark, look = th.Accent.Render(th.Glyphs.Arrow), th.Accent
		}
		head := " " + mark + " " + th.Muted.Render(fmt.Sprintf("%*d", digits, i+1)) + "  "
		var option []string
		if table {
			label := look.Render(pad(Line(o.Label), labels))
			option = hang(head+label+"  ", styled(th.Muted.Render, Wrap(Line(o.Description), width-before-labels-2)))
		} else {
			option = hang(head, styled(look.Render, Wrap(Line(o.Label), max(width-before, 8))))
			option = append(option, indent(before, styled(th.Muted.Render, Wrap(Line(o.Description), max(width-before, 8))))...)
		}
		for _, line := range option {
			lines = append(lines, Row(i, line))
		}
	}
	return join(lines)
}
