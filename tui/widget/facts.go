package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// Fact is a name with a value, such as "size" and "1920x1080".
type Fact struct{ Name, Value string }

// Facts is an aligned list of facts, in the order given. Facts without a value are
// left out. A word of a value, such as a path, is never broken.
func Facts(th theme.Theme, facts []Fact, width int) string { return list(th, facts, width, wrapWords) }

// FactsWithin is Facts for a screen, on which what is wider than the screen is cut off: longer
// words are broken, too.
func FactsWithin(th theme.Theme, facts []Fact, width int) string { return list(th, facts, width, Wrap) }

func list(th theme.Theme, facts []Fact, width int, wrap func(string, int) []string) string {
	names := 0
	for _, f := range facts {
		if f.Value != "" {
			names = max(names, ansi.StringWidth(Line(f.Name)))
		}
	}
	names = min(names, width/2)
	var lines []string
	for _, f := range facts {
		if f.Value == "" {
			continue
		}
		name := pad(Cut(Line(f.Name), names, th.Glyphs.Ellipsis), names)
		lines = append(lines, hang(th.Muted.Render(name)+"  ", wrap(f.Value, width-names-2))...)
	}
	return join(lines)
}

// Level is the outcome of a check.
type Level int

// The outcomes: fine; works with a reservation; missing.
const (
	LevelOK Level = iota
	LevelWarn
	LevelBad
)

// Check is one thing that was examined. Fix is a command or a step that mends it.
// Neither Fix nor a word of Detail, such as a path, is broken over lines, so that
// both can be copied.
type Check struct {
	Name   string
	Level  Level
	Detail string
	Fix    string
}

// Checks is the list of checks:
//
//	✓ browser  chromium 140, beginFrame
//	✗ ffmpeg   not found
//	           → sudo apt-get install ffmpeg
func Checks(th theme.Theme, checks []Check, width int) string {
	names := 0
	for _, c := range checks {
		names = max(names, ansi.StringWidth(Line(c.Name)))
	}
	names = min(names, width/3)
	var lines []string
	for _, c := range checks {
		mark, style := th.Glyphs.OK, th.Good
		switch c.Level {
		case LevelWarn:
			mark, style = th.Glyphs.Warn, th.Warn
		case LevelBad:
			mark, style = th.Glyphs.Bad, th.Bad
		case LevelOK:
		}
		before := ansi.StringWidth(mark) + 1 + names + 2
		name := pad(Cut(Line(c.Name), names, th.Glyphs.Ellipsis), names)
		head := style.Render(mark) + " " + th.Text.Render(name) + "  "
		lines = append(lines, hang(head, wrapWords(Line(c.Detail), width-before))...)
		for _, fix := range strings.Split(strings.TrimSpace(c.Fix), "\n") {
			if fix != "" {
				lines = append(lines, strings.Repeat(" ", before)+th.Accent.Render(th.Glyphs.Arrow)+" "+fix)
			}
		}
	}
	return join(lines)
}

func indent(n int, lines []string) []string {
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", n) + l
	}
	return lines
}
