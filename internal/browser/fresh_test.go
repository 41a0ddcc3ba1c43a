package browser_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

// moving is a page whose parts move by themselves, each in another way. The page is
// ready when a worker says so, after props.wait ms of real time.
const moving = `<!doctype html><style>
	body { margin: 0; background: #123; color: #fff; font: 40px sans-serif; overflow: hidden }
	div { position: absolute; padding: 20px; border-radius: 14px }
	.c { animation: go 1.3s ease-in-out infinite alternate }
	@keyframes go { to { transform: translate(60.5px, 30.3px) rotate(25deg) scale(1.4); opacity: .4 } }
	</style><body><script>
	for (let i = 0; i < 20; i++) {
		const d = document.createElement('div')
		d.textContent = 'box ' + i
		d.style.cssText = 'left:' + (40 + i % 5 * 240) + 'px;top:' + (40 + (i / 5 | 0) * 170) + 'px;background:hsl(' + i * 18 + ' 60% 45%);animation-delay:' + -i * 90 + 'ms'
		document.body.append(d)
		if (i % 2) d.className = 'c'
		else d.animate([{ transform: 'none', opacity: 1 }, { transform: 'translate(60.5px, 30.3px) rotate(25deg) scale(1.4)', opacity: .4 }],
			{ duration: 900 + i * 40, iterations: Infinity, direction: 'alternate', easing: 'ease-in-out' })
	}
	const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = (e) => setTimeout(() => postMessage(0), e.data)'])))
	worker.onmessage = () => { window.__exportReady = true }
	worker.postMessage(window.__kodaProps.wait || 0)
	window.__exportSeekTo = () => {}
	</script>`

// The time a page takes to become ready does not change its pictures: parts that
// move by themselves stand at time 0 when the page is first drawn, however often it
// was laid out before.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	drawn := func(props string) (all []byte) {
		opts := options(t, page(moving))
		opts.Viewport.Width, opts.Viewport.Height = 1280, 720
		opts.Viewport.Props = json.RawMessage(props)
		tab := open(t, opts)
		for n := range 3 {
			all = append(all, capture(t, tab, 5+n)...)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	quick := drawn(`{"wait": 0}`)
	for _, props := range []string{`{"wait": 300}`, `{"wait": 700}`} {
		if !bytes.Equal(drawn(props), quick) {
			t.Errorf("other pictures when the page was ready later: %s", props)
		}
	}
}

// letters is a page whose letters come one by one, each turned and small at first.
// How is the code that moves them.
func letters(how string) string {
	return `<!doctype html><style>
	body { margin: 0; background: #123; color: #fff } p { font: bold 44px sans-serif; margin: 50px 20px } span { display: inline-block }
	@keyframes in { from { opacity: 0; transform: translateY(60px) rotate(40deg) scale(.3) } }
	</style><p id="text"></p><script>
	text.innerHTML = [...'Letter by letter'].map((c) => c === ' ' ? '&nbsp;' : c).map((c) => '<span>' + c + '</span>').join('')
	const spans = [...document.querySelectorAll('span')];
	` + how + `
	window.__exportReady = true
	</script>`
}

// A frame drawn after other frames equals the frame of a fresh page. This also holds
// for animated parts that Chromium would give a layer of their own, since such
// layers keep the scale and position of their first drawing, and for turning text,
// which would keep its fraction of a pixel.
func TestFreshPage(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"boxes":                          moving,
		"letters by animations of CSS":   letters(`spans.forEach((s, i) => { s.style.animation = 'in .5s cubic-bezier(.2, 1.5, .5, 1) ' + i * 30 + 'ms both' }); window.__exportSeekTo = () => {}`),
		"letters by Web Animations":      letters(`spans.forEach((s, i) => s.animate([{ rotate: '40deg', scale: .3 }, { rotate: '0deg', scale: 1 }], { duration: 500, delay: i * 30, fill: 'both' })); window.__exportSeekTo = () => {}`),
		"letters by inline style":        letters(`window.__exportSeekTo = (t) => spans.forEach((s, i) => { const p = Math.min(1, Math.max(0, (t - i * .03) / .5)); s.style.transform = p < 1 ? 'translate(0, ' + 60 * (1 - p) + 'px) rotate(' + 40 * (1 - p) + 'deg)' : 'none' })`),
		"letters turned only in between": letters(`window.__exportSeekTo = (t) => spans.forEach((s, i) => { s.style.transform = t > .2 && t < .5 ? 'rotate(' + i + 'deg)' : '' })`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(html))
			opts.Viewport.Width, opts.Viewport.Height = 1280, 720
			tab, after := open(t, opts), map[int][]byte{}
			for n := range 33 {
				if shot := capture(t, tab, n); n%8 == 0 {
					after[n] = shot
				}
			}
			if err := tab.Close(); err != nil {
				t.Fatal(err)
			}
			for n, shot := range after {
				tab := open(t, opts)
				if fresh := capture(t, tab, n); !bytes.Equal(fresh, shot) {
					t.Errorf("frame %d after others: %s", n, difference(pixelsOf(t, shot), pixelsOf(t, fresh), opts.Viewport.Width))
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
