package graphics_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/koda-video/koda/tui/graphics"
)

func TestITerm2(t *testing.T) {
	t.Parallel()
	img := noise(5, 4)
	out := written(t, graphics.Caps{}.ITerm2(img, 10, 4))
	m := regexp.MustCompile(`^\x1b\]1337;File=size=(\d+);width=10;height=4;inline=1:([A-Za-z0-9+/=]+)\x07$`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("got %q", out)
	}
	raw, err := base64.StdEncoding.DecodeString(m[2])
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, img)
	still := image.NewYCbCr(image.Rect(0, 0, 8, 8), image.YCbCrSubsampleRatio420)
	if raw, err = base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.SplitN(written(t, graphics.Caps{}.ITerm2(still, 8, 4)), ":", 2)[1], "\a")); err != nil || raw[24] != 8 { // the depth in IHDR
		t.Errorf("a still of a JPEG has %d bits of each colour: %v", raw[24], err)
	}
	if wrapped := written(t, graphics.Caps{Tmux: true}.ITerm2(img, 10, 4)); unwrap(t, wrapped) != out {
		t.Errorf("for tmux: %q", wrapped)
	}
}

var sixelToken = regexp.MustCompile(`^(?:#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|[$]|-)`)

// decodeSixels draws sixels. (The decoder of x/ansi loses what stands behind a run.)
func decodeSixels(t *testing.T, data string, width, height int) image.Image {
	t.Helper()
	data, ok := strings.CutPrefix(data, fmt.Sprintf("\"1;1;%d;%d", width, height))
	if !ok {
		t.Fatalf("no picture of %d×%d: %.30q", width, height, data)
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	palette := map[string]color.NRGBA{}
	var now color.NRGBA
	x, y := 0, 0
	for data != "" {
		m := sixelToken.FindStringSubmatch(data)
		if m == nil {
			t.Fatalf("no sixel: %.30q", data)
		}
		data = data[len(m[0]):]
		n := func(text string) int {
			v, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		switch {
		case m[0] == "$":
			x = 0
		case m[0] == "-":
			x, y = 0, y+6
		case m[1] != "":
			palette[m[1]] = color.NRGBA{uint8(n(m[2]) * 255 / 100), uint8(n(m[3]) * 255 / 100), uint8(n(m[4]) * 255 / 100), 255}
		case m[5] != "":
			now = palette[m[5]]
		default:
			run, bits := 1, m[7]+m[8]
			if m[6] != "" {
				run = n(m[6])
			}
			for range run {
				for i := range 6 {
					if (bits[0]-'?')>>i&1 == 1 {
						img.SetNRGBA(x, y+i, now)
					}
				}
				x++
			}
		}
	}
	return img
}

// A picture in sixels has the width that was asked for, and its colours.
func TestSixel(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(10, 10, 30, 20))
	for y := 10; y < 20; y++ {
		for x := 10; x < 30; x++ {
			img.SetNRGBA(x, y, color.NRGBA{R: 255, B: 255 * uint8((x-10)/10), A: 255})
		}
	}
	for _, width := range []int{20, 41, 7} {
		out := written(t, graphics.Caps{}.Sixel(img, width))
		data, ok := strings.CutPrefix(out, "\x1bP0;1q")
		data, end := strings.CutSuffix(data, "\x1b\\")
		if !ok || !end {
			t.Fatalf("got %q", out)
		}
		height := (width*10 + 10) / 20
		got := decodeSixels(t, data, width, height)
		for x, want := range map[int]color.NRGBA{0: {255, 0, 0, 255}, width - 1: {255, 0, 255, 255}} {
			if c := color.NRGBAModel.Convert(got.At(x, height/2)); c != want {
				t.Errorf("pixel %d is %v, want %v", x, c, want)
			}
		}
	}
}
