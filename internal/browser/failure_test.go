package browser_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// failures are pages with mistakes, and the words that the error must hold.
var failures = []struct {
	name, html string
	says       []string // in the error, or in its details
	code       koda.Code
}{
	{"throws", `<script>function setup() { undefined.x }
		setup()</script>`,
		[]string{"TypeError", "setup at index.html:1:"}, koda.CodePageFailed},
	{"rejects", `<script type="module">await Promise.reject(new RangeError('no such scene'))</script>`,
		[]string{"RangeError: no such scene"}, koda.CodePageFailed},
	{"never ready", `<script>requestAnimationFrame(function f() { requestAnimationFrame(f) })</script>`,
		[]string{"not ready within 4s", "window.__exportReady"}, koda.CodePageFailed},
	{"blocks", "<script>\nfunction spin() { while (true) {} }\nspin()</script>",
		[]string{"does not return", "spin at index.html:2:"}, koda.CodePageFailed},
	{"waits for the network", `<script type="module">console.error('texture is missing', 7); await fetch('https://example.com/data.json').catch(() => new Promise(() => {}))</script>`,
		[]string{"https://example.com/data.json", "without network", "texture is missing 7"}, koda.CodePageFailed},
	{"waits for a socket", `<script>const s = new WebSocket('wss://example.com/live'); s.onopen = () => { window.__exportReady = true }; document.body.append(gone)</script>`,
		[]string{"wss://example.com/live"}, koda.CodePageFailed},
	{"lacks a file", `<script type="module" src="/src/gone.js"></script>`,
		[]string{"/src/gone.js"}, koda.CodePageFailed},
	{"waits for a font", `<script type="module">await new FontFace('Scene', 'url(/public/gone.woff2)').load().catch(() => new Promise(() => {}))</script>`,
		[]string{"/public/gone.woff2"}, koda.CodePageFailed},
	{"waits for a texture", `<script>const i = new Image(); i.onload = () => { window.__exportReady = true }; i.src = '/public/gone.png'</script>`,
		[]string{"/public/gone.png"}, koda.CodePageFailed},
	{"leaves", `<script>location.href = 'https://example.com/elsewhere'</script>`,
		[]string{"navigated away", "https://example.com/elsewhere"}, koda.CodePageFailed},
	{"reloads", `<script>setTimeout(() => location.reload(), 50)</script>`,
		[]string{"navigated away"}, koda.CodePageFailed},
	{"cannot seek", `<script>window.__exportReady = true</script>`,
		[]string{"window.__exportSeekTo"}, koda.CodePageFailed},
	{"seek throws", `<script>window.__exportSeekTo = (t) => { throw new Error('no keyframe at ' + t) }; window.__exportReady = true</script>`,
		[]string{"capture frame 3 (0.100 s)", "Error: no keyframe at 0.1", "index.html:1:"}, koda.CodePageFailed},
	{"seek rejects", `<script>window.__exportSeekTo = async () => { throw new Error('no sheet') }; window.__exportReady = true</script>`,
		[]string{"Error: no sheet (window.__exportSeekTo at index.html:1:"}, koda.CodePageFailed},
	{"seek rejects with no error", `<script>window.__exportSeekTo = async () => { throw { code: 7, why: 'no sheet' } }; window.__exportReady = true</script>`,
		[]string{"Object {code: 7, why: no sheet}"}, koda.CodePageFailed},
	{"seek hangs", `<script>window.__exportSeekTo = () => new Promise(() => {}); window.__exportReady = true</script>`,
		[]string{"the animation does not respond", "the page did not show frame 3 (0.100 s) within 500ms", "promise of window.__exportSeekTo"}, koda.CodeSeekFailed},
	{"seek waits for the network", `<script>window.__exportSeekTo = () => fetch('http://10.0.0.1/x').catch(() => new Promise(() => {})); window.__exportReady = true</script>`,
		[]string{"did not show frame 3 (0.100 s)", "http://10.0.0.1/x"}, koda.CodeSeekFailed},
	{"seek blocks", "<script>window.__exportSeekTo = () => {\nfor (;;) {} }; window.__exportReady = true</script>",
		[]string{"the animation does not respond", "does not return", "index.html:2:"}, koda.CodeSeekFailed},
	{"seek leaves", `<script>window.__exportSeekTo = () => { location.href = '/other.html' }; window.__exportReady = true</script>`,
		// Whether the page has left already or is still on its way, the error names
		// the address.
		[]string{"other.html"}, koda.CodePageFailed},
	{"loses WebGL", `<canvas id="c"></canvas><script>const gl = c.getContext('webgl')
		window.__exportSeekTo = (t) => { if (t > 0) gl.getExtension('WEBGL_lose_context').loseContext() }; window.__exportReady = true</script>`,
		[]string{"lost its WebGL context"}, koda.CodeCaptureFailed},
}

