package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer sends a token with each request.
type bearer struct{ secret string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return http.DefaultTransport.RoundTrip(r)
}

// agentRun is an agent that makes a video by tools.
type agentRun struct {
	t       testing.TB
	session *mcp.ClientSession
	heard   *atomic.Int64 // progress notifications
}

func connect(t testing.TB, transport mcp.Transport) *agentRun {
	t.Helper()
	heard := &atomic.Int64{}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { heard.Add(1) },
	})
	session, err := client.Connect(t.Context(), transport, nil)
	must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return &agentRun{t, session, heard}
}

// call uses a tool and reads its answer.
func (a *agentRun) call(tool string, args map[string]any) (answer map[string]any, res *mcp.CallToolResult) {
	a.t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	params.SetProgressToken(tool)
	res, err := a.session.CallTool(a.t.Context(), params)
	must(a.t, err)
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok && !res.IsError {
			_ = json.Unmarshal([]byte(text.Text), &answer)
		}
	}
	return answer, res
}

// whole makes a whole project by tools, and returns the finished video's place.
func (a *agentRun) whole() string {
	t := a.t
	t.Helper()
	p, _ := a.call("new_animation", map[string]any{"prompt": "bouncing ball", "duration": 2, "presets": []string{"square"}})
	if p["waiting"] != "answer" || !strings.Contains(p["next"].(string), "answer") {
		t.Fatalf("new_animation: %v", p)
	}
	name := p["name"].(string)
	of := map[string]any{"project": name}
	p, _ = a.call("answer", map[string]any{"project": name, "option": "smooth"})
	if p["waiting"] != "plan" {
		t.Fatalf("answer: %v", p)
	}
	p, _ = a.call("edit", map[string]any{"project": name, "text": "make the ball green"})
	if p["waiting"] != "plan" {
		t.Fatalf("edit: %v", p)
	}
	if p, _ = a.call("accept", of); p["waiting"] != "preview" {
		t.Fatalf("accept the plan: %v", p)
	}
	_, still := a.call("still", map[string]any{"project": name, "at": 1})
	if len(still.Content) == 0 {
		t.Fatal("no still")
	}
	if pic, ok := still.Content[0].(*mcp.ImageContent); !ok || pic.MIMEType != "image/png" || len(pic.Data) < 1000 {
		t.Errorf("the still is %T", still.Content[0])
	}
	if p, _ = a.call("accept", of); p["phase"] != "complete" {
		t.Fatalf("accept the preview: %v", p)
	}
	if a.heard.Load() == 0 {
		t.Error("no progress was told")
	}
	for _, uri := range []string{"/plan", "/versions", "/video"} {
		r, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "koda://projects/" + p["id"].(string) + uri})
		if err != nil || len(r.Contents) != 1 || len(r.Contents[0].Text)+len(r.Contents[0].Blob) < 100 {
			t.Errorf("resource %s: %v", uri, err)
		}
	}
	listed, err := a.session.ListResources(t.Context(), nil)
	must(t, err)
	uris := ""
	for _, r := range listed.Resources {
		uris += r.URI + " "
	}
	for _, kind := range []string{"/plan ", "/versions ", "/video ", "/preview "} {
		if !strings.Contains(uris, p["id"].(string)+kind) {
			t.Errorf("the list of resources lacks%s: %s", kind, uris)
		}
	}
	made, _ := a.call("render", map[string]any{"project": name, "format": "gif", "resolution": "360p", "to": 0.2})
	if id, _ := made["id"].(string); !strings.HasPrefix(id, p["id"].(string)) || made["version"] != 1.0 || made["status"] != "done" || !strings.HasSuffix(fmt.Sprint(made["video"]), ".gif") || made["width"] != 360.0 || strings.HasPrefix(fmt.Sprint(made["createdAt"]), "0001") {
		t.Errorf("render: %v", made)
	}
	for tool, args := range map[string]map[string]any{
		"show": {"project": "nobody"}, "answer": {"project": name, "text": "red"}, "still": {"project": name, "at": 99}, "render": {"project": name, "resolution": "huge"},
		"new_animation": {"prompt": ""},
	} {
		if _, res := a.call(tool, args); !res.IsError {
			t.Errorf("%s %v is no error", tool, args)
		} else if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "(") {
			t.Errorf("%s %v: %s", tool, args, text)
		}
	}
	return p["output"].(map[string]any)["video"].(string)
}

