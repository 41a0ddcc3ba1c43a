package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/sandbox"
)

// Engine is the part of the engine that the commands use. Ids are project ids.
type Engine interface {
	Projects
	Keeper
	Versions
	Work
	Process
	Strips
	Answers
	// New makes a project and runs it until it waits for a person.
	New(ctx context.Context, r engine.NewRequest) (engine.Outcome, error)
	// Edit changes the animation; in phase plan it modifies the plan. Edit and Resume take the
	// final videos that the person wants, if they said so; for seen see Answers.
	Edit(ctx context.Context, id string, seen koda.Seen, text string, finals ...engine.Finals) (engine.Outcome, error)
	// Update brings the project to the recipe of this koda.
	Update(ctx context.Context, id string) (engine.Outcome, error)
	// Resume goes on from where the project stands. With yes, it gives every approval.
	Resume(ctx context.Context, id string, yes bool, finals ...engine.Finals) (engine.Outcome, error)
	// Render draws the project's newest version.
	Render(ctx context.Context, id string, spec koda.RenderSpec) (koda.RenderResult, error)
}

// Once is the part of the engine that does one thing and prints it.
type Once interface {
	// Change is Edit with what it changed.
	Change(ctx context.Context, id, text string) (engine.Outcome, engine.Comparison, error)
	// Ask has a model answer a question about the project.
	Ask(ctx context.Context, id string, q koda.Inquiry) (engine.Reply, error)
}

// Answers are what a person says to a question or a plan. If the project stands elsewhere
// than the person saw, the error is engine.ErrElsewhere, and nothing is changed.
type Answers interface {
	Answer(ctx context.Context, id string, seen koda.Seen, a koda.Answer) (engine.Outcome, error)
	// Accept takes the final videos that the person wants, if they said so.
	Accept(ctx context.Context, id string, seen koda.Seen, finals ...engine.Finals) (engine.Outcome, error)
	Reject(ctx context.Context, id string, seen koda.Seen, feedback string) (engine.Outcome, error)
}

// Process sets what holds for later calls that work.
type Process interface {
	// Limit bounds the time that each video may take; a negative value means no limit.
	Limit(time.Duration)
	// Subscribe calls show with all events of this process from now on, in order,
	// until the subscription is ended, which is before the engine is closed.
	Subscribe(show func(koda.Event)) *feed.Subscription
	// Watch is Subscribe, and show also gets glimpses of the frames that are drawn.
	Watch(show func(koda.Event)) *feed.Subscription
}

// Work is the part of the engine that speaks to the process at work on a project. If no
// process works on the project, the error is WRONG_PHASE.
type Work interface {
	Once
	// Say tells the project's author something. The text becomes a todo.
	Say(ctx context.Context, id, text string) (koda.Heard, error)
	// Visit lends the sandbox of a project for the length of use, whoever works in it. What
	// the person changes there is saved in the project's directory. COMMAND_BLOCKED: the
	// project's sandboxes run no commands.
	Visit(ctx context.Context, id string, warn func(string), use func(context.Context, sandbox.Sandbox) error) error
	// FinishVisits saves what people changed in visits whose processes were killed.
	FinishVisits(ctx context.Context)
	// Cancel ends the work, and returns when the work is saved.
	Cancel(ctx context.Context, id string) error
	// Follow shows the events of the work until the work ends: durable events with a
	// number above after, and passing events. If after is -1, Follow begins now.
	Follow(ctx context.Context, id string, after int64, show func(koda.Event)) error
	// LookOn is Follow from now on, and show also gets glimpses of the frames that are drawn.
	LookOn(ctx context.Context, id string, show func(koda.Event)) error
	// Events lists the durable events numbered above after, in order.
	Events(ctx context.Context, id string, after int64) ([]koda.Event, error)
}