// Each page fails within a bound, with a sentence that names the cause.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page("<!doctype html>"+f.html))
			opts.Page.WebGL = f.name == "loses WebGL"
			opts.ReadyTimeout, opts.SettleTimeout, opts.FrameTimeout = 4*time.Second, 500*time.Millisecond, 3*time.Second
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			tab, err := tryOpen(t, opts)
			for n := 3; err == nil && n < 6; n++ {
				_, err = tab.Capture(ctx, n)
			}
			if err == nil {
				t.Fatal("the page was captured")
			}
			all := err.Error() + "\n" + koda.DetailsOf(err) + "\n" + koda.HintOf(err)
			for _, want := range f.says {
				if !strings.Contains(all, want) {
					t.Errorf("the error does not say %q:\n%s", want, all)
				}
			}
			if koda.CodeOf(err) != f.code {
				t.Errorf("code %s, want %s: %v", koda.CodeOf(err), f.code, err)
			}
			if koda.HintOf(err) == "" {
				t.Errorf("no hint: %v", err)
			}
			if d := koda.DetailsOf(err); strings.Contains(d, "WARNING:") || strings.Contains(d, ".cc:") || strings.Contains(d, "Disabling GL_EXT") {
				t.Errorf("the details hold lines that explain nothing: %s", d)
			}
			t.Logf("%v\nhint: %s", err, koda.HintOf(err))
		})
	}
}

// On a machine that is too busy to draw a frame within the time a page may take to
// settle, the capture waits: nothing is pending once the frame is drawn.
func TestSlowMachine(t *testing.T) {
	t.Parallel()
	opts := options(t, page(`<!doctype html><p id="p"></p><script>
		window.__exportSeekTo = (t) => {
			p.textContent = t
			Promise.resolve().then(() => { for (let i = 0, x = 0; i < 3e8; i++) x = (x + i) % 7 })
		}
		window.__exportReady = true</script>`))
	opts.SettleTimeout = time.Millisecond
	tab := open(t, opts)
	for n := range 3 {
		capture(t, tab, n)
	}
}

