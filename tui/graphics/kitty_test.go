package graphics_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
)

// written is what reaches a terminal.
func written(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	if _, err := theme.NewWriter(&b).Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// noise is a picture that cannot be packed small.
func noise(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32()) | 0xff*byte(i&3/3)
	}
	return img
}

// unwrap takes off what tmux takes off.
func unwrap(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for text != "" {
		rest, ok := strings.CutPrefix(text, "\x1bPtmux;")
		if !ok {
			t.Fatalf("%.40q is not for tmux", text)
		}
		inner, rest, ok := cutTmux(rest)
		if !ok {
			t.Fatalf("%.40q has no end", text)
		}
		b.WriteString(inner)
		text = rest
	}
	return b.String()
}

func cutTmux(text string) (inner, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\x1b' {
			b.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == '\\' {
			return b.String(), text[i+1:], true
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}

var chunk = regexp.MustCompile(`^\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\`)

// transmitted reads what a terminal reads: the keys of the first chunk, and the picture.
func transmitted(t *testing.T, text string) (keys string, chunks int, img image.Image) {
	t.Helper()
	var data strings.Builder
	more := true
	for ; text != ""; chunks++ {
		m := chunk.FindStringSubmatch(text)
		if m == nil || !more {
			t.Fatalf("no chunk: %.60q", text)
		}
		first, rest, _ := strings.Cut(m[1], "m=")
		more = rest == "1"
		if chunks == 0 {
			keys = strings.TrimSuffix(first, ",")
		} else if first != "q=2," {
			t.Errorf("a later chunk has the keys %q", m[1])
		}
		if len(m[2]) > 4096 || more && len(m[2])%4 != 0 {
			t.Errorf("a chunk has %d characters", len(m[2]))
		}
		data.WriteString(m[2])
		text = text[len(m[0]):]
	}
	if more {
		t.Error("the last chunk promises another")
	}
	raw, err := base64.StdEncoding.DecodeString(data.String())
	if err != nil {
		t.Fatal(err)
	}
	img, err = png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return keys, chunks, img
}

// same compares pictures pixel by pixel.
func same(t *testing.T, got, want image.Image) {
	t.Helper()
	if got.Bounds() != want.Bounds() {
		t.Fatalf("the picture is %v, want %v", got.Bounds(), want.Bounds())
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if g, w := color.NRGBAModel.Convert(got.At(x, y)), color.NRGBAModel.Convert(want.At(x, y)); g != w {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, g, w)
			}
		}
	}
}

func TestKitty(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		caps   graphics.Caps
		img    *image.NRGBA
		chunks int
	}{
		"one chunk": {graphics.Caps{}, noise(3, 2), 1},
		"chunks":    {graphics.Caps{}, noise(80, 60), 5},
		"tmux":      {graphics.Caps{Tmux: true}, noise(80, 60), 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			transmit, lines := c.caps.Kitty(7, c.img, 3, 2)
			if w := ansi.StringWidth(transmit); w != 0 {
				t.Errorf("the data has %d columns", w)
			}
			out := written(t, transmit)
			if c.caps.Tmux {
				if n := strings.Count(out, "\x1bPtmux;"); n != c.chunks {
					t.Errorf("%d wrapped chunks, want %d", n, c.chunks)
				}
				out = unwrap(t, out)
			}
			keys, chunks, img := transmitted(t, out)
			if want := "a=T,U=1,f=100,t=d,q=2,i=7,c=3,r=2"; keys != want || chunks != c.chunks {
				t.Errorf("%d chunks with the keys %s, want %d with %s", chunks, keys, c.chunks, want)
			}
			same(t, img, c.img)
			want := []string{
				"\x1b[38;5;7m\U0010EEEE\u0305\u0305\U0010EEEE\u0305\u030D\U0010EEEE\u0305\u030E\x1b[39m",
				"\x1b[38;5;7m\U0010EEEE\u030D\u0305\U0010EEEE\u030D\u030D\U0010EEEE\u030D\u030E\x1b[39m",
			}
			for i, line := range lines {
				if w := ansi.StringWidth(line); w != 3 {
					t.Errorf("a line has %d columns", w)
				}
				lines[i] = written(t, line)
			}
			if diff := cmp.Diff(want, lines); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A box has as many rows and columns as placeholders can number, each with its own
// number.
func TestKitty_Far(t *testing.T) {
	t.Parallel()
	_, lines := graphics.Caps{}.Kitty(255, noise(2, 2), 400, 300)
	cells := map[string]bool{}
	for _, line := range lines {
		for _, cell := range strings.Split(written(t, line), "\U0010EEEE")[1:] {
			cells[strings.TrimSuffix(cell, "\x1b[39m")] = true
		}
	}
	if len(lines) != 297 || len(cells) != 297*297 {
		t.Errorf("%d rows with %d different cells", len(lines), len(cells))
	}
}

func TestKittyDelete(t *testing.T) {
	t.Parallel()
	if got, want := written(t, graphics.Caps{}.KittyDelete(9)), "\x1b_Ga=d,d=I,i=9,q=2\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := written(t, graphics.Caps{Tmux: true}.KittyDelete(9)), "\x1bPtmux;\x1b\x1b_Ga=d,d=I,i=9,q=2\x1b\x1b\\\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Without pixels or room there is no picture.
func TestNothing(t *testing.T) {
	t.Parallel()
	caps, some, empty := graphics.Caps{}, noise(2, 2), image.NewNRGBA(image.Rectangle{})
	for _, c := range []struct {
		id            uint8
		img           image.Image
		columns, rows int
	}{{0, some, 2, 2}, {1, nil, 2, 2}, {1, empty, 2, 2}, {1, some, 0, 2}, {1, some, 2, -1}} {
		if transmit, lines := caps.Kitty(c.id, c.img, c.columns, c.rows); transmit != "" || lines != nil {
			t.Errorf("%+v: kitty has a picture", c)
		}
		if c.id != 0 && caps.ITerm2(c.img, c.columns, c.rows) != "" {
			t.Errorf("%+v: iterm2 has a picture", c)
		}
	}
	if caps.Sixel(nil, 2) != "" || caps.Sixel(empty, 2) != "" || caps.Sixel(some, 0) != "" || caps.KittyDelete(0) != "" {
		t.Error("there is a picture")
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	for size, want := range map[image.Point]int{{1920, 1080}: 11, {1080, 1920}: 36, {100, 1}: 1, {}: 1, {0, 5}: 1} {
		if got := graphics.Rows(size, 40); got != want {
			t.Errorf("%v takes %d rows, want %d", size, got, want)
		}
	}
}
