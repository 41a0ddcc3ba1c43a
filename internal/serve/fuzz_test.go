package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/serve"
)

// refuser is an engine with one project that reads well and does nothing: what it is asked to
// do, it refuses. What reaches it was decoded.
type refuser struct {
	journal
	dir string
}

var errRefused = &koda.Error{Code: koda.CodeWrongPhase, Op: "the project takes nothing now"}

func (r *refuser) Project(ctx context.Context, id string) (koda.Project, error) {
	p, err := r.journal.Project(ctx, id)
	p.Dir = r.dir
	return p, err
}

func (r *refuser) List(ctx context.Context) ([]koda.Project, error) {
	p, err := r.Project(ctx, "p")
	return []koda.Project{p}, err
}

func (r *refuser) Show(ctx context.Context, id string) (engine.View, error) {
	p, err := r.Project(ctx, id)
	return engine.View{Project: p}, err
}
func (r *refuser) Stand(ctx context.Context, id string) (engine.View, error) { return r.Show(ctx, id) }

func (*refuser) History(context.Context, string) (engine.History, error) {
	return engine.History{}, nil
}
func (*refuser) Blocks(context.Context, string) ([]koda.Block, error) { return nil, nil }
func (*refuser) Conversation(context.Context, string) (engine.Conversation, error) {
	return engine.Conversation{}, nil
}
func (*refuser) Totals(context.Context) (koda.Stats, error)        { return koda.Stats{}, nil }
func (*refuser) Side(context.Context, string) (mirror.Side, error) { return nil, errRefused }
func (*refuser) Say(context.Context, string, string) (koda.Heard, error) {
	return koda.Heard{}, errRefused
}
func (*refuser) Cancel(context.Context, string) error             { return errRefused }
func (*refuser) Delete(context.Context, string) ([]string, error) { return nil, errRefused }
func (*refuser) Undo(context.Context, string) (engine.Moved, error) {
	return engine.Moved{}, errRefused
}
func (*refuser) Redo(context.Context, string) (engine.Moved, error) {
	return engine.Moved{}, errRefused
}
func (*refuser) Checkout(context.Context, string, int) (engine.Moved, error) {
	return engine.Moved{}, errRefused
}

func (*refuser) Answer(context.Context, string, koda.Seen, koda.Answer) (engine.Outcome, error) {
	return engine.Outcome{}, errRefused
}

func (*refuser) Accept(context.Context, string, koda.Seen, ...engine.Finals) (engine.Outcome, error) {
	return engine.Outcome{}, errRefused
}

func (*refuser) Reject(context.Context, string, koda.Seen, string) (engine.Outcome, error) {
	return engine.Outcome{}, errRefused
}

func (*refuser) Edit(context.Context, string, koda.Seen, string, ...engine.Finals) (engine.Outcome, error) {
	return engine.Outcome{}, errRefused
}

func (*refuser) Resume(context.Context, string, bool, ...engine.Finals) (engine.Outcome, error) {
	return engine.Outcome{}, errRefused
}

func (*refuser) Render(context.Context, string, koda.RenderSpec) (koda.RenderResult, error) {
	return koda.RenderResult{}, errRefused
}
func (*refuser) Put(context.Context, string, koda.FileChange, string) error { return errRefused }
func (*refuser) AddAsset(context.Context, string, string) (koda.Asset, error) {
	return koda.Asset{}, errRefused
}

// oneSecret knows one secret.
type oneSecret struct{ anybody }

const secret = "koda_right"

func (oneSecret) TokenOf(_ context.Context, s string, _ time.Time) (koda.Token, error) {
	if s != secret {
		return koda.Token{}, &koda.Error{Code: koda.CodeNotFound, Op: "there is none"}
	}
	return koda.Token{ID: "t", UserID: koda.LocalUser, Write: true}, nil
}

// forgetful keeps no reply.
type forgetful struct{}

func (forgetful) TakeReply(_ context.Context, r koda.Reply, _ time.Time) (koda.Reply, error) {
	return r, nil
}
func (forgetful) SaveReply(context.Context, koda.Reply) error { return nil }
func (forgetful) DropReply(context.Context, koda.Reply) error { return nil }

