package browser_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Two fresh tabs that draw the same frames give the same bytes, the frames differ
// from each other, and raw pixels equal the pixels of the PNGs.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	const frames = 12
	for name, html := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(html, "/wide.svg", wideSVG))
			opts.Page.WebGL = name == "webgl"
			run := func(raw bool) [][]byte {
				got := make([][]byte, frames)
				opts.Viewport.Raw = raw
				tab := open(t, opts)
				for n := range frames {
					got[n] = bytes.Clone(capture(t, tab, n))
				}
				if err := errors.Join(tab.Confirm(t.Context()), tab.Close()); err != nil {
					t.Fatal(err)
				}
				return got
			}
			runs := [2][][]byte{run(false), run(false)}
			different := 0
			for n := range frames {
				if !bytes.Equal(runs[0][n], runs[1][n]) {
					t.Errorf("frame %d differs between two runs", n)
				}
				if n > 0 && !bytes.Equal(runs[0][n-1], runs[0][n]) {
					different++
				}
			}
			if different < 2 {
				t.Errorf("the page moved in %d of %d frames", different, frames)
			}
			if opts.Info.Raw(opts.Page, opts.Viewport) {
				samePictures(t, runs[0], run(true))
			}
			if dir := os.Getenv("KODA_TEST_PICTURES"); dir != "" {
				_ = os.WriteFile(filepath.Join(dir, name+".png"), runs[0][frames-1], 0o600) //nolint:errcheck // for looking at
			}
		})
	}
}

// Confirm finds pixels that are not the page's.
func TestConfirm(t *testing.T) {
	t.Parallel()
	opts := options(t, page(scenes["css"]))
	opts.Viewport.Raw = true
	if !opts.Info.Raw(opts.Page, opts.Viewport) {
		t.Skip("this kernel lets no process read another's memory")
	}
	tab := open(t, opts)
	capture(t, tab, 0)
	capture(t, tab, 1)
	for range 2 {
		if err := tab.Confirm(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tab.Misplace()
	if err := tab.Confirm(t.Context()); koda.CodeOf(err) != koda.CodeCaptureFailed || !errors.Is(err, koda.ErrRawWrong) {
		t.Errorf("pixels from another place were confirmed: %v", err)
	}
}

func samePictures(t *testing.T, pngs, raws [][]byte) {
	t.Helper()
	for n, shot := range pngs {
		if !bytes.Equal(raws[n], pixelsOf(t, shot)) {
			t.Errorf("the pixels of frame %d differ from its PNG", n)
		}
	}
}

// Raw pixels equal the pixels of the PNGs at every scale at which koda reads them.
func TestRawScales(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{0.5, 0.75} {
		opts := options(t, page(scenes["dom"]))
		opts.Viewport.Scale = scale
		shots := [][]byte{nil, nil}
		tab := open(t, opts)
		for n := range shots {
			shots[n] = capture(t, tab, n)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		opts.Viewport.Raw = true
		if !opts.Info.Raw(opts.Page, opts.Viewport) {
			t.Skipf("not where frames are captured by %s", opts.Info.Method)
		}
		tab, raws := open(t, opts), make([][]byte, len(shots))
		for n := range raws {
			raws[n] = capture(t, tab, n)
		}
		samePictures(t, shots, raws)
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Raw frames stay unchanged for as long as promised.
func TestRawStays(t *testing.T) {
	t.Parallel()
	opts := options(t, page(scenes["dom"]))
	opts.Viewport.Raw = true
	if !opts.Info.Raw(opts.Page, opts.Viewport) {
		t.Skipf("not where frames are captured by %s", opts.Info.Method)
	}
	tab := open(t, opts)
	const promised = 5
	var given, kept [][]byte
	for n := range 4 * promised {
		if n >= promised && !bytes.Equal(given[n-promised], kept[n-promised]) {
			t.Fatalf("frame %d changed before frame %d was captured", n-promised, n)
		}
		pixels := capture(t, tab, n)
		if len(pixels) != 4*320*180 {
			t.Fatalf("frame %d has %d bytes", n, len(pixels))
		}
		given, kept = append(given, pixels), append(kept, bytes.Clone(pixels))
	}
}

// A viewport that cannot be read as raw pixels is refused before a browser starts.
func TestRawRefused(t *testing.T) {
	t.Parallel()
	opts := options(t, page(scenes["dom"]))
	opts.Viewport.Raw, opts.Transparent = true, true
	if _, err := tryOpen(t, opts); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("with alpha: %v", err)
	}
	opts.Transparent, opts.Info.Method = false, "beginframe"
	if _, err := tryOpen(t, opts); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("by another method: %v", err)
	}
}

// The browser is told how many threads draw WebGL. Their number does not change the
// pictures.
func TestGLThreads(t *testing.T) {
	t.Parallel()
	if info(t).GL != "llvmpipe" {
		t.Skipf("WebGL runs on %s", info(t).GL)
	}
	var first []byte
	for threads, told := range map[int]string{0: "", 1: "LP_NUM_THREADS=0", 3: "LP_NUM_THREADS=3"} {
		opts := options(t, page(scenes["webgl"]))
		opts.Page.WebGL, opts.Viewport.GLThreads = true, threads
		started := make(chan sandbox.Process, 1)
		opts.Host = watchedHost{opts.Host, started}
		tab := open(t, opts)
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", (<-started).PID()))
		if err != nil || !bytes.Contains(env, []byte(told)) || told == "" && bytes.Contains(env, []byte("LP_NUM_THREADS")) {
			t.Errorf("%d threads: the browser's environment is %q, %v", threads, env, err)
		}
		var all []byte
		for n := range 3 {
			all = append(all, capture(t, tab, n)...)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = all
		}
		if !bytes.Equal(all, first) {
			t.Errorf("%d threads: the pictures differ", threads)
		}
	}
}

// The time that a seek takes does not change the picture: nothing is drawn while
// the seek is at work. While a page waits, frames are drawn, as the page may wait
// for layout.
func TestSlowSeeks(t *testing.T) {
	t.Parallel()
	drawn := func(seek string) float64 {
		tab := open(t, options(t, page(`<!doctype html><p id="p" style="width: 50px"></p><script>
			const spin = () => { for (let i = 0, x = 0; i < 4e7; i++) x = (x + i) % 7 }
			window.__exportSeekTo = async (t) => { `+seek+` }
			window.__exportReady = true</script>`)))
		began := tab.Ticks()
		capture(t, tab, 0)
		took := tab.Ticks() - began
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		return took
	}
	quick := drawn(``)
	slow := drawn(`for (let n = 0; n < 4; n++) {
		spin()
		await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0) })
	}`)
	if slow != quick {
		t.Errorf("a slow seek moves the compositor's clock by %g ms, a quick one by %g", slow, quick)
	}
	if waiting := drawn(`p.style.width = 60 + t + 'px'; await new Promise((done) => new ResizeObserver((e) => { if (p.offsetWidth > 55) done() }).observe(p))`); waiting <= quick {
		t.Errorf("nothing was drawn for a page that waits for layout")
	}
}