// Projects is the part of the engine that knows projects.
type Projects interface {
	Show(ctx context.Context, id string) (engine.View, error)
	// Conversation gives everything that was said, and what of it the author is told.
	Conversation(ctx context.Context, id string) (engine.Conversation, error)
	// Examine checks whether all parts of a project are there and fit together.
	Examine(ctx context.Context, id string) ([]engine.Finding, error)
	// Find gives the project that a name, the beginning of an id, or a directory stands
	// for; "" stands for the project of the working directory. Find adopts a directory
	// that moved.
	Find(ctx context.Context, ref string) (koda.Project, error)
	// TakeUpBy is TakeUp for a directory of koda's own: with a page that no recipe made, a
	// model goes on.
	TakeUpBy(ctx context.Context, dir string, models koda.Models) (koda.Project, error)
	// TakeUp makes a project of a directory that was a project and lost its .koda.
	// NOT_FOUND: koda did not make the directory, and nothing is changed.
	TakeUp(ctx context.Context, dir string) (koda.Project, error)
	// List gives all projects, the most recently updated first.
	List(ctx context.Context) ([]koda.Project, error)
	// Stats counts what was done for projects, those given or all, in the order of List.
	Stats(ctx context.Context, ids ...string) ([]engine.ProjectStats, error)
	// Side has the files of a project, for keeping them the same as others.
	Side(ctx context.Context, id string) (mirror.Side, error)
	// TakeDown journals what an outside agent did, and says how many of its steps are known.
	TakeDown(ctx context.Context, id string, log koda.AgentLog) (taken int, err error)
}

// Remote is a project of a server.
type Remote interface {
	mirror.Side
	TakeDown(ctx context.Context, log koda.AgentLog) (taken int, err error)
}

// Mirror is a directory that is kept the same as a project.
type Mirror interface {
	mirror.Side
	// Prepare makes the directory. EXISTS: a project lives there.
	Prepare() error
	// Lock keeps others away until release is called. IN_USE: there is one.
	Lock() (release func() error, err error)
}

// Strips is the part of the engine that has pictures of previews.
type Strips interface {
	// Strip finds the pictures of a version's preview; 0 means the preview to show. If there
	// are none, the error is NOT_FOUND, and the video may still be known.
	Strip(ctx context.Context, id string, version int) (engine.Strip, error)
}

// Versions is the part of the engine that moves between versions.
type Versions interface {
	// Undo goes back to the version before, Redo comes back, Checkout goes to any
	// version. Files that are in no version are first kept as a new version.
	Undo(ctx context.Context, id string) (engine.Moved, error)
	Redo(ctx context.Context, id string) (engine.Moved, error)
	Checkout(ctx context.Context, id string, version int) (engine.Moved, error)
	// History lists the versions of a project.
	History(ctx context.Context, id string) (engine.History, error)
	// Diff compares two versions; 0 means that the version was not given.
	Diff(ctx context.Context, id string, from, to int) (engine.Comparison, error)
	// DiffVideo makes a video of two versions.
	DiffVideo(ctx context.Context, id string, r engine.VideoDiff) (engine.Comparison, koda.RenderResult, error)
	// Fork makes a project that begins with a version of another project.
	Fork(ctx context.Context, id string, r engine.ForkRequest) (engine.Outcome, error)
}

// Keeper is the part of the engine that saves and removes things.
type Keeper interface {
	// Idle saves a project and removes its sandbox when the person is away for too long.
	// It runs while koda waits for the person, and ends with ctx.
	Idle(ctx context.Context, id string) error
	// Changed waits until a project stands elsewhere than the person saw, or is no longer as
	// busy, or until ctx ends.
	Changed(ctx context.Context, id string, saw koda.NodeState, busy bool) error
	// Housed are the sandboxes that projects use, or come back to, by their ids.
	Housed(ctx context.Context) (map[string]engine.Housed, error)
	// Delete removes a project and returns the files it left behind.
	Delete(ctx context.Context, id string) (left []string, err error)
	// DeleteRender removes one render of a project: its files and its row.
	DeleteRender(ctx context.Context, id, render string) (engine.DeletedRender, error)
}

