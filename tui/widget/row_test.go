package widget_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// The mark of a row is found, takes no column, and never reaches a terminal; a text of a
// stranger has none.
func TestRow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 7, 1234} {
		line := "  " + widget.Row(n, "→ a row")
		if got := widget.RowOf(line); got != n {
			t.Errorf("row %d is found as %d", n, got)
		}
		if w := ansi.StringWidth(line); w != 9 {
			t.Errorf("%d columns", w)
		}
		if got := theme.Open(line); got != "  → a row" {
			t.Errorf("written as %q", got)
		}
	}
	for _, line := range []string{"", "3r", widget.Line("\x1b[3r a name"), "\x1b[99999999999999999999r"} {
		if got := widget.RowOf(line); got != -1 {
			t.Errorf("%q is row %d", line, got)
		}
	}
}
