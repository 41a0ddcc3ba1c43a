package theme_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// A text for the clipboard reaches the terminal as one sequence of koda's own making,
// whatever the text holds, and takes no column.
func TestClipboard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "/home/ada/ball.mp4", "\x1b]0;title\a\x1b\\", "誕生日"} {
		plain := ansi.SetSystemClipboard(text)
		for tmux, want := range map[bool]string{false: plain, true: plain + ansi.TmuxPassthrough(plain)} {
			sealed := theme.Clipboard(text, tmux)
			if got := written(t, "a"+sealed+"b"); got != "a"+want+"b" {
				t.Errorf("%q is written as %q", text, got)
			}
			if ansi.StringWidth(sealed) != 0 || theme.Clean(sealed) != "" {
				t.Errorf("%q takes columns, or is not cleaned away", text)
			}
		}
	}
}
