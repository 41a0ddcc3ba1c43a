package draw_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/koda"
)

var sixty = koda.FPS{Num: 60, Den: 1}

// raw is a picture of one colour as the browser's memory has it.
func raw(width, height int, c color.RGBA) []byte {
	return bytes.Repeat([]byte{c.B, c.G, c.R, 0}, width*height)
}

// TestGlimpse: a glimpse is small, has the shape and the colours of the frame, and comes
// twice a second at most; where it is dear, it comes more rarely.
func TestGlimpse(t *testing.T) {
	t.Parallel()
	red := color.RGBA{R: 220, G: 30, B: 60, A: 255}
	whole := image.NewRGBA(image.Rect(0, 0, 90, 360))
	for i := 0; i < len(whole.Pix); i += 4 {
		copy(whole.Pix[i:], []byte{red.R, red.G, red.B, red.A})
	}
	var packed bytes.Buffer
	if err := png.Encode(&packed, whole); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		picture []byte
		width   int
		want    image.Point
	}{
		"raw":   {raw(640, 360, red), 640, image.Pt(160, 90)},
		"png":   {packed.Bytes(), 0, image.Pt(40, 160)},
		"small": {raw(16, 8, red), 16, image.Pt(16, 8)},
	} {
		now := time.Unix(0, 0)
		cost := time.Duration(0)
		clock := func() time.Time { now = now.Add(cost); return now }
		g := draw.NewGlimpser(clock, tt.width)
		got := g(tt.picture, 90, sixty)
		if got == nil || got.Frame != 90 || got.Time != 1.5 {
			t.Fatalf("%s: %+v", name, got)
		}
		img, err := jpeg.Decode(bytes.NewReader(got.JPEG))
		if err != nil || img.Bounds().Size() != tt.want {
			t.Fatalf("%s: %v, %v", name, img.Bounds(), err)
		}
		r, gr, b, _ := img.At(3, 3).RGBA()
		if near := func(v uint32, w uint8) bool { return max(int(v>>8), int(w))-min(int(v>>8), int(w)) < 8 }; !near(r, red.R) || !near(gr, red.G) || !near(b, red.B) {
			t.Errorf("%s: the colour is %d %d %d", name, r>>8, gr>>8, b>>8)
		}
		if now = now.Add(499 * time.Millisecond); g(tt.picture, 91, sixty) != nil {
			t.Errorf("%s: two within half a second", name)
		}
		now, cost = now.Add(time.Millisecond), 20*time.Millisecond
		if g(tt.picture, 92, sixty) == nil {
			t.Errorf("%s: none after half a second", name)
		}
		cost = 0
		if now = now.Add(time.Second); g(tt.picture, 93, sixty) != nil {
			t.Errorf("%s: a dear glimpse came again after a second", name)
		}
		if now = now.Add(time.Second); g(tt.picture, 94, sixty) == nil {
			t.Errorf("%s: none after two seconds", name)
		}
	}
	if draw.NewGlimpser(time.Now, 0)([]byte("no picture"), 1, sixty) != nil {
		t.Error("a glimpse of what is no picture")
	}
}

// BenchmarkGlimpse is a glimpse of a frame of 1080p. At two a second, each millisecond is
// 0.2 % of the time of the browser that waits for it.
func BenchmarkGlimpse(b *testing.B) {
	picture := raw(1920, 1080, color.RGBA{R: 220, A: 255})
	for b.Loop() {
		now := time.Now
		if draw.NewGlimpser(now, 1920)(picture, 1, sixty) == nil {
			b.Fatal("none")
		}
	}
}
