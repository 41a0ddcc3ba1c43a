package widget

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// Line puts a text on one line: every run of blanks and newlines becomes one blank.
// It cleans the text, so that columns can be counted.
func Line(text string) string { return strings.Join(strings.Fields(theme.Clean(text)), " ") }

// Wrap cleans a text and breaks it at blanks into lines of at most width columns. A
// longer word is broken where the line ends. Newlines in the text stay. An empty
// text gives no line.
func Wrap(text string, width int) []string { return wrap(text, max(width, 1), true) }

// Sentence puts a text behind a head and breaks it at blanks into lines of width
// columns. A longer word, such as a path, stays whole.
func Sentence(head, text string, width int) string {
	return join(hang(head, wrapWords(text, width-ansi.StringWidth(head))))
}

// SentenceWithin is Sentence for a screen, on which what is wider than the screen is cut off:
// longer words are broken, too.
func SentenceWithin(head, text string, width int) string {
	return join(hang(head, Wrap(text, width-ansi.StringWidth(head))))
}

// wrapWords is like Wrap, but leaves longer words whole, so that paths and commands
// can be copied. Words of wide characters are broken.
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

// Clock writes seconds as people write times in a video: "0:02", "0:01.5",
// "1:02:03". Tenths are shown unless they are 0.
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

// number writes a figure without needless decimals: "5", "4.5".
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

// hang puts head before the first line and blanks of the same width before the
// other lines.
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

// Size gives bytes as people read them.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
