package proc

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/creack/pty"
)

// Terminal is a child with a terminal of its own, which is its standard input,
// output and error. Reading it ends with io.EOF when the child has ended.
type Terminal struct {
	file *os.File
	cmd  *exec.Cmd
	gone sync.Mutex // no signal is sent to a process id that may be another's
	over bool
	open sync.RWMutex // no size is set of a file that may be another's
	shut bool
}

// StartTerminal starts a child in a terminal of that size. Spec's Pipe and Stdin
// mean nothing here. The caller must Wait.
func StartTerminal(spec Spec, columns, rows uint16) (*Terminal, error) {
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: rows})
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", spec.Path, err)
	}
	return &Terminal{file: file, cmd: cmd}, nil
}

// Read reads what the child wrote to its terminal.
func (t *Terminal) Read(b []byte) (int, error) {
	n, err := t.file.Read(b)
	if err != nil { // Linux says EIO when the child is gone
		err = io.EOF
	}
	return n, err
}

// Write types.
func (t *Terminal) Write(b []byte) (int, error) { return t.file.Write(b) }

// Resize changes the size of the terminal; the child is told by SIGWINCH.
func (t *Terminal) Resize(columns, rows uint16) error {
	t.open.RLock()
	defer t.open.RUnlock()
	if t.shut {
		return os.ErrClosed
	}
	return pty.Setsize(t.file, &pty.Winsize{Cols: columns, Rows: rows})
}

// PID is the shell's process id.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Kill ends the child and all programs of its session.
func (t *Terminal) Kill() {
	t.gone.Lock()
	defer t.gone.Unlock()
	if !t.over {
		t.end()
	}
}

// end kills what the terminal's session has. Each job of a shell has a process group
// of its own.
func (t *Terminal) end() {
	leader := t.cmd.Process.Pid
	_ = syscall.Kill(-leader, syscall.SIGKILL) //nolint:errcheck // it may just have ended
	for pid := range members(leader, statSession) {
		_ = syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may just have ended
	}
}

// Wait returns when the child has ended: nil, or an *ExitError. It is called once.
func (t *Terminal) Wait() error {
	err := t.cmd.Wait()
	t.gone.Lock()
	t.over = true
	t.end() // usually none is left
	t.gone.Unlock()
	return exitError(t.cmd, err, "")
}

// Close hangs up: what still reads or writes the terminal is told by SIGHUP.
func (t *Terminal) Close() error {
	t.open.Lock()
	defer t.open.Unlock()
	t.shut = true
	return t.file.Close()
}
