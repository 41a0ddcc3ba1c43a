package widget

import (
	"strings"

	"github.com/koda-video/koda/tui/theme"
)

// DiffLine is a line of a unified diff.
type DiffLine struct {
	text string
	kind byte // of a line: 'f' file, '@' place, '+' added, '-' deleted, ' ' equal
}

// DiffLines reads a unified diff, or the text that stands for it.
func DiffLines(text string) (lines []DiffLine) {
	inHunk := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		kind := byte(' ')
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk, kind = true, '@'
		case !inHunk:
			kind = 'f'
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"):
			kind = line[0]
		}
		lines = append(lines, DiffLine{line, kind})
	}
	return lines
}

// Render is the line with its colour.
func (l DiffLine) Render(th theme.Theme) string {
	style := th.Text
	switch l.kind {
	case 'f':
		style = th.Title
	case '@':
		style = th.Accent
	case '+':
		style = th.Good
	case '-':
		style = th.Bad
	}
	return style.Render(l.text)
}