// Deps opens what commands work with. A command calls only the functions it needs, so the
// other commands start at once.
type Deps struct {
	// Engine opens the engine. The caller must call close.
	Engine func(ctx context.Context) (e Engine, close func() error, err error)
	// Notices are lines about what had to be repaired to open the engine; nil means
	// nothing.
	Notices func() []string
	// Renderer draws stills, and plain directories that are not projects, where the code of
	// that kind of sandbox runs; "" is the kind that the settings name. If it needs an image
	// that is not there, the image is built, and tell gets each step.
	Renderer func(ctx context.Context, kind string, tell func(koda.BuildStep)) (engine.Renderer, error)
	// Bench measures where the time of a render goes there. Nil files mean koda's own page.
	Bench func(ctx context.Context, kind string, tell func(koda.BuildStep), files fs.FS) (koda.Bench, error)
	// Settings says where settings are read from.
	Settings func() (config.Sources, error)
	// Give sets a setting from the command line, before anything is opened.
	Give func(setting, value string)
	// Offers are the choices of settings that this build can do.
	Offers config.Offers
	// Recipes lists what koda draws without a model, by name.
	Recipes func() ([]*recipe.Manifest, error)
	// Fonts are the fonts beside the program.
	Fonts func() (Fonts, error)
	// Models asks the services of models that are set up or on this machine, all at once.
	Models func(ctx context.Context) ([]ModelService, error)
	// Model opens the model of the settings, and gives its name with that of its provider.
	Model func() (m llm.Model, name string, err error)
	// Choose gives the models of a new project by the settings. If they name none, it is the
	// default model of a provider whose key is there, and keyFrom is the variable of that
	// key. No model at all is no error.
	Choose func() (m koda.Models, keyFrom string, err error)
	// Prompts has koda's own texts for models, each NAME.md.
	Prompts fs.FS
	// Budget says for people what the models of a project cost and may cost. USAGE: nobody
	// knows what one costs, and nothing bounds it.
	Budget func(koda.Models) (fmt.Stringer, error)
	// Estimate says what a brief is expected to cost; it asks no model.
	Estimate func(ctx context.Context, b koda.Brief, sandbox string, tell func(koda.BuildStep)) (koda.Estimate, error)
	// Sandboxes opens the container engine that the docker command would use. The caller
	// must call close. If no engine answers, the error is PROVIDER_ERROR.
	Sandboxes func(ctx context.Context) (s Sandboxes, close func() error, err error)
	// Preview opens a live page of a directory. The caller must close it.
	Preview func(dir string, cfg live.Config) (LivePage, error)
	// Params are the recipe that made some files, nil if none did, and the values of its
	// parameters.
	Params func(files fs.FS) (*recipe.Manifest, recipe.Values, error)
	// CheckParams refuses parameters in these files that their recipe does not take:
	// INVALID_INPUT. It returns the names that are no parameters.
	CheckParams func(files fs.FS) (strange []string, err error)
	// Seccomp is the seccomp profile of koda's containers.
	Seccomp func() (string, error)
	// Serve opens what a server works with. The caller must call close.
	Serve func(ctx context.Context) (s Served, close func() error, err error)
	// Mirror has the files of a directory of the person.
	Mirror func(dir string) Mirror
	// Remote opens a project of a server, by the address of the server or of the project.
	// NOT_FOUND, UNAUTHORIZED, NETWORK.
	Remote func(ctx context.Context, address, secret string) (Remote, koda.Project, error)
	// AgentLogs is the directory where what outside agents say waits for its project; nil:
	// there is none.
	AgentLogs func() (string, error)
	// Tokens opens the tokens and users of servers. The caller must call close.
	Tokens func(ctx context.Context) (t Tokens, close func() error, err error)
	// Commit copies the files that a directory has in a commit of its git repository into a
	// directory of koda's own. The repository is only read.
	Commit func(ctx context.Context, dir, ref string) (Commit, error)
	// Lint tries the recipe in a directory of the person.
	Lint func(ctx context.Context, dir string) (*recipe.Manifest, error)
	// CheckBrief refuses a recipe, style or parameter that does not exist, before a
	// project is made for it. It says what the prompt asks of the video file.
	CheckBrief func(context.Context, koda.Brief) (recipe.Wanted, error)
	// CheckRow gives the parameters of one render of these files in the form that the
	// page reads. If the page cannot read a parameter, the error is INVALID_INPUT. The
	// fields in others are not parameters.
	CheckRow func(ctx context.Context, files fs.FS, row json.RawMessage, others []string) (json.RawMessage, error)
	// CheckUpdate says what an update of these files of a project to the recipe of this
	// koda meets. USAGE: they carry no recipe, or one that this koda does not have.
	CheckUpdate func(files fs.FS) (recipe.Update, error)
	// CheckAsset examines a file that the person wants in a project. If a project cannot
	// use the file, the error is USAGE.
	CheckAsset func(path string) (koda.Asset, error)
	// CheckName refuses a name that a project cannot have.
	CheckName func(name string) error
	// Drawn says what protected this machine from pages while the command drew; nil if
	// the command drew nothing.
	Drawn func() *Drawn
	// Checks examines the machine for `koda doctor`.
	Checks func(ctx context.Context) []Check
	// Missing are the checks of what is missing and without which no video can be made. It
	// is quick: it starts no browser.
	Missing func(ctx context.Context) []Check
	// Collect removes, for `koda gc`, what koda keeps and nobody needs. With dryRun it
	// only says what it would remove.
	Collect func(ctx context.Context, dryRun bool) (Collected, error)
	// Tidy does the same beside a command that works, if an hour has passed, and ends
	// with ctx. Nil does nothing.
	Tidy func(ctx context.Context)
	// Trace lets a collector see what koda does, if the environment names one; nil lets none.
	// End sends what is left, within a bound.
	Trace func(ctx context.Context) (end func() error, err error)
	Build BuildInfo
	Now   func() time.Time
}

