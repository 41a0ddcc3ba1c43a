package render_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// fields is a page of coloured fields, 32 pixels wide each, without a background.
// The colours reveal a wrong matrix or range; the last two fields are half and
// wholly transparent.
var fields = []color.NRGBA{
	{80, 91, 81, 255}, {255, 255, 255, 255}, {250, 249, 247, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {200, 100, 50, 128}, {},
}

func fieldsPage(background string) fstest.MapFS {
	var html strings.Builder
	fmt.Fprintf(&html, "<!doctype html><style>body{margin:0;%s}i{position:absolute;width:32px;height:32px;top:0}b{position:absolute;top:32px;width:32px;height:32px;background:#123}</style>", background)
	for n, c := range fields {
		fmt.Fprintf(&html, "<i style='left:%dpx;background:rgb(%d %d %d / %d%%)'></i>", 32*n, c.R, c.G, c.B, int(float64(c.A)/2.55+0.5))
	}
	html.WriteString("<b id=b></b><script>window.__exportSeekTo = (t) => { b.style.left = 256 * t + 'px' }; window.__exportReady = true</script>")
	return fstest.MapFS{
		"koda.json":  {Data: []byte(`{"schema": 1, "name": "fields", "width": 256, "height": 64, "fps": 10, "duration": 1}`)},
		"index.html": {Data: []byte(html.String())},
	}
}

func fieldsSpec(format, output string) koda.RenderSpec {
	s := koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: 256, Height: 64, PageWidth: 256, PageHeight: 64, FPS: koda.FPS{Num: 10, Den: 1}, Frames: 10, Duration: 1,
		Format: format, Output: output,
	}
	if format == "mp4" || format == "webm" {
		s.CRF, s.EncoderPreset = 4, "veryfast"
	}
	return s
}

func pictureOf(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// A page without a background, in every format: colours are right within two
// levels, and exact in lossless formats, alpha is kept if the format has alpha, and
// the moving field is in its place.
func TestRealFormats(t *testing.T) {
	needs.Chromium(t)
	dir := t.TempDir()
	cfg := realConfig(t.TempDir(), t.TempDir())
	r := cfg.renderer()
	for _, c := range []struct {
		format    string
		tolerance int
		alpha     bool
		alphaOff  int // levels: VP9 may lose one level
		reused    int
		decoder   []string
	}{
		{"png", 0, true, 0, 0, nil},
		{"apng", 0, true, 0, 10, nil}, // of the same segments
		{"mov", 2, true, 0, 0, nil},
		{"webm", 2, true, 1, 0, []string{"-c:v", "libvpx-vp9"}},
		{"mp4", 2, false, 0, 0, nil},
		{"gif", 2, false, 0, 0, nil},
	} {
		s := fieldsSpec(c.format, filepath.Join(dir, "a."+c.format))
		if c.format == "png" {
			s.Output = filepath.Join(dir, "frames")
		}
		s.Thumbnail = filepath.Join(dir, c.format+".jpg")
		res, err := r.Render(t.Context(), fieldsPage(""), s, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.format, err, koda.DetailsOf(err))
		}
		if res.Format != c.format || res.Frames != 10 || res.Duration != 1 || res.Reused != c.reused || res.Size == 0 || len(res.SHA256) != 64 {
			t.Errorf("%s: %+v", c.format, res)
		}
		var img image.Image
		if c.format == "png" {
			if n := len(list(t, s.Output)); n != 10 {
				t.Errorf("%d frames", n)
			}
			img = pictureOf(t, read(t, filepath.Join(s.Output, "frame_00005.png")))
		} else {
			img = ffmpegtest.Frame(t, s.Output, 5, c.decoder...)
		}
		for n, want := range fields {
			if !c.alpha && want.A < 255 {
				a := int(want.A) // white is behind the transparent pixel
				over := func(v uint8) uint8 { return uint8((int(v)*a + 255*(255-a)) / 255) }
				want = color.NRGBA{over(want.R), over(want.G), over(want.B), 255}
			}
			got := color.NRGBAModel.Convert(img.At(32*n+16, 16)).(color.NRGBA)
			tolerance := c.tolerance
			if want.A < 255 {
				tolerance++ // the browser keeps colours multiplied by alpha
			}
			far := max(off(got.R, want.R), off(got.G, want.G), off(got.B, want.B))
			if far > tolerance && want.A > 0 || off(got.A, want.A) > c.alphaOff {
				t.Errorf("%s: %v came back as %v", c.format, want, got)
			}
		}
		small, err := jpeg.Decode(bytes.NewReader(read(t, s.Thumbnail)))
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range map[int]color.NRGBA{0: fields[0], 1: fields[1], 6: {227, 177, 152, 255}, 7: {255, 255, 255, 255}} {
			if got := color.NRGBAModel.Convert(small.At(32*n+16, 16)).(color.NRGBA); max(off(got.R, want.R), off(got.G, want.G), off(got.B, want.B)) > 6 {
				t.Errorf("the thumbnail of %s shows %v, not %v", c.format, got, want)
			}
		}
		if got := color.NRGBAModel.Convert(img.At(128+16, 48)).(color.NRGBA); off(got.B, 0x33) > 3 || off(got.R, 0x11) > 3 {
			t.Errorf("%s: frame 5 shows %v where the field should be", c.format, got)
		}
	}
}

