package guest_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// asked counts the requests a guest gets, and may answer in the guest's place.
type asked struct {
	http.Handler
	instead map[string]http.HandlerFunc // by path

	mu    sync.Mutex
	paths []string
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.paths = append(a.paths, r.URL.Path)
	instead := a.instead[r.URL.Path]
	a.mu.Unlock()
	if instead != nil {
		instead(w, r)
		return
	}
	a.Handler.ServeHTTP(w, r)
}

// answer sets what is answered in the guest's place; nil: nothing.
func (a *asked) answer(path string, h http.HandlerFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.instead[path] = h
}

// since returns the requests since the last call.
func (a *asked) since() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	paths := a.paths
	a.paths = nil
	return paths
}

// serve starts a guest within this process.
func serve(t *testing.T) (guest.Options, *asked) {
	t.Helper()
	dir := t.TempDir()
	commands := hostos.NewCommands(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PS1=$ "}, time.Now)
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
	return serveAs(t, guest.Config{Ports: &guest.Ports{Files: hostos.NewFiles("g1", dir), Commands: commands, Shells: commands, Dialer: commands, Listener: commands}})
}

// serveAs starts a guest that does what cfg says.
func serveAs(t *testing.T, cfg guest.Config) (guest.Options, *asked) {
	t.Helper()
	cfg.Greeting, cfg.Touch = guest.Greeting{ID: "g1", Digest: "abc"}, func() {}
	h := &asked{instead: map[string]http.HandlerFunc{}, Handler: guest.Handler(cfg)}
	short, err := os.MkdirTemp("", "kg") // the path of a socket is bounded
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(short, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- guest.Serve(ctx, l, h) }()
	t.Cleanup(func() {
		end()
		if err := errors.Join(<-served, os.RemoveAll(short)); err != nil {
			t.Error(err)
		}
	})
	return guest.Options{
		ID: "g1", Kind: sandbox.Docker, Alive: func(context.Context) error { return nil }, Destroy: func(context.Context) error { return nil },
		Dial: func(ctx context.Context) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
	}, h
}

func open(t *testing.T) (*guest.Sandbox, *asked) {
	t.Helper()
	o, h := serve(t)
	sb, err := guest.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sb.Destroy(context.WithoutCancel(t.Context())) })
	return sb, h
}

var limits = sandbox.Limits{Files: 100, File: 1 << 20, Total: 10 << 20}

// A project that did not change costs one round trip, and a change costs the changed
// files.
func TestSnapshot_unchanged(t *testing.T) {
	t.Parallel()
	sb, h := open(t)
	var packed [][]string
	h.answer("/pack", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var paths []string
		if err := json.Unmarshal(body, &paths); err != nil {
			t.Error(err)
		}
		packed = append(packed, paths)
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.Handler.ServeHTTP(w, r)
	})
	files := map[string][]byte{"a.ts": []byte("a"), "b.ts": []byte("b"), "same.ts": []byte("a"), "empty.ts": {}}
	get := func(what string, want []string, round ...string) {
		t.Helper()
		h.since()
		packed = nil
		got, err := sandbox.Get(t.Context(), sb, nil, limits)
		if err != nil || !maps.EqualFunc(files, got, bytes.Equal) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
		if diff := cmp.Diff(round, h.since()); diff != "" {
			t.Errorf("%s: requests (-want +got):\n%s", what, diff)
		}
		if diff := cmp.Diff(want, slices.Concat(packed...)); diff != "" {
			t.Errorf("%s: files sent (-want +got):\n%s", what, diff)
		}
	}
	if err := sandbox.Put(t.Context(), sb, files); err != nil {
		t.Fatal(err)
	}
	get("first", []string{"a.ts", "b.ts", "empty.ts", "same.ts"}, "/digests", "/pack")
	get("unchanged", nil, "/digests")
	files["b.ts"] = []byte("B")
	delete(files, "empty.ts")
	if err := errors.Join(sb.WriteFile(t.Context(), "b.ts", files["b.ts"]), sb.DeleteFile(t.Context(), "empty.ts")); err != nil {
		t.Fatal(err)
	}
	get("changed", []string{"b.ts"}, "/digests", "/pack")
	delete(files, "b.ts")
	if err := sb.DeleteFile(t.Context(), "b.ts"); err != nil {
		t.Fatal(err)
	}
	get("a file less", nil, "/digests")

	// A file that is deleted after the guest has listed it is left out.
	dir := dirOf(t, sb)
	h.answer("/digests", func(w http.ResponseWriter, r *http.Request) {
		h.Handler.ServeHTTP(w, r)
		if err := os.Remove(filepath.Join(dir, "new.ts")); err != nil {
			t.Error(err)
		}
	})
	if err := sb.WriteFile(t.Context(), "new.ts", []byte("new")); err != nil {
		t.Fatal(err)
	}
	get("deleted meanwhile", []string{"new.ts"}, "/digests", "/pack")
}

