package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// toolbox is the journaled toolbox of one todo. Every call is answered, then
// journaled together with the event it made, then returned. A todo run again
// after a crash makes the same calls: those are answered from the journal, until
// the first that differs. An error the author could not go on from is no answer:
// that call is made again.
type toolbox struct {
	r       *run
	box     *tool.Box
	rec     *recorder
	todo    string
	calls   sync.Mutex // held for the length of a call
	ordinal int
	memo    bool // still following the journal
}

// toolbox makes the toolbox of a todo. The sandbox is ready.
func (r *run) toolbox(todo string) (*toolbox, error) {
	if r.state.Pending == nil {
		return nil, errors.New("no effect to do tools for")
	}
	rec := &recorder{r: r}
	return &toolbox{
		r: r, rec: rec, todo: todo, memo: true,
		box: tool.NewBox(tool.Deps{
			Files: rec, Commands: rec, Lifecycle: rec, Reports: rec, Pictures: rec, Renders: rec,
			Can: r.sb.Capabilities(), MayFinish: r.state.Brief.Yes, Reserved: r.e.cfg.Reserved,
		}),
	}, nil
}

// Tools implements tool.Toolbox.
func (t *toolbox) Tools() []tool.Tool { return t.box.Tools() }

// Call implements tool.Toolbox.
func (t *toolbox) Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
	// The author's calls are journaled in order, so one is made after another;
	// what takes its time is done apart.
	t.calls.Lock()
	defer t.calls.Unlock()
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	if name == tool.NameSetThinking {
		return t.box.Call(ctx, name, input) // it passes: not journaled, and told again on resume
	}
	key := koda.CallKey{ProjectID: t.r.project.ID, TurnID: t.r.state.Pending.TurnID, TodoID: t.todo, Ordinal: t.ordinal}
	digest := callDigest(name, input)
	t.ordinal++
	if t.memo {
		rec, ok, err := t.remembered(ctx, key, digest, name, input)
		if err != nil {
			return nil, err
		}
		if ok {
			return t.replay(rec)
		}
		t.memo = false
	}
	t.rec.call, t.rec.event, t.rec.render = key, nil, nil
	out, err := t.box.Call(ctx, name, input)
	if ctx.Err() != nil {
		return nil, ctx.Err() // not answered: made again on resume
	}
	failpoint.Hit("engine.call")
	ev := t.rec.event
	if ev == nil {
		ev = phase.Called{Stamp: t.r.stamp()}
	}
	rec := &koda.CallRecord{Key: key, Digest: digest, Name: name, Input: input, Output: out, At: t.r.e.now()}
	if err != nil {
		rec.ErrCode, rec.ErrText = koda.CodeOf(err), err.Error()
	}
	if serr := t.r.step(ctx, ev, with{call: rec, render: t.rec.render}); serr != nil {
		return nil, serr
	}
	t.r.answered.Calls = t.ordinal
	if _, wrote := ev.(phase.Wrote); wrote {
		t.r.watch.wrote()
	}
	return out, err
}

// remembered gives the answer journaled for a call. When there is none, a crash
// may have taken it: see rewind. When there is another one, it and those after it
// are about to be forgotten, but what they did is in the sandbox: a checkpoint
// keeps that, so that the sandbox can still be restored.
func (t *toolbox) remembered(ctx context.Context, key koda.CallKey, digest, name string, input json.RawMessage) (koda.CallRecord, bool, error) {
	rec, ok, err := t.r.e.cfg.Calls.Call(ctx, key)
	switch {
	case err != nil:
		return rec, false, wrapRead(err)
	case !ok:
		return rec, false, t.rewind(ctx, name, input)
	}
	if rec.Digest == digest {
		if rec.ErrCode == "" {
			return rec, true, nil
		}
		next := key
		next.Ordinal++
		if _, ok, err = t.r.e.cfg.Calls.Call(ctx, next); err != nil || ok {
			return rec, ok, wrapRead(err)
		}
	}
	t.r.answered.Calls = key.Ordinal
	err = t.r.checkpoint(ctx)
	return rec, false, err
}

func wrapRead(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read journal: %w", err)
}

// replay answers a call from the journal. What it did is in the sandbox.
func (t *toolbox) replay(rec koda.CallRecord) (json.RawMessage, error) {
	t.r.saved.Calls++
	if rec.ErrCode != "" {
		return nil, &koda.Error{Code: rec.ErrCode, Op: rec.ErrText}
	}
	return rec.Output, nil
}

