package cli

import (
	"context"
	"encoding/json"
	"io/fs"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// Engine is what the commands need of the engine. Ids are project ids.
type Engine interface {
	Projects
	Keeper
	Versions
	Work
	Process
	// New makes a project and runs it until it waits for a person.
	New(ctx context.Context, r engine.NewRequest) (engine.Outcome, error)
	Answer(ctx context.Context, id string, a koda.Answer) (engine.Outcome, error)
	Accept(ctx context.Context, id string) (engine.Outcome, error)
	Reject(ctx context.Context, id, feedback string) (engine.Outcome, error)
	// Edit changes the animation; in phase plan it modifies the plan.
	Edit(ctx context.Context, id, text string) (engine.Outcome, error)
	// Resume goes on where the project stands; yes gives every approval.
	Resume(ctx context.Context, id string, yes bool) (engine.Outcome, error)
	// Render draws the project's newest version.
	Render(ctx context.Context, id string, spec koda.RenderSpec) (koda.RenderResult, error)
}

// Process is what is said before a method that works is called.
type Process interface {
	// Choose says what there is to be of final videos.
	Choose(ctx context.Context, id string, f engine.Finals) error
	// Limit says how long each video may take; below 0 is no limit.
	Limit(time.Duration)
	// Subscribe registers for all events of this process, in order.
	Subscribe(func(koda.Event))
}

// Work is the part of the engine that speaks to the process that works on a
// project. WRONG_PHASE: none does.
type Work interface {
	// Say tells its author something, which becomes a todo.
	Say(ctx context.Context, id, text string) (koda.Heard, error)
	// Cancel ends the work and returns when it is saved.
	Cancel(ctx context.Context, id string) error
	// Follow shows the events of the work until it is done: durable ones numbered
	// above after (-1: from now on), and passing ones.
	Follow(ctx context.Context, id string, after int64, show func(koda.Event)) error
}

// Projects is the part of the engine that knows projects.
type Projects interface {
	Show(ctx context.Context, id string) (engine.View, error)
	// Conversation gives what was said, and what of it the author is told.
	Conversation(ctx context.Context, id string) (engine.Conversation, error)
	// Examine looks whether all of a project is there and fits together.
	Examine(ctx context.Context, id string) ([]engine.Finding, error)
	// Find gives the project of a name, an id prefix or a directory; "" is
	// that of the working directory. A directory that moved is adopted.
	Find(ctx context.Context, ref string) (koda.Project, error)
	// TakeUp makes a project of a directory that was one and lost its .koda.
	// NOT_FOUND: koda did not make what lies there, and nothing is changed.
	TakeUp(ctx context.Context, dir string) (koda.Project, error)
	// List gives all projects, the most recently updated first.
	List(ctx context.Context) ([]koda.Project, error)
}

// Versions is the part of the engine that moves between versions.
type Versions interface {
	// Undo goes back to the version before, Redo comes back, Checkout goes to
	// any. Files in no version are kept as one first.
	Undo(ctx context.Context, id string) (engine.Moved, error)
	Redo(ctx context.Context, id string) (engine.Moved, error)
	Checkout(ctx context.Context, id string, version int) (engine.Moved, error)
	// History lists the versions of a project.
	History(ctx context.Context, id string) (engine.History, error)
	// Diff compares two versions; 0 is not said.
	Diff(ctx context.Context, id string, from, to int) (engine.Comparison, error)
	// DiffVideo makes a video of two versions.
	DiffVideo(ctx context.Context, id string, r engine.VideoDiff) (engine.Comparison, koda.RenderResult, error)
	// Fork makes a project that begins with a version of another.
	Fork(ctx context.Context, id string, r engine.ForkRequest) (engine.Outcome, error)
}

// Keeper is the part of the engine that puts things away.
type Keeper interface {
	// Idle saves a project and puts its sandbox away when the person is away
	// for too long. It is called while they are waited for, and ends with ctx.
	Idle(ctx context.Context, id string) error
	// Delete removes a project and returns the files it left behind.
	Delete(ctx context.Context, id string) (left []string, err error)
	// DeleteRender removes one render of a project: its files and its row.
	DeleteRender(ctx context.Context, id, render string) (engine.DeletedRender, error)
}

// Deps opens what commands work with. Its functions are called only by the
// commands that need them, so that the others start at once.
type Deps struct {
	// Engine opens the engine; close ends it and must be called.
	Engine func(ctx context.Context) (e Engine, close func() error, err error)
	// Notices are lines on what had to be mended to open the engine; nil is
	// none.
	Notices func() []string
	// Renderer draws plain directories that are no project, and stills.
	Renderer func(ctx context.Context) (engine.Renderer, error)
	// Bench measures where the time of rendering a page goes; nil files are a
	// page of koda's own.
	Bench func(ctx context.Context, files fs.FS) (koda.Bench, error)
	// Settings says where settings are read from.
	Settings func() (config.Sources, error)
	// Offers are the choices of settings that this build can do.
	Offers config.Offers
	// CheckBrief refuses a recipe, style or parameter that there is none of,
	// before a project is made for it.
	CheckBrief func(koda.Brief) error
	// CheckRow gives the parameters of one render of these files in the form the
	// page reads; INVALID_INPUT for what it cannot read. Fields named in others
	// are for something else.
	CheckRow func(files fs.FS, row json.RawMessage, others []string) (json.RawMessage, error)
	// CheckAsset examines a file to bring into a project: USAGE when it is
	// none that can be.
	CheckAsset func(path string) (koda.Asset, error)
	// CheckName refuses what cannot be the name of a project.
	CheckName func(name string) error
	// Drawn says how pages were kept apart from this machine while the command
	// drew; nil where it drew nothing.
	Drawn func() *Drawn
	// Checks examines the machine for `koda doctor`.
	Checks func(ctx context.Context) []Check
	// Collect removes what koda keeps and nobody needs, for `koda gc`; with
	// dryRun it only says what that is.
	Collect func(ctx context.Context, dryRun bool) (Collected, error)
	// Tidy does the same beside a command that works, if it is time to, and
	// ends with ctx. Nil does nothing.
	Tidy  func(ctx context.Context)
	Build BuildInfo
	Now   func() time.Time
}

// Drawn says whether Chromium's own sandbox, "on" or "off", stood between pages
// and this machine.
type Drawn struct {
	Sandbox    string `json:"browserSandbox"`
	SandboxWhy string `json:"browserSandboxWhy,omitempty"` // of one that is off
}

// Collected is what `koda gc` removed, or would.
type Collected struct {
	Cache        string   `json:"cache"` // directory
	Limit        int64    `json:"limit"` // bytes of finished segments; -1: none
	Removed      int      `json:"removed"`
	RemovedBytes int64    `json:"removedBytes"`
	Kept         int      `json:"kept"`
	KeptBytes    int64    `json:"keptBytes"`
	Partial      int      `json:"partial"`             // half-written files removed
	Leftovers    []string `json:"leftovers,omitempty"` // directories of dead processes removed
	Browsers     []int    `json:"browsers,omitempty"`  // processes that outlived theirs, ended
	Temps        []string `json:"temps,omitempty"`     // other half-written files removed
	Sockets      []string `json:"sockets,omitempty"`   // of dead processes, removed
	engine.Swept
	Busy bool `json:"busy"` // a render is at work: finished segments were left alone
}

// BuildInfo is what `koda version` tells. Empty fields are unknown.
type BuildInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
}

// CheckStatus is the outcome of a check.
type CheckStatus string

// The outcomes of a check: fine, works with a reservation, not there.
const (
	CheckOK      CheckStatus = "ok"
	CheckWarn    CheckStatus = "warn"
	CheckMissing CheckStatus = "missing"
)

// Check is one thing `koda doctor` examined. Fix is the command or the step
// that mends it. Required: without it no video can be made. A check never
// holds a secret.
type Check struct {
	Name     string      `json:"name"`
	Status   CheckStatus `json:"status"`
	Detail   string      `json:"detail"`
	Fix      string      `json:"fix,omitempty"`
	Required bool        `json:"required"`
}
