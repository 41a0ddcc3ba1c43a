// Package sandbox is the vocabulary of sandboxes: where generated code lives and runs.
//
// A sandbox is ephemeral and may die at any moment; what must survive is copied
// out by a checkpoint. This package owns the interfaces ([Provider], [Sandbox],
// [Host]) and the capabilities a sandbox declares. It starts nothing itself: a
// kind of sandbox is an adapter in a package below this directory, and every
// adapter passes the suite in sandboxtest.
//
// Paths inside a sandbox are slash-separated and relative to the project's root
// unless a comment says otherwise. There are only files and directories: an adapter
// neither creates nor follows symbolic links.
package sandbox

import (
	"context"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Kind names a provider.
type Kind string

// The kinds of sandbox.
const (
	Local  Kind = "local"
	Docker Kind = "docker"
)

// Capabilities is what a sandbox can do. A tool that needs more is not offered.
type Capabilities struct {
	Commands   bool // run shell commands and shells
	Background bool // keep processes running, and be dialled
}

// Options configures a new sandbox.
type Options struct {
	ProjectID string
}

// Provider makes sandboxes of one kind.
type Provider interface {
	Kind() Kind
	// Ping returns nil when sandboxes can be created here and now, once a [Preparer]
	// has prepared. Else the error has code PROVIDER_ERROR, and its hint says how to fix it.
	Ping(ctx context.Context) error
	// Create makes a sandbox with an empty project directory, within 60 s.
	// Errors: QUOTA_EXCEEDED, TEMPLATE_NOT_FOUND, PROVIDER_ERROR, DISK_FULL.
	Create(ctx context.Context, opts Options) (Sandbox, error)
	// Connect returns the living sandbox with that id, else SANDBOX_NOT_FOUND.
	Connect(ctx context.Context, id string) (Sandbox, error)
	// Remove destroys a sandbox, also one that does not answer. A sandbox that is gone is
	// no error.
	Remove(ctx context.Context, id string) error
}

// Preparer is a Provider whose sandboxes are made of something that takes longer to make
// than a sandbox may take, such as an image.
type Preparer interface {
	// Prepare makes what Create needs, if it is not there. Tell gets each step before it
	// is done. Errors: those of Create.
	Prepare(ctx context.Context, tell func(koda.BuildStep)) error
}

// Renewer is a Provider whose settings may change while its sandboxes live.
type Renewer interface {
	// Outdated reports whether a living sandbox was made with other settings than this
	// provider has.
	Outdated(ctx context.Context, id string) (bool, error)
}

// Meta says whose a sandbox is.
type Meta struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	PID       int       `json:"pid"`               // of the koda process that made the sandbox
	Started   string    `json:"started,omitempty"` // when that process was started, see proc.Started
	Host      string    `json:"host,omitempty"`    // name of the machine the process ran on
	Created   time.Time `json:"created"`
	// Orphan says that the koda process that made the sandbox is certainly dead.
	// The reader of Meta finds this out; it is not stored.
	Orphan bool `json:"orphan,omitempty"`
}

// Lister is a Provider that knows its living sandboxes, whoever made them.
type Lister interface {
	// All lists the living sandboxes in the order of their ids.
	All(ctx context.Context) ([]Meta, error)
}

// Entry is one file or directory of a sandbox.
type Entry struct {
	Path string
	Dir  bool
	Size int64 // bytes; 0 for directories
}

// Files are the files of a sandbox, one by one.
type Files interface {
	// WriteFile creates or replaces a file and its parent directories. The
	// file is whole or unchanged. Errors: INVALID_PATH, WRITE_FAILED, DISK_FULL.
	WriteFile(ctx context.Context, path string, data []byte) error
	// ReadFile returns a file's bytes. Errors: INVALID_PATH, FILE_NOT_FOUND,
	// READ_FAILED.
	ReadFile(ctx context.Context, path string) ([]byte, error)
	// DeleteFile removes a file, never a directory. If the file is missing, the
	// error is FILE_NOT_FOUND.
	DeleteFile(ctx context.Context, path string) error
	// List returns the entries below dir ("." is the root) sorted by path, without
	// node_modules. If dir is missing, the error is FILE_NOT_FOUND.
	List(ctx context.Context, dir string, recursive bool) ([]Entry, error)
}

