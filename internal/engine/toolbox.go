package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/trace"
)

// toolbox is the journaled toolbox of one step.
type toolbox struct {
	r    *run
	m    *memo
	deps tool.Deps // without the parts that act
	work bool      // there is a sandbox to work in
	box  *tool.Box // the tools on offer
}

// toolbox makes the toolbox of a step. While an author asks or plans it only has
// words; when it works the sandbox is ready.
func (r *run) toolbox(m *memo) *toolbox {
	t := &toolbox{r: r, m: m, deps: tool.Deps{MayFinish: r.state.Brief.Yes, Reserved: r.e.cfg.Reserved}}
	if _, t.work = r.state.Working(); t.work {
		t.deps.Can = r.sb.Capabilities()
	}
	if r.state.Inquiring() {
		t.deps.Files, t.deps.ReadOnly = r.readable, true
	}
	t.box = t.acting(&act{r: r})
	return t
}

// acting is a box whose tools act through a.
func (t *toolbox) acting(a *act) *tool.Box {
	d := t.deps
	d.Reports = a
	if t.work {
		d.Files, d.Commands, d.Shells, d.Lifecycle, d.Pictures, d.Renders, d.Todos = a, a, a, a, a, a, a
	}
	if t.work && (t.deps.Can.Background && t.r.e.cfg.Live != nil || !t.deps.Can.Background && t.r.e.cfg.LivePage != nil) {
		d.Live = a
	}
	return tool.NewBox(d)
}

// Tools implements tool.Toolbox.
func (t *toolbox) Tools() []tool.Tool { return t.box.Tools() }

// Call implements tool.Toolbox.
func (t *toolbox) Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
	res := t.Calls(ctx, []tool.Call{{Name: name, Input: input}})[0]
	return res.Output, res.Err
}

// Calls implements tool.Toolbox. A call of SetThinking is not journaled, has no
// place, and is made again on resume.
func (t *toolbox) Calls(ctx context.Context, calls []tool.Call) []tool.Result {
	recs := make([]koda.CallRecord, len(calls))
	for i, c := range calls {
		if c.Name != tool.NameSetThinking {
			recs[i] = koda.CallRecord{Name: c.Name, Input: c.Input, Digest: digestOfCall(c.Name, c.Input)}
		}
	}
	placed, err := t.m.place(ctx, recs...)
	return tool.InOrder(calls, func(i int) (res tool.Result) {
		switch {
		case err != nil:
			res.Err = err
		case calls[i].Name == tool.NameSetThinking:
			res.Output, res.Err = t.box.Call(ctx, tool.NameSetThinking, calls[i].Input)
		default:
			res.Output, res.Err = t.do(ctx, placed[i])
		}
		return res
	})
}

// do gets a call answered. A call that changes files holds them until it is
// journaled, so that a checkpoint knows which calls its files cover.
func (t *toolbox) do(ctx context.Context, c call) (json.RawMessage, error) {
	brief := false
	switch c.Name {
	case tool.NameSandboxWriteFile, tool.NameEditFile, tool.NameSandboxDeleteFile:
		t.r.files.Lock()
		defer t.r.files.Unlock()
	case tool.NameUpdateTodo, tool.NameAddMessage:
		brief = true
	}
	return t.m.answer(ctx, c, brief, func() (o callOutcome) {
		if o.err = t.rewind(ctx, c); o.err != nil {
			return o
		}
		a := &act{r: t.r, call: c.Key}
		ctx, span := trace.Start(ctx, "tool call", "tool", t.known(c.Name))
		o.output, o.err = t.acting(a).Call(ctx, c.Name, c.Input)
		span.End(o.err)
		o.event, o.render = a.event, a.render
		t.r.showUse(c, o)
		return o
	})
}

// known is the name of a tool on offer; a model may make up another.
func (t *toolbox) known(name string) string {
	if slices.ContainsFunc(t.box.Tools(), func(on tool.Tool) bool { return on.Name == name }) {
		return name
	}
	return "unknown"
}

