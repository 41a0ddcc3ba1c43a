package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Box executes the tools over [Deps]. It implements [Toolbox]. It keeps no state
// between calls: when a call is answered, nothing of it goes on.
type Box struct {
	deps    Deps
	tools   []Tool
	offered map[string]entry
	// changing is held while a file is read and written again, so that of two
	// simultaneous edits neither is lost.
	changing sync.Mutex
}

// NewBox makes a box that offers the tools deps can do.
func NewBox(deps Deps) *Box {
	b := &Box{deps: deps, offered: map[string]entry{}}
	for _, e := range entries() {
		if e.offered(deps) {
			b.offered[e.Name] = e
			b.tools = append(b.tools, e.Tool)
		}
	}
	return b
}

// Tools implements [Toolbox].
func (b *Box) Tools() []Tool { return append([]Tool(nil), b.tools...) }

// Call implements [Toolbox]. The input is validated, then the tool runs within its
// time limit. When the limit ends the tool, the error is TIMEOUT; when the caller
// gives up, it is INTERRUPTED. Call returns when the tool has returned.
func (b *Box) Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
	e, ok := b.offered[name]
	if !ok {
		return nil, b.notOffered(name)
	}
	if err := ctx.Err(); err != nil {
		return nil, &koda.Error{Code: koda.CodeOf(err), Op: name, Err: err}
	}
	limited, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	out, err := e.run(limited, b, input)
	if err != nil {
		return nil, failure(ctx, limited, e, e.Timeout, err)
	}
	answer, err := encode(out)
	if err != nil {
		return nil, &koda.Error{Code: e.otherwise, Op: name, Err: err}
	}
	return answer, nil
}

// Calls implements [Toolbox].
func (b *Box) Calls(ctx context.Context, calls []Call) []Result {
	return InOrder(calls, func(i int) Result {
		out, err := b.Call(ctx, calls[i].Name, calls[i].Input)
		return Result{out, err}
	})
}

// failure gives every error of a tool its shape and a stable code.
func failure(ctx, limited context.Context, e entry, limit time.Duration, err error) error {
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return &koda.Error{Code: koda.CodeOf(ctx.Err()), Op: e.Name, Err: err}
	case limited.Err() != nil && errors.Is(err, context.DeadlineExceeded):
		return timedOut(e.Name, limit)
	}
	var known *koda.Error
	if errors.As(err, &known) && known.Code != "" {
		if err == error(known) { //nolint:errorlint // an unwrapped error stays as it is
			return err
		}
		return &koda.Error{Code: known.Code, Op: e.Name, Err: err, Hint: known.Hint, Details: known.Details}
	}
	return &koda.Error{Code: e.otherwise, Op: e.Name, Err: err}
}

func timedOut(name string, limit time.Duration) error {
	return &koda.Error{Code: koda.CodeTimeout, Op: fmt.Sprintf("%s took longer than %v", name, limit)}
}

// notOffered says why a tool is not on offer here.
func (b *Box) notOffered(name string) error {
	if e, ok := known(name); ok && slices.Contains(e.Codes, koda.CodeExecutionFailed) {
		return &koda.Error{
			Code: koda.CodeCommandBlocked, Op: "this sandbox runs no commands",
			Hint: "write files instead; koda builds and renders them by itself",
		}
	}
	var names []string
	for _, t := range b.tools {
		names = append(names, t.Name)
	}
	hint := "the tools are " + strings.Join(names, ", ")
	if _, ok := known(name); ok {
		return &koda.Error{Code: koda.CodeUnknownTool, Op: fmt.Sprintf("tool %s is not available here", name), Hint: hint}
	}
	op := fmt.Sprintf("there is no tool %q", clip(name, 60))
	if near := nearestTool(name, names); near != "" {
		op += fmt.Sprintf(", did you mean %s?", near)
	}
	return &koda.Error{Code: koda.CodeUnknownTool, Op: op, Hint: hint}
}

// nearestTool knows slips, and names without their first word: write_file is
// sandbox_write_file.
func nearestTool(name string, names []string) string {
	for _, n := range names {
		if strings.HasSuffix(n, "_"+strings.ToLower(name)) {
			return n
		}
	}
	return koda.Nearest(name, names)
}
