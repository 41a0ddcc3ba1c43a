package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/koda-video/koda/internal/koda"
)

// whole checks that a project has its video, and that its events have no gap.
func (r *servedRun) whole(id string) {
	r.t.Helper()
	p := r.stands(http.StatusOK, "GET", "/api/projects/"+id+"?wait=600", "")
	if p.Phase != "complete" || p.Output.Video == "" {
		r.t.Errorf("project %s: %+v", id, p)
		return
	}
	l, err := r.listen(id, 0, isType(koda.EventOutput), func() {})
	must(r.t, err)
	for n, seq := range l.seqs {
		if seq != int64(n)+1 {
			r.t.Fatalf("project %s: event %d where %d was due", id, seq, n+1)
		}
	}
}

// TestServe_term: SIGTERM in the middle of several videos ends a server with all work saved, and
// the next one makes the videos.
func TestServe_term(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	var ids []string
	for i := range 4 {
		p := r.stands(http.StatusAccepted, "POST", "/api/projects", fmt.Sprintf(`{"prompt": "title \"No. %d\"", "duration": 4, "presets": ["square"], "yes": true}`, i))
		ids = append(ids, p.ID)
	}
	if _, err := r.listen(ids[0], 0, isType(koda.EventRenderProgress), func() {}); err != nil {
		t.Fatal(err)
	}
	must(t, r.server.Process.Signal(syscall.SIGTERM))
	if err := r.server.Wait(); err != nil {
		t.Errorf("SIGTERM: %v: %s", err, r.said())
	}
	for _, id := range ids {
		out := r.koda("show", id, "--json")
		if !json.Valid([]byte(out)) || strings.Contains(out, `"phase":"error"`) {
			t.Errorf("after SIGTERM: %s", out)
		}
	}
	r.begin()
	for _, id := range ids {
		r.whole(id)
	}
	must(t, r.server.Process.Signal(syscall.SIGTERM))
	if err := r.server.Wait(); err != nil {
		t.Errorf("SIGTERM without work: %v", err)
	}
}

// TestServe_disk: on a disk that fills up, requests that read are answered, those that write are
// refused with DISK_FULL, and with room the work goes on to its video.
func TestServe_disk(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	disk := t.TempDir()
	r.env = append(r.env, "KODA_HOME="+filepath.Join(disk, "home"), "STORAGE_PATH="+disk, "DATABASE_PATH="+filepath.Join(disk, "koda.db"))
	r.change = func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", `mount -t tmpfs -o size=3m none "$1" && cd "$1" && shift && exec "$0" "$@"`, os.Args[0], disk}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		if os.Getuid() != 0 {
			cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
		}
	}
	try := exec.Command(os.Args[0], "serve", "--help")
	try.Env = r.env
	r.change(try)
	if out, err := try.CombinedOutput(); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) || strings.Contains(string(out), "mount:") {
		t.Logf("nothing can be mounted here: %v", err)
		return
	}
	r.begin()
	const ask = `{"prompt": "bouncing ball", "duration": 1.5, "presets": ["square"], "yes": true}`
	status, body := r.ask("POST", "/api/projects?wait=60", ask)
	for i := 0; i < 20 && status < 300; i++ {
		status, body = r.ask("POST", "/api/projects?wait=60", ask)
	}
	if status != http.StatusInsufficientStorage || !strings.Contains(body, "DISK_FULL") || strings.Contains(body, disk) {
		t.Errorf("on a full disk: status %d: %s", status, body)
	}
	if status, body := r.ask("GET", "/healthz", ""); status != http.StatusOK {
		t.Errorf("a full disk: status %d: %s", status, body)
	}
	var list struct{ Projects []served }
	if status, body = r.ask("GET", "/api/projects", ""); status != http.StatusOK || json.Unmarshal([]byte(body), &list) != nil || len(list.Projects) == 0 {
		t.Errorf("the projects on a full disk: status %d: %s", status, body)
	}
	if out, err := exec.CommandContext(t.Context(), "nsenter", "-t", fmt.Sprint(r.server.Process.Pid), "-m", "mount", "-o", "remount,size=200m", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, p := range list.Projects {
		if p = r.stands(http.StatusOK, "GET", "/api/projects/"+p.ID+"?wait=60", ""); p.Phase != "complete" {
			r.stands(http.StatusOK, "POST", "/api/projects/"+p.ID+"/resume?wait=300", `{"yes": true}`)
		}
		r.whole(p.ID)
	}
}

