package live_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
)

// pixel is a manifest.
var pixel = koda.Manifest{Name: "a", Width: 64, Height: 48, FPS: koda.FPS{Num: 5, Den: 1}, Duration: 1}

// open opens a view.
func open(t *testing.T, cfg live.Config) *live.View {
	t.Helper()
	if cfg.Source.Now == nil {
		cfg.Source.Now = func(context.Context) (live.Shown, error) { return live.Shown{Manifest: pixel, Digest: "1"}, nil }
	}
	v, err := live.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

// serve starts a server and a view of it.
func serve(t *testing.T, h http.HandlerFunc) *live.View {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return open(t, live.Config{Port: 5173, Server: 5173, Dial: func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", srv.Listener.Addr().String())
	}})
}

// at is the address of a view without its token.
func at(v *live.View) (url, token string) {
	url, token, _ = strings.Cut(v.URL(), "?token=")
	return url, token
}

// state is what a view tells its page first.
type state struct {
	Digest, Picture, Origin, Sandbox, Sound string
	Frames                                  int
	Problem                                 *struct{ Title, Text string }
}

// follow reads the states of a view, one with each call.
func follow(t *testing.T, v *live.View) func() state {
	t.Helper()
	url, token := at(v)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"_koda/view/events?token="+token, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	return func() (s state) {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(data), &s); err != nil {
					t.Fatal(err)
				}
				return s
			}
		}
		t.Fatal("the events ended", lines.Err())
		return s
	}
}

// hidden is the host of the picture of a view.
func hidden(t *testing.T, v *live.View) string {
	t.Helper()
	return strings.TrimPrefix(follow(t, v)().Origin, "http://")
}

// ask asks a view; headers are pairs. Host stands for the header Host.
func ask(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	return send(t, http.MethodGet, url, "", headers...)
}

func send(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
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
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(got)
}

// The picture comes from the server, with the clock before its scripts. Nobody's cookies
// pass, in either direction.
func TestView_server(t *testing.T) {
	t.Parallel()
	v := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=stolen")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><p>", r.Host, " ", r.URL, " ", r.Header.Get("Cookie"), r.Header.Get("Authorization"))
	})
	host := hidden(t, v)
	url, _ := at(v)
	resp, body := ask(t, url+"a?v=1", "Host", host, "Cookie", "session=mine", "Authorization", "Basic x")
	if body != `<!doctype html><script src="/_koda/clock.js"></script><p>localhost:5173 /a?v=1 ` || resp.StatusCode != http.StatusOK {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
	h := resp.Header
	if h.Get("Set-Cookie")+h.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(h.Get("Content-Security-Policy"), "connect-src http://"+host+" ws://"+host) {
		t.Errorf("headers %v", h)
	}
	if resp, body := ask(t, url+"_koda/clock.js", "Host", host); resp.StatusCode != 200 || !strings.Contains(body, "__kodaTell") || !strings.Contains(body, `"outer":"http://127.0.0.1:`) {
		t.Errorf("clock: %d, %d bytes", resp.StatusCode, len(body))
	}
}