func dirOf(t *testing.T, sb sandbox.Sandbox) string {
	t.Helper()
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "pwd"})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(res.Stdout)
}

// Who reads files slowly, or not at all, holds up neither what people type nor another
// call.
func TestSnapshot_unread(t *testing.T) {
	t.Parallel()
	sb, _ := open(t)
	if err := sb.WriteFile(t.Context(), "large.bin", make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- sb.Snapshot(t.Context(), nil, w) }()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	sh, err := sb.Shell(t.Context(), "main", sandbox.Size{Columns: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(sh, "echo he''llo; exit\n"); err != nil {
		t.Fatal(err)
	}
	if out, err := io.ReadAll(sh); err != nil || !strings.Contains(string(out), "hello") {
		t.Errorf("the shell shows %q, %v", out, err)
	}
	if err := sb.WriteFile(t.Context(), "small.txt", []byte("s")); err != nil {
		t.Errorf("write: %v", err)
	}
	_ = r.Close()
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("snapshot: %v", err)
	}
}

func TestOpen_strangers(t *testing.T) {
	t.Parallel()
	o, h := serve(t)
	for what, answer := range map[string]string{
		"another protocol": `{"protocol": 1, "id": "g1", "digest": "abc"}`,
		"another sandbox":  `{"protocol": 2, "id": "g2", "digest": "abc"}`,
		"another program":  `{"protocol": 2, "id": "g1", "digest": "abd"}`,
		"nonsense":         `SSH-2.0`,
		"nothing":          ``,
	} {
		h.answer("/hello", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) })
		o.Digest = "abc"
		if _, err := guest.Open(t.Context(), o); koda.CodeOf(err) != koda.CodeProviderError || koda.HintOf(err) == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	h.answer("/hello", nil)
	if _, err := guest.Open(t.Context(), o); err != nil {
		t.Errorf("the right guest: %v", err)
	}
}

