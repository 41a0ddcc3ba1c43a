package live_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
)

// serve starts a server and a proxy to it.
func serve(t *testing.T, h http.HandlerFunc) *live.Proxy {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	p, err := live.Open(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", srv.Listener.Addr().String())
	}, 5173)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// ask asks a proxy; headers are pairs. Host stands for the header Host.
func ask(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// A person of this machine sees what the server answers, at an address of the loopback.
// Nobody's cookies pass.
func TestProxy(t *testing.T) {
	t.Parallel()
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=stolen")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, r.Host, " ", r.URL, " ", r.Header.Get("Cookie"), r.Header.Get("Authorization"))
	})
	if !strings.HasPrefix(p.URL(), "http://127.0.0.1:") {
		t.Fatal(p.URL())
	}
	resp, body := ask(t, p.URL()+"src/a.ts?v=1", "Cookie", "session=mine", "Authorization", "Basic x")
	if body != "localhost:5173 /src/a.ts?v=1 " || resp.StatusCode != http.StatusOK {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
	if h := resp.Header; h.Get("Set-Cookie")+h.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(h.Get("Content-Security-Policy"), "connect-src 'self'") {
		t.Errorf("headers %v", h)
	}
}

// Only the person and the proxy's own pages get answers.
func TestProxy_others(t *testing.T) {
	t.Parallel()
	asked := 0
	p := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	own := strings.TrimSuffix(p.URL(), "/")
	_, port, _ := strings.Cut(strings.TrimPrefix(own, "http://"), ":")
	for name, c := range map[string]struct {
		headers []string
		want    int
	}{
		"typed":                    {nil, 200},
		"typed, by a browser":      {[]string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		"its own page":             {[]string{"Origin", own, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, 200},
		"by name":                  {[]string{"Host", "localhost:" + port, "Origin", "http://localhost:" + port}, 200},
		"a link elsewhere":         {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		"a name that leads here":   {[]string{"Host", "evil.example:" + port}, 403},
		"another port":             {[]string{"Host", "127.0.0.1:1"}, 403},
		"a page elsewhere":         {[]string{"Origin", "https://evil.example"}, 403},
		"another server here":      {[]string{"Origin", "http://127.0.0.1:8080"}, 403},
		"a script tag elsewhere":   {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"a script tag beside":      {[]string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"a websocket of elsewhere": {[]string{"Origin", "https://evil.example", "Connection", "Upgrade", "Upgrade", "websocket"}, 403},
	} {
		before := asked
		resp, _ := ask(t, p.URL(), c.headers...)
		if resp.StatusCode != c.want || (asked > before) != (c.want == 200) {
			t.Errorf("%s: %d, want %d", name, resp.StatusCode, c.want)
		}
	}
}

// A websocket passes both ways, and ends with the proxy.
func TestProxy_websocket(t *testing.T) {
	t.Parallel()
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "websocket" || r.Header.Get("Origin") != "http://localhost:5173" {
			t.Errorf("headers %v", r.Header)
		}
		c, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_, _ = io.Copy(c, buf)
	})
	host := strings.Trim(strings.TrimPrefix(p.URL(), "http:"), "/")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /?token=x HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", host, host)
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	fmt.Fprint(c, "there and back\n")
	if line, err := r.ReadString('\n'); err != nil || line != "there and back\n" {
		t.Errorf("%q, %v", line, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.ReadByte(); err == nil {
		t.Error("the websocket outlives the proxy")
	}
}

// If the server is gone, the person is told.
func TestProxy_gone(t *testing.T) {
	t.Parallel()
	p, err := live.Open(func(context.Context) (net.Conn, error) { return nil, errors.New("refused") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if resp, body := ask(t, p.URL()); resp.StatusCode != http.StatusBadGateway || !strings.Contains(body, "Ask for the live view again") {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
}

// A page is shown as it is now. If it cannot be built, the person sees why. Either loads
// again when it changes.
func TestShow(t *testing.T) {
	t.Parallel()
	var page koda.Page
	var failed error
	p, err := live.Show(func(context.Context) (koda.Page, error) { return page, failed }, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	states := map[string]bool{}
	for _, digest := range []string{"one", "", "two"} {
		page, failed = koda.Page{Digest: digest, Files: map[string]koda.PageFile{
			"/index.html": {Type: "text/html", Body: []byte("<p>" + digest)}, "/a.js": {Type: "text/javascript", Body: []byte("1")},
		}}, nil
		want := "<p>" + digest
		if digest == "" {
			page, failed, want = koda.Page{}, &koda.Error{Code: koda.CodeBuildFailed, Op: "build </pre>", Details: "line 3"}, "<pre>build &lt;/pre&gt;\n\nline 3</pre>"
		}
		resp, body := ask(t, p.URL())
		_, state := ask(t, p.URL()+"_koda/live")
		if !strings.Contains(body, want) || !strings.Contains(body, fmt.Sprintf("%q)location.reload", state)) || states[state] || resp.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%q: %s, state %q", digest, body, state)
		}
		states[state] = true
		if resp, body := ask(t, p.URL()+"a.js"); (resp.StatusCode == 200) != (digest != "") || digest != "" && (body != "1" || resp.Header.Get("Content-Type") != "text/javascript") {
			t.Errorf("%q: a.js: %d %s", digest, resp.StatusCode, body)
		}
		if resp, _ := ask(t, p.URL()+"b.js"); resp.StatusCode != 404 {
			t.Errorf("b.js: %d", resp.StatusCode)
		}
	}
}
