// Package proc starts child processes and ends them for certain.
//
// Every child of koda is started here: in its own process group, with the tail of its
// standard error kept for the error message. It is killed as a group and waited for.
// Callers follow the same rule: a call that is cancelled returns only when its child has
// ended. Children that must not outlive koda are chosen so that they end when their
// standard input or control pipe ends. On Linux the kernel also kills the direct child
// when koda dies (PR_SET_PDEATHSIG).
package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// tailSize is how much of standard error is kept: enough for the last words of
// ffmpeg and for a Chromium start-up error.
const tailSize = 8 << 10

// lowPriority is the niceness of children that give way: a quarter of the processor where
// another program wants all of it.
const lowPriority = 5

// linger bounds the wait for the output of a child that has ended.
const linger = time.Second

// Spec is a child to start.
type Spec struct {
	Path  string
	Args  []string // without the program's name
	Env   []string // the whole environment
	Dir   string
	Pipe  bool // Stdin and Stdout are descriptors 3 and 4 of the child
	Stdin bool // connect Stdin; without it the child reads from /dev/null
	Low   bool // the child gives way to other programs that want the processor
	// Stderr also gets standard error as it comes, beside the tail that is kept; it may
	// be nil. Its errors are ignored.
	Stderr io.Writer
}

// Process is a running or ended child.
type Process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	tail   tail
	low    bool
	done   chan struct{}
	err    error
	gone   sync.Mutex // held while signalling, so that no signal reaches a pid that was used again
	ended  bool
}

// ExitError says how a child ended.
type ExitError struct {
	Name   string // base name of the program
	Status int    // exit status; -1 when killed by a signal
	Signal syscall.Signal
	Stderr string // tail of its standard error
}

// Error gives the program, how it ended, and the last line of its standard error.
func (e *ExitError) Error() string {
	how := fmt.Sprintf("exit status %d", e.Status)
	if e.Signal != 0 {
		how = fmt.Sprintf("killed by signal %d (%v)", int(e.Signal), e.Signal)
	}
	if line := LastLine(e.Stderr); line != "" {
		return fmt.Sprintf("%s: %s: %s", e.Name, how, line)
	}
	return e.Name + ": " + how
}

// LastLine is the last line of s that is not blank.
func LastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// Start starts a child. When ctx ends, its process group is killed.
// The caller must Wait, and must drain Stdout.
func Start(ctx context.Context, spec Spec) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	setDeathSignal(cmd.SysProcAttr)
	p := &Process{cmd: cmd, done: make(chan struct{}), tail: tail{also: spec.Stderr}, low: spec.Low}

	var files []*os.File // the child's ends, closed here after the start
	closeAll := func(fs []*os.File) {
		for _, f := range fs {
			_ = f.Close() //nolint:errcheck // a pipe end
		}
	}
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err != nil {
			return nil, nil, fmt.Errorf("create pipe: %w", err)
		}
		return r, w, nil
	}
	outR, outW, err := pipe()
	if err != nil {
		return nil, err
	}
	p.stdout, files = outR, append(files, outW)
	var inR, inW *os.File
	if spec.Pipe || spec.Stdin {
		if inR, inW, err = pipe(); err != nil {
			closeAll([]*os.File{outR, outW})
			return nil, err
		}
		widen(inW)
		p.stdin, files = inW, append(files, inR)
	}
	errR, errW, err := pipe()
	if err != nil {
		closeAll(files)
		closeAll([]*os.File{outR})
		return nil, err
	}
	files = append(files, errW)
	cmd.Stderr = errW
	if spec.Pipe {
		cmd.Stdout = errW
		cmd.ExtraFiles = []*os.File{inR, outW}
	} else {
		cmd.Stdout = outW
		if inR != nil {
			cmd.Stdin = inR
		}
	}

	started := make(chan error, 1)
	go p.run(started, errR)
	err = <-started
	closeAll(files)
	if err != nil {
		closeAll([]*os.File{outR, errR})
		if inW != nil {
			closeAll([]*os.File{inW})
		}
		return nil, fmt.Errorf("start %s: %w", spec.Path, err)
	}
	stop := context.AfterFunc(ctx, p.signalGroup)
	go func() {
		<-p.done
		stop()
	}()
	return p, nil
}

// run starts the child and waits for it, on a thread that lives as long as the child: the
// kernel sends the death signal when the starting thread ends.
func (p *Process) run(started chan<- error, errR *os.File) {
	runtime.LockOSThread()
	if !p.low || !stayLow() { // else the thread ends with this goroutine
		defer runtime.UnlockOSThread()
	}
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	if p.low {
		// The group, and not the child: Linux would lower only one of its threads.
		_ = syscall.Setpriority(syscall.PRIO_PGRP, p.cmd.Process.Pid, lowPriority) //nolint:errcheck // it works without
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(&p.tail, errR) //nolint:errcheck // ends with the pipe
		_ = errR.Close()              //nolint:errcheck // a pipe end
	}()
	started <- nil
	err := p.cmd.Wait()
	p.gone.Lock()
	p.ended = true
	// The rest of the group must not outlive its leader. A grandchild that keeps standard
	// error open would hold Wait for ever.
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // usually none is left
	p.gone.Unlock()
	// A process that left the group may live on and keep standard error open.
	late := time.AfterFunc(linger, func() { _ = errR.Close() }) //nolint:errcheck // a pipe end
	<-drained
	late.Stop()
	p.err = exitError(p.cmd, err, p.tail.String())
	close(p.done)
}

func exitError(cmd *exec.Cmd, err error, stderr string) error {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return err
	}
	e := &ExitError{Name: baseName(cmd.Path), Status: exit.ExitCode(), Stderr: stderr}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal()
	}
	return e
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// PID is the child's process id, and its process group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stdin is the child's input; nil if Spec did not ask for it.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout is the child's output.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// StderrTail is the end of what the child wrote to standard error so far.
func (p *Process) StderrTail() string { return p.tail.String() }

// Done is closed when the child ends.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait returns when the child has ended: nil, or an *ExitError.
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// Kill ends the process group and waits.
func (p *Process) Kill() {
	p.signalGroup()
	<-p.done
}

func (p *Process) signalGroup() {
	p.gone.Lock()
	defer p.gone.Unlock()
	if !p.ended {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
	}
}

// Output runs a short program to its end and returns what it wrote to standard
// output, at most 1 MiB.
func Output(ctx context.Context, spec Spec) ([]byte, error) {
	p, err := Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	if p.stdin != nil {
		_ = p.stdin.Close() //nolint:errcheck // nothing to say to it
	}
	out, readErr := io.ReadAll(io.LimitReader(p.stdout, 1<<20))
	_, _ = io.Copy(io.Discard, p.stdout) //nolint:errcheck // drained so that the child can end
	err = p.Wait()
	_ = p.stdout.Close() //nolint:errcheck // a pipe end
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	return out, errors.Join(err, readErr)
}

// Alive reports whether a process with that id exists.
func Alive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// tail keeps the last tailSize bytes written to it.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	also io.Writer // gets it too; nil for none
}

func (t *tail) Write(b []byte) (int, error) {
	if t.also != nil {
		_, _ = t.also.Write(b) //nolint:errcheck // see Spec.Stderr
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
