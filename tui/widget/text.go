package widget

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// MinWidth is the width below which lines may become wider than asked for.
const MinWidth = 20

// Line is a text on one line: every run of blanks and newlines becomes one
// blank. The text is cleaned, so that its columns can be counted.
func Line(text string) string { return strings.Join(strings.Fields(theme.Clean(text)), " ") }

// Wrap cleans a text and breaks it into lines of at most width columns, at blanks; a
// longer word is broken where the line ends. Its own newlines stay. An empty
// text gives no line.
func Wrap(text string, width int) []string { return wrap(text, max(width, 1), true) }

// Sentence is a text behind a head, broken at blanks into lines of width columns.
// A longer word, such as a path, is left whole.
func Sentence(head, text string, width int) string {
	return join(hang(head, wrapWords(text, width-ansi.StringWidth(head))))
}

// wrapWords is Wrap that leaves longer words whole, as paths and commands must
// be to be copied, but for those of wide characters.
func wrapWords(text string, width int) []string { return wrap(text, width, false) }

func wrap(text string, width int, breakWords bool) []string {
	text = strings.Trim(theme.Clean(text), "\n ")
	if text == "" {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && ansi.StringWidth(line)+1+ansi.StringWidth(word) <= width {
				line += " " + word
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			line = word
			// Scripts of wide characters are written without blanks.
			wide := ansi.StringWidth(word) > utf8.RuneCountInString(word)
			if (breakWords || wide) && ansi.StringWidth(word) > width {
				pieces := strings.Split(ansi.Hardwrap(word, width, true), "\n")
				lines = append(lines, pieces[:len(pieces)-1]...)
				line = pieces[len(pieces)-1]
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// Clock gives seconds as people write times in a video: "0:02", "0:01.5",
// "1:02:03". Tenths are shown only where there are any.
func Clock(seconds float64) string {
	if math.IsNaN(seconds) || seconds < 0 {
		seconds = 0
	}
	tenths := int64(math.Round(min(seconds, 1e9) * 10))
	whole := tenths / 10
	text := fmt.Sprintf("%d:%02d", whole/60, whole%60)
	if whole >= 3600 {
		text = fmt.Sprintf("%d:%02d:%02d", whole/3600, whole/60%60, whole%60)
	}
	if t := tenths % 10; t != 0 {
		text += fmt.Sprintf(".%d", t)
	}
	return text
}

// number gives a figure without needless decimals: "5", "4.5".
func number(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

// Cut shortens a line to width columns.
func Cut(line string, width int, ellipsis string) string {
	return ansi.Truncate(line, max(width, 0), ellipsis)
}

// pad fills a text with blanks up to width columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// hang puts a head before the first of lines and blanks of the same width
// before the others.
func hang(head string, lines []string) []string {
	if len(lines) == 0 {
		return []string{strings.TrimRight(head, " ")}
	}
	indent := strings.Repeat(" ", ansi.StringWidth(head))
	out := make([]string, len(lines))
	for i, l := range lines {
		if i > 0 {
			head = indent
		}
		out[i] = head + l
	}
	return out
}

func join(lines []string) string { return strings.Join(lines, "\n") }
