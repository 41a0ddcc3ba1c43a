package browser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// reporting makes a page whose frame key is what report() returns, as JSON.
func reporting(body, script string) string {
	return `<!doctype html><body>` + body + `<script>
		window.__exportSeekTo = () => {}
		` + script + `
		window.__kodaFrameKey = () => JSON.stringify(report())
		window.__exportReady ??= true
		</script>`
}

var clockPages = []struct {
	name   string
	page   koda.Page
	frames []int // captured in this order, at 30 frames a second
	want   []string
}{
	{
		name:   "time stands at the seek",
		page:   page(reporting(``, `const report = () => [performance.now(), Date.now(), new Date().toISOString(), performance.timeOrigin + performance.now() === Date.now()]`)),
		frames: []int{0, 30, 45, 3},
		want: []string{
			`[0,1767225600000,"2026-01-01T00:00:00.000Z",true]`,
			`[1000,1767225601000,"2026-01-01T00:00:01.000Z",true]`,
			`[1500,1767225601500,"2026-01-01T00:00:01.500Z",true]`,
			`[100,1767225600100,"2026-01-01T00:00:00.100Z",true]`,
		},
	},
	{
		name: "Date is still Date",
		page: page(reporting(``, `class Later extends Date { plus() { return this.getTime() + 1 } }
			const report = () => [
				new Date(2020, 1, 29).getTime(), new Date('2020-02-29T12:00:00Z').getTime(), new Date(5).getTime(), new Date(new Date(7)).getTime(),
				Date.UTC(2000, 0), Date.parse('1970-01-01T00:00:01Z'), new Date() instanceof Date, Object.prototype.toString.call(new Date()),
				typeof Date(), Date.name, Date.length, new Date().constructor === Date, new Later(41).plus(), new Later() instanceof Later,
				Date.prototype === Object.getPrototypeOf(new Date()), isNaN(new Date(NaN)), new Date(undefined).getTime()]`)),
		frames: []int{0},
		want:   []string{`[1582934400000,1582977600000,5,7,946684800000,1000,true,"[object Date]","string","Date",7,true,42,true,true,true,null]`},
	},
	{
		name: "timers count from ready, in order",
		page: page(reporting(``, `const log = []
			setTimeout(() => log.push('b', performance.now()), 200)
			setTimeout((x) => log.push(x), 100, 'a')
			const cancelled = setTimeout(() => log.push('never'), 50)
			clearTimeout(cancelled)
			setTimeout("window.textual = true", 100)
			let n = 0
			const id = setInterval(() => { log.push('i' + ++n); if (n === 3) clearInterval(id) }, 90)
			const report = () => [...log, !!window.textual]`)),
		frames: []int{0, 3, 6, 30, 60},
		want: []string{
			`[false]`, `["i1","a",true]`, `["i1","a","i2","b",200,true]`,
			`["i1","a","i2","b",200,"i3",true]`, `["i1","a","i2","b",200,"i3",true]`,
		},
	},
	{
		name: "a timer reads the time it is due at",
		page: page(reporting(``, `let log = []
			setInterval(() => log.push(performance.now()), 100)
			setTimeout(() => { log.push(Date.now() % 1000); setTimeout(() => log.push(performance.now()), 50) }, 120)
			window.__exportSeekTo = () => { log.push('seek', performance.now()) }
			const report = () => { const said = log; log = []; return [...said, 'shown', performance.now()] }`)),
		frames: []int{0, 9, 12, 6, 15},
		want: []string{
			`["seek",0,"shown",0]`, `[100,120,170,200,300,"seek",300,"shown",300]`, `[400,"seek",400,"shown",400]`,
			`["seek",200,"shown",200]`, `[500,"seek",500,"shown",500]`,
		},
	},
	{
		name: "before ready time is virtual",
		page: page(reporting(``, `window.__exportReady = false
			const seen = [performance.now()]
			setTimeout(() => { seen.push(Math.round(performance.now())); requestAnimationFrame((t) => { seen.push(t === performance.now()); window.__exportReady = true }) }, 30000 / 60)
			const report = () => seen`)),
		frames: []int{0},
		want:   []string{`[0,500,true]`},
	},
	{
		name: "a seek's promise lets time run for timers and frames only",
		page: page(reporting(``, `let log = []
			window.__exportSeekTo = async (t) => {
				log = []
				await new Promise((done) => setTimeout(done, 1000))
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
				await new Promise((done) => requestIdleCallback(done))
				log.push(performance.now())
			}
			const report = () => log`)),
		frames: []int{0, 3},
		want:   []string{`[0]`, `[100]`},
	},
	{
		name: "real things stay real",
		page: page(reporting(``, `let log = []
			window.__exportSeekTo = async () => {
				log = []
				const { port1, port2 } = new MessageChannel()
				log.push(await new Promise((done) => { port1.onmessage = (e) => done(e.data); port2.postMessage('message') }))
				log.push((await (await fetch('/data.css')).text()).trim())
				const w = new Worker(URL.createObjectURL(new Blob(['postMessage("worker")'])))
				log.push(await new Promise((done) => { w.onmessage = (e) => done(e.data) }))
				const f = new Worker('/work.js')
				log.push(await new Promise((done) => { f.onmessage = (e) => done(e.data) }))
				await new Promise((done) => new ResizeObserver(done).observe(document.body))
				await new Promise((done) => new IntersectionObserver(done).observe(document.body))
				log.push(isSecureContext)
			}
			const report = () => log`), "/data.css", "data", "/work.js", "postMessage('file')"),
		frames: []int{0, 1},
		want:   []string{`["message","data","worker","file",true]`, `["message","data","worker","file",true]`},
	},
	{
		name: "animations stand at the seek",
		page: page(`<style>@keyframes k { to { opacity: .5 } }
			#css { animation: k 2s linear } #paused { animation: k 2s linear paused } #t { transition: width 5s; width: 10px }</style>` + reporting(
			`<i id="css">a</i><i id="js">b</i><i id="own">c</i><i id="paused">d</i><div id="t">e</div><i id="half">f</i>`, `
			js.animate({ opacity: [1, 0] }, { duration: 1000, fill: 'both' })
			half.animate({ opacity: [1, 0] }, { duration: 1000 }).playbackRate = 0.5
			const mine = own.animate({ opacity: [1, 0] }, 1000); mine.pause()
			window.__exportSeekTo = (s) => { mine.currentTime = 250; t.style.width = 100 + s + 'px' }
			const at = (e) => +(+getComputedStyle(e).opacity).toFixed(3)
			const away = document.createElement('b')
			document.body.append(away)
			away.animate({ opacity: [1, 0] }, { duration: 2000, fill: 'both' })
			const show = window.__exportSeekTo
			window.__exportSeekTo = (s) => { show(s); if (s === 1) away.remove(); else document.body.append(away) }
			const report = () => [at(css), at(js), at(own), at(paused), getComputedStyle(t).width, at(half), away.isConnected && at(away), document.timeline.currentTime]`)),
		frames: []int{0, 15, 30, 90, 15},
		want: []string{
			`[1,1,0.75,1,"100px",1,1,0]`, `[0.875,0.5,0.75,1,"100.5px",0.75,0.75,500]`, `[0.75,0,0.75,1,"101px",0.5,false,1000]`,
			`[1,0,0.75,1,"103px",1,0,3000]`, `[0.875,0.5,0.75,1,"100.5px",0.75,0.75,500]`,
		},
	},
	{
		name: "animations in shadow roots and frames too",
		page: page(reporting(`<div id="host"></div><iframe id="f" src="/frame.html"></iframe>`, `
			const root = host.attachShadow({ mode: 'open' })
			root.innerHTML = '<style>@keyframes k { to { opacity: 0 } } i { animation: k 1s linear }</style><i>x</i>'
			const at = (e) => +(+getComputedStyle(e).opacity).toFixed(3)
			const report = () => [at(root.querySelector('i')), at(f.contentDocument.querySelector('i')), f.contentWindow.performance.now(), f.contentWindow.ticks]`),
			"/frame.html", `<!doctype html><style>@keyframes k { to { opacity: 0 } } i { animation: k 1s linear }</style><i>x</i>
			<script>let ticks = 0; setInterval(() => { window.ticks = ++ticks }, 100)</script>`),
		frames: []int{0, 15},
		want:   []string{`[1,1,0,null]`, `[0.5,0.5,500,5]`},
	},
	{
		name: "random starts again from the frame",
		page: page(reporting(``, `let values = []
			window.__exportSeekTo = () => { values = [Math.random(), crypto.getRandomValues(new Uint32Array(1))[0], crypto.randomUUID()] }
			const seen = {}
			const report = () => {
				const now = performance.now(), text = values.join()
				const again = seen[now] === text, fresh = !Object.values(seen).includes(text)
				seen[now] = text
				return [again, fresh, values[0] >= 0 && values[0] < 1, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(values[2])]
			}`)),
		frames: []int{1, 2, 1},
		want:   []string{`[false,true,true,true]`, `[false,true,true,true]`, `[true,false,true,true]`},
	},
	{
		name: "an animation the first seek takes is the page's own",
		page: page(`<style>i { animation: k 2s linear } @keyframes k { to { opacity: 0 } }</style><i id="a">a</i><script>
			const [taken] = a.getAnimations()
			window.__exportSeekTo = (t) => { taken.pause(); taken.currentTime = 500 * t }
			window.__kodaFrameKey = () => String(taken.currentTime)
			window.__exportReady = true</script>`),
		frames: []int{15, 30},
		want:   []string{`250`, `500`},
	},
	{
		name: "nothing has a layer for what it will change, and keeps what it says",
		page: page(`<style>#a { will-change: transform !important }</style>` + reporting(`<i id="a"></i><div id="h"></div>`, `
			document.adoptedStyleSheets = [new CSSStyleSheet()]
			const root = h.attachShadow({ mode: 'open' })
			root.innerHTML = '<b style="will-change: opacity">x</b>'
			const report = () => [document.documentElement, a, root.querySelector('b')].map((e) => getComputedStyle(e).willChange)`)),
		frames: []int{0},
		want:   []string{`["contents","transform","opacity"]`},
	},
	{
		name:   "the page knows its props and its size",
		page:   page(reporting(``, `const report = () => [window.__kodaProps, innerWidth, innerHeight, devicePixelRatio, location.search, navigator.language]`)),
		frames: []int{0},
		want:   []string{`[{"title":"</script> 😀"},320,180,1,"?export","en-US"]`},
	},
}

