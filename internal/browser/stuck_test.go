package browser_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// leaking takes all the memory a script can have when it is at a second.
const leaking = `<!doctype html><h1>leak</h1><script>
	const all = []
	window.__exportSeekTo = (t) => { if (t >= 0.1) for (;;) all.push(new Array(1e6).fill(Math.random())) }
	window.__exportReady = true</script>`

// What befalls a browser while it draws, and what the error must say. All of
// them are worth another browser.
var mishaps = []struct {
	name  string
	html  string
	webGL bool
	raw   bool
	args  []string
	part  string // of the command line of the processes that get the signal
	sig   syscall.Signal
	code  koda.Code
	says  []string
}{
	{name: "all of it hangs", html: scenes["dom"], part: "", sig: syscall.SIGSTOP, code: koda.CodeTimeout, says: []string{"capture frame", "did not answer", "main process"}},
	{name: "the page's process hangs", html: scenes["dom"], part: "--type=renderer", sig: syscall.SIGSTOP, code: koda.CodeTimeout, says: []string{"capture frame", "the page's process"}},
	{name: "the graphics process hangs", html: scenes["dom"], raw: true, part: "--type=gpu-process", sig: syscall.SIGSTOP, code: koda.CodeTimeout, says: []string{"graphics process"}},
	{name: "the graphics process hangs under WebGL", html: scenes["webgl"], webGL: true, part: "--type=gpu-process", sig: syscall.SIGSTOP, code: koda.CodeTimeout, says: []string{"graphics process"}},
	{name: "the graphics process dies", html: scenes["dom"], raw: true, part: "--type=gpu-process", sig: syscall.SIGKILL, code: koda.CodeCaptureFailed, says: []string{"graphics process"}},
	{name: "the graphics process dies under WebGL", html: scenes["webgl"], webGL: true, part: "--type=gpu-process", sig: syscall.SIGKILL, code: koda.CodeCaptureFailed, says: []string{"graphics process"}},
	{name: "the page takes all memory", html: leaking, args: []string{"--js-flags=--max-old-space-size=64"}, code: koda.CodeOutOfMemory, says: []string{"memory"}},
}

func TestMishaps(t *testing.T) {
	t.Parallel()
	for _, m := range mishaps {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(m.html))
			opts.Page.WebGL, opts.ExtraArgs, opts.FrameTimeout = m.webGL, m.args, 4*time.Second
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