// Code beside the guest may answer in its place. What it says does no harm.
func TestSandbox_hostile(t *testing.T) {
	t.Parallel()
	say := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for b := make([]byte, 1<<20); ; {
			if _, err := w.Write(b); err != nil {
				return
			}
		}
	}
	list := func(sb sandbox.Sandbox) error { _, err := sb.List(t.Context(), "src", true); return err }
	get := func(sb sandbox.Sandbox) error {
		_, err := sandbox.Get(t.Context(), sb, nil, sandbox.Limits{Files: 10, File: 1 << 20, Total: 1 << 20})
		return err
	}
	run := func(sb sandbox.Sandbox) error {
		_, err := sb.Run(t.Context(), sandbox.Command{Line: "true"})
		return err
	}
	read := func(sb sandbox.Sandbox) error { _, err := sb.ReadFile(t.Context(), "a"); return err }
	processes := func(sb sandbox.Sandbox) error { _, err := sb.Processes(t.Context()); return err }
	headers := func(w http.ResponseWriter, _ *http.Request) {
		for i := range 10_000 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 100))
		}
	}
	hints := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", strings.Repeat("x", 1000))
		for range 10_000 {
			w.WriteHeader(http.StatusEarlyHints)
		}
	}
	twice := func(w http.ResponseWriter, _ *http.Request) {
		t := tar.NewWriter(w)
		for range 2 {
			_ = t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a"})
		}
	}
	link := func(w http.ResponseWriter, _ *http.Request) {
		_ = tar.NewWriter(w).WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc/passwd"})
	}
	huge := func(w http.ResponseWriter, _ *http.Request) {
		_ = tar.NewWriter(w).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a", Size: projectfs.MaxFile + 1})
	}
	for name, c := range map[string]struct {
		at     string
		answer http.HandlerFunc
		pack   http.HandlerFunc
		call   func(sandbox.Sandbox) error
		code   koda.Code
	}{
		"a path upwards":         {at: "/list", answer: say(200, `[{"Path": "src/../../etc"}]`), call: list, code: koda.CodeInvalidPath},
		"a path elsewhere":       {at: "/list", answer: say(200, `[{"Path": "public/a"}]`), call: list, code: koda.CodeInvalidPath},
		"a negative size":        {at: "/list", answer: say(200, `[{"Path": "src/a", "Size": -1}]`), call: list, code: koda.CodeInvalidPath},
		"a list without end":     {at: "/list", answer: endless, call: list, code: koda.CodeReadFailed},
		"a file without end":     {at: "/file", answer: endless, call: read, code: koda.CodeReadFailed},
		"an error without end":   {at: "/file", answer: say(400, `{"op": "`+strings.Repeat("x", 2<<20)), call: read, code: koda.CodeProviderError},
		"a code of koda's own":   {at: "/file", answer: say(400, `{"code": "NEEDS_PERSON", "op": "x", "hint": "curl | sh"}`), call: read, code: koda.CodeProviderError},
		"an answer that is none": {at: "/file", answer: say(500, `oops`), call: read, code: koda.CodeProviderError},
		"a frame too large":      {at: "/run", answer: say(200, "o\xff\xff\xff\xff"), call: run, code: koda.CodeProviderError},
		"half a frame":           {at: "/run", answer: say(200, "o\x00\x00\x00\x09x"), call: run, code: koda.CodeProviderError},
		"a status out of range":  {at: "/run", answer: say(200, "d\x00\x00\x00\x10{\"exitCode\": 256}"), call: run, code: koda.CodeProviderError},
		"a negative process":     {at: "/run", answer: say(200, "d\x00\x00\x00\x0a{\"pid\":-1} "), call: run, code: koda.CodeProviderError},
		"frames out of order":    {at: "/run", answer: say(200, "s\x00\x00\x00\x00i\x00\x00\x00\x00e\x00\x00\x00\x01xd\x00\x00\x00\x02[]"), call: run, code: koda.CodeProviderError},
		"a process of no system": {at: "/processes", answer: say(200, `[{"PID": 1e30}]`), call: processes, code: koda.CodeProviderError},
		"a process that is none": {at: "/processes", answer: say(200, `[{"PID": -7, "ExitCode": 1000}]`), call: processes, code: koda.CodeProviderError},
		"a size of 2^63":         {at: "/list", answer: say(200, `[{"Path": "src/a", "Size": 9223372036854775808}]`), call: list, code: koda.CodeProviderError},
		"headers without end":    {at: "/file", answer: headers, call: read, code: koda.CodeProviderError},
		"early hints, many":      {at: "/file", answer: hints, call: read, code: koda.CodeProviderError},
		"a control sequence":     {at: "/file", answer: say(400, `{"code": "READ_FAILED", "op": "\u001b[2J\u001b]0;owned\u0007\nkoda: done"}`), call: read, code: koda.CodeReadFailed},
		"a wrong digest":         {at: "/digests", answer: say(200, `[{"path": "../../a", "sum": "\u0000"}]`), call: get, code: koda.CodeInvalidPath},
		"a path twice":           {at: "/digests", answer: say(200, `[{"path": "a", "sum": "x"}, {"path": "a", "sum": "x"}]`), pack: twice, call: get, code: koda.CodeInvalidPath},
		"no outcome":             {at: "/run", answer: say(200, ""), call: run, code: koda.CodeProviderError},
		"digests of a path up":   {at: "/digests", answer: say(200, `[{"path": "../a", "sum": "x"}]`), call: get, code: koda.CodeInvalidPath},
		"a file too large":       {at: "/digests", answer: say(200, `[{"path": "a", "size": 1000000000000}]`), call: get, code: koda.CodeReadFailed},
		"a link":                 {at: "/digests", answer: say(200, `[{"path": "a", "sum": "x"}]`), pack: link, call: get, code: koda.CodeInvalidPath},
		"a file that grew":       {at: "/digests", answer: say(200, `[{"path": "a", "sum": "x"}]`), pack: huge, call: get, code: koda.CodeReadFailed},
		"not a tar stream":       {at: "/digests", answer: say(200, `[{"path": "a", "sum": "x"}]`), pack: say(200, strings.Repeat("x", 1024)), call: get, code: koda.CodeProviderError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sb, h := open(t)
			h.answer(c.at, c.answer)
			h.answer("/pack", c.pack)
			err := c.call(sb)
			if koda.CodeOf(err) != c.code || len(err.Error()) > 3000 || strings.Contains(koda.HintOf(err), "curl") || strings.ContainsAny(err.Error(), "\x1b\a\n") {
				t.Errorf("%s: %.200v, hint %q, want %s", koda.CodeOf(err), err, koda.HintOf(err), c.code)
			}
		})
	}
}

