package render_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// A sheet shows frames from the whole animation, in order.
func TestSheet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		seconds               float64
		count, columns, width int
		size                  image.Point
		drawn                 int
	}{
		{5, 6, 3, 32, image.Pt(3*33+1, 2*25+1), 6},
		{5, 5, 3, 32, image.Pt(3*33+1, 2*25+1), 5}, // the last place stays empty
		{5, 2, 2, 80, image.Pt(2*82+2, 62+2), 2},
		{0.1, 10, 2, 64, image.Pt(2*65+1, 2*49+1), 3}, // three frames
		{0.03, 12, 4, 64, image.Pt(66, 50), 1},
	} {
		data, err := w.renderer().Sheet(t.Context(), project(c.seconds), c.count, c.columns, c.width)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data.PNG))
		if err != nil || img.Bounds().Size() != c.size {
			t.Errorf("%+v: %v, %v", c, img.Bounds(), err)
		}
		if got := w.drawn(); got != c.drawn || w.live != 0 {
			t.Errorf("%+v: drew %d frames, %d tabs are left", c, got, w.live)
		}
	}
	data, err := w.renderer().Sheet(t.Context(), project(1), 3, 3, 64)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data.PNG))
	if err != nil {
		t.Fatal(err)
	}
	for i, frame := range []int{5, 15, 25} { // the middles of the thirds of 30 frames
		if r, _, _, _ := img.At(1+65*i+5, 6).RGBA(); int(r>>8) != 3*frame {
			t.Errorf("picture %d shows %d, not frame %d", i, r>>8, frame)
		}
	}
	for _, bad := range [][3]int{{0, 3, 320}, {4, 0, 320}, {12, 4, 0}, {12, 4, 100_000}, {1 << 62, 1 << 40, 320}, {1_000_000, 1000, 320}} {
		if _, err := w.renderer().Sheet(t.Context(), project(1), bad[0], bad[1], bad[2]); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