// TestMCP makes a whole project by tools alone: over standard input and output, and over HTTP
// beside the other routes.
func TestMCP(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	cmd := exec.Command(os.Args[0], "mcp")
	cmd.Dir, cmd.Env, cmd.Stderr = r.dir, r.env, os.Stderr
	video := connect(t, &mcp.CommandTransport{Command: cmd}).whole()
	if info, err := os.Stat(video); err != nil || info.Size() < 1000 {
		t.Errorf("the video of a local agent: %v", err)
	}

	r.leaves()

	r = newServedRun(t)
	r.begin()
	over := connect(t, &mcp.StreamableClientTransport{Endpoint: r.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{r.secret}}})
	if status, body := r.ask("GET", over.whole(), ""); status != http.StatusOK || len(body) < 1000 {
		t.Errorf("the video of another agent: status %d, %d bytes", status, len(body))
	}
	r.koda("user", "add", "anna")
	theirs := r.koda("token", "new", "--user", "anna", "--write")
	anna := connect(t, &mcp.StreamableClientTransport{Endpoint: r.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{theirs}}})
	if _, res := anna.call("show", map[string]any{"project": "bouncing-ball"}); !res.IsError {
		t.Error("anna sees the project of others")
	}
	hostile(over, r.dir)
	reader := connect(t, &mcp.StreamableClientTransport{Endpoint: r.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{r.koda("token", "new")}}})
	if p, _ := reader.call("show", map[string]any{"project": "bouncing-ball"}); p["phase"] != "complete" {
		t.Errorf("a token that reads sees %v", p)
	}
	if _, res := reader.call("edit", map[string]any{"project": "bouncing-ball", "text": "make it red"}); !res.IsError || !strings.Contains(said(res), "only reads") {
		t.Errorf("a token that reads edits: %s", said(res))
	}
	if status, body := r.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "nothing"); status != http.StatusUnauthorized {
		t.Errorf("without a token: status %d: %s", status, body)
	}
}

// TestMCPLines: a line that is no message is answered with an error, and the conversation goes
// on; all that was asked is answered before koda ends.
func TestMCPLines(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	cmd := exec.Command(os.Args[0], "mcp")
	cmd.Dir, cmd.Env, cmd.Stderr = r.dir, r.env, os.Stderr
	asked := []string{
		"hello", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":`, `{"jsonrpc":"2.0","id":3,"method":"ping"} {}`, "[]", "5", "null", "",
		`[{"jsonrpc":"2.0","id":4,"method":"ping"}]`, `{"jsonrpc":"1.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "\xff\xfe",
		strings.Repeat("x", 17<<20), `{"jsonrpc":"2.0","id":6,"method":"resources/list","params":{"cursor":"nobody"}}`, `{"jsonrpc":"2.0","id":"é","method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`,
	}
	cmd.Stdin = strings.NewReader(strings.Join(asked, "\n")) // the last line without an end
	out, err := cmd.Output()
	must(t, err)
	got := map[string]int{}
	for line := range strings.Lines(string(out)) {
		var answer struct {
			ID    any
			Error struct{ Code int }
		}
		must(t, json.Unmarshal([]byte(line), &answer))
		got[fmt.Sprintf("%v %d", answer.ID, answer.Error.Code)]++
	}
	want := map[string]int{"<nil> -32700": 4, "<nil> -32600": 6, "5 -32600": 1, "1 0": 1, "6 -32602": 1, "é 0": 1, "7 0": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers by id and code (-want +got):\n%s", diff)
	}
}

// said is what a tool said.
func said(res *mcp.CallToolResult) (all string) {
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			all += text.Text
		}
	}
	return all
}

