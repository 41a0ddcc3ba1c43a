package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// The pictures of moving things carry their number: bits blocks of cell×cell
// pixels in a row, the lowest bit first, white for 1.
const (
	cell = 12
	bits = 8
)

// numbered draws n over a picture of bits blocks.
func numbered(p *image.Paletted, n int) {
	for x := range bits * cell {
		for y := range cell {
			p.SetColorIndex(x, y, uint8(n>>(x/cell)&1))
		}
	}
}

// number reads the number that numbered drew, enlarged by scale, at x, y; -1 if
// there is no number.
func number(p image.Image, x, y int, scale float64) (n int) {
	for b := range bits {
		r, g, _, _ := p.At(x+int((float64(b)+.5)*cell*scale), y+int(.5*cell*scale)).RGBA()
		switch {
		case r>>8 > 0xc0 && g>>8 > 0xc0:
			n |= 1 << b
		case r>>8 > 0x40 || g>>8 > 0x40:
			return -1
		}
	}
	return n
}

// movingGIF is a GIF of numbered pictures, each shown for delay hundredths of a
// second.
func movingGIF(t *testing.T, pictures, delay, loops int) string {
	t.Helper()
	g := &gif.GIF{LoopCount: loops}
	for n := range pictures {
		p := image.NewPaletted(image.Rect(0, 0, bits*cell, cell), color.Palette{color.Black, color.White})
		numbered(p, n)
		g.Image, g.Delay = append(g.Image, p), append(g.Delay, delay)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// converted is a file that ffmpeg makes from another file.
func converted(t *testing.T, from, name string, before []string, args ...string) string {
	t.Helper()
	ffmpeg, err := hostos.New(t.TempDir()).LookPath("ffmpeg")
	if err != nil {
		t.Fatalf("%v: %s", err, koda.HintOf(err))
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.gif"), filepath.Join(dir, name)
	if err := os.WriteFile(in, []byte(from), 0o600); err != nil {
		t.Fatal(err)
	}
	all := append(append(append(append([]string{"-v", "error"}, before...), "-i", in), args...), out)
	if _, err := proc.Output(context.Background(), proc.Spec{Path: ffmpeg, Args: all, Env: os.Environ()}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Animated images play from time 0 of the page, at every rate and wherever a
// capture begins: each frame shows the picture of its time.
func TestAnimatedImages(t *testing.T) {
	t.Parallel()
	for _, c := range needs.Some([]struct {
		fps    koda.FPS
		delay  int // hundredths of a second
		loops  int // as in image/gif
		starts []int
	}{
		{koda.FPS{Num: 30, Den: 1}, 10, 0, []int{0, 31}},
		{koda.FPS{Num: 24, Den: 1}, 4, 0, []int{0, 7}},
		{koda.FPS{Num: 30000, Den: 1001}, 2, 0, []int{0, 290}},
		{koda.FPS{Num: 60, Den: 1}, 3, 1, []int{0, 25, 400}},
		{koda.FPS{Num: 60, Den: 1}, 1, 0, []int{0}},
		{koda.FPS{Num: 120, Den: 1}, 4, -1, []int{0, 33}},
	}) {
		t.Run(fmt.Sprintf("%v, %d ms", c.fps, 10*c.delay), func(t *testing.T) {
			t.Parallel()
			const pictures = 11
			moving := movingGIF(t, pictures, c.delay, c.loops)
			opts := options(t, page(`<!doctype html><style>body { margin: 0 } img { display: block } div { height: 12px; width: 96px; background: url(/b.gif) }</style>
				<img src="/a.gif"><div></div><p style="margin: 0"></p><script>
				let seen = 0
				window.__exportSeekTo = () => {
					if (seen++ === 3) document.querySelector('p').innerHTML = '<img src="/late.gif"><div style="background-image: url(/late.gif)"></div><svg width="96" height="12" style="display:block"><image href="/late.gif" width="96" height="12"/></svg>'
				}
				let k = 0; const f = () => { if (k++ > 60) window.__exportReady = true; else requestAnimationFrame(f) }; f()</script>`, "/a.gif", moving, "/b.gif", moving, "/late.gif", moving))
			opts.Viewport.FPS = c.fps
			for _, start := range c.starts {
				tab := open(t, opts)
				for n := start; n < start+14; n++ {
					want := n * c.fps.Den * 100 / c.fps.Num / max(c.delay, 1)
					if c.delay == 1 { // as in all browsers
						want /= 10
					}
					rounds := map[int]int{-1: 1, 0: 1 << 30}[c.loops]
					if rounds == 0 {
						rounds = c.loops + 1
					}
					if want >= rounds*pictures {
						want = pictures - 1
					}
					want %= pictures
					p := decode(t, capture(t, tab, n))
					late := []int{want, want, want}
					if n >= start+3 {
						late = []int{number(p, 0, 2*cell, 1), number(p, 0, 3*cell, 1), number(p, 0, 4*cell, 1)}
					}
					if late[0] != want || late[1] != want || late[2] != want {
						t.Errorf("from %d, frame %d: images added late show %v, want %d", start, n, late, want)
					}
					if img, div := number(p, 0, 0, 1), number(p, 0, cell, 1); img != want || div != want {
						t.Errorf("from %d, frame %d shows %d and as background %d, want %d", start, n, img, div, want)
					}
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// busy is a page with an animated image. In each frame its code and its observers
// change text, sizes and colours.
const busy = `<!doctype html><style>body { margin: 0; background: #fff; font: 20px sans-serif } img { display: block } #box { width: 100px; background: #9cf }
	@keyframes spin { to { transform: rotate(1turn) } } #spin { width: 20px; height: 20px; background: #c33; animation: spin 1s linear infinite }</style>
	<img src="/a.gif"><div id="box">text</div><div id="seen"></div><div id="spin"></div><script>
	new ResizeObserver(() => { seen.textContent = 'is ' + box.offsetWidth; seen.style.marginLeft = box.offsetWidth % 50 + 'px' }).observe(box)
	new IntersectionObserver((all) => { for (const one of all) spin.style.opacity = one.intersectionRatio }, { threshold: [0, .2, .4, .6, .8, 1] }).observe(spin)
	new MutationObserver(() => { seen.style.color = seen.style.color === 'red' ? 'blue' : 'red' }).observe(box, { characterData: true, childList: true, subtree: true })
	const show = (n) => { box.textContent = 'frame ' + n; box.style.width = 60 + n * 7 % 200 + 'px' }
	`

// An animated image shows its pictures at their times even if everything else changes
// as well, in a page that is told its time and in a page that plays by itself.
func TestAnimatedImagesOfChangingPages(t *testing.T) {
	t.Parallel()
	const pictures, delay = 50, 2
	moving := movingGIF(t, pictures, delay, 0)
	pages := map[string]koda.Page{
		"sought":          page(busy+`window.__exportSeekTo = (s) => show(Math.round(s * 60)); window.__exportReady = true</script>`, "/a.gif", moving),
		"sought, in loop": page(busy+`let at = 0; window.__exportSeekTo = (s) => { at = Math.round(s * 60) }; requestAnimationFrame(function loop() { show(at); requestAnimationFrame(loop) }); window.__exportReady = true</script>`, "/a.gif", moving),
		"plays, at rest":  playedPage(busy+`let n = 0; setInterval(() => show(n++), 100)</script>`, "/a.gif", moving),
		"plays":           playedPage(busy+`let n = 0; requestAnimationFrame(function loop() { show(n++); requestAnimationFrame(loop) })</script>`, "/a.gif", moving),
	}
	for _, name := range needs.SomeOf(pages) {
		p := pages[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, p)
			opts.Viewport.FPS = koda.FPS{Num: 60, Den: 1}
			for _, start := range []int{0, 1, 37} {
				tab := open(t, opts)
				for n := start; n < start+60; n++ {
					want := n * 100 / 60 / delay % pictures
					if got := number(decode(t, capture(t, tab, n)), 0, 0, 1); got != want {
						t.Errorf("from %d, frame %d shows picture %d, want %d", start, n, got, want)
					}
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A srcset with an invalid address breaks the image, not the page.
func TestOddSrcset(t *testing.T) {
	t.Parallel()
	tab := open(t, options(t, page(`<img srcset="http://[ 1x, /a.gif 2x"><script>window.__exportSeekTo = () => {}; window.__exportReady = true</script>`, "/a.gif", movingGIF(t, 2, 10, 0))))
	capture(t, tab, 0)
}