// Bulk moves all files of a sandbox at once, as tar streams: see [Put] and [Get].
type Bulk interface {
	// Fill writes each file of a stream as Files.WriteFile does. It reads to the
	// stream's end. If the stream breaks off, the files before the break stay.
	Fill(ctx context.Context, r io.Reader) error
	// Snapshot writes the files of these paths that exist, and with nil paths all files
	// that Files.List lists. The reader of the stream must limit its size: code in the
	// sandbox may have written anything. READ_FAILED: the sandbox cannot send so much.
	Snapshot(ctx context.Context, paths []string, w io.Writer) error
	// Unlisted names some of what is there and no file of a project, so that Files.List
	// leaves it out: links, pipes, names that no path can have. The names are for people.
	Unlisted(ctx context.Context) ([]string, error)
}

// Commands runs shell commands. If the Capabilities of a sandbox rule commands out,
// each method fails with COMMAND_BLOCKED.
type Commands interface {
	// Run runs a command to its end, or starts it in the background and returns. A
	// command that fails is no error: its exit status is in the result. When ctx
	// ends, Run kills the command and all it started, and waits for their end.
	//
	// TIMEOUT: the command took longer than its Timeout and was killed with all it
	// started. OUT_OF_MEMORY: the command failed when the sandbox's memory was used up.
	// DISK_FULL: the sandbox used too much disk, and all that ran was killed. With these
	// three the result holds the output. INVALID_PATH: Dir does not exist.
	Run(ctx context.Context, cmd Command) (RunResult, error)
	// Processes lists the background processes in the order of their start,
	// including processes that have ended by themselves.
	Processes(ctx context.Context) ([]Background, error)
	// Stop ends a background process and all it started, with SIGTERM, and with
	// SIGKILL if SIGTERM is not enough. It waits for the end of the process and
	// takes it off the list. If there is no such process, the error is NOT_FOUND.
	Stop(ctx context.Context, pid int) error
}

// Shells keeps terminals open in a sandbox. If the Capabilities of a sandbox rule
// commands out, Shell fails with COMMAND_BLOCKED.
type Shells interface {
	// Shell opens the shell of that name in the project's directory. If that shell is
	// open already, Shell joins it: directory, environment and running programs stay.
	// The first bytes read are the shell's earlier output, up to [MaxOutput] bytes.
	Shell(ctx context.Context, name string, size Size) (Shell, error)
}

// Shell is one person's view of a terminal. It is read and written as bytes come.
// Read ends with io.EOF when the shell has ended. Close leaves the shell running.
type Shell interface {
	io.ReadWriteCloser
	Resize(size Size) error
	// Wait is called once Read has ended. It returns the exit status of the shell: 128 + n
	// after signal n. If the view ended before the shell, Wait fails.
	Wait() (status int, err error)
	// Kill ends the shell and all it started.
	Kill() error
}

// Size is the size of a terminal, in characters.
type Size struct{ Columns, Rows uint16 }

// Dialer connects with a server that runs in the sandbox.
type Dialer interface {
	// Dial connects with a TCP port of the sandbox's own loopback. SERVER_FAILED:
	// nothing listens there.
	Dial(ctx context.Context, port int) (net.Conn, error)
}

// Listener waits in the sandbox for programs of the sandbox. It leads them to koda where
// the sandbox has no network.
type Listener interface {
	// Listen opens a TCP port of the sandbox's own loopback; Addr of the result is its
	// address there. What programs in the sandbox connect with it arrives here. Closing
	// the listener closes the port and all its connections. Ctx bounds the opening only.
	Listen(ctx context.Context) (net.Listener, error)
}

