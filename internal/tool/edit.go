package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// replaceOnce replaces the one occurrence of old in text and returns the line,
// from 1, where it begins. Errors are INVALID_INPUT and say how to go on.
func replaceOnce(path, text, old, replacement string) (changed string, line int, err error) {
	fail := func(hint, format string, args ...any) (string, int, error) {
		return "", 0, &koda.Error{Code: koda.CodeInvalidInput, Op: NameEditFile + ": " + fmt.Sprintf(format, args...), Hint: hint}
	}
	switch {
	case old == "":
		return fail("write the whole file with "+NameSandboxWriteFile, `field "old_string" is empty`)
	case old == replacement:
		return fail("", "old_string and new_string are the same")
	case !utf8.ValidString(text):
		return fail("", "%s is not text", path)
	}
	at := occurrences(text, old)
	switch len(at) {
	case 0:
		return fail(whyMissing(path, text, old), "old_string is not in %s", path)
	case 1:
		return text[:at[0]] + replacement + text[at[0]+len(old):], lineOf(text, at[0]), nil
	}
	var lines []string
	for _, i := range at[:min(len(at), 5)] {
		lines = append(lines, fmt.Sprint(lineOf(text, i)))
	}
	if len(at) > 5 {
		lines = append(lines, "…")
	}
	return fail("include more of the surrounding text, so that it occurs once",
		"old_string occurs %d times in %s (lines %s)", len(at), path, strings.Join(lines, ", "))
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

func lineOf(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }

// whyMissing guesses why a text was not found: its white space differs, or a
// line of it is elsewhere or nowhere.
func whyMissing(path, text, old string) string {
	lines := strings.Split(text, "\n")
	want := trimmedLines(strings.Split(strings.Trim(old, "\n"), "\n"))
	have := trimmedLines(lines)
	for i := 0; i+len(want) <= len(have); i++ {
		same := true
		for j := range want {
			same = same && have[i+j] == want[j]
		}
		if same {
			return fmt.Sprintf("the text at line %d of %s differs in white space only; copy it exactly", i+1, path)
		}
	}
	for _, w := range want {
		if w == "" {
			continue
		}
		for i, h := range have {
			if h == w {
				return fmt.Sprintf("line %d of %s is %q, what surrounds it differs; read the file again", i+1, path, clip(strings.TrimSpace(lines[i]), 60))
			}
		}
	}
	return "read " + path + " again; it may have changed"
}

func trimmedLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.Join(strings.Fields(l), " ")
	}
	return out
}
