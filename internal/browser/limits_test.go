package browser_test

import (
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// limited makes a page with a script that begins in line 2. The page is ready at
// once.
func limited(body, script string, files ...string) koda.Page {
	return page("<!doctype html><body><h1>x</h1>"+body+"<script>\n"+script+`
		; window.__exportSeekTo ??= () => {}; window.__exportReady ??= true</script>`, files...)
}

// An error that callbacks throw is reported once, with its line, if known, and the
// number of times.
func TestThrownInCallbacks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, says string }{
		"timers and animation frames": {
			"setTimeout(() => {\nnull.x }, 100)\nsetInterval(function beat() {\nthrow new Error('beat') }, 40)\nrequestAnimationFrame(function first() { throw new Error('frame') })",
			`the page threw Error: frame (first at index.html:6:48)
the page threw Error: beat (beat at index.html:5:7) (5 times)
the page threw TypeError: Cannot read properties of null (reading 'x') (index.html:3:6)`,
		},
		"idle callbacks and observers": {
			"requestIdleCallback(() => {\nthrow new Error('idle') })\nnew ResizeObserver(() => {\nthrow new Error('size') }).observe(document.body)\n" +
				"const m = new MutationObserver(() => {\nthrow new Error('mutation') }); setTimeout(() => { m.observe(document.body, { attributes: true }); document.body.id = 'x' }, 100)",
			`the page threw Error: size (index.html:5:7)
the page threw Error: idle (index.html:3:7)
the page threw Error: mutation (index.html:7:7)`,
		},
		"event handlers and promises": {
			"addEventListener('x', () => {\nthrow new Error('handler') }); window.__exportSeekTo = (t) => { if (t === 0.1) { dispatchEvent(new Event('x')); b.click() } }\n" +
				"setTimeout(async () => {\nthrow new Error('promise') }, 150)",
			`the page threw Error: handler (index.html:3:7)
the page threw ReferenceError: gone is not defined (onclick at index.html:1:64)
the page threw Error: promise (index.html:5:7)`,
		},
		"what is no error, and what is taken care of": {
			`setTimeout(() => { throw 'a text' }, 100)
			const p = Promise.reject(new Error('late')); setTimeout(() => p.catch(() => {}), 100)
			addEventListener('error', (e) => { if (e.message.includes('known')) e.preventDefault() }); setTimeout(() => { throw new Error('known') }, 50)`,
			`the page threw "a text"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab := open(t, options(t, limited(`<button id="b" onclick="gone()"></button>`, c.script)))
			for n := range 7 {
				capture(t, tab, n)
			}
			if got := said(tab); got != c.says {
				t.Errorf("mishaps are\n%s\nwant\n%s", got, c.says)
			}
		})
	}
}

// A page that threw and cannot become ready any more is given up long before its
// time limit, and the error names what it threw. A page that threw and still
// becomes ready goes on.
func TestThrownBeforeReady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		ready  bool
	}{
		"in a timer":                       {"setTimeout(() => {\nthrow new Error('setup')\n}, 50)", false},
		"in an animation frame":            {"requestAnimationFrame(() => {\nthrow new Error('setup')\n})", false},
		"in each animation frame":          {"requestAnimationFrame(function f() { requestAnimationFrame(f);\nthrow new Error('setup')\n})", false},
		"in a promise":                     {"setTimeout(async () => {\nthrow new Error('setup')\n})", false},
		"in a timer, and is ready later":   {"setTimeout(() => {\nthrow new Error('setup')\n}, 50); setTimeout(() => { window.__exportReady = true }, 5000)", true},
		"in each frame, and is ready then": {"requestAnimationFrame(function f() { requestAnimationFrame(f); window.__exportReady = performance.now() > 1000;\nthrow new Error('setup')\n})", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, limited("", "window.__exportReady = false;"+c.script))
			opts.ReadyTimeout = time.Hour // longer than any test
			tab, err := tryOpen(t, opts)
			const what = "the page threw Error: setup ("
			if c.ready {
				if err != nil || !strings.Contains(said(tab), what) {
					t.Errorf("%v, mishaps %q", err, said(tab))
				}
				return
			}
			if err == nil || koda.CodeOf(err) != koda.CodePageFailed || !strings.Contains(err.Error(), "stopped before it was ready: "+what) || !strings.Contains(err.Error(), "index.html:3:7") {
				t.Errorf("error %v (%s)", err, koda.CodeOf(err))
			}
		})
	}
}

// limits are pages that do things which no video can show as a browser does. Each
// such thing is named, and koda waits for none of them.
var limits = []struct {
	name, body, script string
	files              []string
	says               []string
}{
	{"dialogs", ``, `alert('a'); if (confirm('b') !== false || prompt('c') !== null) throw new Error('answered')
		window.__exportSeekTo = () => { alert('again') }`, nil,
		[]string{`a dialog that nobody answers: alert("a")`, `confirm("b")`, `prompt("c")`, "the page did more"}},
	{"dialogs without end", ``, `setTimeout(() => { while (!confirm('sure?')); }, 50)`, nil,
		[]string{`confirm("sure?")`, "confirm opens one dialog after the other (index.html:2:"}},
	// Chromium loses a download now and then when a second one begins in the same task.
	{"a download of data", ``, download("'data:text/plain,x'"), nil, []string{"offers a download, file.txt, "}},
	{"a download of a blob", ``, download("URL.createObjectURL(new Blob(['x']))"), nil, []string{"offers a download, file.txt, "}},
	{"a download of a file", ``, download("'/there.js'"), []string{"/there.js", "1"}, []string{"offers a download, there.js, "}},
	{"a window that closes, and workers that serve all pages", ``, `window.close(); window.__exportSeekTo = () => { window.top.close() }
		addEventListener('beforeunload', (e) => { e.preventDefault(); return e.returnValue = 'stay' })
		navigator.serviceWorker.register('/sw.js').catch(() => {})
		new SharedWorker('/sw.js')`, []string{"/sw.js", "onconnect = () => {}"},
		[]string{"window.close", "service worker, /sw.js", "shared worker, /sw.js"}},
	{"workers", ``, `new Worker('/gone.js'); new Worker('/broken.js'); new Worker('/work.js')
		const u = URL.createObjectURL(new Blob(['onmessage = () => requestAnimationFrame(() => {})']))
		new Worker(u); URL.revokeObjectURL(u); new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage(1)'])))`,
		[]string{"/broken.js", "\nthrow new Error('in a worker')", "/work.js", "setInterval(() => postMessage(1), 10)"},
		[]string{"the page has no file /gone.js", "Error: in a worker (broken.js:2)", "worker, work.js, which calls setInterval", "worker, of code that it makes, which calls requestAnimationFrame"}},
	{"what scrolling moves", `<style>@keyframes grow { from { transform: scaleX(0) } } @keyframes dim { from { opacity: 0 } }
			#bar { animation: grow linear both; animation-timeline: scroll() } #veil { animation: dim linear both; animation-timeline: scroll() }</style>
		<div id="bar">bar</div><div id="veil">veil</div><div style="height: 2000px"></div>`, `window.__exportSeekTo = (t) => scrollTo(0, 1000 * t)`, nil,
		[]string{`scrolling moves <div id="bar"> by an animation`}},
	{"frames of other origins", `<iframe src="https://example.com/embed"></iframe><iframe src="data:text/html,<p>in a frame"></iframe>
		<iframe sandbox="allow-scripts" src="/frame.html"></iframe>`, ``,
		[]string{"/frame.html", "<!doctype html><p>in a frame<script>setInterval(() => document.body.append('x'), 100)</script>"},
		[]string{"the page reached for https://example.com/embed", "another origin, https://koda.localhost/frame.html", "another origin, data:text/html"}},
}

// download is a script that offers a URL, which it gets as an expression, as file.txt.
func download(url string) string {
	return "const a = document.createElement('a'); a.href = " + url + "; a.download = 'file'; a.click()"
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, l := range limits {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			tab := open(t, options(t, limited(l.body, l.script, l.files...)))
			for n := range 3 {
				capture(t, tab, n)
			}
			// The source of a worker is fetched meanwhile; its mishap comes when the
			// source is there.
			until(t, "all is said", func() bool {
				got := said(tab)
				for _, want := range l.says {
					if !strings.Contains(got, want) {
						return false
					}
				}
				return true
			})
		})
	}
}
