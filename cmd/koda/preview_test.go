package main

import (
	"bufio"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/needs"
)

// preview starts koda preview, and returns its address and a function that ends it as
// ctrl-c does.
func (r *servedRun) preview(args ...string) (url string, end func()) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"preview", "--port", "0"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.StdoutPipe()
	must(r.t, err)
	var said strings.Builder
	cmd.Stderr = &said
	must(r.t, cmd.Start())
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		r.t.Fatalf("koda preview %q: %v %s", args, err, said.String())
	}
	ended := false
	end = func() {
		if ended {
			return
		}
		ended = true
		_ = cmd.Process.Signal(syscall.SIGINT)
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			r.t.Errorf("koda preview ended: %v\n%s", err, said.String())
		}
	}
	r.t.Cleanup(end)
	return strings.TrimSpace(url), end
}

// write writes a file of the person.
func (r *servedRun) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	must(r.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(r.t, os.WriteFile(file, []byte(text), 0o644))
}

// boxPage is a page of a directory, with a box that moves.
func (r *servedRun) boxPage(colour string) {
	r.t.Helper()
	r.write("box/koda.json", `{"schema": 1, "name": "box", "width": 320, "height": 180, "fps": 10, "duration": 2, "scenes": [{"title": "In", "start": 0}, {"title": "Out", "start": 1.5}]}`)
	r.write("box/index.html", `<!doctype html><html><body style="margin:0;background:#fff"><div id="box" style="position:absolute;width:40px;height:40px;top:70px"></div><script type="module" src="/src/main.ts"></script></body></html>`)
	r.write("box/src/main.ts", `const box = document.getElementById('box')!
box.style.background = '`+colour+`'
;(window as any).__exportSeekTo = (t: number) => { box.style.left = t * 100 + 'px' }
;(window as any).__exportReady = true
`)
}

// colourAt is the colour of the picture at a place of the page.
func colourAt(p *browsertest.Person, x, y float64) string {
	at := browsertest.Ask[struct{ X, Y, Scale float64 }](p, `(() => {
		const el = document.querySelector('iframe:not(.coming)'), r = el.getBoundingClientRect()
		return {x: r.x, y: r.y, scale: r.width / el.offsetWidth}
	})()`)
	px := p.Look(int(at.X+x*at.Scale), int(at.Y+y*at.Scale), 1, 1)
	red, green, blue, _ := px.At(px.Bounds().Min.X, px.Bounds().Min.Y).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", red>>8, green>>8, blue>>8)
}

const (
	isShown = "document.documentElement.dataset.shown && !document.querySelector('iframe.coming')"
	settled = "document.querySelector('#problem').hidden && " + isShown
)

// sees waits until the picture has a colour at a place.
func sees(t *testing.T, p *browsertest.Person, what string, x, y float64, colour string) {
	t.Helper()
	got := ""
	for range 100 {
		if got = colourAt(p, x, y); got == colour {
			return
		}
		browsertest.Ask[bool](p, "new Promise((resolve) => setTimeout(() => resolve(true), 30))")
	}
	t.Errorf("%s: %s at %g, %g, want %s", what, got, x, y, colour)
}

