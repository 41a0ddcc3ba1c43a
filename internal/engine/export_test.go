package engine

import (
	"context"

	"github.com/koda-video/koda/internal/tool"
)

// The rule of sandbox reuse, for its table.
type (
	SandboxFacts = sandboxFacts
	SandboxMove  = sandboxMove
)

var DecideSandbox = decideSandbox

const ContextLost = contextLost

// Work opens a project that stands in a todo and lets do act in its author's
// place, then leaves it as a process does that is killed, or with park as one
// that is interrupted. It returns the sandbox's files as they then are.
func (e *Engine) Work(ctx context.Context, id string, park bool, do func(tool.Toolbox)) (saved Saved, files map[string][]byte, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return saved, nil, err
	}
	defer func() { err = closed(r, err) }()
	if _, err := r.ensureSandbox(ctx); err != nil {
		return saved, nil, err
	}
	m, err := r.memo(ctx)
	if err != nil {
		return saved, nil, err
	}
	box := r.toolbox(m)
	r.apart(func() { do(box) })
	if park {
		err = r.checkpointInterrupted()
	}
	if err == nil {
		files, err = readTree(ctx, r.sb)
	}
	return r.saved, files, err
}
