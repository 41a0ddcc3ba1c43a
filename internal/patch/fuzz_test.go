package patch_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/patch"
)

// full counts the lines that are not blank.
func full(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// FuzzApply makes whatever edit. What stands before the place stays, and so does the end
// of the text; or there is an error that says what to do.
func FuzzApply(f *testing.F) {
	f.Add("a\n  b\nc\n", "a\nb", "a\n\nc")
	f.Add("\ta\r\n\t\tb\r\n", "a\n  b\n", "  x\n\ty")
	f.Add("func a() {\n  one(1)\n}\n", "func a() {\n  one(2)\n}\n", "")
	f.Add("a", "a\n\n", "\n")
	f.Fuzz(func(t *testing.T, text, old, replacement string) {
		got, err := patch.Apply(text, old, replacement)
		if err != nil {
			if koda.CodeOf(err) != koda.CodeInvalidInput || got != (patch.Result{}) {
				t.Fatal(err)
			}
			return
		}
		before, lines := strings.SplitAfter(text, "\n"), strings.SplitAfter(got.Text, "\n")
		if got.Strategy == patch.Exact {
			return // also within lines
		}
		if n := full(text) - full(old) + full(replacement); full(got.Text) != n {
			t.Fatalf("%s: %d lines are not blank, not %d: %q", got.Strategy, full(got.Text), n, got.Text)
		}
		for i := range got.Line - 1 {
			if i < len(lines)-1 && before[i] != lines[i] {
				t.Fatalf("%s at %d changed line %d of %q: %q", got.Strategy, got.Line, i+1, text, got.Text)
			}
		}
		if got.Text != "" && strings.HasSuffix(text, "\n") && !strings.HasSuffix(got.Text, "\n") {
			t.Fatalf("the last line end is gone: %q of %q", got.Text, text)
		}
	})
}