// act lets the tools of one call act, and remembers what the call made. Its methods
// take the state themselves, except the methods of reports and todos: their caller
// holds the state.
type act struct {
	r      *run
	call   koda.CallKey
	event  phase.Event
	render *koda.RenderRecord
}

var (
	_ tool.Files     = (*act)(nil)
	_ tool.Commands  = (*act)(nil)
	_ tool.Shells    = (*act)(nil)
	_ tool.Lifecycle = (*act)(nil)
	_ tool.Reports   = (*act)(nil)
	_ tool.Todos     = (*act)(nil)
)

// sandbox is the sandbox in use; the author may have destroyed it.
func (a *act) sandbox() (sandbox.Sandbox, error) {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	if a.r.sb == nil {
		return nil, noSandboxNow()
	}
	return a.r.sb, nil
}

func noSandboxNow() error {
	return &koda.Error{Code: koda.CodeSandboxNotFound, Op: "there is no sandbox", Hint: "make one with sandbox_create"}
}

func (a *act) WriteFile(ctx context.Context, path string, data []byte) error {
	sb, err := a.sandbox()
	if err != nil {
		return err
	}
	if err := sb.WriteFile(ctx, path, data); err != nil {
		return err
	}
	a.event = phase.Wrote{Stamp: a.r.stamp(), Path: path, Size: int64(len(data))}
	return nil
}

func (a *act) ReadFile(ctx context.Context, path string) ([]byte, error) {
	sb, err := a.sandbox()
	if err != nil {
		return nil, err
	}
	return sb.ReadFile(ctx, path)
}

func (a *act) DeleteFile(ctx context.Context, path string) error {
	sb, err := a.sandbox()
	if err != nil {
		return err
	}
	if err := sb.DeleteFile(ctx, path); err != nil {
		return err
	}
	a.event = phase.Wrote{Stamp: a.r.stamp(), Path: path, Deleted: true}
	return nil
}

func (a *act) List(ctx context.Context, dir string, recursive bool) ([]sandbox.Entry, error) {
	sb, err := a.sandbox()
	if err != nil {
		return nil, err
	}
	return sb.List(ctx, dir, recursive)
}

// Create returns the sandbox of the session, alive; without reuse it returns a new
// sandbox, filled from the last checkpoint.
func (a *act) Create(ctx context.Context, reuse bool) (id, status string, err error) {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	if a.r.sb != nil {
		if reuse {
			return a.r.sb.ID(), "reused", nil
		}
		if err := a.end(ctx, true); err != nil {
			return "", "", err
		}
	}
	sb, err := a.r.ensureSandbox(ctx)
	if err != nil {
		return "", "", err
	}
	return sb.ID(), "created", nil
}

func (a *act) Destroy(ctx context.Context, id string, save bool) error {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	if a.r.sb == nil || a.r.sb.ID() != id {
		return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is not this session's", id)}
	}
	return a.end(ctx, save)
}

// end ends the sandbox in use.
func (a *act) end(ctx context.Context, save bool) error {
	if save {
		if err := a.r.checkpoint(ctx); err != nil {
			return &koda.Error{Code: koda.CodeSaveFailed, Op: "save before the sandbox is destroyed", Err: err}
		}
	}
	return a.r.destroySandbox(ctx)
}

func (a *act) UpdateTodo(_ context.Context, id string, status koda.TodoStatus) error {
	for _, todo := range a.r.state.Node.Execution.Todos {
		if todo.ID == id {
			a.event = phase.TodoMarked{Stamp: a.r.stamp(), TodoID: id, Status: status}
			return nil
		}
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there is no todo %q", id), Hint: "todos have the ids of the plan's list"}
}

func (a *act) SetThinking(_ context.Context, message string) error {
	a.r.think(message)
	return nil
}

func (a *act) AddMessage(_ context.Context, content string) (string, error) {
	a.event = phase.Said{Stamp: a.r.stamp(), Text: content}
	return "m" + strconv.Itoa(len(a.r.state.Messages)+1), nil
}
