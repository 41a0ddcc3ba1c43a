package hostos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// stopGrace is how long a background process has after SIGTERM.
const stopGrace = 5 * time.Second

// linger is how long Run waits for more output of a command that has ended.
const linger = time.Second

// Commands runs the commands and shells of a sandbox as children of this process, below
// a directory. It implements [sandbox.Commands], [sandbox.Shells], [sandbox.Dialer] and
// [sandbox.Listener].
// Nothing keeps these commands from the rest of this machine: they are only as confined
// as this process itself. Close ends all commands and shells that still run.
type Commands struct {
	root string
	env  []string
	now  func() time.Time

	mu      sync.Mutex
	running map[int]*background
	shells  map[string]*terminal
	life    context.Context // of the commands that run; End ends it
	end     context.CancelCauseFunc
}

// NewCommands returns the commands of the project in root, an absolute path. Env is
// the whole environment of each command.
func NewCommands(root string, env []string, now func() time.Time) *Commands {
	c := &Commands{root: root, env: env, now: now, running: map[int]*background{}, shells: map[string]*terminal{}}
	c.life, c.end = context.WithCancelCause(context.Background())
	return c
}

// shell is the program that runs commands.
func shell() (string, error) {
	for _, name := range []string{"bash", "sh"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &koda.Error{Code: koda.CodeMissingTool, Op: "there is no shell here", Hint: "install bash"}
}

// spec describes a command as a child of this process.
func (c *Commands) spec(cmd sandbox.Command) (proc.Spec, error) {
	dir := filepath.Join(c.root, filepath.FromSlash(cmd.Dir))
	info, err := os.Lstat(dir)
	if !filepath.IsLocal(filepath.FromSlash(cmp.Or(cmd.Dir, "."))) || err != nil || !info.IsDir() {
		return proc.Spec{}, &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("there is no directory %q in the project", cmd.Dir)}
	}
	path, err := shell()
	return proc.Spec{Path: path, Args: []string{"-c", cmd.Line}, Env: slices.Concat(c.env, cmd.Env), Dir: dir}, err
}

// Run implements [sandbox.Commands].
func (c *Commands) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	spec, err := c.spec(cmd)
	if err != nil {
		return sandbox.RunResult{}, err
	}
	if cmd.Background {
		return c.begin(cmd, spec)
	}
	var stdout, stderr clipped
	spec.Stderr, spec.Stdin = stderr.and(cmd.Stderr), cmd.Stdin != nil
	timeout := cmp.Or(cmd.Timeout, sandbox.DefaultTimeout)
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c.mu.Lock()
	life := c.life
	c.mu.Unlock()
	defer context.AfterFunc(life, cancel)()
	kills := memoryKills()
	child, err := proc.Start(limited, spec)
	if err != nil {
		return sandbox.RunResult{}, &koda.Error{Code: koda.CodeExecutionFailed, Op: "run command", Err: err}
	}
	killedFirst(child.PID())
	if cmd.Stdin != nil {
		go feed(child, cmd.Stdin)
	}
	read := drain(stdout.and(cmd.Stdout), child)
	err = child.Wait()
	<-read
	res := sandbox.RunResult{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: status(err)}
	switch {
	case ctx.Err() != nil:
		return res, fmt.Errorf("run command: %w", ctx.Err())
	case life.Err() != nil:
		c.mu.Lock() // until End is done
		defer c.mu.Unlock()
		return res, context.Cause(life)
	case limited.Err() != nil:
		return res, &koda.Error{
			Code: koda.CodeTimeout, Op: fmt.Sprintf("the command did not end within %s and was killed", timeout),
			Hint: "give it more time, or run it in the background",
		}
	case res.ExitCode != 0 && memoryKills() > kills:
		return res, &koda.Error{Code: koda.CodeOutOfMemory, Op: "the memory of the sandbox was used up, and the system killed a process"}
	}
	return res, nil
}

// feed gives a child its input. The child may end before its input does.
func feed(child *proc.Process, input io.Reader) {
	in := child.Stdin()
	end := sync.OnceFunc(func() { _ = in.Close() }) //nolint:errcheck // a pipe end
	go func() {
		<-child.Done()
		end()
	}()
	_, _ = io.Copy(in, input) //nolint:errcheck // a child that takes no more has ended, or closed its input
	end()
}

