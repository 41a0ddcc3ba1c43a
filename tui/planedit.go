package tui

import (
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// planValue is a value of a plan that a person can change by writing another one.
type planValue struct{ name, value, unit string }

// planValues are the values that every author understands when they are said as a change.
func planValues(p koda.Plan) []planValue {
	list := []planValue{{"duration", trim(p.TotalDuration), " s"}}
	fps := p.FPS
	if v := p.Video; v != nil {
		fps = v.FPS
		list = append(list, planValue{"size", fmt.Sprintf("%dx%d", v.Width, v.Height), ""})
	}
	if !fps.IsZero() {
		list = append(list, planValue{"rate", fps.String(), " fps"})
	}
	if style := widget.Line(p.Style); style != "" {
		list = append(list, planValue{"style", style, ""})
	}
	return list
}

// planText is a plan for an editor: its values, room for wishes, and the scenes, which
// follow from them.
func planText(p koda.Plan) string {
	var b strings.Builder
	b.WriteString("# The plan. Change a value here:\n\n")
	for _, v := range planValues(p) {
		b.WriteString(v.name + ": " + v.value + v.unit + "\n")
	}
	b.WriteString("\n# What else should be different? Write it here, a line for each wish, for example: scene 2: white text\n\n\n")
	b.WriteString("# The scenes. Lines like these, which begin with #, are not read.\n")
	for i, s := range p.Starts() {
		b.WriteString("#\n# " + fmt.Sprint(i+1) + "  " + widget.Line(s.Title) + "  " + widget.Clock(s.Start) + "-" + widget.Clock(s.Start+p.Scenes[i].Duration) + "\n")
		for _, l := range widget.Wrap(widget.Line(p.Scenes[i].Description), 72) {
			b.WriteString("#    " + l + "\n")
		}
	}
	return b.String()
}

// planChange is what an edited text of a plan asks for, a line for each wish; "" if it
// asks for nothing.
func planChange(p koda.Plan, text string) string {
	before := map[string]planValue{}
	for _, v := range planValues(p) {
		before[v.name] = v
	}
	var wishes []string
	for line := range strings.SplitSeq(text, "\n") {
		line = widget.Line(line)
		name, value, _ := strings.Cut(line, ":")
		v, known := before[strings.ToLower(name)]
		value = strings.TrimSpace(value)
		switch {
		case line == "" || line[0] == '#':
		case !known:
			wishes = append(wishes, line)
		case value == "" || strings.TrimSpace(strings.TrimSuffix(value, strings.TrimSpace(v.unit))) == v.value:
		case strings.Trim(value, "0123456789.,") == "":
			wishes = append(wishes, value+v.unit)
		default:
			wishes = append(wishes, value)
		}
	}
	return strings.Join(wishes, "\n")
}
