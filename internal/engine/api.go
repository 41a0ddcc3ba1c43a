package engine

import (
	"github.com/koda-video/koda/internal/koda"
)

// NewRequest asks for a new project.
type NewRequest struct {
	Brief koda.Brief
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