// hostile asks for what no agent should: every answer is an error that names no directory of
// the machine, and the project stands where it stood.
func hostile(a *agentRun, dir string) {
	t := a.t
	t.Helper()
	before, _ := a.call("show", map[string]any{"project": "bouncing-ball"})
	huge := strings.Repeat("koda ", 40_000)
	for _, one := range []struct {
		tool string
		args any
	}{
		{"show", map[string]any{"project": 5}},
		{"show", map[string]any{"project": "../../etc/passwd"}},
		{"show", map[string]any{"project": dir + "/bouncing-ball"}},
		{"show", map[string]any{"project": "bouncing-ball\x00"}},
		{"show", map[string]any{"project": "bouncing-ball", "secret": true}},
		{"show", []string{"bouncing-ball"}},
		{"still", map[string]any{"project": "bouncing-ball", "at": "now"}},
		{"still", map[string]any{"project": "bouncing-ball", "at": -1}},
		{"still", map[string]any{"project": "bouncing-ball", "at": 1e300}},
		{"still", map[string]any{"project": "bouncing-ball"}},
		{"edit", map[string]any{"project": "bouncing-ball", "text": ""}},
		{"edit", map[string]any{"project": "bouncing-ball", "text": huge}},
		{"edit", map[string]any{"project": "bouncing-ball"}},
		{"answer", map[string]any{"project": "bouncing-ball", "option": "../x"}},
		{"accept", map[string]any{"project": "bouncing-ball", "presets": "square"}},
		{"accept", map[string]any{"project": huge}},
		{"render", map[string]any{"project": "bouncing-ball", "preset": "../../x"}},
		{"render", map[string]any{"project": "bouncing-ball", "format": "exe"}},
		{"render", map[string]any{"project": "bouncing-ball", "resolution": "999999x999999"}},
		{"render", map[string]any{"project": "bouncing-ball", "from": 2, "to": 1}},
		{"render", map[string]any{"project": "bouncing-ball", "from": -1}},
		{"new_animation", map[string]any{"prompt": huge}},
		{"new_animation", map[string]any{"prompt": "chart", "recipe": "../../x"}},
		{"new_animation", map[string]any{"prompt": "chart", "duration": -1}},
		{"new_animation", map[string]any{"prompt": "chart", "duration": 1e9}},
		{"new_animation", map[string]any{"prompt": "bar chart", "data": "{", "dataName": "../../x.json"}},
		{"new_animation", map[string]any{"prompt": "bar chart", "data": "x", "dataName": "/etc/passwd"}},
		{"new_animation", map[string]any{"prompt": []int{1}}},
		{"delete", map[string]any{"project": "bouncing-ball"}},
	} {
		res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: one.tool, Arguments: one.args})
		text := fmt.Sprint(err)
		if err == nil {
			if text = said(res); !res.IsError {
				t.Errorf("%s %.80v is no error: %.200s", one.tool, one.args, text)
			}
		}
		if strings.Contains(strings.ReplaceAll(text, fmt.Sprint(one.args), ""), dir+"/.") || len(text) > 2000 || strings.Contains(text, "()") {
			t.Errorf("%s %.80v: %.300s", one.tool, one.args, text)
		}
	}
	for _, uri := range []string{"koda://projects/../../etc/passwd", "koda://projects/bouncing-ball/secret", "koda://projects//plan", "file:///etc/passwd", "koda://projects/nobody/video"} {
		if r, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("resource %s: %v", uri, r.Contents)
		}
	}
	if after, _ := a.call("show", map[string]any{"project": "bouncing-ball"}); after["phase"] != before["phase"] || after["version"] != before["version"] || fmt.Sprint(after["output"]) != fmt.Sprint(before["output"]) {
		t.Errorf("the project stands at %v, before at %v", after, before)
	}
}

// leaves lets an agent leave in the middle of a final video. The next agent sees the project,
// which is gone on with.
func (r *servedRun) leaves() {
	t := r.t
	t.Helper()
	local := func() *mcp.CommandTransport {
		cmd := exec.Command(os.Args[0], "mcp")
		cmd.Dir, cmd.Env, cmd.Stderr = r.dir, r.env, os.Stderr
		return &mcp.CommandTransport{Command: cmd}
	}
	heard := make(chan struct{})
	once := sync.OnceFunc(func() { close(heard) })
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			if strings.HasPrefix(n.Params.Message, "frame") {
				once()
			}
		},
	})
	session, err := client.Connect(t.Context(), local(), nil)
	must(t, err)
	params := &mcp.CallToolParams{Name: "new_animation", Arguments: map[string]any{"prompt": "bouncing ball", "duration": 20, "yes": true}}
	params.SetProgressToken("leaves")
	ctx, leave := context.WithCancel(t.Context())
	go func() { _, _ = session.CallTool(ctx, params) }()
	<-heard
	leave() // the client would wait for the answer before it closes
	must(t, session.Close())
	next := connect(t, local())
	_, res := next.call("edit", map[string]any{"project": "bouncing-ball-2", "text": "make it green"})
	if text := said(res); !res.IsError || !strings.Contains(text, "IN_USE") {
		t.Errorf("an edit in the middle: %s", text)
	}
	if p, res := next.call("show", map[string]any{"project": "bouncing-ball-2", "wait": 600}); p["phase"] != "complete" {
		t.Errorf("the next agent sees %s", said(res))
	}
}