// Drawn says whether Chromium's own sandbox protected this machine from pages: "on" or
// "off".
type Drawn struct {
	Sandbox    string `json:"browserSandbox"`
	SandboxWhy string `json:"browserSandboxWhy,omitempty"` // why it is off
}

// Collected is what `koda gc` removed or would remove.
type Collected struct {
	Cache        string   `json:"cache"` // directory
	Limit        int64    `json:"limit"` // most bytes of finished segments; -1 means no limit
	Removed      int      `json:"removed"`
	RemovedBytes int64    `json:"removedBytes"`
	Kept         int      `json:"kept"`
	KeptBytes    int64    `json:"keptBytes"`
	Partial      int      `json:"partial"`             // half-written files removed
	Leftovers    []string `json:"leftovers,omitempty"` // directories that dead processes left, removed
	Browsers     []int    `json:"browsers,omitempty"`  // browsers that outlived their koda, ended
	Temps        []string `json:"temps,omitempty"`     // other half-written files removed
	Sockets      []string `json:"sockets,omitempty"`   // sockets of dead processes, removed
	Commits      []string `json:"commits,omitempty"`   // copies of commits that nobody used, removed
	engine.Swept
	Freed int64 `json:"freedBytes,omitempty"` // by which the database became smaller
	Busy  bool  `json:"busy"`                 // a render is at work, so finished segments stayed
}

// BuildInfo is what `koda version` shows. Empty fields are unknown.
type BuildInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
}

// CheckStatus is the outcome of a check.
type CheckStatus string

// The outcomes of a check: the thing is fine, works with limits, or is missing.
const (
	CheckOK      CheckStatus = "ok"
	CheckWarn    CheckStatus = "warn"
	CheckMissing CheckStatus = "missing"
)

// Check is one thing that `koda doctor` examined. Fix is the command or the step that
// repairs it. If Required is set, no video can be made without it. A check never holds a
// secret.
type Check struct {
	Name     string      `json:"name"`
	Status   CheckStatus `json:"status"`
	Detail   string      `json:"detail"`
	Fix      string      `json:"fix,omitempty"`
	Required bool        `json:"required"`
}
