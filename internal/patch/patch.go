package patch

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// Strategy is the way in which a piece was found.
type Strategy string

// The strategies, from the strictest to the loosest.
const (
	Exact      Strategy = "exact"
	Trimmed    Strategy = "line-trimmed"
	Indented   Strategy = "indentation-flexible"
	Anchored   Strategy = "block-anchored"
	Similarity Strategy = "similarity"
)

// Result is a changed text.
type Result struct {
	Text     string
	Line     int // where the piece began, from 1
	Strategy Strategy
}

// Apply replaces the one place of text that old quotes. An error is INVALID_INPUT: its hint
// says how to go on, and its details are the lines of the text that are nearest to old.
func Apply(text, old, replacement string) (Result, error) {
	switch {
	case old == "":
		return Result{}, refuse("write the whole file instead", "old_string is empty")
	case old == replacement:
		return Result{}, refuse("", "old_string and new_string are the same")
	case !utf8.ValidString(text):
		return Result{}, refuse("", "the file is not text")
	}
	end := lineEnd(text)
	replacement = withEnds(replacement, end)
	if line := elided(replacement, text); line != "" {
		return Result{}, refuse("write every line that shall be there", "new_string leaves lines out: %q", line)
	}
	at := occurrences(text, old)
	if len(at) == 0 {
		old = withEnds(old, end)
		at = occurrences(text, old)
	}
	switch {
	case len(at) == 1:
		return Result{text[:at[0]] + replacement + text[at[0]+len(old):], 1 + strings.Count(text[:at[0]], "\n"), Exact}, nil
	case len(at) > 1:
		var lines []int
		for _, i := range at {
			lines = append(lines, 1+strings.Count(text[:i], "\n"))
		}
		return Result{}, ambiguous("occurs", lines)
	}
	if line := elided(old, text); line != "" {
		return Result{}, refuse("quote every line, or make several smaller edits", "old_string leaves lines out: %q", line)
	}
	m := newMatcher(text, old)
	first, strategy, err := m.find()
	if err != nil {
		return Result{}, err
	}
	if strategy == "" {
		return Result{}, m.missing(text, replacement)
	}
	return Result{m.replace(first, replacement, end), 1 + m.text.full[first], strategy}, nil
}

func refuse(hint, format string, args ...any) *koda.Error {
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf(format, args...), Hint: hint}
}

// mostNamed is how many places an error names.
const mostNamed = 5

func ambiguous(verb string, lines []int) error {
	var names []string
	for _, l := range lines[:min(len(lines), mostNamed)] {
		names = append(names, fmt.Sprint(l))
	}
	if len(lines) > mostNamed {
		names = append(names, "…")
	}
	return refuse("include more of the surrounding text, so that it occurs once", "old_string %s %d times (lines %s)", verb, len(lines), strings.Join(names, ", "))
}

// occurrences are the places of old in text, overlapping places too: "aa" is in
// "aaa" twice, and it is not known which of the two is meant.
func occurrences(text, old string) []int {
	var at []int
	for from := 0; ; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			return at
		}
		at = append(at, from+i)
		_, width := utf8.DecodeRuneInString(text[from+i:])
		from += i + width
	}
}

// lineEnd is the line end of most lines.
func lineEnd(text string) string {
	if crlf := strings.Count(text, "\r\n"); 2*crlf > strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}

func withEnds(text, end string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", end)
}

// leftOut finds comments that stand for lines: "// ... rest unchanged", "{/* existing code
// */}", and dots alone on a line. A comment in words needs dots, or words that say so.
var leftOut = regexp.MustCompile(`(?i)^(\.{3}|…)$|` +
	`^(//+|#+|/\*+|\{/\*+|<!--|--|;+|\*)\s*[\[(<]?\s*(` +
	`(\.{3}|…)\W*(\*/\}?|-->)?$|` +
	`(\.{3}|…).*\b(rest|remain\w*|existing|unchanged|same|previous|other|omitted|as before|keep)\b|` +
	`.*\b(rest|remain\w*|existing|unchanged|omitted|as before)\b.*(\.{3}|…)|` +
	`((the )?(rest|remainder|remaining)\b.*\b(unchanged|same|as before|omitted|here)\b)|` +
	`(\(?existing (code|content|imports|lines)\b)|` +
	`((no changes?|unchanged|same as before)\W*(\*/\}?|-->)?$))`)

// elided is a line of piece that stands for lines left out, and that is no line of text.
func elided(piece, text string) string {
	for line := range strings.Lines(piece) {
		line = strings.TrimSpace(line)
		if leftOut.MatchString(line) && !strings.Contains(text, line) {
			return line
		}
	}
	return ""
}

// Elided is a line of a whole file that stands for lines left out, such as
// "// ... rest unchanged"; "" if there is none.
func Elided(file string) string { return elided(file, "") }
