package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

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
	t       *testing.T
	session *mcp.ClientSession
	heard   *atomic.Int64 // progress notifications
}

func connect(t *testing.T, transport mcp.Transport) *agentRun {
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
	t.Parallel()
	r := newServedRun(t)
	cmd := exec.Command(os.Args[0], "mcp")
	cmd.Dir, cmd.Env, cmd.Stderr = r.dir, r.env, os.Stderr
	video := connect(t, &mcp.CommandTransport{Command: cmd}).whole()
	if info, err := os.Stat(video); err != nil || info.Size() < 1000 {
		t.Errorf("the video of a local agent: %v", err)
	}

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
	if status, body := r.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "nothing"); status != http.StatusUnauthorized {
		t.Errorf("without a token: status %d: %s", status, body)
	}
}
