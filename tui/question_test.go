package tui_test

import (
	"image"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// TestQuestion_Pictures: the stills of the options stand in rows, as many as there is room
// for, else that of the marked option, and never in place of the options.
func TestQuestion_Pictures(t *testing.T) {
	t.Parallel()
	asked := asking()
	q := koda.Question{Text: "Which recipe?", CustomInput: true}
	for _, name := range []string{"Bars", "Line", "Pie", "List"} {
		q.Options = append(q.Options, koda.Option{ID: strings.ToLower(name), Label: name, Description: "as a " + name, Recipe: strings.ToLower(name)})
	}
	asked.State.Question = &koda.Asked{Question: q}
	for _, tt := range []struct {
		width, height int
		labels        []string // in the order of the lines that show pictures
	}{
		{140, 40, []string{"1 Bars 2 Line 3 Pie 4 List"}},
		{80, 40, []string{"1 Bars 2 Line 3 Pie 4 List"}},
		{60, 40, []string{"1 Bars 2 Line", "3 Pie 4 List"}},
		{60, 28, []string{"1 Bars 2 Line", "3 Pie 4 List"}},
		{40, 28, []string{"1 Bars 2 Line", "3 Pie 4 List"}},
		{40, 20, []string{"1 Bars"}},
		{40, 14, nil},
	} {
		s := &script{next: asked, still: image.NewRGBA(image.Rect(0, 0, 48, 27))}
		d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
		d.size(tt.width, tt.height)
		d.sees("Which recipe?", "→ 1  Bars", "List")
		var got []string
		lines := strings.Split(ansi.Strip(d.m.View()), "\n")
		for i := 1; i < len(lines); i++ {
			if strings.Contains(lines[i-1], "▀") && !strings.Contains(lines[i], "▀") {
				got = append(got, strings.Join(strings.Fields(lines[i]), " "))
			}
		}
		if strings.Join(got, "|") != strings.Join(tt.labels, "|") {
			t.Errorf("%d×%d: %q, want %q:\n%s", tt.width, tt.height, got, tt.labels, ansi.Strip(d.m.View()))
		}
		d.keys("down", "3")
		d.sees("→ 3  Pie")
		d.keys("enter")
		d.called("stand p1", "answer p1 pie")
	}
}

// TestQuestion_Number: a number among one's own words is that of an option; any other is a slip, and no answer. What
// was typed does not come back behind esc.
func TestQuestion_Number(t *testing.T) {
	t.Parallel()
	s := &script{next: asking()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.keys("x", "backspace", "7", "enter")
	d.called()
	d.sees("there is no 7: 1 to 3, or your own words")
	d.keys("y", "esc", "z")
	d.sees("│ z")
	d.keys("backspace", "2", "enter")
	d.called("answer p1 smooth")
}

// TestQuestion_Narrow: at any size from 40 x 9 on, whoever goes through the options reads every word of the
// question and of the answers, and from 16 lines on of what is said of them.
func TestQuestion_Narrow(t *testing.T) {
	t.Parallel()
	asked := asking()
	q := koda.Question{Text: "No recipe draws this. These show any words, points or numbers; you can add a style, such as smooth or cinematic.", CustomInput: true}
	for _, name := range []string{"Headline", "A list of points with a heading above", "Bar chart", "Line chart", "Quote", "Terminal"} {
		q.Options = append(q.Options, koda.Option{ID: strings.ToLower(name), Label: name, Description: "the " + name + " comes in slowly, with a line under it where there is one"})
	}
	asked.State.Question = &koda.Asked{Question: q}
	for _, size := range [][2]int{{40, 9}, {40, 12}, {40, 16}, {40, 24}, {60, 12}, {80, 12}, {80, 24}} {
		d := newDesk(t, &script{next: asked}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
		d.size(size[0], size[1])
		var seen strings.Builder
		for range q.Options {
			d.sees("→ ")
			seen.WriteString(ansi.Strip(d.m.View()) + "\n")
			d.keys("down")
		}
		words := strings.Fields(q.Text)
		for _, o := range q.Options {
			words = append(words, strings.Fields(o.Label)...)
			if size[1] >= 16 {
				words = append(words, strings.Fields(o.Description)...)
			}
		}
		for _, word := range words {
			if !strings.Contains(seen.String(), word) {
				t.Fatalf("%d x %d: %q is nowhere:\n%s", size[0], size[1], word, &seen)
			}
		}
	}
}
