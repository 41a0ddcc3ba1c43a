package engine

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// NewRequest asks for a new project.
type NewRequest struct {
	Brief koda.Brief
	User  string // whose project it is; "" is the local user
	Name  string // wanted name; "" derives a name from the prompt
	Exact bool   // Name was given by hand: a name that is taken is EXISTS
	Dir   string // parent directory; "" is the working directory or STORAGE_PATH
	// Assets are paths of files the person brought. The files are checked and
	// copied into the project.
	Assets   []string
	Sandbox  string // kind of sandbox; "": the author decides
	PlanOnly bool   // stop at the plan even when approvals were given
	NoFinal  bool   // stop at the preview even when approvals were given
}

// Waiting says what a project waits for.
type Waiting string

// What a project can wait for. A complete project, and one whose prompt asked for
// no animation, wait for nothing.
const (
	WaitingNothing Waiting = ""
	WaitingAnswer  Waiting = "answer"
	WaitingPlan    Waiting = "plan"
	WaitingPreview Waiting = "preview"
	WaitingRetry   Waiting = "retry"
)

// Outcome is where a project stands when a call returns.
type Outcome struct {
	Project koda.Project
	State   koda.NodeState
	Version int // the current version, 0 before the first
	Seen    koda.Seen
	Waiting Waiting
	// Saved counts what a resumed call did not have to do again.
	Saved Saved
}

// Saved is what the journal and the finished segments spared a resumed run.
type Saved struct {
	Calls  int `json:"calls"`  // calls of tools and models answered from the journal
	Frames int `json:"frames"` // frames not drawn again
}

// begunKey is the key under which a context holds what WhenBegun was given.
type begunKey struct{}

// WhenBegun returns a context for one call of New, Answer, Accept, Reject, Edit, Resume,
// Render or Fork. As soon as the call is journaled, so that no crash loses it, begun is
// called with the project; a render is not journaled before it is made, so begun is called
// when it begins. If the call is refused before, begun is not called. Begun must be quick.
func WhenBegun(ctx context.Context, begun func(koda.Project)) context.Context {
	once := false
	return context.WithValue(ctx, begunKey{}, func(p koda.Project) {
		if !once {
			once = true
			begun(p)
		}
	})
}

// tellBegun tells whoever waits for it that the work of a call has begun.
func (r *run) tellBegun(ctx context.Context) {
	if begun, ok := ctx.Value(begunKey{}).(func(koda.Project)); ok {
		begun(r.project)
	}
}
