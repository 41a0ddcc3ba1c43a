package tui

import (
	"context"
	"image"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Session is what the studio asks of koda. Calls of [Worker] may take minutes; the studio
// makes one at a time, outside of its event loop. If ctx ends, they return when the work
// is saved.
type Session interface {
	Worker
	Reader
	Watcher
	Starter
	Desk
	Versions
}

// Worker does what a person decides. Ids are project ids. Each method returns where the
// project stands then, also with an error.
type Worker interface {
	New(ctx context.Context, b Brief) (Standing, error)
	// A decision names what the person saw. If the project stands elsewhere by now, nothing
	// is changed, and the error says so.
	Answer(ctx context.Context, id string, seen koda.Seen, a koda.Answer) (Standing, error)
	// Accept accepts the plan or the preview. Presets are the final videos to make, if the person named any.
	Accept(ctx context.Context, id string, seen koda.Seen, presets ...string) (Standing, error)
	Reject(ctx context.Context, id string, seen koda.Seen, why string) (Standing, error)
	// Edit changes the plan, or the video.
	Edit(ctx context.Context, id string, seen koda.Seen, text string) (Standing, error)
	// Resume goes on with what was interrupted, or tries again what failed.
	Resume(ctx context.Context, id string) (Standing, error)
	// Undo and Redo move between versions, and until a plan is accepted between plans.
	Undo(ctx context.Context, id string) (Standing, error)
	Redo(ctx context.Context, id string) (Standing, error)
	// Render makes a further final video by a preset.
	Render(ctx context.Context, id, preset string) (Standing, error)
}

// Reader looks.
type Reader interface {
	// Projects lists all projects, the most recently updated first.
	Projects(ctx context.Context) ([]koda.Project, error)
	// Stand reads where a project stands.
	Stand(ctx context.Context, id string) (Standing, error)
	// Say tells the author of a project at work something; it becomes a todo.
	Say(ctx context.Context, id, text string) error
	// Events lists the numbered events of a project, in order.
	Events(ctx context.Context, id string) ([]koda.Event, error)
	// Presets are what Render can make of a project.
	Presets(ctx context.Context, id string) ([]Preset, error)
	// Log is what happened to a project, for people who look for a mistake.
	Log(ctx context.Context, id string) (string, error)
	// OpenFolder opens a directory in the desktop. NOT_FOUND: there is no desktop.
	OpenFolder(ctx context.Context, dir string) error
	// Frames opens the frames of a version's preview; version 0 is the preview to show. The
	// caller closes them. NOT_FOUND: there are none.
	Frames(ctx context.Context, id string, version int) (Frames, error)
	// Shot draws the frame of a project at a time in seconds, with all its pixels. It may
	// take seconds.
	Shot(ctx context.Context, id string, seconds float64) (image.Image, error)
	// Still is a picture of a recipe; nil if there is none.
	Still(recipe string) image.Image
}

// Watcher waits beside the person, until ctx ends.
type Watcher interface {
	// Watch shows the events of the work that another process does on a project, as those
	// of this process, until the work ends.
	Watch(ctx context.Context, id string) (Standing, error)
	// Changed waits until another process changed a project that the person saw, or began or
	// ended to work on it.
	Changed(ctx context.Context, saw Standing) (Standing, error)
	// Away runs while a project waits for the person. Suspended: the person was away for so
	// long that the project was put to rest.
	Away(ctx context.Context, id string) (suspended bool, err error)
}

// Desk is what a person has at hand, whatever the project.
type Desk interface {
	// Typed are the texts that the person typed before, in any project, the latest last. If
	// they cannot be read, there are none.
	Typed() []string
	// Keep remembers a text for Typed. That it may fail disturbs nobody.
	Keep(text string)
	// Install prepares a run of commands of [Need.Fix], one after the other, in the person's
	// terminal. The run takes the terminal, and ends with the first command that fails.
	Install(commands []string) (run func() error)
	// Compose prepares a run of the person's own editor on a text. The run takes the
	// terminal and returns the text as the person left it. USAGE: no editor is set.
	Compose(text string) (run func() (string, error), err error)
}

// Frames are pictures of a video, for random access. At may be called by one goroutine at
// a time.
type Frames interface {
	Version() int // that the video is of
	// Duration is in seconds, and Step between two pictures.
	Duration() float64
	Step() float64
	At(seconds float64) (image.Image, error)
	Close() error
}

// Waiting is what a project waits for.
type Waiting string

// What a project can wait for.
const (
	ForNothing Waiting = ""
	ForAnswer  Waiting = "answer"
	ForPlan    Waiting = "plan"
	ForPreview Waiting = "preview"
	ForRetry   Waiting = "retry"
)

// Standing is where a project stands.
type Standing struct {
	Project koda.Project
	State   koda.NodeState
	Version int // 0 before the first
	Seen    koda.Seen
	Waiting Waiting
	Busy    bool // another process works on the project
	Redo    bool // there is something that Redo comes back to
	Videos  []Video
	Spent   koda.Cost // on all that was made
}

// Video is a final video of a project.
type Video struct {
	Path    string
	Preset  string
	Version int
	Format  string
	Width   int
	Height  int
	FPS     koda.FPS
	Seconds float64
	Size    int64         // bytes
	Took    time.Duration // to make it; 0: unknown
}

// Preset is a named output, as it comes out for a project.
type Preset struct {
	Name  string
	About string
	Facts string // size, rate and format
	Wrong string // why the project cannot be made so; "" where it can
}