// agentsLines are the settings of agents in docs/server.md.
var agentsLines = regexp.MustCompile("(?s)```json\n(\\{\"mcpServers\".*?)```")

// TestMCP_ends: agents that the lines of docs/server.md set up reach koda. A call that an agent gives up,
// or dies in, is gone on with, and leaves nothing open.
func TestMCP_ends(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	over := r.set()
	before := len(r.open())
	made := func(name string) string {
		t.Helper()
		p, res := over.call("show", map[string]any{"project": name, "wait": 600})
		if p["phase"] != "complete" {
			t.Errorf("%s: %s", name, said(res))
		}
		id, _ := p["id"].(string)
		return id
	}
	begins := func(ctx context.Context, secret string) *http.Request {
		const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"new_animation","arguments":{"prompt":"bouncing ball","duration":2,"presets":["square"],"yes":true}}}`
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/mcp", strings.NewReader(call))
		must(t, err)
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + secret}}
		return req
	}
	// The agent gives the call up.
	ctx, giveUp := context.WithCancel(t.Context())
	called := make(chan error, 1)
	go func() {
		_, err := over.session.CallTool(ctx, &mcp.CallToolParams{Name: "new_animation", Arguments: map[string]any{"prompt": "bouncing ball", "duration": 2, "presets": []string{"square"}, "yes": true}})
		called <- err
	}()
	r.appears("bouncing-ball")
	giveUp()
	if err := <-called; err == nil {
		t.Error("the call was not given up")
	}
	r.whole(made("bouncing-ball"))
	// The agent dies: its connection ends in the middle of the call.
	ctx, die := context.WithCancel(t.Context())
	go func() {
		if res, err := http.DefaultClient.Do(begins(ctx, r.secret)); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}()
	r.appears("bouncing-ball-2")
	die()
	r.whole(made("bouncing-ball-2"))
	http.DefaultClient.CloseIdleConnections()
	r.settles(before)
	// An agent of this machine dies: both ends of its pipes close, in the middle of a call.
	cmd := exec.Command(os.Args[0], "mcp")
	cmd.Dir, cmd.Env = r.dir, r.env
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"new_animation","arguments":{"prompt":"bouncing ball","duration":8,"presets":["square"],"yes":true}}}`+"\n")
	must(t, err)
	r.appears("bouncing-ball-3")
	must(t, errors.Join(out.Close(), in.Close()))
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() < 0 {
		t.Errorf("koda mcp ended with %v", err)
	}
	r.koda("resume", "bouncing-ball-3", "--yes", "--quiet")
	r.whole(made("bouncing-ball-3"))
}

// appears waits until there is a project of that name.
func (r *servedRun) appears(name string) {
	r.t.Helper()
	for r.t.Context().Err() == nil {
		if _, list := r.ask("GET", "/api/projects", ""); strings.Contains(list, fmt.Sprintf("%q", name)) {
			return
		}
	}
}

// set connects an agent to the server as docs/server.md says, and tries the other way that it has.
func (r *servedRun) set() *agentRun {
	t := r.t
	t.Helper()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "server.md"))
	must(t, err)
	found := agentsLines.FindSubmatch(guide)
	if found == nil {
		t.Fatal("docs/server.md has no lines for agents")
	}
	var lines struct {
		MCPServers map[string]struct {
			Command, Type, URL string
			Args               []string
			Headers            map[string]string
		}
	}
	must(t, json.Unmarshal(found[1], &lines))
	var over *agentRun
	for name, one := range lines.MCPServers {
		if one.Type == "http" {
			secret := strings.Replace(one.Headers["Authorization"], "Bearer TOKEN", r.secret, 1)
			over = connect(t, &mcp.StreamableClientTransport{Endpoint: strings.Replace(one.URL, "http://localhost:3000", r.url, 1), HTTPClient: &http.Client{Transport: bearer{secret}}})
			continue
		}
		if one.Command != "koda" {
			t.Fatalf("%s is %q", name, one.Command)
		}
		cmd := exec.Command(os.Args[0], one.Args...)
		cmd.Dir, cmd.Env = r.dir, r.env
		local := connect(t, &mcp.CommandTransport{Command: cmd})
		if p, res := local.call("show", nil); p["projects"] == nil {
			t.Errorf("%s: %s", name, said(res))
		}
		must(t, local.session.Close())
	}
	if over == nil {
		t.Fatal("no line is for HTTP")
	}
	return over
}