// A file whose name no path can have hides no other file.
func TestSnapshot_strangeNames(t *testing.T) {
	t.Parallel()
	sb, _ := open(t)
	if res, err := sb.Run(t.Context(), sandbox.Command{Line: `touch 'a\b' "$(printf '\377')" c; mkdir 'd\e'; touch 'd\e/f'`}); err != nil || res.ExitCode != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	got, err := sandbox.Get(t.Context(), sb, nil, limits)
	if diff := cmp.Diff(map[string][]byte{"c": {}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Output is bytes, whatever they are.
func TestRun_bytes(t *testing.T) {
	t.Parallel()
	sb, _ := open(t)
	res, err := sb.Run(t.Context(), sandbox.Command{Line: `printf '\377\000\342\202'; printf '\376' >&2`})
	if err != nil || res.Stdout != "\xff\x00\xe2\x82" || res.Stderr != "\xfe" {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestLease(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		idle, life, touches, ends time.Duration
		want                      string
	}{
		"nobody comes":   {idle: time.Minute, life: time.Hour, ends: time.Minute, want: "koda has not been here for 1m0s"},
		"touched":        {idle: time.Minute, life: time.Hour, touches: 3 * time.Minute, ends: 4 * time.Minute, want: "koda has not been here for 1m0s"},
		"touched always": {idle: time.Minute, life: time.Hour, touches: 2 * time.Hour, ends: time.Hour, want: "the sandbox has lived for 1h0m0s"},
		"no idle time":   {life: time.Hour, touches: time.Minute, ends: time.Hour, want: "the sandbox has lived for 1h0m0s"},
		"no limits":      {ends: 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
				defer cancel()
				begin := time.Now()
				touched := make(chan struct{})
				go func() {
					for range int(c.touches / (30 * time.Second)) {
						select {
						case <-time.After(30 * time.Second):
						case <-ctx.Done():
							return
						}
						select {
						case touched <- struct{}{}:
						case <-ctx.Done():
							return
						}
					}
				}()
				if got := guest.Lease(ctx, c.idle, c.life, touched); got != c.want || time.Since(begin) != c.ends {
					t.Errorf("after %v: %q, want %q after %v", time.Since(begin), got, c.want, c.ends)
				}
			})
		})
	}
}
