package offline_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/koda"
)

// A recording with colours by name, by number and by red, green and blue, half blocks, a
// screen of its own that a program leaves again, and a new size.
const recorded = `{"version": 2, "width": 20, "height": 10, "theme": {"fg": "#ffffff", "bg": "#102030", "palette": "#000000:#ff0000:#00ff00:#ffff00:#0000ff:#ff00ff:#00ffff:#ffffff"}}
[0.5, "o", "\u001b[?25l\u001b[41m                    \u001b[48;5;21m                    \u001b[48;2;0;200;100m                    \u001b[0m"]
[1.0, "o", "\u001b[38;2;250;250;0m\u001b[48;2;0;0;250m▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\u001b[0m"]
[2.0, "o", "\u001b[?1049h\u001b[2J\u001b[H\u001b[45m"]
[2.1, "r", "20x8"]
[2.2, "o", "\u001b[2J"]
[3.0, "o", "\u001b[?1049l\u001b[0m"]
[4.0, "o", "."]
`

// TestRecording: a recording of a terminal plays, each frame by its time alone.
func TestRecording(t *testing.T) {
	set, err := dataset.Read("s.cast", []byte(recorded))
	if err != nil {
		t.Fatal(err)
	}
	b := koda.Brief{Prompt: set.Prompt(""), Data: set.Encode(), Width: 640, Height: 360, FPS: koda.FPS{Num: 10, Den: 1}}
	b.Assets = []koda.Asset{{Name: "s.cast", Kind: "data", Path: "public/data/s-2.cast"}}
	p := build(t, b, koda.Answer{OptionID: "smooth"})
	p.files["public/data/s-2.cast"] = recorded
	if pl := plan(t, b, koda.Answer{OptionID: "smooth"}); !strings.Contains(pl.Scenes[0].Description, "s-2.cast, plays for 4 s") {
		t.Errorf("the plan says %q", pl.Scenes[0].Description)
	}
	// Of 360 pixels the window leaves room for ten rows of 28, which begin at the 48th.
	const top, high = 48, 28
	// The window opens in 0.8 s, and then the recording begins.
	const red, blue, green, ground, purple = "255 0 0", "0 0 255", "0 200 100", "16 32 48", "255 0 255"
	for _, tt := range []struct {
		frame int
		rows  [6]string // colours in the middle of the rows of the screen
	}{
		{12, [6]string{ground, ground, ground, ground, ground, ground}},
		{14, [6]string{red, blue, green, ground, ground, ground}},
		{20, [6]string{red, blue, green, "250 250 0/0 0 250", ground, ground}},
		{32, [6]string{purple, purple, purple, purple, purple, purple}},
		{40, [6]string{red, blue, green, "250 250 0/0 0 250", ground, ground}},
	} {
		t.Run(fmt.Sprint(tt.frame), func(t *testing.T) {
			tab := p.open(t, 640, 360, 1, 10)
			first := shoot(t, tab, tt.frame)
			img := decode(t, first)
			for row, want := range tt.rows {
				half := func(share float64) string {
					c := rgb(img, 320, top+int((float64(row)+share)*high))
					return fmt.Sprintf("%d %d %d", c[0], c[1], c[2])
				}
				got := half(0.25)
				if below := half(0.75); below != got {
					got += "/" + below
				}
				if got != want {
					t.Errorf("row %d is %s, want %s", row, got, want)
				}
			}
			later, earlier := tt.frame+9, max(tt.frame-9, 0)
			shoot(t, tab, later)
			if !bytes.Equal(first, shoot(t, tab, tt.frame)) {
				t.Error("the frame is another one after a later frame")
			}
			shoot(t, tab, earlier)
			if !bytes.Equal(first, shoot(t, tab, tt.frame)) {
				t.Error("the frame is another one after an earlier frame")
			}
		})
	}
}