// A person scrubs, steps, changes a file, breaks it and mends it; the time stays.
func TestPreview(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	r := newServedRun(t)
	r.boxPage("#ff0000")
	url, end := r.preview("box")
	p := browsertest.Open(t, 1000, 700)
	p.Visit(url)
	p.Until("the picture is there", settled)
	sees(t, p, "at 0", 20, 90, "#ff0000")

	browsertest.Ask[any](p, "(() => { const s = document.querySelector('#scrub'); s.value = 10; s.dispatchEvent(new Event('input')) })()")
	sees(t, p, "at 1 s", 120, 90, "#ff0000")
	sees(t, p, "at 1 s, where it was", 20, 90, "#ffffff")
	time := func() string { t.Helper(); return browsertest.Ask[string](p, "document.querySelector('#time').value") }
	for _, step := range []struct{ keys, want string }{
		{"\u0303", "0:01.10"}, {"\u0302\u0302", "0:00.90"}, {"]", "0:01.50"}, {"[", "0:00.00"}, {"\u0305", "0:01.90"}, {"\u0306", "0:00.00"}, {"]", "0:01.50"},
	} {
		if p.Press(step.keys); !strings.HasPrefix(time(), step.want+" / 0:02.00") {
			t.Errorf("after %q: %s, want %s", step.keys, time(), step.want)
		}
	}
	sees(t, p, "in the second scene", 170, 90, "#ff0000")
	if names := browsertest.Ask[string](p, "[...document.querySelectorAll('#scenes button')].map((b) => b.textContent + b.getAttribute('aria-current')).join()"); names != "Infalse,Outtrue" {
		t.Error(names)
	}

	r.boxPage("#0000ff") // a save
	sees(t, p, "after a save, at the same time", 170, 90, "#0000ff")
	if !strings.HasPrefix(time(), "0:01.50") {
		t.Error(time())
	}
	r.write("box/src/main.ts", "const a = 1\nconst = 2\n")
	p.Until("the mistake is shown", "!document.querySelector('#problem').hidden")
	if said := browsertest.Ask[string](p, "document.querySelector('#problem').innerText"); !strings.Contains(said, "The page cannot be built") || !strings.Contains(said, "src/main.ts:2:7") {
		t.Error(said)
	}
	sees(t, p, "the picture before", 170, 90, "#0000ff")
	r.write("box/src/main.ts", "window.__exportReady = true\nwindow.__exportSeekTo = (t) => {\n  missing(t)\n}\n")
	p.Until("the exception is shown", "document.querySelector('#problemtext').textContent.includes('missing is not defined') && document.querySelector('#problemtext').textContent.includes('src/main.ts:3:3')")
	r.boxPage("#00ff00")
	p.Until("it is mended", settled)
	sees(t, p, "mended, at the same time", 170, 90, "#00ff00")

	for shape, want := range map[string]string{"9:16": "180 × 320", "1:1": "180 × 180", "16:9": "320 × 180", "own": "320 × 180"} {
		browsertest.Ask[any](p, `document.querySelector('[name=shape][value="`+shape+`"]').click()`)
		p.Until(shape, settled+" && document.querySelector('#facts').textContent.startsWith('"+want+"')")
	}
	p.Press(" ")
	p.Until("it plays, and begins again", "document.querySelector('#time').value.startsWith('0:00.')")
	p.Press(" ")

	must(t, os.Rename(filepath.Join(r.dir, "box"), filepath.Join(r.dir, "away")))
	p.Until("it is gone", "document.querySelector('#problemtext').textContent.includes('is gone')")
	must(t, os.Rename(filepath.Join(r.dir, "away"), filepath.Join(r.dir, "box")))
	p.Until("it is back", settled)
	end()
	p.Until("koda has ended", "document.querySelector('#status').textContent.includes('koda does not answer')")
}

// The parameters of a recipe are changed by the form, as a version of the project.
func TestPreview_form(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	r := newServedRun(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "new", "bouncing ball, 2 seconds", "--name", "demo", "--style", "playful", "--preset", "twitter")
	cmd.Dir, cmd.Env = r.dir, r.env
	_ = cmd.Run() // it waits for the plan to be accepted
	cmd = exec.CommandContext(t.Context(), os.Args[0], "accept", "demo")
	cmd.Dir, cmd.Env = r.dir, r.env
	_ = cmd.Run() // it waits for the preview to be accepted
	url, _ := r.preview("demo")
	p := browsertest.Open(t, 1280, 800)
	p.Visit(url + "#t=1")
	p.Until("the picture and the form are there", settled+" && document.querySelector('#param-bounces')")
	before := browsertest.Ask[string](p, "document.documentElement.dataset.shown")
	set := func(name, value string) {
		browsertest.Ask[any](p, `(() => { const i = document.querySelector('#param-`+name+`'); i.value = '`+value+`'; i.dispatchEvent(new Event('input', {bubbles: true})) })()`)
	}
	set("bounces", "many")
	browsertest.Ask[any](p, "document.querySelector('#save').click()")
	p.Until("nonsense is refused", "document.querySelector('#saying.failed')?.textContent.includes('bounces cannot be \"many\"')")
	set("bounces", "4")
	set("color", "#00aa00")
	browsertest.Ask[any](p, "document.querySelector('#save').click()")
	p.Until("it is saved", "document.querySelector('#saying').textContent === 'Saved as v2.'")
	p.Until("the picture follows", settled+" && document.documentElement.dataset.shown !== '"+before+"'")
	p.Until("the form follows", "document.querySelector('#param-bounces').value === '4' && document.querySelector('#save').disabled")
	if got := browsertest.Ask[string](p, "document.querySelector('#time').value"); !strings.HasPrefix(got, "0:01.00") {
		t.Error(got)
	}
	if h := r.koda("history", "demo"); !strings.Contains(h, "v2") || !strings.Contains(h, "set color = #00aa00") {
		t.Error(h)
	}
}

