package browser_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
)

// drawn is a page that draws a square at x, by DOM or canvas. Code says when it
// draws.
func drawn(how, code string) koda.Page {
	draw := `const draw = (x) => { s.style.left = x + 'px' }`
	body := `<div id="s" style="position:absolute;top:60px;width:40px;height:40px;background:#c20"></div>`
	if how == "canvas" {
		draw = `const g = s.getContext('2d'); const draw = (x) => { g.fillStyle = '#fff'; g.fillRect(0, 0, 320, 180); g.fillStyle = '#c20'; g.fillRect(x, 60, 40, 40) }`
		body = `<canvas id="s" width="320" height="180"></canvas>`
	}
	return page(`<!doctype html><body style="margin:0;background:#fff"><p id="p" style="position:absolute"></p>` + body + `<script>` + draw + "\n" + code + `
		window.__exportReady = true</script>`)
}

// latecomers are render loops that were registered before the code that brings
// their data. Each comes with code that draws the same times at once. X is the
// place of the square at a time.
var latecomers = []struct{ name, x, late string }{
	{"one loop before its data", `Math.round(t * 60)`, `
		let sought = 0, data = x(0)
		const loop = () => { draw(data); requestAnimationFrame(loop) }
		const tick = () => { data = x(sought); requestAnimationFrame(tick) }
		requestAnimationFrame(loop); requestAnimationFrame(tick)
		window.__exportSeekTo = (t) => { sought = t }`},
	{"three loops, the last first", `Math.round(t * 60)`, `
		let a = x(0), b = x(0), c = x(0)
		for (const f of [() => draw(a), () => { a = b }, () => { b = c }]) requestAnimationFrame(function loop() { f(); requestAnimationFrame(loop) })
		window.__exportSeekTo = (t) => { c = x(t) }`},
	{"a step between stretches of rest", `t < 0.71 ? 20 : 220`, `
		let sought = 0, data = x(0)
		const loop = () => { draw(data); requestAnimationFrame(loop) }
		const tick = () => { data = x(sought); requestAnimationFrame(tick) }
		requestAnimationFrame(loop); requestAnimationFrame(tick)
		window.__exportSeekTo = (t) => { sought = t }`},
	{"what begins to move late, beside what moves always", `Math.round(Math.max(0, t - 0.71) * 60)`, `
		let sought = 0, data = x(0)
		const loop = () => { draw(data); requestAnimationFrame(loop) }
		const tick = () => { data = x(sought); requestAnimationFrame(tick) }
		requestAnimationFrame(loop); requestAnimationFrame(tick)
		const show = window.__exportSeekTo
		window.__exportSeekTo = (t) => { show(t); sought = t }`},
	{"a frame asked for on demand", `Math.round(t * 60)`, `
		let data = x(0), asked = false
		const invalidate = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; draw(data) }) } }
		const tick = (next) => { if (next !== data) { data = next; requestAnimationFrame(invalidate) } }
		window.__exportSeekTo = (t) => tick(x(t))`},
}

// captureRow captures frames as a render draws a segment: when a capture says that
// more rounds are needed, it begins again with them. It also returns the number of
// tabs.
func captureRow(t *testing.T, opts browser.Options, first, count int) (pictures [][]byte, tab *testTab, tabs int) {
	t.Helper()
	opts.Viewport.Rounds = 1
again:
	tab, pictures = open(t, opts), nil
	tabs++
	for n := first; n < first+count; n++ {
		f, err := tab.Capture(t.Context(), n)
		if more := (*koda.RoundsError)(nil); errors.As(err, &more) && tabs < 9 {
			opts.Viewport.Rounds = more.Rounds
			if err := tab.Close(); err != nil {
				t.Fatal(err)
			}
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, bytes.Clone(f))
	}
	if err := errors.Join(tab.Confirm(t.Context()), tab.Close()); err != nil {
		t.Fatal(err)
	}
	return pictures, tab, tabs
}

