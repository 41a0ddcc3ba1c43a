// Package sandbox is the vocabulary of sandboxes: where generated code lives
// and runs.
//
// A sandbox is ephemeral and may die at any moment; what must survive is copied
// out by a checkpoint. This package owns the interfaces ([Provider], [Sandbox],
// [Host]) and the capabilities a sandbox declares. It starts nothing itself: a
// kind of sandbox is an adapter in a package below this directory, and every
// adapter passes the suite in sandboxtest.
//
// Paths inside a sandbox are slash-separated and relative to the project's root
// unless said otherwise. Files and directories only: an adapter neither creates
// nor follows symbolic links.
package sandbox

import (
	"context"
	"io"
	"io/fs"
	"time"
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
	Commands   bool // run shell commands
	Background bool // keep processes running
	Isolated   bool // generated code cannot reach the host's files or network
}

// Options configures a new sandbox.
type Options struct {
	ProjectID string
}

// Provider makes sandboxes of one kind.
type Provider interface {
	Kind() Kind
	// Ping returns nil when sandboxes can be created here and now, else an
	// error of code PROVIDER_ERROR whose hint says how to fix it.
	Ping(ctx context.Context) error
	// Create makes a sandbox with an empty project directory, within 60 s.
	// Errors: QUOTA_EXCEEDED, TEMPLATE_NOT_FOUND, PROVIDER_ERROR, DISK_FULL.
	Create(ctx context.Context, opts Options) (Sandbox, error)
	// Connect returns the living sandbox with that id, else SANDBOX_NOT_FOUND.
	Connect(ctx context.Context, id string) (Sandbox, error)
}

// Meta says whose a sandbox is.
type Meta struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	PID       int       `json:"pid"`               // of the koda that made it
	Started   string    `json:"started,omitempty"` // when that koda was, see proc.Started
	Host      string    `json:"host,omitempty"`    // where
	Created   time.Time `json:"created"`
	// Orphan is found out by the reader: the koda that made it is gone for
	// certain.
	Orphan bool `json:"-"`
}

// Lister is a Provider that knows its living sandboxes, whoever made them.
type Lister interface {
	// All lists them in the order of their ids.
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
	// ReadFile errors: INVALID_PATH, FILE_NOT_FOUND, READ_FAILED.
	ReadFile(ctx context.Context, path string) ([]byte, error)
	// DeleteFile removes a file, never a directory. A missing file is
	// FILE_NOT_FOUND.
	DeleteFile(ctx context.Context, path string) error
	// List gives the entries below dir ("." is the root) sorted by path,
	// without node_modules. A missing dir is FILE_NOT_FOUND.
	List(ctx context.Context, dir string, recursive bool) ([]Entry, error)
}

// Bulk moves all files of a sandbox at once, as tar streams: see [Put] and [Get].
type Bulk interface {
	// Fill writes each file of a stream as Files.WriteFile does. A stream that
	// breaks off leaves the files that came before. It reads to the stream's end.
	Fill(ctx context.Context, r io.Reader) error
	// Snapshot writes the files that Files.List lists. The person who reads the
	// stream bounds it: what runs in the sandbox may have written anything.
	Snapshot(ctx context.Context, w io.Writer) error
}

// Sandbox is one living sandbox. Every method fails with SANDBOX_NOT_FOUND once
// the sandbox is gone. Methods may be called from several goroutines.
type Sandbox interface {
	ID() string
	Kind() Kind
	Capabilities() Capabilities
	Files
	Bulk
	// Run runs a command; COMMAND_BLOCKED where Capabilities say no.
	Run(ctx context.Context, cmd Command) (RunResult, error)
	// Host starts browser and encoder where this sandbox's code may run.
	Host() Host
	// Destroy stops every process and removes the sandbox. Destroying twice
	// is not an error.
	Destroy(ctx context.Context) error
}

// Command is a shell command for a sandbox.
type Command struct {
	Line       string
	Dir        string // relative to the project root
	Background bool
	Timeout    time.Duration // 0: 30 s; ignored in the background
}

// RunResult is what a command did. ExitCode is -1 in the background; PID is set
// only there.
type RunResult struct {
	Stdout, Stderr string
	ExitCode       int
	PID            int
}

// Host starts programs and keeps their files, here or in a container. Paths of
// a Host are absolute and belong to that Host.
type Host interface {
	// LookPath finds the absolute path of a program, or fails with MISSING_TOOL.
	LookPath(name string) (string, error)
	// Start starts a program. The caller must Wait.
	Start(ctx context.Context, p Program) (Process, error)
	// MkdirTemp makes a directory of the caller's own, removed by RemoveAll or
	// by the clean-up after this koda process is gone.
	MkdirTemp(prefix string) (string, error)
	// Open reads a file a program wrote.
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
	// descriptors 3 and 4 instead of 0 and 1, as Chromium's
	// --remote-debugging-pipe wants. The program's own standard output then
	// goes where its standard error goes.
	Pipe bool
}

// Process is a started program in a process group of its own. When koda dies,
// Stdin ends, and the programs koda starts end with it.
type Process interface {
	PID() int
	Stdin() io.WriteCloser
	Stdout() io.ReadCloser
	// Wait returns when the program has ended and its output is drained. A
	// status other than 0 is a *proc.ExitError carrying the tail of stderr.
	// It may be called several times and from several goroutines.
	Wait() error
	// Kill ends the whole process group at once and returns when Wait would.
	Kill()
	// StderrTail is the last few KiB the program wrote to standard error.
	StderrTail() string
}
