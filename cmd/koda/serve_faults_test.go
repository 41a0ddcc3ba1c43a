package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

// dial opens a connection to the server.
func (r *servedRun) dial() net.Conn {
	r.t.Helper()
	c, err := net.Dial("tcp", r.host())
	must(r.t, err)
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

func (r *servedRun) host() string { return strings.TrimPrefix(r.url, "http://") }

// head is the beginning of a request; further lines of the head can follow.
func (r *servedRun) head(line string) string { return line + "\r\nHost: " + r.host() + "\r\n" }

// sends writes to a connection and reads all that comes until the server ends the connection.
func (r *servedRun) sends(text string, half bool) string {
	r.t.Helper()
	c := r.dial()
	_, err := io.WriteString(c, text)
	must(r.t, err)
	if half {
		must(r.t, c.(*net.TCPConn).CloseWrite())
	}
	answer, err := io.ReadAll(c)
	if err != nil && len(answer) == 0 {
		r.t.Errorf("%.60q: %v", text, err)
	}
	return string(answer)
}

// open lists the files and connections that the server has open, except its database, which
// it opens a few times, and directories of projects, which close when garbage is collected.
func (r *servedRun) open() []string {
	r.t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd/", r.server.Process.Pid)
	all, err := os.ReadDir(dir)
	must(r.t, err)
	var open []string
	for _, one := range all {
		if to, err := os.Readlink(dir + one.Name()); err == nil && !strings.HasPrefix(to, r.dir) {
			open = append(open, to)
		}
	}
	slices.Sort(open)
	return open
}

// settles asks the server until it has no more files open than before.
func (r *servedRun) settles(before int) {
	r.t.Helper()
	var now []string
	for range 2000 {
		c := r.dial()
		_, _ = io.WriteString(c, r.head("GET /healthz HTTP/1.1")+"Connection: close\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
		_ = c.Close()
		if now = r.open(); len(now) <= before {
			return
		}
	}
	r.t.Errorf("the server has more than %d files open: %s", before, strings.Join(now, " "))
}

// TestServe_faults: whatever clients do at their end of a connection, the server answers the
// others, begins nothing by half, and keeps no connection.
func TestServe_faults(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball"}`)
	http.DefaultClient.CloseIdleConnections()
	path := "/api/projects/" + p.ID
	auth := "Authorization: Bearer " + r.secret + "\r\n"
	before := len(r.open())

	for _, one := range []struct {
		name, send string
		half       bool
		want       string
	}{
		{"HTTP/1.0", r.head("GET "+path+" HTTP/1.0") + auth + "\r\n", false, "HTTP/1.0 200"},
		{"HTTP/1.0 without a name", "GET /healthz HTTP/1.0\r\n\r\n", false, "HTTP/1.0 421"},
		{"half closed", r.head("GET /healthz HTTP/1.1") + "Connection: close\r\n\r\n", true, "HTTP/1.1 200"},
		{"huge headers", r.head("GET / HTTP/1.1") + "X-Big: " + strings.Repeat("a", 1<<20), false, "HTTP/1.1 431"},
		{"no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", false, "HTTP/1.1 400"},
		{"a bad length", r.head("POST /api/projects HTTP/1.1") + auth + "Content-Length: -5\r\n\r\n", false, "HTTP/1.1 400"},
		{"two lengths", r.head("POST /api/projects HTTP/1.1") + auth + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", false, "HTTP/1.1 400"},
		{"a bad chunk", r.head("POST /api/projects HTTP/1.1") + auth + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n", false, "HTTP/1.1 4"},
		{"a long body", r.head("POST /api/projects HTTP/1.1") + auth + "Content-Length: 99999999\r\n\r\n{", false, "HTTP/1.1 413"},
		{"a body cut short", r.head("POST /api/projects HTTP/1.1") + auth + "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n" + `{"prompt": "title"}`, true, "HTTP/1.1 4"},
		// The rest of the body never comes: the answer does not wait for the rest.
		{"a slow body of a stranger", r.head("POST /api/projects HTTP/1.1") + "Content-Length: 99\r\n\r\n{", false, "HTTP/1.1 401"},
		{"a slow body of another name", "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 99\r\n\r\n{", false, "HTTP/1.1 421"},
		{"a slow body to an address without one", r.head("POST /nothing HTTP/1.1") + auth + "Content-Length: 99\r\n\r\n{", false, "HTTP/1.1 404"},
		{"a head that never ends", r.head("GET / HTTP/1.1") + "X-Slow: ", false, ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			if got := r.sends(one.send, one.half); !strings.HasPrefix(got, one.want) {
				t.Errorf("the answer is %.200q, want %s", got, one.want)
			}
		})
	}
	if got := r.sends(strings.Repeat(r.head("GET /healthz HTTP/1.1")+"\r\n", 3)+r.head("GET /healthz HTTP/1.1")+"Connection: close\r\n\r\n", false); strings.Count(got, "200 OK") != 4 {
		t.Errorf("four requests at once: %q", got)
	}

	long := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat(" ", 1<<20))
	if got := r.sends(r.head("POST /api/projects HTTP/1.1")+auth+"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat(long, 33), false); !strings.HasPrefix(got, "HTTP/1.1 413") {
		t.Errorf("a long body in chunks: %.200q", got)
	}

	r.leave(10_000, path, auth)
	http.DefaultClient.CloseIdleConnections()
	r.settles(before)
	if _, list := r.ask("GET", "/api/projects", ""); strings.Count(list, `"id"`) != 1 {
		t.Errorf("a request that was cut short began a project: %s", list)
	}
}

// leave opens n connections, and ends each at another point: before a request, in the
// middle of the head or the body, in the middle of the answer, while it follows a project.
func (r *servedRun) leave(n int, path, auth string) {
	t := r.t
	t.Helper()
	follow := r.head("GET "+path+"/events HTTP/1.1") + auth + "\r\n"
	for i := range n {
		c, err := net.Dial("tcp", r.host())
		must(t, err)
		switch i % 8 {
		case 0:
		case 1:
			_, err = io.WriteString(c, r.head("GET /heal"))
		case 2:
			_, err = io.WriteString(c, r.head("POST /api/projects HTTP/1.1")+auth+"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{\"prompt\"")
		case 3, 4:
			_, err = io.WriteString(c, r.head("GET "+path+" HTTP/1.1")+auth+"\r\n")
		case 5:
			_, err = io.WriteString(c, r.head("GET "+path+"?wait=60 HTTP/1.1")+auth+"\r\n")
		case 6:
			_, err = io.WriteString(c, follow)
		case 7:
			if _, err = io.WriteString(c, follow); err == nil {
				_, err = bufio.NewReader(c).ReadString(':')
			}
		}
		if err == nil && i%3 == 0 {
			err = c.(*net.TCPConn).SetLinger(0) // a reset instead of an end
		}
		must(t, err)
		must(t, c.Close())
	}
}
