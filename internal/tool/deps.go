package tool

import (
	"context"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Deps are the parts a [Box] acts through. When a part is nil, its tools are not on
// offer. Errors that are or wrap a *koda.Error keep their code; other errors get
// the tool's own code.
type Deps struct {
	Files     Files
	Commands  Commands
	Shells    Shells
	Lifecycle Lifecycle
	Live      Live
	Pictures  Pictures
	Renders   Renders
	Reports   Reports
	Todos     Todos
	// Can is what the sandbox can do. Without Can.Commands no shell command and no shell is on
	// offer, whatever the part Commands is; without Can.Background no command is
	// kept running.
	Can sandbox.Capabilities
	// ReadOnly leaves out the tools that change files.
	ReadOnly bool
	// MayFinish says that the person approved of the final video in advance.
	// Without MayFinish no final video is on offer.
	MayFinish bool
	// Reserved are the patterns of the starter's own files, which authors must not
	// write; see [WritablePath].
	Reserved []string
}

// Files are a sandbox's files.
type Files = sandbox.Files

// Commands runs shell commands.
type Commands interface {
	// Run runs a command as [sandbox.Commands] does. Note tells the author what else
	// happened, such as packages that were made ready; "" for nothing.
	Run(ctx context.Context, cmd sandbox.Command) (res sandbox.RunResult, note string, err error)
	Processes(ctx context.Context) ([]sandbox.Background, error)
	Stop(ctx context.Context, pid int) error
}

// Shells are the terminals an author has open, by name.
type Shells interface {
	// NewShell opens a shell in the project's directory, and first ends the shell that
	// has this name.
	NewShell(ctx context.Context, name string, size sandbox.Size) (Shown, error)
	// Feed types characters, waits, and returns what the terminal showed since the last
	// look, never a part of a character. A size that is not zero is set first. If no
	// shell had the name, Feed opens one. NOT_FOUND: the shell that the author knew by
	// this name has ended.
	Feed(ctx context.Context, name, chars string, size sandbox.Size, wait time.Duration) (Shown, error)
}

// Shown is what a terminal showed.
type Shown struct {
	Text   string
	Ended  bool
	Status int    // of a shell that has ended
	Note   string // for the author
}

// Lifecycle makes and ends the session's sandbox.
type Lifecycle interface {
	// Create returns the id and "created" or "reused". With reuse it takes the
	// living sandbox of the session, if there is one.
	Create(ctx context.Context, reuse bool) (id, status string, err error)
	// Destroy ends a sandbox. With save, the sandbox's files and state are saved
	// first. If the sandbox is not the session's, the error is SANDBOX_NOT_FOUND.
	Destroy(ctx context.Context, id string, save bool) error
}

// Live serves the project for people to watch.
type Live interface {
	// StartPreview ends a server that runs, starts a new server, and returns when
	// the new server answers.
	StartPreview(ctx context.Context) (streamURL, devServerURL string, err error)
}

// Pictures draws single frames of the files as they are now.
type Pictures interface {
	// Screenshot draws the frame at a time in seconds and returns the data URL of a
	// PNG. If one of width and height is 0, it follows from the other and the
	// project's shape; if both are 0, the project's size is used.
	Screenshot(ctx context.Context, seconds float64, width, height int) (dataURL string, err error)
	// Look draws the frames at some times on one picture, and says what they show and
	// what seems wrong.
	Look(ctx context.Context, times []float64) (koda.Look, error)
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

// Todos are the todos of the plan.
type Todos interface {
	// UpdateTodo moves a todo. If no todo has the id, the error is INVALID_INPUT.
	UpdateTodo(ctx context.Context, id string, status koda.TodoStatus) error
}

// Reports tells the person what goes on.
type Reports interface {
	SetThinking(ctx context.Context, message string) error
	// AddMessage returns the id of the message it added.
	AddMessage(ctx context.Context, content string) (id string, err error)
}
