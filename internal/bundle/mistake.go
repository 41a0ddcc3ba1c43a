package bundle

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// maxListed bounds the mistakes in the details of an error: people do not read more.
const maxListed = 50

// mistake is something wrong at a place of the project.
type mistake struct {
	file         string
	line, column int    // from 1, in characters
	length       int    // in characters
	source       string // the line
	text, hint   string
}

// mistakeAt describes length bytes of a file from offset at.
func mistakeAt(file string, data []byte, at, length int, text, hint string) mistake {
	at = min(at, len(data))
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	end := len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		end = at + i
	}
	return mistake{
		file: file, line: bytes.Count(data[:at], []byte("\n")) + 1,
		column: utf8.RuneCount(data[start:at]) + 1, length: utf8.RuneCount(data[at:min(at+length, end)]),
		source: strings.TrimRight(string(data[start:end]), "\r"), text: text, hint: hint,
	}
}

func (m mistake) String() string {
	return m.place() + ": " + m.text
}

func (m mistake) place() string {
	if m.line == 0 {
		return m.file
	}
	return fmt.Sprintf("%s:%d:%d", m.file, m.line, m.column)
}

// shown bounds how much of a source line is shown, in characters.
const shown = 120

// excerpt is the source line with a caret below the place.
func (m mistake) excerpt() string {
	line := []rune(strings.ReplaceAll(m.source, "\t", " "))
	column := min(max(m.column-1, 0), len(line))
	if len(line) > shown {
		from := max(0, min(column-shown/2, len(line)-shown))
		line = line[from : from+shown]
		column -= from
	}
	carets := max(1, min(m.length, len(line)-column))
	number := fmt.Sprint(m.line)
	return fmt.Sprintf("  %s | %s\n  %s | %s%s", number, string(line),
		strings.Repeat(" ", len(number)), strings.Repeat(" ", column), strings.Repeat("^", carets))
}

// buildFailed joins all mistakes into one error, with the first mistake in front.
func buildFailed(mistakes []mistake) *koda.Error {
	slices.SortStableFunc(mistakes, func(a, b mistake) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column), strings.Compare(a.text, b.text))
	})
	mistakes = slices.CompactFunc(mistakes, func(a, b mistake) bool { return a.String() == b.String() })
	var details strings.Builder
	told := map[string]bool{}
	if len(mistakes) == 1 {
		told[mistakes[0].hint] = true // the error itself says it
	}
	for i, m := range mistakes {
		if i == maxListed {
			fmt.Fprintf(&details, "and %d more\n", len(mistakes)-i)
			break
		}
		details.WriteString(m.String() + "\n")
		if m.line > 0 {
			details.WriteString(m.excerpt() + "\n")
		}
		if m.hint != "" && !told[m.hint] {
			details.WriteString("  " + m.hint + "\n")
			told[m.hint] = true
		}
	}
	first := mistakes[0]
	op := first.String()
	if len(mistakes) > 1 {
		op += fmt.Sprintf(" (and %d more)", len(mistakes)-1)
	}
	return &koda.Error{Code: koda.CodeBuildFailed, Op: op, Hint: cmp.Or(first.hint, "look at "+first.place()), Details: strings.TrimSuffix(details.String(), "\n")}
}