// drain copies the standard output of a child until it ends. Processes that the
// child left behind may hold the output open: drain gives up shortly after the
// child's own end.
func drain(w io.Writer, child *proc.Process) <-chan struct{} {
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(w, child.Stdout()) //nolint:errcheck // ends with the pipe
	}()
	go func() {
		<-child.Done()
		late := time.NewTimer(linger)
		defer late.Stop()
		select {
		case <-read:
		case <-late.C:
		}
		_ = child.Stdout().Close() //nolint:errcheck // a pipe end
	}()
	return read
}

// status is the exit status of a child, as shells count it.
func status(err error) int {
	var exit *proc.ExitError
	switch {
	case !errors.As(err, &exit):
		return 0
	case exit.Signal != 0:
		return 128 + int(exit.Signal)
	}
	return exit.Status
}

// background is a process that runs, or ran, in the background.
type background struct {
	child   *proc.Process
	line    string
	started time.Time
	output  clipped
	read    <-chan struct{} // closed when the output has ended
}

func (c *Commands) begin(cmd sandbox.Command, spec proc.Spec) (sandbox.RunResult, error) {
	b := &background{line: cmd.Line, started: c.now(), output: clipped{tail: true}}
	spec.Stderr = &b.output
	child, err := proc.Start(context.Background(), spec)
	if err != nil {
		return sandbox.RunResult{}, &koda.Error{Code: koda.CodeExecutionFailed, Op: "run command", Err: err}
	}
	killedFirst(child.PID())
	b.child = child
	b.read = drain(&b.output, child)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[child.PID()] = b
	return sandbox.RunResult{ExitCode: -1, PID: child.PID()}, nil
}

// Processes implements [sandbox.Commands].
func (c *Commands) Processes(context.Context) ([]sandbox.Background, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []sandbox.Background
	for pid, b := range c.running {
		entry := sandbox.Background{PID: pid, Line: b.line, Started: b.started, Running: true, Output: b.output.String()}
		select {
		case <-b.child.Done():
			entry.Running, entry.ExitCode = false, status(b.child.Wait())
		default:
		}
		all = append(all, entry)
	}
	slices.SortFunc(all, func(a, b sandbox.Background) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.PID, b.PID))
	})
	return all, nil
}

// Stop implements [sandbox.Commands].
func (c *Commands) Stop(ctx context.Context, pid int) error {
	c.mu.Lock()
	b, ok := c.running[pid]
	delete(c.running, pid)
	c.mu.Unlock()
	if !ok {
		return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("no process %d runs in the background", pid)}
	}
	select {
	case <-b.child.Done():
	default:
		_ = syscall.Kill(-pid, syscall.SIGTERM) //nolint:errcheck // it may just have ended
		grace := time.NewTimer(stopGrace)
		defer grace.Stop()
		select {
		case <-b.child.Done():
		case <-grace.C:
		case <-ctx.Done():
		}
		b.child.Kill()
	}
	<-b.read
	return nil
}

// Dial implements [sandbox.Dialer].
func (c *Commands) Dial(ctx context.Context, port int) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil && ctx.Err() == nil {
		return nil, &koda.Error{Code: koda.CodeServerFailed, Op: fmt.Sprintf("nothing answers at port %d of the sandbox", port), Err: err}
	}
	return conn, err
}

// End ends all that runs, and then calls rest, which may end more. Each Run fails with
// cause. What else runs says the cause at its end. Nothing new runs before rest is done.
func (c *Commands) End(cause error, rest func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(cause)
	c.life, c.end = context.WithCancelCause(context.Background())
	for _, b := range c.running {
		select {
		case <-b.child.Done():
		default:
			fmt.Fprintln(&b.output, cause)
			b.child.Kill()
		}
	}
	for _, t := range c.shells {
		t.say([]byte("\r\n" + cause.Error() + "\r\n"))
		t.kill()
	}
	rest()
}

// Listen implements [sandbox.Listener].
func (c *Commands) Listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", "127.0.0.1:0")
}

// Close ends the background processes and the shells.
func (c *Commands) Close() error {
	c.mu.Lock()
	running, shells := c.running, c.shells
	c.running, c.shells = map[int]*background{}, map[string]*terminal{}
	c.mu.Unlock()
	for _, b := range running {
		b.child.Kill()
		<-b.read
	}
	for _, t := range shells {
		t.kill()
	}
	return nil
}