// The picture is the one of koda still, at any time, in a browser that rasterises alike: at
// most one pixel in a thousand differs, at the edges of what is turned. What is masked or
// turned in space is composited once more with the page around the picture, which may
// round a colour the other way, so one level of 255 is no difference.
func TestPreview_picture(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"css-animation", "canvas", "dom", "effects"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs.Chromium(t)
			r := newServedRun(t)
			pages, err := filepath.Abs("../../testdata/pages")
			must(t, err)
			must(t, os.CopyFS(filepath.Join(r.dir, name), os.DirFS(filepath.Join(pages, name))))
			code, err := os.ReadFile(filepath.Join(pages, "barcode.js"))
			must(t, err)
			r.write(name+"/barcode.js", string(code))
			r.koda("init", name)
			url, _ := r.preview(name)
			p := browsertest.Open(t, 2000, 1400)
			p.Visit(url)
			p.Until("the picture is there", settled)
			frames := browsertest.Ask[int](p, "Number(document.querySelector('#scrub').max)")
			for _, frame := range []int{0, frames / 3, frames, frames / 2} {
				comparePicture(t, r, p, name, frame)
			}
		})
	}
}

// comparePicture compares a frame of the page with that of koda still.
func comparePicture(t *testing.T, r *servedRun, p *browsertest.Person, name string, frame int) {
	t.Helper()
	browsertest.Ask[any](p, fmt.Sprintf("(() => { const s = document.querySelector('#scrub'); s.value = %d; s.dispatchEvent(new Event('input')) })()", frame))
	p.Until("the frame is shown", fmt.Sprintf("document.documentElement.dataset.frame === '%d'", frame))
	at := browsertest.Ask[struct{ X, Y, W, H, Scale, Seconds float64 }](p, `(() => {
		const el = document.querySelector('iframe'), r = el.getBoundingClientRect()
		return {x: r.x, y: r.y, w: r.width, h: r.height, scale: r.width / el.offsetWidth}
	})()`)
	if at.Scale != 1 {
		t.Fatalf("the picture is shown at %g", at.Scale)
	}
	second := browsertest.Ask[float64](p, "Number(document.documentElement.dataset.seconds)")
	file := r.koda("still", name, "--at", fmt.Sprint(second), "--output", fmt.Sprintf("still-%d.png", frame))
	f, err := os.Open(filepath.Join(r.dir, file))
	if filepath.IsAbs(file) {
		f, err = os.Open(file)
	}
	must(t, err)
	defer f.Close()
	want, err := png.Decode(f)
	must(t, err)
	var differs, most int
	for range 50 { // the picture of a frame of its own process comes into the window a little later
		differs, most = difference(p.Look(int(math.Round(at.X)), int(math.Round(at.Y)), int(at.W), int(at.H)), want)
		if differs <= int(at.W*at.H)/1000 {
			break
		}
		p.Rest(100 * time.Millisecond)
	}
	t.Logf("%s at %.3f s: %d of %d pixels differ, by %d at most", name, second, differs, int(at.W*at.H), most)
	if differs > int(at.W*at.H)/1000 {
		t.Errorf("%s at %.3f s is another picture: %d pixels differ, by %d", name, second, differs, most)
	}
}

// difference counts the pixels that differ in two pictures by more than a level, and says by how
// much at most.
func difference(a, b image.Image) (differs, most int) {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.MaxInt, 255
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			br, bg, bb, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			apart := 0
			for _, d := range []int{int(ar>>8) - int(br>>8), int(ag>>8) - int(bg>>8), int(ab>>8) - int(bb>>8)} {
				apart = max(apart, d, -d)
			}
			if apart > 1 {
				differs++
			}
			most = max(most, apart)
		}
	}
	return differs, most
}