// A loop whose data comes later shows the right time, in the first frame of a
// segment and in each frame after it.
func TestSteady(t *testing.T) {
	t.Parallel()
	for i, l := range latecomers {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			const first, count = 7, 32
			how := []string{"dom", "canvas"}[i%2]
			common := `const x = (t) => ` + l.x + "\n"
			always := strings.Contains(l.name, "always")
			if always {
				common += "window.__exportSeekTo = (t) => { p.textContent = t.toFixed(3) }\n"
			}
			opts := options(t, drawn(how, common+l.late))
			opts.Viewport.Raw = opts.Info.Raw(opts.Page, opts.Viewport) && i < 3
			got, tab, tabs := captureRow(t, opts, first, count)
			if said := said(tab); said != "" || (tabs > 1) != always {
				t.Errorf("%d tabs, mishaps %q", tabs, said)
			}
			opts.Page = drawn(how, common+`{ const show = window.__exportSeekTo
				window.__exportSeekTo = (t) => { show?.(t); draw(x(t)) }; draw(x(0)) }`)
			want, _, _ := captureRow(t, opts, first, count)
			for n := range want {
				if !bytes.Equal(got[n], want[n]) {
					t.Errorf("frame %d does not show its time", first+n)
				}
			}
		})
	}
}

// A still shows its time too, whatever was captured before it.
func TestSteadyStill(t *testing.T) {
	t.Parallel()
	common := `const x = (t) => ` + latecomers[0].x + "\n"
	var shots [2][][]byte
	for i, code := range []string{latecomers[0].late, `window.__exportSeekTo = (t) => draw(x(t))`} {
		tab := open(t, options(t, drawn("canvas", common+code)))
		for _, n := range []int{60, 30, 31, 90} {
			shots[i] = append(shots[i], capture(t, tab, n))
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range shots[0] {
		if !bytes.Equal(shots[0][i], shots[1][i]) {
			t.Errorf("still %d does not show its time", i)
		}
	}
}

// A page that counts frames is never steady: a mishap says so, and each captured
// frame is one step of its count.
func TestNeverSteady(t *testing.T) {
	t.Parallel()
	counter := drawn("canvas", `let n = 0
		requestAnimationFrame(function loop() { draw(n++ % 280); requestAnimationFrame(loop) })
		window.__kodaFrameKey = () => String(n)
		window.__exportSeekTo = () => {}`)
	for _, rounds := range []int{0, 1} {
		opts := options(t, counter)
		opts.Viewport.Rounds = rounds
		tab := open(t, opts)
		_, err := tab.Capture(t.Context(), 0)
		if more := (*koda.RoundsError)(nil); errors.As(err, &more) != (rounds == 1) || more != nil && more.Rounds != koda.RoundsNever {
			t.Errorf("%d rounds: %v", rounds, err)
		}
		if said := said(tab); !strings.Contains(said, "it counts frames") || !strings.Contains(said, `"play": true`) {
			t.Errorf("%d rounds: mishaps %q", rounds, said)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
	opts := options(t, counter)
	opts.Viewport.Rounds = koda.RoundsNever
	tab := open(t, opts)
	last := 0
	for n := range 5 {
		capture(t, tab, n)
		count, err := strconv.Atoi(ask(t, tab, n))
		if err != nil || n > 0 && count != last+1 {
			t.Errorf("frame %d is step %d after %d, %v", n, count, last, err)
		}
		last = count
	}
	if said := said(tab); !strings.Contains(said, "it counts frames") {
		t.Errorf("mishaps %q", said)
	}
}

// A loop that needs one round costs a second round only for the first frames and
// for samples. Random numbers are the same in each round.
func TestSteadyLoopIsCheap(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{"moves": `sought * 60`, "random": `Math.random() * 200`} {
		opts := options(t, drawn("canvas", `let n = 0, sought = 0
			requestAnimationFrame(function loop() { n++; draw(Math.round(`+at+`)); requestAnimationFrame(loop) })
			window.__kodaFrameKey = () => String(n)
			window.__exportSeekTo = (t) => { if (!t) n = 0; sought = t }`))
		opts.Viewport.Rounds = 1
		tab := open(t, opts)
		const frames = 44
		for n := range frames {
			capture(t, tab, n)
		}
		// Two more rounds for the first frame, one each for three frames that show
		// something new, then one for each eighth frame.
		if got, want := ask(t, tab, frames), fmt.Sprint(frames+2+3+5); got != want || said(tab) != "" {
			t.Errorf("%s: %s rounds for %d frames, want %s; mishaps %q", name, got, frames, want, said(tab))
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