// Only the person, the view's own page and its picture get answers, each at its own name.
func TestView_others(t *testing.T) {
	t.Parallel()
	v := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "picture") })
	host := hidden(t, v)
	url, token := at(v)
	own := strings.TrimSuffix(url, "/")
	_, port, _ := strings.Cut(strings.TrimPrefix(own, "http://"), ":")
	typed := "?token=" + token
	for name, c := range map[string]struct {
		path    string
		headers []string
		want    int
	}{
		"typed":                     {typed, nil, 200},
		"without the token":         {"", nil, 403},
		"with another token":        {typed + "x", nil, 403},
		"what it is told":           {"_koda/view/events", nil, 403},
		"typed, by a browser":       {typed, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		"its own page":              {"_koda/view/view.js", []string{"Origin", own, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, 200},
		"by name":                   {typed, []string{"Host", "localhost:" + port, "Origin", "http://localhost:" + port}, 200},
		"a link elsewhere":          {typed, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		"the picture":               {"x.js", []string{"Host", host, "Origin", "http://" + host, "Sec-Fetch-Site", "same-origin"}, 200},
		"a file at the page":        {"x.js" + typed, nil, 404},
		"a name that leads here":    {typed, []string{"Host", "evil.example:" + port}, 403},
		"another picture's name":    {typed, []string{"Host", strings.Repeat("a", 26) + ".localhost:" + port}, 403},
		"another port":              {typed, []string{"Host", "127.0.0.1:1"}, 403},
		"a page elsewhere":          {typed, []string{"Origin", "https://evil.example"}, 403},
		"a page without an origin":  {"x.js", []string{"Host", host, "Origin", "null"}, 403},
		"the picture asks its page": {"_koda/view/form", []string{"Origin", "http://" + host, "Sec-Fetch-Site", "cross-site"}, 403},
		"another server here":       {typed, []string{"Origin", "http://127.0.0.1:8080"}, 403},
		"a script tag elsewhere":    {"_koda/view/view.js", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"a script tag beside":       {"_koda/view/view.js", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"a service worker":          {"sw.js", []string{"Host", host, "Service-Worker", "script", "Sec-Fetch-Site", "same-origin"}, 403},
		"a websocket of elsewhere":  {"", []string{"Host", host, "Origin", "https://evil.example", "Connection", "Upgrade", "Upgrade", "websocket"}, 403},
	} {
		if resp, body := ask(t, url+c.path, c.headers...); resp.StatusCode != c.want {
			t.Errorf("%s: %d %s, want %d", name, resp.StatusCode, body, c.want)
		}
	}
}

// A websocket passes both ways, and ends with the view.
func TestView_websocket(t *testing.T) {
	t.Parallel()
	v := serve(t, func(w http.ResponseWriter, r *http.Request) {
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
	host := hidden(t, v)
	url, _ := at(v)
	c, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(url, "http:"), "/"))
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
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.ReadByte(); err == nil {
		t.Error("the websocket outlives the view")
	}
}

// If the server is gone, the person is told.
func TestView_gone(t *testing.T) {
	t.Parallel()
	v := open(t, live.Config{Dial: func(context.Context) (net.Conn, error) { return nil, errors.New("refused") }, Server: 1})
	if resp, body := ask(t, v.URL(), "Host", hidden(t, v)); resp.StatusCode != http.StatusBadGateway || !strings.Contains(body, "Ask for the live view again") {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
}

// What is shown follows the source. While the source fails, the page is told why, and
// what was shown before stays.
func TestView_follows(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	var mu sync.Mutex
	shown, failed := live.Shown{}, error(nil)
	set := func(digest string, err error) {
		mu.Lock()
		defer mu.Unlock()
		shown, failed = live.Shown{Manifest: pixel, Digest: digest, Sound: "/audio/a.mp3", Page: koda.Page{Files: map[string]koda.PageFile{
			"/index.html": {Type: "text/html", Body: []byte("<p>" + digest)}, "/a.js": {Type: "text/javascript", Body: []byte("12345")},
			"/audio/a.mp3": {Type: "audio/mpeg", Body: []byte("sound")},
		}}}, err
	}
	set("one", nil)
	v := open(t, live.Config{Source: live.Source{
		Now: func(context.Context) (live.Shown, error) { mu.Lock(); defer mu.Unlock(); return shown, failed },
		Wait: func(ctx context.Context) error {
			select {
			case <-more:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	}})
	next := follow(t, v)
	s := next()
	url, token := at(v)
	host := strings.TrimPrefix(s.Origin, "http://")
	if s.Digest != "one" || s.Frames != 5 || s.Problem != nil || s.Picture != s.Origin+"/?export" || s.Sandbox != "allow-scripts allow-same-origin" {
		t.Errorf("%+v", s)
	}
	if resp, body := ask(t, url+"?export", "Host", host); body != `<script src="/_koda/clock.js"></script><p>one` || resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %q %v", resp.StatusCode, body, resp.Header)
	}
	if resp, body := ask(t, url+"a.js", "Host", host, "Range", "bytes=1-2"); resp.StatusCode != http.StatusPartialContent || body != "23" {
		t.Errorf("a range: %d %q", resp.StatusCode, body)
	}
	if resp, body := ask(t, url+strings.TrimPrefix(s.Sound, "/")+"&token="+token); resp.StatusCode != 200 || body != "sound" {
		t.Errorf("sound: %d %q", resp.StatusCode, body)
	}
	if resp, _ := ask(t, url+"b.js", "Host", host); resp.StatusCode != 404 {
		t.Errorf("b.js: %d", resp.StatusCode)
	}
	set("", &koda.Error{Code: koda.CodeBuildFailed, Op: "build </pre>", Details: "src/a.ts:3: no"})
	more <- struct{}{}
	if s = next(); s.Digest != "one" || s.Problem == nil || s.Problem.Title != "The page cannot be built" || s.Problem.Text != "build </pre>\n\nsrc/a.ts:3: no" {
		t.Errorf("%+v %+v", s, s.Problem)
	}
	set("two", nil)
	more <- struct{}{}
	if s = next(); s.Digest != "two" || s.Problem != nil {
		t.Errorf("%+v", s)
	}
}

// fields is a form.
type fields struct {
	set map[string]string
	err error
}

func (f *fields) Fields(context.Context) ([]live.Field, error) {
	return []live.Field{{Name: "bounces", Type: "integer", Value: "3"}}, nil
}

func (f *fields) Save(_ context.Context, set map[string]string) (string, error) {
	f.set = set
	return "Saved as v2.", f.err
}

// Only the page of the view saves the form, and a form that is not one is refused.
func TestView_form(t *testing.T) {
	t.Parallel()
	f := &fields{}
	v := open(t, live.Config{Source: live.Source{Form: f}})
	url, token := at(v)
	own := strings.TrimSuffix(url, "/")
	if _, body := ask(t, url+"_koda/view/form", "X-Koda-View", token); !strings.Contains(body, `"bounces"`) {
		t.Errorf("fields: %s", body)
	}
	for name, c := range map[string]struct {
		method, body string
		headers      []string
		want         int
		says         string
	}{
		"saved":            {"POST", `{"bounces":"4"}`, []string{"Origin", own, "X-Koda-View", token}, 200, "Saved as v2."},
		"no token":         {"POST", `{"bounces":"4"}`, []string{"Origin", own, "X-Koda-View", "mine"}, 403, ""},
		"no origin":        {"POST", `{"bounces":"4"}`, []string{"X-Koda-View", token}, 403, ""},
		"a form of a page": {"POST", `{"bounces":"4"}`, []string{"Origin", own}, 403, ""},
		"another origin":   {"POST", `{"bounces":"4"}`, []string{"Origin", "http://localhost:1", "X-Koda-View", token}, 403, ""},
		"another way":      {"PUT", `{"bounces":"4"}`, []string{"Origin", own, "X-Koda-View", token}, 405, ""},
		"no JSON":          {"POST", `bounces=4`, []string{"Origin", own, "X-Koda-View", token}, 400, "INVALID_INPUT"},
		"no text":          {"POST", `{"bounces":4}`, []string{"Origin", own, "X-Koda-View", token}, 400, "INVALID_INPUT"},
		"nothing":          {"POST", `{}`, []string{"Origin", own, "X-Koda-View", token}, 400, "no parameter"},
		"too much":         {"POST", `{"bounces":"` + strings.Repeat("4", 2<<20) + `"}`, []string{"Origin", own, "X-Koda-View", token}, 400, "too large"},
	} {
		f.set = nil
		resp, body := send(t, c.method, url+"_koda/view/form", c.body, c.headers...)
		if resp.StatusCode != c.want || !strings.Contains(body, c.says) || (f.set != nil) != (c.want == 200) {
			t.Errorf("%s: %d %s, set %v", name, resp.StatusCode, body, f.set)
		}
	}
	f.err = &koda.Error{Code: koda.CodeInvalidInput, Op: "set bounces", Hint: "1 to 9"}
	if resp, body := send(t, "POST", url+"_koda/view/form", `{"bounces":"x"}`, "Origin", own, "X-Koda-View", token); resp.StatusCode != 409 || !strings.Contains(body, "1 to 9") {
		t.Errorf("refused: %d %s", resp.StatusCode, body)
	}
}

// At an address that others reach, the page and its form are for who has the token, and
// the picture has no origin.
func TestView_elsewhere(t *testing.T) {
	t.Parallel()
	v := open(t, live.Config{Host: "0.0.0.0", Source: live.Source{Form: &fields{}, Now: func(context.Context) (live.Shown, error) {
		return live.Shown{Manifest: pixel, Digest: "1", Page: koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte("<p>")}}}}, nil
	}}})
	url, token := at(v)
	if len(token) < 20 {
		t.Fatal(v.URL())
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(url, "/"), "http://"), ":")
	here := "http://127.0.0.1:" + port + "/"
	if s := follow(t, v)(); s.Origin != "null" || s.Sandbox != "allow-scripts" || s.Picture != url+"?export" {
		t.Errorf("%+v", s)
	}
	for path, want := range map[string]int{
		"": 403, "?token=" + token: 200, "?token=" + token + "x": 403, "_koda/view/form": 403, "_koda/view/events": 403, "_koda/view/form?token=" + token: 200,
		"?export": 200, "_koda/clock.js": 200,
	} {
		resp, body := ask(t, here+path)
		if resp.StatusCode != want {
			t.Errorf("%q: %d %s, want %d", path, resp.StatusCode, body, want)
		}
		if path == "?export" && (!strings.HasSuffix(resp.Header.Get("Content-Security-Policy"), "sandbox allow-scripts") || resp.Header.Get("Access-Control-Allow-Origin") != "*") {
			t.Errorf("%v", resp.Header)
		}
	}
	if resp, _ := ask(t, here+"?token="+token, "Host", "evil.example:"+port); resp.StatusCode != 403 {
		t.Errorf("a name that leads here: %d", resp.StatusCode)
	}
}

// A port that is taken makes way for the next, unless the person named it.
func TestOpen_ports(t *testing.T) {
	t.Parallel()
	one := open(t, live.Config{})
	url, _ := at(one)
	_, text, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), ":")
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	if next := open(t, live.Config{Port: port}); next.URL() == one.URL() {
		t.Error(next.URL())
	}
	for _, cfg := range []live.Config{{Port: port, Exact: true}, {Host: "203.0.113.9"}} {
		if _, err := live.Open(cfg); koda.CodeOf(err) != koda.CodePortUnavailable || koda.HintOf(err) == "" {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// A watcher notices what changes a picture, in new directories too, and nothing else. It
// outlives its directory.
func TestWatcher(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "p")
	write := func(name string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("index.html")
	write("renders/a.mp4")
	write(".koda/log")
	w, err := live.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	wait := func(what string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := w.Wait(ctx); err != nil || !w.Changed() {
			t.Fatalf("%s: not noticed: %v", what, err)
		}
	}
	if w.Changed() {
		t.Error("nothing changed")
	}
	for _, name := range []string{"renders/b.mp4", ".koda/state.json", ".git/x", "node_modules/a/index.js", "index.html"} {
		write(name)
	}
	wait("a file")
	write("src/deep/a.ts")
	wait("a new directory")
	write("src/deep/a.ts")
	wait("a file in it")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	wait("the end of the directory")
	write("index.html")
	wait("its return")
}

func TestWatch_missing(t *testing.T) {
	t.Parallel()
	if _, err := live.Watch(filepath.Join(t.TempDir(), "x")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
