package bundle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
)

// shown is what a page shows at a time: its markup and the pixels of its canvases.
type shown struct {
	Time   float64
	Markup string
	Pixels []string
	Key    string
}

// probe is added to a page. It seeks to the given times and puts what the page
// shows into the title, for --dump-dom to print.
const probe = `<script>
const problems = []
addEventListener('error', (e) => problems.push(String(e.message)))
addEventListener('unhandledrejection', (e) => problems.push(String(e.reason)))
const hash = async (text) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))].map((b) => b.toString(16).padStart(2, '0')).join('')
addEventListener('load', async () => {
  const seen = []
  try {
    for (let i = 0; !window.__exportReady && problems.length === 0 && i < 1000; i++) await new Promise((r) => setTimeout(r, 10))
    if (!window.__exportReady) throw new Error('never ready')
    for (const time of TIMES) {
      await window.__exportSeekTo(time)
      const pixels = [...document.querySelectorAll('canvas')].map((c) => c.toDataURL())
      seen.push({ Time: time, Markup: document.body.innerHTML, Pixels: await Promise.all(pixels.map(hash)), Key: window.__kodaFrameKey?.(time) ?? '' })
    }
  } catch (error) { problems.push(String(error)) }
  document.title = JSON.stringify({ Seen: seen, Problems: problems })
})
</script>`

var titleText = regexp.MustCompile(`(?s)<title>(.*?)</title>`)

// visit opens a page in Chromium with ?export and seeks to the times in order.
func visit(t *testing.T, page koda.Page, props string, times ...float64) ([]shown, []string) {
	t.Helper()
	list, err := json.Marshal(times)
	if err != nil {
		t.Fatal(err)
	}
	head := []byte(fmt.Sprintf("<title></title><script>window.__kodaProps = %s; const TIMES = %s</script>%s", props, list, probe))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		file, ok := page.Files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", file.Type)
		if name == "/index.html" {
			_, _ = w.Write(head) //nolint:errcheck // the browser may be gone
		}
		_, _ = w.Write(file.Body) //nolint:errcheck // the browser may be gone
	}))
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	browser, err := proc.Start(ctx, proc.Spec{
		Path: chromium(t), Dir: t.TempDir(), Env: os.Environ(),
		Args: []string{
			"--no-sandbox", "--headless", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
			"--enable-unsafe-swiftshader", "--user-data-dir=" + t.TempDir(), "--window-size=640,360",
			"--virtual-time-budget=20000", "--dump-dom", server.URL + "/?export",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	dom, err := io.ReadAll(browser.Stdout())
	if err := browser.Wait(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	match := titleText.FindSubmatch(dom)
	if match == nil || len(match[1]) == 0 {
		t.Fatalf("the page never finished:\n%.2000s", dom)
	}
	var result struct {
		Seen     []shown
		Problems []string
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(match[1]))), &result); err != nil {
		t.Fatal(err)
	}
	return result.Seen, result.Problems
}

func chromium(t *testing.T) string {
	t.Helper()
	needs.Chromium(t)
	for _, path := range []string{os.Getenv("KODA_CHROMIUM"), "/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chrome-headless-shell"} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	t.Fatal("no Chromium: apt-get install chromium-headless-shell, or set KODA_CHROMIUM")
	return ""
}

// checkStateless visits times in two orders, which must show the same pictures.
func checkStateless(t *testing.T, page koda.Page) map[float64]shown {
	t.Helper()
	forward, problems := visit(t, page, "{}", 0, 0.5, 1.25, 2.5, 4)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	back, problems := visit(t, page, "{}", 4, 1.25, 2.5, 0, 2.5, 0.5)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	at := map[float64]shown{}
	for _, s := range forward {
		at[s.Time] = s
	}
	for _, s := range back {
		if diff := cmp.Diff(at[s.Time], s); diff != "" {
			t.Errorf("second %v differs when sought in another order:\n%s", s.Time, diff)
		}
	}
	return at
}

func TestStarterSeeksInAnyOrder(t *testing.T) {
	t.Parallel()
	page := build(t, starter(nil))
	if page.WebGL {
		t.Error("the starter draws no WebGL, and its page says it does")
	}
	at := checkStateless(t, page)
	if at[0.5].Markup == at[2.5].Markup {
		t.Error("the starter shows the same at 0.5 and 2.5 seconds")
	}
}

func TestStageSeeksInAnyOrder(t *testing.T) {
	t.Parallel()
	page := build(t, starter(archive(t, "stage.txtar")))
	if !page.WebGL {
		t.Error("the page draws WebGL, and says it does not")
	}
	at := checkStateless(t, page)
	for _, s := range at {
		if len(s.Pixels) != 1 {
			t.Fatalf("second %v has %d canvases", s.Time, len(s.Pixels))
		}
	}
	if at[0.5].Pixels[0] == at[2.5].Pixels[0] {
		t.Error("the stage shows the same at 0.5 and 2.5 seconds")
	}
}
