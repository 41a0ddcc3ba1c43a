package browser_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// leaking is a page that takes all the memory a script can have when it is sought to
// a time.
const leaking = `<!doctype html><h1>leak</h1><script>
	const all = []
	window.__exportSeekTo = (t) => { if (t >= 0.1) for (;;) all.push(new Array(1e6).fill(Math.random())) }
	window.__exportReady = true</script>`

// Accidents of a browser while it draws, and the words that the error must hold.
// Another browser may help against all of them but the page's own greed.
var mishaps = []struct {
	name  string
	html  string
	webGL bool
	raw   bool
	args  []string
	part  string // the signal goes to processes with this in their command line
	sig   syscall.Signal
	code  koda.Code
	says  []string
}{
	{name: "all of it hangs", html: scenes["dom"], part: "", sig: syscall.SIGSTOP, code: koda.CodeCaptureFailed, says: []string{"capture frame", "did nothing for 9s", "main process"}},
	{name: "the page's process hangs", html: scenes["dom"], part: "--type=renderer", sig: syscall.SIGSTOP, code: koda.CodeCaptureFailed, says: []string{"capture frame", "did nothing for 9s", "the page's process"}},
	{name: "the graphics process hangs", html: scenes["dom"], raw: true, part: "--type=gpu-process", sig: syscall.SIGSTOP, code: koda.CodeCaptureFailed, says: []string{"did nothing for 9s", "graphics process"}},
	{name: "the graphics process hangs under WebGL", html: scenes["webgl"], webGL: true, part: "--type=gpu-process", sig: syscall.SIGSTOP, code: koda.CodeCaptureFailed, says: []string{"did nothing for 9s", "graphics process"}},
	{name: "the graphics process dies", html: scenes["dom"], raw: true, part: "--type=gpu-process", sig: syscall.SIGKILL, code: koda.CodeCaptureFailed, says: []string{"graphics process"}},
	{name: "the graphics process dies under WebGL", html: scenes["webgl"], webGL: true, part: "--type=gpu-process", sig: syscall.SIGKILL, code: koda.CodeCaptureFailed, says: []string{"graphics process"}},
	{name: "the page takes all memory", html: leaking, args: []string{"--js-flags=--max-old-space-size=64"}, code: koda.CodeOutOfMemory, says: []string{"memory"}},
}

func TestMishaps(t *testing.T) {
	t.Parallel()
	for _, m := range needs.Some(mishaps) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(m.html))
			opts.Page.WebGL, opts.ExtraArgs, opts.FrameTimeout = m.webGL, m.args, time.Minute
			opts.Viewport.Raw = m.raw && opts.Info.Raw(opts.Page, opts.Viewport)
			started := make(chan sandbox.Process, 1)
			root := t.TempDir()
			opts.Host = watchedHost{hostos.New(root), started}
			tab := open(t, opts)
			child := <-started
			capture(t, tab, 0)
			hit := 0
			for pid, cmd := range group(child.PID()) {
				if m.sig != 0 && strings.Contains(cmd, m.part) {
					hit++
					if err := syscall.Kill(pid, m.sig); err != nil {
						t.Fatal(err)
					}
				}
			}
			if m.sig != 0 && hit == 0 {
				t.Fatalf("no process to hit among %v", group(child.PID()))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
			defer cancel()
			var err error
			for n := 3; n < 40 && err == nil; n++ {
				_, err = tab.Capture(ctx, n)
			}
			if err == nil {
				t.Fatal("nothing failed")
			}
			all := err.Error() + "\n" + koda.DetailsOf(err)
			for _, want := range m.says {
				if !strings.Contains(all, want) {
					t.Errorf("the error does not say %q:\n%s", want, all)
				}
			}
			if worth := m.code != koda.CodeOutOfMemory; koda.Lasting(err) == worth {
				t.Errorf("worth another browser: %v", !worth)
			}
			if koda.CodeOf(err) != m.code || koda.HintOf(err) == "" {
				t.Errorf("code %s, want %s, hint %q", koda.CodeOf(err), m.code, koda.HintOf(err))
			}
			t.Logf("%v\nhint: %s\n%s", err, koda.HintOf(err), koda.DetailsOf(err))
			if err := tab.Close(); err != nil {
				t.Error(err)
			}
			if left := group(child.PID()); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Pages that keep a browser at work without end. Each is given up at the time
// bound, which the error names, as the page's own fault: another browser would do
// the same. The microtasks return nothing: a promise that waits for the next
// promise would hold all of them, and the bound of memory would be met first.
var restless = []struct {
	name, script string
	code         koda.Code
	says         string
}{
	{"microtasks", `window.__exportSeekTo = () => { const f = () => { Promise.resolve().then(f) }; f() }`, koda.CodeSeekFailed, "does not return"},
	{"microtasks while it loads", `const f = () => { Promise.resolve().then(f) }; f()`, koda.CodePageFailed, "does not return"},
	{"a filter", `let noise = ''
		for (let i = 0; i < 400; i++) noise += '<feTurbulence baseFrequency="0.5" numOctaves="255" result="t"/>' +
			'<feComposite in="t" in2="' + (i ? 'c' + (i - 1) : 'SourceGraphic') + '" operator="arithmetic" k2="0.5" k3="0.5" result="c' + i + '"/>'
		document.body.innerHTML = '<svg width="1280" height="720"><filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="1280" height="720">' +
			noise + '</filter><rect id="r" width="1280" height="720" filter="url(#f)"/></svg>'
		window.__exportSeekTo = (t) => { r.setAttribute('width', 1000 + t) }`, koda.CodePageFailed, "though it was at work"},
	{"a frame key", `window.__kodaFrameKey = () => { for (;;); }; window.__exportSeekTo = () => {}`, koda.CodeSeekFailed, "does not return"},
}

func TestRestless(t *testing.T) {
	t.Parallel()
	for _, r := range restless {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page("<!doctype html><body><script>"+r.script+"\nwindow.__exportReady = true</script>"))
			opts.Viewport.Width, opts.Viewport.Height = 1280, 720
			opts.ReadyTimeout, opts.FrameTimeout, opts.Memory = 4*time.Second, 5*time.Second, 2<<30
			tab, err := tryOpen(t, opts)
			if err == nil {
				if _, _, err := tab.FrameKey(t.Context(), 1); r.name == "a frame key" && err == nil {
					t.Error("the page gave a key")
				}
				_, err = tab.Capture(t.Context(), 1)
			}
			if koda.CodeOf(err) != r.code || err == nil || !strings.Contains(err.Error(), r.says) || koda.HintOf(err) == "" {
				t.Errorf("error %v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
			}
			t.Logf("%v\n%s", err, koda.HintOf(err))
		})
	}
}

// A page whose keys never come is asked once and drawn without keys.
func TestKeyNeverComes(t *testing.T) {
	t.Parallel()
	opts := options(t, page(`<!doctype html><script>
		let asked = 0
		window.__kodaFrameKey = () => { if (asked++) for (;;); return new Promise(() => {}) }
		window.__exportSeekTo = () => {}; window.__exportReady = true</script>`))
	opts.SettleTimeout = 500 * time.Millisecond
	tab := open(t, opts)
	for n := range 2 {
		if key, ok, err := tab.FrameKey(t.Context(), n); ok || err != nil {
			t.Errorf("key %d: %q, %v", n, key, err)
		}
	}
	capture(t, tab, 1)
}