func TestClock(t *testing.T) {
	t.Parallel()
	for _, c := range clockPages {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, c.page)
			// Keys hold the props as well, as the page does not say that its keys do.
			const props = `{"title":"</script> 😀"}`
			opts.Viewport.Props = json.RawMessage(props)
			tab := open(t, opts)
			for i, n := range c.frames {
				capture(t, tab, n)
				if diff := cmp.Diff(props+c.want[i], ask(t, tab, n)); diff != "" {
					t.Errorf("frame %d (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// FrameKey says if the page offers no frame key, waits for a promised frame key,
// and returns what the key's function throws.
func TestFrameKey(t *testing.T) {
	t.Parallel()
	tab := open(t, options(t, page(`<!doctype html><script>
		window.__kodaFrameKey = (t) => {
			if (t > 2) throw new Error('no key')
			return t > 1 ? null : Promise.resolve(['at', t])
		}
		window.__exportSeekTo = (t) => { if (t > 1) delete window.__kodaFrameKey }
		window.__exportReady = true</script>`)))
	if key, ok, err := tab.FrameKey(t.Context(), 15); key != "at,0.5" || !ok || err != nil {
		t.Errorf("key %q, %v, %v", key, ok, err)
	}
	if _, _, err := tab.FrameKey(t.Context(), 90); koda.CodeOf(err) != koda.CodePageFailed || !strings.Contains(err.Error(), "no key") {
		t.Errorf("an error of the page: %v", err)
	}
	if key, ok, err := tab.FirstKey(t.Context()); key != "at,0" || !ok || err != nil {
		t.Errorf("the first picture: key %q, %v, %v", key, ok, err)
	}
	for range 2 {
		if key, ok, err := tab.FrameKey(t.Context(), 45); ok || err != nil {
			t.Errorf("key %q, %v, %v", key, ok, err)
		}
		capture(t, tab, 45)
	}
}

// A page may give its first picture a key of its own.
func TestFirstKey(t *testing.T) {
	t.Parallel()
	tab := open(t, options(t, page(`<!doctype html><script>
		window.__kodaFrameKey = (t) => 'at ' + t
		window.__kodaFirstKey = async () => 'first'
		window.__exportSeekTo = () => { window.__kodaFirstKey = () => null }
		window.__exportReady = true</script>`)))
	if key, ok, err := tab.FirstKey(t.Context()); key != "first" || !ok || err != nil {
		t.Errorf("key %q, %v, %v", key, ok, err)
	}
	if key, ok, err := tab.FrameKey(t.Context(), 0); key != "at 0" || !ok || err != nil {
		t.Errorf("key of frame 0 %q, %v, %v", key, ok, err)
	}
	capture(t, tab, 0)
	if key, ok, err := tab.FirstKey(t.Context()); ok || err != nil {
		t.Errorf("key %q, %v, %v", key, ok, err)
	}
}
