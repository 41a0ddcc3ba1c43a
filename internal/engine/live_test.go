package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// serving makes sandboxes in which a server can run.
type serving struct {
	sandbox.Provider
	taken bool   // something else has the port
	fails string // what the server says when it ends instead
	made  *served
}

func (p *serving) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	sb, err := p.Provider.Create(ctx, o)
	p.made = &served{Sandbox: sb, p: p}
	return p.made, err
}

func (p *serving) Connect(context.Context, string) (sandbox.Sandbox, error) { return p.made, nil }

// served is a sandbox with a server, which answers when it has been asked twice.
type served struct {
	sandbox.Sandbox
	p      *serving
	all    []sandbox.Background
	dialed int
	log    []string
}

func (s *served) Capabilities() sandbox.Capabilities {
	return sandbox.Capabilities{Commands: true, Background: true}
}

func (s *served) Processes(context.Context) ([]sandbox.Background, error) { return s.all, nil }

func (s *served) Stop(_ context.Context, pid int) error {
	s.log = append(s.log, fmt.Sprint("stop ", pid))
	s.all = nil
	return nil
}

func (s *served) Run(_ context.Context, c sandbox.Command) (sandbox.RunResult, error) {
	s.log = append(s.log, c.Line)
	s.dialed = 0
	b := sandbox.Background{PID: len(s.log), Line: c.Line, Running: s.p.fails == "", Output: s.p.fails, ExitCode: 1}
	s.all = append(s.all, b)
	return sandbox.RunResult{PID: b.PID, ExitCode: -1}, nil
}

func (s *served) Dial(context.Context, int) (net.Conn, error) {
	s.dialed++
	if !s.p.taken && (len(s.all) == 0 || s.dialed < 2 || s.p.fails != "") {
		return nil, &koda.Error{Code: koda.CodeServerFailed, Op: "nothing answers"}
	}
	c, _ := net.Pipe()
	return c, nil
}

// view is a live view that says when it ends.
type view struct {
	url string
	log *[]string
}

func (v view) URL() string { return v.url }
func (v view) Close() error {
	*v.log = append(*v.log, "end "+v.url)
	return nil
}

// TestStartPreview: an author starts the development server, again and again, and gets
// its address. The view ends with the sandbox.
func TestStartPreview(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		taken bool
		fails string
		code  koda.Code
		want  []string
	}{
		"starts": {want: []string{
			"mkdir -p node_modules && bun run dev", "open http://1/", "end http://1/", "stop 1", "mkdir -p node_modules && bun run dev", "open http://2/",
		}},
		"another program": {taken: true, code: koda.CodePortUnavailable},
		"it ends":         {fails: "building\nvite: no such file\n", code: koda.CodeServerFailed, want: []string{"mkdir -p node_modules && bun run dev", "stop 1", "mkdir -p node_modules && bun run dev"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, p := newBench(t), &serving{taken: c.taken, fails: c.fails}
			opened := 0
			b.tweak = func(cfg *engine.Config) {
				p.Provider = cfg.Sandboxes[sandbox.Local]
				cfg.Sandboxes[sandbox.Local] = p
				later := cfg.After
				cfg.After = func(d time.Duration) (<-chan time.Time, func()) {
					if d >= time.Second {
						return later(d)
					}
					now := make(chan time.Time, 1)
					now <- time.Time{}
					return now, func() {}
				}
				cfg.Live = func(dial func(context.Context) (net.Conn, error), _ engine.LiveFiles, port int) (engine.LiveView, error) {
					if conn, err := dial(t.Context()); err != nil || port != 5173 {
						t.Errorf("%v, %v, port %d", conn, err, port)
					}
					opened++
					v := view{url: fmt.Sprintf("http://%d/", opened), log: &p.made.log}
					p.made.log = append(p.made.log, "open "+v.url)
					return v, nil
				}
			}
			b.open()
			b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
				if task.Todo.ID != "1" {
					return nil
				}
				for i := range 2 {
					out, err := box.Call(ctx, tool.NameSandboxStartPreview, []byte(`{}`))
					if koda.CodeOf(err) != c.code {
						t.Errorf("%v, want %s", err, c.code)
					}
					if c.fails != "" && (err.Error() != "the development server ended with status 1: vite: no such file" || koda.DetailsOf(err) == "" || koda.HintOf(err) == "") {
						t.Errorf("%v, hint %q", err, koda.HintOf(err))
					}
					var got tool.StartPreviewOutput
					if err == nil && (json.Unmarshal(out, &got) != nil || got.StreamURL != fmt.Sprintf("http://%d/", i+1) || got.DevServerURL != "http://localhost:5173/") {
						t.Errorf("%s", out)
					}
				}
				return nil
			}
			b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
			got := p.made.log
			if c.code == "" {
				if n := len(got); n > len(c.want) && got[n-1] == "end http://2/" {
					got = got[:n-1] // the project is complete
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestStartPreview_page: where no server can run, the page of the files is shown as they
// are now.
func TestStartPreview_page(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var files func(context.Context) (fs.FS, string, error)
	var log []string
	b.tweak = func(cfg *engine.Config) {
		cfg.LivePage = func(f func(context.Context) (fs.FS, string, error), _ int) (engine.LiveView, error) {
			files = f
			return view{url: "http://page/", log: &log}, nil
		}
	}
	b.open()
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		if task.Todo.ID != "1" {
			return nil
		}
		out, err := box.Call(ctx, tool.NameSandboxStartPreview, []byte(`{}`))
		if err != nil || string(out) != `{"stream_url":"http://page/","dev_server_url":"http://page/"}` {
			t.Errorf("%s, %v", out, err)
		}
		digests := map[string]bool{}
		for _, text := range []string{"a", "b", "a"} {
			if err := tool.WriteFile(ctx, box, "src/a.ts", text); err != nil {
				return err
			}
			tree, digest, err := files(ctx)
			if err != nil {
				return err
			}
			if data, err := fs.ReadFile(tree, "src/a.ts"); err != nil || string(data) != text {
				t.Errorf("%s, %v", data, err)
			}
			digests[digest] = true
		}
		if len(digests) != 2 {
			t.Errorf("digests %v", digests)
		}
		return nil
	}
	b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
}
