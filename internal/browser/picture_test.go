package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// at is the colour of the pixel at x, y, as fractions of the picture's size, with 8
// bits for each channel.
func at(p image.Image, x, y float64) [4]int {
	b := p.Bounds()
	r, g, bl, a := p.At(b.Min.X+int(x*float64(b.Dx())), b.Min.Y+int(y*float64(b.Dy()))).RGBA()
	return [4]int{int(r >> 8), int(g >> 8), int(bl >> 8), int(a >> 8)}
}

const quarters = `<!doctype html><style>
	html, body { margin: 0; width: 100%; height: 100%; overflow: hidden }
	i { position: absolute; width: 50vw; height: 50vh } canvas { position: absolute; left: 50vw; top: 50vh; width: 50vw; height: 50vh }
	</style><i style="left:0;top:0;background:#f00"></i><i style="left:50vw;top:0;background:#0f0"></i><i style="left:0;top:50vh;background:#00f"></i>
	<canvas id="c"></canvas><script>
	const gl = c.getContext('webgl')
	window.__exportSeekTo = (t) => { if (gl) { gl.clearColor(1, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) } }
	window.__kodaFrameKey = () => [innerWidth, innerHeight, devicePixelRatio].join()
	window.__exportReady = true</script>`

// By either method a picture has the viewport's shape and scale, and everything is
// where the page drew it.
func TestViewport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width, height int
		scale         float64
		method        string
		webgl         bool
	}{
		{1080, 1920, 1, "beginframe", false},
		{640, 360, 0.5, "beginframe", true},
		{200, 100, 2, "beginframe", false},
		{16, 16, 1, "beginframe", false},
		{640, 360, 0.5, "screenshot", false},
		{200, 100, 2, "screenshot", true},
	} {
		t.Run(fmt.Sprintf("%dx%d at %g by %s", c.width, c.height, c.scale, c.method), func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(quarters))
			opts.Info.Method, opts.Page.WebGL = c.method, c.webgl
			opts.Viewport.Width, opts.Viewport.Height, opts.Viewport.Scale = c.width, c.height, c.scale
			tab := open(t, opts)
			p := decode(t, capture(t, tab, 1))
			if got, want := p.Bounds().Size(), image.Pt(int(float64(c.width)*c.scale), int(float64(c.height)*c.scale)); got != want {
				t.Errorf("a picture of %v, want %v", got, want)
			}
			ratio := c.scale
			if !c.webgl { // pages that draw a canvas by it expect 1 or more
				ratio = max(1, ratio)
			}
			if got, want := ask(t, tab, 1), fmt.Sprintf("%d,%d,%g", c.width, c.height, ratio); got != want {
				t.Errorf("the page sees %s, want %s", got, want)
			}
			want := map[[2]float64][4]int{{.25, .25}: {255, 0, 0, 255}, {.25, .75}: {0, 0, 255, 255}, {.99, .01}: {0, 255, 0, 255}}
			if c.webgl {
				want[[2]float64{.75, .75}] = [4]int{255, 255, 0, 255}
			}
			for where, colour := range want {
				if got := at(p, where[0], where[1]); got != colour {
					t.Errorf("at %v: %v, want %v", where, got, colour)
				}
			}
		})
	}
}

