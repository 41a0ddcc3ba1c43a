package tool

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Deps is what a [Box] acts through. A nil part takes its tools off the offer.
// Errors that are or wrap a *koda.Error keep their code; others get the tool's
// own.
type Deps struct {
	Files     Files
	Commands  Commands
	Lifecycle Lifecycle
	Live      Live
	Pictures  Pictures
	Renders   Renders
	Reports   Reports
	Todos     Todos
	// Can is what the sandbox can do. Without Commands no shell command is
	// offered, whatever Commands is; without Background none is kept running.
	Can sandbox.Capabilities
	// MayFinish says that the person approved of the final video, in advance:
	// without, none is offered.
	MayFinish bool
	// Reserved are the patterns of files authors must not write, as of
	// [WritablePath]: the starter's own.
	Reserved []string
}

// Files are a sandbox's files.
type Files = sandbox.Files

// Commands runs shell commands; sandbox.Sandbox has this method.
type Commands interface {
	Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error)
}

// Lifecycle makes and ends the session's sandbox.
type Lifecycle interface {
	// Create returns the id and "created" or "reused". With reuse the living
	// sandbox of the session is taken when there is one.
	Create(ctx context.Context, reuse bool) (id, status string, err error)
	// Destroy ends a sandbox, with save only after its files and state were
	// saved. A sandbox that is not the session's is SANDBOX_NOT_FOUND.
	Destroy(ctx context.Context, id string, save bool) error
}

// Live serves the project for people to watch.
type Live interface {
	// StartPreview ends a server that runs, starts one, and returns when it
	// answers.
	StartPreview(ctx context.Context) (streamURL, devServerURL string, err error)
}

// Pictures draws single frames of the files as they are now.
type Pictures interface {
	// Screenshot draws the time in seconds and returns the data URL of a PNG.
	// A width or height of 0 follows from the other and the project's shape;
	// both 0 mean the project's size.
	Screenshot(ctx context.Context, seconds float64, width, height int) (dataURL string, err error)
}

// Renders makes videos.
type Renders interface {
	RenderPreview(ctx context.Context, duration float64) (koda.RenderResult, error)
	RenderFinal(ctx context.Context, want FinalRender) (koda.RenderResult, error)
}

// FinalRender is what the author asks of a final video.
type FinalRender struct {
	Duration   float64 // seconds
	Resolution string  // "720p", "1080p" or "4k"
	FPS        int
	Format     string // "mp4" or "webm"
}

// Todos are what the plan says is to be done.
type Todos interface {
	// UpdateTodo moves a todo. An id that is none is INVALID_INPUT.
	UpdateTodo(ctx context.Context, id string, status koda.TodoStatus) error
}

// Reports tells the person what goes on.
type Reports interface {
	SetThinking(ctx context.Context, message string) error
	// AddMessage returns the id of the message it added.
	AddMessage(ctx context.Context, content string) (id string, err error)
}
