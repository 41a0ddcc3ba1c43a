package packages_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/packages"
)

// ask sends a request to a proxy and returns the status and what follows.
func ask(t *testing.T, l net.Listener, head, body string) (status int, rest string) {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, head+"\r\n\r\n"+body); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return resp.StatusCode, ""
	}
	line, err := r.ReadString('\n')
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, line
}

// The proxy leads to the allowed hosts at port 443, and names what else was wanted.
func TestProxy(t *testing.T) {
	t.Parallel()
	var dialled []string
	p := &packages.Proxy{Hosts: []string{"npm.example.com"}, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		near, far := net.Pipe()
		go func() {
			line, err := bufio.NewReader(far).ReadString('\n')
			if err == nil {
				_, err = fmt.Fprintf(far, "heard %s", line)
			}
			if err != nil {
				t.Error(err)
			}
		}()
		return near, nil
	}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, l) }()
	for _, host := range []string{"npm.example.com", "NPM.example.com"} {
		if status, rest := ask(t, l, "CONNECT "+host+":443 HTTP/1.1\r\nHost: "+host+":443", "hello\n"); status != 200 || rest != "heard hello\n" {
			t.Errorf("%s: %d %q", host, status, rest)
		}
	}
	for _, head := range []string{
		"CONNECT npm.example.com:80 HTTP/1.1\r\nHost: npm.example.com:80", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443",
		"CONNECT evil.npm.example.com:443 HTTP/1.1\r\nHost: npm.example.com:443", "CONNECT 127.0.0.1:443 HTTP/1.1\r\nHost: npm.example.com:443",
		"GET http://npm.example.com/ HTTP/1.1\r\nHost: npm.example.com", "GET / HTTP/1.1\r\nHost: npm.example.com:443",
	} {
		if status, _ := ask(t, l, head, ""); status != 403 {
			t.Errorf("%s: %d", head, status)
		}
	}
	end()
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
	if diff := cmp.Diff([]string{"npm.example.com:443", "NPM.example.com:443"}, dialled); diff != "" {
		t.Errorf("dialled (-want +got):\n%s", diff)
	}
	want := []string{"npm.example.com:80", "example.com:443", "evil.npm.example.com:443", "127.0.0.1:443", "http://npm.example.com", "http://npm.example.com:443"}
	if diff := cmp.Diff(want, p.Refused()); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, mode := range []packages.Mode{packages.None, packages.Registries, packages.Open, ""} {
		p := packages.Policy{Mode: mode}
		for _, name := range []string{"@theatre/studio", "@theatre/r3f@0.7.2"} {
			if err := p.Check([]string{"a", name}); koda.CodeOf(err) != koda.CodeCommandBlocked {
				t.Errorf("%s: %s: %v", mode, name, err)
			}
		}
		err := p.Check([]string{"canvas-confetti@1"})
		if allowed := slices.Contains([]packages.Mode{packages.Registries, packages.Open}, mode); allowed != (err == nil) || !allowed && koda.HintOf(err) == "" {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
