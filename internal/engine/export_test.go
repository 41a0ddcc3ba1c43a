package engine

import (
	"context"

	"github.com/koda-video/koda/internal/tool"
)

// The rule of sandbox reuse, for the table in TestDecideSandbox.
type (
	SandboxFacts = sandboxFacts
	SandboxMove  = sandboxMove
)

var DecideSandbox = decideSandbox

const ContextLost = contextLost

// Work opens a project that is in the middle of a todo and runs do in place of the
// author. Then it leaves the project as a killed process does, or with park as an
// interrupted process does. It returns the sandbox's files at that moment.
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
