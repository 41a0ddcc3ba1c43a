package tui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

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

// TestPreview_Ruler: at any size, with a picture above and without, a click on the ruler moves
// the playhead, and a click on the picture or on the foot's blanks does not.
func TestPreview_Ruler(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {100, 30}, {80, 24}, {60, 50}, {200, 20}, {40, 12}, {30, 9}} {
		for _, colors := range []theme.Colors{theme.TrueColor, theme.None} {
			s := &script{next: previewed(), clip: &clip{}}
			d := newDesk(t, s, theme.Options{Colors: colors, UTF8: true}, tui.Config{Project: "p1"})
			d.size(size[0], size[1])
			d.keys(" ")
			ruler := -1
			for y, l := range strings.Split(ansi.Strip(d.m.View()), "\n") {
				if strings.Contains(l, "●") {
					ruler = y
				}
			}
			if colors == theme.TrueColor {
				d.sees("▀")
			}
			click := func(y int) {
				d.send(tea.MouseMsg{X: size[0] / 2, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
			click(ruler - 1)
			d.sees("paused   0:00 / 0:02")
			click(ruler)
			d.sees("paused   0:01")
			d.keys("home")
			click(ruler + 1) // the titles of the scenes, or how far it is
			d.sees("paused   0:01")
		}
	}
}

// TestPreview_Small: in a small window the picture and the ruler have the room of the scenes' titles;
// the scene that is shown has its title beside the time.
func TestPreview_Small(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed(), clip: &clip{}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.size(40, 12)
	d.sees("▀", "●", "0:00 / 0:02  Drop", "│ what should be", "enter accept")
}
