package engine

import (
	"context"
	"encoding/json"
	"io/fs"
	"iter"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// Author thinks up an animation. It acts, and asks a model, through the desk it is
// lent, and only until the method returns. When a method runs again after a crash,
// it makes the same calls in the same order; see tool.Desk.
type Author interface {
	// Clarify returns the one question to ask, or nil when the brief is clear
	// enough. A brief that asks for no animation is an error of code NOT_ANIMATION
	// whose text explains what koda does.
	Clarify(ctx context.Context, brief koda.Brief, rev *koda.Revision, desk tool.Desk) (*koda.Question, error)
	// Plan proposes scenes, and todos if they are not simply one todo a scene.
	// Revision, when set, holds the plan before and what the person said of it.
	Plan(ctx context.Context, brief koda.Brief, answer koda.Answer, rev *koda.Revision, desk tool.Desk) (koda.Plan, error)
	// Work does a todo of the plan, or a change asked for later.
	Work(ctx context.Context, task koda.Task, desk tool.Desk) error
}

// Answerer answers questions about projects. It reads through the desk it is lent, and
// only until Answer returns; see tool.Desk.
type Answerer interface {
	Answer(ctx context.Context, about koda.Dossier, desk tool.Desk) (string, error)
}

// Index reads the rows of projects.
type Index interface {
	// Project returns a project, or NOT_FOUND.
	Project(ctx context.Context, id string) (koda.Project, error)
	// Load returns a project and the state of its machine, or NOT_FOUND.
	Load(ctx context.Context, id string) (koda.Project, json.RawMessage, error)
	// List returns all projects, the most recently updated first.
	List(ctx context.Context) ([]koda.Project, error)
	// FindProject finds the one project meant by ref: id, name, directory or
	// the beginning of an id. NOT_FOUND, or USAGE when several are meant.
	FindProject(ctx context.Context, ref string) (koda.Project, error)
}

// Store is the journal and the index of all projects. It is durable: what a
// method wrote before it returned survives a crash and a power cut.
type Store interface {
	Index
	Rows
	// Create inserts the project of the commit and writes its first step.
	Create(ctx context.Context, c koda.Commit) error
	// Commit writes one step and returns the events with their numbers.
	Commit(ctx context.Context, c koda.Commit) ([]koda.Event, error)
	// Adopt brings a project's row up to what its state file says.
	Adopt(ctx context.Context, s koda.StateFile, versions ...koda.Version) (koda.Project, error)
}

// Rows removes rows of projects.
type Rows interface {
	// Delete removes every row of a project. NOT_FOUND: there is no such project.
	Delete(ctx context.Context, id string) error
	// Prune drops what only further work on the last turn of a project would need,
	// and returns how many bytes it dropped; with dryRun it only counts them.
	Prune(ctx context.Context, id string, dryRun bool) (size int64, err error)
	// DeleteRender removes a render's row. NOT_FOUND: there is no such render.
	DeleteRender(ctx context.Context, projectID, id string) error
}

// Journal reads what Store wrote.
type Journal interface {
	// Events lists durable events numbered above after, in order.
	Events(ctx context.Context, projectID string, after int64) ([]koda.Event, error)
	// Tail yields the events that Events lists, and then new events, also those of
	// other processes, until ctx ends. It reads at once when look receives.
	Tail(ctx context.Context, projectID string, after int64, look <-chan struct{}) iter.Seq2[koda.Event, error]
	Turns(ctx context.Context, projectID string) ([]koda.Turn, error)
	Blocks(ctx context.Context, turnID string) ([]koda.Block, error)
	Renders(ctx context.Context, projectID string) ([]koda.RenderRecord, error)
	Versions(ctx context.Context, projectID string) ([]koda.Version, error)
	// Causes lists what the phase machine was told, in order. If the project was
	// adopted from its directory, the list begins after the adoption.
	Causes(ctx context.Context, projectID string) ([]json.RawMessage, error)
	// Stats counts what the journal holds of a project.
	Stats(ctx context.Context, projectID string) (koda.Stats, error)
	// Messages lists what was said, in the order it was said.
	Messages(ctx context.Context, projectID string) ([]koda.Message, error)
}

// Calls is the memory of answered calls. An answer is recorded with the step it is
// the outcome of: koda.Commit.Call.
type Calls interface {
	// Call returns the answer recorded at a place, if there is an answer.
	Call(ctx context.Context, key koda.CallKey) (koda.CallRecord, bool, error)
	// Answered lists the answers of a step, whatever the ordinal, in the order they
	// were given, without their outputs.
	Answered(ctx context.Context, step koda.CallKey) ([]koda.CallRecord, error)
	// Forget removes the answers of a step from a place on.
	Forget(ctx context.Context, from koda.CallKey) error
}

// Sessions remembers which sandbox a project uses.
type Sessions interface {
	// Session returns the project's newest session that is not closed; false
	// when there is none.
	Session(ctx context.Context, projectID string) (koda.Session, bool, error)
	SaveSession(ctx context.Context, s koda.Session) error
	// AllSessions lists the sessions of all projects.
	AllSessions(ctx context.Context) ([]koda.Session, error)
	// DeleteSessions removes the closed sessions last changed before that time.
	DeleteSessions(ctx context.Context, before time.Time) error
}

// Storage keeps project directories. Directories are absolute paths.
type Storage interface {
	Places
	Owners
	Shelf
	Checkpoints
	Leavings
}

// Places makes project directories.
type Places interface {
	// Create makes a new project directory below parent and returns it. The
	// directory's base name is the project's name. If a derived name is taken, it
	// gets "-2", "-3", …; if an exact name is taken, the error is EXISTS. A
	// directory that a killed process left behind does not take a name, unless the
	// directory is known.
	Create(parent, name string, exact bool, known func(dir string) bool) (dir string, err error)
	// Furnish gives an existing directory what a new project's directory has.
	Furnish(dir string) error
}

// Leavings removes files of project directories. It is for the owner of the
// directory.
type Leavings interface {
	// Remove deletes what koda made in the directory, and the directory when
	// nothing else is left in it. It returns what it left behind.
	Remove(dir string) (left []string, err error)
	// Collect removes the stored contents that nothing needs any more, and returns
	// their number and their size in bytes; with dryRun it only counts them, which
	// needs no owner.
	Collect(dir string, dryRun bool) (files int, size int64, err error)
}

// Shelf reads a project directory as it is. It takes no lock.
type Shelf interface {
	// InUse reports whether a living process owns the directory for more than
	// a moment.
	InUse(dir string) bool
	// ReadState reads the last whole checkpoint. NOT_FOUND: the directory is no
	// project.
	ReadState(dir string) (koda.StateFile, error)
	// Changes lists files that differ from the last checkpoint.
	Changes(dir string) ([]koda.FileChange, error)
	// Tree reads the generated files of the directory as they are now.
	Tree(dir string) (map[string][]byte, error)
	// Version opens the files of version n, read only.
	Version(dir string, n int) (fs.FS, error)
	// Versions lists the versions of the directory in order.
	Versions(dir string) ([]koda.Version, error)
}

// Checkpoints writes into a project directory. It is for the owner of the directory.
type Checkpoints interface {
	// Checkpoint copies files and state out of a sandbox: a reader sees the
	// checkpoint before or this one. Files the person changed since the last
	// checkpoint are kept, and koda's texts for them go to .koda/conflicts.
	// Checkpoint returns the paths of the kept files.
	Checkpoint(dir string, cp koda.Checkpoint) (kept []string, err error)
	// Bring changes files as the person would, without being the owner: what differs
	// from the last checkpoint then is the person's. Base are the digests, by path, of
	// the files that the changes began from. A file that differs from its base and from
	// the last checkpoint was changed in the directory as well: it stays, and the text of
	// the change goes to .koda/conflicts; Bring returns the paths of those files. Changes
	// at paths that a project cannot have are left out. An error is about some of the
	// files; all others are changed.
	Bring(dir string, changes []koda.FileChange, base map[string]string) (kept []string, err error)
	// Put changes one file as the person would, without being the owner. Was is the digest
	// of the file that the change began from, "" for none. EXISTS: another file is there.
	Put(dir string, c koda.FileChange, was string) error
	// AddAsset checks a file the person brought and copies it below public/.
	// USAGE says what is wrong with it.
	AddAsset(dir, source string) (koda.Asset, error)
}

// Owners says whose a project directory is, and what they did.
type Owners interface {
	// Lock makes this process the owner of the directory until release is
	// called; IN_USE names the owner.
	Lock(dir string) (release func() error, err error)
	// Announce notes beside the lock at which socket others reach its owner.
	Announce(dir, socket string) error
	// Hold is Lock for a moment only: others wait for the release.
	Hold(dir string) (release func() error, err error)
	// Log notes for people what the owner did; it never fails.
	Log(dir string, at time.Time, text string)
}

// LiveFiles gives the files of a sandbox as they are now, and a digest of them.
type LiveFiles = func(context.Context) (files fs.FS, digest string, err error)

// LiveView shows a server of a sandbox to people of this machine.
type LiveView interface {
	URL() string // what a person opens
	Close() error
}

// Renderer draws a version's files.
type Renderer interface {
	// Render makes the video of spec. The same call after a crash continues.
	Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error)
	// Compare renders two sets of files and makes one video of both.
	Compare(ctx context.Context, from, to fs.FS, c koda.VideoComparison, report func(koda.Progress)) (koda.RenderResult, error)
	// Check builds the page: nil, or BUILD_FAILED with the place of the mistake.
	Check(ctx context.Context, files fs.FS) error
	// Still draws one frame as PNG, width × height pixels of the page's shape.
	Still(ctx context.Context, files fs.FS, seconds float64, width, height int) (koda.Picture, error)
	// Examine draws the frames at some times on one sheet, and says what they show and
	// what seems wrong.
	Examine(ctx context.Context, files fs.FS, times []float64) (koda.Look, error)
	// Sheet draws count frames of the whole animation on one PNG picture, in the
	// given number of columns, each frame width pixels wide.
	Sheet(ctx context.Context, files fs.FS, count, columns, width int) (koda.Picture, error)
}
