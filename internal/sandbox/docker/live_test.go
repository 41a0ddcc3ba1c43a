package docker_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/templates"
)

// The development server of the starter project is watched on this machine, and a page
// hears of a change of a file.
func TestDocker_liveView(t *testing.T) {
	cfg := config(t)
	_, cfg.Image, _ = built(t)
	sb := create(t, docker.New(cfg))
	files := map[string][]byte{}
	if err := fs.WalkDir(templates.Starter(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[path], err = fs.ReadFile(templates.Starter(), path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Put(t.Context(), sb, files); err != nil {
		t.Fatal(err)
	}
	if _, err := sb.Run(t.Context(), sandbox.Command{Line: "mkdir -p node_modules && bun run dev", Background: true}); err != nil {
		t.Fatal(err)
	}
	dial := func(ctx context.Context) (net.Conn, error) { return sb.Dial(ctx, 5173) }
	until(t, "the server answers", func() bool {
		c, err := dial(t.Context())
		if err == nil {
			_ = c.Close()
		} else if all, _ := sb.Processes(t.Context()); len(all) == 1 && !all[0].Running {
			t.Fatalf("it ended: %s", all[0].Output)
		}
		return err == nil
	})
	manifest := koda.Manifest{Name: "a", Width: 640, Height: 360, FPS: koda.FPS{Num: 30, Den: 1}, Duration: 5}
	var saves atomic.Int64
	p, err := live.Open(live.Config{Port: 5173, Dial: dial, Server: 5173, Source: live.Source{Now: func(context.Context) (live.Shown, error) {
		return live.Shown{Manifest: manifest, Digest: fmt.Sprint(saves.Load())}, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	person := browsertest.Open(t, 1000, 700)
	person.Visit(p.URL() + "#t=2")
	person.Until("the picture is there", "document.documentElement.dataset.frame === '60'")
	if what := browsertest.Ask[string](person, "document.querySelector('#problem').hidden ? '' : document.querySelector('#problem').innerText"); what != "" {
		t.Error(what)
	}
	person.Press("\u0303")
	person.Until("the next frame is shown", "document.documentElement.dataset.frame === '61'")
	host := browsertest.Ask[string](person, "new URL(document.querySelector('iframe').src).host")
	at, _, _ := strings.Cut(p.URL(), "?")
	get := func(path string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, resp.Status, err)
		}
		return string(body)
	}
	if !strings.Contains(get(""), "/@vite/client") || !strings.Contains(get("src/main.tsx"), "App") {
		t.Error("the page is not served")
	}
	get("src/App.tsx")
	token := regexp.MustCompile(`wsToken = "([^"]+)"`).FindStringSubmatch(get("@vite/client"))
	if token == nil {
		t.Fatal("no token for the websocket")
	}
	messages := watch(t, strings.Trim(strings.TrimPrefix(at, "http:"), "/"), host, token[1])
	if got := messages(); !strings.Contains(got, `"connected"`) {
		t.Fatal(got)
	}
	if err := sb.WriteFile(t.Context(), "src/App.tsx", append(files["src/App.tsx"], "\n// changed\n"...)); err != nil {
		t.Fatal(err)
	}
	for got := messages(); !strings.Contains(got, `"update"`) && !strings.Contains(got, `"full-reload"`); got = messages() {
		t.Log(got)
	}
	saves.Add(1)
	person.Until("the picture follows at its time", "document.documentElement.dataset.shown === '1' && document.documentElement.dataset.frame === '61' && document.querySelector('#problem').hidden")
}

// watch opens the websocket of the development server. Each call of the function it
// returns reads a message.
func watch(t *testing.T, at, host, token string) func() string {
	t.Helper()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	fmt.Fprintf(c, "GET /?token=%s HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: vite-hmr\r\n\r\n", token, host, host)
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	return func() string {
		head := make([]byte, 2, 4)
		_, err := io.ReadFull(r, head)
		n := int(head[1])
		if err == nil && n == 126 {
			head = head[:4]
			_, err = io.ReadFull(r, head[2:])
			n = int(binary.BigEndian.Uint16(head[2:]))
		}
		text := make([]byte, n)
		if err == nil {
			_, err = io.ReadFull(r, text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}