// Leased is a sandbox that ends by itself when koda is gone.
type Leased interface {
	// Touch prolongs the sandbox's life by its idle time from now. A sandbox
	// without a lease lives on anyway.
	Touch(ctx context.Context) error
}

// Sandbox is one living sandbox. Every method fails with SANDBOX_NOT_FOUND once
// the sandbox is gone. Methods may be called from several goroutines.
type Sandbox interface {
	ID() string
	Kind() Kind
	Capabilities() Capabilities
	Files
	Bulk
	Commands
	Shells
	Dialer
	Listener
	Leased
	// Destroy stops every process and removes the sandbox. Destroying twice
	// is not an error.
	Destroy(ctx context.Context) error
}

// Command is a shell command for a sandbox. A POSIX shell runs it.
type Command struct {
	Line       string
	Dir        string   // relative to the project root
	Env        []string // NAME=value, added to the environment of the sandbox
	Background bool
	Timeout    time.Duration // 0: DefaultTimeout; ignored in the background
	// Stdin is read to its end, or until the command ends: then a read may still wait. Nil
	// is an empty input, and so is that of a background command.
	Stdin io.Reader
	// Stdout and Stderr get the whole output as it comes; either may be nil. A
	// background command uses neither.
	Stdout, Stderr io.Writer
}

// DefaultTimeout is how long a command without a Timeout may take.
const DefaultTimeout = 30 * time.Second

// MaxOutput is how many bytes of each stream of a command are kept. Of a longer
// stream the first half and the last half of that number are kept, with a line
// between them that says how much is left out.
const MaxOutput = 64 << 10

// RunResult is the outcome of a command. ExitCode is 128 + n after signal n. For a
// background command ExitCode is -1 and PID is set.
type RunResult struct {
	Stdout, Stderr string
	ExitCode       int
	PID            int
}

// Background is a process that runs, or ran, in the background.
type Background struct {
	PID      int
	Line     string
	Started  time.Time
	Running  bool
	ExitCode int    // valid once the process has ended
	Output   string // the last MaxOutput bytes of both streams together
}

// Host starts programs and keeps their files, here or in a container. Paths of
// a Host are absolute and belong to that Host.
type Host interface {
	// LookPath finds the absolute path of a program, or fails with MISSING_TOOL.
	LookPath(name string) (string, error)
	// Start starts a program. The caller must Wait.
	Start(ctx context.Context, p Program) (Process, error)
	// MkdirTemp makes a new directory for the caller. RemoveAll removes it, or else
	// the clean-up after this koda process is gone.
	MkdirTemp(prefix string) (string, error)
	// Open opens a file that a program wrote.
	Open(path string) (fs.File, error)
	RemoveAll(path string) error
}

// Program is what to start on a Host.
type Program struct {
	Path string // absolute, from LookPath
	Args []string
	Env  []string // added to a minimal environment; "" values unset
	Dir  string
	// Pipe connects Process.Stdin and Process.Stdout with the program's file
	// descriptors 3 and 4 instead of 0 and 1, as Chromium's --remote-debugging-pipe
	// wants. The program's own standard output then goes where its standard error goes.
	Pipe bool
}

// Process is a started program in a process group of its own. When koda dies, Stdin
// is closed, and the programs that koda starts end when their input ends.
type Process interface {
	PID() int
	Stdin() io.WriteCloser
	Stdout() io.ReadCloser
	// Wait returns when the program has ended and its output is drained. If the
	// status is not 0, the error is a *proc.ExitError with the tail of stderr. Wait
	// may be called several times and from several goroutines.
	Wait() error
	// Kill ends the whole process group at once and returns when Wait would return.
	Kill()
	// StderrTail is the last few KiB the program wrote to standard error.
	StderrTail() string
}
