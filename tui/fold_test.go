package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// TestFold: a long pasted text is shown as a summary, is sent as a whole, and is removed by one
// backspace; no key breaks the summary.
func TestFold(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("円 🎉, 3\r\n", 41)
	whole := strings.TrimSuffix(strings.ReplaceAll(rows, "\r\n", "\n"), "\n")
	long := strings.Repeat("x", 2001)
	for _, tt := range []struct {
		name  string
		paste string
		keys  []string
		sees  string
		sent  string
	}{
		{"lines", rows, nil, "bars of [41 lines pasted]", "bars of " + whole},
		{"letters", long, nil, "bars of [2001 letters pasted]", "bars of " + long},
		{"a short text", "a\nb", nil, "b", "bars of a\nb"},
		{"just short enough", strings.Repeat("l\n", 12), nil, "l", "bars of " + strings.TrimSpace(strings.Repeat("l\n", 12))},
		{"more text behind", rows, []string{" in blue"}, "[41 lines pasted] in blue", "bars of " + strings.ReplaceAll(rows, "\r\n", "\n") + " in blue"},
		{"one backspace", rows, []string{"backspace", "eggs"}, "bars of eggs", "bars of eggs"},
		{"within", rows, []string{"left", "x", "backspace", "delete", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+j"}, "bars of [41 lines pasted]", "bars of " + whole},
		{"the cursor stays", rows, []string{"ctrl+j", "more", "up", "home", "ctrl+k", "eggs"}, "eggs", "eggs\nmore"},
		{"the cursor stays within", rows, []string{"left", "x", "right", "!"}, "pasted]!", "bars of " + strings.ReplaceAll(rows, "\r\n", "\n") + "!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := form()
			s.next = planned()
			d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Begin: true})
			d.keys("bars of ")
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(tt.paste), Paste: true})
			for _, key := range tt.keys {
				d.keys(key)
			}
			d.sees(tt.sees)
			d.keys("enter")
			d.called(fmt.Sprintf("new %s author=[%q]", tt.sent, "recipe"))
		})
	}
}

// TestFold_Twice: two texts of the same length stay two, and what was typed comes back whole.
func TestFold_Twice(t *testing.T) {
	t.Parallel()
	s := form()
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Begin: true})
	for _, text := range []string{"a\n", "b\n"} {
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat(text, 13)), Paste: true})
	}
	d.sees("[13 lines pasted][13 lines pasted, 2]")
	d.keys("up", "down", "ctrl+o")
	all := strings.Repeat("a\n", 13) + strings.Repeat("b\n", 13)
	d.called("compose " + all)
	d.keys("backspace", "esc", "ctrl+n", "enter")
	d.called("new " + strings.TrimSpace(strings.Repeat("a\n", 13)) + ` author=["recipe"]`)
}