// A page with a background gives a webm without alpha, which any player shows at full
// speed.
func TestRealOpaqueWebM(t *testing.T) {
	needs.Chromium(t)
	cache := t.TempDir()
	r := realConfig(t.TempDir(), cache).renderer()
	for _, again := range []bool{false, true} {
		s := fieldsSpec("webm", filepath.Join(t.TempDir(), "a.webm"))
		if _, err := r.Render(t.Context(), fieldsPage("background:#fff"), s, nil); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(s.Output)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ffmpeg.Inspect(f, int64(len(read(t, s.Output))))
		if err != nil || m.Alpha || m.Frames != 10 || m.Duration != 1 || !m.Even || m.Color != ffmpeg.BT709 {
			t.Errorf("again %v: %+v, %v", again, m, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if got, err := filepath.Glob(filepath.Join(cache, "segments", "*.alpha")); len(got) != 1 || err != nil {
		t.Errorf("remembered: %v, %v", got, err)
	}
}

// A page that is transparent for only one frame, or loses its background for one
// frame, keeps its alpha. A page that a canvas fills counts as opaque without
// saying so.
func TestRealMomentOfAlpha(t *testing.T) {
	needs.Chromium(t)
	page := func(css, seek string) fstest.MapFS {
		return fstest.MapFS{
			"koda.json": {Data: []byte(`{"schema": 1, "name": "moment", "width": 64, "height": 64, "fps": 10, "duration": 3}`)},
			"index.html": {Data: []byte("<!doctype html><style>" + css + "</style><i id=i></i><script>window.__exportSeekTo = (t) => { const n = Math.round(10 * t); " +
				seek + " }; window.__exportReady = true</script>")},
		}
	}
	for _, c := range []struct {
		name, css, seek string
		alpha           bool
	}{
		{"declared", "html{background:#fff}", "", false},
		{"filled", "#i{position:fixed;inset:0;background:#246}", "i.style.background = n == 9 ? '#642' : '#246'", false},
		{"a hole", "#i{position:fixed;inset:0;background:#246}", "i.style.left = n == 9 ? '8px' : '0'", true},
		{"a background that goes", "body{background:#fff}", "document.body.style.background = n == 9 ? 'none' : '#fff'", true},
	} {
		s := fieldsSpec("webm", filepath.Join(t.TempDir(), "a.webm"))
		s.Width, s.Height, s.PageWidth, s.PageHeight, s.Frames, s.Duration = 64, 64, 64, 64, 30, 3
		if _, err := realConfig(t.TempDir(), t.TempDir()).renderer().Render(t.Context(), page(c.css, c.seek), s, nil); err != nil {
			t.Fatal(err)
		}
		for n, least := range map[int]uint8{8: 255, 9: 200} {
			a := color.NRGBAModel.Convert(ffmpegtest.Frame(t, s.Output, n, "-c:v", "libvpx-vp9").At(2, 32)).(color.NRGBA).A
			if clear := c.alpha && n == 9; clear && a > least || !clear && a < 254 {
				t.Errorf("%s: frame %d has alpha %d", c.name, n, a)
			}
		}
		f, err := os.Open(s.Output)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ffmpeg.Inspect(f, int64(len(read(t, s.Output))))
		if err != nil || m.Alpha != c.alpha {
			t.Errorf("%s: %+v, %v", c.name, m, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A part of an animation is drawn from the segments of the whole.
func TestRange(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	r := w.renderer()
	whole := spec(t)
	if _, err := r.Render(t.Context(), project(5), whole, nil); err != nil {
		t.Fatal(err)
	}
	w.drawn()
	part := spec(t)
	part.First, part.Frames = 60, 90 // the second segment, and the end of the first
	res, err := r.Render(t.Context(), project(5), part, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.drawn(); got != 15 || res.Reused != 75 || res.Frames != 90 || res.Duration != 3 {
		t.Errorf("drew %d frames: %+v", got, res)
	}
	for _, bad := range [][2]int{{-1, 10}, {100, 51}, {150, 1}, {0, 0}} {
		part.First, part.Frames = bad[0], bad[1]
		if _, err := r.Render(t.Context(), project(5), part, nil); koda.CodeOf(err) != koda.CodeInvalidInput {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// A render to a directory of frames replaces frames and no other file.
func TestFrames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.renderer()
	dir := t.TempDir()
	s := spec(t)
	s.Format, s.Output = "png", filepath.Join(dir, "frames")
	s.Duration, s.Frames = 1, 30
	var digest string
	for range 2 {
		res, err := r.Render(t.Context(), project(1), s, nil)
		if err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
		if got := list(t, s.Output); len(got) != 30 || got[29] != "frame_00029.png" || digest != "" && digest != res.SHA256 {
			t.Errorf("%v: %+v", got, res)
		}
		digest = res.SHA256
	}
	if got := list(t, dir); len(got) != 1 {
		t.Errorf("left: %v", got)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("frames", link); err != nil {
		t.Fatal(err)
	}
	s.Output = link
	if _, err := r.Render(t.Context(), project(1), s, nil); err != nil || len(list(t, filepath.Join(dir, "frames"))) != 30 {
		t.Errorf("through a link: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link: %v, %v", info, err)
	}
	s.NoClobber = true
	if _, err := r.Render(t.Context(), project(1), s, nil); koda.CodeOf(err) != koda.CodeExists {
		t.Errorf("no clobber: %v", err)
	}
	s.NoClobber = false
	for path, want := range map[string]string{
		dir: "holds frames", "/dev/null": "is not a directory", filepath.Join(dir, "no", "such"): "does not exist", "frames": "absolute",
	} {
		s.Output = path
		if _, err := r.Render(t.Context(), project(1), s, nil); koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(err.Error(), want) || koda.HintOf(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
}