// callDigest is over the name and the input, whatever its white space.
func callDigest(name string, input json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, input) != nil {
		compact.Reset()
		compact.Write(input)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s", name, compact.Bytes())
	return hex.EncodeToString(h.Sum(nil))
}

// recorder lets tools act and remembers what each made.
type recorder struct {
	r      *run
	call   koda.CallKey // the one that is made
	event  phase.Event
	render *koda.RenderRecord
}

var (
	_ tool.Files     = (*recorder)(nil)
	_ tool.Commands  = (*recorder)(nil)
	_ tool.Lifecycle = (*recorder)(nil)
	_ tool.Reports   = (*recorder)(nil)
)

// sandbox is the one in use; the author may have destroyed it.
func (t *recorder) sandbox() (sandbox.Sandbox, error) {
	if t.r.sb == nil {
		return nil, &koda.Error{Code: koda.CodeSandboxNotFound, Op: "there is no sandbox", Hint: "make one with sandbox_create"}
	}
	return t.r.sb, nil
}

func (t *recorder) WriteFile(ctx context.Context, path string, data []byte) error {
	sb, err := t.sandbox()
	if err != nil {
		return err
	}
	if err := sb.WriteFile(ctx, path, data); err != nil {
		return err
	}
	t.event = phase.Wrote{Stamp: t.r.stamp(), Path: path, Size: int64(len(data))}
	return nil
}

func (t *recorder) ReadFile(ctx context.Context, path string) ([]byte, error) {
	sb, err := t.sandbox()
	if err != nil {
		return nil, err
	}
	return sb.ReadFile(ctx, path)
}

func (t *recorder) DeleteFile(ctx context.Context, path string) error {
	sb, err := t.sandbox()
	if err != nil {
		return err
	}
	if err := sb.DeleteFile(ctx, path); err != nil {
		return err
	}
	t.event = phase.Wrote{Stamp: t.r.stamp(), Path: path, Deleted: true}
	return nil
}

func (t *recorder) List(ctx context.Context, dir string, recursive bool) ([]sandbox.Entry, error) {
	sb, err := t.sandbox()
	if err != nil {
		return nil, err
	}
	return sb.List(ctx, dir, recursive)
}

func (t *recorder) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	sb, err := t.sandbox()
	if err != nil {
		return sandbox.RunResult{}, err
	}
	var res sandbox.RunResult
	t.r.apart(func() { res, err = sb.Run(ctx, cmd) })
	return res, err
}

// Create returns the sandbox of the session, alive; without reuse a new one
// filled from the last checkpoint.
func (t *recorder) Create(ctx context.Context, reuse bool) (id, status string, err error) {
	if reuse && t.r.sb != nil {
		return t.r.sb.ID(), "reused", nil
	}
	if t.r.sb != nil {
		if err := t.Destroy(ctx, t.r.sb.ID(), true); err != nil {
			return "", "", err
		}
	}
	sb, err := t.r.ensureSandbox(ctx)
	if err != nil {
		return "", "", err
	}
	return sb.ID(), "created", nil
}

func (t *recorder) Destroy(ctx context.Context, id string, save bool) error {
	if t.r.sb == nil || t.r.sb.ID() != id {
		return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is not this session's", id)}
	}
	if save {
		if err := t.r.checkpoint(ctx); err != nil {
			return &koda.Error{Code: koda.CodeSaveFailed, Op: "save before the sandbox is destroyed", Err: err}
		}
	}
	return t.r.destroySandbox(ctx)
}

func (t *recorder) UpdateTodo(_ context.Context, id string, status koda.TodoStatus) error {
	for _, todo := range t.r.state.Node.Execution.Todos {
		if todo.ID == id {
			t.event = phase.TodoMarked{Stamp: t.r.stamp(), TodoID: id, Status: status}
			return nil
		}
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there is no todo %q", id), Hint: "todos have the ids of the plan's list"}
}

func (t *recorder) SetThinking(_ context.Context, message string) error {
	t.r.think(message)
	return nil
}

func (t *recorder) AddMessage(_ context.Context, content string) (string, error) {
	t.event = phase.Said{Stamp: t.r.stamp(), Text: content}
	return "m" + strconv.Itoa(len(t.r.state.Messages)+1), nil
}
