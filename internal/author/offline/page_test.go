package offline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

var (
	// probed finds out once how frames are captured here.
	probed = sync.OnceValues(func() (koda.CaptureInfo, error) {
		return browser.Probe(context.Background(), hostos.New(""), browser.Wanted{})
	})
	bundler = sync.OnceValue(func() *bundle.Bundler {
		dir, err := os.UserCacheDir()
		if err != nil {
			dir = os.TempDir()
		}
		return bundle.New(bundle.Config{CacheDir: filepath.Join(dir, "koda-test")})
	})
)

// open bundles a project and opens it in the real browser.
func (p *project) open(t testing.TB, width, height int, scale float64, fps int) *browser.Tab {
	t.Helper()
	return p.openWith(t, width, height, scale, fps, "")
}

// openWith opens it with parameters of the render.
func (p *project) openWith(t testing.TB, width, height int, scale float64, fps int, props string) *browser.Tab {
	t.Helper()
	needs.Chromium(t)
	page, _, err := bundler().Build(context.Background(), p.tree())
	if err != nil {
		t.Fatalf("bundle: %v\n%s", err, koda.DetailsOf(err))
	}
	if page.WebGL {
		t.Error("the page asks for WebGL, which captures slowly")
	}
	info, err := probed()
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.HintOf(err))
	}
	tab, err := browser.Open(context.Background(), browser.Options{
		Host: hostos.New(t.TempDir()), Info: info, Page: page,
		Viewport: koda.Viewport{Width: width, Height: height, Scale: scale, FPS: koda.FPS{Num: fps, Den: 1}, Props: json.RawMessage(props)},
	})
	if err != nil {
		t.Fatalf("open: %v\n%s", err, koda.DetailsOf(err))
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

func shoot(t testing.TB, tab *browser.Tab, frame int) []byte {
	t.Helper()
	f, err := tab.Capture(context.Background(), frame)
	if err != nil {
		t.Fatalf("frame %d: %v\n%s", frame, err, koda.DetailsOf(err))
	}
	return bytes.Clone(f)
}

func key(t testing.TB, tab *browser.Tab, frame int) string {
	t.Helper()
	k, ok, err := tab.FrameKey(context.Background(), frame)
	if err != nil || !ok {
		t.Fatalf("frame key: %v %v", ok, err)
	}
	return k
}

func decode(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// difference is the share of sampled pixels in which two pictures differ by more
// than limit in a channel.
func difference(a, b image.Image, limit int) float64 {
	r := a.Bounds()
	n, differ := 0, 0
	for y := r.Min.Y; y < r.Max.Y; y += 3 {
		for x := r.Min.X; x < r.Max.X; x += 3 {
			n++
			p, q := rgb(a, x, y), rgb(b, x, y)
			for i := range p {
				if d := p[i] - q[i]; d > limit || d < -limit {
					differ++
					break
				}
			}
		}
	}
	return float64(differ) / float64(n)
}

func rgb(img image.Image, x, y int) [3]int {
	c, _ := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	return [3]int{int(c.R), int(c.G), int(c.B)}
}

// TestPictures draws each recipe in each style and shape: pictures that are not
// blank, that move, and that depend on their time alone.
func TestPictures(t *testing.T) {
	shapes := map[string][2]int{"playful": {1920, 1080}, "smooth": {1080, 1920}, "cinematic": {1080, 1080}}
	for _, prompt := range []string{"bouncing ball", `title "Grüße, world" "from koda"`} {
		for style, size := range shapes {
			t.Run(fmt.Sprintf("%s/%s", prompt[:5], style), func(t *testing.T) {
				b := brief(prompt, sized(size[0], size[1]))
				p := build(t, b, koda.Answer{OptionID: style})
				tab := p.open(t, size[0], size[1], 0.5, 60)
				frames := map[int]image.Image{}
				for _, n := range []int{40, 120, 132, 150} {
					frames[n] = decode(t, shoot(t, tab, n))
				}
				flat := image.NewUniform(frames[150].At(2, frames[150].Bounds().Dy()/2))
				if d := difference(frames[150], bounded{flat, frames[150].Bounds()}, 24); d < 0.01 {
					t.Errorf("frame 150 is blank: %.4f of it is not background", d)
				}
				if d := difference(frames[40], frames[150], 16); d < 0.004 {
					t.Errorf("nothing moves: frames 40 and 150 differ in %.4f", d)
				}
				if prompt == "bouncing ball" {
					if d := difference(frames[120], frames[132], 16); d < 0.004 {
						t.Errorf("the ball stands still: frames 120 and 132 differ in %.4f", d)
					}
				}
				for _, pair := range [][2]int{{40, 150}, {120, 132}} { // a key covers all that a picture is drawn from
					a, b := key(t, tab, pair[0]), key(t, tab, pair[1])
					if d := difference(frames[pair[0]], frames[pair[1]], 8); a == b && d > 0.0005 {
						t.Errorf("frames %v have one key and differ in %.4f: %s", pair, d, a)
					}
				}
				if key(t, tab, 40) == key(t, tab, 150) {
					t.Error("frames 40 and 150 have one key")
				}
				again := decode(t, shoot(t, tab, 120))
				if d := difference(frames[120], again, 8); d > 0.0005 {
					t.Errorf("frame 120 looks different the second time, in %.4f of it", d)
				}
			})
		}
	}
}

// The parameters of a render stand over those in params.json, and in the key.
func TestProps(t *testing.T) {
	for prompt, props := range map[string]string{
		"bouncing ball":           `{"color": "#00c040", "background": "#101010"}`,
		`title "Ann" "from koda"`: `{"text": "Bartholomew", "color": "#ff2000"}`,
	} {
		p := build(t, brief(prompt, sized(640, 360)), koda.Answer{OptionID: "smooth"})
		plain, other := p.open(t, 640, 360, 1, 30), p.openWith(t, 640, 360, 1, 30, props)
		a, b := decode(t, shoot(t, plain, 75)), decode(t, shoot(t, other, 75))
		if d := difference(a, b, 24); d < 0.01 {
			t.Errorf("%s with %s: %.4f of the picture differs", prompt, props, d)
		}
		if key(t, plain, 75) == key(t, other, 75) {
			t.Errorf("%s with %s: the frames have one key", prompt, props)
		}
	}
}

// bounded gives an endless picture bounds.
type bounded struct {
	image.Image
	r image.Rectangle
}

func (b bounded) Bounds() image.Rectangle { return b.r }

// BenchmarkCapture is the time of a frame at 1920×1080, in motion. cpu-ms/frame
// is what the browser's processes used, which other work on the machine does not
// change.
func BenchmarkCapture(b *testing.B) {
	used := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
			b.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	for _, prompt := range []string{"bouncing ball", `title "Hello, world" "a subtitle"`} {
		for _, style := range []string{"playful", "smooth", "cinematic"} {
			b.Run(fmt.Sprintf("%s/%s", prompt[:5], style), func(b *testing.B) {
				p := build(b, brief(prompt), koda.Answer{OptionID: style})
				tab := p.open(b, 1920, 1080, 1, 60)
				shoot(b, tab, 0)
				before := used()
				n, size := 0, 0
				for b.Loop() {
					n++
					size += len(shoot(b, tab, n%300))
				}
				took := b.Elapsed()
				if err := tab.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64((used()-before).Microseconds())/1000/float64(n), "cpu-ms/frame")
				b.ReportMetric(float64(took.Milliseconds())/float64(n), "ms/frame")
				b.ReportMetric(float64(size)/float64(n)/1024, "KiB/frame")
			})
		}
	}
}
