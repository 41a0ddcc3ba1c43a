package render_test

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// TestCompare compares videos of a page and of a shorter page that looks the same.
// Until the shorter video ends, both halves are equal, or the difference is black.
func TestCompare(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.renderer()
	long, short := spec(t), spec(t)
	short.Frames, short.Duration = 30, 1
	long.CRF, short.CRF = 0, 0
	for _, difference := range []bool{false, true} {
		c := koda.VideoComparison{
			From: long, To: short, Difference: difference, Labels: [2]string{"v1", "v23"}, Output: filepath.Join(t.TempDir(), "both.mp4"),
		}
		w.drawn()
		res, err := r.Compare(t.Context(), project(5), project(1), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		width := 2 * pageWidth
		if difference {
			width = pageWidth
			if n := w.drawn(); n > 0 { // they are in the cache
				t.Errorf("%d frames were drawn again", n)
			}
		}
		if res.Width != width || res.Height != pageHeight || res.Frames != 150 || res.Video != c.Output || len(res.SHA256) != 64 {
			t.Errorf("difference=%v: %+v", difference, res)
		}
		near := 12 // the error that the encoder of both halves may make
		if difference {
			near = 8
		}
		for frame, same := range map[int]bool{0: true, 29: true, 100: false} {
			if got := w.apart(t, c.Output, frame, difference); (got <= near) != same {
				t.Errorf("difference=%v: at frame %d colours are %d apart", difference, frame, got)
			}
		}
	}
	mine := filepath.Join(t.TempDir(), "mine.mp4")
	kept := koda.VideoComparison{From: long, To: short, Labels: [2]string{"v1", "v2"}, Output: mine, NoClobber: true}
	appeared := func(koda.Progress) { // the file appeared during the work
		if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Compare(t.Context(), project(5), project(1), kept, appeared); koda.CodeOf(err) != koda.CodeExists || string(read(t, mine)) != "mine" {
		t.Errorf("a video that must not be replaced: %v", err)
	}
	for _, bad := range []koda.VideoComparison{
		{From: long, To: short, Labels: [2]string{"v1", "v2"}, Output: "both.mp4"},
		{From: long, To: short, Labels: [2]string{"one", "v2"}, Output: filepath.Join(t.TempDir(), "both.mp4")},
		{From: long, To: koda.RenderSpec{}, Output: filepath.Join(t.TempDir(), "both.mp4")},
	} {
		if _, err := r.Compare(t.Context(), project(5), project(1), bad, nil); err == nil {
			t.Errorf("%+v was made", bad)
		}
	}
}

// apart is the greatest distance of colours below the labels: between the two
// halves of a frame, or in a difference. It leaves out the pixels beside the line
// where the halves meet, because the encoder mixes colours across that line.
func (w *world) apart(t *testing.T, video string, frame int, difference bool) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "still.png")
	if err := w.tool().Still(t.Context(), koda.StillJob{Video: video, Frame: frame, Output: file}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	const seam = 4
	most := 0
	for y := pageHeight / 2; y < pageHeight; y++ {
		for x := seam; x < pageWidth-seam; x++ {
			a := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			b := color.NRGBA{}
			if !difference {
				b = color.NRGBAModel.Convert(img.At(x+pageWidth, y)).(color.NRGBA)
			}
			for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
				most = max(most, d, -d)
			}
		}
	}
	return most
}