// refusing is a server of one project that is asked in vain.
func refusing(f testing.TB) *serve.Server {
	f.Helper()
	r := &refuser{dir: f.TempDir()}
	if err := errorsOf(os.Mkdir(filepath.Join(r.dir, "src"), 0o700), os.WriteFile(filepath.Join(r.dir, "src", "App.tsx"), []byte("export {}"), 0o600)); err != nil {
		f.Fatal(err)
	}
	r.write("one")
	s := serve.New(serve.Config{
		Engine: r, Access: oneSecret{}, Served: anybody{}, Replies: forgetful{}, Hooks: tellsNobody{}, Say: func(string) {}, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(f.Output(), nil)), Limits: serve.Limits{Body: 1 << 20}, Version: "1",
		Request: func(context.Context, serve.Brief, []string, string) (engine.NewRequest, error) {
			return engine.NewRequest{}, errRefused
		},
		Spec:  func(koda.Project, serve.RenderAsk) (koda.RenderSpec, error) { return koda.RenderSpec{}, errRefused },
		Still: func(context.Context, koda.Project, float64) (koda.Picture, error) { return koda.Picture{}, errRefused },
	})
	return s
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// FuzzRequest sends whatever parses as an HTTP request. A failure is a problem detail with a
// code and a hint, koda never breaks, and only the right secret opens what takes one.
func FuzzRequest(f *testing.F) {
	s := refusing(f)
	f.Cleanup(s.Start(context.Background()))
	text, err := s.OpenAPI()
	var api struct {
		Paths map[string]map[string]any
	}
	if err != nil || yaml.Unmarshal(text, &api) != nil {
		f.Fatal(err)
	}
	const head = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + secret + "\r\n"
	for path, methods := range api.Paths {
		path = strings.NewReplacer("{id}", "p", "{turn}", "t", "{path}", "src/App.tsx").Replace(path)
		for method := range methods {
			for _, body := range []string{"", `{"text": "x", "why": "x", "version": 1, "prompt": "x", "paths": ["x"], "webhook": {"url": "http://x", "secret": "0123456789012345"}}`, `{"text": "x"`, `{"why": "\ud800"}`} {
				f.Add([]byte(fmt.Sprintf("%s %s%sContent-Type: application/json\r\nIf-Match: *\r\nContent-Length: %d\r\n\r\n%s", strings.ToUpper(method), path, head, len(body), body)))
			}
		}
	}
	for _, one := range []string{
		"GET /api/projects/p/files/src/App.tsx" + head + "Range: bytes=5-1\r\n\r\n", "GET /api/projects?limit=x&after=%ff" + head + "\r\n", "GET /api/projects/p/events?after=1" + head + "Last-Event-ID: 0\r\n\r\n",
		"POST /api/projects/p/assets?name=a.png" + head + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 70\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--x--", "GET //..%2f" + head + "\r\n",
		"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: koda=" + secret + "\r\n\r\n", "POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\ntoken=x", "GET /projects/p?part" + head + "\r\n",
		"POST /api/projects/p/undo" + head + "Idempotency-Key: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET /web/%00" + head + "\r\n", "GET /metrics" + head + "\r\n", "BREW /mcp" + head + "\r\n",
		"POST /mcp" + head + "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 46\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	} {
		f.Add([]byte(one))
	}
	h := s.Handler()
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond) // for streams
		defer cancel()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(ctx))
		open := r.URL.Path == "/healthz" || r.URL.Path == "/enter" || strings.HasPrefix(r.URL.Path, "/web/")
		if w.Code < 400 {
			if s := r.URL.Query().Get("token"); !open && serve.SecretOf(r) != secret && s == "" {
				t.Errorf("%q is answered without a secret: %d %.300s", data, w.Code, w.Body)
			}
			return
		}
		kind := w.Header().Get("Content-Type")
		if strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "application/json") && r.URL.Path == "/mcp" {
			return
		}
		var p serve.Problem
		err = json.Unmarshal(w.Body.Bytes(), &p)
		if w.Code >= 500 || kind != "application/problem+json" || err != nil || p.Status != w.Code || p.Code == "" || p.Detail == "" || p.Hint == "" || strings.Contains(w.Body.String(), "/tmp/") {
			t.Errorf("%q: status %d, %s: %.500s", data, w.Code, kind, w.Body)
		}
	})
}

