package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// fake implements every part of tool.Deps and records the calls.
type fake struct {
	mu    sync.Mutex
	files map[string][]byte
	log   []string
	fail  error                                   // the error of the next call
	run   func(context.Context) error             // called by Screenshot
	shell func(sandbox.Command) sandbox.RunResult // answers Run
}

func newFake() *fake { return &fake{files: map[string][]byte{}} }

func (f *fake) did(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, fmt.Sprintf(format, args...))
	err := f.fail
	f.fail = nil
	return err
}

func (f *fake) WriteFile(_ context.Context, p string, data []byte) error {
	if err := f.did("write %s", p); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[p] = data
	return nil
}

func (f *fake) ReadFile(_ context.Context, p string) ([]byte, error) {
	if err := f.did("read %s", p); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	data, ok := f.files[p]
	if !ok {
		return nil, &koda.Error{Code: koda.CodeFileNotFound, Op: "read " + p}
	}
	return data, nil
}

func (f *fake) DeleteFile(_ context.Context, p string) error {
	if err := f.did("delete %s", p); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.files, p)
	return nil
}

func (f *fake) List(_ context.Context, dir string, recursive bool) ([]sandbox.Entry, error) {
	if err := f.did("list %s %v", dir, recursive); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var es []sandbox.Entry
	for p, data := range f.files {
		if dir == "." || strings.HasPrefix(p, dir+"/") {
			es = append(es, sandbox.Entry{Path: p, Size: int64(len(data))})
		}
	}
	slices.SortFunc(es, func(a, b sandbox.Entry) int { return strings.Compare(a.Path, b.Path) })
	return append(es, sandbox.Entry{Path: path.Join(dir, "zz"), Dir: true}), nil
}

func (f *fake) Run(_ context.Context, c sandbox.Command) (sandbox.RunResult, string, error) {
	if err := f.did("run %q in %s, background %v, %v", c.Line, c.Dir, c.Background, c.Timeout); err != nil {
		return sandbox.RunResult{}, "", err
	}
	if f.shell != nil {
		return f.shell(c), "made ready", nil
	}
	return sandbox.RunResult{}, "", nil
}

func (f *fake) Processes(context.Context) ([]sandbox.Background, error) {
	return []sandbox.Background{{PID: 7, Line: "vite", Running: true, Output: strings.Repeat("x", 9000) + "ready\xff"}}, f.did("processes")
}

func (f *fake) Stop(_ context.Context, pid int) error { return f.did("stop %d", pid) }

func (f *fake) NewShell(_ context.Context, name string, size sandbox.Size) (tool.Shown, error) {
	return tool.Shown{Text: "$ "}, f.did("new shell %s %v", name, size)
}

func (f *fake) Feed(_ context.Context, name, chars string, size sandbox.Size, wait time.Duration) (tool.Shown, error) {
	return tool.Shown{Text: strings.Repeat("é", 20<<10), Ended: chars == "exit\n", Status: 3, Note: "n"}, f.did("feed %s %q %v %v", name, chars, size, wait)
}

func (f *fake) Create(_ context.Context, reuse bool) (string, string, error) {
	return "local-1", "created", f.did("create, reuse %v", reuse)
}

func (f *fake) Destroy(_ context.Context, id string, save bool) error {
	return f.did("destroy %s, save %v", id, save)
}

func (f *fake) StartPreview(context.Context) (string, string, error) {
	return "http://127.0.0.1:1/s", "http://127.0.0.1:1", f.did("preview")
}

func (f *fake) Look(_ context.Context, times []float64) (koda.Look, error) {
	return koda.Look{Sheet: []byte("jpeg"), Sights: []koda.Sight{{Seconds: 1, Colours: []string{"#000000"}}}, Findings: []koda.Finding{{Kind: koda.FindingBlank, Serious: true}}}, f.did("look %v", times)
}

func (f *fake) Screenshot(ctx context.Context, s float64, w, h int) (string, error) {
	if f.run != nil {
		return "", f.run(ctx)
	}
	return "data:image/png;base64,AA==", f.did("screenshot %v %dx%d", s, w, h)
}

var result = koda.RenderResult{Video: "/v.mp4", Thumbnail: "/v.png", Duration: 2, Size: 9, ElapsedMS: 7, Note: "n"}

func (f *fake) RenderPreview(_ context.Context, d float64) (koda.RenderResult, error) {
	return result, f.did("render preview %v", d)
}

func (f *fake) RenderFinal(_ context.Context, w tool.FinalRender) (koda.RenderResult, error) {
	return result, f.did("render final %+v", w)
}

func (f *fake) UpdateTodo(_ context.Context, id string, s koda.TodoStatus) error {
	return f.did("todo %s %s", id, s)
}

func (f *fake) SetThinking(_ context.Context, m string) error { return f.did("think %s", m) }

func (f *fake) AddMessage(_ context.Context, c string) (string, error) {
	return "m1", f.did("say %s", c)
}

// last is the last call.
func (f *fake) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.log) == 0 {
		return ""
	}
	return f.log[len(f.log)-1]
}

// everything offers every tool over f.
func everything(f *fake) tool.Deps {
	return tool.Deps{
		Files: f, Commands: f, Shells: f, Lifecycle: f, Live: f, Pictures: f, Renders: f, Reports: f, Todos: f, MayFinish: true,
		Can:      sandbox.Capabilities{Commands: true, Background: true},
		Reserved: []string{"src/main.tsx", "vite.config.ts", "scripts/**"},
	}
}

// call calls a tool and returns its output as text.
func call(t *testing.T, b tool.Toolbox, name, input string) (string, error) {
	t.Helper()
	out, err := b.Call(t.Context(), name, json.RawMessage(input))
	var e *koda.Error
	if err != nil && !errors.As(err, &e) {
		t.Errorf("%s %s: error %v is no *koda.Error", name, input, err)
	}
	return string(out), err
}
