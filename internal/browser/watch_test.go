package browser_test

import (
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// bombs are pages that fill memory without end at second 0.1, each page another kind
// of memory.
var bombs = []struct {
	name, code string
	webGL      bool
}{
	{name: "script", code: `for (;;) all.push(new Array(1e5).fill(Math.random()))`},
	{name: "buffers", code: `for (;;) all.push(new Uint8Array(1e7).fill(1))`},
	{name: "documents", code: `for (;;) { const d = document.createElement('div'); d.textContent = 'x'.repeat(1e5) + Math.random(); document.body.append(d) }`},
	{name: "microtasks", code: `const more = () => { all.push(new Array(1e4).fill(1)); return Promise.resolve().then(more) }; return more()`},
	{name: "a worker", code: `new Worker(URL.createObjectURL(new Blob(['const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))']))); return new Promise(() => {})`},
	{name: "canvases", code: `for (;;) { const c = document.createElement('canvas'); c.width = c.height = 2048; c.getContext('2d').fillRect(0, 0, 2048, 2048)
		all.push(c, c.getContext('2d').getImageData(0, 0, 2048, 2048)) }`},
	{name: "textures", webGL: true, code: `const gl = document.createElement('canvas').getContext('webgl'), data = new Uint8Array(2048 * 2048 * 4).fill(7)
		for (;;) { const x = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, x)
		gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2048, 2048, 0, gl.RGBA, gl.UNSIGNED_BYTE, data); gl.finish(); all.push(x) }`},
}

// A page that fills memory is ended at the bound, whatever kind it fills. The error
// names the bound and the setting that raises it.
func TestMemoryBound(t *testing.T) {
	t.Parallel()
	for _, b := range needs.Some(bombs) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			opts := options(t, page(`<!doctype html><h1>fill</h1><script>
				const all = window.all = []
				window.__exportSeekTo = (t) => { if (t < 0.1) return; `+b.code+` }
				window.__exportReady = true</script>`))
			opts.Page.WebGL, opts.Memory, opts.SettleTimeout = b.webGL, 700<<20, time.Minute
			started := make(chan sandbox.Process, 1)
			opts.Host = watchedHost{hostos.New(t.TempDir()), started}
			tab := open(t, opts)
			child := <-started
			capture(t, tab, 0)
			_, err := tab.Capture(t.Context(), 3)
			if koda.CodeOf(err) != koda.CodeOutOfMemory || !koda.Lasting(err) || !strings.Contains(err.Error(), "0.73 GB") ||
				!strings.Contains(koda.HintOf(err), "browser-memory 2GB") {
				t.Errorf("error %v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
			}
			if err := tab.Close(); err != nil {
				t.Error(err)
			}
			if left := group(child.PID()); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