// If nothing was drawn, a mishap says that the page's code left its root empty.
func TestEmptyRoot(t *testing.T) {
	t.Parallel()
	const seek = "window.__exportSeekTo = (t) => { document.body.style.color = t ? 'red' : 'blue' }; window.__exportReady = true"
	for html, want := range map[string]string{
		`<div id="root"></div><script>` + seek + `</script>`:                                    "#root is empty: the page's code put nothing there",
		`<main id="app"> </main><script>` + seek + `</script>`:                                  "#app is empty: the page's code put nothing there",
		`<div id="root"></div><h1>a title</h1><script>` + seek + `</script>`:                    "",
		`<div id="root"></div><script>app = 1; document.body.append('x');` + seek + `</script>`: "",
		`<div id="root"><p>a text</p></div><script>` + seek + `</script>`:                       "",
		`<div id="root"></div><canvas></canvas><script>` + seek + `</script>`:                   "",
		`<script>` + seek + `</script>`:                                                         "",
	} {
		tab := open(t, options(t, page("<!doctype html>"+html)))
		for n := range 3 {
			capture(t, tab, n)
		}
		if got := said(tab); got != want {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Odd but harmless things that a page does do not stop it.
func TestHarmless(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"odd": `
			alert('a'); confirm('b'); prompt('c')
			window.open('https://example.com')
			for (const href of ['data:text/plain,x', URL.createObjectURL(new Blob(['x'])), '/public/there.js']) {
				const a = document.createElement('a'); a.href = href; a.download = 'koda-download'; a.click()
			}
			history.pushState({}, '', '/elsewhere')
			addEventListener('beforeunload', (e) => e.preventDefault())
			setTimeout(() => { throw new Error('not needed') })
			queueMicrotask(() => { throw new Error('at once') })
			new Image().src = 'https://example.com/pixel.gif'
			delete window.__kodaProps
			debugger
			document.documentElement.innerHTML = '<body>new</body>'`,
		"chatter":  `for (let i = 0; i < 100000; i++) console.log('line ' + i + ' of far too many', { i })`,
		"meddling": `JSON.stringify = () => 'x'`,
		"late":     `window.__exportReady = false; setTimeout(() => { window.__exportReady = true }, 5000)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(`<!doctype html><h1>hello</h1><script>window.__exportSeekTo = () => {}; window.__exportReady = true;`+script+`</script>`, "/public/there.js", "1"))
			root := t.TempDir()
			opts.Host = hostos.New(root)
			lines := 0
			opts.Log = func(string) { lines++ }
			tab := open(t, opts)
			capture(t, tab, 0)
			capture(t, tab, 1)
			mishaps := said(tab)
			for _, want := range []string{"threw Error: at once", "threw Error: not needed", "reached for https://example.com/pixel.gif"} {
				if strings.Contains(mishaps, want) != (name == "odd") {
					t.Errorf("mishaps are %q", mishaps)
				}
			}
			if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
				if strings.Contains(path, "koda-download") || strings.HasSuffix(path, ".crdownload") {
					t.Errorf("the page downloaded %s", path)
				}
				return err
			}); err != nil && !errors.Is(err, fs.ErrNotExist) { // the browser works in there
				t.Error(err)
			}
			if err := tab.Close(); err != nil {
				t.Fatal(err)
			}
			if name == "chatter" && (lines < 100 || lines > 5000) {
				t.Errorf("%d lines were passed on", lines)
			}
		})
	}
}

// No page reaches a network, not even the loopback of this machine.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // a test's listener
	called := make(chan string, 16)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			called <- conn.RemoteAddr().String()
			_ = conn.Close() //nolint:errcheck // nothing to say
		}
	}()
	addr := listener.Addr().String()
	opts := options(t, page(`<!doctype html><body><script>
		const tried = []
		const one = (name, f) => tried.push(new Promise((done) => { try { f(done) } catch (e) { done() } }).then(() => name))
		one('websocket', (done) => { const s = new WebSocket('ws://ADDR/'); s.onerror = s.onopen = done })
		one('fetch', (done) => fetch('http://ADDR/').then(done, done))
		one('events', (done) => { const s = new EventSource('http://ADDR/'); s.onerror = s.onopen = done })
		one('image', (done) => { const i = new Image(); i.onload = i.onerror = done; i.src = 'http://ADDR/i.png' })
		one('frame', (done) => { const f = document.createElement('iframe'); f.onload = f.onerror = done; f.src = 'http://ADDR/'; document.body.append(f) })
		one('beacon', (done) => { navigator.sendBeacon('http://ADDR/', 'x'); done() })
		one('worker', (done) => {
			const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://ADDR/').then(() => postMessage(1), () => postMessage(0)); new WebSocket('ws://ADDR/')"])))
			w.onmessage = w.onerror = done
		})
		one('style', (done) => { const l = document.createElement('link'); l.rel = 'preconnect'; l.href = 'http://ADDR/'; document.head.append(l); done() })
		window.__exportSeekTo = () => {}
		Promise.all(tried).then(() => { window.__exportReady = true })
		</script>`))
	index := opts.Page.Files["/index.html"]
	index.Body = []byte(strings.ReplaceAll(string(index.Body), "ADDR", addr))
	opts.Page.Files["/index.html"] = index
	tab := open(t, opts)
	capture(t, tab, 0)
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case from := <-called:
		t.Errorf("the page reached %s from %s", addr, from)
	default:
	}
}

func TestOptionsRefused(t *testing.T) {
	t.Parallel()
	good := options(t, page("<!doctype html>"))
	for name, spoil := range map[string]func(*browser.Options){
		"no size":       func(o *browser.Options) { o.Viewport.Width = 0 },
		"small scale":   func(o *browser.Options) { o.Viewport.Scale = 0.25 },
		"no rate":       func(o *browser.Options) { o.Viewport.FPS = koda.FPS{} },
		"no browser":    func(o *browser.Options) { o.Info.Browser = "" },
		"no index.html": func(o *browser.Options) { o.Page.Files = nil },
		"bad props":     func(o *browser.Options) { o.Viewport.Props = []byte("{") },
	} {
		opts := good
		spoil(&opts)
		if _, err := tryOpen(t, opts); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}
