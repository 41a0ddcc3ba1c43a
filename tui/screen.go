package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// screen is what a person sees in one phase. Its methods are pure: key returns the changed
// screen and what the person wants, nil if the key only changed the screen.
type screen interface {
	key(k tea.KeyMsg) (screen, intent)
	view(c canvas) string
	// help is what keys do, the most useful first. [askKeys] is last.
	help() []hint
}

// canvas is where a screen is drawn.
type canvas struct {
	th            theme.Theme
	width, height int // of the body
	tick          int // grows while koda works
}

// intent is what a person wants.
type intent any

// The intents.
type (
	leave  struct{}                     // end the studio
	browse struct{ filtered bool }      // show the projects; with the filter, if there is one
	begin  struct{ k tea.KeyMsg }       // write a new prompt, which begins with a key
	open   struct{ id string }          // a project
	create struct{ b Brief }            // make a video of it
	choose struct{ a koda.Answer }      // answer the question
	accept struct{ presets string }     // the plan, or the preview, and make these final videos: names with commas between
	reject struct{ why string }         // the plan
	change struct{ what, typed string } // the plan, or the video; typed is what the person wrote, if that is another text
	say    struct{ what string }        // to the author at work
	retry  struct{}                     // go on
	undo   struct{}                     // to the version before
	redo   struct{}                     // and back
	look   struct{}                     // show the frame at the playhead
	choice struct{ preset string }      // list the presets, with one marked
	render struct{ preset string }      // make a further final video
	folder struct{}                     // open the folder of the project
	record struct{}                     // show the log

	showKeys    struct{}             // all keys of the screen
	showPalette struct{}             // all that can be done
	showProject struct{}             // what is known of the project
	press       struct{ key string } // the key of that name
	compose     struct{}             // in the person's own editor
	copyPath    struct{}             // of the video
	suspend     struct{}             // back to the shell
)

// names are the presets of the final videos.
func (a accept) names() []string {
	return strings.FieldsFunc(a.presets, func(r rune) bool { return r == ',' })
}

// line is an input of some lines, drawn by a component of another library.
type line struct {
	area  textarea.Model
	folds []folded // texts that the area shows as summaries
}

const maxTyped = 32 << 10 // bytes, as long as a prompt may be

func newLine(placeholder string) line {
	a := textarea.New()
	a.Placeholder = placeholder
	a.Prompt = ""
	a.ShowLineNumbers = false
	a.CharLimit = maxTyped
	a.MaxHeight = 0 // lines: as many as there is room for
	a.SetHeight(3)
	a.FocusedStyle.CursorLine = lipgloss.NewStyle() // its own is black, also on a light background
	a.KeyMap.InsertNewline.SetKeys("ctrl+j", "alt+enter")
	a.Focus()
	return line{area: a}
}

// newName is a line of one row.
func newName(placeholder string) line {
	l := newLine(placeholder)
	l.area.KeyMap.InsertNewline.SetEnabled(false)
	return l
}

func (l line) key(k tea.KeyMsg) line {
	if k.Paste {
		return l.paste(k)
	}
	was, row, column := l.area.Value(), l.area.Line(), len([]rune(l.before()))
	for range l.erases(k) {
		l.area, _ = l.area.Update(k)
	}
	if l.splits(was) { // the component has no way back
		l.area.SetValue(was)
		for l.area.Line() > row {
			l.area.CursorUp()
		}
		l.area.SetCursor(column)
	}
	return l
}

// shown brings the cursor into view after much was typed at once: the component looks for
// it among the rows that it drew before.
func (l line) shown() line {
	_ = l.area.View()
	l.area, _ = l.area.Update(nil)
	return l
}

// typing gives a key to the line. Sent is the text if the key sent one, back says that the
// person leaves the line.
func (l line) typing(k tea.KeyMsg) (next line, sent string, back bool) {
	switch k.String() {
	case "esc":
		return l, "", true
	case "enter":
		return l, l.text(), false
	}
	return l.key(k), "", false
}

// help is what keys do while a line is typed: enter sends it, esc goes back.
func (l line) help(send, back string) []hint {
	hints := []hint{
		{key: "enter", what: send}, {key: "ctrl+j", what: "new line"}, {key: "esc", what: back},
		{key: "↑↓", what: "typed before", more: "what was typed before, what was typed after it"}, {key: "f1", what: "keys", more: "show all keys"},
	}
	if !l.area.KeyMap.InsertNewline.Enabled() {
		hints = slices.Delete(hints, 1, 2)
	}
	return hints
}

// text is what was typed.
func (l line) text() string { return strings.TrimSpace(theme.Clean(l.unfolded(l.area.Value()))) }

func (l line) view(c canvas, height int) string {
	l.area.SetWidth(max(c.width-2, 8))
	l.area.SetHeight(height)
	if !l.empty() {
		l = l.shown() // the window may be smaller by now
	}
	l.area.FocusedStyle = textarea.Style{Placeholder: c.th.Muted.Look()}
	l.area.Cursor.Style = theme.Cursor()
	l.area.Focus() // it takes the style
	mark := c.th.Accent.Render(c.th.Glyphs.Lane) + " "
	rows := strings.Split(theme.Adopt(l.area.View()), "\n")
	for i := range rows {
		rows[i] = mark + rows[i]
	}
	return strings.Join(rows, "\n")
}

// printable reports whether a key types a character.
func printable(k tea.KeyMsg) bool { return k.Type == tea.KeyRunes && !k.Alt || k.Type == tea.KeySpace }

// fit is a text of at most height lines, the last of them if the end matters more.
func fit(text string, height int, end bool) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= height {
		return text
	}
	if end {
		return strings.Join(lines[len(lines)-height:], "\n")
	}
	return strings.Join(lines[:height], "\n")
}