// A page that does not change costs no new picture, and a change shows at once.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"beginframe", "screenshot"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(`<!doctype html><body><script>
				window.__exportSeekTo = (t) => { document.body.style.background = t < .1 ? '#112233' : '#445566' }
				window.__exportReady = true</script>`))
			opts.Info.Method = method
			tab := open(t, opts)
			var frames [][]byte
			for n := range 6 {
				frames = append(frames, capture(t, tab, n))
			}
			for n, damaged := range []bool{true, false, false, true, false, false} {
				if n > 0 && bytes.Equal(frames[n], frames[n-1]) == damaged {
					t.Errorf("frame %d: its bytes are the same: %v", n, !damaged)
				}
			}
			if got := at(decode(t, frames[2]), .5, .5); got != [4]int{0x11, 0x22, 0x33, 255} {
				t.Errorf("frame 2 is %v", got)
			}
			if got := at(decode(t, frames[3]), .5, .5); got != [4]int{0x44, 0x55, 0x66, 255} {
				t.Errorf("frame 3 is %v", got)
			}
		})
	}
}

func TestTransparent(t *testing.T) {
	t.Parallel()
	opts := options(t, page(`<!doctype html><body style="margin:0"><div style="width:160px;height:180px;background:rgba(255,0,0,.5)"></div><script>
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`))
	opts.Transparent = true
	p := decode(t, capture(t, open(t, opts), 0))
	if got := at(p, .75, .5); got[3] != 0 {
		t.Errorf("the background is %v", got)
	}
	if got := at(p, .25, .5); got[3] < 126 || got[3] > 129 {
		t.Errorf("half red is %v", got)
	}
}

// clip makes a short film with another colour in each second.
func clip(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	ffmpeg, err := hostos.New(t.TempDir()).LookPath("ffmpeg")
	if err != nil {
		t.Fatalf("%v: %s", err, koda.HintOf(err))
	}
	path := filepath.Join(t.TempDir(), name)
	all := []string{"-v", "error"}
	for _, colour := range []string{"red", "lime", "blue"} {
		all = append(all, "-f", "lavfi", "-i", "color="+colour+":size=160x90:rate=10:duration=1")
	}
	all = append(append(append(all, "-filter_complex", "concat=n=3"), args...), path)
	if _, err := proc.Output(context.Background(), proc.Spec{Path: ffmpeg, Args: all, Env: os.Environ()}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A playing video and a video the page holds stand at their times, forwards and
// backwards.
func TestVideo(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	film := string(clip(t, "film.webm", "-c:v", "libvpx", "-b:v", "200k"))
	tab := open(t, filmed(t, page(`<!doctype html><style>body { margin: 0 } video { position: absolute; width: 160px; height: 90px; top: 0 }</style>
		<video src="/film.webm" autoplay muted loop style="left: 0"></video><video id="held" src="/film.webm" muted style="left: 160px"></video><script>
		window.__exportSeekTo = (t) => { held.currentTime = 2.5 - t }
		held.onloadeddata = () => { window.__exportReady = true }</script>`, "/film.webm", film)))
	colours := func(n int) string {
		p := decode(t, capture(t, tab, n))
		name := func(x float64) string {
			c := at(p, x, .25)
			for i, letter := range "rgb" {
				if c[i] > 150 && c[(i+1)%3] < 100 && c[(i+2)%3] < 100 {
					return string(letter)
				}
			}
			return fmt.Sprint(c)
		}
		return name(.25) + name(.75)
	}
	for _, want := range []struct {
		frame   int
		colours string
	}{{0, "rb"}, {15, "rb"}, {45, "gg"}, {74, "br"}, {105, "rr"}, {45, "gg"}, {3, "rb"}} {
		if got := colours(want.frame); got != want.colours {
			t.Errorf("frame %d shows %s, want %s", want.frame, got, want.colours)
		}
	}
}

// An animated image plays in the page's time, wherever a capture begins.
func TestAnimatedImage(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	film := string(clip(t, "film.gif", "-loop", "0"))
	opts := options(t, page(`<!doctype html><style>body { margin: 0 }</style><img src="/film.gif"><script>
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`, "/film.gif", film))
	colours := func(frames ...int) (got string) {
		tab := open(t, opts)
		for _, n := range frames {
			c := at(decode(t, capture(t, tab, n)), .25, .25)
			for i, letter := range "rgb" {
				if c[i] > 150 {
					got += string(letter)
				}
			}
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, want := range []struct {
		colours string
		frames  []int
	}{{"rrggbb", []int{5, 20, 35, 50, 65, 80}}, {"gb", []int{50, 65}}, {"b", []int{80}}, {"g", []int{130}}, {"r", []int{275}}, {"b", []int{3*300 + 80}}} {
		if got := colours(want.frames...); got != want.colours {
			t.Errorf("frames %v show %s, want %s", want.frames, got, want.colours)
		}
	}
}

// Taking the same frames by screenshots twice gives the same pictures, too.
func TestScreenshotsRepeat(t *testing.T) {
	t.Parallel()
	opts := options(t, page(scenes["dom"]))
	opts.Info.Method = "screenshot"
	var runs [2][]byte
	for r := range runs {
		tab := open(t, opts)
		for n := range 8 {
			runs[r] = append(runs[r], capture(t, tab, n)...)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(runs[0], runs[1]) {
		t.Error("two runs differ")
	}
}