// FuzzSecret: a secret is a part of a header, and has no blanks around it in an authorization.
func FuzzSecret(f *testing.F) {
	for _, one := range []string{"Bearer " + secret, "bearer  " + secret + " ", "Basic eDp5", "Bearer", " Bearer x", "Bearer\tx", "", "koda=x", "koda=\"x\"; koda=y"} {
		f.Add(one, one)
	}
	f.Fuzz(func(t *testing.T, auth, cookies string) {
		got := serve.SecretOf(&http.Request{Header: http.Header{"Authorization": {auth}, "Cookie": {cookies}}})
		if got != strings.TrimSpace(got) && !strings.Contains(cookies, got) || !strings.Contains(auth+" "+cookies, got) {
			t.Errorf("%q and %q have the secret %q", auth, cookies, got)
		}
	})
}

// FuzzBegin: a stream begins after an event of the project, or not at all.
func FuzzBegin(f *testing.F) {
	for _, last := range []string{"", "0", "7", "+7", "-1", "007", "8", "9223372036854775808", "7 ", "0x7", "٧"} {
		f.Add(last, int64(3), int64(7))
	}
	f.Fuzz(func(t *testing.T, last string, after, newest int64) {
		n, err := serve.Begin{Last: last, After: after}.Seen(newest)
		if err == nil && (n < 0 || n > newest || last == "" && n != after) || err != nil && n != 0 {
			t.Errorf("%q, %d of %d: %d, %v", last, after, newest, n, err)
		}
	})
}

// FuzzSocket says whatever to a server that told the events of a project over a WebSocket: the
// server ends the connection, and answers others.
func FuzzSocket(f *testing.F) {
	s := refusing(f)
	f.Cleanup(s.Start(context.Background()))
	server := httptest.NewServer(s.Handler())
	f.Cleanup(server.Close)
	for _, frame := range []string{"", "\x81\x85\x00\x00\x00\x00hello", "\x88\x80\x00\x00\x00\x00", "\x89\x80\x00\x00\x00\x00", "\x81\x05hello", "\xff\xff\xff\xff", "\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", "\x01\x81\x00\x00\x00\x00a\x80\x81\x00\x00\x00\x00b", "GET / HTTP/1.1\r\n\r\n"} {
		f.Add([]byte(frame))
	}
	host := strings.TrimPrefix(server.URL, "http://")
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		_, err = fmt.Fprintf(c, "GET /api/projects/p/socket HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", host, secret)
		if err != nil {
			t.Fatal(err)
		}
		from := bufio.NewReader(c)
		res, err := http.ReadResponse(from, nil)
		if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
			t.Fatal(res, err)
		}
		_, _ = c.Write(data)
		_ = c.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, from) // the server ends the connection
		other, err := server.Client().Get(server.URL + "/healthz")
		if err != nil || other.StatusCode != http.StatusOK || other.Body.Close() != nil {
			t.Errorf("another client is answered %v, %v", other, err)
		}
	})
}

// FuzzAgent says whatever to a server of agents, and ends: the server ends as well, and all
// it said are messages of the protocol.
func FuzzAgent(f *testing.F) {
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for _, say := range []string{
		"", "{}", "[]", "null", hello, hello + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"`, "\x00\xff\n",
		hello + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"edit","arguments":{"project":"p","text":"x"}}}` + "\n",
		hello + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show","arguments":{"project":5,"wait":1e99}}}` + "\n",
		hello + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"new_animation","arguments":{"prompt":"\ud800","presets":null}}}` + "\n",
		hello + `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"koda://projects/p/../plan"}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n",
	} {
		f.Add([]byte(say))
	}
	s := refusing(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var said writes
		_ = s.ServeMCP(t.Context(), io.NopCloser(bytes.NewReader(data)), &said) // what it is told may be no message
		lines := json.NewDecoder(&said.b)
		for {
			var m struct{ JSONRPC string }
			if err := lines.Decode(&m); err == io.EOF {
				return
			} else if err != nil || m.JSONRPC != "2.0" {
				t.Fatalf("%q: the server said %+v, %v", data, m, err)
			}
		}
	})
}

// writes keeps what is written.
type writes struct{ b bytes.Buffer }

func (w *writes) Write(b []byte) (int, error) { return w.b.Write(b) }
func (*writes) Close() error                  { return nil }
