package tui_test

import (
	"testing"

	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// TestFull: a frame is drawn with all its pixels where the playhead stands, the frames beside it as
// well, and esc comes back to the same moment. Without a browser the small picture stays.
func TestFull(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed(), clip: &clip{}, still: stripes(192, 108)}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.size(80, 24)
	d.keys("right", "right", "alt+f")
	d.called("stand p1", "shot 0.2")
	d.sees("0:00.2", "192 × 108", "esc back")
	d.keys("right")
	d.called("shot 0.3")
	d.keys("esc")
	d.sees("paused", "0:00.3 / 0:02")
	s.still = nil
	d.keys("alt+f")
	d.sees("the browser does not start", "▀")
	d.keys("q")
	d.sees("paused")
}

// TestPreview_ComesBack: who leaves a preview for another screen finds the same moment of
// it again; another version is played from its start.
func TestPreview_ComesBack(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed(), clip: &clip{long: 5}, past: past}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys(" ", "home", "right", "right", "right", "+")
	d.sees("paused   0:00.3 / 0:05", "speed 2")
	d.keys("alt+v", "esc")
	d.sees("paused   0:00.3 / 0:05", "speed 2")
	s.clip = &clip{version: 2, long: 5}
	d.keys("alt+v", "esc")
	d.sees("playing  0:00")
}
